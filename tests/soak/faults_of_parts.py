"""Faults of a table's parts: boards, readers and their lines, the display, buttons."""

from __future__ import annotations

import asyncio
import os
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from tapshared import rc522
from tapshared.version import FIRMWARE
from taptable.core.device_events import part_name
from taptable.core.observations import Pad
from taptable.core.part_notices import PartLost
from taptable.cues.presenter import PROBE_IN_WINDOW_S
from taptable.drivers.board.port import BYTES_PER_S, PENALTY_S
from taptable.drivers.board.usb_model import NO_NOISE, PRINT_OUTS, CableNoise
from taptable.drivers.header_lines import bcm_of

from soak.kinds import any_number, any_of, kind, lasting

if TYPE_CHECKING:
    from soak.night import Night

WORKS_AGAIN_S = 300.0
FOUND_WRONG_S = 40.0
LOOKED_S = 0.5
FLOODS = {"feeds": b"\n", "damage": b"#1 tag 04a1b2c3 7*deadbeef\n", "tracebacks": PRINT_OUTS[-1]}
FLOOD_EVERY_S, FLOOD_BYTES = 0.05, 2_000
FLOOD_TOLD_S = 8.0
FLOOD_OVER_S = 4 * PENALTY_S
"""Seconds within which a board that has stopped is heard again."""
UPSETS = ("48", "a7", "a5", "ae", "a0", "c0", "2002", "2001", "a81f", "d320", "8100", "2f", "fd16", "2600", "8d")
"""Commands in hex that a display may receive in the place of others; some take arguments that belong to others."""
UPSET_S = 75.0
"""Seconds for which the display may show something else, including the time while the host is held up."""

TOO_OLD, OLD = "0.9.0", "1.0.0"


# --- boards, lines, readers -----------------------------------------------------------------------------------------


@kind("board", board=any_number, powered=any_of(True, True, False), for_s=lasting(0.2, 15.0))
async def board_unplugged(night: Night, board: int, powered: bool, for_s: float) -> bool:
    """A board's cable is unplugged; without other power the board loses its memory."""
    found = night.any_board(board)
    if found is None:
        return False
    at, hung = found
    with night.troubles.exclusive(at, "out"), ExitStack() as blind:
        if not powered:
            blind.enter_context(night.forgetting(at))
        hung.pull_out(powered=powered)
        await asyncio.sleep(for_s)
        await night.wait_for_daemon()
        hung.plug_in()
    return True


@kind("board", board=any_number)
async def board_reset(night: Night, board: int) -> bool:
    """A board restarts."""
    found = night.any_board(board)
    if found is None:
        return False
    at, hung = found
    with night.forgetting(at):
        hung.reset()
    return True


@kind("board", board=any_number, other=any_number, for_s=lasting(0.2, 5.0))
async def boards_swapped(night: Night, board: int, other: int, for_s: float) -> bool:
    """Two boards' cables are swapped: each has the other's port then."""
    one, two = night.any_board(board), night.any_board(other)
    if one is None or two is None or one[0] == two[0]:
        return False
    with night.troubles.exclusive(one[0], "out"), night.troubles.exclusive(two[0], "out"):
        for _, hung in (one, two):
            hung.pull_out(powered=True)
        await asyncio.sleep(for_s)
        await night.wait_for_daemon()
        for _, hung in (two, one):
            hung.plug_in()
    return True


@kind("board", board=any_number, firmware=any_of(TOO_OLD, OLD), for_s=lasting(2.0, 20.0))
async def old_firmware(night: Night, board: int, firmware: str, for_s: float) -> bool:
    """A board is replaced by one with an old firmware, which is put right after a while."""
    found = night.any_board(board)
    if found is None:
        return False
    at, hung = found
    with night.troubles.exclusive(at, "out"), night.forgetting(at):
        for version, wait_s in ((firmware, for_s), (FIRMWARE, 0.0)):
            await night.wait_for_daemon()
            hung.firmware = version
            hung.reset()
            await asyncio.sleep(wait_s)
    return True


@kind("board", board=any_number, harm=lasting(0.01, 0.15), for_s=lasting(1.0, 20.0))
async def damaged_lines(night: Night, board: int, harm: float, for_s: float) -> bool:
    """Lines between a board and the Pi are lost, cut, corrupted, doubled, late, and mixed with print-outs."""
    found = night.any_board(board)
    if found is None:
        return False
    _, hung = found
    passed = 0

    def overheard(line: bytes, to_pi: bool) -> None:
        nonlocal passed
        del line, to_pi
        passed += 1

    hung.line.noise, hung.line.on_line = CableNoise(harm, harm, harm, harm, harm, harm), overheard
    await asyncio.sleep(for_s)
    hung.line.noise, hung.line.on_line = NO_NOISE, None
    return passed > 0


@kind("board", board=any_number, what=any_of(*FLOODS), for_s=lasting(0.5, 20.0))
async def flooding_board(night: Night, board: int, what: str, for_s: float) -> bool:
    """A board sends nonsense, far more than anybody could read, and is disconnected for that."""
    found = night.any_board(board)
    if found is None:
        return False
    at, hung = found
    part, began, sent = part_name("flood", at), len(night.events), 0
    with night.troubles.exclusive(at, "out"), night.troubles.blind(at), night.troubles.twice(at), ExitStack() as more:
        if isinstance(at, int):
            more.enter_context(night.troubles.unsure(at))
        for _ in range(round(for_s / FLOOD_EVERY_S)):
            await asyncio.sleep(FLOOD_EVERY_S)
            if hung.line.plugged and hung._conversation is not None:
                with suppress(BlockingIOError, AssertionError, OSError):
                    sent += os.write(hung.line.descriptor, FLOODS[what] * (FLOOD_BYTES // len(FLOODS[what])))
        told = any(isinstance(event, PartLost) and event.part == part for _, event in night.events[began:])
        disturbed = night.dead or night.troubles.struck_since(night.loop.time() - for_s, "flooding-board")
        if for_s > FLOOD_TOLD_S and not (told or disturbed):
            night.wrong.append(f"board {at} has flooded its line for {for_s} s, and nobody was told")
        await asyncio.sleep(sent / BYTES_PER_S)  # what is still on the cable is read, too
        ends_s = night.loop.time() + FLOOD_OVER_S
        while any(part in alert for alert in night.lost_parts) and night.loop.time() < ends_s:
            await asyncio.sleep(LOOKED_S)
    return True


@kind(pad=any_number, how=any_number, for_s=lasting(0.3, 12.0))
async def deaf_reader(night: Night, pad: int, how: int, for_s: float) -> bool:
    """A reader doesn't answer any more, or answers nonsense."""
    at, table = night.any_pad(pad), night.table
    if night.troubles.is_excluded(at, "deaf"):
        return False
    with night.troubles.exclusive(at, "deaf"), night.troubles.blind(at):
        has_chip = at not in table.stand_in("board").boards and table.kind_of(at) != "pcsc"
        chip = table.chip_at(at) if has_chip else None
        if chip is None or how % 3 == 0:
            table.deafen(at)
        elif how % 3 == 1 or table.kind_of(at) == "i2c":
            chip.is_present = False
        else:
            chip.miso_stuck_at = (0x00, 0x92, 0xFF)[how % 7 % 3]
        await asyncio.sleep(for_s)
        table.deafen(at, deaf=False)
        if chip is not None:
            chip.is_present, chip.miso_stuck_at = True, None
    return True


@kind(pad=any_number)
async def latched_receiver(night: Night, pad: int) -> bool:
    """A reader's receiver hears nothing until its chip is reset."""
    return await latched(night, night.any_pad(pad), 0, WORKS_AGAIN_S)


@kind(pad=any_number)
async def lost_register(night: Night, pad: int) -> bool:
    """A register of a reader's chip loses its value: no card understands the reader."""
    return await latched(night, night.any_pad(pad), rc522.TX_ASK_REG, FOUND_WRONG_S)


@kind(pad=any_number)
async def crypto_bit_on(night: Night, pad: int) -> bool:
    """A reader's chip enciphers what it sends, and deciphers what it hears."""
    return await latched(night, night.any_pad(pad), rc522.STATUS_2_REG, FOUND_WRONG_S)


async def latched(night: Night, at: Pad, register: int, within_s: float) -> bool:
    """A reader answers and hears nothing right. If it doesn't work again in time, the table has to report that."""
    if any(night.troubles.is_excluded(at, why) for why in ("out", "unheard", "deaf", "unreadable")) or night.dead:
        return False
    if night.table.kind_of(at) == "pcsc":
        return False  # a boxed reader sees to its chip itself
    with night.troubles.blind(at), night.troubles.twice(at), night.troubles.exclusive(at, "unheard"):
        night.table.latch(at, register)
        ends_s = night.loop.time() + within_s
        while night.table.is_latched(at) and night.loop.time() < ends_s:
            await asyncio.sleep(LOOKED_S)
            if night.dead or night.troubles.is_excluded(at) or night.troubles.is_excluded(at, "deaf"):
                ends_s = night.loop.time() + within_s  # nobody can set it up meanwhile
        if night.table.is_latched(at):
            night.wrong.append(f"the reader at {at} hears nothing since {within_s} s, and nobody was told")
    return True


@kind(bytes_more=any_of(0, 1, 7, 40, 300), for_s=lasting(0.3, 12.0))
async def display_gone(night: Night, bytes_more: int, for_s: float) -> bool:
    """The display loses its contact, in the middle of a picture too."""
    if not night.table.display.plugged:
        return False
    night.table.display.unplug(bytes_more)
    await asyncio.sleep(for_s)
    night.table.display.plug()
    return True


@kind(command=any_of("", *UPSETS), at=any_number)
async def display_upset(night: Night, command: str, at: int) -> bool:
    """A spike on the display's bus makes another command of a byte, or another byte of the picture."""
    display = night.table.display
    if not display.plugged:
        return False
    illegal = len(display.illegal)
    night.upset_until_s = night.loop.time() + UPSET_S
    if command:
        for byte in bytes.fromhex(command):
            display._take_command_byte(byte)
    else:
        display._memory[at % len(display._memory)] ^= 0xFF
    await asyncio.sleep(PROBE_IN_WINDOW_S + 1)  # until then what is sent may be taken for its arguments
    del display.illegal[illegal:]
    return True


# --- buttons --------------------------------------------------------------------------------------------------------


@kind("gpio", for_s=lasting(5.0, 40.0))
async def bouncing_buttons(night: Night, for_s: float) -> bool:
    """Contacts bounce for far longer than they should."""
    pins, before = night.table.stand_in("gpio").pins, len(night.table.stand_in("gpio").pins.truth)
    pins._long_bounce_chance = 1.0
    await asyncio.sleep(for_s)
    pins._long_bounce_chance = 0.001
    return len(pins.truth) > before


@kind(seat=any_number, width_s=any_of(0.0002, 0.001, 0.0029))
async def static_at_a_button(night: Night, seat: int, width_s: float) -> bool:
    """A spike at a contact, as fingers and nylon make it."""
    at = night.any_seat(seat)
    if night.config.seats[at - 1].button.kind == "input":
        return night.table.stand_in("input").spark(at)
    pin = pin_of(night, at)
    return pin is not None and night.table.stand_in("gpio").pins.spark(pin, width_s) is not None


@kind(seat=any_number, for_s=lasting(1.0, 20.0))
async def stuck_button(night: Night, seat: int, for_s: float) -> bool:
    """A button doesn't come up again for a while."""
    at = night.any_seat(seat)
    pin = pin_of(night, at)
    if night.troubles.is_excluded(at, "stuck"):
        return False
    with night.troubles.exclusive(at, "stuck"), night.troubles.unsure(at):
        if pin is None:
            night.table.press(at, for_s)
        elif night.table.stand_in("gpio").pins.stick(pin) is None:
            return False
        await asyncio.sleep(for_s)
        if pin is not None:
            night.table.stand_in("gpio").pins.release(pin)
    return True


@kind(seat=any_number, presses=any_of(3, 6, 12), gap_s=lasting(0.06, 0.3))
async def mashed_button(night: Night, seat: int, presses: int, gap_s: float) -> bool:
    """Somebody presses a button again and again."""
    at = night.any_seat(seat)
    if night.troubles.is_excluded(at, "stuck"):
        return False
    with night.troubles.exclusive(at, "stuck"), night.troubles.unsure(at):
        for _ in range(presses):
            night.table.press(at, 0.03)
            await asyncio.sleep(gap_s)
    return not night.troubles.is_excluded(at)


async def race(night: Night, one: int, two: int, gap_s: float) -> bool:
    """Two players want to be first in a window, within a moment. Drawn with the evening, as windows are rare."""
    if night.troubles.is_excluded(one, "stuck") or night.troubles.is_excluded(two, "stuck"):
        return False
    night.table.press(one)
    await asyncio.sleep(gap_s)
    night.table.press(two)
    return True


def pin_of(night: Night, seat: int) -> int | None:
    """The pin of a seat's button; None where it is on a board."""
    button = night.config.seats[seat - 1].button
    return bcm_of(button) if button.kind == "gpio" else None
