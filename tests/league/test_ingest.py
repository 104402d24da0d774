"""What a table sends is stored once, in its order, and answered; what can't be has its own answer."""

from __future__ import annotations

from league.played import played
from league.sending import League, stored
from sqlalchemy import Engine, select

from taptable.league.database import reading
from taptable.league.schema import games, seats

ANN, BOB = "a" * 16, "b" * 16


def test_a_game_comes_and_is_proved(engine: Engine) -> None:
    table = League(engine).table()
    game = played(1)
    table.journal.play(game, ANN, "", BOB)
    confirmed = table.send_all(30)
    assert confirmed.position == table.journal.position(table.journal.last)
    with reading(engine) as connection:
        assert stored(connection, table.table.id) == {("0" * 32, 0): [text for _, text in table.journal.texts]}
        row = connection.execute(select(games)).one()
        assert (row.status, row.proof, row.why, row.unit) == ("ended", "proved", "", "MB")
        scores = {row.seat: (row.member, row.place, row.score) for row in connection.execute(select(seats))}
    board = game.table.scoreboard
    assert scores == {
        seat: ({1: ANN, 3: BOB}.get(seat, ""), team.place, team.score) for team in board.teams for seat in team.seats
    }
