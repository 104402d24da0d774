"""The server's answers to requests: the page and its files, and nothing else of this computer."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from random import Random

import pytest
from deadline import DEADLINE_S
from taptable import __version__
from taptable.core.cues import Lamp, Sound
from taptable.narration.lamps import LAMP_PATTERNS
from taptable.page.app import STATIC
from taptable.page.guard import HEADERS, OPENER_POLICY
from taptable.page.page import CONTEXTS
from taptable.page.responses import TYPES
from taptable.sim.page.app import STATIC as DEMO_STATIC
from taptable.words import LANGUAGES
from websockets.exceptions import InvalidStatus

from page_server.rig import SmallExtension, Table, a_client, get, raw

SAID = re.compile(r'"(page [a-z][a-z0-9-]*)"')
"""A word by its key, as a module or the page names it."""


async def test_the_page_and_its_files_are_served(table: Table) -> None:
    page = await get(table.port, "/")
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.body == (STATIC / "index.html").read_bytes()
    for file in STATIC.rglob("*"):
        if file.suffix in TYPES:
            answer = await get(table.port, f"/static/{file.relative_to(STATIC).as_posix()}")
            assert (answer.status, answer.body) == (200, file.read_bytes())
            assert answer.headers["content-type"] == TYPES[file.suffix]


async def test_the_scoreboard_is_served_by_the_page_s_own_rules(table: Table) -> None:
    answer = await get(table.port, "/scoreboard")
    assert answer.status == 200
    assert answer.body == (STATIC / "scoreboard.html").read_bytes()
    assert {name: answer.headers[name.lower()] for name in HEADERS} == dict(HEADERS)
    assert not re.search(rb"<script(?![^>]* src=)|<style|\bon[a-z]+=|style=", answer.body)  # the policy forbids these
    assert (await get(table.port, "/scoreboard", Host="evil.example")).status == 421
    assert (await get(table.port, "/scoreboard/")).status == 404
    assert (await get(table.port, "/scoreboard", "POST")).status == 405


async def test_a_page_for_this_computer_alone_has_no_address_for_another_screen(table: Table) -> None:
    assert (await get(table.port, "/scoreboard.json")).json == {"address": None, "qr": None}


async def test_a_browser_learns_how_the_sounder_sounds(table: Table) -> None:
    about = (await get(table.port, "/about.json")).json
    assert about["tunes"].keys() == {sound.value for sound in Sound}
    assert about["tunes"]["accepted"] == {"priority": 1, "tones": [[1318.5, 60], [1760.0, 90]]}
    assert about["tunes"]["refused"]["tones"][1] == [None, 40]
    assert about["ticks"][0] == [4000, 1000]


async def test_every_answer_says_what_a_browser_may_do_with_it(table: Table) -> None:
    for path in ("/", "/about.json", "/nothing", "/static/../x", "/static/"):
        answer = await get(table.port, path)
        assert {name: answer.headers[name.lower()] for name in HEADERS} == dict(HEADERS)
        assert answer.headers.items() >= {name.lower(): value for name, value in OPENER_POLICY.items()}.items()
    refused = await get(table.port, "/", Host="evil.example")
    assert "cross-origin-opener-policy" not in refused.headers  # by http a browser takes it from this computer alone
    assert refused.headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


async def test_what_a_browser_has_already_is_not_sent_again(table: Table) -> None:
    for path in ("/", "/about.json", "/words/de.json"):
        first = await get(table.port, path)
        again = await get(table.port, path, If_None_Match=first.headers["etag"])
        assert (again.status, again.body) == (304, b"")
        other = await get(table.port, path, If_None_Match='"0"')
        assert other.status == 200


async def test_the_head_of_a_file_can_be_asked_for(table: Table) -> None:
    answer = await get(table.port, "/", "HEAD")
    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["content-length"]) == len((STATIC / "index.html").read_bytes())


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
async def test_nothing_can_be_written(table: Table, method: str) -> None:
    assert (await get(table.port, "/", method)).status == 405


async def test_a_browser_learns_what_the_table_is_about(table: Table) -> None:
    about = (await get(table.port, "/about.json")).json
    assert about["version"] == __version__
    assert (about["table"], about["language"], about["game"]) == ("Simulated table", "de", "online")
    assert about["languages"] == list(LANGUAGES)
    assert about["extension"] is None
    assert about["lamps"].keys() == {lamp.value for lamp in Lamp}
    assert about["lamps"]["may-buzz"] == {"steps": [[True, 250], [False, 250]], "passing": False}
    assert about["lamps"]["granted"]["passing"] is LAMP_PATTERNS[Lamp.GRANTED].passing is True


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_words_of_a_language_are_served(table: Table, language: str) -> None:
    told = (await get(table.port, f"/words/{language}.json")).json
    assert told["language"] == language
    assert told["decimal"] == ("." if language == "en" else ",")
    words = told["words"]
    assert words["pad seat"].count("{number}") == 1
    assert words["card email"]  # the game's
    assert {key.partition(" ")[0] for key in words} <= set(CONTEXTS)
    assert (await get(table.port, f"/words/online/{language}.json")).json == told


async def test_the_words_that_the_page_says_are_served(table: Table) -> None:
    sources = [
        each for folder in (STATIC, DEMO_STATIC) for each in folder.rglob("*.*") if each.suffix in (".js", ".html")
    ]
    said = {key for each in sources for key in SAID.findall(each.read_text(encoding="utf-8"))}
    assert len(said) > 300
    assert said - (await get(table.port, "/words/en.json")).json["words"].keys() == set()


async def test_there_are_no_words_in_other_languages(table: Table) -> None:
    for path in ("/words/it.json", "/words/.json", "/words/de", "/words/../de.json", "/words/chess/de.json"):
        assert (await get(table.port, path)).status == 404


async def test_the_faces_are_the_game_s(table: Table) -> None:
    answer = await get(table.port, "/faces.svg")
    assert answer.headers["content-type"] == TYPES[".svg"]
    assert b'id="face-email"' in answer.body
    assert (await get(table.port, "/faces/online.svg")).body == answer.body
    assert (await get(table.port, "/faces/chess.svg")).status == 404


async def test_an_extension_adds_its_files_and_is_named(table: Table, extension: SmallExtension) -> None:
    (extension.static / "small.js").write_text("// small")
    about = (await get(table.port, "/about.json")).json
    assert about["extension"] == {"modules": ["/small/small.js"], "styles": []}
    answer = await get(table.port, "/small/small.js")
    assert (answer.status, answer.body) == (200, b"// small")


async def test_an_extension_is_behind_the_page_s_guard(table: Table, extension: SmallExtension) -> None:
    (extension.static / "small.js").write_text("// small")
    refused = await get(table.port, "/small/small.js", Host="evil.example")
    assert refused.status == 421
    other = await get(table.port, "/small/small.js", "POST", Origin="http://evil.example")
    assert other.status == 403
    answer = await get(table.port, "/small/small.js")
    assert {name: answer.headers[name.lower()] for name in HEADERS} == dict(HEADERS)
    with pytest.raises(InvalidStatus, match="403"):
        async with a_client(table.port, "/small/live", origin="http://evil.example"):
            pass


async def test_a_table_without_an_extension_has_none_of_its_files(table: Table) -> None:
    for path in ("/small/small.js", "/demo/demo.js", "/demo/about.json"):
        assert (await get(table.port, path)).status == 404


# who may ask


async def test_a_request_that_names_no_host_or_two_is_refused(table: Table) -> None:
    old = await raw(table.port, b"GET /about.json HTTP/1.0\r\n\r\n")
    assert b" 421 " in old.partition(b"\r\n")[0]
    twice = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
    assert b" 400 " in (await raw(table.port, twice)).partition(b"\r\n")[0]
    assert (await get(table.port, "/about.json", Host="evil.example")).status == 421


# ways out of the folder


SECRET = "what is none of the browser's business"

TRICKS = [
    "/static/../secret.js",
    "/static/..%2fsecret.js",
    "/static/%2e%2e/secret.js",
    "/static/%2e%2e%2fsecret.js",
    "/static/..%5csecret.js",
    "/static/....//secret.js",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/static/./main.js",
    "/static//main.js",
    "/static/main.js/",
    "/static/main.js/..",
    "/static/main.js%00.css",
    "/static/%00",
    "/static/%",
    "/static/%ff%fe.js",
    "/static/~root/x.js",
    "/static/.hidden.js",
    "/static/../app.py",
    "/static/__init__.py",
    "/static",
    "/static/",
    "//static/main.js",
    "/..",
    "/../../etc/passwd",
    "/small/../secret.js",
    "/small/%2e%2e/secret.js",
    "/small/link.js",
    "/small/linked/secret.js",
    "/small/script.py",
    "/small/.env.json",
    "/small/" + "a/" * 2000 + "b.js",
    "/small/" + "a" * 3000 + ".js",
]


async def test_no_path_leads_out_of_the_folders(tmp_path: Path, table: Table, extension: SmallExtension) -> None:
    (tmp_path / "secret.js").write_text(SECRET)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret.js").write_text(SECRET)
    (extension.static / "link.js").symlink_to(tmp_path / "secret.js")
    (extension.static / "linked").symlink_to(tmp_path / "elsewhere")
    (extension.static / "script.py").write_text(SECRET)
    (extension.static / ".env.json").write_text(SECRET)
    for path in TRICKS:
        answer = await get(table.port, path)
        assert answer.status == 404, path
        assert SECRET.encode() not in answer.body


async def test_a_file_that_can_t_be_read_is_not_there(table: Table, extension: SmallExtension) -> None:
    (extension.static / "folder.js").mkdir()
    os.mkfifo(extension.static / "pipe.js")
    assert (await get(table.port, "/small/folder.js")).status == 404
    assert (await get(table.port, "/small/pipe.js")).status == 404


# what is no request


async def test_any_bytes_get_an_answer_or_nothing_and_the_page_goes_on(table: Table) -> None:
    rng = Random(1)
    pieces = [
        b"GET ", b"/", b" HTTP/1.1\r\n", b"Host: localhost\r\n", b"\r\n", b"Upgrade: websocket\r\n",
        b"Connection: Upgrade\r\n", b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5\r\n", b"5\r\nhello\r\n",
        b"Content-Length: -1\r\n", b"\x00\xff\x81", b"A" * 9000, b"/live", b"Sec-WebSocket-Key: x\r\n", b": \r\n",
    ]  # fmt: skip

    async def throw() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
        writer.write(b"".join(rng.choices(pieces, k=rng.randint(1, 12))))
        writer.write_eof()
        await asyncio.wait_for(reader.read(), DEADLINE_S)
        writer.close()

    for _ in range(30):
        await asyncio.gather(*(throw() for _ in range(4)), return_exceptions=True)
    assert (await get(table.port, "/about.json")).status == 200
    async with a_client(table.port) as client:
        assert (await client.hello())["parts"]["turn"]["seat"] == 1


async def test_about_json_is_small_enough_to_be_read_at_a_glance(table: Table) -> None:
    assert len(json.dumps((await get(table.port, "/about.json")).json)) < 4000
