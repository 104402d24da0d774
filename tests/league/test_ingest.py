"""The league stores each entry of a table once, in order, and answers it. An entry that can't be stored has its own
answer and a remark that people can read, and affects nobody else."""

from __future__ import annotations

import hmac
from dataclasses import replace

import pytest
from league.sending import NOW, League, Sender, remarks, stored
from league.simulated_games import (
    BEGUN,
    Journal,
    SimulatedGame,
    members_seated,
    replace_time,
    simulate_game,
    use_control,
)
from msgspec import Raw
from sqlalchemy import Engine, select
from taptable.league.database import read_transaction, write_transaction
from taptable.league.game_lines import games, transcript
from taptable.league.ingest import MqttMessage
from taptable.league.live_tables import live_tables
from taptable.league.members import forget_member
from taptable.league.ratings import rate_new_games
from taptable.league.recomputing import recompute
from taptable.league.schema import members, seasons, seats
from taptable.league.standings import standings
from taptable.league.tables import revoke_table
from taptable.memory.members import id_of
from taptable.uplink.messages import LONGEST, SECRETS_VERSION, VERSION, Batch, MemberSaid, Position, Where
from taptable.words import Words

ANN, BOB, CAT, DAN = (letter * 16 for letter in "abcd")


def stored_texts(table: Sender) -> dict[tuple[str, int], list[str]]:
    with read_transaction(table.league.engine) as connection:
        assert recompute(connection).differences == []
        return stored(connection, table.table.id)


def texts(journal: Journal, after: int = -1) -> list[str]:
    return [text for number, text in journal.texts if number > after]


def test_a_game_comes_and_is_proved(engine: Engine) -> None:
    table = League(engine).table()
    game = simulate_game(1)
    table.journal.play(game, ANN, "", BOB)
    confirmed = table.send_all(30)
    assert confirmed.position == table.journal.position(table.journal.last)
    assert stored_texts(table) == {("0" * 32, 0): texts(table.journal)}
    with read_transaction(engine) as connection:
        (line,) = games(connection)
        assert (line.status, line.proof, line.why, line.unit, line.is_counted) == ("ended", "proved", "", "MB", True)
        scores = {
            seat.seat: ("" if seat.member is None else seat.member.id, seat.place, seat.score) for seat in line.seats
        }
        kept = transcript(connection, line.id)
        (now,) = live_tables(connection)
    board = game.table.scoreboard
    assert scores == {
        seat: ({1: ANN, 3: BOB}.get(seat, ""), team.place, team.score) for team in board.teams for seat in team.seats
    }
    assert kept is not None
    assert kept.entries[1:] == game.entries
    assert now.scoreboard == board
    assert remarks(table) == {}


def test_doubled_and_out_of_order(engine: Engine) -> None:
    table = League(engine).table()
    table.journal.play(simulate_game(1))
    batches = [table.message(table.journal.batch(after, 10)) for after in (0, 9, 19)]
    table.answer(batches[0])
    later = table.answer(batches[2], batches[1], batches[1], batches[0])
    assert later is not None
    assert (later.position, later.remark) == (table.journal.position(19), "")
    gap = table.answer(table.message(table.journal.batch(29, 10)))
    assert gap is not None
    assert (gap.position.number, gap.remark) == (19, "gap")
    table.send_all()
    assert stored_texts(table) == {("0" * 32, 0): texts(table.journal)}


def test_a_wrong_digest_is_refused(engine: Engine) -> None:
    table = League(engine).table()
    table.journal.play(simulate_game(1))
    table.send(table.journal.batch(0, 10))
    batch = table.journal.batch(9, 10)
    answer = table.send(replace_position(batch, Position(table.journal.identity, 9, "f" * 32)))
    assert answer is not None
    assert (answer.position, answer.remark) == (table.journal.position(9), "diverged")
    assert remarks(table) == {"diverged": 1}
    table.send_all()


def replace_position(batch: Batch, position: Position) -> Batch:
    return Batch(batch.version, position, batch.branch, batch.records)


def test_an_unknown_journal_is_asked_for_from_its_beginning(engine: Engine) -> None:
    table = League(engine).table()
    table.journal.play(simulate_game(1))
    answer = table.send(table.journal.batch(9, 10))
    assert answer is not None
    assert (answer.position, answer.remark) == (table.journal.position(0), "unknown-journal")
    assert stored_texts(table) == {}
    assert Words("en").text("league-remark", "unknown-journal")


def test_a_table_that_is_set_up_again_begins_another_journal(engine: Engine) -> None:
    table = League(engine).table()
    old = table.journal
    old.play(simulate_game(1))
    table.send_all()
    table.journal = Journal("1" * 32)
    table.journal.play(simulate_game(2))
    table.send_all()
    assert stored_texts(table) == {("0" * 32, 0): texts(old), ("1" * 32, 0): texts(table.journal)}
    assert remarks(table) == {"new-journal": 1}
    # and where a second table has its key, both are stored, and it is told
    old.play(simulate_game(3))
    table.journal = old
    assert table.send_all().remark == "two-journals"
    assert remarks(table) == {"new-journal": 1, "two-journals": 2}
    with read_transaction(engine) as connection:
        assert len(games(connection)) == 3


def test_two_tables_of_one_name_are_distinguished_by_their_ids(engine: Engine) -> None:
    league = League(engine)
    one, other = league.table("Table"), league.table("Table")
    one.journal.play(simulate_game(1))
    other.journal.play(simulate_game(2))
    league.deliver(one.message(one.journal.batch(0)), other.message(other.journal.batch(0)))
    assert stored_texts(one) == {("0" * 32, 0): texts(one.journal)}
    assert stored_texts(other) == {("0" * 32, 0): texts(other.journal)}


def test_a_restored_backup_goes_on_in_a_branch_and_a_game_counts_once(engine: Engine) -> None:
    table = League(engine).table()
    table.journal.play(simulate_game(1), ANN, BOB, CAT, DAN)
    table.journal.play(simulate_game(2), ANN, BOB, CAT, DAN, entries=20)
    backup = table.journal.copy()
    table.journal.add(*simulate_game(2).entries[20:])
    table.journal.play(simulate_game(3), ANN, BOB, CAT, DAN)
    table.send_all(40)
    rate_new_games(engine, "online")
    before = table.journal
    table.journal = backup
    table.journal.add(
        members_seated(ANN, BOB, CAT, DAN, at_us=simulate_game(2).entries[20].at_us), *simulate_game(2).entries[20:]
    )
    table.journal.play(simulate_game(4), ANN, BOB, CAT, DAN)
    confirmed = table.send_all(40)
    assert confirmed.branch == 1
    begins = before.games[1]
    assert stored_texts(table) == {("0" * 32, 0): texts(before), ("0" * 32, 1): texts(backup, begins)}
    rate_new_games(engine, "online")
    assert stored_texts(table)
    with read_transaction(engine) as connection:
        assert len(games(connection)) == 4  # 1, 2 as it came again, 3, which was played too, and 4
        season = connection.execute(select(seasons.c.id)).scalar_one()
        assert {line.games for line in standings(connection, season, "online")} == {4}
    assert remarks(table) == {"diverged": 1}


def test_a_question_that_a_broker_repeats_much_later_begins_a_branch_and_a_game_counts_once(engine: Engine) -> None:
    """It is signed, and looks like that of a restored backup."""
    table = League(engine).table()
    table.journal.play(simulate_game(1), ANN, BOB, CAT, DAN)
    asked = table.message(table.journal.where(whole=True), table.topics.where)
    table.send_all(40)
    table.journal.play(simulate_game(2), ANN, BOB, CAT, DAN)
    table.send_all(40)
    assert len(table.league.deliver(asked)) == 1
    assert table.send_all(40).branch == 1
    rate_new_games(engine, "online")
    with read_transaction(engine) as connection:
        assert len(games(connection)) == 2
        season = connection.execute(select(seasons.c.id)).scalar_one()
        assert {line.games for line in standings(connection, season, "online")} == {2}
    assert remarks(table) == {"diverged": 1}


def test_an_impossible_place_is_answered(engine: Engine) -> None:
    """*Where are we?* with nothing that the league has: it says where it stands, and nothing is lost."""
    table = League(engine).table()
    table.journal.play(simulate_game(1))
    table.send_all()
    wrong = tuple(Position(table.journal.identity, number, "f" * 32) for number in (9, 7))
    for known, remark in ((wrong[:1], ""), (wrong, "diverged")):
        answer = table.send(Where(VERSION, known), table.topics.where)
        assert answer is not None
        assert (answer.position.number, answer.remark) == (table.journal.last, remark)
    assert table.send(Where(VERSION, ()), table.topics.where) is None


def test_a_revoked_table_is_refused_and_what_it_sent_stays(engine: Engine) -> None:
    table = League(engine).table()
    table.journal.play(simulate_game(1))
    table.send(table.journal.batch(0, 10))
    with write_transaction(engine) as connection:
        revoke_table(connection, table.table.id, NOW)
    for said, topic in ((table.journal.batch(9), None), (table.journal.where(), table.topics.where)):
        answer = table.send(said, topic)
        assert answer is not None
        assert answer.remark == "revoked"
    assert stored_texts(table) == {("0" * 32, 0): texts(table.journal)[:10]}
    with read_transaction(engine) as connection:
        assert live_tables(connection) == []
    assert table.league.ingest.all_confirmations(range(64)) == []


@pytest.mark.parametrize(
    "payload",
    [b"", b"\n", b"\xff" * 300, b"x" * (LONGEST + 1), b"0" * 64 + b'\n{"version":1}', b'{"version":1}', b"[" * 9000],
    ids=["empty", "a line", "noise", "too long", "unsigned", "another form", "deep"],
)
def test_what_cannot_be_read_is_remarked(small: Engine, payload: bytes) -> None:
    table = League(small).table()
    for topic in (table.topics.entries, table.topics.members):
        assert table.answer(MqttMessage(topic, payload)) is None
        body = topic.encode() + b"\n" + payload
        signature = hmac.new(bytes.fromhex(table.table.key), body, "sha256").hexdigest().encode()
        assert table.answer(MqttMessage(topic, signature + b"\n" + payload)) is None
    assert remarks(table) == {"damaged": 4}


RECORDS = {
    "nothing": (),
    "something else": ('["note",1]',),
    "no game before it": ('["entry",1,0,"note",null,null]',),
    "no header": ('["game",1,[]]',),
    "numbers that fall": ('["entry",4,0,"note",null,null]',),
    "another kind": ('["entry",1,0,"talk",null,null]',),
    "deep": ('["entry",6,0,"note",{"a":' + "[" * 600 + "]" * 600 + "},null]",),
}


@pytest.mark.parametrize("what", RECORDS)
def test_records_that_no_journal_holds_are_refused_whole(small: Engine, what: str) -> None:
    table = League(small).table()
    table.journal.play(simulate_game(1))
    good = table.journal.batch(0, 5)
    wrong = tuple(Raw(text.encode()) for text in RECORDS[what])
    records = wrong if what in ("nothing", "no game before it") else (*good.records, *wrong)
    answer = table.send(Batch(VERSION, good.position, 0, records))
    assert answer is not None
    assert (answer.position.number, answer.remark) == (0, "damaged")
    assert remarks(table) == {"damaged": 1}
    table.send_all()
    assert stored_texts(table) == {("0" * 32, 0): texts(table.journal)}


def test_too_many_records_are_refused(small: Engine) -> None:
    table = League(small).table()
    for seed in range(4):
        table.journal.play(simulate_game(seed))
    answer = table.send(table.journal.batch(0, 257))
    assert answer is not None
    assert (answer.position.number, answer.remark) == (0, "oversized")
    assert remarks(table) == {"oversized": 1}


def test_a_stranger_is_not_heard(engine: Engine) -> None:
    league = League(engine)
    table = league.table()
    stranger = replace(table, table=replace(table.table, id="nobody"))
    table.journal.play(simulate_game(1))
    assert league.deliver(stranger.message(table.journal.batch(0))) == []
    forged = replace(table, table=replace(table.table, key="00" * 32))
    assert league.deliver(forged.message(table.journal.batch(0), table.topics.entries)) == []
    assert stored_texts(table) == {}


def test_one_table_that_cannot_be_stored_hurts_no_other(engine: Engine) -> None:
    """A game whose id its journal had already can't be stored: the transaction of both fails, and then only its own."""
    league = League(engine)
    good, bad = league.table(), league.table()
    for table in (good, bad):
        table.journal.play(simulate_game(1))
        table.send_all()
    bad.journal.games.pop()
    bad.journal.play(simulate_game(2))
    good.journal.play(simulate_game(3))
    messages = [table.message(table.journal.batch(len(simulate_game(1).entries))) for table in (bad, good)]
    assert len(league.deliver(*messages)) == 1
    assert stored_texts(good) == {("0" * 32, 0): texts(good.journal)}
    assert remarks(bad) == {"put-aside": 1}
    assert remarks(good) == {}


def test_a_wrong_clock_puts_a_game_where_it_was_heard_of(engine: Engine) -> None:
    table = League(engine).table()
    for begun in ("1970-01-01T00:00:12Z", "2031-01-01T00:00:00Z", "yesterday", None, "2026-12-31T23:59:59Z", BEGUN):
        game = simulate_game(1)
        table.journal.play(replace(game, header=replace(game.header, begun_utc=begun)), entries=5)
    answers = table.send_all(5)
    assert answers.remark == ""
    with read_transaction(engine) as connection:
        names = {row.id: row.name for row in connection.execute(select(seasons))}
        found = [(names[line.season], line.clock_wrong) for line in reversed(games(connection))]
    assert found == [("2027", True)] * 3 + [("2027", False), ("2026", False), ("2027", False)]
    assert remarks(table) == {"clock": 3}


def seasons_of(engine: Engine) -> list[tuple[str, bool]]:
    """The season of each game in the order in which they came, and whether the table's clock was wrong."""
    with read_transaction(engine) as connection:
        names = {row.id: row.name for row in connection.execute(select(seasons))}
        return [(names[line.season], line.clock_wrong) for line in reversed(games(connection))]


def begun_at(begun: str | None) -> SimulatedGame:
    return replace(simulate_game(1), header=replace(simulate_game(1).header, begun_utc=begun))


@pytest.mark.parametrize("most", [5, 100])
def test_a_clock_that_is_behind_the_game_before_is_wrong(engine: Engine, most: int) -> None:
    table = League(engine).table()
    # a Pi without a network, in the new year, goes on from its last shutdown, or from an image's date; then it has one
    for begun in ("2026-12-20T20:00:00Z", "2027-01-02T20:00:00Z", "2026-12-20T22:05:00Z", None, "2027-01-09T20:00:00Z"):
        table.journal.play(begun_at(begun), entries=5)
    table.journal.play(begun_at("2027-01-09T20:00:00Z"), entries=5)  # at the same second, as a game is given up
    table.send_all(most)
    assert seasons_of(engine) == [
        *(("2026", False), ("2027", False), ("2027", True), ("2027", False), ("2027", False), ("2027", False))
    ]
    assert remarks(table) == {"clock": 1}


def test_a_fresh_card_lives_at_the_date_of_its_image(engine: Engine) -> None:
    table = League(engine).table()
    table.journal.play(begun_at("2027-03-01T20:00:00Z"), entries=5)
    table.send_all()
    table.journal = Journal("1" * 32)
    for begun in ("2026-12-01T00:00:00Z", "2025-10-01T00:00:00Z", "2027-03-08T20:00:00Z"):
        table.journal.play(begun_at(begun), entries=5)
    table.send_all()
    assert seasons_of(engine) == [("2027", False), ("2027", True), ("2027", True), ("2027", False)]
    assert remarks(table) == {"clock": 2, "new-journal": 1}
    # another table's games say nothing of this one's clock
    other = table.league.table()
    other.journal.play(begun_at("2026-12-01T00:00:00Z"), entries=5)
    other.send_all()
    assert remarks(other) == {}


def test_a_game_that_a_branch_has_as_well_is_not_behind_itself(engine: Engine) -> None:
    table = League(engine).table()
    for begun in ("2026-12-01T20:00:00Z", "2026-12-08T20:00:00Z"):
        table.journal.play(begun_at(begun), entries=5)
    backup = table.journal.copy()
    for begun in ("2026-12-15T20:00:00Z", "2027-01-05T20:00:00Z"):
        table.journal.play(begun_at(begun), entries=5)
    table.send_all()
    # the card of a week ago goes on, from within its last game, and then begins another
    table.journal = backup
    table.journal.add(*simulate_game(1).entries[5:8])
    table.journal.play(begun_at("2026-12-22T20:00:00Z"), entries=5)
    table.send_all()
    assert ("clock" in remarks(table), {wrong for _, wrong in seasons_of(engine)}) == (False, {False})


def test_a_score_that_the_rules_do_not_give_is_not_proved(engine: Engine) -> None:
    table = League(engine).table()
    game = simulate_game(1)
    last = game.entries[-1]
    assert last.answer is not None
    ending = next(said for said in last.answer["announcements"] if said["type"] == "game-ended")
    assert ending
    better = {**last.answer, "announcements": [*last.answer["announcements"], ending]}
    table.journal.play(replace(game, entries=(*game.entries[:-1], replace(last, answer=better))), ANN, BOB)
    table.journal.play(simulate_game(2))
    assert table.send_all().remark == ""
    with read_transaction(engine) as connection:
        second, first = games(connection)
        assert (first.status, first.proof, first.seats) == ("left-off", "not-proved", [])
        assert "the answer" in first.why
        assert (second.status, second.proof) == ("ended", "proved")
    assert remarks(table) == {"not-proved": 1}
    assert stored_texts(table) == {("0" * 32, 0): texts(table.journal)}


@pytest.mark.parametrize(
    ("change", "proof"),
    [
        ({"rules_version": "online/99"}, "not-checked"),
        ({"game": "go"}, "not-checked"),
        ({"players": 99}, "not-checked"),
        ({"settings": {"claim_s": "soon"}}, "not-checked"),
    ],
)
def test_rules_that_are_not_known_are_not_checked(small: Engine, change: dict[str, object], proof: str) -> None:
    table = League(small).table()
    game = simulate_game(1)
    table.journal.play(replace(game, header=replace(game.header, **change)), ANN)  # pyright: ignore[reportArgumentType]
    table.send_all()
    with read_transaction(small) as connection:
        (line,) = games(connection)
        assert (line.status, line.proof) == ("running", proof)
        assert line.why
        (now,) = live_tables(connection)
        assert now.scoreboard is None
    assert remarks(table) == {proof: 1}


def test_a_text_that_no_database_can_hold_is_stored_in_another_form(engine: Engine) -> None:
    table = League(engine).table()
    game = simulate_game(1)
    wrong = replace(game.header, settings={"claim_s": "\0"}, deck="\0")
    table.journal.play(replace(game, header=wrong))
    table.journal.play(replace(game, entries=(replace(game.entries[0], line={"at": 1, "\0": "\0"}),)))
    table.send_all()
    with read_transaction(engine) as connection:
        second, first = games(connection)
    assert (first.proof, second.proof) == ("not-checked", "not-proved")
    assert "\0" not in first.why + second.why
    assert stored_texts(table) == {("0" * 32, 0): texts(table.journal)}


def test_an_end_that_is_taken_back_counts_no_more(engine: Engine) -> None:
    table = League(engine).table()
    game = simulate_game(1)
    table.journal.play(game, ANN, BOB, CAT, DAN)
    table.send_all()
    rate_new_games(engine, "online")
    with read_transaction(engine) as connection:
        before = standings(connection, 1, "online")
        assert {line.games for line in before} == {1}
        assert all(line.rating is not None for line in before)
    after, back = use_control(game.table, "take-back")
    assert not after.scoreboard.over
    table.journal.add(back)
    taken = table.league.ingest.process(
        [table.message(table.journal.batch(table.journal.last - 1))], table.league.holder
    )
    assert taken.games_to_rate == {"online"}
    rate_new_games(engine, "online")
    with read_transaction(engine) as connection:
        (line,) = games(connection)
        assert (line.status, line.seats) == ("running", [])
        assert standings(connection, 1, "online") == []
    assert stored_texts(table)
    # and played to its end once more, it counts once more
    table.journal.add(replace_time(game.entries[-1], back.at_us))
    table.send_all()
    rate_new_games(engine, "online")
    with read_transaction(engine) as connection:
        assert standings(connection, 1, "online") == before
    assert stored_texts(table)


def test_who_sits_down_after_the_end_sits_down_for_the_next_game(small: Engine) -> None:
    table = League(small).table()
    table.journal.play(simulate_game(1), ANN, "nobody", ANN)
    table.journal.add(members_seated(CAT, DAN, at_us=simulate_game(1).entries[-1].at_us))
    table.send_all()
    with read_transaction(small) as connection:
        assert [row.member for row in connection.execute(select(seats).order_by(seats.c.seat))] == [ANN, "", "", ""]


def test_members_are_their_clubs_and_what_was_deleted_stays_so(engine: Engine) -> None:
    league = League(engine)
    table, other = league.table(), league.table(club="another")

    def said(sender: Sender, **what: object) -> tuple[str, str, str] | None:
        sender.send(MemberSaid(VERSION, ANN, **what), sender.topics.members)  # pyright: ignore[reportArgumentType]
        with read_transaction(engine) as connection:
            row = connection.execute(select(members)).one_or_none()
            return None if row is None else (row.name, row.colour, row.shown)

    assert said(table, name="Ann\n", colour="red", shown="name") == ("Ann", "", "name")
    assert said(other, name="Mallory", shown="name") == ("Ann", "", "name")
    assert said(table, name="Anna" * 30, colour="#12ab9F") == (("Anna" * 30)[:60], "#12ab9F", "nothing")
    assert said(table, name="Anna", deleted=True) == ("", "", "nothing")
    assert said(table, name="Anna", shown="name") == ("", "", "nothing")
    table.send(MemberSaid(VERSION, "../x"), table.topics.members)
    with read_transaction(engine) as connection:
        assert len(connection.execute(select(members)).all()) == 1
    assert remarks(table) == {"damaged": 1}
    assert remarks(other) == {"member-claimed": 1}


def test_the_holder_of_an_id_s_secret_has_the_id_even_if_others_claimed_or_deleted_it_before(engine: Engine) -> None:
    league = League(engine)
    own, stranger = league.table("Own", "A"), league.table("Stranger", "B")
    secret = "5" * 32
    dora = id_of(secret)

    def known() -> tuple[str, str, bool] | None:
        with read_transaction(engine) as connection:
            row = connection.execute(select(members)).one_or_none()
            return None if row is None else (row.club, row.name, row.deleted is not None)

    def claims(sender: Sender, name: str, shown: str = "", *, deleted: bool = False) -> None:
        version = SECRETS_VERSION if shown else VERSION
        said = MemberSaid(version, dora, name, "", "name", deleted, shown)
        sender.send(said, sender.topics.members)

    claims(stranger, "Mallory")
    assert known() == ("B", "Mallory", False)
    claims(stranger, "", deleted=True)
    claims(own, "Dora", secret)
    assert known() == ("A", "Dora", False)
    # from then on nobody changes anything without it, its own club neither
    for sender in (stranger, own):
        claims(sender, "Mallory")
        claims(sender, "", deleted=True)
        claims(sender, "Mallory", "6" * 32)
    # nor a stranger who has stolen it
    claims(stranger, "Mallory", secret)
    assert known() == ("A", "Dora", False)
    assert remarks(stranger) == {"member-claimed": 3, "damaged": 1}
    assert remarks(own) == {"member-claimed": 2, "damaged": 1}
    # and a member who was deleted by it stays deleted
    claims(own, "", secret, deleted=True)
    claims(own, "Dora", secret)
    assert known() == ("A", "", True)


def test_whom_the_administrator_deleted_no_secret_brings_back(small: Engine) -> None:
    table = League(small).table()
    secret = "5" * 32
    dora = id_of(secret)
    for said in (MemberSaid(VERSION, dora, "Dora"), MemberSaid(SECRETS_VERSION, dora, "Dora", secret=secret)):
        table.send(said, table.topics.members)
        with write_transaction(small) as connection:
            forget_member(connection, dora, NOW)
    table.send(MemberSaid(SECRETS_VERSION, dora, "Dora", secret=secret), table.topics.members)
    with read_transaction(small) as connection:
        row = connection.execute(select(members)).one()
    assert (row.name, row.deleted) == ("", NOW)
