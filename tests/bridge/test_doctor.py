"""The doctor's findings about brokers, with real brokers and real accounts. Each sentence is in docs/doctor.md."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from doctor.documented import is_documented
from table.rig import a_table
from taptable.bridge.retained import Published, state_file_of
from taptable.config import Account, Config, MqttSettings, UplinkSettings
from taptable.doctor.brokers import examine_brokers
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding
from taptable.doctor.site import ExaminedTable
from taptable.drivers.registry import installed_drivers
from taptable.uplink.messages import VERSION, Confirmed, Position, Topics, encode_signed

from bridge.broker import OBSERVER, PASSWORDS, Broker, a_client, a_listener
from bridge.rig import NAME, a_config, at_table

TABLE = "ab12cd34"
KEY = PASSWORDS[TABLE]


def a_certificate(folder: Path) -> tuple[Path, Path]:
    """The certificate of a broker on this computer, signed by itself, and its key."""
    certificate, key = folder / "broker.crt", folder / "broker.key"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "2"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    return certificate, key


async def findings_of(config: Config, held_by: str | None = None, unit: str | None = None) -> list[Finding]:
    """Every finding; `unit` is what systemd says of the bridge. Each fault and warning is documented."""
    site = ExaminedTable(Computer(read_output=lambda _: unit), installed_drivers(), config, held_by)
    found: list[Finding] = [finding async for finding in examine_brokers(site)]
    assert [each for each in found if each.state in ("fault", "warning") and not is_documented(each)] == []
    return found


async def said_of(config: Config, held_by: str | None = None) -> list[tuple[str, str, str]]:
    """Part, state and what was found."""
    found = await findings_of(config, held_by)
    return [(each.part, each.state, each.found) for each in found]


async def test_a_table_without_a_broker_has_none(tmp_path: Path) -> None:
    assert await said_of(a_table(tmp_path)) == [("mqtt", "skipped", "the table uses no broker")]


async def test_a_table_whose_state_is_published_and_one_whose_isn_t(broker: Broker, tmp_path: Path) -> None:
    config = a_config(tmp_path, broker.settings())
    taken = ("mqtt", "ok", f"127.0.0.1:{broker.port} accepts the account table")
    untold = f"a table runs, but taptable/{NAME}/online doesn't say so, or this account can't read it"
    assert await said_of(config, "process 1") == [taken, ("mqtt", "warning", untold)]
    async with at_table(config), a_listener(broker) as listener:
        await listener.online("online")
        there = f"taptable/{NAME}/online says that the table is online"
        assert await said_of(config, "process 1") == [taken, ("mqtt", "ok", there)]


@pytest.mark.long
async def test_a_bridge_that_runs_is_not_to_be_started_but_let_in(broker: Broker, tmp_path: Path) -> None:
    """The access list is for another name, as when the table was renamed."""
    config = a_config(tmp_path, broker.settings())
    config = replace(config, table=replace(config.table, name="Living room"))
    *_, stopped = await findings_of(config, "process 1", "ActiveState=inactive\n")
    assert stopped.todo.startswith("Start the bridge")
    *_, running = await findings_of(config, "process 1", "ActiveState=active\n")
    assert running.found == stopped.found
    assert "Start the bridge" not in running.todo
    assert "`taptable bridge --access`" in running.todo
    trouble = "the broker drops what is said at taptable/living-room-82b04d6a/state"
    path = state_file_of(config.table.journal.parent, config)
    path.write_bytes(msgspec.json.encode(Published("Living room", "taptable", troubles=(trouble,))))
    _, *told = await findings_of(config, "process 1", "ActiveState=active\n")
    assert [each.found for each in told] == [f"the bridge reports: {trouble}"]
    assert "`taptable bridge --access`" in told[0].todo


@pytest.mark.long
async def test_what_the_bridge_says_of_its_way_there(broker: Broker, tmp_path: Path) -> None:
    config = a_config(tmp_path, broker.settings())
    sentence = "another client at the broker uses the id taptable-home"
    path = state_file_of(config.table.journal.parent, config)
    path.write_bytes(msgspec.json.encode(Published(NAME, "taptable", troubles=(sentence,))))
    assert (await said_of(config))[-1] == ("mqtt", "warning", f"the bridge reports: {sentence}")
    path.write_text("{")
    assert (await said_of(config))[-1][1] == "ok"


@pytest.mark.parametrize("unit", ["ActiveState=active\n", "ActiveState=inactive\n"])
async def test_while_no_table_runs_the_message_is_true_if_it_is_not_online(
    unit: str, broker: Broker, tmp_path: Path
) -> None:
    config, topic = a_config(tmp_path, broker.settings()), f"taptable/{NAME}/online"
    async with a_client(broker.account(OBSERVER)) as eye:
        for payload, state, found in (
            (b"offline", "ok", f"no table runs, and {topic} says 'offline'"),
            (b"\xff of others", "ok", f"no table runs, and {topic} says '\\\\xff of others'"),
            (b"online", "warning", f"no table runs, but {topic} says that it is online"),
        ):
            await eye.publish(topic, payload, qos=1, retain=True)
            last = (await findings_of(config, unit=unit))[-1]
            assert (last.state, last.found) == (state, found), payload
            assert ("start the bridge" in last.todo) == (state == "warning" and "inactive" in unit)


@pytest.mark.long
async def test_a_table_with_the_ids_of_an_earlier_version(broker: Broker, tmp_path: Path) -> None:
    config = a_config(tmp_path, replace(broker.settings(), account=broker.account(OBSERVER)))
    config = replace(config, table=replace(config.table, name="Living room"))
    new = "a table runs, but taptable/living-room-82b04d6a/online doesn't say so, or this account can't read it"
    assert (await said_of(config, "process 1"))[-1] == ("mqtt", "warning", new)
    async with a_client(broker.account(OBSERVER)) as eye:
        await eye.publish("taptable/living-room/state", b'{"table":"Living room"}', qos=1, retain=True)
        await eye.publish("taptable/living-room/online", b"online", qos=1, retain=True)
    there = "taptable/living-room/online says that the table is online"
    assert (await said_of(config, "process 1"))[-1] == ("mqtt", "ok", there)


async def test_a_broker_that_isn_t_there_or_doesn_t_take_the_account(broker: Broker, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("open barley\n")
    wrong.chmod(0o600)
    settings = MqttSettings(broker.account(password_file=wrong))
    ((part, state, found),) = await said_of(a_config(tmp_path, settings))
    assert (part, state) == ("mqtt", "fault")
    assert found.startswith(f"127.0.0.1:{broker.port} rejects the account table: ")
    broker.kill()
    (tmp_path / "other").mkdir()
    ((_, state, found),) = await said_of(a_config(tmp_path / "other", broker.settings()))
    assert state == "fault"
    assert found.startswith(f"127.0.0.1:{broker.port} can't be reached: ")


async def test_a_password_that_isn_t_one(broker: Broker, tmp_path: Path) -> None:
    open_to_all = tmp_path / "open"
    open_to_all.write_text("open sesame\n")
    open_to_all.chmod(0o644)
    for path, sentence in ((open_to_all, "is open to others"), (tmp_path / "none", "isn't there")):
        config = a_config(tmp_path, MqttSettings(broker.account(password_file=path)))
        ((_, state, found),) = await said_of(config)
        assert state == "fault"
        assert sentence in found


async def test_a_password_across_a_network_in_the_clear(tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("open sesame\n")
    password.chmod(0o600)
    config = a_config(tmp_path, MqttSettings(Account("192.0.2.7", 1, user="table", password_file=password)))
    (first, second) = await said_of(config)
    assert first == ("mqtt", "warning", "the password is sent to 192.0.2.7:1 without TLS")
    assert second[1] == "fault"


# what paho leaves open where there is no TLS is closed by Python, and complained of
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_tls_with_the_right_certificate_and_with_none(tmp_path: Path) -> None:
    certificate, key = a_certificate(tmp_path)
    broker = Broker(tmp_path / "broker", (certificate, key))
    broker.start()
    try:
        config = a_config(tmp_path, MqttSettings(broker.account(tls=True, ca=certificate)))
        async with at_table(config):
            while (found := await said_of(config, "process 1"))[-1][1] != "ok":
                pass
        assert found[0] == ("mqtt", "ok", f"127.0.0.1:{broker.port} accepts the account table, over TLS")
        ((_, state, said),) = await said_of(replace(config, mqtt=MqttSettings(broker.account(tls=True))))
        assert state == "fault"
        assert said.startswith(f"TLS with 127.0.0.1:{broker.port} fails: ")
        missing = MqttSettings(broker.account(tls=True, ca=tmp_path / "none"))
        ((_, state, said),) = await said_of(replace(config, mqtt=missing))
        assert "the certificates of" in said
    finally:
        broker.kill()


@pytest.mark.parametrize(
    ("remark", "key", "state", "found"),
    [
        ("", KEY, "ok", "the league has everything up to entry 7"),
        ("clock", KEY, "warning", "the league says: "),
        ("", KEY[::-1], "fault", "the retained message isn't from the league: "),
    ],
)
async def test_the_league_s_last_word(
    remark: str, key: str, state: str, found: str, broker: Broker, tmp_path: Path
) -> None:
    league = UplinkSettings(broker.account(TABLE), TABLE)
    config = replace(a_config(tmp_path, broker.settings()), mqtt=None, league=league)
    taken = ("league", "ok", f"127.0.0.1:{broker.port} accepts the account {TABLE}")
    assert await said_of(config) == [taken, ("league", "skipped", "the league has sent nothing to this table yet")]
    topic = Topics(TABLE).confirmed
    said = Confirmed(VERSION, Position("0" * 32, 7, "1" * 32), 0, remark)
    async with a_client(broker.account(OBSERVER)) as eye:
        await eye.publish(topic, encode_signed(said, topic, bytes.fromhex(key)), qos=1, retain=True)
    first, (part, now, sentence) = await said_of(config)
    assert first == taken
    assert (part, now) == ("league", state)
    assert sentence.startswith(found)
