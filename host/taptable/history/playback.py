"""Replays a recorded game, from a journal or an export, through the referee, and yields its table events. Every verdict
must be the recorded one. `referee.replaying` judges one line; this module knows what belongs to a whole game. Must not
know who reads the events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from taptable.core.announcements import Announcement
from taptable.core.errors import ConfigError, JournalError
from taptable.core.notices import Notice, PlayersNamed
from taptable.core.observations import TimePassed
from taptable.core.tag_notices import MembersSeated
from taptable.core.verdicts import Accepted
from taptable.games.registry import find_game_version
from taptable.memory.game_export import Transcript
from taptable.memory.records import Entry, GameHeader
from taptable.referee.notes import parse_notice
from taptable.referee.replaying import ReplayMismatch, replay_line
from taptable.referee.session import Decision, TableEvent
from taptable.referee.step import Table, open_table, starts_new_game


@dataclass(frozen=True, slots=True)
class Verification:
    """A game whose replay ended as recorded: the number of its lines, the number of moves among them, and the table
    after the last."""

    lines: int
    moves: int
    table: Table


class OtherRules(JournalError):
    """A recorded game was played by rules that this taptable doesn't have."""


def open_recorded_game(header: GameHeader) -> tuple[Table, tuple[Announcement, ...]]:
    """Return the table at the beginning of a recorded game, and the announcements made then. Raises `OtherRules` if
    such a game is impossible today."""
    try:
        game = find_game_version(header.game, header.rules_version)
        if game is None:
            raise OtherRules(
                f"this game was begun by the rules {header.rules_version}, which this taptable doesn't know: "
                "only the taptable it was begun with can play it again"
            )
        if header.next_starter is not None and (
            type(header.next_starter) is not int or not 1 <= header.next_starter <= header.players
        ):
            raise OtherRules(
                f"the next starter (heir) of this game is {header.next_starter!r:.40}, "
                f"which is no seat from 1 to {header.players}"
            )
        return open_table(game, header.game_options, header.at_us, header.next_starter)
    except ConfigError as error:
        raise OtherRules(f"this game can't be set up: {error}") from error


def table_after(transcript: Transcript) -> Table:
    """Return the table after the last line of a recorded game. Raises as `replay_events` does."""
    table, _ = open_recorded_game(transcript.game.header)
    for event in replay_events(transcript):
        if isinstance(event, Decision):
            table = event.table
    return table


def names_in(transcript: Transcript) -> tuple[str, ...]:
    """Return the names that the players of a recorded game had last, seat 1 first; empty if nobody gave any."""
    return next((note.names for note in _notices_backwards(transcript) if isinstance(note, PlayersNamed)), ())


def members_in(transcript: Transcript) -> tuple[str, ...]:
    """Return the ids of the members who sat last in a recorded game, seat 1 first; empty if there were none."""
    return next((note.members for note in _notices_backwards(transcript) if isinstance(note, MembersSeated)), ())


def _notices_backwards(transcript: Transcript) -> Iterator[Notice | None]:
    """Yield the notices of a recorded game, from its end."""
    return (parse_notice(entry.line or {}) for entry in reversed(transcript.entries) if entry.kind == "note")


def replay_events(transcript: Transcript) -> Iterator[TableEvent]:
    """Yield the table events of a recorded game, notices too. Raises `OtherRules`, or `ReplayMismatch` at the first
    line with another verdict than recorded."""
    playback = Playback(transcript.game.header)
    for entry in transcript.entries:
        event = playback.play(entry)
        if event is not None:
            yield event


class Playback:
    """The replay of a recorded game, entry by entry, from its beginning. `table` is the table after the last entry,
    `opening_announcements` were made at the beginning. Raises `OtherRules` if the game can't be replayed."""

    def __init__(self, header: GameHeader) -> None:
        self.table, self.opening_announcements = open_recorded_game(header)
        self._number = 0
        self._over = False

    def play(self, entry: Entry) -> TableEvent | None:
        """Replay the next entry and return its table event; None for an entry without one. Raises `ReplayMismatch` if
        the verdict isn't the recorded one.

        The beginning of the next game ends this one; the table stays as it ended."""
        if entry.kind == "note":
            return parse_notice(entry.line or {})
        if entry.kind == "taken":
            return None
        self._number += 1
        if self._over:
            raise ReplayMismatch(
                f"Line {self._number} of the recorded game comes after the beginning of the next game."
            )
        decision = _replay_entry(self.table, self._number, entry)
        self._over = starts_new_game(decision.observation, decision.verdict)
        if not self._over:
            self.table = decision.table
        return replace(decision, table=self.table)


def verify(transcript: Transcript) -> Verification:
    """Replay a recorded game to its end and return the result. Raises `ReplayMismatch` with the first difference, in a
    line or in the outcome."""
    lines = moves = 0
    table, _ = open_recorded_game(transcript.game.header)
    for event in replay_events(transcript):
        if isinstance(event, Decision):
            lines += 1
            moves += isinstance(event.verdict, Accepted) and not isinstance(event.observation, TimePassed)
            table = event.table
    outcome = table.game.outcome(table.state)
    if outcome != transcript.game.outcome:
        raise ReplayMismatch(
            f"The recorded game ended with {transcript.game.outcome}; replayed it ends with {outcome}."
        )
    return Verification(lines, moves, table)


def _replay_entry(table: Table, number: int, entry: Entry) -> Decision:
    decision = replay_line(table, number, entry.line or {}, entry.answer)
    if decision.observation.at_us != entry.at_us:
        raise ReplayMismatch(
            f"Line {number} of the recorded game, {entry.line}, is recorded at {entry.at_us} µs, but has another time."
        )
    return decision
