"""Buttons on the pins of a kernel: lgpio from PyPI below gpiozero on a real /dev/gpiochip0, and contacts that pull its
lines. The table's time of an edge is compared with the time at which the contact moved, by the same kernel's clock."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import product
from random import Random

import pytest
from taptable.core.arbiter import Press, first_press
from taptable.core.device_events import ButtonEdge, PartFailed, PartReturned
from taptable.drivers.contacts import Movement
from taptable.drivers.gpio.buttons import Buttons
from taptable.drivers.gpio.header import default_factory, header_chip
from taptable.sim.setting_up import PART_ADDRESSES

from kernel.header import ContactChange, Contacts
from kernel.listening import Listener

BUTTON_PINS = [int(place.partition(":")[2]) for place in PART_ADDRESSES["full"]["buttons"]]

pytestmark = pytest.mark.long

SEATS = dict(enumerate(BUTTON_PINS, 1))
"""Six buttons, as at a full table."""
SEAT_OF = {bcm: seat for seat, bcm in SEATS.items()}
RACES = 20
APART_MS = (0.3, 25.0)
"""How far apart the presses of a race are."""


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[Listener, Contacts]]:
    """The table listens to six buttons, all up."""
    listener, contacts = Listener(), Contacts()
    buttons = Buttons(listener.header, SEATS)
    buttons.on_raw_edge = listener.hear_edge
    buttons.open()
    assert listener.said == []
    try:
        yield listener, contacts
    finally:
        buttons.close()


def assert_true(edges: Sequence[ButtonEdge], moves: Sequence[ContactChange]) -> None:
    """Each move of a contact was reported once, in order, and its time is right within the stated bound."""
    assert [(edge.pad, edge.pressed) for edge in edges] == [(SEAT_OF[move.bcm], move.closed) for move in moves]
    for edge, move in zip(edges, moves, strict=True):
        assert move.after_us - edge.uncertainty_us <= edge.at_us <= move.by_us + edge.uncertainty_us


def test_the_header_s_chip_is_found_by_its_kind_and_lgpio_opens_it() -> None:
    assert header_chip() == 0
    factory = default_factory()
    assert (type(factory).__name__, getattr(factory, "chip", None)) == ("LGPIOFactory", 0)


async def test_a_press_and_its_release_are_reported_once_each_with_the_kernel_s_times() -> None:
    async with listening() as (listener, contacts):
        moves = [contacts.move(SEATS[3], True)]
        await listener.hear(1)
        moves.append(contacts.move(SEATS[3], False))
        assert_true(await listener.hear(2), moves)


async def test_a_contact_that_bounces_is_heard_bounce_by_bounce_none_is_lost_and_each_press_is_reported_once() -> None:
    chance = Random(1)
    async with listening() as (listener, contacts):
        moves: list[ContactChange] = []
        for movement in (True, False) * 5:
            for closed in (movement, *(not movement, movement) * 4):
                moves.append(contacts.move(SEATS[1], closed))
                time.sleep(chance.uniform(0.0001, 0.0008))
            await listener.until(lambda: len(listener.raw) >= len(moves))
        assert_true(listener.raw, moves)
        # by the kernel's times, of which some are milliseconds apart, as this kernel isn't as fast as a contact
        settling = Movement(1)
        for edge in listener.raw:
            settling.add_edge(edge.pressed, edge.at_us, edge.uncertainty_us)
        settled = settling.take_settled(listener.raw[-1].at_us + 1_000_000)
        assert settled
        assert await listener.hear(len(settled)) == settled


async def test_six_buttons_in_a_race_come_in_the_order_of_the_presses_which_the_first_wins() -> None:
    chance = Random(2)
    async with listening() as (listener, contacts):
        for _ in range(RACES):
            listener.said.clear()
            seats = chance.sample(sorted(SEATS), len(SEATS))
            moves: list[ContactChange] = []
            for seat in seats:
                moves.append(contacts.move(SEATS[seat], True))
                time.sleep(chance.uniform(*APART_MS) / 1000)
            edges = await listener.hear(len(SEATS))
            assert_true(edges, moves)
            ruling = first_press(tuple(Press(edge.pad, edge.at_us, edge.uncertainty_us) for edge in edges), 1, 6)
            apart_us = moves[1].after_us - moves[0].by_us, moves[1].by_us - moves[0].after_us
            assert ruling.margin_us is not None
            assert apart_us[0] - ruling.uncertainty_us <= ruling.margin_us <= apart_us[1] + ruling.uncertainty_us
            assert ruling.press.seat == seats[0] or seats[0] in ruling.tied
            assert not ruling.tied or apart_us[0] <= ruling.uncertainty_us
            for seat in seats:
                contacts.move(SEATS[seat], False)
            await listener.hear(2 * len(SEATS))


async def test_the_times_are_right_however_long_the_table_is_held_up() -> None:
    async with listening() as (listener, contacts):
        moves: list[ContactChange] = []
        for seat, closed in product((5, 2), (True, False)):
            moves.append(contacts.move(SEATS[seat], closed))
            time.sleep(0.2)  # the loop doesn't run
        assert_true(await listener.hear(len(moves)), moves)


async def test_a_table_that_asks_gets_all_that_has_settled_although_its_loop_did_not_run() -> None:
    listener, contacts = Listener(), Contacts()
    buttons = Buttons(listener.header, SEATS)
    buttons.open()
    moves: list[ContactChange] = []
    for seat, closed in product((5, 2), (True, False)):
        moves.append(contacts.move(SEATS[seat], closed))
        time.sleep(0.02)
        buttons.deliver()
        assert_true(listener.edges, moves)
    moves.append(contacts.move(SEATS[3], True))
    buttons.deliver()  # at once: it may be static yet
    assert_true(await listener.hear(len(moves)), moves)
    buttons.close()


async def test_a_pin_that_another_program_has_is_missed_in_lgpio_s_words_and_comes_back() -> None:
    hold = f"import lgpio; lgpio.gpio_claim_input(lgpio.gpiochip_open(0), {SEATS[2]}); print(flush=True); input()"
    other = subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    other.stdout.readline()
    listener, contacts = Listener(), Contacts()
    buttons = Buttons(listener.header, SEATS)
    buttons.open()
    (failed,) = listener.said
    assert isinstance(failed, PartFailed)
    assert (failed.part, failed.reason) == ("button 2", "'GPIO busy'")
    other.communicate(b"\n")
    await listener.until(lambda: any(isinstance(event, PartReturned) for event in listener.said))
    move = contacts.move(SEATS[2], True)
    assert_true(await listener.hear(1), [move])
    buttons.close()
