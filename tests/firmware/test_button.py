"""The button of the board in the VM: its interrupt comes between any two of the firmware's steps, and finds the heap
locked, so that one that allocates would raise."""

from __future__ import annotations

import asyncio

from firmware.rig import AtBoard

INTERRUPT_US = 100
"""A stamp is no later than this."""


async def test_a_press_that_bounces_is_one_press_stamped_at_its_first_edge(here: AtBoard) -> None:
    board = here.board
    pressed_s = here.at.loop.time()
    for place in range(21):  # closed at last
        board.do("press", (place + 1) % 2, after_us=73 * place)
    await asyncio.sleep(0.5)
    released_s = here.at.loop.time()
    for place in range(41):
        board.do("press", place % 2, after_us=191 * place)
    await asyncio.sleep(0.5)
    assert here.wire.events() == ["press", "release"]
    press, release = here.wire.messages("press", "release")
    assert 0 <= int(press.fields["ticks"]) - pressed_s * 1_000_000 <= INTERRUPT_US
    assert 0 <= int(release.fields["ticks"]) - released_s * 1_000_000 <= 191 * 41 + INTERRUPT_US


async def test_an_edge_in_the_middle_of_a_look_or_of_a_rest_is_stamped_when_it_was(here: AtBoard) -> None:
    began_s = here.at.loop.time()
    for place in range(40):
        here.board.do("press", 1, after_us=200_000 * place + 311 * place)
        here.board.do("press", 0, after_us=200_000 * place + 311 * place + 80_000)
    await asyncio.sleep(8.5)
    late_us = [
        int(said.fields["ticks"]) - began_s * 1_000_000 - 200_311 * place
        for place, said in enumerate(here.wire.messages("press"))
    ]
    assert len(late_us) == 40
    assert 0 <= min(late_us) <= max(late_us) <= INTERRUPT_US


async def test_more_edges_than_can_be_kept_leave_the_button_as_it_is(here: AtBoard) -> None:
    here.board.do("busy", 50_000)
    for place in range(201):
        here.board.do("press", (place + 1) % 2, after_us=1_000 + 20 * place)
    await asyncio.sleep(0.5)
    here.board.do("press", 0)
    await asyncio.sleep(0.5)
    assert here.wire.events() == ["press", "release"]
