"""Journals with whole games in them, played through the referee by the simulator's virtual players, or by a script of
observations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from random import Random

from taptable.core.game_options import GameOptions
from taptable.core.notices import Notice
from taptable.core.observations import CardTapped, ControlUsed, Observation
from taptable.core.verdicts import Verdict
from taptable.daemon.session_controller import records_of
from taptable.games.registry import find_game
from taptable.memory.journal import Journal
from taptable.memory.records import GameHeader, Record
from taptable.referee.session import Decision, TableEvent
from taptable.referee.step import Table, open_table, step
from taptable.sim.simulation import new_simulation, observe, play

ONLINE = find_game("online")
FOUR = GameOptions(4, "de", {"claim_s": "20"}, None)
S = 1_000_000


def header_of(table: Table, next_starter: int | None = None) -> GameHeader:
    """The header of a game that begins at this table."""
    game_options = table.game_options
    return GameHeader(
        at_us=table.at_us,
        game=table.game.name,
        edition=game_options.edition,
        players=game_options.players,
        settings=game_options.settings,
        starter=game_options.starter,
        language="de",
        deck="family",
        rules_version=table.game.rules_version,
        next_starter=next_starter,
        begun_utc="2025-11-20T19:30:00+00:00",
    )


def play_evening(path: Path, game_options: GameOptions = FOUR, *, games: int = 1, seed: int = 0) -> None:
    """Whole games, one after the other by *new game*, with a tap of a card that nobody knows now and then."""
    evening = new_simulation(ONLINE, game_options, Random(seed))
    records: list[Record] = [header_of(evening.table)]

    def write(before: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
        records.extend(records_of(before, [Decision(observation, verdict, after)], None, observation.at_us, header_of))

    def listen(before: Table, observation: Observation, verdict: Verdict, after: Table) -> None:
        write(before, observation, verdict, after)
        if len(records) % 20 == 0:
            observe(evening, CardTapped(observation.at_us, "04c0ffee", 2), write)

    for number in range(games):
        if number:
            observe(evening, ControlUsed(evening.now_us + S, "new-game"), write)
        play(evening, listen)
    with Journal.open(path) as journal:
        journal.append(*records)


def write_script(path: Path, game_options: GameOptions, script: Iterable[Observation | Notice]) -> None:
    """Write the journal of a game that follows a script, including the lines that the referee refuses."""
    table, _ = open_table(ONLINE, game_options)
    with Journal.open(path) as journal:
        journal.begin_game(header_of(table))
        for item in script:
            event: TableEvent
            if isinstance(item, Notice):
                event = item
            else:
                after, verdict = step(table, item)
                event = Decision(item, verdict, after)
            journal.append(*records_of(table, [event], None, item.at_us, header_of))
            table = event.table if isinstance(event, Decision) else table


def write_other_rules(path: Path, game_options: GameOptions = FOUR) -> None:
    """A game that was begun by rules of another version."""
    table, _ = open_table(ONLINE, game_options)
    with Journal.open(path) as journal:
        journal.begin_game(replace(header_of(table), rules_version="online/0"))
