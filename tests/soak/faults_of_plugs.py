"""Faults of parts that plug together: switches and buses of I2C, controllers and hubs on USB, boxed readers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection
from contextlib import ExitStack
from typing import TYPE_CHECKING

from table.truth import RELEASED_S
from taptable.core.device_events import part_name
from taptable.core.observations import Pad
from taptable.core.part_notices import PartLost
from taptable.drivers.pcsc.pads import LAST_RETRY_S
from taptable.drivers.pcsc.winscard import PcscCode

from soak.kinds import any_number, any_of, kind, lasting
from soak.quick import port_of

if TYPE_CHECKING:
    from soak.night import Night

TOLD_S = 3.0
"""Seconds within which a part that has gone is reported."""
PRESSED_EVERY_S, PRESSED_FOR_S, HELD_FOR_S = 0.06, 0.03, 0.5
READ_S = 0.2
LOST_CODES = (PcscCode.NO_SERVICE.value, PcscCode.SERVICE_STOPPED.value, PcscCode.COMM_ERROR.value)
LOOKED_AGAIN_S, FOUND_AGAIN_S = 1.5, LAST_RETRY_S + 2.0
"""Seconds until a boxed reader that is back has looked, and until pcscd was tried again and its readers have."""

# --- I2C ------------------------------------------------------------------------------------------------------------


@kind("i2c", pad=any_number, for_s=lasting(0.2, 15.0))
async def hung_switch(night: Night, pad: int, for_s: float) -> bool:
    """A switch answers nothing any more, with a channel connected or without, until its power was interrupted."""
    stand_in = night.table.stand_in("i2c")
    behind = [each for each in stand_in.places if stand_in.switch_of(each) is not None]
    if not behind or night.dead:
        return False
    switch = stand_in.switch_of(behind[pad % len(behind)])
    if switch.hangs:
        return False
    began = len(night.events)
    parts = [part_name("pad", each) for each in behind if stand_in.switch_of(each) is switch]
    with blind_on_i2c(night):
        switch.hangs = True
        await asyncio.sleep(for_s)
        switch.plug()
        await asyncio.sleep(READ_S)
    # the only reader on a bus stays connected, and nothing has to be said to its switch
    return told(night, began, parts, "hung-switch", for_s if len(stand_in.places) > 1 else 0.0)


@kind("i2c", pad=any_number)
async def switch_restarted(night: Night, pad: int) -> bool:
    """A switch loses its power for a moment: no channel is connected any more."""
    stand_in = night.table.stand_in("i2c")
    switches = [each for each in stand_in.switches.values() if each.selected and not each.hangs]
    if not switches or night.dead:
        return False
    with blind_on_i2c(night):
        switches[pad % len(switches)].plug()
    return True


@kind("i2c", pad=any_number, for_s=lasting(0.2, 20.0))
async def held_bus(night: Night, pad: int, for_s: float) -> bool:
    """A part holds a line of an I2C bus low: nothing on it answers, the display neither."""
    places = list(night.table.stand_in("i2c").places.values())
    bus, stuck = places[pad % len(places)].bus, night.table.around.i2c.stuck
    if bus in stuck or night.dead:
        return False
    began = len(night.events)
    parts = [part_name("pad", each) for each, place in night.table.stand_in("i2c").places.items() if place.bus == bus]
    with blind_on_i2c(night):
        stuck.add(bus)
        await asyncio.sleep(for_s)
        stuck.discard(bus)
        await asyncio.sleep(READ_S)
    return told(night, began, parts, "held-bus", for_s)


def blind_on_i2c(night: Night) -> ExitStack:
    """While this lasts, and until all have been looked at again, no reader on I2C may see anything: one bus has all."""
    blind = ExitStack()
    for pad in night.table.stand_in("i2c").places:
        blind.enter_context(night.troubles.blind(pad))
    return blind


# --- controllers on USB ---------------------------------------------------------------------------------------------


@kind("input", seat=any_number, for_s=lasting(0.05, 15.0))
async def controller_unplugged(night: Night, seat: int, for_s: float) -> bool:
    """A controller is unplugged, with all its buttons and lamps, and comes back at the same port under other names."""
    return await unplugged(night, [any_port(night, seat)], for_s, "controller-unplugged")


@kind("input", seat=any_number)
async def controller_renamed(night: Night, seat: int) -> bool:
    """A controller restarts: before anybody has looked, it is there again under other names."""
    return await unplugged(night, [any_port(night, seat)], 0.0, "controller-renamed")


@kind("input", for_s=lasting(0.05, 15.0))
async def hub_off(night: Night, for_s: float) -> bool:
    """A hub loses its power: all controllers and all boards go at once, and come back."""
    return await unplugged(night, night.table.controller_ports, for_s, "hub-off", boards=True)


@kind("input", seat=any_number, for_s=lasting(1.0, 15.0))
async def controller_taken(night: Night, seat: int, for_s: float) -> bool:
    """A controller is unplugged and plugged in, and another program has it for itself before the table looks."""
    port, table, began = any_port(night, seat), night.table, len(night.events)
    buttons = table.on_controllers("input", port)
    if night.dead or is_unplugged(night, [port]):
        return False
    with without(night, [port]):
        table.plug_in_controller(port, False)
        table.plug_in_controller(port, True)
        descriptor = table.stand_in("input").controllers[port].open_elsewhere()
        await asyncio.sleep(for_s)
        os.close(descriptor)
        await asyncio.sleep(READ_S)
    return told(night, began, [part_name("button", each) for each in buttons], "controller-taken", for_s)


async def unplugged(night: Night, gone: Collection[str], for_s: float, kind: str, *, boards: bool = False) -> bool:
    """What is at these USB ports goes, and all `boards` with it, and comes back."""
    table, began = night.table, len(night.events)
    if night.dead or is_unplugged(night, gone):
        return False
    all_boards = table.stand_in("board").boards if boards else {}
    hung = {pad: board for pad, board in all_boards.items() if night.is_free(pad)}
    parts = [part_name("button", seat) for port in gone for seat in table.on_controllers("input", port)]
    with without(night, gone) as stack:
        for pad, board in hung.items():
            stack.enter_context(night.troubles.exclusive(pad, "out"))
            stack.enter_context(night.forgetting(pad))
            board.pull_out(powered=False)
        for port in gone:
            table.plug_in_controller(port, False)
        await asyncio.sleep(for_s)
        await night.wait_for_daemon()
        for port in gone:
            table.plug_in_controller(port, True)
        for board in hung.values():
            board.plug_in()
        await asyncio.sleep(READ_S)
    return told(night, began, parts, kind, for_s + TOLD_S)


def is_unplugged(night: Night, gone: Collection[str]) -> bool:
    """Return whether another fault has unplugged something at these USB ports."""
    return any(night.troubles.is_excluded(port, "unplugged") for port in gone)


def without(night: Night, gone: Collection[str]) -> ExitStack:
    """While this lasts, the buttons at these USB ports may not be heard, and no other fault unplugs them."""
    stack = ExitStack()
    for port in gone:
        stack.enter_context(night.troubles.exclusive(port, "unplugged"))
        for seat in night.table.on_controllers("input", port):
            stack.enter_context(night.troubles.unsure(seat))
    return stack


@kind("input", seat=any_number, presses=any_of(10, 25, 40), held=any_of(False, True))
async def lost_events(night: Night, seat: int, presses: int, held: bool) -> bool:
    """Somebody drums on a button while the host does nothing, until the kernel has no room for more events of its
    controller."""
    stand_in = night.table.stand_in("input")
    seats = night.table.on_controllers("input")
    at = seats[seat % len(seats)]
    if night.dead or not stand_in.is_plugged(at) or night.troubles.is_excluded(at, "stuck"):
        return False
    controller, before = stand_in.controller(at), stand_in.controller(at).overflows
    with ExitStack() as stack:
        stack.enter_context(night.troubles.exclusive(at, "stuck"))
        for each in night.table.on_controllers("input", port_of(night.config.seats[at - 1].button)):
            stack.enter_context(night.troubles.unsure(each))
        for number in range(presses):
            hold_s = HELD_FOR_S if held and number == presses - 1 else PRESSED_FOR_S
            stand_in.press(at, hold_s, number * PRESSED_EVERY_S)
        night.stall(presses * PRESSED_EVERY_S + RELEASED_S)
        await asyncio.sleep(HELD_FOR_S)
    return controller.overflows > before


# --- boxed readers --------------------------------------------------------------------------------------------------


@kind("pcsc", pad=any_number, for_s=lasting(0.05, 15.0))
async def reader_pulled(night: Night, pad: int, for_s: float) -> bool:
    """A boxed reader is pulled out, and comes back under another name."""
    return await pulled(night, [pad], for_s, "reader-pulled")


@kind("pcsc", pad=any_number, other=any_number)
async def readers_renamed(night: Night, pad: int, other: int) -> bool:
    """Two boxed readers restart: before anybody has looked, they are there again under other names."""
    return await pulled(night, [pad, other], 0.0, "readers-renamed")


@kind("pcsc", code=any_of(*LOST_CODES), for_s=lasting(0.05, 20.0))
async def pcscd_ended(night: Night, code: int, for_s: float) -> bool:
    """pcscd ends, is restarted or upgraded, with all readers in another order."""
    model, pads = night.table.stand_in("pcsc").model, list(night.table.stand_in("pcsc").readers)
    if night.dead or not model.is_running:
        return False
    began = len(night.events)
    with blind_at(night, pads):
        model.lost = PcscCode(code)
        model.stop()
        await asyncio.sleep(for_s)
        await night.wait_for_daemon()
        model.start()
        await asyncio.sleep(FOUND_AGAIN_S)
    return told(night, began, [part_name("pad", each) for each in pads], "pcscd-ended", for_s)


async def pulled(night: Night, numbers: Collection[int], for_s: float, kind: str) -> bool:
    """Boxed readers go and come back."""
    stand_in, began = night.table.stand_in("pcsc"), len(night.events)
    readers = list(stand_in.readers)
    pads = list(dict.fromkeys(readers[number % len(readers)] for number in numbers))
    if night.dead or any(night.troubles.is_excluded(each, "deaf") for each in pads):
        return False
    with blind_at(night, pads) as stack:
        for each in pads:
            stack.enter_context(night.troubles.exclusive(each, "deaf"))
            stand_in.deafen(each, True)
        await asyncio.sleep(for_s)
        await night.wait_for_daemon()
        for each in reversed(pads):
            stand_in.deafen(each, False)
        await asyncio.sleep(LOOKED_AGAIN_S)
    return told(night, began, [part_name("pad", each) for each in pads], kind, for_s)


def blind_at(night: Night, pads: Collection[Pad]) -> ExitStack:
    """While this lasts, these pads may miss what lies there, or read it once more."""
    blind = ExitStack()
    for each in pads:
        blind.enter_context(night.troubles.blind(each))
        blind.enter_context(night.troubles.twice(each))
    return blind


def any_port(night: Night, number: int) -> str:
    """The USB port of some controller with buttons."""
    there = sorted(night.table.stand_in("input").controllers)
    return there[number % len(there)]


def told(night: Night, began: int, parts: Collection[str], kind: str, for_s: float) -> bool:
    """Return whether a loss of any of these parts was reported since then. It is wrong that none was if the fault has
    lasted, and nothing else has happened."""
    lost = {event.part for _, event in night.events[began:] if isinstance(event, PartLost)}
    is_told = not lost.isdisjoint(parts)
    disturbed = night.dead or night.is_journal_stuck or night.troubles.struck_since(night.loop.time() - for_s, but=kind)
    if for_s >= TOLD_S and not (is_told or disturbed):
        night.wrong.append(f"{', '.join(parts)}: gone for {for_s} s, and nobody was told")
    return is_told
