"""The table's local API over its sockets: which client may send which request, what is published, and what a slow, loud
or hostile client costs."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S
from hypothesis import given, settings
from hypothesis import strategies as st
from properties.gestures import THOROUGH
from table.rig import a_table
from taptable.api.facts import TOPICS
from taptable.api.requests import REQUESTS, VERSION, Change, Role
from taptable.api.rpc import INVALID_PARAMS, INVALID_REQUEST, LONGEST_LINE, METHOD_NOT_FOUND, PARSE_ERROR
from taptable.api.socket_paths import socket_path
from taptable.config.model import PageSettings
from taptable.core.part_notices import PartLost
from taptable.daemon.api import sockets
from taptable.daemon.api.sockets import MAX_CLIENTS
from taptable.daemon.daemon import Daemon
from taptable.memory.pairings import digest_of
from taptable.narration.updates import Update
from taptable.sim.table import SimulatedTable

from api.rig import Client, Table, a_client, with_a_client


@pytest.fixture
async def visit(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[Table, Client]]:
    """Somebody at a table whose page is open to the `network` or not."""
    async with with_a_client(tmp_path, network=getattr(request, "param", False)) as visit:
        yield visit


async def test_a_client_that_says_hello_learns_what_the_table_is(table: Table, client: Client) -> None:
    facts = await client.call("hello", version=VERSION)
    assert facts["api"] == VERSION
    assert (facts["table"], facts["seats"]) == (table.config.table.name, 2)


async def test_a_client_of_another_version_is_refused_as_such(client: Client) -> None:
    error = await client.refused("hello", version=VERSION + 1)
    assert error["data"] == {"context": "live", "key": "other-version", "facts": {"theirs": 2, "ours": 1}}
    assert error["message"].startswith("The page and the table are of different versions")


async def test_topics_are_published_as_they_are_and_then_as_they_change(table: Table, client: Client) -> None:
    await client.call("subscribe", topics=list(TOPICS))
    await client.until(lambda topics: topics.keys() >= TOPICS.keys())
    before = client.topics["journal"]
    assert before["game"] == 1
    client.topics.clear()
    table.tap("online#1", 1)
    await client.until(lambda topics: "journal" in topics)
    assert client.topics["journal"]["entry"] > before["entry"]
    assert "presets" not in client.topics  # they have not changed
    assert client.topics["time"].keys() == {"at_us"}


async def test_the_result_of_a_request_is_published_no_later_than_its_answer(client: Client) -> None:
    await client.call("subscribe", topics=["journal", "session"])
    await client.until(lambda topics: "session" in topics)
    outcome = await client.call("control", control="pause")
    assert outcome["after"] < outcome["entry"] == client.topics["journal"]["entry"]
    found = await client.call("entries", game=1, after=outcome["after"])
    assert [entry["line"].get("control") for _, entry in found["entries"] if entry["kind"] == "observation"] == [
        "pause"
    ]


async def test_who_has_not_subscribed_costs_nothing(table: Table, client: Client) -> None:
    made: list[str] = []
    topics = table.daemon.api.topics
    table.daemon.api.topics = {  # type: ignore[misc]
        name: lambda name=name: made.append(name) or topics[name]() for name in topics
    }
    await client.call("subscribe", topics=["journal"])
    await client.until(lambda told: "journal" in told)
    await client.call("control", control="pause")
    assert set(made) == {"journal", "time"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{\n", PARSE_ERROR),
        (b"\xff\n", PARSE_ERROR),
        (b"[]\n", INVALID_REQUEST),
        (b'{"method":1}\n', INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","method":"hello","id":1}\n', INVALID_REQUEST),
        (b'{"method":"dance","id":1}\n', METHOD_NOT_FOUND),
        (b'{"method":"hello","id":1}\n', INVALID_PARAMS),
        (b'{"method":"hello","id":1,"params":[1]}\n', INVALID_PARAMS),
        (b'{"method":"entries","id":1,"params":{"game":0}}\n', INVALID_PARAMS),
        (b'{"method":"entries","id":1,"params":{"game":1,"most":65}}\n', INVALID_PARAMS),
        (b'{"method":"games","id":1,"params":{"what":1}}\n', INVALID_PARAMS),
        (b'{"method":"subscribe","id":1,"params":{"topics":["weather"]}}\n', INVALID_PARAMS),
        (b'{"method":"set-up","id":1,"params":{"players":7}}\n', INVALID_PARAMS),
        (b"[" * 100_000 + b"\n", INVALID_REQUEST),
    ],
)
async def test_what_cant_be_taken_is_answered_and_the_next_is_heard(line: bytes, code: int, client: Client) -> None:
    client.send(line)
    assert (await client.hear())["error"]["code"] == code
    assert await client.call("hello", version=VERSION)


@pytest.mark.parametrize("role", Role)
async def test_each_role_has_its_methods_and_no_others(tmp_path: Path, role: Role) -> None:
    async with with_a_client(tmp_path, role) as (_, client):
        for method, request in REQUESTS.items():
            told = await client.answer(method, params_of_nobody=1)
            assert told["error"]["code"] == (INVALID_PARAMS if role in request.roles else METHOD_NOT_FOUND), method


def test_the_bridge_only_reads() -> None:
    assert not any(issubclass(request, Change) for request in REQUESTS.values() if Role.BRIDGE in request.roles)


@pytest.mark.parametrize("visit", [True], indirect=True)
async def test_where_somebody_has_to_be_paired_the_table_looks_it_up_itself(table: Table, client: Client) -> None:
    assert (await client.refused("control", control="pause"))["data"]["key"] == "not-paired"
    assert (await client.refused("control", control="pause", device="0" * 64))["data"]["key"] == "not-paired"
    await client.call("show-code")
    pairing = table.daemon.api.pairing
    assert pairing is not None
    assert pairing.code is not None
    secret = (await client.call("pair", code=pairing.code.digits, name="Ada"))["secret"]
    device = digest_of(secret)
    assert (await client.call("who", device=device))["name"] == "Ada"
    assert (await client.call("control", control="pause", device=device))["entry"]
    await client.call("unpair", everybody=True, device=device)
    assert (await client.refused("control", control="resume", device=device))["data"]["key"] == "not-paired"


async def test_an_administrator_needs_no_pairing(tmp_path: Path) -> None:
    async with with_a_client(tmp_path, Role.ADMIN, network=True) as (_, client):
        assert (await client.call("control", control="pause"))["entry"]


@pytest.mark.parametrize("visit", [True], indirect=True)
async def test_numbers_of_strange_tags_are_other_numbers_to_who_is_not_paired(table: Table, client: Client) -> None:
    strange = "04aabbccddeef0"
    await client.call("subscribe", topics=["journal"])
    await client.until(lambda topics: "journal" in topics)
    table.hardware.put(strange, 1)
    taps: list[str] = []
    while not taps:
        # Other things than the tap come to the journal, too.
        before = client.topics["journal"]["entry"]
        hidden = json.dumps(await client.call("entries", game=1))
        lines = [entry["line"] or {} for _, entry in json.loads(hidden)["entries"]]
        taps = [line["tap"] for line in lines if "tap" in line]
        if not taps:
            await client.until(lambda topics, before=before: topics["journal"]["entry"] > before)
    assert [len(tap) for tap in taps] == [len(strange)]
    assert strange not in hidden
    async with a_client(table, Role.ADMIN) as administrator:
        assert strange in json.dumps(await administrator.call("entries", game=1))
    assert json.dumps(await client.call("entries", game=1)) == hidden


async def test_a_line_that_has_no_end_is_the_end(client: Client) -> None:
    client.send(b"[" * (LONGEST_LINE + 1))
    assert (await client.hear())["error"]["code"] == INVALID_REQUEST
    with pytest.raises((EOFError, ConnectionError)):
        await client.hear()


async def test_a_client_that_does_not_read_is_disconnected_and_costs_a_bounded_amount(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sockets, "SEND_TIMEOUT_S", 0.05)
    async with with_a_client(tmp_path) as (table, client):
        async with a_client(table, limit=1024) as deaf:
            with suppress(ConnectionError):
                while True:  # until it is let go
                    deaf.send(b'{"method":"games","id":1}\n' * 100)
                    await asyncio.wait_for(deaf.writer.drain(), DEADLINE_S)
                    assert max(each.unsent_bytes for each in table.clients) <= 2 * sockets.MAX_UNSENT_BYTES
        assert await client.call("hello", version=VERSION)
    assert "API connection closed: a client of the page socket doesn't read" in caplog.text


async def test_too_many_connections_are_closed_at_once_and_others_stay(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with with_a_client(tmp_path) as (table, client):
        others = [a_client(table) for _ in range(MAX_CLIENTS)]
        came = [await each.__aenter__() for each in others]
        with pytest.raises(EOFError):
            await came[-1].hear()
        assert await came[0].call("hello", version=VERSION)
        assert await client.call("hello", version=VERSION)
        for each in others:
            await each.__aexit__(None, None, None)
    assert f"API connection closed: the page socket has {MAX_CLIENTS} clients already" in caplog.text


async def test_a_socket_is_its_groups_and_nobody_elses(table: Table) -> None:
    for role in Role:
        path = socket_path(table.sockets, role)
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
METHODS = st.sampled_from([*REQUESTS, "dance"])


def params_for(method: str) -> st.SearchStrategy[Mapping[str, Any]]:
    """Anything under the names of its parameters, and under others."""
    names = REQUESTS[method].__struct_fields__ if method in REQUESTS else ()
    return st.dictionaries(st.sampled_from([*names, "x"]), ANYTHING | st.integers(0, 6), max_size=4)


LINES = st.lists(
    st.binary(max_size=60).map(lambda line: line.replace(b"\n", b" "))
    | METHODS.flatmap(
        lambda method: params_for(method).map(
            lambda params: json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        )
    ),
    max_size=12,
)


@settings(max_examples=20 * THOROUGH)
@given(lines=LINES, role=st.sampled_from(Role))
async def test_random_lines_are_all_answered_and_the_table_plays_on(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], role: Role
) -> None:
    async with with_a_client(tmp_path_factory.mktemp("thrown"), role) as (table, client):
        for line in lines:
            client.send(line + b"\n")
        assert (await client.answer("hello", version=VERSION))["result"]["api"] == VERSION
        heard = table.daemon.controller.session
        table.tap("online#1", 1)
        async with a_client(table, Role.ADMIN) as onlooker:
            await onlooker.call("subscribe", topics=["journal"])
            await onlooker.until(lambda topics: "journal" in topics)
            entry = onlooker.topics["journal"]["entry"]
            if table.daemon.controller.session is heard:
                await onlooker.until(lambda topics: topics["journal"]["entry"] > entry)


async def test_a_table_whose_sockets_cant_be_had_says_so_and_plays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = replace(a_table(tmp_path), page=PageSettings(0))
    (tmp_path / "sockets").write_text("a file in their place")
    lost: list[str] = []

    def on_update(update: Update) -> None:
        lost.extend(each.reason for each in update.events if isinstance(each, PartLost) and each.part == "page")

    with SimulatedTable(config).powered() as drivers:
        daemon = Daemon(config, drivers, on_update, sockets=tmp_path / "sockets")
        await daemon.start()
        assert daemon.controller.command("pause", daemon.clock.now_us())
        await daemon.stop()
    assert lost == ["the local API's socket can't be opened: Not a directory"]
    assert "Local API not available" in caplog.text
