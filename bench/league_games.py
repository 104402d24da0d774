"""Games for a league to ingest: all different, simulated once, and stored in a file from which any number of tables can
play them. Of each game the file has the header, and its entries as they leave a table, without their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import msgspec
from league.simulated_games import SALT, simulate_game
from taptable.games.registry import GAMES
from taptable.league.seasons import EARLIEST
from taptable.memory.digest import RecordText, entry_text
from taptable.memory.records import row_of_header

NAMES = tuple(GAMES)
PLAYERS = (4, 3)
"""As many as every game can be played by."""
AT_ONCE = 50
ENTRY = '["entry",'
"""The text before an entry's number; the text after the number is stored."""


class Recorded(msgspec.Struct, frozen=True):
    """A game: the columns of its header, and of each entry the text after its number; of each seat its team's place (1
    for the best), its score, and how many teams came behind."""

    header: tuple[object, ...]
    tails: tuple[str, ...]
    players: int
    results: tuple[tuple[int, int, int], ...]


def record_game(seed: int) -> Recorded:
    """The game of this seed: all games there are by turns, with changing numbers of players."""
    name = NAMES[seed % len(NAMES)]
    game = simulate_game.__wrapped__(seed, name, PLAYERS[seed // len(NAMES) % len(PLAYERS)])
    tails = [entry_text(0, entry, SALT).removeprefix(ENTRY + "0") for entry in game.entries]
    teams = game.table.scoreboard.teams
    places = [team.place or len(teams) for team in teams]
    results = {
        seat: (place, team.score, sum(other > place for other in places))
        for team, place in zip(teams, places, strict=True)
        for seat in team.seats
    }
    in_order = tuple(results[seat] for seat in sorted(results))
    # all of them at once, and not later than any day on which this runs: tables play them again and again, in any order
    header = replace(game.header, begun_utc=datetime.fromtimestamp(EARLIEST, UTC).isoformat())
    return Recorded(row_of_header(header), tuple(tails), header.players, in_order)


def record_games(path: Path, games: int, jobs: int) -> None:
    """Add games to the file until it has `games` games."""
    with path.open("a+b") as file, get_context("spawn").Pool(jobs) as pool:
        file.seek(0)
        there = sum(1 for _ in file)
        for line in pool.imap(_line, range(there, games), chunksize=AT_ONCE):
            file.write(line)


def _line(seed: int) -> bytes:
    return msgspec.json.encode(record_game(seed)) + b"\n"


@dataclass
class Games:
    """A file of games, of which each is given out once."""

    path: Path
    handed_out: int = 0
    """The number of games that were given out; after the last the first comes again."""
    _at: int = 0

    def next(self) -> Recorded:
        """A game that nobody has had."""
        with self.path.open("rb") as file:
            file.seek(self._at)
            line = file.readline()
            if not line:
                file.seek(0)
                line = file.readline()
            self._at = file.tell()
        self.handed_out += 1
        return msgspec.json.decode(line, type=Recorded)


def entries_of(game: Recorded, after: int) -> Iterator[RecordText]:
    """A game's entries, which follow on that one in a journal."""
    for number, tail in enumerate(game.tails, after + 1):
        yield f"{ENTRY}{number}{tail}"


if __name__ == "__main__":
    import sys

    record_games(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
