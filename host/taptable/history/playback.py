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
from taptable.games.registry import game_by
from taptable.memory.game_export import Transcript
from taptable.memory.records import Entry, GameHeader
from taptable.referee.notes import parse_note
from taptable.referee.replaying import Departure, play_again
from taptable.referee.session import Decision, TableEvent
from taptable.referee.step import Table, begins_anew, open_table


@dataclass(frozen=True, slots=True)
class Proof:
    """A game that was played again and ended the same: how many lines it has, how many of them were moves, and the
    table after the last."""

    lines: int
    moves: int
    table: Table


class OtherRules(JournalError):
    """A recorded game was played by rules that this taptable hasn't got."""


def opening_of(header: GameHeader) -> tuple[Table, tuple[Announcement, ...]]:
    """The table as a recorded game began, and what was announced; `OtherRules` if there can be no such game today."""
    try:
        game = game_by(header.game, header.rules_version)
        if game is None:
            raise OtherRules(
                f"this game was begun by the rules {header.rules_version}, which this taptable doesn't know: "
                "only the taptable it was begun with can play it again"
            )
        if header.heir is not None and (type(header.heir) is not int or not 1 <= header.heir <= header.players):
            raise OtherRules(
                f"the heir of this game is {header.heir!r:.40}, which is no seat from 1 to {header.players}"
            )
        return open_table(game, header.game_options, header.at_us, header.heir)
    except ConfigError as error:
        raise OtherRules(f"this game can't be set up: {error}") from error


def table_after(transcript: Transcript) -> Table:
    """The table after the last line of a recorded game; raises as `events`."""
    table, _ = opening_of(transcript.game.header)
    for event in events(transcript):
        if isinstance(event, Decision):
            table = event.table
    return table


def names_in(transcript: Transcript) -> tuple[str, ...]:
    """What the players of a recorded game were last called, seat 1 first; none if nobody said."""
    return next((note.names for note in _last_first(transcript) if isinstance(note, PlayersNamed)), ())


def members_in(transcript: Transcript) -> tuple[str, ...]:
    """The ids of the members who sat there last in a recorded game, seat 1 first; none if nobody did."""
    return next((note.members for note in _last_first(transcript) if isinstance(note, MembersSeated)), ())


def _last_first(transcript: Transcript) -> Iterator[Notice | None]:
    """The notices of a recorded game, from its end."""
    return (parse_note(entry.line or {}) for entry in reversed(transcript.entries) if entry.kind == "note")


def events(transcript: Transcript) -> Iterator[TableEvent]:
    """What happened in a recorded game, notices too; `OtherRules`, or `Departure` at the first line that is
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
        self.table, self.begun = opening_of(header)
        self._number = 0
        self._over = False

    def play(self, entry: Entry) -> TableEvent | None:
        """What happened next, None if nothing that is told; `Departure` if it is answered otherwise now.

        The beginning of the next game ends this one, and its table stays as it ended."""
        if entry.kind == "note":
            return parse_note(entry.line or {})
        if entry.kind == "taken":
            return None
        self._number += 1
        if self._over:
            raise Departure(f"Line {self._number} of the recorded game stands after the beginning of the next one.")
        judged = _play_again(self.table, self._number, entry)
        self._over = begins_anew(judged.observation, judged.verdict)
        if not self._over:
            self.table = judged.table
        return replace(judged, table=self.table)


def prove(transcript: Transcript) -> Proof:
    """Play a recorded game again to its end; `Departure` says where it goes, or ends, otherwise."""
    lines = moves = 0
    table, _ = opening_of(transcript.game.header)
    for event in events(transcript):
        if isinstance(event, Decision):
            lines += 1
            moves += isinstance(event.verdict, Accepted) and not isinstance(event.observation, TimePassed)
            table = event.table
    outcome = table.game.outcome(table.state)
    if outcome != transcript.game.outcome:
        raise Departure(f"The recorded game ended with {transcript.game.outcome}; played again it ends with {outcome}.")
    return Proof(lines, moves, table)


def _play_again(table: Table, number: int, entry: Entry) -> Decision:
    judged = play_again(table, number, entry.line or {}, entry.answer)
    if judged.observation.at_us != entry.at_us:
        raise Departure(f"Line {number} of the recorded game, {entry.line}, was written down for {entry.at_us} µs.")
    return judged
