"""docs/page.md says what the server does."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from taptable.api.requests import AskPresence, Devices, ShowAddress, ShowCode, Unpair, WithdrawPresence, method_of
from taptable.daemon import daemon, enrolment_session
from taptable.daemon.api import decks, pairing
from taptable.memory import pairings, presets
from taptable.memory.update_check import ReleaseAnnouncement
from taptable.narration.sentences import narrate
from taptable.page import (
    connection,
    connections,
    file_transfer,
    guard,
    messages,
    page,
    past_games,
    protocols,
    server,
    site,
)
from taptable.page.browser_verbs import READ_ONLY_VERBS
from taptable.page.guard import HEADERS
from taptable.page.view import ALERT_KINDS, AlertsPart, LogItem
from taptable.referee.lines import VERDICTS

from page_server.rig import Table, a_client, a_table_with_a_page, at_table, get
from page_server.test_controls import an_xnet_turn, controls_in
from page_server.test_view import ENGLISH, alerts, checking, in_a_window, shown, tied

TEXT = (Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8")
LINES = " ".join(TEXT.split())


def table_of(heading: str) -> dict[str, str]:
    """The first two columns of the table under a heading."""
    (part,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    return dict(re.findall(r"^\| `([^`]+)` \| (.*?) \|", part, re.MULTILINE))


def names(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def fields_of(value: Any) -> list[str]:
    """The fields of a part, or of the first of a list."""
    return list(value[0] if isinstance(value, list) else value)


def test_every_part_is_listed_with_its_fields() -> None:
    evening = in_a_window()
    parts = {**shown(evening), "controls": controls_in(an_xnet_turn())}
    parts["alerts"] = AlertsPart(alerts(checking()))(ENGLISH)
    parts["update"] = asdict(ReleaseAnnouncement("0.3.0", "2027-01-15", "", "https://example.org/"))
    listed = table_of("Parts")
    assert list(listed) == list(parts)
    assert {name: names(cell) for name, cell in listed.items()} == {
        name: fields_of(value) for name, value in parts.items()
    }


def test_the_fields_within_fields_are_listed() -> None:
    parts = shown(checking())
    team = parts["teams"][0]
    for field in (*team["marks"][0], *team["rows"][0], *parts["turn"]["checking"]):
        assert f"`{field}`" in LINES
    assert {f"`{kind}`" for kind in ALERT_KINDS.values()} <= set(re.findall(r"`\w+`", LINES))


def test_an_item_of_the_log_is_listed_with_its_fields() -> None:
    (item,) = [LogItem(each)(ENGLISH) for event in tied().events[-1:] for each in narrate(event)]
    (listed,) = re.findall(r"The stream `log` has an item for each sentence: ([^.]*)\.", LINES)
    assert names(listed) == ["n", *item]
    assert all(f"`{word}`" in LINES for word in VERDICTS.values() if word != "accepted")


async def test_every_path_is_served(table: Table) -> None:
    for path in table_of("Requests"):
        spelled = (
            path.replace("<language>", "fr").replace("<game>", "online").replace("/static/…", "/static/index.html")
        )
        if "live" not in path:
            assert (await get(table.port, spelled)).status == 200


async def test_every_verb_is_understood_with_what_it_comes_with(tmp_path: Path) -> None:
    said = {"language": "de", "boot": None, "revision": 0, "next": {}, "watch": [], "in_public": True, "text": "x"}
    config = a_table_with_a_page(tmp_path)
    async with at_table(config, requests=tmp_path) as table, a_client(table.port) as client:
        for verb, cell in table_of("The live connection").items():
            answer = await client.ask(verb, **{name: said[name] for name in names(cell)})
            assert answer["ok"], answer


def test_the_rights_for_every_verb_of_pairing_are_listed() -> None:
    (part,) = re.findall(r"^## Who may do what\n(.*?)(?=^## )", TEXT, re.MULTILINE | re.DOTALL)
    listed = re.findall(r"^\| `([^`]+)` \| .*? \| (anyone|paired) \|", part, re.MULTILINE)
    verbs = (ShowCode, AskPresence, WithdrawPresence, ShowAddress, Devices, Unpair)
    who = {verb: "anyone" if verb in READ_ONLY_VERBS else "paired" for verb in map(method_of, verbs)}
    assert dict(listed) == who


async def test_the_first_messages_to_a_browser_are_listed(tmp_path: Path) -> None:
    async def look(table: Table) -> None:
        about = (await get(table.port, "/about.json")).json
        (listed,) = re.findall(r"`/about.json` has the fields (.*?): null", LINES)
        assert [name for name in names(listed) if name in about] == list(about)
        words = (await get(table.port, "/words/en.json")).json
        (listed,) = re.findall(r"json` has (`language`.*?): each", LINES)
        assert names(listed) == list(words)
        assert f'"pad seat": "{words["words"]["pad seat"]}"' in LINES

    async with at_table(a_table_with_a_page(tmp_path)) as table:
        await look(table)


async def test_the_example_is_such_a_message(tmp_path: Path) -> None:
    (block,) = re.findall(r"^<!-- message -->\n```json\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    example = json.loads(block)
    parts = shown(in_a_window())
    (item,) = [LogItem(each)(ENGLISH) for each in narrate(in_a_window().events[0])][:1]
    assert fields_of(example["parts"]["piles"]) == fields_of(parts["piles"])
    told_item = example["streams"]["log"]["items"][0]
    assert list(told_item) == ["n", *item]
    assert {**told_item, "n": 0, "at_us": 0} == {**item, "n": 0, "at_us": 0}
    async with at_table(a_table_with_a_page(tmp_path)) as table, a_client(table.port) as client:
        assert list(await client.hello()) == list(example)


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        (
            "{} connections, {} of them from one address of a network",
            (server.MAX_CONNECTIONS, server.MAX_CONNECTIONS_PER_ADDRESS),
        ),
        (
            "A request must be complete {:g} s after the connection began or the last answer was sent, and answered "
            "within {:g} s; the page checks that every {:g} s",
            (protocols.REQUEST_TIMEOUT_S, protocols.ANSWER_TIMEOUT_S, server.EXPIRY_CHECK_INTERVAL_S),
        ),
        (
            "{:g} requests a second from one address of a network, and {} at once after a silence",
            (guard.REQUESTS_PER_S, guard.REQUEST_BURST),
        ),
        (
            "{} clients of the live connection; {} of them may be unpaired, {} of those from one address. Beyond that, "
            "an unpaired client makes room (close code {})",
            (
                connections.MAX_CLIENTS,
                connections.MAX_UNPAIRED_CLIENTS,
                connections.MAX_UNPAIRED_PER_ADDRESS,
                connections.CROWDED_OUT,
            ),
        ),
        ("new ones must come later (close code {})", (connection.TRY_LATER,)),
        ("accepts one in a turn of the loop, and {} wait for that in the kernel", (server.ACCEPT_BACKLOG,)),
        ("A request has {} bytes and {} lines before its body", (protocols.MAX_HEAD, protocols.MAX_LINES)),
        (
            "up to {} from one address (then 429) and {} for their turn (then 503)",
            (guard.MAX_WAITING_OF_AN_ADDRESS, guard.MAX_WAITING),
        ),
        (
            "may send {:g} messages a second, and {} at once after a silence; `hello`, `language` and all verbs "
            "without pairing count {} times",
            (connection.MESSAGES_PER_S, connection.MESSAGE_BURST, 1 + connection.HEAVY_MESSAGE_COST),
        ),
        (
            "{} bytes of a live connection in one turn of the loop, and {:.0f} in a second ({} at once after a "
            "silence)",
            (protocols.PIECE, protocols.BYTES_PER_S, protocols.BYTE_BURST),
        ),
        ("each ping and each pong counts {} bytes", (protocols.CONTROL_FRAME_COST,)),
        ("{} bytes wait for it in the kernel and as many before", (protocols.MAX_UNSENT_BYTES,)),
        ("after {:g} s the page disconnects it", (protocols.UNREAD_TIMEOUT_S,)),
        ("or in more than {} frames", (protocols.MAX_FRAMES,)),
        ("They hold for {:g} minutes", (pairing.CODE_S / 60,)),
        ("After {} wrong codes", (pairing.TRIES,)),
        (
            "shows none for {:g} minutes. Each further pause is twice as long, up to {:g} minutes",
            (pairing.FIRST_PAUSE_S / 60, pairing.LONGEST_PAUSE_S / 60),
        ),
        ("After {} codes in a row that nobody used", (pairing.MAX_UNUSED_CODES,)),
        ("Up to {} devices are paired", (pairings.MAX_PAIRED,)),
        ("a `name` of up to {} characters", (presets.LONGEST_PLAYER,)),
        ("its {} random bits", (8 * pairings.SECRET_BYTES,)),
        (
            "more than {} characters or with one that is not printable, a preset's of more than {}, a {}th preset",
            (presets.LONGEST_PLAYER, presets.LONGEST_NAME, presets.MAX_PRESETS + 1),
        ),
        ("{:g} minutes after the last tag", (enrolment_session.IDLE_TIMEOUT_S / 60,)),
        ("up to {} decks", (decks.MAX_DECKS,)),
        ("the next {} of them", (past_games.STEPS_AT_A_TIME,)),
        ("one game at a time, {} lines at a time", (past_games.ENTRIES_AT_A_TIME,)),
        ("up to {} steps", (past_games.MAX_STEPS_KEPT,)),
        ("forgets it after {} days", (file_transfer.COOKIE_DAYS,)),
        ("uploads one of up to {} bytes", (file_transfer.MAX_UPLOAD_BYTES,)),
        ("loses its live connection at once (close code {})", (connections.UNPAIRED,)),
        ("A message may have {} characters", (messages.MAX_CHARACTERS,)),
        ("One of more than {} bytes", (server.LONGEST_MESSAGE,)),
        ("at most once in {:g} ms", (connection.SPACING_S * 1000,)),
        ("({} of the log)", (page.LOG_LENGTH,)),
        ("it closes with {}.", (connection.GOING_AWAY,)),
        ("closes that client's connection ({})", (connection.INTERNAL_ERROR,)),
        ("tries it again every {:g} s", (server.RETRY_S,)),
        ("reports *{}* as not answering", (daemon.PAGE_PART,)),
        ("if the page is away for {:g} s", (daemon.PAGE_TIMEOUT_S,)),
        ("checks every {:g} s for this computer's addresses", (site.ADDRESS_POLL_S,)),
        ("Up to {} actions of a client are under way at once there", (connection.MAX_PENDING_REQUESTS,)),
        ("`Content-Security-Policy: {}`", (HEADERS["Content-Security-Policy"],)),
    ],
)
def test_its_numbers_are_those_of_the_code(sentence: str, values: tuple[Any, ...]) -> None:
    assert sentence.format(*values) in LINES
