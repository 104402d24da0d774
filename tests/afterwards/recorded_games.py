"""Recorded games with the truth about them, from the simulator's players, who know where the cards are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from cli.evenings import ONLINE, S, header_of
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import ButtonPressed, CardTapped, ControlUsed, Observation
from taptable.core.verdicts import Accepted, Verdict
from taptable.daemon.session_controller import records_of
from taptable.games.online.cards import CATEGORIES, KIND_OF
from taptable.games.online.ground_truth import OnlineTruth
from taptable.games.online.state import State
from taptable.history.course import Course
from taptable.history.playback import Playback
from taptable.memory.journal import Journal
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.memory.records import Record
from taptable.referee.session import Decision
from taptable.referee.step import Table, open_table, step
from taptable.sim.simulation import Simulation, new_simulation, play

FOUR = GameOptions(4, "de", {}, None)
CATEGORY_KINDS = {kind.id for kind in CATEGORIES}


@dataclass
class Truth:
    """The actions of the players in a simulated evening, by the cards in their hands and the buttons they pressed."""

    downloads: Counter[int] = field(default_factory=Counter[int])
    stopped: Counter[int] = field(default_factory=Counter[int])
    turns: list[int] = field(default_factory=list[int])
    fastest_us: dict[int, int] = field(default_factory=dict[int, int])
    scores: list[tuple[int, tuple[int, ...]]] = field(default_factory=list[tuple[int, tuple[int, ...]]])
    """The time and the teams' scores after each event, by the real places of the cards."""

    def record(self, was: OnlineTruth, now: OnlineTruth, before: State, after: State, observation: Observation) -> None:
        """Record the changes."""
        self.scores.append((observation.at_us, tuple(_mb(rows) for rows in now.rows)))
        for team, (rows_then, rows) in enumerate(zip(was.rows, now.rows, strict=True)):
            come = {card for row in rows for card in row} - {card for row in rows_then for card in row}
            for card in come:
                assert before.turn is not None
                if KIND_OF[card].id in CATEGORY_KINDS and before.options.team_of(before.turn.seat) == team:
                    self.downloads[before.turn.seat] += 1  # one that was hacked for oneself is one too
        if isinstance(observation, ButtonPressed) and before.window is not None:
            after_us = observation.pressed_at_us - before.window.opened_at_us
            self.fastest_us[observation.seat] = min(after_us, self.fastest_us.get(observation.seat, after_us))
        shown = [card for card in now.discard if card not in was.discard and KIND_OF[card].id == "cyber-patrol"]
        if before.window is not None and shown:
            (seat,) = (seat for seat, hand in enumerate(was.hands, 1) if shown[-1] in hand)
            self.stopped[seat] += 1
        if after.turn is not None and (before.turn is None or before.turn.began_at_us != after.turn.began_at_us):
            self.turns.append(after.turn.seat)


def play_a_game(path: Path, game_options: GameOptions = FOUR, seed: int = 0) -> Truth:
    """Play a whole game into the journal at `path`."""
    evening = new_simulation(ONLINE, game_options, Random(seed))
    turn = evening.table.state.turn
    truth = Truth(turns=[] if turn is None else [turn.seat])
    records: list[Record] = [header_of(evening.table)]
    was = evening.truth

    def listen(before: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
        nonlocal was
        records.extend(records_of(before, [Decision(observation, verdict, after)], None, observation.at_us, header_of))
        if isinstance(verdict, Accepted):
            truth.record(was, evening.truth, before.state, after.state, observation)
        was = evening.truth

    play(evening, listen)
    with Journal.open(path) as journal:
        journal.append(*records)
    return truth


def play_any_game(path: Path, game: Game[Any], game_options: GameOptions, seed: int = 0) -> Simulation:
    """Play a whole game of any kind into the journal at `path`, and return the evening at its end."""
    evening = new_simulation(game, game_options, Random(seed))
    records: list[Record] = [header_of(evening.table)]

    def listen(before: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
        records.extend(records_of(before, [Decision(observation, verdict, after)], None, observation.at_us, header_of))

    play(evening, listen)
    with Journal.open(path) as journal:
        journal.append(*records)
    return evening


def write_a_long_game(path: Path, lines: int) -> int:
    """Write a game of this number of lines, in which a card is laid and taken back in turn; return that number."""
    table, _ = open_table(ONLINE, GameOptions(2, "de", {"claim_s": "20"}, 1))
    records: list[Record] = [header_of(table)]
    for at_s in range(1, lines + 1):
        tap = at_s % 2 == 1
        done = CardTapped(at_s * S, "online#1", 1) if tap else ControlUsed(at_s * S, "take-back")
        before = table
        table, verdict = step(before, done)
        assert isinstance(verdict, Accepted)
        records.extend(records_of(before, [Decision(done, verdict, table)], None, done.at_us, header_of))
    with Journal.open(path) as journal:
        journal.append(*records)
    return lines


def course_in(path: Path, game_id: int = 1) -> Course:
    """Return the course of a game in the journal at `path`."""
    with JournalReader.open(path) as journal:
        transcript = transcript_of(journal, game_id)
    playback = Playback(transcript.game.header)
    course = Course.begin(transcript.game.header, playback.table, playback.opening_announcements)
    for entry in transcript.entries:
        event = playback.play(entry)
        if event is not None:
            course.add_event(event)
    return course


def _mb(rows: tuple[tuple[str, ...], ...]) -> int:
    return sum(KIND_OF[card].mb for row in rows for card in row)
