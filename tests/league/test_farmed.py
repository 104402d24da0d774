"""Games that a table can't have counted: with members of other clubs who had no leave, annulled, or of a season that
was closed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random

import pytest
from league.played import Played, played
from league.sending import NOW, League, Sender, stored
from sqlalchemy import Connection, Engine, select, update
from taptable.core.errors import LeagueError
from taptable.league import counting
from taptable.league.annulling import all_annulments, annul, undo_annulment
from taptable.league.away import allow, end_leave
from taptable.league.counting import count_up
from taptable.league.database import reading, writing
from taptable.league.limits import MOST_CODES
from taptable.league.proving import Replay
from taptable.league.queries import games, seasons, standings, table_list, transcript
from taptable.league.recomputing import recompute
from taptable.league.schema import away, away_codes, rating_history, ratings, seats
from taptable.league.seasons import close_season, cut_season
from taptable.memory.members import CODE_S, id_of
from taptable.uplink.messages import SECRETS_VERSION, VERSION, AwayCodeShown, MemberAway, MemberSaid

ANN_S, BOB_S, EVE_S = (letter * 32 for letter in "abc")
ANN, BOB, EVE = map(id_of, (ANN_S, BOB_S, EVE_S))
CODE = "0123456789"
LAST_YEAR = "2026-12-05T18:00:00Z"


def report(table: Sender, secret: str, name: str) -> None:
    said = MemberSaid(SECRETS_VERSION, id_of(secret), name, "#112233", "name", secret=secret)
    table.send(said, table.topics.members)


def dated(game: Played, begun: str = LAST_YEAR) -> Played:
    return replace(game, header=replace(game.header, begun_utc=begun))


def losing(game: Played, loser: str, winner: str) -> tuple[str, ...]:
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
        self.honest.journal.play(dated(played(0)), ANN, BOB)
        self.honest.journal.play(played(1), ANN, BOB)
        self.honest.send_all()
        self.count()

    @property
    def engine(self) -> Engine:
        return self.league.engine

    def later(self, s: int = 1) -> int:
        """The time, after so many seconds."""
        self.league.clock.ms += 1000 * s
        return self.league.clock.ms // 1000

    def farm(self, number: int, game: Callable[[Played], Played] = lambda game: game) -> None:
        """So many games at the other club's table, in which Ann loses to Eve."""
        for seed in range(100, 100 + number):
            of_it = played(seed)
            self.hostile.journal.play(game(of_it), *losing(of_it, ANN, EVE))
        self.hostile.send_all(256)
        self.count()

    def count(self) -> None:
        for game in ("online", "xnet"):
            count_up(self.engine, game)

    def change(self, do: Callable[[Connection], object]) -> None:
        with writing(self.engine) as connection:
            do(connection)
        self.count()

    def look(self, *names: str) -> dict[str, object]:
        """Ratings and standings, of all or only of these members; what was made again is the same."""
        with reading(self.engine) as connection:
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
        with reading(self.engine) as connection:
            of_it = next(each for each in table_list(connection) if each.id == table.table.id)
        return {each.key: each.times for each in of_it.remarks}

    def away(self) -> list[tuple[str | None, str | None]]:
        """Member and stranger of each seat at the other club's table that isn't a mere guest's."""
        with reading(self.engine) as connection:
            ids = [each.id for each in games(connection, table=self.hostile.table.id, most=1000)]
            rows = connection.execute(select(seats).where(seats.c.game_id.in_(ids)).order_by(seats.c.game_id)).all()
        return [(row.member, row.away) for row in rows if row.member or row.away]


@pytest.fixture
def clubs(small: Engine) -> TwoClubs:
    return TwoClubs(League(small))


def season_named(connection: Connection, name: str) -> int:
    return next(each.id for each in seasons(connection) if each.name == name)


def test_games_at_another_club_s_table_change_no_rating(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    before = clubs.look("Ann", "Bob")
    clubs.farm(8)
    assert clubs.look("Ann", "Bob") == before
    assert clubs.look()["2027 Eve"] == (8, 8, *clubs.look()["2027 Eve"][2:])  # pyright: ignore[reportIndexIssue]
    assert clubs.remarks(clubs.hostile)["plays-away"] == 8
    assert sorted(set(clubs.away()), key=str) == sorted({("", ANN), (EVE, None)}, key=str)


@pytest.mark.long
def test_forty_farmed_games_and_ten_of_last_year_change_no_rating_and_no_season_that_was_closed(
    clubs: TwoClubs,
) -> None:
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), clubs.later()))
    before = clubs.look()
    clubs.farm(30)
    clubs.farm(10, dated)
    after = clubs.look()
    assert {key: value for key, value in after.items() if "Eve" not in key} == before
    assert "2026 Eve" not in after


def test_the_table_hears_that_somebody_played_away(clubs: TwoClubs) -> None:
    clubs.hostile.journal.play(played(100), ANN, EVE)
    assert clubs.hostile.send_all().remark == "plays-away"


def test_a_member_of_whom_nobody_has_told_yet_is_a_guest_once_their_own_club_has(clubs: TwoClubs) -> None:
    secret = "d" * 32
    dora = id_of(secret)
    clubs.hostile.journal.play(played(100), dora, EVE)
    clubs.honest.journal.play(played(101), dora, ANN)
    clubs.hostile.send_all()
    clubs.honest.send_all()
    clubs.count()
    assert (dora, None) in clubs.away()
    report(clubs.honest, secret, "Dora")
    clubs.count()
    assert ("", dora) in clubs.away()
    assert clubs.look()["online " + dora][2] == 1  # pyright: ignore[reportIndexIssue]


def test_who_is_claimed_without_the_secret_counts_at_their_own_table_once_it_is_shown(clubs: TwoClubs) -> None:
    secret = "d" * 32
    dora = id_of(secret)
    clubs.hostile.send(MemberSaid(VERSION, dora, "Nobody"), clubs.hostile.topics.members)
    clubs.honest.journal.play(played(101), dora, ANN)
    clubs.hostile.journal.play(played(100), dora, EVE)
    clubs.honest.send_all()
    clubs.hostile.send_all()
    clubs.count()
    assert "online " + dora in clubs.look()
    assert clubs.remarks(clubs.honest)["plays-away"] == 1
    report(clubs.honest, secret, "Dora")
    clubs.count()
    clubs.look()
    assert ("", dora) in clubs.away()
    with reading(clubs.engine) as connection:
        assert connection.execute(select(seats.c.away).where(seats.c.member == dora)).scalars().all() == [None]


# ---- leave


def show_code(table: Sender, code: str = CODE) -> None:
    table.send(AwayCodeShown(VERSION, sha256(code.encode()).hexdigest()), table.topics.away_codes)


def enter(table: Sender, secret: str = ANN_S, code: str = CODE) -> None:
    table.send(MemberAway(VERSION, secret, code), table.topics.away)


def leaves(engine: Engine) -> list[tuple[str, str, str]]:
    with reading(engine) as connection:
        return [(row.member, row.table_id, row.allowed_by) for row in connection.execute(select(away))]


def test_a_member_counts_away_from_when_their_own_table_entered_the_code(clubs: TwoClubs) -> None:
    clubs.farm(1)
    before = clubs.look("Ann")
    show_code(clubs.hostile)
    enter(clubs.honest)
    enter(clubs.honest)  # said again
    assert "wrong-code" not in clubs.remarks(clubs.honest)
    assert leaves(clubs.engine) == [(ANN, clubs.hostile.table.id, clubs.honest.table.id)]
    assert clubs.look("Ann") == before
    clubs.later()
    clubs.farm(1)
    assert clubs.away()[:2] != clubs.away()[2:]
    assert set(clubs.away()[2:]) == {(ANN, None), (EVE, None)}
    assert clubs.look("Ann") != before
    clubs.change(lambda connection: end_leave(connection, 1, clubs.later()))
    clubs.later()
    after = clubs.look("Ann")
    clubs.farm(1)
    assert clubs.look("Ann") == after


@pytest.mark.parametrize("why", ["by another club", "another's member", "wrong", "late", "twice", "deleted"])
def test_a_code_gives_leave_to_nobody_else(clubs: TwoClubs, why: str) -> None:
    show_code(clubs.hostile)
    expected: list[tuple[str, str, str]] = []
    match why:
        case "by another club":
            enter(clubs.hostile)
        case "another's member":
            enter(clubs.honest, EVE_S)
        case "wrong":
            enter(clubs.honest, code="0000000000")
        case "late":
            clubs.later(CODE_S + 1)
            enter(clubs.honest)
        case "twice":
            enter(clubs.honest)
            enter(clubs.honest, BOB_S)
            expected = [(ANN, clubs.hostile.table.id, clubs.honest.table.id)]
        case _:
            said = MemberSaid(SECRETS_VERSION, ANN, deleted=True, secret=ANN_S)
            clubs.honest.send(said, clubs.honest.topics.members)
            enter(clubs.honest)
    assert leaves(clubs.engine) == expected
    key = "member-claimed" if why in ("by another club", "another's member", "deleted") else "wrong-code"
    sender = clubs.hostile if why == "by another club" else clubs.honest
    assert clubs.remarks(sender)[key] == 1


def test_a_table_shows_so_many_codes_at_a_time(clubs: TwoClubs) -> None:
    for number in range(MOST_CODES + 1):
        show_code(clubs.hostile, f"{number:010}")
    show_code(clubs.hostile, f"{0:010}")  # said again
    assert clubs.remarks(clubs.hostile)["too-many-codes"] == 1
    clubs.later(CODE_S + 1)
    show_code(clubs.hostile)
    with reading(clubs.engine) as connection:
        assert len(connection.execute(select(away_codes)).all()) == 1


# ---- annulling


def test_annulled_games_count_nowhere_until_that_is_undone(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    before, now = clubs.look(), clubs.later()
    clubs.change(lambda connection: allow(connection, ANN, clubs.hostile.table.id, "", now))
    clubs.later()
    clubs.farm(3)
    clubs.honest.journal.play(played(2), BOB, ANN)
    clubs.honest.send_all()
    clubs.count()
    farmed, now = clubs.look(), clubs.later()
    assert farmed["online Ann"] != before["online Ann"]
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, now, "ada", now))
    annulled = clubs.look()
    assert not any("Eve" in key for key in annulled)
    with reading(engine) as connection:
        (entry,) = all_annulments(connection)
        assert (entry.table, entry.by, entry.undone, entry.games) == (clubs.hostile.table.id, "ada", None, 3)
        assert [each.counts for each in games(connection, table=clubs.hostile.table.id)] == [False] * 3
    clubs.change(lambda connection: undo_annulment(connection, entry.id, now))
    assert clubs.look() == farmed
    with pytest.raises(LeagueError, match="could be undone"):
        clubs.change(lambda connection: undo_annulment(connection, entry.id, now))
    clubs.change(lambda connection: annul(connection, clubs.hostile.table.id, 0, NOW, "ada", now))
    assert clubs.look() == farmed  # none of them ended in that span


def test_games_that_were_annulled_before_they_were_counted_count_once_that_is_undone(clubs: TwoClubs) -> None:
    clubs.hostile.journal.play(played(100), EVE)
    clubs.hostile.send_all()
    with writing(clubs.engine) as connection:
        number = annul(connection, clubs.hostile.table.id, 0, NOW, "ada", NOW)
    clubs.count()
    assert "online Eve" not in clubs.look()
    with writing(clubs.engine) as connection:
        undo_annulment(connection, number, NOW)
        assert counting.to_count_again(connection) == ["online"]
    clubs.count()
    assert "online Eve" in clubs.look()


def test_a_recount_is_done_in_pieces_also_by_a_history_from_before(
    clubs: TwoClubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "AT_ONCE", 2)
    clubs.farm(6)
    before = clubs.look()
    with writing(clubs.engine) as connection:
        connection.execute(update(rating_history).values(before_mu=None, before_sigma=None, before_games=None))
        annul(connection, clubs.hostile.table.id, 0, NOW, "ada", NOW)
    looks: list[int] = []

    def outside_s() -> float:
        with reading(clubs.engine) as connection:
            looks.append(len(connection.execute(select(rating_history)).all()))
        return 1000.0 * len(looks)

    count_up(clubs.engine, "online", outside_s)
    assert len(set(looks)) >= 3, looks  # others see each piece as it was done
    annulled = clubs.look()
    assert "online Eve" not in annulled
    clubs.change(lambda connection: undo_annulment(connection, 1, NOW))
    assert clubs.look() == before


# ---- seasons that are closed


def test_a_season_that_is_closed_stays_as_it_is(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    third = clubs.league.table("Third", "A")
    third.journal.play(dated(played(3)), ANN, BOB, entries=5)
    third.send_all()
    with writing(engine) as connection:
        last = season_named(connection, "2026")
        with pytest.raises(LeagueError, match="has ended"):
            close_season(connection, season_named(connection, "2027"), NOW)
        close_season(connection, last, NOW)
        with pytest.raises(LeagueError, match="once"):
            close_season(connection, last, NOW)
    before = {key: value for key, value in clubs.look().items() if key.startswith("2026")}
    # what was being played ends in the season that is on
    third.journal.add(*played(3).entries[5:])
    third.journal.play(dated(played(4)), ANN, BOB)
    third.send_all()
    assert clubs.remarks(third)["clock"] == 1
    clubs.count()
    clubs.farm(2, dated)
    with pytest.raises(LeagueError, match="closed"):
        clubs.change(lambda connection: annul(connection, clubs.honest.table.id, 0, clubs.later(), "ada", NOW))
    after = clubs.look()
    assert {key: value for key, value in after.items() if key.startswith("2026")} == before
    assert after["2027 Ann"][0] == 3  # pyright: ignore[reportIndexIssue]
    with reading(engine) as connection:
        assert stored(connection, third.table.id)
        assert all(transcript(connection, each.id) for each in games(connection, table=third.table.id))


def test_a_backup_plays_a_closed_season_s_game_again_and_it_counts_once(clubs: TwoClubs) -> None:
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), NOW))
    before = clubs.look()
    fresh = clubs.honest.journal.copy()
    fresh.texts, fresh.digests, fresh.games, fresh.digest, fresh.at_us = [], fresh.digests[:1], [], fresh.digests[0], 0
    fresh.play(dated(played(0)), BOB, ANN)  # the same header, another game
    fresh.play(played(1), ANN, BOB)
    clubs.honest.journal = fresh
    clubs.honest.send_all()
    clubs.count()
    assert clubs.look() == before


def test_an_end_that_is_taken_back_in_a_closed_season_stays(clubs: TwoClubs) -> None:
    table = clubs.league.table("Third", "A")
    long = next(game for seed in range(200, 240) if len((game := played(seed)).entries) > 20)
    table.journal.play(dated(long), ANN, BOB)
    table.send_all()
    clubs.count()
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), NOW))
    before = clubs.look()
    table.journal.add(long.entries[-1])  # nothing that a table would say: what came before isn't proved by it
    table.send_all()
    table.journal.add(long.entries[-1])
    table.send_all()
    clubs.count()
    assert clubs.look() == before
    with reading(clubs.engine) as connection:
        assert [each.counts for each in games(connection, table=table.table.id)] == [True]


def test_a_clock_that_goes_back_into_a_closed_season_loops_nowhere(clubs: TwoClubs) -> None:
    now = clubs.later()
    clubs.change(lambda connection: cut_season(connection, now, "Next"))
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2027"), clubs.later()))
    before = clubs.look()
    clubs.league.clock.ms = (NOW - 86_400) * 1000
    clubs.farm(1)
    after = clubs.look()
    assert "Next Eve" in after
    assert {key: value for key, value in after.items() if "Eve" not in key} == before


# ---- all of it at random


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 20))])
def test_whatever_is_done_recomputing_finds_it_equal(small: Engine, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(seed)
    clubs = TwoClubs(League(small))
    monkeypatch.setattr(counting, "AT_ONCE", 3)
    known: dict[str, object] = {}
    for _ in range(40):
        if chance.random() < 0.5:
            clubs.later()
        now = clubs.league.clock.ms // 1000
        with suppress(LeagueError):
            _do_something(clubs, chance, now)
        if chance.random() < 0.7:
            clubs.count()
            frozen = _frozen(clubs)
            assert {key: frozen[key] for key in known} == known
            known = frozen
    clubs.count()
    clubs.look()
    with reading(small) as connection:
        uncounted = [each.id for each in games(connection, most=1000) if each.counts]
        counted = connection.execute(select(counting.games.c.id).where(counting.games.c.counted.is_not(None))).scalars()
        assert sorted(uncounted) == sorted(counted)


def _do_something(clubs: TwoClubs, chance: Random, now: int) -> None:
    table = chance.choice([clubs.honest, clubs.hostile])
    match chance.choice(["play", "play", "play", "begin", "allow", "end", "annul", "undo", "close", "cut", "backup"]):
        case "play" | "begin" as what:
            game = played(chance.randrange(300, 312))
            begun = chance.choice([LAST_YEAR, "2027-03-01T19:30:00Z", "2027-05-01T19:30:00Z"])
            members = chance.sample(["", ANN, BOB, EVE], 4)
            table.journal.play(dated(game, begun), *members, entries=6 if what == "begin" else None)
            table.send_all()
        case "allow":
            clubs.change(lambda connection: allow(connection, chance.choice([ANN, BOB, EVE]), table.table.id, "", now))
        case "end":
            clubs.change(lambda connection: end_leave(connection, chance.randrange(1, 6), now))
        case "annul":
            first, last = sorted(chance.randrange(NOW - 5, now + 5) for _ in range(2))
            clubs.change(lambda connection: annul(connection, table.table.id, first, last, "ada", now))
        case "undo":
            clubs.change(lambda connection: undo_annulment(connection, chance.randrange(1, 6), now))
        case "close":
            clubs.change(lambda connection: close_season(connection, chance.randrange(1, 4), now))
        case "cut":
            if chance.random() < 0.3:
                clubs.change(lambda connection: cut_season(connection, now, f"from {now}"))
        case _:
            backup = table.journal.copy()
            table.journal.play(played(chance.randrange(300, 312)), ANN, EVE)
            table.send_all()
            table.journal = backup
            table.journal.play(played(chance.randrange(300, 312)), EVE, BOB)
            table.send_all()


def _frozen(clubs: TwoClubs) -> dict[str, object]:
    """The standings of seasons that are closed."""
    with reading(clubs.engine) as connection:
        return {
            season.name: [
                (line.member.id, line.games, line.won, line.points, line.score)
                for line in standings(connection, season.id, "online")
            ]
            for season in seasons(connection)
            if season.closed is not None
        }
