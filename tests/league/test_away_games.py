"""Games at tables of other clubs: whether a seat there counts as a member's, and how leave is given."""

from __future__ import annotations

import pytest
from league.sending import NOW, League
from league.simulated_games import simulate_game
from league.two_clubs import (
    ANN,
    ANN_S,
    BOB_S,
    EVE,
    EVE_S,
    TwoClubs,
    dated,
    enter,
    leaves,
    losing,
    report,
    season_named,
    show_code,
)
from sqlalchemy import Engine, select
from taptable.league.away import allow, end_leave, use_code
from taptable.league.database import read_transaction, write_transaction
from taptable.league.limits import MAX_CODES
from taptable.league.schema import away_codes, seats
from taptable.league.seasons import close_season
from taptable.memory.members import CODE_S, code_in, id_of
from taptable.uplink.messages import SECRETS_VERSION, VERSION, MemberSaid


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
    clubs.hostile.journal.play(simulate_game(100), ANN, EVE)
    assert clubs.hostile.send_all().remark == "plays-away"


def test_a_member_whom_nobody_has_announced_yet_is_a_guest_once_their_own_club_has(clubs: TwoClubs) -> None:
    secret = "d" * 32
    dora = id_of(secret)
    clubs.hostile.journal.play(simulate_game(100), dora, EVE)
    clubs.honest.journal.play(simulate_game(101), dora, ANN)
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
    clubs.honest.journal.play(simulate_game(101), dora, ANN)
    clubs.hostile.journal.play(simulate_game(100), dora, EVE)
    clubs.honest.send_all()
    clubs.hostile.send_all()
    clubs.count()
    assert "online " + dora in clubs.look()
    assert clubs.remarks(clubs.honest)["plays-away"] == 1
    report(clubs.honest, secret, "Dora")
    clubs.count()
    clubs.look()
    assert ("", dora) in clubs.away()
    with read_transaction(clubs.engine) as connection:
        assert connection.execute(select(seats.c.away).where(seats.c.member == dora)).scalars().all() == [None]


# ---- leave


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


def test_a_table_shows_a_limited_number_of_codes_at_a_time(clubs: TwoClubs) -> None:
    for number in range(MAX_CODES + 1):
        show_code(clubs.hostile, f"{number:010}")
    show_code(clubs.hostile, f"{0:010}")  # said again
    assert clubs.remarks(clubs.hostile)["too-many-codes"] == 1
    clubs.later(CODE_S + 1)
    show_code(clubs.hostile)
    with read_transaction(clubs.engine) as connection:
        assert len(connection.execute(select(away_codes)).all()) == 1


# ---- what is repeated, taken back, or dated otherwise


def test_a_code_that_was_used_gives_no_leave_a_second_time(engine: Engine) -> None:
    clubs = TwoClubs(League(engine))
    show_code(clubs.hostile)
    enter(clubs.honest)
    given = leaves(engine)
    clubs.change(lambda connection: end_leave(connection, 1, clubs.later()))
    for _ in range(3):  # a broker repeats both whenever it likes
        clubs.later(CODE_S + 5)
        show_code(clubs.hostile)
        enter(clubs.honest)
        enter(clubs.honest, BOB_S)
    assert leaves(engine) == given
    assert clubs.remarks(clubs.honest) == {"wrong-code": 3}  # Bob's


def test_a_code_that_is_repeated_for_an_hour_is_right_though_other_codes_came_since(clubs: TwoClubs) -> None:
    show_code(clubs.hostile)
    clubs.later(CODE_S - 10)
    enter(clubs.honest)
    clubs.later(CODE_S - 10)
    show_code(clubs.hostile, "1111111111")
    enter(clubs.honest)
    assert "wrong-code" not in clubs.remarks(clubs.honest)


def test_leave_comes_also_where_the_code_was_entered_before_it_was_heard_that_it_is_shown(clubs: TwoClubs) -> None:
    for _ in range(2):  # the bridges say it again and again
        enter(clubs.honest)
        show_code(clubs.hostile)
    assert leaves(clubs.engine) == [(ANN, clubs.hostile.table.id, clubs.honest.table.id)]


@pytest.mark.parametrize("code", ["", "0123 4567", "0123456789A"])
def test_what_has_not_the_form_of_a_code_is_none_whatever_a_table_shows(clubs: TwoClubs, code: str) -> None:
    for said in (code, code_in(code), code.replace(" ", "")):
        show_code(clubs.hostile, said)
    with write_transaction(clubs.engine) as connection:
        assert use_code(connection, code, "A", NOW) is None


def test_a_code_that_another_table_showed_first_is_remarked_and_that_of_one_s_own_club_gives_no_leave(
    clubs: TwoClubs,
) -> None:
    show_code(clubs.honest)
    show_code(clubs.hostile)
    show_code(clubs.honest)  # said again
    enter(clubs.honest)
    assert leaves(clubs.engine) == []
    assert clubs.remarks(clubs.hostile) == {"code-taken": 1}
    assert clubs.remarks(clubs.honest) == {"wrong-code": 1}


@pytest.mark.parametrize("how", ["taken back", "backup"])
def test_a_game_from_before_the_leave_counts_for_nobody_by_ending_again(clubs: TwoClubs, how: str) -> None:
    game = simulate_game(1)
    backup = clubs.hostile.journal.copy()
    clubs.hostile.journal.play(game, *losing(game, ANN, EVE))
    clubs.hostile.send_all()
    clubs.count()
    before = clubs.look("Ann")
    clubs.change(lambda connection: allow(connection, ANN, clubs.hostile.table.id, "", clubs.later()))
    clubs.later()
    if how == "backup":
        clubs.back_up(clubs.hostile, backup, game, *losing(game, ANN, EVE)[::-1])
    else:
        clubs.take_back(clubs.hostile, game)
    clubs.count()
    assert clubs.look("Ann") == before
    assert (ANN, None) not in clubs.away()


def test_leave_is_given_and_ended_between_games_also_by_a_clock_that_is_behind(clubs: TwoClubs) -> None:
    behind = clubs.later()
    clubs.later(5)
    clubs.farm(1)
    before = clubs.look("Ann")
    clubs.change(lambda connection: allow(connection, ANN, clubs.hostile.table.id, "", behind))
    assert clubs.look("Ann") == before
    clubs.later()
    clubs.farm(1)
    after = clubs.look("Ann")
    assert after != before
    clubs.change(lambda connection: end_leave(connection, 1, behind))
    assert clubs.look("Ann") == after
