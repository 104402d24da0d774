"""Values that JSON parses and nothing behind it can serialise again: they are refused where they are parsed, from any
client, and nothing is logged."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from page_server.rig import Table, with_given_time
from taptable.api.requests import REQUESTS
from taptable.page.browser_verbs import CONNECTION_VERBS, READ_ONLY_VERBS, VERBS

from page_access.rig import a_phone, an_open_table, ask, pair
from page_access.test_strangers import answer_to

UNWRITABLE = (
    '"\\ud800"', '"a\\udfffb"', '["\\ud800"]', '{"\\udc00": 1}', "NaN", "-Infinity", "1e999", str(10**30), "9" * 4000,
    "[" * 600 + "]" * 600,
)  # fmt: skip
STRANGE = ('"\\u0000"', '"\\u001b[31m"', '"\\u202e"', '"\\u3164"', str(2**53 - 1), str(1 - 2**53), "-0.0", "1e300")
"""Values that can be written, and that nobody means."""


def fields_of(verb: str) -> set[str]:
    """The fields that a verb may have, and those that a connection reads itself."""
    kind = REQUESTS.get(verb)
    more = ("id", "before", "step", "steps", "device", "text", "watch", "language", "next", "revision")
    return {*more, *(() if kind is None else kind.__struct_fields__)}


@with_given_time
@pytest.mark.parametrize("verb", sorted(READ_ONLY_VERBS | CONNECTION_VERBS))
async def test_what_can_not_be_written_is_refused_and_is_not_in_the_log(
    table: Table, verb: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_phone(table, source="127.0.0.66") as guest:
        for field in sorted(fields_of(verb)):
            for value in UNWRITABLE:
                await guest.send(f'{{"do": "{verb}", "n": 1, "{field}": {value}}}')
                await guest.send('{"do": "echo", "n": "then"}')
                await answer_to(guest, "then")
                refused = guest.answers.pop(0)
                assert (refused["ok"], refused["answer"]) == (False, None), (field, value)
                guest.answers.clear()
            for value in STRANGE:
                await guest.send(f'{{"do": "{verb}", "n": "it", "{field}": {value}}}')
                await answer_to(guest, "it")
                guest.answers.clear()
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@with_given_time
async def test_nobody_is_heard_with_it_paired_or_not(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with an_open_table(tmp_path) as table:
        cookie = await pair(table)
        for cookies in (None, cookie):
            async with a_phone(table, cookies, source="127.0.0.66") as phone:
                for verb in sorted(VERBS - READ_ONLY_VERBS):
                    await phone.send(f'{{"do": "{verb}", "n": 1, "name": "\\ud800"}}')
                    await phone.send('{"do": "echo", "n": "then"}')
                    await answer_to(phone, "then")
                    assert phone.answers.pop(0)["answer"] is None
                    phone.answers.clear()
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


@pytest.mark.parametrize("path", ["/pair", "/cards"])
async def test_what_is_posted_and_can_not_be_written_is_answered_with_400(
    tmp_path: Path, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with an_open_table(tmp_path) as table:
        cookie = await pair(table)
        for value in UNWRITABLE:
            for field in ("code", "name", "language", "edition", "deck", "manifest", "kinds", "paper", "game"):
                for cookies in (None, cookie):
                    answer = await ask(table.port, path, f'{{"{field}": {value}}}'.encode(), cookie=cookies)
                    assert answer.status in ((400, 403) if cookies is None else (400,)), (value, field)
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
