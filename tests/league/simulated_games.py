"""Simulated games as the records of a journal, with their digests, as a table would send them. Made without a journal,
so that a test can have many."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

from msgspec import Raw
from taptable.core.game_options import GameOptions
from taptable.core.observations import ControlUsed, Observation
from taptable.core.tag_notices import MembersSeated
from taptable.core.verdicts import Verdict
from taptable.games.registry import find_game
from taptable.memory.digest import EMPTY_DIGEST, digest_after, entry_text, header_text
from taptable.memory.records import Entry, GameHeader
from taptable.referee.lines import announcement_line, answer_line, observation_line
from taptable.referee.step import Table, step
from taptable.sim.simulation import new_simulation, play
from taptable.uplink.messages import MAX_RECORDS, VERSION, Batch, Position, Where

SALT = bytes(16)
BEGUN = "2027-03-01T19:30:00Z"


@dataclass(frozen=True)
class SimulatedGame:
    """A game that was played: its header and entries, at table times from 0 on, and the table after the last."""

    header: GameHeader
    entries: tuple[Entry, ...]
    table: Table


@cache
def simulate_game(seed: int, game: str = "online", players: int = 4) -> SimulatedGame:
    """Simulate one game to its end."""
    rules = find_game(game)
    options = GameOptions(players, rules.editions[0], {}, 1 + seed % players)
    simulation = new_simulation(rules, options, Random(seed))
    entries: list[Entry] = []

    def listen(_: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
        del after
        at_us = observation.at_us
        entries.append(Entry(at_us, "observation", observation_line(observation), answer_line(at_us, verdict)))

    play(simulation, listen)
    header = GameHeader(
        at_us=0, game=game, edition=options.edition, players=players, settings={}, starter=options.starter,
        language="en", deck="family", rules_version=rules.rules_version, begun_utc=BEGUN,
    )  # fmt: skip
    return SimulatedGame(header, tuple(entries), simulation.table)


def members_seated(*members: str, at_us: int = 0) -> Entry:
    """The entry that seats the members."""
    return Entry(at_us, "note", announcement_line(MembersSeated(at_us, members)))


def use_control(table: Table, control: str) -> tuple[Table, Entry]:
    """The table after a control that its people used, and how that is written down."""
    observation = ControlUsed(table.at_us + 1_000_000, control, ())
    after, verdict = step(table, observation)
    at_us = observation.at_us
    return after, Entry(at_us, "observation", observation_line(observation), answer_line(at_us, verdict))


def replace_time(entry: Entry, after_us: int) -> Entry:
    """The same later."""
    at_us = after_us + 1_000_000
    line, answer = dict(entry.line or {}), dict(entry.answer or {})
    line["at"] = answer["at"] = at_us / 1e6
    return replace(entry, at_us=at_us, line=line, answer=answer)


Record = GameHeader | Entry


@dataclass
class Journal:
    """A journal as a table would have it, in memory: `texts` are its records as they leave the table, `digests` those
    after each entry (0: of none). `at_us` is where the next game begins."""

    identity: str = "0" * 32
    texts: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    digests: list[str] = field(default_factory=lambda: [EMPTY_DIGEST])
    games: list[int] = field(default_factory=list[int])
    digest: str = EMPTY_DIGEST
    at_us: int = 0

    @property
    def last(self) -> int:
        """The number of the last entry."""
        return len(self.digests) - 1

    def begin(self, header: GameHeader) -> None:
        """A game begins."""
        self.games.append(self.last)
        self._put(header_text(len(self.games), replace(header, at_us=self.at_us)), self.last + 1)

    def add(self, *entries: Entry) -> None:
        """Add the next entry as it is."""
        for entry in entries:
            self._put(entry_text(self.last + 1, entry, SALT), self.last + 1)
            self.digests.append(self.digest)

    def play(self, game: SimulatedGame, *members: str, entries: int | None = None) -> None:
        """Play a game, or the first `entries` of it, with its members seated. It begins at 0 by a table clock of its
        own, as after the table was switched on."""
        self.begin(game.header)
        if members:
            self.add(members_seated(*members))
        self.add(*game.entries[:entries])

    def position(self, number: int) -> Position:
        """The journal's position after an entry."""
        return Position(self.identity, number, self.digests[number])

    def has_position(self, position: Position) -> bool:
        """Did the journal come by this position?"""
        return position.number <= self.last and position == self.position(position.number)

    def batch(self, after: int, most: int = MAX_RECORDS, branch: int = 0) -> Batch:
        """The batch that follows an entry, with at most `most` records."""
        texts = [(number, text) for number, text in self.texts if number > after][:most]
        while texts and texts[-1][1].startswith('["game"'):
            texts.pop()
        records = tuple(Raw(text.encode()) for _, text in texts)
        return Batch(VERSION, self.position(after), branch, records)

    def where(self, *, whole: bool = False) -> Where:
        """The question where the league is, by the journal's end alone, or by all that is known."""
        known = (self.last, *reversed(self.games)) if whole else (self.last,)
        return Where(VERSION, tuple(self.position(number) for number in known))

    def copy(self) -> Journal:
        """A backup."""
        return replace(self, texts=list(self.texts), digests=list(self.digests), games=list(self.games))

    def _put(self, text: str, number: int) -> None:
        self.texts.append((number, text))
        self.digest = digest_after(self.digest, text)
