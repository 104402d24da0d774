"""The faults of taptable, under one root. Normal events at a table are values, never exceptions; these are for
faults.

TaptableError
 +- ConfigError     a setting or the configuration is wrong
 +- DeckError       a deck file is damaged or belongs to another game
 +- WireError       data from a seat board's line can't be used
 +- JournalError    the journal can't be read or written
 +- PairingsError   the file of paired browsers can't be read or written
 +- MembersError    the members can't be read or written
 +- PresetsError    the presets can't be read or written
 +- StateError      a state file of the bridge can't be read or written
 +- LeagueError     a league's database can't be used, or lacks the item asked for
 +- DeviceError     a device is missing or doesn't answer
 +- RefereeError    the referee broke its own promise: our bug
"""

from __future__ import annotations


class TaptableError(Exception):
    """The root. Its text is a whole sentence for people and contains the offending value."""


class ConfigError(TaptableError):
    """A setting, or a line of the configuration, is wrong."""


class DeckError(TaptableError):
    """A deck file is damaged or belongs to another game."""


class WireError(TaptableError):
    """Data from a seat board's line can't be used."""


class JournalError(TaptableError):
    """The journal can't be read or written."""


class PairingsError(TaptableError):
    """The file of paired browsers can't be read or written, or is damaged."""


class MembersError(TaptableError):
    """The file of members can't be read or written, or is damaged."""


class PresetsError(TaptableError):
    """The file of presets can't be read or written."""


class StateError(TaptableError):
    """A state file of the bridge can't be read or written, or is damaged."""


class LeagueError(TaptableError):
    """A league's database can't be used as it is, or lacks the item asked for."""


class DeviceError(TaptableError):
    """A device is missing or doesn't answer."""


class RefereeError(TaptableError):
    """The referee broke its own promise: a bug of ours."""
