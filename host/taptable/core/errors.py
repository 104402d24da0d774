"""The faults of taptable, under one root. What can happen at a table is a value, never an exception; these are for
what is broken.

TaptableError
 +- ConfigError     a setting or the configuration is wrong
 +- DeckError       a deck file is damaged, or doesn't belong to the game
 +- WireError       what came over a seat board's line can't be used
 +- JournalError    the journal can't be read or written
 +- PairingsError   who is paired with the page can't be read or written
 +- MembersError    the members can't be read or written
 +- PresetsError    the presets can't be read or written
 +- StateError      what the bridge keeps can't be read or written
 +- LeagueError     a league's database can't be used, or something isn't in it
 +- DeviceError     a device is missing or doesn't answer
 +- RefereeError    the referee broke its own promise: our bug
"""

from __future__ import annotations


class TaptableError(Exception):
    """The root; its text is a whole sentence for people, with the offending value in it."""


class ConfigError(TaptableError):
    """A setting, or a line of the configuration, is wrong."""


class DeckError(TaptableError):
    """A deck file is damaged, or doesn't belong to the game."""


class WireError(TaptableError):
    """What came over a seat board's line can't be used."""


class JournalError(TaptableError):
    """The journal can't be read or written."""


class PairingsError(TaptableError):
    """The file of who is paired with the page can't be read or written, or is damaged."""


class MembersError(TaptableError):
    """The file of members can't be read or written, or is damaged."""


class PresetsError(TaptableError):
    """The file of presets can't be read or written."""


class StateError(TaptableError):
    """A file of the bridge's own state can't be read or written, or is damaged."""


class LeagueError(TaptableError):
    """A league's database can't be used as it is, or what was asked for isn't in it."""


class DeviceError(TaptableError):
    """A device is missing or doesn't answer."""


class RefereeError(TaptableError):
    """The referee broke its own promise: a bug of ours."""
