"""Codes and their time: how long one holds, how many wrong ones there may be, and how long the pauses are."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from page_server.rig import with_given_time
from taptable.api.errors import RequestError
from taptable.api.requests import Pair, Request, ShowCode
from taptable.cues.prompts import Code
from taptable.daemon.api.pairing import (
    CODE_S,
    DIGITS,
    FIRST_PAUSE_S,
    LONGEST_PAUSE_S,
    MAX_UNUSED_CODES,
    TRIES,
    Pairing,
)
from taptable.memory.pairings import Pairings


class Door:
    """A pairing, and the codes that it had shown and taken away."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "p.json"
        self.shown: list[Code | None] = []
        self.code_place = "display"
        self.claim = None
        self.report = None
        self.begin()

    def begin(self, lost_s: float = 0.0) -> None:
        """Begin as at the start of the table, whose time continues where its journal ends."""
        loop = asyncio.get_running_loop()
        self.now_us = lambda: round((loop.time() - lost_s) * 1e6)
        self.pairing = Pairing(Pairings(self._file), self, self, lambda: None)

    def show_code(self, code: Code | None) -> None:
        self.shown.append(code)

    def show_address(self) -> bool:
        return False

    def set_page_address(self, address: str | None) -> None:
        del address

    def ask(self, request: Request) -> Mapping[str, Any]:
        return self.pairing.handlers[type(request)](request, "")

    def left_s(self) -> int:
        """For how long the code that is shown is good."""
        return self.ask(ShowCode())["left_s"]

    def code(self) -> str:
        self.ask(ShowCode())
        assert self.pairing.code is not None
        return self.pairing.code.digits

    def give(self, code: str) -> str | None:
        """Why nobody is paired; None if somebody is."""
        try:
            self.ask(Pair(code, "Ana"))
        except RequestError as error:
            return str(error)
        return None

    def give_wrong(self) -> str:
        why = self.give(f"{(int(self.code()) + 1) % 10**DIGITS:0{DIGITS}}")
        assert why is not None
        return why


pytestmark = with_given_time


@pytest.fixture
async def door(tmp_path: Path) -> Door:
    return Door(tmp_path)


async def test_a_code_that_is_too_old_pairs_nobody_and_is_shown_no_longer(door: Door) -> None:
    code = door.code()
    assert len(code) == DIGITS
    await asyncio.sleep(CODE_S - 1)
    assert door.code() == code  # asked again, it holds no longer for that
    assert door.left_s() == 1
    await asyncio.sleep(2)
    assert door.pairing.code is None
    assert "no longer good" in str(door.give(code))
    first, gone = door.shown
    assert first is not None
    assert (first.digits, first.until_us, first.whole_us, gone) == (code, CODE_S * 10**6, CODE_S * 10**6, None)


async def test_a_code_that_was_used_is_taken_away_and_the_next_has_its_whole_time(door: Door) -> None:
    code = door.code()
    await asyncio.sleep(CODE_S - 1)
    assert door.give(code) is None
    assert door.shown[-1] is None
    door.code()
    await asyncio.sleep(CODE_S - 1)  # the end of the first one's time is none of the second's
    assert door.left_s() == 1


async def test_wrong_codes_count_though_another_code_is_shown_meanwhile(door: Door) -> None:
    for left in range(TRIES - 1, 0, -1):
        said = door.give_wrong()
        assert f"left: {left}." in said or "One try is left" in said
        if left > TRIES - MAX_UNUSED_CODES:
            await asyncio.sleep(CODE_S + 1)
    assert "another 5 minutes" in door.give_wrong()
    assert door.shown[-1] is None


async def test_codes_that_nobody_uses_come_to_an_end_until_somebody_is_paired(door: Door) -> None:
    for pause_s in (FIRST_PAUSE_S, 2 * FIRST_PAUSE_S):
        for _ in range(MAX_UNUSED_CODES):
            door.code()
            await asyncio.sleep(CODE_S + 1)
        with pytest.raises(RequestError, match="nobody typed one in"):
            door.code()
        assert door.shown[-1] is None
        await asyncio.sleep(pause_s)
    for _ in range(2 * MAX_UNUSED_CODES):
        assert door.give(door.code()) is None
        door.code()
        await asyncio.sleep(CODE_S + 1)


async def test_the_next_pause_is_twice_as_long_until_somebody_is_paired(door: Door) -> None:
    pause_s, seen = FIRST_PAUSE_S, 0
    while seen < 2:
        for _ in range(TRIES):
            said = door.give_wrong()
        assert f"another {pause_s // 60} minutes" in said
        await asyncio.sleep(pause_s - 50)
        with pytest.raises(RequestError, match=r"another minute\."):
            door.code()
        assert "another minute." in str(door.give("000000"))
        await asyncio.sleep(51)
        seen += pause_s == LONGEST_PAUSE_S
        pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
    assert door.give(door.code()) is None
    for _ in range(TRIES):
        said = door.give_wrong()
    assert "another 5 minutes" in said


async def test_who_tries_for_a_whole_day_has_as_many_tries_as_the_page_s_description_says(door: Door) -> None:
    loop, tries = asyncio.get_running_loop(), 0
    while loop.time() < 24 * 3600:
        try:
            door.give_wrong()
        except RequestError:
            await asyncio.sleep(10)
        else:
            tries += 1
    said = " ".join((Path(__file__).parents[2] / "docs" / "page.md").read_text(encoding="utf-8").split())
    chance = f"tried {tries} codes of a million: a chance of 1 in {10**DIGITS // tries:,}"
    assert chance in said, chance


async def test_what_was_tried_is_counted_on_by_the_next_start(door: Door) -> None:
    for _ in range(TRIES - 1):
        door.give_wrong()
        door.pairing.close()
        door.begin()
    assert "another 5 minutes" in door.give_wrong()
    door.begin()
    await asyncio.sleep(FIRST_PAUSE_S - 50)
    with pytest.raises(RequestError, match=r"another minute\."):
        door.code()
    await asyncio.sleep(51)
    for _ in range(MAX_UNUSED_CODES):
        door.begin()
        door.code()
        await asyncio.sleep(CODE_S + 1)
    door.begin()
    assert "nobody typed one in. The next can be shown in 10 minutes." in str(door.give("000000"))


async def test_time_that_was_lost_by_a_start_makes_no_pause_longer_than_it_was(door: Door) -> None:
    await asyncio.sleep(3 * 3600)
    for _ in range(TRIES):
        door.give_wrong()
    door.begin(lost_s=3 * 3600)
    assert "another 5 minutes" in str(door.give("000000"))


async def test_who_opens_up_at_the_table_ends_a_pause(door: Door) -> None:
    for _ in range(TRIES):
        door.give_wrong()
    assert door.shown[-1] is None
    door.pairing.allow_pairing()
    assert door.shown[-1] is not None
    assert f"left: {TRIES - 1}." in door.give_wrong()


async def test_codes_are_all_over_the_place(door: Door) -> None:
    codes: set[str] = set()
    for _ in range(200):
        code = door.code()
        codes.add(code)
        door.pairing.close()
    assert len(codes) > 190
    assert {code[0] for code in codes} == set("0123456789")
