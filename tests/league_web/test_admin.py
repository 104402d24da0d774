"""The administrator's desk: who gets in, how often somebody may try, and that nothing is seen or done without."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import string
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from choosing import long_params
from page_access.rig import ask
from sqlalchemy import Engine, select, text
from taptable.config import Account
from taptable.core.errors import LeagueError
from taptable.core.spelling import escape_control_chars
from taptable.league.away import offer_code
from taptable.league.database import read_transaction, write_transaction
from taptable.league.schema import administrators, sessions
from taptable.league.settings import Broker
from taptable.league.web import accounts, admin_commands
from taptable.league.web.accounts import (
    FIRST_PAUSE_S,
    FREE_OF_ALL,
    FREE_TRIES,
    KNOWN_S,
    LONGEST_PAUSE_OF_ALL_S,
    LONGEST_PAUSE_S,
    MAX_SESSIONS,
    SESSION_S,
    Tries,
    administrator_of_session,
    begin_session,
    set_administrator,
)
from taptable.uplink.messages import VERSION, AwayCodeShown

from league_web.rig import NAME, PASSWORD, LeaguePage, serve_league_page
from league_web.seeds import member_id


def as_it_stands(engine: Engine) -> list[Any]:
    """All that the desk can change."""
    with engine.connect() as connection:
        queries = ("SELECT * FROM tables", "SELECT * FROM seasons", "SELECT * FROM members", "SELECT * FROM clubs")
        return [connection.execute(text(query)).all() for query in queries]


# getting in


async def test_who_gives_the_password_sees_the_desk_and_leaves_again(league: LeaguePage) -> None:
    assert (await league.get("/admin/desk.json")).json == {"name": None, "safe": True}
    answer = await league.signs_in()
    cookie, *flags = answer.headers["set-cookie"].split("; ")
    assert cookie.startswith(f"taptable-league-{league.port}=")
    assert set(flags) == {"HttpOnly", f"Max-Age={KNOWN_S}", "Path=/admin", "SameSite=strict"}
    desk = (await league.get("/admin/desk.json", cookie)).json
    assert desk["name"] == NAME
    assert [table["name"] for table in desk["tables"]][:2] == ["Attic", "Cellar"]
    assert any(table["remarks"] for table in desk["tables"])
    assert "Katharina" in [member["name"] for member in desk["members"]]
    assert PASSWORD not in json.dumps(desk)
    assert (await league.post("/admin/sign-out", {}, cookie)).status == 200
    assert (await league.get("/admin/desk.json", cookie)).json["name"] is None


@pytest.mark.parametrize(
    ("name", "password", "why"),
    [
        (NAME, "wrong", "That isn’t the name and its password."),
        ("nobody", PASSWORD, "That isn’t the name and its password."),
        ("", "", "That isn’t the name and its password."),
        (NAME, PASSWORD * 20, "“password” can’t be that."),
        (NAME, 5, "“password” can’t be that."),
        (None, PASSWORD, "“password” can’t be that."),
    ],
)
async def test_who_does_not_stays_outside(league: LeaguePage, name: Any, password: Any, why: str) -> None:
    answer = await league.signs_in(password, name)
    assert (answer.status, answer.json) == (403, {"ok": False, "why": why})
    assert "set-cookie" not in answer.headers


async def test_a_password_is_looked_at_as_long_for_a_name_that_nobody_has(league: LeaguePage) -> None:
    looked: list[str | None] = []
    right = accounts.is_right
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "is_right", lambda kept, password: looked.append(kept) or right(kept, password))
        await league.signs_in("wrong", "nobody")
    assert looked == [None]
    with pytest.MonkeyPatch.context() as patch:
        hashed: list[str] = []
        verify = accounts._hasher.verify
        patch.setattr(accounts, "_hasher", type("", (), {"verify": lambda _, h, p: hashed.append(h) or verify(h, p)})())
        assert not right(None, "wrong")
    assert hashed[0].startswith("$argon2id$")


async def test_after_a_few_wrong_passwords_the_right_one_has_to_wait_too(league: LeaguePage) -> None:
    for _ in range(FREE_TRIES + 1):
        assert (await league.signs_in("wrong")).status == 403
    answer = await league.signs_in()
    assert answer.status == 429
    assert 0 < int(answer.headers["retry-after"]) <= FIRST_PAUSE_S
    assert answer.json["why"].startswith("Too many wrong passwords.")
    elsewhere = await league.signs_in(source="127.0.0.9")
    assert elsewhere.status == 200


async def test_who_tries_many_at_once_gains_nothing(league: LeaguePage) -> None:
    answers = await asyncio.gather(*(league.signs_in(f"wrong {number}") for number in range(30)))
    statuses = [answer.status for answer in answers]
    assert statuses.count(403) == FREE_TRIES + 1
    assert statuses.count(429) == 30 - FREE_TRIES - 1


def test_each_pause_is_twice_as_long_as_the_one_before_up_to_a_longest() -> None:
    now_s, found = 1000.0, []
    tries = Tries(lambda: now_s)
    for _ in range(FREE_TRIES + 15):
        assert tries.pause_s("192.0.2.1") == 0.0
        tries.record_failure("192.0.2.1")
        found.append(tries.pause_s("192.0.2.1"))
        assert tries.pause_s("192.0.2.2") == 0.0
        now_s += found[-1]
    pauses = [min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**at) for at in range(15)]
    assert found == [*[0.0] * FREE_TRIES, *pauses]
    tries.record_failure("192.0.2.1")
    tries.record_success("192.0.2.1")
    assert tries.pause_s("192.0.2.1") == 0.0


def test_many_addresses_together_have_to_wait_too_but_not_this_computer() -> None:
    tries = Tries(lambda: 0.0)
    for number in range(FREE_OF_ALL + 20):
        tries.record_failure(f"192.0.2.{number + 1}")
    assert tries.pause_s("198.51.100.1") == LONGEST_PAUSE_OF_ALL_S
    assert tries.pause_s("127.0.0.1") == tries.pause_s("::1") == 0.0


async def test_who_signed_in_before_gets_in_whatever_strangers_try(
    league: LeaguePage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "FIRST_PAUSE_S", 600.0)  # longer than this takes
    cookie = await league.session()
    assert (await league.post("/admin/sign-out", {}, cookie)).status == 200
    for source in ("127.0.0.1", "127.0.0.2"):
        for _ in range(FREE_TRIES + 1):
            await league.signs_in("wrong", source=source)
        assert (await league.signs_in(source=source)).status == 429
        # from a browser that is known, at whichever address, and as often as it likes
        again = await league.signs_in(cookie=cookie, source=source)
        assert again.status == 200
        cookie = again.headers["set-cookie"].partition(";")[0]
    # a cookie that nobody was given is none, nor one that was used since, nor one of before the password was changed
    assert (await league.signs_in(cookie=f"{cookie}x")).status == 429
    # a stolen one allows no more passwords to be tried than an address does
    statuses = [(await league.signs_in("wrong", cookie=cookie)).status for _ in range(FREE_TRIES + 2)]
    assert statuses == [*[403] * (FREE_TRIES + 1), 429]
    with write_transaction(league.engine) as connection:
        set_administrator(connection, NAME, PASSWORD, 0)
    assert (await league.signs_in(cookie=cookie)).status == 429


def test_a_browser_is_counted_by_itself() -> None:
    tries = Tries(lambda: 0.0)
    for number in range(FREE_OF_ALL + 20):
        tries.record_failure(f"192.0.2.{number + 1}")
    assert tries.pause_s("198.51.100.1", "known") == 0.0
    for _ in range(FREE_TRIES + 1):
        tries.record_failure("198.51.100.1", "known")
    assert tries.pause_s("198.51.100.2", "known") == FIRST_PAUSE_S
    assert tries.pause_s("198.51.100.1", "another") == 0.0
    tries.record_success("198.51.100.1", "known")
    assert tries.pause_s("198.51.100.1", "known") == 0.0


def test_a_browser_is_known_for_long_but_not_for_ever(engine: Engine) -> None:
    with write_transaction(engine) as connection:
        set_administrator(connection, NAME, PASSWORD, 0)
        secret = begin_session(connection, NAME, 0)
        assert administrator_of_session(connection, secret, SESSION_S) is None
        known = accounts.known_browser(connection, secret, SESSION_S)
        assert known is not None
        assert secret not in known
        assert accounts.known_browser(connection, secret, KNOWN_S) is None


def test_one_computer_s_addresses_of_ipv6_are_one() -> None:
    tries = Tries(lambda: 0.0)
    for number in range(FREE_TRIES + 1):
        tries.record_failure(f"2001:db8::{number:x}")
    assert tries.pause_s("2001:db8::ffff:1") == FIRST_PAUSE_S
    assert tries.pause_s("2001:db8:0:1::1") == 0.0
    for _ in range(FREE_TRIES + 1):
        tries.record_failure("::ffff:192.0.2.7")
    assert tries.pause_s("192.0.2.7") == FIRST_PAUSE_S


async def test_a_password_is_not_taken_where_it_could_be_read_on_its_way(engine: Engine) -> None:
    async with serve_league_page(engine, network=True) as league:
        named = {"headers": {"Host": f"{socket.gethostname()}.local:{league.port}".partition(".")[0].lower()}}
        assert (await league.get("/admin/desk.json", **named)).json == {"name": None, "safe": False}
        answer = await league.signs_in(**named)
        assert (answer.status, "set-cookie" in answer.headers) == (403, False)
        assert "only taken on the league’s own computer" in answer.json["why"]


async def test_by_tls_the_cookie_goes_by_tls_alone(engine: Engine) -> None:
    async with serve_league_page(engine, network=True, proxy="127.0.0.1", https="league.example") as league:
        by_tls = {"Host": "league.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.9"}
        answer = await league.signs_in(headers=by_tls)
        assert answer.status == 200
        assert "Secure" in answer.headers["set-cookie"].split("; ")
        forged = await league.signs_in(headers=by_tls, source="127.0.0.7")
        assert forged.status == 403


# sessions and the account


def test_there_is_one_account_and_a_new_one_ends_all_sessions(engine: Engine) -> None:
    with write_transaction(engine) as connection:
        set_administrator(connection, "ada", PASSWORD, 5)
        secret = begin_session(connection, "ada", 10)
        assert administrator_of_session(connection, secret, 10 + SESSION_S - 1) == "ada"
        assert administrator_of_session(connection, secret, 10 + SESSION_S) is None
        assert administrator_of_session(connection, secret[:-1], 11) is None
        set_administrator(connection, "bob", PASSWORD, 20)
        assert administrator_of_session(connection, secret, 21) is None
        assert connection.execute(select(administrators.c.name)).scalars().all() == ["bob"]
        assert secret not in str(connection.execute(select(sessions)).all())
        for password in ("short", "x" * 201):
            with pytest.raises(LeagueError, match="a password has 10 to 200 characters"):
                set_administrator(connection, "eve", password, 30)


def test_the_oldest_of_many_sessions_end(engine: Engine) -> None:
    with write_transaction(engine) as connection:
        set_administrator(connection, "ada", PASSWORD, 5)
        secrets = [begin_session(connection, "ada", 100 + at) for at in range(MAX_SESSIONS + 3)]
        known = [administrator_of_session(connection, secret, 200) is not None for secret in secrets]
        assert known == [False] * 3 + [True] * MAX_SESSIONS


# what is done there


async def test_a_table_gets_a_key_a_name_and_is_revoked(league: LeaguePage) -> None:
    cookie = await league.session()
    given = (await league.admin_command(cookie, "add-table", name="Balcony", club="Harbour club")).json
    assert len(bytes.fromhex(given["key"])) == 32
    assert (await league.admin_command(cookie, "name-table", table=given["table"], name="Terrace")).status == 200
    assert (await league.admin_command(cookie, "revoke-table", table=given["table"])).status == 200
    desk = (await league.get("/admin/desk.json", cookie)).json
    found = next(table for table in desk["tables"] if table["id"] == given["table"])
    assert (found["name"], found["club"], found["revoked"] is not None) == ("Terrace", "Harbour club", True)
    assert given["key"] not in json.dumps(desk)
    again = await league.admin_command(cookie, "revoke-table", table=given["table"])
    assert again.status == 403


async def test_a_table_of_the_desk_is_let_in_at_the_broker_until_it_is_revoked(engine: Engine, tmp_path: Path) -> None:
    folder = tmp_path / "mosquitto"
    files = {"accounts": folder / "passwords", "access": folder / "access", "nats_users": folder / "users.conf"}
    broker = Broker(Account("localhost", 1883), **files)
    async with serve_league_page(engine, broker=broker) as league:
        cookie = await league.session()
        answer = (await league.admin_command(cookie, "add-table", name="Balcony", club="Harbour club")).json
        assert answer["ok"]
        assert answer["key"]
        assert answer["trouble"] == (
            f"It is done, but the broker hasn’t been told: {folder}/access can't be written: No such file or directory."
        )
        folder.mkdir()
        given = (await league.admin_command(cookie, "add-table", name="Jetty", club="Harbour club")).json
        assert "trouble" not in given
        assert all(str(files[name]) in given["broker"] for name in ("accounts", "nats_users"))
        for table in (answer["table"], given["table"]):  # the one before, too
            assert all(table in files[name].read_text() for name in ("accounts", "nats_users"))
        await league.admin_command(cookie, "revoke-table", table=given["table"])
        assert not any(given["table"] in files[name].read_text() for name in ("accounts", "nats_users"))


async def test_a_season_begins_where_another_ends(league: LeaguePage) -> None:
    cookie = await league.session()
    (before,) = (await league.get_data("league"))["seasons"]
    answer = await league.admin_command(cookie, "begin-season", name="Winter cup")
    assert answer.status == 200, answer.body
    new, old = (await league.get_data("league"))["seasons"]
    assert (new["name"], old["name"]) == ("Winter cup", before["name"])
    assert old["ends"] == new["begins"] < new["ends"]
    assert (await league.admin_command(cookie, "name-season", season=new["id"], name="Frost cup")).status == 200
    twice = await league.admin_command(cookie, "begin-season", name="Frost cup")
    assert (twice.status, twice.json["why"]) == (403, "There is a season 'Frost cup' already")
    assert [season["name"] for season in (await league.get_data("league"))["seasons"]] == ["Frost cup", before["name"]]


async def test_games_of_a_table_are_annulled_and_that_is_undone(league: LeaguePage) -> None:
    cookie, before = await league.session(), await league.get_data("standings")
    (season,) = (await league.get_data("league"))["seasons"]
    table = (await league.get_data("games"))["games"][-1]["table"]
    answer = await league.admin_command(cookie, "annul-games", table=table)
    assert answer.status == 200, answer.body
    desk = (await league.get("/admin/desk.json", cookie)).json
    (found,) = desk["annulments"]
    assert (found["id"], found["table"], found["by"], found["undone"]) == (
        answer.json["annulment"],
        table,
        NAME,
        None,
    )
    assert found["games"] > 0
    listed = (await league.get_data("games", table=table))["games"]
    assert [each["annulled"] for each in listed if each["counts"]] == []
    assert any(each["annulled"] for each in listed)
    assert await league.get_data("standings") != before
    assert (await league.admin_command(cookie, "undo-annulment", annulment=found["id"])).status == 200
    assert await league.get_data("standings") == before
    open_ = await league.admin_command(cookie, "close-season", season=season["id"])
    assert (open_.status, open_.json["why"]) == (403, "Only a season that has ended can be closed, and once")
    await league.admin_command(cookie, "begin-season", name="Winter cup")
    assert (await league.admin_command(cookie, "close-season", season=season["id"])).status == 200
    of_it = await league.get_data("standings", season=season["id"])
    assert [each["closed"] is None for each in (await league.get_data("league"))["seasons"]] == [True, False]
    late = await league.admin_command(cookie, "annul-games", table=table)
    assert late.json == {"ok": True, "annulment": found["id"] + 1, "games": 0, "closed": found["games"]}
    assert await league.get_data("standings", season=season["id"]) == of_it


async def test_a_member_plays_away_by_a_code_or_by_a_table(league: LeaguePage) -> None:
    cookie = await league.session()
    desk = (await league.get("/admin/desk.json", cookie)).json
    (club,) = {each["club"] for each in desk["members"] if each["id"] in (member_id(0), member_id(1))}
    own, *_ = (each["id"] for each in desk["tables"] if each["club"] == club)
    by_code_at, by_name_at, *_ = (each["id"] for each in desk["tables"] if each["club"] != club)
    digest = sha256(b"0123456789").hexdigest()
    with write_transaction(league.engine) as connection:
        offer_code(connection, by_code_at, AwayCodeShown(VERSION, digest), int(time.time()))
        # a hostile table shows whatever a mistyped code might be taken for
        offer_code(connection, by_name_at, AwayCodeShown(VERSION, sha256(b"").hexdigest()), int(time.time()))
    for fields in ({"code": "0123456789A"}, {"code": " "}, {"code": "!"}, {}, {"table": "nowhere"}, {"table": own}):
        assert (await league.admin_command(cookie, "allow-away", member=member_id(0), **fields)).status == 403, fields
    assert (await league.admin_command(cookie, "allow-away", member="nobody", table=by_code_at)).status == 403
    by_code = await league.admin_command(cookie, "allow-away", member=member_id(0), code="o1234 56789")
    assert by_code.json == {"ok": True, "table": by_code_at}
    again = await league.admin_command(cookie, "allow-away", member=member_id(1), code="0123456789")
    assert again.json["why"] == "No table of another club shows this code, or it is too old or used already."
    assert (await league.admin_command(cookie, "allow-away", member=member_id(1), table=by_name_at)).status == 200
    away = (await league.get("/admin/desk.json", cookie)).json["away"]
    assert [(each["member"], each["table"], each["allowed_by"]) for each in away] == [
        (member_id(1), by_name_at, ""),
        (member_id(0), by_code_at, ""),
    ]
    assert (await league.admin_command(cookie, "end-away", leave=away[0]["id"])).status == 200
    assert (await league.admin_command(cookie, "end-away", leave=away[0]["id"])).status == 403
    assert len((await league.get("/admin/desk.json", cookie)).json["away"]) == 1


async def test_a_missing_or_nameless_thing_is_reported_and_changes_nothing(league: LeaguePage) -> None:
    cookie, before = await league.session(), as_it_stands(league.engine)
    for verb, fields in {
        "name-table": {"table": "nowhere", "name": "a"},
        "revoke-table": {"table": "nowhere"},
        "name-season": {"season": 99, "name": "a"},
        "delete-member": {"member": "nobody"},
        "add-table": {"name": "", "club": "a"},
        "begin-season": {"name": " a"},
        "merge": {},
        "": {},
    }.items():
        answer = await league.admin_command(cookie, verb, **fields)
        assert answer.status == 403, verb
        assert answer.json["why"], verb
    assert as_it_stands(league.engine) == before


@pytest.mark.parametrize("name", ["\0", "a\0b", "a\n", "\x1b[31ma", "\u3164", "\u202ea", " a", "a\u00a0"])
async def test_a_name_is_one_line_in_which_something_is_seen(league: LeaguePage, name: str) -> None:
    cookie, before = await league.session(), as_it_stands(league.engine)
    table = (await league.get("/admin/desk.json", cookie)).json["tables"][0]["id"]
    for verb, fields in {
        "add-table": {"name": name, "club": "Harbour club"},
        "name-table": {"table": table, "name": name},
        "begin-season": {"name": name},
        "name-season": {"season": 1, "name": name},
        "annul-games": {"table": name},
        "delete-member": {"member": name},
        "allow-away": {"member": member_id(0), "table": name},
    }.items():
        answer = await league.admin_command(cookie, verb, **fields)
        assert answer.status == 403, verb
        assert escape_control_chars(answer.json["why"]) == answer.json["why"] != "", verb
    assert (await league.admin_command(cookie, "add-table", name="Balcony", club=name)).status == 403
    assert as_it_stands(league.engine) == before


# and by whom


@pytest.mark.parametrize("verb", admin_commands.ADMIN_COMMANDS)
async def test_nothing_is_done_for_who_is_not_signed_in(league: LeaguePage, verb: str) -> None:
    before = as_it_stands(league.engine)
    fields = {
        "name": "Evil",
        "club": "Evil",
        "member": member_id(0),
        "season": 1,
        "table": "x",
        "annulment": 1,
        "leave": 1,
    }
    with write_transaction(league.engine) as connection:
        old = begin_session(connection, NAME, 0)
    for cookie in (None, f"taptable-league-{league.port}=", f"taptable-league-{league.port}={old}", "a=b"):
        answer = await league.admin_command(cookie, verb, **fields)
        assert answer.status == 401
        assert answer.json["why"] == "Nobody is signed in here any more. Sign in again."
    assert as_it_stands(league.engine) == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/admin/sign-in", "/admin/sign-out", "/admin/do"])
async def test_another_site_s_page_does_nothing_in_an_administrator_s_name(
    league: LeaguePage, path: str, headers: dict[str, str]
) -> None:
    cookie, before = await league.session(), as_it_stands(league.engine)
    said = {"do": "begin-season", "name": "Evil", "password": PASSWORD}
    assert (await league.post(path, said, cookie, headers=headers)).status == 403
    assert as_it_stands(league.engine) == before
    assert (await league.get("/admin/desk.json", cookie)).json["name"] == NAME


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"])
async def test_what_a_form_could_send_is_not_taken(league: LeaguePage, kind: str) -> None:
    cookie = await league.session()
    answer = await league.post("/admin/do", b'{"do": "add-table"}', cookie, headers={"Content-Type": kind})
    assert answer.status == 415


@pytest.mark.parametrize("path", ["/admin/sign-in", "/admin/do"])
async def test_what_can_not_be_written_again_is_refused_where_it_is_parsed(
    league: LeaguePage, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    cookie, before = await league.session(), as_it_stands(league.engine)
    for value in (b'"\\ud800"', b"NaN", b"1e999", b"9" * 40, b"[" * 600 + b"]" * 600):
        answer = await league.post(path, b'{"do": "add-table", "name": ' + value + b"}", cookie)
        assert (answer.status, answer.json["why"]) == (400, "This takes an object in JSON.")
    assert as_it_stands(league.engine) == before
    assert caplog.records == []


async def test_a_host_that_is_not_ours_leads_nowhere(league: LeaguePage) -> None:
    answer = await league.get("/admin/desk.json", headers={"Host": "league.evil.example"})
    assert answer.status == 421


PATHS = ("/admin/desk.json", "/admin/sign-in", "/admin/sign-out", "/admin/do", "/data/league.json", "/", "/live", "/x")


@pytest.mark.parametrize("number", long_params(range(10)))
async def test_random_requests_at_every_route_change_nothing_and_break_nothing(league: LeaguePage, number: int) -> None:
    chance, before = random.Random(number), as_it_stands(league.engine)
    for _ in range(60):
        method = chance.choice(("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"))
        said = _anything(chance, 3)
        body = chance.choice((json.dumps(said).encode(), chance.randbytes(chance.randrange(40))))
        cookie = (
            f"taptable-league-{league.port}={''.join(chance.choices(string.ascii_letters, k=chance.randrange(50)))}"
        )
        answer = await ask(league.port, chance.choice(PATHS), body, method=method, cookie=cookie)
        assert answer.status < 500
        assert "set-cookie" not in answer.headers or "Max-Age=0" in answer.headers["set-cookie"]
    assert as_it_stands(league.engine) == before
    with read_transaction(league.engine) as connection:
        assert connection.execute(select(sessions)).all() == []


def _anything(chance: random.Random, depth: int) -> Any:
    names = (
        "do",
        "name",
        "password",
        "club",
        "table",
        "season",
        "member",
        "since",
        "until",
        "code",
        "leave",
        "language",
    )
    match chance.randrange(6 if depth else 4):
        case 0:
            return chance.choice((None, True, -1, 1e300, 0, 10**20))
        case 1:
            return chance.choice((*admin_commands.ADMIN_COMMANDS, NAME, "en", "\ud800", "\x00", "=1", "a" * 300))
        case 2:
            return ""
        case 3:
            return chance.random()
        case 4:
            return [_anything(chance, depth - 1) for _ in range(chance.randrange(3))]
        case _:
            return {name: _anything(chance, depth - 1) for name in chance.sample(names, chance.randrange(len(names)))}
