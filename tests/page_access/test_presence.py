"""Pairing by presence, where the table can't show a code: who holds the button that the table names pairs the one phone
that asks. Nobody pairs by a press that belongs to play, and no press that belongs to play is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_server.rig import Table, a_folder_of_sockets, a_table_with_a_page, at_table, with_given_time
from table.rig import GameNight, a_table, begin_turn, journal_entries, nothing, open_window, running_table, tags_of
from taptable.api.errors import RequestError
from taptable.api.requests import (
    AskPresence,
    Pair,
    Request,
    Role,
    ShowCode,
    WithdrawPresence,
)
from taptable.config import Config, PageSettings
from taptable.config.model import NO_PAD
from taptable.core.cues import Lamp
from taptable.core.notices import PairingAwaited, PairingLapsed, PairingTry, PhonePaired
from taptable.core.observations import ButtonPressed
from taptable.core.part_notices import ButtonStuck
from taptable.cues.presenter import PROBE_S
from taptable.daemon.api.pairing import FIRST_PAUSE_S, MAX_UNANSWERED
from taptable.daemon.presence import FETCH_S, HOLD_S, REQUEST_S
from taptable.daemon.seat_assignment import SeatAssignment
from taptable.daemon.without_game import TableWithoutGame
from taptable.memory.pairings import Pairings, pairings_file_of
from taptable.page.view import AlertsPart
from taptable.sim.table import SimulatedTable
from taptable.words import LANGUAGES, Words

from page_access.rig import a_phone, ask, cookie_in, open_to_all

IN_PLAY = "People are playing. Pause the game"


def without_display(folder: Path, **more: Any) -> Config:
    """A table whose page is open to the network, and which can't show a code."""
    return replace(a_table(folder, **more), page=PageSettings(8000, True), scoreboard=None)


class Desk:
    """A table without a display, and phones that ask there."""

    def __init__(self, evening: GameNight) -> None:
        self.evening = evening

    def do(self, request: Request) -> Any:
        return self.evening.daemon.api.do(Role.PAGE, request)

    def asks(self, name: str = "Ana") -> Any:
        """A phone asks."""
        return self.do(AskPresence(name))

    def refusal(self, request: Request) -> str:
        with pytest.raises(RequestError) as refused:
            self.do(request)
        return str(refused.value)

    def fetch(self, asked: Any) -> str:
        """The secret that the phone gets; "" while nobody has allowed it."""
        return self.do(Pair("", "", asked["ticket"]))["secret"]

    def paired(self) -> list[str]:
        return [each.name for each in Pairings.read(pairings_file_of(self.evening.config.table.journal)).pairings]

    async def hold(self, seat: int, seconds: float = HOLD_S + 1) -> None:
        """Somebody finds a button, holds it, and lets go."""
        await asyncio.sleep(0.3)
        self.evening.table.press(seat, seconds)
        await asyncio.sleep(seconds + 0.5)

    def told(self, kind: type[Any]) -> list[Any]:
        return self.evening.all_told(kind)


@asynccontextmanager
async def a_desk(config: Config, before: Callable[[GameNight], Any] = nothing) -> AsyncIterator[Desk]:
    async with running_table(config) as evening:
        await asyncio.sleep(1)
        await before(evening)
        yield Desk(evening)


def pause(evening: GameNight) -> None:
    evening.daemon.controller.use_control("pause", "discard", "page")


async def paused(evening: GameNight) -> None:
    """A game is under way, and paused."""
    await begin_turn(evening)
    pause(evening)
    await asyncio.sleep(3)


async def stuck(evening: GameNight) -> None:
    """The same, and every button is stuck."""
    await begin_turn(evening)
    for seat in (1, 2):
        evening.table.press(seat, 90)
    await asyncio.sleep(12)
    pause(evening)


def at_a_paused_game(folder: Path) -> AbstractAsyncContextManager[Desk]:
    return a_desk(without_display(folder), paused)


@with_given_time
@pytest.mark.parametrize("on_boards", [False, True], ids=["pins", "boards"])
async def test_who_holds_the_button_that_the_table_names_pairs_the_phone_that_asks(
    tmp_path: Path, on_boards: bool
) -> None:
    config = without_display(tmp_path, pins=not on_boards)
    async with a_desk(config, paused) as desk:
        assert desk.do(ShowCode()) == {"left_s": 0, "digits": 6, "shown": "presence"}
        asked = desk.asks("  Ana   María ")
        assert (asked["left_s"], asked["hold_s"]) == (REQUEST_S, HOLD_S)
        seat = asked["seat"]
        lamps = [desk.evening.daemon.cues.lamp(each) for each in (1, 2)]
        assert lamps == [Lamp.PAIRING if each == seat else Lamp.OFF for each in (1, 2)]
        assert desk.fetch(asked) == ""
        await desk.hold(seat)
        assert desk.paired() == []  # the phone has not fetched it
        assert desk.fetch(asked)
        assert desk.paired() == ["Ana María"]
        assert [notice.seat for notice in desk.told(PhonePaired)] == [seat]
        assert Lamp.PAIRING not in [desk.evening.daemon.cues.lamp(each) for each in (1, 2)]
        # the press did nothing in the game: it is still paused
        assert desk.evening.referee_table.paused_at_us is not None
        assert desk.told(ButtonPressed) == []
        assert "pairing" not in desk.evening.daemon.controller.alerts
        assert "in time" in desk.refusal(Pair("", "Ben", asked["ticket"]))  # it pairs once


@with_given_time
async def test_the_first_press_that_is_too_short_is_answered_and_the_next_does_what_it_always_does(
    tmp_path: Path,
) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        await desk.hold(asked["seat"], 0.5)
        assert desk.evening.referee_table.paused_at_us is not None
        assert desk.do(Pair("", "", asked["ticket"])) == {"secret": "", "seat": asked["seat"], "tried": "short"}
        assert desk.told(PairingAwaited)[-1].tried is PairingTry.SHORT
        await desk.hold(asked["seat"], 0.5)
        assert desk.evening.referee_table.paused_at_us is None  # it ended the pause
        assert len(desk.told(PairingLapsed)) == 1
        assert IN_PLAY in desk.refusal(Pair("", "Ana", asked["ticket"]))
        assert desk.paired() == []


@with_given_time
async def test_who_pressed_too_short_and_then_holds_pairs_the_phone(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        await desk.hold(asked["seat"], 0.5)
        await desk.hold(asked["seat"])
        assert desk.fetch(asked)


@with_given_time
@pytest.mark.parametrize("on_boards", [False, True], ids=["pins", "boards"])
async def test_a_short_press_is_no_hold_though_the_table_was_delayed_meanwhile(tmp_path: Path, on_boards: bool) -> None:
    async with a_desk(without_display(tmp_path, pins=not on_boards), paused) as desk:
        asked = desk.asks()
        await asyncio.sleep(0.3)
        desk.evening.table.press(asked["seat"], HOLD_S - 0.1)
        await asyncio.sleep(HOLD_S - 0.2)
        desk.evening.loop.stall(0.8)  # type: ignore[attr-defined]
        await asyncio.sleep(2)
        assert desk.do(Pair("", "", asked["ticket"]))["tried"] == "short"
        assert desk.paired() == []


@with_given_time
async def test_a_press_of_another_button_works_as_always_late_by_its_own_length(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        await desk.hold(3 - asked["seat"], HOLD_S - 0.5)
        assert desk.evening.referee_table.paused_at_us is None
        assert desk.paired() == []
        assert IN_PLAY in desk.refusal(Pair("", "Ana", asked["ticket"]))


@with_given_time
async def test_another_button_that_is_held_ends_no_pause_and_the_phone_learns_it(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        await desk.hold(3 - asked["seat"])
        assert desk.evening.referee_table.paused_at_us is not None
        assert desk.do(Pair("", "", asked["ticket"])) == {"secret": "", "seat": asked["seat"], "tried": "other"}
        assert desk.told(PairingAwaited)[-1].tried is PairingTry.OTHER
        await desk.hold(asked["seat"])
        assert desk.fetch(asked)
        assert desk.evening.referee_table.paused_at_us is not None
        assert desk.told(ButtonPressed) == []


@with_given_time
async def test_the_button_that_is_meant_counts_though_another_is_held_at_the_same_time(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        desk.evening.table.press(3 - asked["seat"], HOLD_S + 2)
        await desk.hold(asked["seat"])
        assert desk.fetch(asked)
        assert desk.evening.referee_table.paused_at_us is not None


@with_given_time
@pytest.mark.parametrize("played", [begin_turn, open_window])
async def test_while_a_game_is_played_no_phone_can_ask_and_nothing_is_shown(
    tmp_path: Path, played: Callable[[GameNight], Any]
) -> None:
    async with a_desk(without_display(tmp_path), played) as desk:
        before = len(desk.evening.events)
        assert "People are playing" in desk.refusal(AskPresence("Ana"))
        assert len(desk.evening.events) == before
        await desk.hold(1)
        assert desk.paired() == []


@with_given_time
async def test_a_window_that_opens_meanwhile_takes_precedence(tmp_path: Path) -> None:
    """The button is being held when the pause ends and a hacker is shown: the press pairs nobody, is no press in the
    window, and the next one buzzes."""
    async with at_a_paused_game(tmp_path) as desk:
        evening = desk.evening
        asked = desk.asks()
        await asyncio.sleep(0.3)
        evening.table.press(asked["seat"], HOLD_S + 4)
        await asyncio.sleep(0.5)
        evening.daemon.controller.use_control("resume", "discard", "page")
        assert len(desk.told(PairingLapsed)) == 1
        await evening.tap("hacker#1", 1)
        assert evening.referee_table.scoreboard.window is not None
        assert evening.referee_table.scoreboard.window.pressed_seats == ()
        await asyncio.sleep(HOLD_S)
        assert IN_PLAY in desk.refusal(Pair("", "Ana", asked["ticket"]))
        assert desk.paired() == []


@with_given_time
async def test_a_press_without_a_request_pairs_nobody_later(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        await desk.hold(1)
        pause(desk.evening)
        await asyncio.sleep(1)
        asked = desk.asks()
        await asyncio.sleep(REQUEST_S + 1)
        assert "in time" in desk.refusal(Pair("", "Ana", asked["ticket"]))


@with_given_time
async def test_a_press_from_before_the_request_doesn_t_pair_though_it_is_known_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taptable.daemon.presence.secrets.choice", lambda seats: seats[0])
    async with at_a_paused_game(tmp_path) as desk:
        desk.evening.table.press(1, HOLD_S + 3)
        desk.evening.loop.stall(0.05)  # type: ignore[attr-defined]
        asked = desk.asks()
        assert asked["seat"] == 1
        await asyncio.sleep(1)
        assert desk.evening.referee_table.paused_at_us is None
        await asyncio.sleep(HOLD_S)
        assert IN_PLAY in desk.refusal(Pair("", "", asked["ticket"]))


@with_given_time
async def test_one_phone_asks_at_a_time_and_another_is_told_to_wait(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        first = desk.asks()
        await asyncio.sleep(5)
        assert "Try again in 15 seconds" in desk.refusal(AskPresence("Ana"))
        assert "in time" in desk.refusal(Pair("", "Eve", "x" * 43))
        assert "in time" in desk.refusal(WithdrawPresence("x" * 43))
        await desk.hold(first["seat"])
        assert "Another phone" in desk.refusal(AskPresence("Ana"))  # until the first has fetched it
        assert "in time" in desk.refusal(Pair("", "Eve", "x" * 43))
        assert desk.fetch(first)
        second = desk.asks()
        assert second["ticket"] != first["ticket"]
        assert "in time" in desk.refusal(Pair("", "Ana", first["ticket"]))
        assert desk.paired() == ["Ana"]


@with_given_time
async def test_a_request_lapses_and_a_hold_that_began_in_time_still_counts(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        await asyncio.sleep(REQUEST_S + 0.1)
        assert len(desk.told(PairingLapsed)) == 1
        await desk.hold(asked["seat"])  # it means what it always means
        assert desk.evening.referee_table.paused_at_us is None
        assert desk.paired() == []
        pause(desk.evening)
        await asyncio.sleep(1)
        asked = desk.asks()
        await asyncio.sleep(REQUEST_S - 1.5)
        await desk.hold(asked["seat"])
        assert desk.fetch(asked)


@with_given_time
async def test_a_phone_that_is_gone_gets_nothing_and_the_table_says_so(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        await desk.hold(asked["seat"])
        await asyncio.sleep(FETCH_S)
        assert len(desk.told(PairingLapsed)) == 1
        assert "in time" in desk.refusal(Pair("", "Ana", asked["ticket"]))
        withdrawn = desk.asks()
        desk.do(WithdrawPresence(withdrawn["ticket"]))
        assert len(desk.told(PairingLapsed)) == 2
        await desk.hold(withdrawn["seat"])
        assert desk.paired() == []


@with_given_time
async def test_requests_that_nobody_allows_come_to_an_end_and_a_restart_doesn_t_forget_them(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        for number in range(MAX_UNANSWERED):
            if number % 2:
                await desk.evening.restart()
                await asyncio.sleep(1)
            desk.do(WithdrawPresence(desk.asks()["ticket"]))
        assert "nobody at the table allowed it. The next can ask in 5 minutes" in desk.refusal(AskPresence("Ana"))
        await desk.evening.restart()
        assert "in 5 minutes" in desk.refusal(AskPresence("Ana"))
        assert "in 5 minutes" in desk.refusal(ShowCode())
        await asyncio.sleep(FIRST_PAUSE_S + 1)
        for _ in range(MAX_UNANSWERED):
            desk.asks()
            await asyncio.sleep(REQUEST_S + 1)
        assert "in 10 minutes" in desk.refusal(AskPresence("Ana"))
        desk.evening.daemon.controller.use_control("pair", "discard")  # the card Pair a phone
        asked = desk.asks()
        await desk.hold(asked["seat"])
        assert desk.fetch(asked)
        for _ in range(MAX_UNANSWERED - 1):
            desk.do(WithdrawPresence(desk.asks()["ticket"]))
        assert desk.asks()


@with_given_time
async def test_a_restart_ends_a_request(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        desk.evening.table.press(asked["seat"], HOLD_S + 6)
        await asyncio.sleep(1)
        await desk.evening.restart()
        await asyncio.sleep(REQUEST_S + 1)
        assert Pairings.read(pairings_file_of(desk.evening.config.table.journal)).tried is None
        assert "in time" in desk.refusal(Pair("", "Ana", asked["ticket"]))
        assert desk.paired() == []
        asked = desk.asks()
        await desk.hold(asked["seat"])
        assert desk.fetch(asked)


@with_given_time
async def test_where_no_button_works_no_phone_can_ask_and_no_card_pairs(tmp_path: Path) -> None:
    async with a_desk(without_display(tmp_path), stuck) as desk:
        assert {notice.seat for notice in desk.told(ButtonStuck)} == {1, 2}
        assert "No button at the table answers" in desk.refusal(AskPresence("Ana"))


@with_given_time
async def test_cards_that_are_read_for_something_else_come_first(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        desk.evening.daemon.enrolment.begin("deck", "", "check", "Ana")  # type: ignore[arg-type]
        assert len(desk.told(PairingLapsed)) == 1
        assert "reads cards" in desk.refusal(AskPresence("Ana"))
        assert desk.evening.daemon.controller.claim is desk.evening.daemon.enrolment
        assert "reads cards" in desk.refusal(Pair("", "Ana", asked["ticket"]))
        desk.evening.daemon.enrolment.stop()
        assert desk.asks()


@with_given_time
async def test_a_check_of_the_table_comes_first(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        desk.evening.daemon.controller.use_control("check", "discard", "page")
        assert desk.evening.session.prompts.checking is not None
        assert IN_PLAY in desk.refusal(Pair("", "", asked["ticket"]))
        assert "People are playing" in desk.refusal(AskPresence("Ana"))


@with_given_time
async def test_a_button_whose_part_fails_while_it_is_held_pairs_nobody(tmp_path: Path) -> None:
    config = without_display(tmp_path, pins=False)
    async with a_desk(config, paused) as desk:
        asked = desk.asks()
        seat = asked["seat"]
        await asyncio.sleep(0.3)
        desk.evening.table.press(seat, HOLD_S + 1)
        await asyncio.sleep(1)
        desk.evening.table.stand_in("board").boards[seat].pull_out()
        await asyncio.sleep(HOLD_S + 1)
        assert desk.evening.referee_table.paused_at_us is None  # it did what it always does
        assert IN_PLAY in desk.refusal(Pair("", "", asked["ticket"]))
        pause(desk.evening)
        assert desk.asks()["seat"] == 3 - seat


@with_given_time
async def test_a_table_whose_display_works_shows_codes_and_one_whose_display_fails_asks_for_presence(
    tmp_path: Path,
) -> None:
    config = replace(a_table(tmp_path), page=PageSettings(8000, True))
    async with a_desk(config, paused) as desk:
        await asyncio.sleep(5)
        assert desk.do(ShowCode())["shown"] == "display"
        assert "can show a code" in desk.refusal(AskPresence("Ana"))
        desk.evening.table.display.unplug()
        await asyncio.sleep(2 * PROBE_S)
        assert desk.do(ShowCode())["shown"] == "presence"
        asked = desk.asks()
        await desk.hold(asked["seat"])
        assert desk.fetch(asked)


@with_given_time
async def test_a_pairing_that_can_t_be_stored_pairs_nobody_and_can_be_tried_again(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        asked = desk.asks()
        await desk.hold(asked["seat"])
        file = pairings_file_of(desk.evening.config.table.journal)
        blocked = file.with_name(f".{file.name}.new")
        blocked.mkdir()
        assert "can’t write down" in desk.refusal(Pair("", "Ana", asked["ticket"]))
        blocked.rmdir()
        assert desk.fetch(asked)


@with_given_time
async def test_the_journal_has_that_a_phone_was_paired_and_nothing_that_a_stranger_caused(tmp_path: Path) -> None:
    async with at_a_paused_game(tmp_path) as desk:
        before = len(journal_entries(desk.evening.config))
        for _ in range(3):
            desk.do(WithdrawPresence(desk.asks()["ticket"]))
        asked = desk.asks()
        assert len(journal_entries(desk.evening.config)) == before
        await desk.hold(asked["seat"])
        desk.fetch(asked)
        new = journal_entries(desk.evening.config)[before:]
        assert [entry.line["type"] for entry in new if entry.kind == "note"] == ["phone-paired"]
        assert "Ana" not in repr(new)
        assert len(desk.told(PairingAwaited)) == 5  # four requests, and that one was allowed


# at the page's server


async def fetch(table: Table, ticket: object) -> Any:
    """What a browser gets for a ticket."""
    said = json.dumps({"ticket": ticket, "language": "en"}).encode()
    return await ask(table.port, "/pair", said)


@with_given_time
async def test_two_phones_at_the_page_and_only_the_one_that_asked_gets_the_cookie(tmp_path: Path) -> None:
    config = replace(open_to_all(tmp_path), scoreboard=None)
    async with at_table(config) as table, a_phone(table) as ana, a_phone(table) as eve:
        assert (await ana.ask("show-code"))["shown"] == "presence"
        for name in ("", "x" * 25, "a\u200bb", 7, None):
            assert not (await ana.ask("ask-presence", name=name))["ok"], name
        asked = await ana.ask("ask-presence", name="Ana")
        assert asked["ok"], asked
        (alert,) = (alert for alert in await alerts_of(eve, "pairing") if alert["kind"] == "pairing")
        assert f"hold the button of seat {asked['seat']}" in alert["text"]
        assert asked["ticket"] not in json.dumps([*eve.messages, *eve.answers])  # nobody else learns it
        assert "Another phone" in (await eve.ask("ask-presence", name="Eve"))["why"]
        assert not (await eve.ask("withdraw-presence", ticket=""))["ok"]
        waiting = await fetch(table, asked["ticket"])
        assert (waiting.status, waiting.json, "set-cookie" in waiting.headers) == (
            202,
            {"ok": False, "waits": True},
            False,
        )
        table.hardware.press(3 - asked["seat"], HOLD_S + 1)
        await asyncio.sleep(HOLD_S + 2)
        await eve.until(lambda seen: "that was another button" in json.dumps(seen.parts.get("alerts")))
        told = f"That was another button. Hold that of seat {asked['seat']}, whose lamp flashes."
        assert (await fetch(table, asked["ticket"])).json == {"ok": False, "waits": True, "why": told}
        table.hardware.press(asked["seat"], HOLD_S + 1)
        await asyncio.sleep(HOLD_S + 2)
        for ticket in ("", "x" * 43, asked["ticket"][:-1], asked["ticket"].swapcase(), "ü", 7, None, {}):
            answer = await fetch(table, ticket)
            assert ("set-cookie" in answer.headers, answer.json["ok"]) == (False, False), ticket
        paired = await fetch(table, asked["ticket"])
        assert paired.json == {"ok": True}
        async with a_phone(table, cookie_in(paired)) as phone:
            (device,) = (await phone.ask("devices"))["devices"]
            assert (device["name"], device["own"]) == ("Ana", True)
            await phone.send(json.dumps({"do": "unpair", "all": True}))
            assert (await phone.closed()).code == 4001


async def alerts_of(phone: Any, key: str) -> list[dict[str, Any]]:
    """The alerts that a phone shows, as soon as this one is among them."""
    await phone.until(lambda seen: key in {alert["key"] for alert in seen.parts.get("alerts") or []})
    return phone.parts["alerts"]


async def test_where_nobody_has_to_be_paired_nobody_can_ask(tmp_path: Path) -> None:
    config = replace(a_table_with_a_page(tmp_path), scoreboard=None)
    async with at_table(config) as table, a_phone(table) as phone:
        for verb in ("ask-presence", "withdraw-presence"):
            assert not (await phone.ask(verb, ticket="x", name="Eve"))["ok"]


# before the seats are assigned


@with_given_time
async def test_before_the_seats_are_assigned_any_button_that_is_held_pairs_and_assigns_nothing(tmp_path: Path) -> None:
    config = without_display(tmp_path, pins=False)
    hardware = SimulatedTable(config)
    bare = replace(config, seats=(), discard=NO_PAD, pads={})
    with a_folder_of_sockets() as sockets, hardware.powered() as drivers:
        assignment = SeatAssignment(bare, drivers)
        table = TableWithoutGame(bare, drivers, sockets, assignment=assignment)
        await table.start()
        try:

            def do(request: Request) -> Any:
                return table._api.do(Role.PAGE, request)

            assert do(ShowCode())["shown"] == "presence"
            with pytest.raises(RequestError, match="No button at the table answers"):
                do(AskPresence("Ana"))
            await asyncio.sleep(5)
            asked = do(AskPresence("Ana"))
            assert asked["seat"] == 0
            await asyncio.sleep(0.3)
            assert all(hardware.lamp_pattern(seat) == "blink" for seat in (1, 2))
            before, alert = assignment.state, AlertsPart(table.controller.alerts)
            hardware.press(2, HOLD_S + 1)
            await asyncio.sleep(HOLD_S + 2)
            assert assignment.state == before
            # the page fetches the pairing when the alert changes
            allowed = AlertsPart(table.controller.alerts)
            assert all(allowed(Words(language)) != alert(Words(language)) for language in LANGUAGES)
            assert do(Pair("", "", asked["ticket"]))["secret"]
            await asyncio.sleep(0.3)
            assert not any(hardware.lamp_pattern(seat) == "blink" for seat in (1, 2))
            # a shorter press is a touch, late by its own length
            asked = do(AskPresence("Ben"))
            await asyncio.sleep(0.3)
            hardware.press(2, 0.5)
            await asyncio.sleep(1)
            assert assignment.state != before
            assert do(Pair("", "", asked["ticket"])) == {"secret": "", "seat": 0, "tried": "short"}
            # so is a card
            before = assignment.state
            hardware.put(tags_of(config)["online#1"], 1)
            await asyncio.sleep(1)
            assert assignment.state != before
            assert do(Pair("", "", asked["ticket"]))["secret"] == ""
        finally:
            await table.stop()
    assert [each.name for each in Pairings.read(pairings_file_of(config.table.journal)).pairings] == ["Ana"]
