"""Two transactions at once, on PostgreSQL: the second begins when the first has done all but commit."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from deadline import DEADLINE_S
from league.sending import NOW, League
from league.simulated_games import simulate_game
from league.two_clubs import ANN, ANN_S, BOB, EVE, TwoClubs, dated, enter, leaves, report, season_named, show_code
from sqlalchemy import Connection, Engine, event, text
from taptable.league import ratings, storing
from taptable.league.annulling import annul, undo_annulment
from taptable.league.away import allow
from taptable.league.database import read_transaction, write_transaction
from taptable.league.ingest import Ingest
from taptable.league.locks import lock_counters, lock_seasons, lock_seasons_shared
from taptable.league.ratings import request_recount
from taptable.league.seasons import close_season
from taptable.league.standings import standings
from taptable.league.views import MemberStanding
from taptable.memory.members import id_of
from taptable.uplink.messages import SECRETS_VERSION, MemberSaid

DORA_S = "d" * 32
DORA = id_of(DORA_S)
Change = Callable[[TwoClubs], object]


@pytest.fixture
def clubs(large: Engine) -> TwoClubs:
    return TwoClubs(League(large))


def at_once(engine: Engine, first: Callable[[Connection], object], second: Callable[[], object]) -> None:
    with ThreadPoolExecutor(1) as thread:
        with write_transaction(engine) as connection:
            first(connection)
            other = thread.submit(second)
            until(lambda: other.done() or waiting(engine) == 1)
        other.result(DEADLINE_S)


def until(is_so: Callable[[], bool]) -> None:
    end_s = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < end_s
        time.sleep(0.005)


def waiting(engine: Engine) -> int:
    """How many transactions wait for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    with read_transaction(engine) as connection:
        return connection.execute(text(query)).scalar_one()


def count_some(connection: Connection) -> None:
    ratings._rate_some(connection, "online", lambda: 0.0)  # pyright: ignore[reportPrivateUsage]


def annul_all(clubs: TwoClubs) -> None:
    with write_transaction(clubs.engine) as connection:
        annul(connection, clubs.hostile.table.id, 0, NOW + 100, "ada", NOW)


def take_back(clubs: TwoClubs) -> None:
    clubs.take_back(clubs.hostile, simulate_game(1), until_end=False)


def back_up(clubs: TwoClubs) -> None:
    journal = clubs.hostile.journal.copy()
    clubs.hostile.journal.play(simulate_game(2), EVE)
    clubs.hostile.send_all()
    clubs.hostile.journal = journal
    clubs.hostile.journal.play(simulate_game(3), EVE)
    clubs.hostile.send_all()


@pytest.mark.parametrize(
    "second",
    [annul_all, lambda clubs: report(clubs.honest, DORA_S, "Dora"), take_back, back_up],
    ids=["annul", "a member becomes known", "take back", "backup"],
)
def test_whatever_changes_a_game_while_it_is_counted_is_counted_too(clubs: TwoClubs, second: Change) -> None:
    clubs.later()
    clubs.hostile.journal.play(simulate_game(1), DORA, EVE)
    clubs.hostile.send_all()
    at_once(clubs.engine, count_some, lambda: second(clubs))
    clubs.count()
    clubs.look()


@pytest.mark.parametrize(
    "second",
    [annul_all, lambda clubs: report(clubs.honest, DORA_S, "Dora"), take_back, back_up],
    ids=["annul", "a member becomes known", "take back", "backup"],
)
def test_a_recount_and_whatever_changes_games_wait_for_each_other_in_one_order(clubs: TwoClubs, second: Change) -> None:
    clubs.hostile.journal.play(simulate_game(1), DORA, EVE)
    clubs.hostile.send_all()
    clubs.count()
    with write_transaction(clubs.engine) as connection:
        lock_counters(connection)
        request_recount(connection, "online", 1)
    at_once(clubs.engine, count_some, lambda: second(clubs))
    clubs.count()
    clubs.look()


@pytest.mark.parametrize("second", ["annul", "undo", "a member becomes known", "take back", "backup"])
def test_nothing_changes_in_a_season_that_is_being_closed(clubs: TwoClubs, second: str) -> None:
    table = clubs.league.table("Third", "B")
    table.journal.play(dated(simulate_game(2)), EVE, DORA)
    table.send_all()
    backup = table.journal.copy()
    table.journal.play(dated(simulate_game(1)), DORA, EVE)
    table.send_all()
    clubs.count()
    clubs.later()
    if second == "undo":
        clubs.change(lambda connection: annul(connection, table.table.id, 0, NOW + 100, "ada", NOW))
    with read_transaction(clubs.engine) as connection:
        last = season_named(connection, "2026")
        before = standings(connection, last, "online")

    def change() -> None:
        match second:
            case "annul":
                with write_transaction(clubs.engine) as connection:
                    annul(connection, table.table.id, 0, NOW + 100, "ada", NOW)
            case "undo":
                with write_transaction(clubs.engine) as connection:
                    undo_annulment(connection, 1, NOW)
            case "a member becomes known":
                report(clubs.honest, DORA_S, "Dora")
            case "take back":
                clubs.take_back(table, simulate_game(1), until_end=False)
            case _:
                table.journal = backup
                table.journal.play(dated(simulate_game(1)), EVE, DORA)
                table.send_all()

    at_once(clubs.engine, lambda connection: close_season(connection, last, NOW), change)
    clubs.count()
    clubs.look()
    with read_transaction(clubs.engine) as connection:
        assert figures(standings(connection, last, "online")) == figures(before)


def figures(lines: list[MemberStanding]) -> list[tuple[object, ...]]:
    """All but the ratings, which are of all seasons."""
    return [(each.member.id, each.games, each.won, each.points, each.score, each.best) for each in lines]


def test_who_closes_a_season_is_next_however_many_take_games_in(clubs: TwoClubs) -> None:
    order: list[str] = []

    def share() -> None:
        with write_transaction(clubs.engine) as connection:
            lock_seasons_shared(connection)
            order.append("take in")

    def close() -> None:
        with write_transaction(clubs.engine) as connection:
            lock_seasons(connection)
            order.append("close")

    with ThreadPoolExecutor(3) as threads:
        with write_transaction(clubs.engine) as connection:
            lock_seasons_shared(connection)
            others = [threads.submit(close)]
            until(lambda: waiting(clubs.engine) == 1)
            others += [threads.submit(share), threads.submit(share)]
            until(lambda: waiting(clubs.engine) == 3)
        for each in others:
            each.result(DEADLINE_S)
    assert order == ["close", "take in", "take in"]


def test_a_member_who_becomes_known_while_a_game_with_them_is_stored_is_a_guest_there(
    clubs: TwoClubs, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Ingest(clubs.engine, 12, clubs.league.clock, lambda: 0.0)
    said = MemberSaid(SECRETS_VERSION, DORA, "Dora", "#112233", "name", secret=DORA_S)
    message = clubs.honest.message(said, clubs.honest.topics.members)
    strangers = storing.guests_without_leave

    def asked(connection: Connection, table: str, among: list[str], ended: int) -> set[str]:
        found = strangers(connection, table, among, ended)
        monkeypatch.setattr(storing, "guests_without_leave", strangers)
        other.process([message], clubs.league.holder)
        return found

    monkeypatch.setattr(storing, "guests_without_leave", asked)
    clubs.hostile.journal.play(simulate_game(100), DORA, EVE)
    clubs.hostile.send_all()
    clubs.count()
    assert ("", DORA) in clubs.away()
    clubs.look()


def test_leave_that_is_given_while_a_game_is_stored_or_counted_is_what_recomputing_says(clubs: TwoClubs) -> None:
    clubs.hostile.journal.play(simulate_game(100), ANN, EVE)
    show_code(clubs.hostile)
    now = clubs.later()
    at_once(
        clubs.engine, lambda connection: allow(connection, ANN, clubs.hostile.table.id, "", now), clubs.hostile.send_all
    )
    clubs.count()
    clubs.look()
    clubs.hostile.journal.play(simulate_game(101), BOB, EVE)
    clubs.later()
    clubs.hostile.send_all()
    at_once(clubs.engine, count_some, lambda: enter(clubs.honest, ANN_S))
    clubs.count()
    clubs.look()


def test_two_leaves_that_are_given_at_once_are_one(clubs: TwoClubs) -> None:
    def second() -> None:
        with write_transaction(clubs.engine) as connection:
            allow(connection, ANN, clubs.hostile.table.id, "", NOW)

    at_once(clubs.engine, lambda connection: allow(connection, ANN, clubs.hostile.table.id, "", NOW), second)
    assert leaves(clubs.engine) == [(ANN, clubs.hostile.table.id, "")]


LOCKS = (
    "pg_advisory_xact_lock",
    "FROM streams.*FOR UPDATE",
    "UPDATE counters|FROM counters.*FOR UPDATE",
    "(UPDATE|DELETE FROM) (games|seats|ratings)",
)


def test_every_transaction_takes_its_locks_in_one_order(clubs: TwoClubs) -> None:
    """By the first statement for each lock, in the order of `taptable.league.locks`."""
    transactions: list[list[int]] = []

    def begins(_: object) -> None:
        transactions.append([])

    def executes(*args: object) -> None:
        found = [place for place, lock in enumerate(LOCKS) if re.search(lock, str(args[2]), re.DOTALL)]
        transactions[-1] += (place for place in found if place not in transactions[-1])

    event.listen(clubs.engine, "begin", begins)
    event.listen(clubs.engine, "before_cursor_execute", executes)
    clubs.hostile.journal.play(simulate_game(1), DORA, ANN)
    clubs.hostile.send_all()
    clubs.count()
    report(clubs.honest, DORA_S, "Dora")
    take_back(clubs)
    back_up(clubs)
    show_code(clubs.hostile)
    enter(clubs.honest)
    annul_all(clubs)
    clubs.change(lambda connection: undo_annulment(connection, 1, NOW))
    clubs.change(lambda connection: close_season(connection, season_named(connection, "2026"), NOW))
    assert any(3 in each and 2 in each and 1 in each for each in transactions)
    assert [each for each in transactions if each != sorted(each)] == []
