"""``taptable demo`` as a process with its page: what it prints, whom it serves, and how it ends."""

from __future__ import annotations

import json
import os
import platform
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from choosing import long_params
from cli.commands import TAPTABLE
from deadline import DEADLINE_S
from ports import free_port
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).parents[2]
DEMO = (*TAPTABLE, "demo")
ADDRESS = "The table is at "


@contextmanager
def a_demo(
    *arguments: object,
    start: Sequence[str | Path] = DEMO,
    browser: bool = False,
    chooses_port: bool = False,
    **environment: str,
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A running demo, and where its page is. Of demos that begin in the same moment, two may choose the same port."""
    arguments = (*arguments, *(() if chooses_port else ("--port", free_port())))
    process = subprocess.Popen(
        [*start, "--language", "en", *([] if browser else ["--no-browser"]), *map(str, arguments)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line.startswith(ADDRESS), process.communicate()
        yield line.removeprefix(ADDRESS).strip(), process
    finally:
        process.kill()
        process.communicate()


def about(address: str) -> dict[str, Any]:
    with urlopen(f"{address}about.json", timeout=DEADLINE_S) as answer:
        return json.load(answer)


@contextmanager
def connected(address: str, path: str = "live") -> Iterator[ClientConnection]:
    host = address.removeprefix("http://").removesuffix("/")
    with connect(f"ws://{host}/{path}", origin=f"http://{host}", open_timeout=DEADLINE_S) as client:  # type: ignore[arg-type]  # a NewType of str
        ask(client, do="hello", language="en", boot=None, revision=0, next={}, watch=[])
        yield client


def at_the_hands(address: str) -> AbstractContextManager[ClientConnection]:
    """Somebody at the demo's own live connection."""
    return connected(address, "demo/live")


def ask(client: ClientConnection, **message: object) -> dict[str, Any]:
    """The answer to a message."""
    client.send(json.dumps({**message, "n": 1}))
    while "answer" not in (told := json.loads(client.recv(timeout=DEADLINE_S))):
        pass
    return told


def test_it_says_where_it_is_and_serves_the_page_with_its_extension():
    # nobody but who starts does anything, however late it is asked for
    with a_demo("--players", 3, "--seed", 3, "--humans", 2, "--starter", 2) as (address, _):
        assert address.startswith("http://127.0.0.1:")
        assert about(address)["extension"] == {"modules": ["/demo/demo.js"], "styles": ["/demo/demo.css"]}
        told = about(f"{address}demo/")
        assert (told["players"], told["workbench"]) == ([2, 3, 4, 5, 6], True)
        with urlopen(f"{address}demo/demo.js", timeout=DEADLINE_S) as module:
            assert module.status == 200
        with at_the_hands(address) as client:
            assert json.loads(_hello(client, "demo"))["parts"]["demo"]["people"] == [1, 2]
            assert ask(client, do="press", seat=3)["ok"] is False
            assert ask(client, do="press", seat=2)["ok"]


@pytest.mark.long  # where the environment isn't up to date, the script would have to install
def test_the_readme_s_first_command_starts_it_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with a_demo("--players", 2, start=[ROOT / "scripts" / "demo"]) as (address, _):
        assert about(address)


@pytest.mark.long  # an installation from the network
@pytest.mark.skipif(platform.machine() in ("aarch64", "armv7l"), reason="hardware: a Pi builds what mfrc522 requires")
def test_the_wheel_installs_without_a_compiler_and_starts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def done(*command: str | Path) -> str:
        ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=DEADLINE_S)
        if "Failed to establish a new connection" in ran.stderr + ran.stdout:
            pytest.skip("no network")
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    done(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path)
    done(sys.executable, "-m", "venv", tmp_path / "venv")
    programs = tmp_path / "venv/bin"
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    for compiler in ("CC", "CXX"):
        monkeypatch.delenv(compiler, raising=False)
    # a wheel that was once built here would hide that it has to be built elsewhere
    done(programs / "python", "-m", "pip", "install", "--no-cache-dir", *tmp_path.glob("*.whl"))
    assert "usage: taptable demo" in done(programs / "taptable", "demo", "--help")
    # a whole game at the readers on SPI
    assert "At the end:" in done(programs / "taptable", "demo", "--lines", "--compact", "--players", "2", "--seed", "3")
    with a_demo("--players", 2, start=(programs / "taptable", "demo")) as (address, _):
        assert about(address)
        with connected(address) as client:
            assert json.loads(_hello(client))["parts"]


@pytest.mark.parametrize(
    ("number", "status"), long_params([(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
)
def test_a_signal_ends_it_in_order(number: signal.Signals, status: int):
    with a_demo("--players", 2, "--seed", 3) as (address, process), connected(address):
        process.send_signal(number)
        rest, complaint = process.communicate(timeout=DEADLINE_S)
        assert (process.returncode, rest, complaint) == (status, "The same again: --seed 3\n", "")


def test_however_fast_time_passes_the_table_waits_for_its_page():
    with a_demo("--players", 2, "--humans", 2, "--speed", 1000) as (address, _), connected(address) as client:
        told = json.loads(_hello(client))
        assert told["parts"]["alerts"] == []
        assert not [item for item in told["streams"]["log"]["items"] if item["type"] in ("part-lost", "part-back")]


@pytest.mark.skipif(sys.platform != "linux", reason="hardware: processes are found as Linux shows them")
def test_a_page_that_is_killed_is_back_with_all_that_was_published_and_the_table_has_not_noticed():
    with a_demo("--players", 2, "--seed", 3, "--starter", 1, "--humans", 2) as (address, process):
        with connected(address) as client, at_the_hands(address) as hands:
            assert ask(hands, do="press", seat=1)["ok"]
            _until_on_turn(client, 2)
            before = json.loads(_hello(client))
            (page,) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            os.kill(int(page), signal.SIGKILL)
            assert _closed(client).rcvd is None
        _until_it_answers(address)
        with connected(address) as client:
            after = json.loads(_hello(client))
            assert after["boot"] != before["boot"]
            assert after["parts"]["turn"] == before["parts"]["turn"]
            said = [[item["text"] for item in told["streams"]["log"]["items"]] for told in (before, after)]
            assert said[0] == said[1]
        with at_the_hands(address) as hands:
            assert ask(hands, do="press", seat=2)["ok"]


@pytest.mark.long
def test_a_port_that_is_taken_is_a_sentence_and_else_the_next_one_is_had():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = subprocess.run(
            [*DEMO, "--no-browser", "--port", str(port)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE_S, check=False,
        )  # fmt: skip
        assert ended.returncode == 2
        assert ended.stderr == f"taptable demo: --port {port} can't be had: Address already in use.\n"
    with a_demo(chooses_port=True) as (first, _), a_demo(chooses_port=True) as (second, _):
        assert first != second


def test_a_table_that_is_kept_goes_on_where_it_stood(tmp_path: Path):
    options = ("--players", 2, "--seed", 3, "--starter", 1, "--keep", tmp_path)
    with a_demo(*options) as (address, process):
        with connected(address) as client, at_the_hands(address) as hands:
            ask(hands, do="press", seat=1)
            _until_on_turn(client, 2)
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=DEADLINE_S)
        assert rest.endswith(f"Kept. What happened is told by: taptable games --config {tmp_path / 'table.toml'}\n")
    with a_demo(*options) as (address, _), connected(address) as client:
        turn = json.loads(_hello(client))["parts"]["turn"]
        assert turn["paused"]
        assert turn["seat"] == 2


@pytest.mark.long
@pytest.mark.parametrize(("display", "shown"), [(":0", True), ("", False)])
def test_a_browser_is_opened_where_there_are_windows_and_never_in_the_terminal(
    display: str, shown: bool, tmp_path: Path
):
    told, opener = tmp_path / "told", tmp_path / ("open" if sys.platform == "darwin" else "xdg-open")
    os.mkfifo(told)
    opener.write_text(f'#!/bin/sh\necho "a browser of text"\necho "$1" > {told}\n')
    opener.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    with a_demo("--players", 2, browser=True, PATH=path, DISPLAY=display, WAYLAND_DISPLAY="") as (address, process):
        if shown:
            assert told.read_text() == f"{address}\n"
        else:
            assert about(address)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=DEADLINE_S)
        assert rest.startswith("The same again:")


def _until_on_turn(client: ClientConnection, seat: int) -> None:
    """Wait until it is this seat's turn, which may be there already."""
    turn = json.loads(_hello(client))["parts"]["turn"]
    while turn["seat"] != seat:
        turn = json.loads(client.recv(timeout=DEADLINE_S)).get("parts", {}).get("turn", turn)


def _hello(client: ClientConnection, part: str = "table") -> str:
    """The first message to a client that connects again, which has this part."""
    client.send(json.dumps({"do": "hello", "language": "en", "boot": None, "revision": 0, "next": {}}))
    while f'"{part}":' not in (told := str(client.recv(timeout=DEADLINE_S))):
        pass
    return told


def _closed(client: ClientConnection) -> ConnectionClosed:
    """How the connection was closed."""
    try:
        while True:
            client.recv(timeout=DEADLINE_S)
    except ConnectionClosed as closed:
        return closed


def _until_it_answers(address: str) -> None:
    """Ask until somebody is there."""
    late_s = time.monotonic() + DEADLINE_S
    while True:
        try:
            about(address)
        except OSError:
            assert time.monotonic() < late_s, f"{address} is gone"
            select.select([], [], [], 0.05)  # nobody there says so at once
        else:
            return
