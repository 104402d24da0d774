"""Every fault of the workbench, injected in mid-game and undone: the table copes, play continues, and no card is
lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from choosing import long_params
from taptable.core.observations import DISCARD_PAD
from taptable.sim.page.faults import FAULTS
from taptable.sim.touching import RESPONSE_TIMEOUT_S
from taptable.words import LANGUAGES, Words

from demo_page.rig import Visitor, at_the_page, cards_on, sentences_in

LASTS_S = 12.0
UNDOING = {
    "pull-out": "plug-in",
    "deafen": "hear",
    "noise": "calm",
    "stick": "free",
    "hang-switch": "restart-switch",
    "pull-controller": "plug-controller",
    "unplug-display": "plug-display",
    "fill-disk": "free-disk",
}
OF_BOARDS = ("pull-out", "reset-board", "noise")
OF_READY = {"hang-switch": "no-switch", "pull-controller": "no-controller"}
OF_THE_TABLE = ("unplug-display", "fill-disk")
PASSING = ("reset-board", "cross-talk", "tear", "static")


async def plays_on(visitor: Visitor) -> None:
    """Three turns pass, and the cards that moved meanwhile are where the table believes they are."""
    seen: set[int] = set()

    def three_turns() -> bool:
        if visitor.state.turn is not None:
            seen.add(visitor.state.turn.began_at_us)
        return len(seen) > 3 or visitor.people.game_over.is_set()

    await visitor.until(three_turns, "three turns", 900)
    visitor.assert_cards_as_believed()


def test_every_fault_has_an_undoing_or_passes_by_itself() -> None:
    assert set(FAULTS) == {*UNDOING, *UNDOING.values(), *PASSING, "new-tag", "kill"}


@pytest.mark.parametrize("build", long_params(["full", "compact", "ready"]))
@pytest.mark.parametrize("fault", long_params([fault for fault in UNDOING if fault not in OF_READY], 3))
async def test_a_fault_is_injected_and_undone_in_mid_game_and_play_goes_on(
    fault: str, build: str, tmp_path: Path
) -> None:
    async with at_the_page(tmp_path, people=(), players=3, build=build, seed=5) as visitor:
        await plays_on(visitor)
        where = {} if fault in OF_THE_TABLE else {"pad": 2}
        done = await visitor.asks("fault", fault=fault, **where)
        if build != "full" and fault in OF_BOARDS:
            assert done["why"] == visitor.words.text("hands", "no-board")
            return
        await is_undone(visitor, done, fault, **where)


@pytest.mark.parametrize("fault", OF_READY)
async def test_a_fault_of_the_ready_build_is_shown_and_undone_and_play_goes_on(fault: str, tmp_path: Path) -> None:
    async with at_the_page(tmp_path, players=4, build="ready", seed=5) as visitor:
        await visitor.on_turn(1)
        hangs = fault == "hang-switch"
        for is_broken in (False, True):
            if is_broken:
                done = await visitor.asks("fault", fault=fault, pad=3)
            shown = visitor.sees()["hardware"]
            assert shown["switches"] == [{"pads": [1, 2, 3, 4, DISCARD_PAD], "hung": is_broken and hangs}]
            assert shown["controllers"] == [{"seats": [1, 2, 3, 4], "plugged": not is_broken or hangs}]
        if hangs:
            unheard = await visitor.asks("tap", seat=1, card=visitor.hand()[0], pad=1)
        else:
            unheard = await visitor.asks("press", seat=1)
        key = "unheard-switch" if hangs else "unheard-controller"
        assert unheard["why"].startswith(visitor.words.text("hands", key, {"pad": 1}))
        assert (await visitor.asks("stand", seat=1))["ok"]
        await is_undone(visitor, done, fault, pad=3)


@pytest.mark.parametrize("fault", OF_READY)
async def test_a_fault_of_the_ready_build_is_refused_at_another(fault: str, visitor: Visitor) -> None:
    refused = await visitor.asks("fault", fault=fault, pad=1)
    assert refused["why"] == visitor.words.text("hands", OF_READY[fault])


async def is_undone(visitor: Visitor, done: dict[str, Any], fault: str, **where: object) -> None:
    """The fault can't be injected twice, is undone once, and play goes on."""
    assert done["ok"]
    assert len(done["done"]) > 10
    again = await visitor.asks("fault", fault=fault, **where)
    assert not again["ok"]
    assert again["why"] in (visitor.words.text("hands", "is-so"), visitor.words.text("hands", "is-out"))
    await asyncio.sleep(LASTS_S)
    assert (await visitor.asks("fault", fault=UNDOING[fault], **where))["ok"]
    assert not (await visitor.asks("fault", fault=UNDOING[fault], **where))["ok"]
    await plays_on(visitor)


async def test_a_torn_tag_and_a_ghost_say_nothing_and_leave_nothing(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    await asyncio.sleep(1)
    before = visitor.state
    for fault in ("tear", "cross-talk"):
        for pad in (DISCARD_PAD, 1):
            for _ in range(4):
                assert (await visitor.asks("fault", fault=fault, pad=pad))["ok"]
                await asyncio.sleep(0.9)
                assert cards_on(DISCARD_PAD, visitor) == cards_on(1, visitor) == []
    assert visitor.state is before
    assert sentences_in(await visitor.asks("tap", seat=1, card=visitor.hand()[0], pad=DISCARD_PAD)) != []


async def test_a_new_tag_is_unknown_in_a_game_and_the_next_card_at_an_enrolment(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    await asyncio.sleep(1)
    before = visitor.state
    assert (await visitor.asks("fault", fault="new-tag"))["ok"]
    await asyncio.sleep(1)
    assert visitor.state is before
    assert cards_on(DISCARD_PAD, visitor) == []
    desk = visitor.harness.daemon.enrolment
    desk.begin("family", "online", "enrol", "Ada")
    for number in (1, 2):
        assert (await visitor.asks("fault", fault="new-tag"))["ok"]
        await asyncio.sleep(1)
        assert desk.facts is not None
        assert desk.facts.said.have == number
    assert visitor.state is before


async def test_what_is_wrong_with_the_hardware_is_shown(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    for fault in ("pull-out", "stick"):
        await visitor.asks("fault", fault=fault, pad=2)
    for fault in ("deafen", "noise"):
        await visitor.asks("fault", fault=fault, pad=1)
    await visitor.asks("fault", fault="deafen", pad=DISCARD_PAD)
    for fault in ("unplug-display", "fill-disk"):
        await visitor.asks("fault", fault=fault)
    first, second = visitor.sees()["hardware"]["seats"]
    assert (first["deaf"], first["noisy"], first["board"]) == (True, True, "in")
    assert (second["stuck"], second["board"]) == (True, "out")
    assert visitor.shown["hardware"]["display"] == "out"
    assert visitor.shown["hardware"]["discard"]["deaf"]
    assert visitor.shown["hardware"]["disk"] == "full"


@pytest.mark.parametrize("compact", long_params([False, True]), ids=["full", "compact"])
async def test_a_daemon_that_is_killed_comes_back_paused_over_the_same_hands_and_cards(
    compact: bool, tmp_path: Path
) -> None:
    async with at_the_page(tmp_path, compact=compact) as visitor:
        await visitor.on_turn(1)
        visitor.deal("online#1")
        await visitor.asks("tap", seat=1, card="online#1", pad=1)
        await visitor.asks("put", seat=1, card=visitor.hand()[0], pad=2)
        hands, before, picture = visitor.people.truth.hands, visitor.harness.daemon, visitor.harness.table.picture()
        assert (await visitor.asks("fault", fault="kill"))["ok"]
        await visitor.until(lambda: not visitor.harness.is_running, "the daemon gone")
        await asyncio.sleep(1)
        assert visitor.harness.table.picture().tobytes() == picture.tobytes()
        assert visitor.harness.table.tone_hz() is None
        assert cards_on(2, visitor) != []
        await visitor.until(lambda: visitor.harness.is_running, "another daemon")
        assert visitor.harness.daemon is not before
        await asyncio.sleep(3)
        assert visitor.people.paused
        assert visitor.people.truth.hands == hands
        visitor.leaves()
        assert visitor.sees()["hands"]["1"]["meaning"] == "resume"
        assert "Play goes on." in sentences_in(await visitor.asks("press", seat=1))
        await visitor.asks("press", seat=1)
        await visitor.on_turn(1)


@pytest.mark.parametrize("compact", long_params([False, True]), ids=["full", "compact"])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_what_the_table_cannot_hear_is_answered_at_once_and_keeps_the_card(
    language: str, compact: bool, tmp_path: Path
) -> None:
    async with at_the_page(tmp_path, compact=compact) as visitor:
        await visitor.on_turn(1)
        visitor.words = words = Words(language, ("taptable.games.online",))
        hand, began = visitor.hand(), asyncio.get_running_loop().time()
        for pad in (1, DISCARD_PAD):
            assert (await visitor.asks("fault", fault="deafen", pad=pad))["ok"]
            why = words.text("hands", "unheard-deaf", {"pad": pad})
            for verb in ("tap", "hold", "put"):
                assert (await visitor.asks(verb, seat=1, card=hand[0], pad=pad))["why"] == why
        assert (await visitor.asks("tap-control", seat=1, control="pause"))["why"].startswith(
            words.text("hands", "unheard-deaf", {"pad": 1})
        )
        if not compact:
            assert (await visitor.asks("fault", fault="pull-out", pad=1))["ok"]
            out = words.text("hands", "unheard-out", {"pad": 1})
            assert (await visitor.asks("tap", seat=1, card=hand[0], pad=1))["why"] == out
        assert asyncio.get_running_loop().time() - began < RESPONSE_TIMEOUT_S
        assert visitor.hand() == hand


async def test_a_fault_of_a_seat_wants_a_seat_and_one_of_a_pad_a_pad(visitor: Visitor) -> None:
    for fault, where, key in (
        ("pull-out", {}, "which-seat"),
        ("pull-out", {"pad": DISCARD_PAD}, "which-seat"),
        ("deafen", {}, "which-seat"),
    ):
        assert (await visitor.asks("fault", fault=fault, **where))["why"] == visitor.words.text("hands", key)
    wrong = await visitor.asks("fault", fault="deafen", pad="cellar")
    assert wrong["why"] == visitor.words.text("live", "wrong-pad")
