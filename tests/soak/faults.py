"""What can go wrong in an evening, and how it is done to the table, at the seam where it goes wrong. Each kind draws
what it is done with beforehand, undoes itself, and says whether it has struck: one for which there was nothing to
strike isn't counted."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from tapshared.version import FIRMWARE
from taptable.config import OnGpio
from taptable.core.observations import Pad
from taptable.memory.database import wal_of
from taptable.sim.boards import VirtualBoard
from taptable.sim.cards import ntag213, shifted
from taptable.sim.field import CrossTalk
from taptable.sim.usb import CALM, Noise

from soak.plan import Value

if TYPE_CHECKING:
    from soak.night import Night

ON_PAD_S = 0.35
SOON_S = 20.0
"""So long a fault waits for what it strikes."""
WINDOW_S = 120.0
"""So long a race waits for a window."""
TOO_OLD, OLD = "0.9.0", "1.0.0"

Strike: TypeAlias = Callable[..., Awaitable[bool]]


@dataclass(frozen=True)
class Kind:
    """A kind of fault: what draws what it is done with, and what does it; True if it has struck."""

    draw: Callable[[Random], Mapping[str, Value]]
    strike: Strike


KINDS: dict[str, Kind] = {}


def kind(**drawn: Callable[[Random], Value]) -> Callable[[Strike], Strike]:
    """A kind of fault, called like the function that does it."""

    def add(strike: Strike) -> Strike:
        name = strike.__name__.replace("_", "-")
        KINDS[name] = Kind(lambda rng: {key: draw(rng) for key, draw in drawn.items()}, strike)
        return strike

    return add


def lasting(least_s: float, most_s: float) -> Callable[[Random], Value]:
    return lambda rng: round(rng.uniform(least_s, most_s), 3)


def any_of(*values: Value) -> Callable[[Random], Value]:
    return lambda rng: rng.choice(values)


def any_number(rng: Random) -> Value:
    return rng.randrange(1 << 16)


# --- tags -----------------------------------------------------------------------------------------------------------


@kind(pad=any_number, for_s=lasting(0.1, 2.5))
async def lost_tag(night: Night, pad: int, for_s: float) -> bool:
    """A reader hears no card for a while."""
    at, table = night.any_pad(pad), night.table
    if night.out(at, "unheard"):
        return False
    before, lay = table.puts[at], bool(table.lying(at))
    with night.blind(at), night.twice(at), night.exclusive(at, "unheard"):
        table.unheard(at, True)
        await asyncio.sleep(for_s)
        table.unheard(at, False)
    return lay or table.puts[at] > before


@kind(pad=any_number, gap_s=lasting(0.02, 0.9), for_s=lasting(0.05, 0.4))
async def doubled_tag(night: Night, pad: int, gap_s: float, for_s: float) -> bool:
    """A card comes to a pad once more as soon as it was lifted."""
    at = night.any_pad(pad)
    uid = await night.table.next_lifted(at, SOON_S)
    if uid is None:
        return False
    await asyncio.sleep(gap_s)
    if night.checking:
        return False
    await lies(night, uid, at, for_s)
    return True


@kind(pad=any_number, tag=any_number, looks=any_of(1, 1, 1, 2))
async def shifted_tag(night: Night, pad: int, tag: int, looks: int) -> bool:
    """A reader takes its neighbour's card for another one, bits shifted and check bytes right."""
    at = night.any_pad(pad)
    longest = [uid for uid in night.uids if len(uid) == 14]
    ghost = shifted(bytes.fromhex(longest[tag % len(longest)]))
    if night.out(at) or night.table.is_deaf(at):
        return False
    for _ in range(looks):
        if at in night.table.boards:
            if night.table.boards[at]._conversation is None:
                return False
            night.table.boards[at].hear_ghost(ghost.hex())
        else:
            night.table.fields[at].disturbances.append(CrossTalk(ntag213(ghost)))
        await asyncio.sleep(0.1)
    return True


@kind(pad=any_number, tag=any_number, random=any_of(False, True), for_s=lasting(0.2, 3.0))
async def foreign_tag(night: Night, pad: int, tag: int, random: bool, for_s: float) -> bool:
    """A tag that is in no deck, or a phone."""
    at = night.any_pad(pad)
    number = Random(tag).randbytes(6).hex()
    await lies(night, f"08{number[:6]}" if random else f"04{number}", at, for_s)
    return not night.out(at)


@kind()
async def two_cards(night: Night) -> bool:
    """Two cards slip onto the pad of whoever is on turn at once; another's would count as theirs."""
    at = night.on_turn
    hand = () if at is None else night.people.truth.hand(at)
    if at is None or len(hand) < 2:
        return False
    await night.people._tap_two(hand[0], hand[1], at)
    return not night.out(at)


@kind(card=any_number, for_s=lasting(2.0, 40.0))
async def left_lying(night: Night, card: int, for_s: float) -> bool:
    """Whoever is on turn leaves a card of the own hand lying on the pad."""
    at = night.on_turn
    hand = () if at is None else night.people.truth.hand(at)
    if at is None or not hand:
        return False
    with night.people.put(hand[card % len(hand)], at):
        await asyncio.sleep(for_s)
    return not night.out(at)


async def lies(night: Night, uid: str, at: Pad, for_s: float) -> None:
    """A tag lies on a pad for a while."""
    night.table.put(uid, at)
    await asyncio.sleep(for_s)
    night.table.lift(uid, at)


# --- boards, lines, readers -----------------------------------------------------------------------------------------


@kind(board=any_number, powered=any_of(True, True, False), for_s=lasting(0.2, 15.0))
async def board_unplugged(night: Night, board: int, powered: bool, for_s: float) -> bool:
    """A board's cable is pulled out; without other power it forgets what it kept."""
    found = night.any_board(board)
    if found is None:
        return False
    at, hung = found
    with night.exclusive(at, "out"), ExitStack() as blind:
        if not powered:
            blind.enter_context(night.forgetting(at))
        hung.pull_out(powered=powered)
        await asyncio.sleep(for_s)
        await night.alive()
        hung.plug_in()
    return True


@kind(board=any_number)
async def board_reset(night: Night, board: int) -> bool:
    """A board begins anew."""
    found = night.any_board(board)
    if found is None:
        return False
    at, hung = found
    with night.forgetting(at):
        hung.reset()
    return True


@kind(board=any_number, other=any_number, for_s=lasting(0.2, 5.0))
async def boards_swapped(night: Night, board: int, other: int, for_s: float) -> bool:
    """Two boards' cables are swapped: each has the other's port then."""
    one, two = night.any_board(board), night.any_board(other)
    if one is None or two is None or one[0] == two[0]:
        return False
    with night.exclusive(one[0], "out"), night.exclusive(two[0], "out"):
        for _, hung in (one, two):
            hung.pull_out(powered=True)
        await asyncio.sleep(for_s)
        await night.alive()
        for _, hung in (two, one):
            hung.plug_in()
    return True


@kind(board=any_number, firmware=any_of(TOO_OLD, OLD), for_s=lasting(2.0, 20.0))
async def old_firmware(night: Night, board: int, firmware: str, for_s: float) -> bool:
    """A board is replaced by one with an old firmware, which is put right after a while."""
    found = night.any_board(board)
    if found is None:
        return False
    at, hung = found
    with night.exclusive(at, "out"), night.forgetting(at):
        for version, wait_s in ((firmware, for_s), (FIRMWARE, 0.0)):
            await night.alive()
            hung.firmware = version
            hung.reset()
            await asyncio.sleep(wait_s)
    return True


@kind(board=any_number, harm=lasting(0.01, 0.15), for_s=lasting(1.0, 20.0))
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

    hung.line.noise, hung.line.overheard = Noise(harm, harm, harm, harm, harm, harm), overheard
    await asyncio.sleep(for_s)
    hung.line.noise, hung.line.overheard = CALM, None
    return passed > 0


@kind(pad=any_number, how=any_number, for_s=lasting(0.3, 12.0))
async def deaf_reader(night: Night, pad: int, how: int, for_s: float) -> bool:
    """A reader doesn't answer any more, or answers nonsense."""
    at, table = night.any_pad(pad), night.table
    if night.out(at, "deaf"):
        return False
    with night.exclusive(at, "deaf"), night.blind(at):
        chip = None if at in table.boards else table.wiring.chips[table.fields[at].name]
        if chip is None or how % 3 == 0:
            table.deafen(at)
        elif how % 3 == 1:
            chip.alive = False
        else:
            chip.held = (0x00, 0x92, 0xFF)[how % 7 % 3]
        await asyncio.sleep(for_s)
        table.deafen(at, deaf=False)
        if chip is not None:
            chip.alive, chip.held = True, None
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


# --- buttons --------------------------------------------------------------------------------------------------------


@kind(for_s=lasting(5.0, 40.0))
async def bouncing_buttons(night: Night, for_s: float) -> bool:
    """Contacts bounce for far longer than they should."""
    pins, before = night.table.pins, len(night.table.pins.truth)
    pins._long_bounce_chance = 1.0
    await asyncio.sleep(for_s)
    pins._long_bounce_chance = 0.001
    return len(pins.truth) > before


@kind(seat=any_number, width_s=any_of(0.0002, 0.001, 0.0029))
async def static_at_a_button(night: Night, seat: int, width_s: float) -> bool:
    """A spike at a contact, as fingers and nylon make it."""
    pin = pin_of(night, night.any_seat(seat))
    return pin is not None and night.table.pins.static(pin, width_s) is not None


@kind(seat=any_number, for_s=lasting(1.0, 20.0))
async def stuck_button(night: Night, seat: int, for_s: float) -> bool:
    """A button doesn't come up again for a while."""
    at = night.any_seat(seat)
    pin = pin_of(night, at)
    if night.out(at, "stuck"):
        return False
    with night.exclusive(at, "stuck"), night.unsure(at):
        if pin is None:
            night.table.press(at, for_s)
        elif night.table.pins.stick(pin) is None:
            return False
        await asyncio.sleep(for_s)
        if pin is not None:
            night.table.pins.free(pin)
    return True


@kind(seat=any_number, presses=any_of(3, 6, 12), gap_s=lasting(0.06, 0.3))
async def mashed_button(night: Night, seat: int, presses: int, gap_s: float) -> bool:
    """Somebody presses a button again and again."""
    at = night.any_seat(seat)
    if night.out(at, "stuck"):
        return False
    with night.exclusive(at, "stuck"), night.unsure(at):
        for _ in range(presses):
            night.table.press(at, 0.03)
            await asyncio.sleep(gap_s)
    return not night.out(at)


@kind(seat=any_number, gap_s=lasting(0.0, 0.06))
async def buzzing_race(night: Night, seat: int, gap_s: float) -> bool:
    """Two want to be first in a window, within a moment."""
    if not await night.window_open(WINDOW_S):
        return False
    one, two = night.any_seat(seat), night.any_seat(seat + 1)
    if night.checking or night.out(one, "stuck") or night.out(two, "stuck"):
        return False
    night.table.press(one)
    await asyncio.sleep(gap_s)
    night.table.press(two)
    return True


def pin_of(night: Night, seat: int) -> int | None:
    """The pin of a seat's button; None where it is on a board."""
    button = night.config.seats[seat - 1].button
    return button.bcm if isinstance(button, OnGpio) else None


# --- the host, its clocks and its disk ------------------------------------------------------------------------------


@kind(for_s=lasting(0.02, 4.0))
async def stalled_host(night: Night, for_s: float) -> bool:
    """The host does nothing for a while; time goes on."""
    night.stall(for_s)
    return not night.dead


@kind(board=any_number, ppm=lasting(-50.0, 50.0))
async def drifting_clock(night: Night, board: int, ppm: float) -> bool:
    """A board's crystal runs otherwise from now on, as it does when it gets warm."""
    found = night.any_board(board)
    if found is None:
        return False
    _, hung = found
    drift(hung, ppm, night.loop.time())
    return True


def drift(board: VirtualBoard, ppm: float, now_s: float) -> None:
    """The clock goes on from where it is, at another speed."""
    board._first_ticks, board._began_s = board._board_us, now_s
    board._ticks_a_second = 1_000_000 + ppm


@kind(for_s=lasting(0.5, 15.0))
async def full_disk(night: Night, for_s: float) -> bool:
    """The disk has no room, by the system's own limit of a file's size."""
    wal = wal_of(night.config.table.journal)
    if night.dead or night.no_room or not wal.exists():
        return False
    before = night.refused_writes
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    night.no_room = True
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size, hard))
    try:
        await asyncio.sleep(for_s)
    finally:
        night.no_room = False
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    return night.refused_writes > before


@kind(at=any_of("before BEGIN", "before INSERT INTO entries", "before COMMIT"), for_s=lasting(0.05, 8.0))
async def failing_writes(night: Night, at: str, for_s: float) -> bool:
    """The disk fails at each write for a while."""
    failed = 0

    def fail() -> None:
        nonlocal failed
        failed += 1
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR | (10 << 8)
        raise error

    with night.passing(at, fail):
        await asyncio.sleep(for_s)
    return failed > 0


@kind(by_s=lasting(0.03, 0.8), for_s=lasting(1.0, 15.0))
async def slow_disk(night: Night, by_s: float, for_s: float) -> bool:
    """Each commit takes long."""
    commits = 0

    def wait() -> None:
        nonlocal commits
        commits += 1
        night.stall(by_s)

    with night.passing("before COMMIT", wait):
        await asyncio.sleep(for_s)
    return commits > 0


# --- processes and power --------------------------------------------------------------------------------------------

POINTS = (
    *("turn", "before BEGIN", "after BEGIN", "after INSERT INTO entries", "before COMMIT", "after COMMIT"),
    *("light", "ack", "oled"),
)
"""Where a process may be killed: between two turns of its loop, or as soon as this passes below the drivers."""


@kind(point=any_of(*POINTS), off_s=lasting(0.5, 8.0))
async def table_killed(night: Night, point: str, off_s: float) -> bool:
    """The daemon is killed, and begun again on what is on the disk."""
    return await night.die(point, off_s)


@kind(point=any_of(*POINTS, "after COMMIT"), off_s=lasting(1.0, 60.0), torn=any_of(-1.0, 0.0, 0.2, 0.5, 0.9, 1.0))
async def power_cut(night: Night, point: str, off_s: float, torn: float) -> bool:
    """The power fails: all parts with it, and files are as they were synced; in a commit, some of it may be there."""
    in_commit = torn >= 0 and point == "after COMMIT"
    return await night.die(point, off_s, power=True, torn=torn if in_commit else None)


@kind(frames=any_of(1, 2, 3, 5, 9), off_s=lasting(0.5, 8.0))
async def frames_cut(night: Night, frames: int, off_s: float) -> bool:
    """The daemon is killed, and the journal's last frames are gone, though they were synced."""
    return await night.die("turn", off_s, frames=frames)


@kind(for_s=lasting(0.0, 20.0))
async def page_killed(night: Night, for_s: float) -> bool:
    """The page is killed, and begun again."""
    if not night.page_there:
        return False
    night.clients.kill_page()
    await asyncio.sleep(for_s)
    await night.alive()
    if not night.page_there:
        night.clients.begin_page()
    return True


@kind(asks=any_of(20, 100), seed=any_number)
async def flooding_phones(night: Night, asks: int, seed: int) -> bool:
    """Phones ask for all they can, and for what they can't; nothing of it changes the game."""
    if not night.page_there:
        return False
    rng = Random(seed)
    verbs: list[tuple[str, dict[str, Any]]] = [
        ("games", {}),
        ("game", {"game": 1}),
        ("position", {"game": 1, "step": 5}),
        ("steps", {"game": 1}),
        ("members", {}),
        ("set-up", {"players": "many"}),
        ("set-up", {"players": 3, "settings": {"luck": "1"}}),
        ("vacate", {"seat": 9}),
        ("lost", {"card": "joker#1"}),
        ("hand-counted", {"seat": 1, "count": -1}),
        ("nonsense", {"field": "x" * 200}),
        ("recovered", {"card": "hacker#1"}),
    ]
    for number in range(asks):
        verb, fields = rng.choice(verbs)
        await night.ask(verb, **fields)
        if number % 10 == 9:
            await asyncio.sleep(0)
            if not night.page_there:
                break
            night.clients.parts()
    return True


# --- people ---------------------------------------------------------------------------------------------------------


@kind(seat=any_number, control=any_of("take-back", "take-back", "check", "pause", "reshuffle"))
async def control_card(night: Night, seat: int, control: str) -> bool:
    """Somebody takes back, checks the table, or lets it wait."""
    if not night.people.has_card(control):
        return False
    at = night.any_seat(seat)
    return await night.people.use_control(at, control) is not None


@kind(seat=any_number, other=any_number, first=any_of("take-back", "check", "pause"), gap_s=lasting(0.0, 0.6))
async def argument(night: Night, seat: int, other: int, first: str, gap_s: float) -> bool:
    """Two want different things at the same time."""
    one, two = night.any_seat(seat), night.any_seat(other)
    second = {"take-back": "pause", "check": "take-back", "pause": "check"}[first]
    if not (night.people.has_card(first) and night.people.has_card(second)) or one == two:
        return False
    doing = asyncio.ensure_future(night.people.use_control(one, first))
    await asyncio.sleep(gap_s)
    heard = [await night.people.use_control(two, second), await doing]
    return any(each is not None for each in heard)


@kind(seat=any_number, for_s=lasting(5.0, 60.0))
async def player_away(night: Night, seat: int, for_s: float) -> bool:
    """A player gets up, and comes back."""
    at = night.any_seat(seat)
    if night.out(at, "away") or at not in night.people._seats:
        return False
    with night.exclusive(at, "away"):
        await night.people.leave(at)
        await asyncio.sleep(for_s)
        night.people.take_over(at)
    return True


@kind(seat=any_number)
async def player_leaves(night: Night, seat: int) -> bool:
    """A player leaves for good, and the page is told."""
    if night.players < 3 or night.vacated:
        return False
    await night.people.settled()
    return await night.ask("vacate", seat=night.any_seat(seat))


@kind(card=any_number, lying=any_of(False, True), for_s=lasting(5.0, 60.0))
async def lost_card(night: Night, card: int, lying: bool, for_s: float) -> bool:
    """A card can't be found, which the page is told, and is found later."""
    cards = [each for zone in night.people.lying() for each in zone.cards] if lying else night.people.truth.pile
    if not cards:
        return False
    await night.people.settled()
    lost = cards[card % len(cards)]
    if not await night.ask("lost", card=lost):
        return False
    await asyncio.sleep(for_s)
    await night.ask("recovered", card=lost)
    return True


@kind(what=any_of("pause", "check", "take-back"), for_s=lasting(1.0, 15.0))
async def asked_at_the_page(night: Night, what: str, for_s: float) -> bool:
    """Somebody at the page asks for what a control card can do."""
    done = await night.ask(what)
    await asyncio.sleep(for_s)
    if what == "pause":
        await night.ask("resume")
    return done
