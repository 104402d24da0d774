"""A stranger on the network can watch and nothing more. Whatever they send to any path and with any verb, the game, the
decks, the presets, the journal and the pairings stay as they are, and no number of a tag comes out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from deadline import DEADLINE_S
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from page_server.rig import Client, Table, at_table
from taptable.core.json_text import NotJson, parse_json
from taptable.page.app import STATIC
from taptable.page.browser_verbs import CONNECTION_VERBS, READ_ONLY_VERBS, VERBS
from taptable.page.connection import MESSAGE_BURST
from taptable.referee.session import Decision

from page_access.frames import CLOSE, HELLO, TEXT, frame, on_the_wire
from page_access.rig import (
    STRANGE_TAGS,
    a_phone,
    ask,
    code_of,
    numbers_of_tags,
    open_to_all,
    pair,
    paired_with,
)

PATHS = [
    "/overlay", "/scoreboard", "/scoreboard.json",
    "/", "/about.json", "/faces.svg", "/words/de.json", "/words/xx.json", "/live", "/pair", "/decks", "/games",
    "/cards",
    "/decks/sample.json", "/decks/other.json", "/games/1.json", "/games/0.json", "/games/99999999999999999999.json",
    "/presets.json", "/static/main.js", "/static/../pairing.py", "/demo/x.js", "/journal.sqlite",
    "/journal.pairings.json", "/table.toml", "//decks/sample.json", "/decks/%73ample.json",
    "/decks/..%2fdecks/sample.json", "/decks/sample.json%00", "/decks\\sample.json",
    "*", "http://127.0.0.1/decks/sample.json", "/?x=/decks", "/pair/",
]  # fmt: skip
METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X"]
HEADERS = [
    ("Host", "localhost"), ("Host", "evil.example"), ("Host", ""), ("Origin", "http://evil.example"),
    ("Origin", "null"),
    ("Origin", "http://127.0.0.1:{port}"), ("Cookie", "taptable-{port}=x"), ("Cookie", "taptable-{port}={digest}"),
    ("Cookie", "taptable-{port}={id}"), ("Cookie", ";;;=,\xff"), ("Content-Type", "application/json"),
    ("Content-Type", "text/plain"), ("Content-Type", "application/json; charset=x"), ("Transfer-Encoding", "chunked"),
    ("Content-Length", "5"), ("Content-Length", "-1"), ("Content-Length", "99999999999"), ("Expect", "100-continue"),
    ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
    ("Sec-WebSocket-Version", "13"), ("Sec-Fetch-Site", "cross-site"), ("X-HTTP-Method-Override", "POST"),
    ("X-Forwarded-For", "127.0.0.1"), ("X-Forwarded-Host", "localhost"), ("Forwarded", "for=127.0.0.1"),
    ("Range", "bytes=0-"), ("If-None-Match", "*"), ("Accept-Language", "\xff"), ("Authorization", "Basic YTpi"),
]  # fmt: skip
FIELDS = [
    "n", "language", "boot", "revision", "next", "watch", "text", "deck", "name", "names", "kind", "card", "cards",
    "seat", "pad", "count", "control", "device", "all", "code", "id", "game", "number", "step", "from", "before",
    "players", "edition", "settings", "starter", "preset", "to",
]  # fmt: skip
VALUES: list[Any] = [
    "sample", "second", "family", "email", "email#1", "online#1", ["email#1", "virus#1"], "take-back", "pause", "de",
    "en",
    "000000", "", " ", "\x00", "../sample", "Ana", ["Ana", "Ben"], {"claim_s": "8"}, {"claim_s": 8}, "discard",
    0, 1, 2, 3, -1, 10**9, 10**30, 1.5, 1e300, True, False, None, [], {}, [[]], [None], "x" * 200, *STRANGE_TAGS,
]  # fmt: skip

jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
fields = st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=6), st.sampled_from(VALUES) | jsons, max_size=6)


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """A request, or something like one."""
    path = draw(
        st.sampled_from(PATHS)
        | st.sampled_from(PATHS)
        | st.text(st.characters(max_codepoint=255), max_size=20).map(lambda x: f"/{x}")
    )
    query = draw(st.sampled_from(["", "?language=en", "?language=xx", "?%00", "?"]))
    body = draw(st.binary(max_size=30) | fields.map(lambda said: json.dumps(said).encode()))
    usual = [("Host", "127.0.0.1"), ("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    listed = usual + draw(st.lists(st.sampled_from(HEADERS), max_size=3))
    # mostly each once; sometimes one is there twice, or missing
    headers = list(dict(listed).items()) if draw(st.integers(0, 4)) else listed[draw(st.integers(0, 3)) :]
    method = draw(st.sampled_from(["GET", "POST"]) | st.sampled_from(METHODS))
    lines = [f"{method} {path}{query} HTTP/1.{draw(st.sampled_from('1110'))}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


@dataclass(frozen=True, slots=True)
class Sent:
    """The requests of a stranger in one go; the messages get their verbs by their place among those of the table."""

    requests: tuple[bytes, ...]
    messages: tuple[tuple[int, dict[str, Any]], ...]


sent = st.builds(
    Sent,
    st.lists(requests(), min_size=1, max_size=5).map(tuple),
    st.lists(st.tuples(st.integers(0, 10**6), fields), min_size=1, max_size=12).map(tuple),
)


@dataclass
class Watched:
    """The state that must stay as it is, and all output."""

    table: Table
    heard: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self.before = self.now()

    def now(self) -> tuple[Any, ...]:
        session = self.table.daemon.controller.session
        # the journal is written by events alone; its own files change by being read
        kept = {path: path.read_bytes() for path in self.files() if not path.name.startswith("journal.sqlite")}
        # who is on turn is reminded of Stop all the same
        judged = sum(isinstance(event, Decision) for event in self.table.events)
        return session.table.state, session.table.game_options, session.names, session.prompts, judged, kept

    def files(self) -> list[Path]:
        folder = self.table.config.file.parent
        return sorted(path for path in folder.rglob("*") if path.is_file())

    def assert_untouched(self) -> None:
        assert self.now() == self.before
        assert numbers_of_tags(self.table).search(self.heard.decode("latin-1")) is None
        for one in paired_with(self.table):
            assert one.digest.encode() not in self.heard

    async def throw(self, request: bytes) -> None:
        """Send a request and take what comes back, if anything does."""
        for one in paired_with(self.table):
            request = request.replace(b"{digest}", one.digest.encode()).replace(b"{id}", one.id.encode())
        request = request.replace(b"{port}", str(self.table.port).encode())
        reader, writer = await asyncio.open_connection("127.0.0.1", self.table.port, local_addr=("127.0.0.66", 0))
        try:
            writer.write(request)
            # who asks later has passed later: then the first has its answer, or waits for more
            for _ in range(2):
                assert (await ask(self.table.port, "/about.json")).status == 200
            writer.write_eof()
            self.heard += await asyncio.wait_for(reader.read(), DEADLINE_S)
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def say(self, messages: list[dict[str, Any]]) -> None:
        """Say all this on one live connection; what isn't for everybody isn't done."""
        open_to_all_verbs = CONNECTION_VERBS | READ_ONLY_VERBS
        async with a_phone(self.table, source="127.0.0.66") as stranger:
            texts = [json.dumps({**message, "n": f"q{number}"}) for number, message in enumerate(messages)]
            for text in texts:
                await stranger.send(text)
            for number, message in enumerate(messages):
                if not can_be_parsed(texts[number]):
                    continue  # its answer has no number
                answer = await answer_to(stranger, f"q{number}")
                assert message["do"] in open_to_all_verbs or not answer["ok"], (message, answer)
            self.heard += json.dumps([stranger.messages, stranger.answers]).encode()


def can_be_parsed(text: str) -> bool:
    try:
        parse_json(text)
    except NotJson:
        return False
    return True


async def answer_to(client: Client, number: str) -> dict[str, Any]:
    """The answer of this number, in whichever order answers come."""
    await client.until(lambda it: any(answer["answer"] == number for answer in it.answers))
    return next(answer for answer in client.answers if answer["answer"] == number)


EVERY_VERB = sorted({*VERBS, *CONNECTION_VERBS, "tap", "new-table", ""})
"""All that can be said, what is refused to everybody here among it."""


async def until(events: Callable[[], bool]) -> None:
    async with asyncio.timeout(DEADLINE_S):
        while not events():
            await asyncio.sleep(0.01)


async def tap(table: Table, uid: str, pad: int | str, count: int = 1) -> None:
    """Something is tapped, and the table says so."""
    before = len(table.events)
    table.hardware.put(uid, pad)
    await until(lambda: len(table.events) >= before + count)
    table.hardware.lift(uid, pad)


@asynccontextmanager
async def an_evening_under_way(folder: Path) -> AsyncIterator[Table]:
    """A table at which cards were tapped, some of them of no deck, and with which somebody is paired."""
    # a reminder of Stop would be a change
    async with at_table(replace(open_to_all(folder), stop_reminder_us=None)) as table:
        await pair(table, "Ana")
        await tap(table, table.tags["online#1"], 1)
        for pad in (1, "discard"):
            for uid in STRANGE_TAGS:
                await tap(table, uid, pad)
        yield table


def test_whatever_a_stranger_sends_nothing_changes_and_no_tag_s_number_comes_out(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        evening = an_evening_under_way(tmp_path)
        table = runner.run(evening.__aenter__())

        async def throws(what: Sent) -> None:
            watched = Watched(table)
            messages = [{**said, "do": EVERY_VERB[place % len(EVERY_VERB)]} for place, said in what.messages]
            for request in what.requests:
                await watched.throw(request)
            await watched.say(messages)
            watched.assert_untouched()

        @settings(
            max_examples=40,
            derandomize=True,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=(HealthCheck.too_slow,),
        )
        @given(sent)
        def anything(what: Sent) -> None:
            runner.run(throws(what))

        try:
            anything()
        finally:
            runner.run(evening.__aexit__(None, None, None))


@pytest.mark.long
async def test_every_verb_that_may_change_anything_is_refused_to_a_stranger(tmp_path: Path) -> None:
    async with an_evening_under_way(tmp_path) as table:
        watched = Watched(table)
        refused = sorted(VERBS - READ_ONLY_VERBS)
        assert len(refused) < MESSAGE_BURST
        async with a_phone(table, source="127.0.0.66") as stranger:
            for verb in refused:
                answer = await stranger.ask(verb, deck="sample", name="second", seat=1, all=True, card="email#1")
                assert (verb, answer["ok"]) == (verb, False)
                assert answer["why"].startswith("Anyone may watch")
        watched.assert_untouched()


async def test_what_is_refused_to_a_stranger_is_understood_from_who_is_paired(table: Table) -> None:
    async with a_phone(table, await pair(table)) as phone:
        for verb in sorted(VERBS):
            answer = await phone.ask(verb, device="x", all=False)
            assert answer["ok"] or not answer["why"].startswith("Anyone may watch"), verb


async def test_a_tag_of_no_deck_is_reported_without_its_number_while_cards_are_enrolled_too(tmp_path: Path) -> None:
    config = open_to_all(tmp_path)
    async with at_table(config) as table:
        cookie = await pair(table)
        async with a_phone(table, cookie) as ana, a_phone(table, source="127.0.0.66") as stranger:
            for uid in STRANGE_TAGS:
                await tap(table, uid, 1)
            assert (await ana.ask("enrol", deck="second"))["ok"]
            for uid in (STRANGE_TAGS[0], STRANGE_TAGS[0], STRANGE_TAGS[2], table.tags["virus#1"]):
                table.hardware.put(uid, "discard")
                await stranger.receive()
                table.hardware.lift(uid, "discard")
                await ana.ask("echo")
            assert (await ana.ask("enrol-stop"))["ok"]
            await stranger.ask("echo")
            told = json.dumps([client.messages + client.answers for client in (ana, stranger)])
        assert "unknown tag" in told
        found = numbers_of_tags(table).search(told)
        assert found is None, told[max(0, found.start() - 200) : found.end() + 50]


async def test_what_only_reads_ends_when_nobody_waits_for_it_any_more(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def read_on(*_: object) -> dict[str, Any]:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return {}

    monkeypatch.setattr(table.page, "ask", read_on)
    async with asyncio.timeout(DEADLINE_S):
        async with a_phone(table, source="127.0.0.66") as stranger:
            await stranger.send('{"do": "games"}')
            await begun.wait()
            assert not ended.is_set()
        await ended.wait()


@pytest.mark.parametrize("path", ["/", "/about.json", "/words/en.json", "/faces.svg"])
async def test_a_stranger_can_watch(table: Table, path: str) -> None:
    async with a_phone(table, source="127.0.0.66") as stranger:
        watched = Watched(table)
        await watched.throw(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        assert watched.heard.startswith(b"HTTP/1.1 200")
        table.put("online#1", 1)
        await stranger.until(lambda it: it.parts["teams"][0]["state"] == "up")
        assert (await stranger.ask("language", language="de"))["ok"]


async def test_what_is_there_for_everybody_has_no_tag_s_number_and_no_secret_in_it(table: Table) -> None:
    cookie, code = await pair(table), code_of(table)
    watched = Watched(table)
    paths = [f"/static/{path.relative_to(STATIC).as_posix()}" for path in STATIC.rglob("*.js")]
    for path in ("/", "/about.json", *(f"/words/{language}.json" for language in ("de", "en", "fr", "nl")), *paths):
        await watched.throw(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    assert watched.heard.count(b"HTTP/1.1 200") == len(paths) + 6
    watched.assert_untouched()
    for secret in (cookie.partition("=")[2], code):
        assert secret.encode() not in watched.heard


async def test_a_stranger_s_live_connection_that_breaks_off_anywhere_leaves_nothing_behind(table: Table) -> None:
    said = frame(TEXT, HELLO) + frame(TEXT, b'{"do":"show-code"}') + frame(CLOSE)
    watched = Watched(table)
    for length in range(0, len(said), 3):
        async with on_the_wire(table.port, source="127.0.0.66") as wire:
            wire.send(said[:length])
    await until(lambda: not table.site._clients._open)
    watched.assert_untouched()
