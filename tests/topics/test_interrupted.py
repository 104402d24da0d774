"""Actions that a restart broke off: the page, the display and the log report them, and they can be begun again, until
that happens or something else is done. An enrolment continues where it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from cues.display_rig import look, same_pixels
from table.rig import GameNight, running_table
from taptable.core.notices import InterruptedWork, RestartBrokeOff
from taptable.cues.presenter import BOOT_S
from taptable.cues.scene import Scene, render
from taptable.words import LANGUAGES, Words

from topics.enroller import Enroller, a_table_with_a_page, box
from topics.test_people import Host

SETTLED_S = 1.0


@pytest.fixture
async def evening(tmp_path: Path) -> AsyncIterator[GameNight]:
    """A table with a page, a card laid."""
    async with running_table(a_table_with_a_page(tmp_path)) as at:
        await asyncio.sleep(SETTLED_S)
        await at.tap("online#1", 1)
        yield at


async def begins_a_check(ada: Host) -> dict[str, Any]:
    await ada.ask("check")
    return {"do": "check"}


async def checks_a_deck(ada: Host) -> dict[str, Any]:
    await ada.ask("check-deck", deck="sample")
    return {"do": "check-deck", "deck": "sample"}


async def waits_for_a_card(ada: Host) -> dict[str, Any]:
    member = (await ada.ask("enrol-member", name="Ada", replace=True))["member"]
    return {"do": "enrol-member", "member": member, "replace": True}


BEGUN = pytest.mark.parametrize(
    ("begin", "said"),
    [
        (begins_a_check, "The check was broken off by the restart: begin it again."),
        (checks_a_deck, "The check of deck “sample” was broken off by the restart: begin it again."),
        (waits_for_a_card, "Ada was to tap a card when the table was restarted: begin again."),
    ],
)


def alerts(ada: Host) -> list[dict[str, Any]]:
    return [each for each in ada.parts["alerts"] if each["kind"] == "interrupted"]


@BEGUN
async def test_it_is_reported_and_begun_again_by_what_the_page_gets(evening: GameNight, begin: Any, said: str) -> None:
    again = await begin(Host(evening))
    await evening.restart()
    ada = Host(evening)
    (alert,) = alerts(ada)
    assert (alert["text"], alert["again"]) == (said, again)
    assert evening.referee_table.paused_at_us is not None
    fields = dict(again)
    await ada.ask(fields.pop("do"), **fields)
    assert alerts(ada) == []
    # what was begun again can be broken off again
    await evening.restart()
    assert [each["again"] for each in alerts(Host(evening))] == [again]


@BEGUN
async def test_it_is_reported_after_every_start_until_the_game_goes_on(
    evening: GameNight, begin: Any, said: str
) -> None:
    await begin(Host(evening))
    for _ in range(2):
        await evening.restart()
        assert [each["text"] for each in alerts(Host(evening))] == [said]
    await asyncio.sleep(SETTLED_S)
    await evening.press(1)
    assert alerts(Host(evening)) == []
    await evening.restart()
    assert alerts(Host(evening)) == []


@BEGUN
async def test_what_was_over_is_broken_off_by_no_restart(evening: GameNight, begin: Any, said: str) -> None:
    del said
    again, ada = await begin(Host(evening)), Host(evening)
    await ada.ask({"check": "break-off", "check-deck": "enrol-stop", "enrol-member": "enrol-member-stop"}[again["do"]])
    await evening.restart()
    assert alerts(Host(evening)) == []


async def test_whoever_was_deleted_meanwhile_is_asked_for_no_card(evening: GameNight) -> None:
    await waits_for_a_card(Host(evening))
    member = evening.daemon.members.all[0].id
    await evening.stop()
    evening.daemon.members.delete(member)
    await evening.start()
    assert alerts(Host(evening)) == []


async def test_the_display_says_so_while_the_game_waits(evening: GameNight) -> None:
    await begins_a_check(Host(evening))
    await evening.restart()
    await asyncio.sleep(BOOT_S + 1)
    (broken_off,) = evening.all_told(RestartBrokeOff)
    words = look("de").words
    now_us = evening.daemon.clock.now_us()
    scene = Scene(
        "", evening.referee_table.scoreboard, paused=True, notices=(words.notice(broken_off),), last_activity_us=now_us
    )
    assert same_pixels(evening.table.picture(), render(scene, now_us, evening.table.display.size, look("de")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_can_be_broken_off_has_a_sentence_of_its_own(language: str) -> None:
    words = Words(language)
    said = {words.notice(RestartBrokeOff(0, what, "family", "0" * 16)) for what in InterruptedWork}
    assert len(said) == len(InterruptedWork)
    assert words.text("notice", "restart-broke-off", {"what": "another thing"}) not in said


async def test_an_enrolment_goes_on_with_the_kind_that_was_chosen(evening: GameNight) -> None:
    ada, tags = Enroller(evening), list(box().cards)
    await ada.ask("enrol", deck="family")
    await ada.taps(tags[0])
    await ada.ask("enrol-kind", kind="search")
    assert await ada.taps(tags[1]) == "Search: 1 of 2."
    await evening.restart()
    again = Enroller(evening)
    await asyncio.sleep(SETTLED_S)
    assert (again.pad_status["wanted"], again.pad_status["have"], again.pad_status["need"]) == ("search", 1, 2)
    assert again.last_said == "The table was restarted, and goes on where it was."
    assert await again.taps(tags[2]) == "Search: 2 of 2."
    # that kind is done, and the others have their turn, after another restart too
    await evening.restart()
    assert Enroller(evening).pad_status["wanted"] == "online"


async def test_an_enrolment_goes_on_without_what_was_put_off(evening: GameNight) -> None:
    ada = Enroller(evening)
    await ada.ask("enrol", deck="family", kind="email")
    await ada.ask("enrol-skip")
    await ada.ask("enrol-skip")
    wanted = ada.pad_status["wanted"]
    assert wanted not in ("online", "email")
    await evening.restart()
    assert Enroller(evening).pad_status["wanted"] == wanted
