"""Small forms of what measures a league and of what kills its parts, with the real servers; and its demo."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest
from aiomqtt import Client, MqttError
from deadline import DEADLINE_S
from league.processes import TAPTABLE
from servers import HOST, LEAGUE, Nats, NotInstalled, program
from taptable.core.errors import ConfigError, LeagueError
from taptable.league.broker_accounts import write_nats_users
from taptable.sim.league.broker import running_broker
from taptable.uplink.broker import subscribe
from taptable.uplink.messages import ROOT

from bench.league import describe, running_league
from bench.league_games import Games, record_games
from bench.league_season import crash_in_turn, running_season


@pytest.fixture(autouse=True)
def installed() -> None:
    try:
        for name in ("mosquitto", "nats-server"):
            program(name)
        program("postgres", "usr/lib/postgresql/*/bin")
    except NotInstalled as none:
        pytest.skip(str(none))


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    record_games(path, 12, 1)
    return path


@pytest.mark.long
def test_each_recorded_game_is_another_and_more_are_added_to_those_that_are_there(games: Path):
    before = games.read_bytes().splitlines()
    record_games(games, 13, 1)
    after = games.read_bytes().splitlines()
    assert (len(after), after[:12], len(set(after))) == (13, before, 13)


@pytest.mark.long
async def test_everything_that_simulated_tables_send_is_stored_confirmed_and_shown(games: Path):
    async with running_league(games, tables=5, entries_per_s=100, workers=1) as league:
        figures = await league.measure(3)
        assert league.fleet.backlog == 0
    assert (figures.remarks, figures.tables) == ({}, 5)
    assert figures.entries > 0
    assert re.search(r"\d+ entries of \d+ games stored and confirmed, \d+ a second", describe(figures))
    assert figures.busy.keys() == {"mosquitto", "postgres", "worker1", "generators"}


@pytest.mark.long
async def test_a_season_that_loses_a_node_a_worker_and_the_database_has_every_entry_once(games: Path):
    said: list[str] = []
    async with running_season(6) as season:
        await season.play(Games(games), each=1, seconds=5)
        await crash_in_turn(season, 8, said.append)
        await season.play(Games(games), each=1, seconds=1)
        await season.wait_until_confirmed(DEADLINE_S)
        assert season.differences() == []
        journal = season.journals[0]
        journal.texts.pop()
        assert len(season.differences()) == 1  # it would have been seen
    assert [line.partition(" ")[0] for line in said if "killed" in line] == ["nats1", "worker1", "postgres"]


@pytest.mark.long
def test_the_demo_shows_games_that_end_and_are_proved_with_members_in_the_standings(tmp_path: Path):
    command = [TAPTABLE, "league", "demo", "--tables", "2", "--speed", "200", "--no-browser", "--keep", tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as demo:
        try:
            assert demo.stdout is not None
            address = re.search(r"http://\S+/", demo.stdout.readline())
            assert address is not None
            end_s = time.monotonic() + DEADLINE_S
            while not (standings := asked(f"{address[0]}data/standings.json")["standings"]):
                assert time.monotonic() < end_s
                time.sleep(0.2)
        finally:
            demo.send_signal(signal.SIGINT)
            assert demo.wait(DEADLINE_S) == 128 + signal.SIGINT
    assert all(line["member"]["name"] for line in standings)
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_dir()) == ["broker", "table1", "table2"]


HOLDS_A_BROKER = """
import asyncio, sys
from pathlib import Path
from taptable.sim.league.broker import running_broker
async def hold():
    async with running_broker(Path(sys.argv[1]), "secret", {}) as broker:
        print(broker.account.port, flush=True)
        await asyncio.Event().wait()
asyncio.run(hold())
"""


@pytest.mark.long
def test_a_demo_that_is_killed_leaves_no_broker(tmp_path: Path):
    with subprocess.Popen([sys.executable, "-c", HOLDS_A_BROKER, tmp_path], stdout=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        port = int(demo.stdout.readline())
        assert listens(port)
        demo.kill()
    end_s = time.monotonic() + DEADLINE_S
    while listens(port):
        assert time.monotonic() < end_s
        time.sleep(0.02)


def listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex((HOST, port)) == 0


async def test_without_a_broker_the_demo_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(ConfigError, match=r"there is no mosquitto here: `sudo apt install mosquitto`"):
        async with running_broker(tmp_path, "secret", {}):
            pass


def test_a_server_that_is_not_installed_is_named_with_what_gets_it():
    with pytest.raises(NotInstalled, match="there is no brokerd: scripts/setup-servers gets it"):
        program("brokerd")


def test_accounts_of_nats_that_cannot_be_written_are_a_sentence(tmp_path: Path):
    with pytest.raises(LeagueError, match=r"users\.conf can't be written: No such file"):
        write_nats_users(tmp_path / "gone" / "users.conf", LEAGUE, {})


@pytest.mark.long
async def test_a_topic_that_a_broker_refuses_is_an_error_and_not_silence(nats: Nats):
    nats.accounts({LEAGUE: LEAGUE, "t1": "key"})
    client = Client(HOST, nats.nodes[0].port, username="t1", password="key", identifier="refused", timeout=DEADLINE_S)
    async with client:
        await subscribe(client, f"{ROOT}/t1/down/confirmed", qos=0)
        with pytest.raises(MqttError, match="refuses the subscription"):
            await subscribe(client, f"{ROOT}/t2/down/confirmed", qos=0)


def asked(address: str) -> dict[str, list[dict[str, dict[str, str]]]]:
    with urlopen(address, timeout=DEADLINE_S) as answer:
        return json.load(answer)
