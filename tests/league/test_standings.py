"""Standings, records, ratings and head to head, from games of which the results are known beforehand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from league.sending import League, Sender
from league.simulated_games import BEGUN, SimulatedGame, simulate_game
from openskill.models import PlackettLuce
from sqlalchemy import Engine, select
from taptable.league.database import read_transaction
from taptable.league.exports import export_rows
from taptable.league.game_lines import games
from taptable.league.live_tables import live_table_changes, live_tables, table_list
from taptable.league.ratings import Played as Rated
from taptable.league.ratings import rate, rate_new_games
from taptable.league.recomputing import recompute
from taptable.league.schema import seats
from taptable.league.standings import head_to_head, member_page, members, records, seasons, standings
from taptable.uplink.messages import VERSION, MemberSaid

ANN, BOB, CAT = (letter * 16 for letter in "abc")
SEED_1, SEED_2, SEED_3 = simulate_game(1), simulate_game(2), simulate_game(3)


def named(table: Sender) -> None:
    """Two members with something to show, and one without."""
    for member, name, shown in ((ANN, "Ann", "name"), (BOB, "Bob", "initial"), (CAT, "Cat", "nothing")):
        said = MemberSaid(VERSION, member, name, "#102030", shown)  # pyright: ignore[reportArgumentType]
        table.send(said, table.topics.members)


def a_season(engine: Engine) -> Sender:
    table = League(engine).table()
    named(table)
    table.journal.play(dated(SEED_3, "2026-12-05T18:00:00Z"), ANN, BOB)
    table.journal.play(SEED_1, ANN, BOB, "", CAT)
    table.journal.play(SEED_2, BOB, "", ANN)
    table.journal.play(simulate_game(1, "xnet"), ANN, BOB)
    table.send_all()
    for game in ("online", "xnet"):
        rate_new_games(engine, game)
    return table


def dated(game: SimulatedGame, begun: str) -> SimulatedGame:
    return replace(game, header=replace(game.header, begun_utc=begun))


def places(game: SimulatedGame) -> dict[int, tuple[int, int, int]]:
    """The team, place and score of each seat."""
    teams = game.table.scoreboard.teams
    return {seat: (at, team.place or 0, team.score) for at, team in enumerate(teams) for seat in team.seats}


def test_standings_are_by_season_and_points(engine: Engine) -> None:
    a_season(engine)
    with read_transaction(engine) as connection:
        assert [(each.name, dict(each.games)) for each in seasons(connection)] == [
            ("2027", {"online": 2, "xnet": 1}),
            ("2026", {"online": 1}),
        ]
        this, last = (each.id for each in seasons(connection))
        lines = {line.member.id: line for line in standings(connection, this, "online")}
        before = standings(connection, last, "online")
        assert standings(connection, this, "online", "another club") == []
    assert {line.member.id for line in before} == {ANN, BOB}
    first, second = places(SEED_1), places(SEED_2)
    ann = lines[ANN]
    assert (ann.games, ann.score, ann.best) == (2, first[1][2] + second[3][2], max(first[1][2], second[3][2]))
    assert ann.won == (first[1][1] == 1) + (second[3][1] == 1)
    behind = [
        sum(other[1] > mine[1] for other in {each[0]: each for each in of.values()}.values())
        for of, mine in ((first, first[1]), (second, second[3]))
    ]
    assert ann.points == sum(behind)
    assert lines[CAT].games == 1
    assert (lines[ANN].member.name, lines[BOB].member.name, lines[CAT].member.name) == ("Ann", "B.", "")
    assert (lines[ANN].member.colour, lines[CAT].member.colour) == ("#102030", "")
    points = [line.points for line in sorted(lines.values(), key=lambda line: line.place)]
    assert points == sorted(points, reverse=True)


def test_ratings_are_openskills_in_the_order_of_the_games(engine: Engine) -> None:
    a_season(engine)
    model = PlackettLuce()
    known = {member: model.rating() for member in (ANN, BOB, CAT)}
    for game, at in ((SEED_3, (ANN, BOB, "", "")), (SEED_1, (ANN, BOB, "", CAT)), (SEED_2, (BOB, "", ANN, ""))):
        teams = game.table.scoreboard.teams
        rated = model.rate(
            [[known.get(at[seat - 1]) or model.rating() for seat in team.seats] for team in teams],
            ranks=[float(team.place or 0) for team in teams],
        )
        for team, after in zip(teams, rated, strict=True):
            known |= {at[seat - 1]: made for seat, made in zip(team.seats, after, strict=True) if at[seat - 1]}
    with read_transaction(engine) as connection:
        page = member_page(connection, ANN)
        assert page is not None
        rating = page.ratings["online"]
        assert (rating.mu, rating.sigma, rating.games) == (known[ANN].mu, known[ANN].sigma, 3)
        assert [step.rating.games for step in page.rating_steps["online"]] == [1, 2, 3]
        assert page.rating_steps["online"][-1].rating == rating
        assert recompute(connection).differences == []


def test_who_is_level_and_ties_keeps_the_rating() -> None:
    # openskill 6.1 had both of them rise
    for sizes in ((1, 1), (2, 2), (1, 1, 1), (1, 1, 1, 1)):
        seated = [(team, 1, f"{team}-{seat}") for team, size in enumerate(sizes) for seat in range(size)]
        rated = rate({}, seated)
        new = PlackettLuce().rating()
        assert [each.mu for each in rated.values()] == pytest.approx([new.mu] * len(rated)), sizes
        assert all(each.sigma < new.sigma for each in rated.values())
    # of two who differ, a tie brings them nearer, and what one gains the other loses
    known = {"better": Rated(30.0, 5.0, 9), "worse": Rated(20.0, 5.0, 9)}
    rated = rate(known, [(0, 1, "better"), (1, 1, "worse")])
    assert 20.0 < rated["worse"].mu < rated["better"].mu < 30.0
    assert rated["better"].mu + rated["worse"].mu == pytest.approx(50.0)


def test_a_member_against_the_others(engine: Engine) -> None:
    a_season(engine)
    with read_transaction(engine) as connection:
        this = seasons(connection)[0].id
        found = head_to_head(connection, ANN, this, "online")
        page = member_page(connection, ANN)
        nobody = (member_page(connection, "f" * 16), [each.id for each in members(connection)])
    won = lost = played_against = 0
    for at, seat, other in ((places(SEED_1), 1, 2), (places(SEED_2), 3, 1)):
        if at[seat][0] != at[other][0]:
            played_against += 1
            won += at[seat][1] < at[other][1]
            lost += at[seat][1] > at[other][1]
    bob = next(line for line in found if line.opponent.id == BOB)
    assert (bob.games, bob.won, bob.lost, bob.tied) == (played_against, won, lost, played_against - won - lost)
    assert page is not None
    assert len(page.games) == 4
    assert set(page.standings) == {(1, "xnet"), (1, "online"), (2, "online")} or len(page.standings) == 3
    assert nobody == (None, [ANN, BOB])


def test_records(engine: Engine) -> None:
    a_season(engine)
    with read_transaction(engine) as connection:
        found = {(line.game.game, line.kind): line for line in records(connection)}
        this = seasons(connection)[0].id
        of_this = {(line.game.game, line.kind): line for line in records(connection, this, "online")}
    scores = {id(game): max(each[2] for each in places(game).values()) for game in (SEED_1, SEED_2, SEED_3)}
    assert found["online", "score"].value == max(scores.values())
    assert of_this["online", "score"].value == max(scores[id(SEED_1)], scores[id(SEED_2)])
    assert found["online", "longest"].value >= of_this["online", "longest"].value > 0
    stopped = found["online", "stopped"]
    assert 250_000 <= stopped.value <= 2_400_000  # as quick as simulated players are
    assert stopped.bound_us == 100
    assert len(stopped.holders) == 1
    assert ("xnet", "stopped") not in found


def test_the_wall_tells_what_changed(engine: Engine) -> None:
    league = League(engine)
    quiet, busy = league.table("Quiet"), league.table("Busy")
    named(busy)
    busy.journal.play(SEED_1, ANN, "", BOB, entries=40)
    busy.send_all(20)
    with read_transaction(engine) as connection:
        first, second = live_tables(connection)
        assert (first.name, second.name) == ("Busy", "Quiet")
        known = {each.table: each.stamp_ms for each in (first, second)}
        assert live_table_changes(connection, known) == ([], set())
        assert [each.table for each in live_table_changes(connection, {})[0]] == [busy.table.id, quiet.table.id]
        assert live_table_changes(connection, {**known, "gone": 1})[1] == {"gone"}
    assert (second.game, second.scoreboard, second.last_heard) == (None, None, None)
    assert first.scoreboard is not None
    assert first.scoreboard.under_way
    assert [None if each is None else each.name for each in first.members] == ["Ann", None, "B."]
    busy.journal.add(*SEED_1.entries[40:])
    busy.send_all()
    with read_transaction(engine) as connection:
        (changed,), gone = live_table_changes(connection, known)
        assert (changed.table, gone) == (busy.table.id, set())
        assert changed.scoreboard == SEED_1.table.scoreboard
        assert changed.game is not None
        assert changed.game.status == "ended"
        assert next(line for line in table_list(connection) if line.name == "Busy").last_heard == changed.last_heard


def test_rows_for_files(engine: Engine) -> None:
    a_season(engine)
    with read_transaction(engine) as connection:
        this = seasons(connection)[0].id
        for what in ("standings", "games", "ratings"):
            heading, rows = export_rows(connection, what, None)
            assert rows
            assert {len(row) for row in rows} == {len(heading)}
        _, rows = export_rows(connection, "games", this)
        assert len(rows) == sum(game.header.players for game in (SEED_1, SEED_2, simulate_game(1, "xnet")))
        assert {row[6] for row in rows} == {BEGUN.replace("Z", "+00:00")}
        assert len(games(connection, most=2)) == 2
        (oldest,) = games(connection, before=games(connection, most=3)[-1].id)
        assert oldest.game == "online"
        assert len(games(connection, member=CAT)) == 1
        assert connection.execute(select(seats.c.member).where(seats.c.member == CAT)).all()
