"""From the journal, or an exported game, back to the table: the game is played again through the referee, and every
answer must be the one it had. What comes out is what happened, as it happened."""

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
    """A game that was played again and ended the same: how many lines it has, how many of them were moves, and the
    table after the last."""

    lines: int
    moves: int
    table: Table


class OtherRules(JournalError):
    """A recorded game was played by rules that this taptable hasn't got."""


def open_recorded_game(header: GameHeader) -> tuple[Table, tuple[Announcement, ...]]:
    """The table as a recorded game began, and what was announced; `OtherRules` if there can be no such game today."""
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
                f"the heir of this game is {header.next_starter!r:.40}, which is no seat from 1 to {header.players}"
            )
        return open_table(game, header.game_options, header.at_us, header.next_starter)
    except ConfigError as error:
        raise OtherRules(f"this game can't be set up: {error}") from error


def table_after(transcript: Transcript) -> Table:
    """The table after the last line of a recorded game; raises as `events`."""
    table, _ = open_recorded_game(transcript.game.header)
    for event in replay_events(transcript):
        if isinstance(event, Decision):
            table = event.table
    return table


def names_in(transcript: Transcript) -> tuple[str, ...]:
    """What the players of a recorded game were last called, seat 1 first; none if nobody said."""
    return next((note.names for note in _notices_backwards(transcript) if isinstance(note, PlayersNamed)), ())


def members_in(transcript: Transcript) -> tuple[str, ...]:
    """The ids of the members who sat there last in a recorded game, seat 1 first; none if nobody did."""
    return next((note.members for note in _notices_backwards(transcript) if isinstance(note, MembersSeated)), ())


def _notices_backwards(transcript: Transcript) -> Iterator[Notice | None]:
    """The notices of a recorded game, from its end."""
    return (parse_notice(entry.line or {}) for entry in reversed(transcript.entries) if entry.kind == "note")


def replay_events(transcript: Transcript) -> Iterator[TableEvent]:
    """What happened in a recorded game, notices too; `OtherRules`, or `ReplayMismatch` at the first line that is
    answered otherwise now."""
    playback = Playback(transcript.game.header)
    for entry in transcript.entries:
        event = playback.play(entry)
        if event is not None:
            yield event


class Playback:
    """A recorded game that is played again, entry by entry, from its beginning; `OtherRules` if it can't be. `table` is
    the table now, `begun` what was announced at the beginning."""

    def __init__(self, header: GameHeader) -> None:
        self.table, self.opening_announcements = open_recorded_game(header)
        self._number = 0
        self._over = False

    def play(self, entry: Entry) -> TableEvent | None:
        """What happened next, None if nothing that is told; `ReplayMismatch` if it is answered otherwise now.

        The beginning of the next game ends this one, and its table stays as it ended."""
        if entry.kind == "note":
            return parse_notice(entry.line or {})
        if entry.kind == "taken":
            return None
        self._number += 1
        if self._over:
            raise ReplayMismatch(
                f"Line {self._number} of the recorded game stands after the beginning of the next one."
            )
        judged = _replay_entry(self.table, self._number, entry)
        self._over = starts_new_game(judged.observation, judged.verdict)
        if not self._over:
            self.table = judged.table
        return replace(judged, table=self.table)


def verify(transcript: Transcript) -> Verification:
    """Play a recorded game again to its end; `ReplayMismatch` says where it goes, or ends, otherwise."""
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
            f"The recorded game ended with {transcript.game.outcome}; played again it ends with {outcome}."
        )
    return Verification(lines, moves, table)


def _replay_entry(table: Table, number: int, entry: Entry) -> Decision:
    judged = replay_line(table, number, entry.line or {}, entry.answer)
    if judged.observation.at_us != entry.at_us:
        raise ReplayMismatch(
            f"Line {number} of the recorded game, {entry.line}, was written down for {entry.at_us} µs."
        )
    return judged
