"""A league with a table of each of two clubs, of which one plays games that shouldn't count, and the resulting
views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from hashlib import sha256

from league.sending import League, Sender
from league.simulated_games import Journal, SimulatedGame, replace_time, simulate_game, use_control
from sqlalchemy import Connection, Engine, select
from taptable.league.database import read_transaction, write_transaction
from taptable.league.game_lines import games
from taptable.league.live_tables import table_list
from taptable.league.ratings import rate_new_games
from taptable.league.recomputing import recompute
from taptable.league.schema import away, ratings, seats
from taptable.league.standings import seasons, standings
from taptable.league.verification import Replay
from taptable.memory.members import id_of
from taptable.uplink.messages import SECRETS_VERSION, VERSION, AwayCodeShown, MemberAway, MemberSaid

ANN_S, BOB_S, EVE_S = (letter * 32 for letter in "abc")
ANN, BOB, EVE = map(id_of, (ANN_S, BOB_S, EVE_S))
CODE = "0123456789"
LAST_YEAR = "2026-12-05T18:00:00Z"


def report(table: Sender, secret: str, name: str) -> None:
    said = MemberSaid(SECRETS_VERSION, id_of(secret), name, "#112233", "name", secret=secret)
    table.send(said, table.topics.members)


def dated(game: SimulatedGame, begun: str | None = LAST_YEAR) -> SimulatedGame:
    return replace(game, header=replace(game.header, begun_utc=begun))


def losing(game: SimulatedGame, loser: str, winner: str) -> tuple[str, ...]:
    """The members by seat, so that one of them loses to the other."""
    replay = Replay.begin(game.header)
    for entry in game.entries:
        replay.play(entry)
    results = replay.results()
    assert results is not None
    last = max(each.place for each in results)
    lost = next(each.seat for each in results if each.place == last)
    won = next(each.seat for each in results if each.place == 1 and each.seat != lost)
    return tuple({lost: loser, won: winner}.get(seat, "") for seat in range(1, len(results) + 1))


@dataclass
class TwoClubs:
    """A table of club A with Ann and Bob, one of club B with Eve, and two games at the first, one of them last year."""

    league: League
    honest: Sender = field(init=False)
    hostile: Sender = field(init=False)

    def __post_init__(self) -> None:
        self.honest, self.hostile = self.league.table("Honest", "A"), self.league.table("Hostile", "B")
        report(self.honest, ANN_S, "Ann")
        report(self.honest, BOB_S, "Bob")
        report(self.hostile, EVE_S, "Eve")
        self.honest.journal.play(dated(simulate_game(0)), ANN, BOB)
        self.honest.journal.play(simulate_game(1), ANN, BOB)
        self.honest.send_all()
        self.count()

    @property
    def engine(self) -> Engine:
        return self.league.engine

    def later(self, s: int = 1) -> int:
        """The time in µs, `s` seconds later."""
        self.league.clock.ms += 1000 * s
        return self.league.clock.ms // 1000

    def farm(self, number: int, game: Callable[[SimulatedGame], SimulatedGame] = lambda game: game) -> None:
        """Play `number` games at the other club's table, in which Ann loses to Eve."""
        for seed in range(100, 100 + number):
            of_it = simulate_game(seed)
            self.hostile.journal.play(game(of_it), *losing(of_it, ANN, EVE))
        self.hostile.send_all(256)
        self.count()

    def take_back(self, table: Sender, game: SimulatedGame, *, until_end: bool = True) -> None:
        """The end of a table's last game, which is this one, is taken back, and comes again a second later."""
        _, back = use_control(game.table, "take-back")
        table.journal.add(back)
        table.send_all()
        if until_end:
            self.later()
            table.journal.add(replace_time(game.entries[-1], back.at_us))
            table.send_all()

    def back_up(self, table: Sender, journal: Journal, game: SimulatedGame, *members: str) -> None:
        """Restore a table's journal from a backup and continue: the last game is played to the same end."""
        table.journal = journal
        table.journal.play(game, *members)
        table.send_all()
        self.count()

    def count(self) -> None:
        for game in ("online", "xnet"):
            rate_new_games(self.engine, game, now=self.league.clock.ms // 1000)

    def change(self, do: Callable[[Connection], object]) -> None:
        with write_transaction(self.engine) as connection:
            do(connection)
        self.count()

    def look(self, *names: str) -> dict[str, object]:
        """Ratings and standings, of all or only of these members; those that are computed again are the same."""
        with read_transaction(self.engine) as connection:
            assert recompute(connection).differences == []
            found: dict[str, object] = {
                f"{season.name} {line.member.name}": (line.games, line.won, line.points, line.score)
                for season in seasons(connection)
                for line in standings(connection, season.id, "online")
                if not names or line.member.name in names
            }
            for row in connection.execute(select(ratings)):
                name = {ANN: "Ann", BOB: "Bob", EVE: "Eve"}.get(row.member, row.member)
                if not names or name in names:
                    found[f"{row.game} {name}"] = (row.mu, row.sigma, row.games)
        return found

    def remarks(self, table: Sender) -> dict[str, int]:
        with read_transaction(self.engine) as connection:
            of_it = next(each for each in table_list(connection) if each.id == table.table.id)
        return {each.key: each.times for each in of_it.remarks}

    def away(self) -> list[tuple[str | None, str | None]]:
        """Member and stranger of each seat at the other club's table that isn't a mere guest's."""
        with read_transaction(self.engine) as connection:
            ids = [each.id for each in games(connection, table=self.hostile.table.id, most=1000)]
            rows = connection.execute(select(seats).where(seats.c.game_id.in_(ids)).order_by(seats.c.game_id)).all()
        return [(row.member, row.away) for row in rows if row.member or row.away]


def season_named(connection: Connection, name: str) -> int:
    return next(each.id for each in seasons(connection) if each.name == name)


def show_code(table: Sender, code: str = CODE) -> None:
    table.send(AwayCodeShown(VERSION, sha256(code.encode()).hexdigest()), table.topics.away_codes)


def enter(table: Sender, secret: str = ANN_S, code: str = CODE) -> None:
    table.send(MemberAway(VERSION, secret, code), table.topics.away)


def leaves(engine: Engine) -> list[tuple[str, str, str]]:
    with read_transaction(engine) as connection:
        return [(row.member, row.table_id, row.allowed_by) for row in connection.execute(select(away))]
