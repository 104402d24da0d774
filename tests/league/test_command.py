"""``taptable league``: tables get their keys, a broker here lets each write where it may, and what is kept is
listed, written out and made again."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiomqtt import Client, MqttError
from deadline import DEADLINE_S
from league.sending import League, Sender
from league.simulated_games import simulate_game
from memory.processes import NOBODY, folder_for_all, without_privileges
from servers import HOST, Mosquitto, NotInstalled, mosquitto
from sqlalchemy import update
from taptable.cli import main
from taptable.core.spelling import escape_control_chars
from taptable.league.broker_accounts import write_accounts
from taptable.league.database import open_database, read_transaction, write_transaction
from taptable.league.ratings import rate_new_games
from taptable.league.schema import seats
from taptable.league.tables import all_tables
from taptable.page.network import local_name
from taptable.uplink.messages import VERSION, MemberSaid, Topics

ANN, BOB = "a" * 16, "b" * 16


@pytest.fixture
def broker() -> Iterator[Mosquitto]:
    try:
        with mosquitto(passwords={}) as found:
            yield found
    except NotInstalled as error:
        pytest.skip(str(error))


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "league.toml"
    path.write_text("[league]\nlanguage = 'en'\n")
    return path


def league(settings: Path, *arguments: str) -> int:
    return main(["league", "--settings", str(settings), "--language", "en", *arguments])


@pytest.mark.parametrize("name", ["a\x1b[31mb", "", "\u3164", "a\nb", "\0"])
def test_a_name_in_which_nothing_is_seen_or_something_is_hidden_is_refused_in_words(
    settings: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    for arguments in ((name,), ("Hall", "--club", name)):
        assert league(settings, "table", "add", *arguments) == 2
        said = capsys.readouterr().err
        assert "can't be a name" in said
        assert escape_control_chars(said) == said
    assert league(settings, "table", "list") == 0
    assert "Hall" not in capsys.readouterr().out


def test_a_season_listed_written_out_and_made_again(
    settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert league(settings, "table", "list") == 2
    assert "taptable league migrate" in capsys.readouterr().err
    assert league(settings, "migrate") == 0
    assert league(settings, "table", "add", "Hall, left", "--club", "chess", "--host", "league.example") == 0
    lines = capsys.readouterr().out
    said = tomllib.loads(lines)["league"]
    key = lines.splitlines()[-1].removeprefix("# ")
    engine = open_database(f"sqlite:///{tmp_path}/league.sqlite")
    with read_transaction(engine) as connection:
        (table,) = all_tables(connection)
    assert said == {
        "host": "league.example", "port": 1883, "tls": False, "table": table.id, "key_file": "league.key",
    }  # fmt: skip
    assert (table.name, table.club, table.key) == ("Hall, left", "chess", key)
    sender = Sender(League(engine), table)
    sender.journal.play(simulate_game(1), ANN, BOB)
    sender.send_all()
    formula = '=HYPERLINK("http://evil.example","Ann")'
    sender.send(MemberSaid(VERSION, ANN, formula, "", "name"), sender.topics.members)
    rate_new_games(engine, "online")
    assert league(settings, "recompute") == 0
    assert ": 0 differences." in capsys.readouterr().out
    assert league(settings, "export", "standings") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["member"]: row["name"] for row in rows} == {ANN: f"'{formula}", BOB: ""}
    assert league(settings, "export", "games", "--json", "--season", "2027") == 0
    assert len(json.loads(capsys.readouterr().out)) == 4
    assert league(settings, "export", "games", "--season", "1999") == 2
    assert "there are 2027" in capsys.readouterr().err
    assert league(settings, "table", "revoke", "nobody") == 2
    assert league(settings, "table", "revoke", table.id) == 0
    assert league(settings, "table", "list") == 0
    assert "revoked" in capsys.readouterr().out
    with write_transaction(engine) as connection:
        connection.execute(update(seats).where(seats.c.seat == 1).values(score=1_000_000))
    assert league(settings, "recompute") == 1
    assert ": 1 differences." in capsys.readouterr().out
    engine.dispose()


@pytest.mark.parametrize("here", ["localhost", "127.0.0.1", "127.0.1.1", "::1"])
def test_a_table_gets_a_host_that_another_computer_can_use(
    settings: Path, capsys: pytest.CaptureFixture[str], here: str
) -> None:
    for host, expected in ((here, local_name()), ("broker.example", "broker.example"), ("192.0.2.7", "192.0.2.7")):
        settings.write_text(f"[mqtt]\nhost = '{host}'\n")
        assert league(settings, "table", "add", f"At {host}") == 0
        assert tomllib.loads(capsys.readouterr().out)["league"]["host"] == expected
    settings.write_text(f"[mqtt]\nhost = '{here}'\n")
    assert league(settings, "table", "add", "By hand", "--host", here) == 0
    assert tomllib.loads(capsys.readouterr().out)["league"]["host"] == here


def test_without_its_packages_a_league_says_how_to_have_them(
    settings: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(name: str) -> None:
        del name

    monkeypatch.setattr("taptable.cli.league.find_spec", nothing)
    for arguments in (("run",), ("demo",)):
        assert league(settings, *arguments) == 2
        assert "scripts/setup league" in capsys.readouterr().err


def test_accounts_keep_the_broker_s_group_where_the_league_is_not_root() -> None:
    """As beside a table's accounts, which root has written."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files away")
    with folder_for_all() as folder:
        os.chown(folder, NOBODY, NOBODY)
        passwords, access = folder / "passwords", folder / "access"
        for path, text in ((passwords, "table:$7$101$a$b\n"), (access, "user table\n")):
            path.write_text(text)
            os.chown(path, 0, NOBODY)
            path.chmod(0o640)
        os.setegid(NOBODY)
        try:
            with without_privileges():
                write_accounts(passwords, access, "league", {"league": "secret"}, ())
        finally:
            os.setegid(0)
        assert passwords.read_text().startswith("table:$7$101$a$b\nleague:")
        assert access.read_text().startswith("user table\n")
        assert {(path.stat().st_gid, path.stat().st_mode & 0o777) for path in (passwords, access)} == {(NOBODY, 0o640)}


async def test_a_broker_lets_each_write_where_it_may(
    settings: Path, broker: Mosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the league's own")
    secret.chmod(0o600)
    accounts, access = broker.folder / "passwords", broker.folder / "acl"
    accounts.write_text(accounts.read_text() + "other:$7$101$AAAA$AAAA\n")
    settings.write_text(
        f'[mqtt]\nhost = "{HOST}"\nport = {broker.port}\nuser = "club"\npassword_file = "secret"\n'
        f'accounts = "{accounts}"\naccess = "{access}"\n'
    )
    for name in ("one", "other"):
        assert league(settings, "table", "add", name) == 0
    assert "SIGHUP" in capsys.readouterr().err
    engine = open_database(f"sqlite:///{tmp_path}/league.sqlite")
    with read_transaction(engine) as connection:
        tables = {table.name: table for table in all_tables(connection)}
    engine.dispose()
    assert "other:$7$101$AAAA$AAAA" in accounts.read_text().splitlines()
    before = accounts.read_text(), access.read_text()
    assert accounts.stat().st_mode & 0o007 == 0
    os.kill(broker.pid, signal.SIGHUP)
    one, other = tables["one"], tables["other"]
    async with (
        client(broker, "club", "the league's own") as league_client,
        client(broker, one.id, one.key) as table,
        client(broker, other.id, other.key) as neighbour,
    ):
        await league_client.subscribe("taptable-league/+/up/#", qos=1)
        await neighbour.subscribe("taptable-league/#", qos=1)
        await neighbour.publish(Topics(one.id).entries, b"forged", qos=1)
        await table.publish(Topics(one.id).confirmed, b"forged", qos=1)
        await table.publish(Topics(one.id).entries, b"own", qos=1)
        assert (await anext(league_client.messages)).payload == b"own"
        await league_client.publish(Topics(one.id).confirmed, b"for another", qos=1)
        await league_client.publish(Topics(other.id).confirmed, b"for me", qos=1)
        assert (await anext(neighbour.messages)).payload == b"for me"
    for user, password in ((one.id, other.key), ("other", "x"), (None, None)):
        with pytest.raises(MqttError):
            async with client(broker, user, password):
                pass
    assert league(settings, "table", "revoke", one.id) == 0
    assert one.id not in accounts.read_text()
    assert access.read_text() == before[1]  # its own part was replaced, and stands there once
    kept = [line for line in before[0].splitlines() if not line.startswith(one.id)]
    assert accounts.read_text().splitlines() == kept


def client(broker: Mosquitto, user: str | None, password: str | None) -> Client:
    return Client(HOST, broker.port, username=user, password=password, timeout=DEADLINE_S)


def test_a_database_that_is_away_is_a_sentence(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings.write_text('[database]\nurl = "postgresql+psycopg://x@127.0.0.1:1/x"\n')
    assert league(settings, "migrate") == 2
    assert "can't be used" in capsys.readouterr().err
