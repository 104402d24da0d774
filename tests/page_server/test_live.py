"""The live connection, with the real daemon behind it: every client receives the changes in its own language, and every
request is answered."""

from __future__ import annotations

import asyncio
import json
from math import ceil
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any

import pytest
from deadline import DEADLINE_S
from taptable.api.requests import MAX_ENTRIES, Role
from taptable.api.socket_paths import socket_path
from taptable.core.notices import StopForgotten
from taptable.core.part_notices import PoweringOff
from taptable.daemon.power_off import REQUEST_FILE
from taptable.page.connection import MAX_PENDING_REQUESTS
from taptable.page.messages import MAX_CHARACTERS
from taptable.page.page import LOG_LENGTH
from taptable.page.site import serve_in_background
from taptable.words import LANGUAGES

from page_server.rig import (
    Client,
    SmallExtension,
    Table,
    a_client,
    a_daemon,
    a_folder_of_sockets,
    a_table_with_a_page,
    at_table,
    with_given_time,
)

PARTS = {"controls", "pack", "table", "turn", "seats", "teams", "piles", "window", "now", "counts", "alerts", "update"}
OF_TOPICS = {
    "parts",
    "names",
    "people",
    "setup",
    "question",
    "checking",
    "lost",
    "possible",
    "decks",
    "enrolment",
    "course",
}


BEGUN = ["New game: seat 1 begins.", "Seat 1 is on turn."]
"""The beginning of a log at the table of these tests."""


def log(client: Client) -> list[str]:
    return [item["text"] for _, item in sorted(client.items.get("log", {}).items())]


def tell(table: Table, count: int) -> None:
    """Publish `count` sentences at once."""
    for _ in range(count):
        table.daemon.controller.note(StopForgotten(table.daemon.clock.now_us(), 1, loudly=True))


async def test_a_client_that_says_hello_gets_everything(table: Table, client: Client) -> None:
    told = await client.hello()
    assert told.keys() == {"boot", "revision", "at_us", "parts", "streams"}
    assert told["parts"].keys() == PARTS | OF_TOPICS
    assert 0 <= told["at_us"] <= table.daemon.clock.now_us()
    assert client.parts["turn"]["seat"] == 1


async def test_a_tap_is_published_to_all_listeners(table: Table, client: Client) -> None:
    await client.hello()
    async with a_client(table.port) as other:
        await other.hello(language="de")
        table.put("online#1", 1)
        for each in (client, other):
            await each.until(lambda it: it.parts["teams"][0]["state"] == "up")
            assert each.messages[-1]["parts"].keys().isdisjoint({"table", "window", "alerts"})
        assert log(client)[-1].startswith("Seat 1")
        assert log(other)[-1].startswith("Platz 1")


async def test_only_changes_are_sent(table: Table, client: Client) -> None:
    await client.hello()
    table.put("email#1", 1)
    await client.until(lambda it: len(log(it)) > len(BEGUN))
    told = client.messages[-1]
    assert told["parts"] == {}
    (item,) = told["streams"]["log"]["items"]
    assert (item["kind"], item["rule"], item["card"], item["pad"]) == ("refused", "R5.1", "email#1", 1)


async def test_who_comes_back_gets_what_was_missed_and_no_more(table: Table, client: Client) -> None:
    await client.hello()
    tell(table, 3)
    await client.until(lambda it: len(log(it)) == len(BEGUN) + 3)
    known = client.known()
    await client.socket.close()
    async with a_client(table.port) as other, a_client(table.port) as again:
        await other.hello()
        tell(table, 2)
        await other.until(lambda it: len(log(it)) == len(BEGUN) + 5)  # the page has them, from the daemon's thread
        told = await again.hello(**known)
        assert told["streams"]["log"]["from"] == len(BEGUN) + 3
        assert len(told["streams"]["log"]["items"]) == 2
        assert told["parts"] == {}


async def test_after_another_start_of_the_table_everything_is_sent(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    async with at_table(config) as table, a_client(table.port) as client:
        await client.hello()
        known = client.known()
    async with at_table(config) as table, a_client(table.port) as client:
        told = await client.hello(**{**known, "revision": 10**6})
        assert told["boot"] != known["boot"]
        assert told["parts"].keys() == PARTS | OF_TOPICS


async def test_after_another_start_of_the_table_the_log_tells_this_game_from_its_beginning(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    async with at_table(config) as table, a_client(table.port) as client:
        await client.hello()
        tell(table, 1)
        table.daemon.controller.use_control("new-game", "discard", "page")
        tell(table, LOG_LENGTH - 10)
        await client.until(lambda it: len(log(it)) == len(BEGUN) + LOG_LENGTH - 10)
        before = log(client)
        assert before[: len(BEGUN)] == BEGUN
    async with at_table(config) as table, a_client(table.port) as client, a_client(table.port) as other:
        await client.hello()
        assert log(client) == [*before, "The game is paused."]
        told = await other.hello(language="de")
        assert next(item["text"] for item in told["streams"]["log"]["items"]) == "Neues Spiel: Platz 1 beginnt."
        tell(table, LOG_LENGTH)
    async with at_table(config) as table, a_client(table.port) as client:
        await client.hello()
        assert len(log(client)) == LOG_LENGTH


async def test_a_sentence_is_in_the_language_of_who_hears_it(table: Table, client: Client) -> None:
    await client.hello(language="fr")
    tell(table, 1)
    await client.until(lambda it: bool(log(it)))
    heard = {client.parts["now"]["title"]: log(client)[0]}
    for language in LANGUAGES:
        if language != "fr":
            assert (await client.ask("language", language=language))["ok"]
            heard[client.parts["now"]["title"]] = log(client)[0]
    assert len(heard) == len(set(heard.values())) == len(LANGUAGES)


@with_given_time
async def test_two_hundred_announcements_in_one_turn_of_the_loop_are_a_few_messages(
    table: Table, client: Client
) -> None:
    await client.hello()
    tell(table, LOG_LENGTH)
    await client.until(lambda it: len(log(it)) == len(BEGUN) + LOG_LENGTH)
    assert len(client.messages) <= 2 + ceil(LOG_LENGTH / MAX_ENTRIES)


@with_given_time
async def test_announcements_one_after_the_other_are_sent_no_faster_than_a_screen_shows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # of given time, that passes only while nothing is to be done
    monkeypatch.setattr("taptable.page.connection.SPACING_S", 5.0)
    async with at_table(a_table_with_a_page(tmp_path)) as table, a_client(table.port) as client:
        await client.hello()
        tell(table, 1)
        await client.until(lambda it: len(log(it)) == len(BEGUN) + 1)
        before = len(client.messages)
        for number in range(1, 101):
            tell(table, 1)
            assert (await client.ask("echo"))["answer"] == number
        assert len(client.messages) == before
        await client.until(lambda it: len(log(it)) == len(BEGUN) + 101)
        assert len(client.messages) == before + 1


async def test_small_messages_wait_for_nobody_to_acknowledge_the_last(table: Table, client: Client) -> None:
    await client.hello()
    sockets = [each.transport.get_extra_info("socket") for each in table.site._server._state.connections]
    assert [bool(each.getsockopt(IPPROTO_TCP, TCP_NODELAY)) for each in sockets] == [True]


async def test_what_is_asked_is_answered_by_its_number(client: Client) -> None:
    await client.hello()
    assert await client.ask("echo", text="é😀") == {"answer": 1, "ok": True, "text": "é😀"}
    assert await client.ask("echo") == {"answer": 2, "ok": True}
    assert await client.ask("watch", watch=["wire"]) == {"answer": 3, "ok": True}
    assert await client.ask("hello") == {"answer": 4, "ok": True, "paired": True, "name": "page"}
    await client.send('{"do": "echo", "n": "seven"}')
    assert (await client.answer("seven"))["ok"]


WRONG = [
    ("xx", "not-json"),
    ("[]", "not-json"),
    ("7", "not-json"),
    ('{"do": "echo"', "not-json"),
    ("[" * 5000, "not-json"),
    ("1" * 6000, "not-json"),
    ("{}", "no-verb"),
    ('{"do": 7}', "no-verb"),
    ('{"do": "tap"}', "unknown-verb"),
    ('{"do": "\\ud800{}%s"}', "not-json"),
    ('{"do": "{}%s"}', "unknown-verb"),
    ('{"do": "language", "language": "it"}', "no-language"),
    ('{"do": "language", "language": ["de"]}', "no-language"),
    ('{"do": "watch", "watch": "wire"}', "wrong-field"),
    ('{"do": "watch", "watch": [7]}', "wrong-field"),
    (json.dumps({"do": "watch", "watch": ["x"] * 1000}), "wrong-field"),
    (json.dumps({"do": "echo", "text": "x" * MAX_CHARACTERS}), "too-long"),
    ('{"do": "echo", "n": null, "text": 1e999}', "not-json"),
    ('{"do": "echo", "text": NaN}', "not-json"),
    ('{"do": "echo", "text": ' + "[" * 400 + "]" * 400 + "}", "not-json"),
    ('{"do": "echo", "text": [7]}', "wrong-field"),
    (b"\x00\xff", "no-text"),
]


@pytest.mark.parametrize(("text", "key"), WRONG, ids=[str(text)[:20] for text, _ in WRONG])
async def test_what_can_t_be_gets_a_sentence_and_loses_nothing(
    table: Table, client: Client, text: str | bytes, key: str
) -> None:
    await client.hello()
    words = table.page.words("en")
    sentence = words.message("live", key)
    assert sentence is not None
    begin = sentence.partition("{")[0]
    assert (await client.complain(text)).startswith(begin)
    tell(table, 1)
    await client.until(lambda it: bool(log(it)))
    assert (await client.ask("echo"))["ok"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"revision": "x"},
        {"revision": -1},
        {"next": []},
        {"next": {"log": -1}},
        {"next": {str(n): 1 for n in range(99)}},
    ],
)
async def test_an_impossible_hello_is_refused_and_may_be_repeated(client: Client, wrong: dict[str, Any]) -> None:
    await client.hello()
    answer = await client.ask("hello", **{**client.known(), **wrong})
    assert not answer["ok"]
    assert (await client.ask("hello", **client.known()))["ok"]


async def test_hello_comes_first(client: Client) -> None:
    why = await client.complain('{"do": "echo"}')
    assert why == "Zuerst „hello“ sagen."  # the table's language: nobody has asked for another
    assert (await client.hello())["parts"].keys() == PARTS | OF_TOPICS


async def test_a_bug_in_what_is_shown_lets_the_client_go_and_the_table_play_on(table: Table, client: Client) -> None:
    trouble: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: trouble.append(context))
    await client.hello()
    table.page.feed.put("now", lambda _: 1 / 0)
    assert (await client.closed()).code == 1011
    before = len(table.events)
    table.put("online#1", 1)
    async with asyncio.timeout(DEADLINE_S):
        while len(table.events) == before:
            await asyncio.sleep(0.01)
    assert isinstance(trouble[0]["exception"], ZeroDivisionError)


async def test_nothing_can_be_written_down_stands_until_something_can(table: Table, client: Client) -> None:
    await client.hello()
    table.daemon.controller.publish(journal_error="no room")
    await client.until(lambda it: bool(it.parts["alerts"]))
    assert client.parts["alerts"][0]["kind"] == "journal"
    tell(table, 1)
    await client.until(lambda it: not it.parts["alerts"])


# actions that take their time, at an extension


async def test_an_action_is_answered_after_its_result_was_sent(small: Client) -> None:
    answer = await small.ask("count", to=5)
    assert (answer["ok"], answer["said"], answer["paired"]) == (True, [], True)
    assert small.parts["small"] == 5


async def test_an_action_that_can_t_be_gets_its_sentence(small: Client) -> None:
    assert await small.ask("dance") == {"answer": 1, "ok": False, "why": "Dance? en"}


async def test_a_bug_in_an_action_is_reported_and_logged(small: Client) -> None:
    trouble: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: trouble.append(context))
    answer = await small.ask("break")
    assert not answer["ok"]
    assert answer["why"]
    assert (await small.ask("echo"))["ok"]
    assert isinstance(trouble[0]["exception"], ZeroDivisionError)


async def test_while_an_action_takes_its_time_others_are_answered(small: Client, extension: SmallExtension) -> None:
    for number in range(MAX_PENDING_REQUESTS):
        await small.send(json.dumps({"do": "wait", "n": f"w{number}"}))
    assert (await small.ask("echo"))["ok"]
    assert not (await small.ask("wait"))["ok"]  # too much at once
    extension.hold.set()
    await small.until(
        lambda it: len([a for a in it.answers if str(a["answer"]).startswith("w")]) == MAX_PENDING_REQUESTS
    )
    assert (await small.ask("wait"))["ok"]


async def test_an_extension_hears_who_has_gone_and_an_action_goes_on_to_its_end(
    table: Table, extension: SmallExtension
) -> None:
    async with a_client(table.port, "/small/live") as client:
        await client.hello()
        name = (await client.ask("count", to=1))["client"]
        await client.send('{"do": "wait", "n": 9}')
        assert (await client.ask("echo"))["ok"]
    async with asyncio.timeout(DEADLINE_S):
        while not extension.gone:
            await asyncio.sleep(0)
    assert extension.gone == [name]
    assert extension.done == []
    extension.hold.set()
    async with asyncio.timeout(DEADLINE_S):
        while not extension.done:
            await asyncio.sleep(0)


async def test_a_verb_of_an_extension_is_none_of_the_table_s(client: Client, extension: SmallExtension) -> None:
    await client.hello()
    assert not (await client.ask("count", to=5))["ok"]
    assert extension.feed.revision == 0


async def test_table_time_goes_on_by_the_clock_that_the_page_was_given(tmp_path: Path) -> None:
    now_s = [0.0]
    config = a_table_with_a_page(tmp_path)
    assert config.page is not None
    with a_folder_of_sockets() as sockets:
        place = socket_path(sockets, Role.PAGE)
        async with (
            a_daemon(config, sockets),
            serve_in_background(config.page, place, clock=lambda: now_s[0]) as (page, _),
        ):
            await asyncio.wait_for(page.game_known.wait(), DEADLINE_S)
            async with a_client(config.page.port) as client:
                told_us = (await client.hello())["at_us"]
                assert (await client.hello())["at_us"] == told_us
                now_s[0] += 30.0
                assert (await client.hello())["at_us"] == told_us + 30_000_000


# switching off


async def test_a_client_may_ask_for_it_and_gets_it_before_the_answer(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    async with at_table(config, requests=tmp_path) as table, a_client(table.port) as client:
        await client.hello()
        assert (await client.ask("power-off"))["ok"]
        assert [notice["kind"] for notice in client.parts["alerts"]] == ["power"]
        assert (tmp_path / REQUEST_FILE).exists()
        assert (await client.ask("power-off"))["ok"]
        assert len([said for said in table.events if isinstance(said, PoweringOff)]) == 1


async def test_the_reason_of_a_refusal_is_in_the_language_of_the_requester(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    async with at_table(config, requests=tmp_path / "gone") as table, a_client(table.port) as client:
        await client.hello(language="nl")
        answer = await client.ask("power-off")
        assert (
            answer["why"]
            == f"Kan niet uit worden gezet: {tmp_path / 'gone' / REQUEST_FILE}: No such file or directory."
        )


async def test_only_a_client_that_watches_gets_the_sounds_of_the_table(table: Table) -> None:
    async with a_client(table.port) as client, a_client(table.port) as other:
        await other.hello()
        await client.hello(watch=["sounds"])
        table.daemon.controller.use_control("pause", "discard", "page")
        await client.until(lambda it: any(item["sound"] == "accepted" for item in it.items["sounds"].values()))
        await other.until(lambda it: any("paused" in item["text"] for item in it.items["log"].values()))
        assert "sounds" not in other.items
