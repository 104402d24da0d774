"""A table with a valid key that sends what no table sends: the league refuses it, quarantines and names it, and it
costs no other table anything."""

from __future__ import annotations

import gc
import json
import secrets
import sqlite3
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import psycopg
import pytest
from league.sending import League, Sender, remarks, stored
from league.simulated_games import Journal, SimulatedGame, simulate_game
from sqlalchemy import Engine, event, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from taptable.core.manifests import MAX_CARDS
from taptable.games.xnet.cards import SAMPLE_TOPICS
from taptable.league import intake, storing, verification
from taptable.league import members as members_
from taptable.league.database import is_unavailable, read_transaction, write_transaction
from taptable.league.game_lines import games
from taptable.league.inbox import TableSubscriptions
from taptable.league.ingest import Ingest, MqttMessage
from taptable.league.limits import (
    LONGEST_SUSPENSION_MS,
    MAX_REFUSED,
    REFUSED_WITHIN_S,
    SUSPENSION_MS,
    TRANSACTION_OF_A_TABLE_S,
    TRANSACTION_S,
)
from taptable.league.recomputing import recompute
from taptable.league.schema import games as games_
from taptable.league.schema import streams
from taptable.league.standings import members
from taptable.league.verification import Replay, Replays
from taptable.memory.digest import EMPTY_DIGEST
from taptable.uplink.messages import VERSION, Batch, Confirmed, MemberSaid, Position, Where, decode_signed

ANN, BOB = "a" * 16, "b" * 16


def honest_and_hostile(engine: Engine) -> tuple[Sender, Sender]:
    league = League(engine)
    honest, hostile = league.table("Honest"), league.table("Hostile", "other")
    honest.journal.play(simulate_game(1), ANN, BOB)
    hostile.journal.play(simulate_game(2))
    return honest, hostile


def test_a_position_that_no_journal_has_is_refused_at_the_door(engine: Engine) -> None:
    honest, hostile = honest_and_hostile(engine)
    chinese = "".join(chr(0x4E00 + secrets.randbelow(0x5100)) for _ in range(1000))
    identities = ("", "0" * 31, "0" * 33, "A" * 32, "0" * 32 + "\n", "٠" * 32, chinese[:32], chinese, "x" * 20_000)
    wrong = [Position(identity, 0, EMPTY_DIGEST) for identity in identities]
    wrong += [Position("0" * 32, number, EMPTY_DIGEST) for number in (-1, 2**53, 2**63, 2**200)]
    wrong += [Position("0" * 32, 1, digest) for digest in ("f" * 31, "F" * 32, chinese)]
    for position in wrong:
        before = honest.send(honest.journal.where(), honest.topics.where)
        assert before is not None
        number = before.position.number
        poison = hostile.message(Batch(VERSION, position, 0, hostile.journal.batch(0).records))
        asking = hostile.message(Where(VERSION, (position,)), hostile.topics.where)
        honest.answer(poison, asking, honest.message(honest.journal.batch(number, 2)))
        after = honest.send(honest.journal.where(), honest.topics.where)
        assert after is not None
        assert after.position.number > number, position
    assert remarks(hostile) == {"damaged": 2 * len(wrong)}
    assert remarks(honest) == {}
    assert hostile.send_all().remark == ""


def refuse_rows_of(engine: Engine, table: str) -> None:
    """Have the database refuse the journals of a table, as if a row couldn't be stored."""
    with write_transaction(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(
                text(
                    "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
                    "$$BEGIN RAISE 'index row size' USING ERRCODE = '54000'; END$$"
                )
            )
            when = f"WHEN (NEW.table_id = '{table}') EXECUTE FUNCTION refuse()"
            connection.execute(text(f"CREATE TRIGGER refuse BEFORE INSERT ON streams FOR EACH ROW {when}"))
        else:
            when = f"WHEN NEW.table_id = '{table}' BEGIN SELECT RAISE(ABORT, 'index row size'); END"
            connection.execute(text(f"CREATE TRIGGER refuse BEFORE INSERT ON streams {when}"))


def test_a_table_whose_rows_the_database_refuses_is_named_and_put_aside(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    honest, hostile = honest_and_hostile(engine)
    refuse_rows_of(engine, hostile.table.id)
    poison = hostile.message(hostile.journal.batch(0, 5))
    honest.answer(honest.message(honest.journal.batch(0, 5)), poison)
    assert honest.send_all().remark == ""
    assert remarks(hostile) == {"put-aside": 1}
    assert remarks(honest) == {}
    (logged,) = [record.getMessage() for record in caplog.records if hostile.table.id in record.getMessage()]
    assert logged.startswith("Table suspended")
    # meanwhile it isn't heard, and costs nobody a transaction
    caplog.clear()
    assert honest.league.deliver(poison, honest.message(honest.journal.where(), honest.topics.where))
    assert caplog.records == []
    # then it is tried again, by itself, and put aside for longer
    honest.league.clock.ms += SUSPENSION_MS
    assert honest.league.deliver(honest.message(honest.journal.where(), honest.topics.where), poison)
    honest.league.clock.ms += SUSPENSION_MS
    honest.league.deliver(poison)
    assert remarks(hostile) == {"put-aside": 2}
    # and once it can be stored again, it goes on as if nothing had been
    with write_transaction(engine) as connection:
        on = " ON streams" if engine.dialect.name == "postgresql" else ""
        connection.execute(text(f"DROP TRIGGER refuse{on}"))
    honest.league.clock.ms += LONGEST_SUSPENSION_MS
    assert hostile.send_all().position == hostile.journal.position(hostile.journal.last)


def test_a_table_that_cannot_even_be_remarked_of_is_put_aside_all_the_same(engine: Engine) -> None:
    honest, hostile = honest_and_hostile(engine)
    refuse_rows_of(engine, hostile.table.id)
    with write_transaction(engine) as connection:
        connection.execute(text("DROP TABLE remarks"))
    honest.answer(hostile.message(hostile.journal.batch(0, 5)), honest.message(honest.journal.batch(0, 5)))
    assert honest.send_all().position.number == honest.journal.last


def of_postgresql(state: str) -> Exception:
    return psycopg.errors.lookup(state)("says so")


def of_sqlite(code: int) -> Exception:
    error = sqlite3.OperationalError("says so")
    error.sqlite_errorcode = code
    return error


AWAY = (
    *(of_postgresql(state) for state in ("08006", "53300", "53100", "55P03", "57P01", "57P03", "58030")),
    *(of_sqlite(code) for code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE)),
    psycopg.OperationalError("the connection is lost"),
    psycopg.InterfaceError("the connection is closed"),
)
HERE = (
    *(of_postgresql(state) for state in ("54000", "22003", "22021", "23505", "40001", "40P01", "42P01", "XX000")),
    *(of_sqlite(code) for code in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_CORRUPT)),
    psycopg.DataError("text can't contain NUL"),
)


@pytest.mark.parametrize("wrap", [OperationalError, IntegrityError, DBAPIError, None])
def test_a_database_is_away_where_it_says_so_and_nowhere_else(wrap: Callable[..., Exception] | None) -> None:
    for cause, away in [(each, True) for each in AWAY] + [(each, False) for each in HERE]:
        error = cause if wrap is None else wrap("SELECT", {}, cause)
        assert is_unavailable(error) is away, (error, cause)
    assert not is_unavailable(ValueError("ours"))


def manifest(copies: int) -> str:
    """A manifest of X.net in few letters, with `copies` copies of each of its 108 kinds."""
    numbers = {str(number): copies for number in range(1, 10)}
    return json.dumps({"game": "xnet", "name": f"n{copies}", "topics": dict.fromkeys(SAMPLE_TOPICS, numbers)})


def of_cards(copies: int) -> SimulatedGame:
    game = simulate_game(1, "xnet")
    return replace(game, header=replace(game.header, manifest=manifest(copies)))


def test_a_manifest_of_more_cards_than_anybody_has_is_not_dealt_out(small: Engine) -> None:
    table = League(small).table()
    for copies in (9, 10, 90):
        table.journal.play(of_cards(copies), entries=1)
    table.send_all()
    with read_transaction(small) as connection:
        most, more, least = games(connection)
        assert [line.proof for line in (least, more, most)] == ["proved", "not-checked", "not-checked"]
        assert f"{MAX_CARDS} are the most" in more.why
    assert remarks(table) == {"not-checked": 2}


def test_what_is_kept_of_one_table_and_of_all_is_bounded_and_what_was_used_last_stays() -> None:
    kept = Replays(most_bytes=150_000, most_bytes_of_a_table=90_000)
    games = [Replay.begin(of_cards(copies).header) for copies in (1, 2)]
    for stream in range(10):
        kept.put("hostile", stream, "d", games[stream % 2])
    assert len(kept) == 2
    assert kept.size == games[0].size + games[1].size <= 90_000
    large = Replay.begin(of_cards(5).header)
    kept.put("hostile", 10, "d", large)  # by itself larger than what a table may have
    assert (len(kept), kept.size) == (1, large.size)
    kept.put("honest", 11, "d", games[0])
    assert kept.take(10, "another digest") is None
    assert kept.take(11, "d") is games[0]
    assert (len(kept), kept.size) == (0, 0)
    for table in range(20):
        kept.put(f"t{table}", table, "d", games[0])
        assert kept.size <= 150_000
    assert kept.take(19, "d") is games[0]
    assert kept.take(0, "d") is None


@pytest.mark.parametrize("game", ["online", "xnet", "cyber-siege"])
def test_the_size_of_a_game_is_about_what_it_takes(game: str) -> None:
    header, entries = simulate_game(1, game).header, simulate_game(1, game).entries
    warm = Replay.begin(header)
    for entry in entries:
        warm.play(entry)
    for part in (0.1, 0.9):
        gc.collect()
        tracemalloc.start()
        replays = [Replay.begin(header) for _ in range(3)]
        for replay in replays:
            for entry in entries[: int(len(entries) * part)]:
                replay.play(entry)
        gc.collect()
        takes, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert takes / 3 < 1.5 * replays[0].size + 20_000, part


@pytest.mark.parametrize(("less", "found"), [(1, ("not-checked", "running", 0)), (0, ("proved", "ended", 2))])
def test_a_game_without_end_is_given_up_and_an_end_that_was_reached_stays(
    small: Engine, monkeypatch: pytest.MonkeyPatch, less: int, found: tuple[str, str, int]
) -> None:
    table = League(small).table()
    game = simulate_game(1, "cyber-siege", 2)
    monkeypatch.setattr(verification, "MAX_PLAYED", len(game.entries) - less)
    table.journal.play(game, ANN, BOB)
    table.journal.add(replace(game.entries[-1], line={"at": 1}))  # nothing that can be, and nobody looks at it
    table.send_all()
    with read_transaction(small) as connection:
        (line,) = games(connection)
        assert (line.proof, line.status, len(line.seats)) == found
        assert recompute(connection).differences == []


@dataclass
class Slow:
    """A time in which each look takes so long."""

    each_s: float
    now_s: float = 0.0

    def __call__(self) -> float:
        self.now_s += self.each_s
        return self.now_s


def slowly(league: League, each_s: float) -> None:
    league.ingest = Ingest(league.engine, 12, league.clock, Slow(each_s))


def test_a_transaction_ends_in_time_and_each_table_has_its_share(engine: Engine) -> None:
    honest, hostile = honest_and_hostile(engine)
    third = honest.league.table("Third")
    third.journal.play(simulate_game(3))
    slowly(honest.league, TRANSACTION_OF_A_TABLE_S / 10)  # ten entries, and a table's time is over
    batches = [hostile.message(hostile.journal.batch(after, 30)) for after in (0, 29, 58)]
    message, other = honest.message(honest.journal.batch(0, 5)), third.message(third.journal.batch(0, 5))
    taken = honest.league.ingest.process([*batches, message, other], honest.league.holder)
    assert taken.deferred == batches  # the first has to come again for its rest
    assert taken.unprocessed == []
    assert positions(taken.answers, hostile, honest, third) == [10, 4, 4]
    assert taken.spent_s[hostile.table.id] > 1.5 * taken.spent_s[honest.table.id]
    # what was begun goes on, without being sent again
    rounds, waiting = 0, taken.deferred
    while waiting:
        rounds += 1
        taken = honest.league.ingest.process([*waiting, message], honest.league.holder)
        waiting = [each for each in taken.deferred if each in batches]
    assert 5 < rounds < 15
    assert positions(taken.answers, hostile) == [88]
    slowly(honest.league, TRANSACTION_S / 2)
    batches = [each.message(each.journal.batch(0, 30)) for each in (hostile, honest, third)]
    taken = honest.league.ingest.process(batches, honest.league.holder)
    assert taken.unprocessed == batches[1:]
    honest.league.ingest = Ingest(engine, 12, honest.league.clock, lambda: 0.0)
    for each in (honest, hostile, third):
        each.send_all()
        with read_transaction(engine) as connection:
            assert stored(connection, each.table.id) == {("0" * 32, 0): [text for _, text in each.journal.texts]}
            assert recompute(connection).differences == []


def test_a_table_that_sends_more_than_there_is_room_for_is_left_out_and_heard_again() -> None:
    time = Slow(0.0)
    hearing = TableSubscriptions(time)
    for _ in range(2 * MAX_REFUSED):
        time.now_s += REFUSED_WITHIN_S / 2
        assert not hearing.refuse("busy")  # now and then
    for for_s in (SUSPENSION_MS / 1000, 2 * SUSPENSION_MS / 1000):
        told = [hearing.refuse("loud") for _ in range(3 * MAX_REFUSED)]
        assert told.count(True) == 1
        assert told[MAX_REFUSED - 1]
        assert hearing.suspended == {"loud"}
        time.now_s += for_s - 1
        assert hearing.suspended == {"loud"}
        time.now_s += 1
        assert hearing.suspended == set()


def positions(answers: Sequence[MqttMessage], *tables: Sender) -> list[int]:
    """How far each of these tables is confirmed."""
    by_topic = {answer.topic: answer.payload for answer in answers}
    found: list[int] = []
    for table in tables:
        topic = table.topics.confirmed
        found.append(decode_signed(by_topic[topic], topic, bytes.fromhex(table.table.key), Confirmed).position.number)
    return found


def test_a_batch_whose_beginning_is_there_goes_on_only_where_it_is_the_same(engine: Engine) -> None:
    table, _ = honest_and_hostile(engine)
    table.send(table.journal.batch(0, 20))
    longer = table.send(table.journal.batch(0, 40))
    assert longer is not None
    assert longer.position == table.journal.position(39)
    other = Journal()
    other.play(simulate_game(2))
    for wrong in (other.batch(0, 60), table.journal.batch(0, 30)):
        answer = table.send(wrong)
        assert answer is not None
        assert (answer.position, answer.remark) == (table.journal.position(39), "")


def test_a_table_begins_a_limited_number_of_journals_and_reports_a_limited_number_of_members(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "MAX_JOURNALS", 5)
    monkeypatch.setattr(members_, "MAX_MEMBERS", 3)
    honest, hostile = honest_and_hostile(engine)
    for number in range(8):
        journal = Journal(f"{number:032x}")
        journal.play(simulate_game(number), entries=3)
        answer = hostile.send(journal.batch(0))
        assert answer is not None
        assert (answer.position.number, answer.remark) == ((3, "") if number < 5 else (0, "too-many-journals"))
    # nor as branches
    journal = Journal("0" * 32)
    journal.play(simulate_game(99), entries=5)
    hostile.journal = journal
    answer = hostile.send(
        Where(VERSION, (journal.position(5), Position("0" * 32, 0, EMPTY_DIGEST))), hostile.topics.where
    )
    assert answer is not None
    assert (answer.position.number, answer.remark) == (3, "too-many-journals")
    for number in range(5):
        hostile.send(MemberSaid(VERSION, f"{number:016x}", f"N{number}", "", "name"), hostile.topics.members)
        honest.send(MemberSaid(VERSION, f"{number:015x}a", f"H{number}", "", "name"), honest.topics.members)
    hostile.send(MemberSaid(VERSION, f"{0:016x}", "Changed", "", "name"), hostile.topics.members)
    with read_transaction(engine) as connection:
        names = [member.name for member in members(connection)]
    assert sorted(names) == ["Changed", "H0", "H1", "H2", "N1", "N2"]
    assert remarks(hostile) == {"new-journal": 4, "too-many-journals": 4, "too-many-members": 2}
    assert remarks(honest) == {"too-many-members": 2}


@pytest.mark.parametrize(("said", "kept"), [("\u3164", ""), ("A\u3164", ""), (" \u202eAda\n", "Ada"), ("Zoë", "Zoë")])
def test_a_member_has_no_name_that_nobody_sees(engine: Engine, said: str, kept: str) -> None:
    _, hostile = honest_and_hostile(engine)
    hostile.send(MemberSaid(VERSION, "0" * 16, said, "", "name"), hostile.topics.members)
    with read_transaction(engine) as connection:
        assert [member.name for member in members(connection)] == [kept] * bool(kept)


def test_remarks_are_counted_up_to_a_number(small: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "MAX_REMARKS", 5)
    table = League(small).table()
    for _ in range(4):
        table.answer(*[MqttMessage(table.topics.entries, b"?")] * 2)
    assert remarks(table) == {"damaged": 5}


def test_what_a_table_sent_before_costs_nothing_later(small: Engine) -> None:
    """Counted in steps of SQLite's own machine."""
    honest, hostile = honest_and_hostile(small)
    hostile.send_all()

    def steps() -> int:
        count = [0]

        def step() -> int:
            count[0] += 1
            return 0

        def listen(connection: sqlite3.Connection, *_: object) -> None:
            connection.set_progress_handler(step, 10)

        for table in (honest, hostile):
            table.journal.play(simulate_game(5), entries=9)
        last = [table.journal.games[-1] for table in (honest, hostile)]
        event.listen(small, "checkout", listen)
        small.dispose()
        messages = [t.message(t.journal.batch(after)) for t, after in zip((honest, hostile), last, strict=True)]
        honest.league.deliver(*messages, hostile.message(hostile.journal.where(whole=True), hostile.topics.where))
        event.remove(small, "checkout", listen)
        small.dispose()
        return count[0]

    honest.send_all()
    before = steps()
    with write_transaction(small) as connection:
        game = connection.execute(select(games_)).mappings().first()
        assert game is not None
        of_it = {"table_id": hostile.table.id, "branch": 0, "number": 0, "digest": "", "begun": 0}
        many = [{**of_it, "journal": f"{number:032x}"} for number in range(1, 3000)]
        connection.execute(streams.insert(), [{**each, "id": 1000 + n} for n, each in enumerate(many)])
        older = {**game, "table_id": hostile.table.id, "begun": 0}
        rows = [{**older, "id": 1000 + n, "stream": 1000 + n} for n in range(len(many))]
        rows += [{**older, "id": 9000 + n, "in_journal": 9000 + n} for n in range(len(many))]
        connection.execute(games_.insert(), rows)
    assert steps() < 1.3 * before
