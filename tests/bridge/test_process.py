"""`taptable bridge` as a process of its own: what it says of a configuration it can't use, and how it ends."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from choosing import long_params
from deadline import DEADLINE_S
from page_server.rig import a_daemon, a_folder_of_sockets
from table.rig import a_table
from taptable.api.socket_paths import FOLDER_VARIABLE
from taptable.bridge.discovery import access_list
from taptable.bridge.topics import topics_of
from taptable.cli import main
from taptable.config import Config, load_config
from taptable.daemon.game_options import check_game

from bridge.broker import OBSERVER, ROOT, Broker, a_listener
from bridge.rig import NAME, a_config

TAPTABLE = Path(sys.executable).with_name("taptable")


def written(config: Config, lines: str) -> Config:
    """The same table with these lines at the end of its file."""
    text = config.file.read_text(encoding="utf-8")
    text, tables = re.subn(r'^\[table\]\nname = ".*"$', f'[table]\nname = "{NAME}"', text, count=1, flags=re.MULTILINE)
    assert tables == 1
    config.file.write_text(f"{text}\n{lines}", encoding="utf-8")
    return load_config(config.file, check_game)


@asynccontextmanager
async def a_process(config: Config, sockets: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """The bridge of that table; it is killed at the end if it still runs."""
    process = await asyncio.create_subprocess_exec(
        *(TAPTABLE, "bridge", "--config", config.file), stderr=PIPE, env={**os.environ, FOLDER_VARIABLE: str(sockets)}
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.mark.parametrize(("number", "status"), long_params([(signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)]))
async def test_however_it_ends_the_table_is_offline_then(
    number: signal.Signals, status: int, broker: Broker, tmp_path: Path
) -> None:
    account = broker.account()
    lines = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker.port}\nuser = "table"\n'
    lines += f'password_file = "{account.password_file}"\n'
    config = written(a_config(tmp_path, broker.settings()), lines)
    assert config.mqtt == broker.settings()
    with a_folder_of_sockets() as sockets:
        async with (
            a_daemon(config, sockets),
            a_listener(broker, OBSERVER) as listener,
            a_process(config, sockets) as process,
        ):
            await listener.online("online")
            process.send_signal(number)
            await listener.online("offline")
            assert await asyncio.wait_for(process.wait(), DEADLINE_S) == status


@pytest.mark.parametrize(
    ("lines", "said"),
    long_params(
        [
            ("", "has neither [mqtt] nor [league]: the bridge has nothing to publish."),
            (
                '[mqtt]\nhost = "localhost"\nuser = "a"\npassword_file = "none"\n',
                "none isn't there: write the password",
            ),
            (
                '[league]\nhost = "localhost"\ntable = "a"\nkey_file = "table.toml"\n',
                "is open to others, and",
            ),
        ]
    ),
)
async def test_settings_that_it_can_t_use_are_reported_and_it_ends_with_status_2(
    lines: str, said: str, tmp_path: Path
) -> None:
    config = written(a_table(tmp_path), lines)
    config.file.chmod(0o644)
    async with a_process(config, tmp_path) as process:
        assert process.stderr is not None
        told = (await asyncio.wait_for(process.stderr.read(), DEADLINE_S)).decode()
        assert await process.wait() == 2
    assert said in told
    assert told.startswith("taptable bridge: ")
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("build", ["full", "compact"])
def test_it_prints_the_access_list_of_the_name_that_an_example_has(
    build: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    text = (ROOT / "examples" / f"{build}.toml").read_text(encoding="utf-8")
    path.write_text(f'{text}\n[mqtt]\nhost = "localhost"\nuser = "table"\n', encoding="utf-8")
    assert main(["bridge", "--config", str(path), "--access"]) == 0
    printed = capsys.readouterr().out
    topics = topics_of("taptable", load_config(path, check_game).table.name)
    assert f"topic readwrite {topics.state}\n" in printed
    assert printed == access_list(topics, "homeassistant", "table")


def test_an_access_list_without_discovery_names_none_of_home_assistant_s_topics() -> None:
    assert "homeassistant/" not in access_list(topics_of("taptable", "home"), "", "table")


@pytest.mark.parametrize("lines", ["", '[mqtt]\nhost = "localhost"\n'])
def test_without_an_account_there_is_no_access_list(
    lines: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.toml"
    path.write_text((ROOT / "examples" / "full.toml").read_text(encoding="utf-8") + lines, encoding="utf-8")
    assert main(["bridge", "--config", str(path), "--access"]) == 2
    assert "names no user in [mqtt]" in capsys.readouterr().err
