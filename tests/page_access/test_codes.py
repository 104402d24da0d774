"""Codes and their time: how long one holds, how many wrong ones there may be, and how long the pauses are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from taptable.edges.cues.guests import Code
from taptable.memory.pairings import Pairings
from taptable.page.annex import Unfit
from taptable.page.fields import Fields
from taptable.page.pairing import CODE_S, DIGITS, FIRST_PAUSE_S, LONGEST_PAUSE_S, TRIES, UNUSED, Pairing
from taptable.sim.given_time import GivenTimeLoop
from taptable.words import Words

ENGLISH = Words("en")


class Door:
    """A pairing, and the codes that it had shown and taken away."""

    def __init__(self, folder: Path) -> None:
        loop = asyncio.get_running_loop()
        self.shown: list[Code | None] = []
        self.pairing = Pairing(Pairings(folder / "p.json"), lambda: round(loop.time() * 1e6), self.shown.append)

    def code(self) -> str:
        return self.pairing.show(ENGLISH).digits

    def give(self, code: str) -> str | None:
        """Why nobody is paired; None if somebody is."""
        try:
            self.pairing.pair(Fields({"code": code, "name": "Ana"}, ENGLISH))
        except Unfit as unfit:
            return str(unfit)
        return None

    def give_wrong(self) -> str:
        why = self.give(f"{(int(self.code()) + 1) % 10**DIGITS:0{DIGITS}}")
        assert why is not None
        return why


def at_the_door(folder: Path, evening: Callable[[Door], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        await evening(Door(folder))

    with asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        runner.run(run())


def test_a_code_that_is_too_old_pairs_nobody_and_is_shown_no_longer(tmp_path: Path) -> None:
    async def evening(door: Door) -> None:
        code = door.code()
        assert len(code) == DIGITS
        await asyncio.sleep(CODE_S - 1)
        assert door.code() == code  # asked again, it holds no longer for that
        assert door.pairing.left_s() == 1
        await asyncio.sleep(2)
        assert door.pairing.left_s() == 0
        assert "no longer good" in str(door.give(code))
        first, gone = door.shown
        assert first is not None
        assert (first.digits, first.until_us, first.whole_us, gone) == (code, CODE_S * 10**6, CODE_S * 10**6, None)

    at_the_door(tmp_path, evening)


def test_a_code_that_was_used_is_taken_away_and_the_next_has_its_whole_time(tmp_path: Path) -> None:
    async def evening(door: Door) -> None:
        code = door.code()
        await asyncio.sleep(CODE_S - 1)
        assert door.give(code) is None
        assert door.shown[-1] is None
        door.code()
        await asyncio.sleep(CODE_S - 1)  # the end of the first one's time is none of the second's
        assert door.pairing.left_s() == 1

    at_the_door(tmp_path, evening)


def test_wrong_codes_count_though_another_code_is_shown_meanwhile(tmp_path: Path) -> None:
    async def evening(door: Door) -> None:
        for left in range(TRIES - 1, 0, -1):
            said = door.give_wrong()
            assert f"left: {left}." in said or "One try is left" in said
            if left > TRIES - UNUSED:
                await asyncio.sleep(CODE_S + 1)
        assert "another 5 minutes" in door.give_wrong()
        assert door.shown[-1] is None

    at_the_door(tmp_path, evening)


def test_codes_that_nobody_uses_come_to_an_end_until_somebody_is_paired(tmp_path: Path) -> None:
    async def evening(door: Door) -> None:
        for pause_s in (FIRST_PAUSE_S, 2 * FIRST_PAUSE_S):
            for _ in range(UNUSED):
                door.code()
                await asyncio.sleep(CODE_S + 1)
            with pytest.raises(Unfit, match="nobody typed one in"):
                door.code()
            assert door.shown[-1] is None
            await asyncio.sleep(pause_s)
        for _ in range(2 * UNUSED):
            assert door.give(door.code()) is None
            door.code()
            await asyncio.sleep(CODE_S + 1)

    at_the_door(tmp_path, evening)


def test_the_next_pause_is_twice_as_long_until_somebody_is_paired(tmp_path: Path) -> None:
    async def evening(door: Door) -> None:
        pause_s, seen = FIRST_PAUSE_S, 0
        while seen < 2:
            for _ in range(TRIES):
                said = door.give_wrong()
            assert f"another {pause_s // 60} minutes" in said
            await asyncio.sleep(pause_s - 50)
            with pytest.raises(Unfit, match=r"another minute\."):
                door.code()
            assert "another minute." in str(door.give("000000"))
            await asyncio.sleep(51)
            seen += pause_s == LONGEST_PAUSE_S
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        assert door.give(door.code()) is None
        for _ in range(TRIES):
            said = door.give_wrong()
        assert "another 5 minutes" in said

    at_the_door(tmp_path, evening)


def test_codes_are_all_over_the_place(tmp_path: Path) -> None:
    async def evening(door: Door) -> None:
        codes: set[str] = set()
        for _ in range(200):
            code = door.code()
            codes.add(code)
            door.pairing.close()
        assert len(codes) > 190
        assert {code[0] for code in codes} == set("0123456789")

    at_the_door(tmp_path, evening)
