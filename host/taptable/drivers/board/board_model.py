"""Virtual seat boards, for tests and the simulation, which put cards on them, lift cards and press their buttons. A
virtual board runs the code that boards and host share (`tapshared`), and models the rest of the firmware and the
reader. It speaks the wire to the driver over a pseudo-terminal (`usb_model`). Its `actions` record what really happened
at the pad and the button, independently of the messages. Must not know the driver that reads the messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal

from tapshared.contact import Contact
from tapshared.conversation import Conversation
from tapshared.lights import RING_PATTERNS
from tapshared.pad import LOOK_EVERY_US, Pad, is_first_read
from tapshared.presence import ABSENCE_US
from tapshared.rc522 import GAIN_DB
from tapshared.sentences import Message
from tapshared.ticks import PERIOD, ticks_add, ticks_diff
from tapshared.upkeep import CHECK_US, Upkeep
from tapshared.version import FIRMWARE

from taptable.drivers.board.usb_model import NO_NOISE, CableNoise, Line, UsbSockets
from taptable.sim.field import heard_share

SELF_CHECK_US = 250_000  # from one try of a reader that doesn't answer to the next, as the firmware's `RETRY_US`
UNSELECTABLE = b"\x04\xa2\xb3\xc4"  # what anticollision resolves of a card whose check byte is wrong
FRAME_NUMBERS = 1 << 11  # how many numbers the USB's frames have, before they begin again at 0
ANCHOR_WIDTH_US = 6  # between the two ticks of an anchor: a frame of the USB came after the first and by the second


@dataclass(frozen=True, slots=True)
class BoardAction:
    """One action at a board, in the loop's time: a card put or lifted, the button pressed or released."""

    at_s: float
    kind: Literal["put", "lift", "press", "release"]
    uid: str = ""


@dataclass(frozen=True, slots=True)
class ShownRing:
    """The lights of a board since `since_s`, in the loop's time: the ring's pattern, which ends `left_ms` after that
    and lasts `whole_ms` in all (0: for ever), and the lamp of the button."""

    since_s: float
    pattern: str = "off"
    left_ms: int = 0
    whole_ms: int = 0
    lamp: str = "off"


@dataclass(slots=True)
class Looks:
    """The looks that a board has made with its present gain, until `counted_us` on its clock. `read` is how many of
    them have read a card. It isn't an integer: of a card with a weak signal, each look counts as the share of looks
    that read the card (`heard_share`)."""

    counted_us: int
    made: int = 0
    read: float = 0.0


class VirtualBoard:
    """One board. Its clock is fast by `ppm` millionths, and shows `first_ticks` at each start.

    `actions` is the truth at its pad and button, `ring` are its lights, and `boot` counts its starts. `firmware` is the
    version that it reports from its next start on. `gain_db` is its reader's gain. With a gain of `needs_db`, every
    look reads the cards on the pad; with less, only the `heard_share` of looks does."""

    def __init__(
        self,
        board: str,
        sockets: UsbSockets,
        loop: asyncio.AbstractEventLoop,
        *,
        seed: int = 0,
        noise: CableNoise = NO_NOISE,
        ppm: float = 0.0,
        first_ticks: int = 0,
    ) -> None:
        self.board = board
        self.actions: list[BoardAction] = []
        self.ring = ShownRing(loop.time())
        self.boot = 0
        self.firmware = FIRMWARE
        self.gain_db = GAIN_DB
        self.needs_db = 0
        self.line = Line(board, sockets, loop, self._receive, Random(f"{seed} {board}"), noise)
        self._loop = loop
        self._ticks_a_second = 1_000_000 + ppm
        self._first_ticks = first_ticks
        self._began_s = 0.0
        self._conversation: Conversation | None = None
        self._wake: asyncio.TimerHandle | None = None
        self._anchor_timer: asyncio.TimerHandle | None = None
        self._pad = Pad()
        self._field: set[bytes] = set()
        self._settled_us = 0  # up to this time of the board's clock, all looks have been made
        self._deaf = False
        self._contact = Contact(False)
        self._looks = Looks(0)
        self._latched = self._wrong_register = self._is_reset = self._unselectable = False
        self._quiet = True
        self._begin_upkeep()

    def _begin_upkeep(self) -> None:
        self._upkeep = Upkeep()
        self._set_ups = self._wrong = 0
        self._latched = self._wrong_register = False

    def plug_in(self) -> None:
        """Plug the cable in. A board that had no power starts."""
        self.line.plug_in()
        if self._conversation is None:
            self.reset()

    def pull_out(self, *, powered: bool = False) -> None:
        """Pull the cable out. Unless the board is powered from elsewhere, it stops and forgets its pending events."""
        self.line.pull_out()
        if not powered:
            self._conversation = None
            self._send()

    def reset(self) -> None:
        """Restart the board, with the next boot number."""
        self.boot += 1
        self._began_s = self._loop.time()
        self.ring = ShownRing(self._began_s)
        self._pad = Pad()
        self._contact = Contact(self._contact.closed)
        self.gain_db = GAIN_DB
        self._looks = Looks(self._board_us)
        self._begin_upkeep()
        about: dict[str, int | str] = {"board": self.board, "boot": self.boot, "firmware": self.firmware}
        about |= {"pads": 1, "pixels": 12, "buttons": 1}
        self._conversation = Conversation(about, self._board_us % PERIOD)
        self._check_reader()
        self._look()
        self._look_soon()
        self._call_later(CHECK_US, self._check_registers)

    def put(self, uid: str) -> None:
        """Put a card on the pad."""
        self._change_field("put", uid)

    def lift(self, uid: str) -> None:
        """Lift a card from the pad."""
        self._change_field("lift", uid)

    def press(self) -> None:
        """Press the button."""
        self.actions.append(BoardAction(self._loop.time(), "press"))
        self._add_edge(True)

    def release(self) -> None:
        """Release the button."""
        self.actions.append(BoardAction(self._loop.time(), "release"))
        self._add_edge(False)

    def tear(self, uid: str) -> None:
        """Tear a card away while the reader talks to it: put it, let one look garble its answer, and lift it."""
        self._change_field("put", uid)
        self._look(garbled=True)
        self._change_field("lift", uid)

    def hear_ghost(self, uid: str) -> None:
        """Let one look find a card that isn't there."""
        self._look(ghost=bytes.fromhex(uid))
        self._look_soon()

    def latch(self, *, register: bool = False) -> None:
        """Make the reader find no card until the board sets it up again: its receiver hangs, or with `register` one of
        its registers has lost its value. Unlike a reader that is `deaf`, it still answers the board."""
        self._look_until_now()
        self._latched, self._wrong_register = True, register
        self._look_soon()

    def set_unselectable(self, present: bool = True) -> None:
        """Put a card that answers and can't be selected on the pad, or take it away."""
        self._look_until_now()
        self._unselectable = present
        if present:
            self._look_now_and_then()

    def _look_now_and_then(self) -> None:
        self._look_until_now()
        if self._unselectable:
            self._call_later(ABSENCE_US // 3, self._look_now_and_then)
        else:
            self._look_soon()

    @property
    def latched(self) -> bool:
        """Whether the reader finds no card, as after `latch`."""
        return self._latched

    def deafen(self, deaf: bool = True) -> None:
        """Stop the reader from answering its board, or let it answer again; *deaf* is the wire's word for that."""
        self._count_looks()
        if self._deaf and not deaf:
            self._pad.resume(self._board_us % PERIOD)
        self._deaf = deaf
        self._call_later(SELF_CHECK_US, self._check_reader)
        self._look_soon()

    @property
    def deaf(self) -> bool:
        """Whether the reader doesn't answer its board."""
        return self._deaf

    @property
    def uids_on_pad(self) -> frozenset[bytes]:
        """The UIDs of the cards on the pad."""
        return frozenset(self._field)

    @property
    def _board_us(self) -> int:
        """The board's clock, without its wraps."""
        return self._first_ticks + int((self._loop.time() - self._began_s) * self._ticks_a_second)

    def _call_later(self, delay_us: int, act: Callable[..., None], *arguments: object) -> None:
        """Call `act` after a delay, unless the board restarts or stops before."""
        boot = self.boot

        def still() -> None:
            if boot == self.boot and self._conversation is not None:
                act(*arguments)

        self._loop.call_later(delay_us / 1_000_000, still)

    def _change_field(self, kind: Literal["put", "lift"], uid: str) -> None:
        self.actions.append(BoardAction(self._loop.time(), kind, uid))
        self._count_looks()
        if self._board_us // LOOK_EVERY_US > self._settled_us // LOOK_EVERY_US:
            self._look_until_now()
        self._settled_us = self._board_us
        if kind == "put":
            self._field.add(bytes.fromhex(uid))
        else:
            self._field.remove(bytes.fromhex(uid))
        self._look_soon()

    def _look_soon(self) -> None:
        """Schedule the looks that matter after a change at the pad: the next two, by which a card is reported as read
        once and read again, and one after `ABSENCE_US`, by which a card is reported as gone. A real board also looks in
        between, but nothing new comes out. Each look is scheduled by the one before, as that may be late if the loop is
        held up."""
        self._look_after(LOOK_EVERY_US - self._board_us % LOOK_EVERY_US, LOOK_EVERY_US, ABSENCE_US)

    def _look_after(self, delay_us: int, *then_us: int) -> None:
        def look() -> None:
            self._look_until_now()
            if then_us:
                self._look_after(*then_us)

        self._call_later(delay_us, look)

    def _look_until_now(self) -> None:
        """Make the looks up to now. A real board has looked all the time, also while the loop was held up."""
        now_us, at_us = self._board_us, self._settled_us
        for later_us in (LOOK_EVERY_US, LOOK_EVERY_US, ABSENCE_US):
            at_us += later_us
            if at_us < now_us:
                self._look(at_us)
        self._look(now_us)

    def _look(self, at_us: int | None = None, *, garbled: bool = False, ghost: bytes | None = None) -> None:
        if self._deaf or self._conversation is None:
            return
        self._settled_us = self._board_us if at_us is None else at_us
        # a garbled look can't read its answers
        unheard = garbled or self._latched or not heard_share(self.gain_db, self.needs_db)
        read = set[bytes]() if unheard else self._field if ghost is None else self._field | {ghost}
        if read:
            self._upkeep.record_card(self._is_reset)
        unread = [UNSELECTABLE] if self._unselectable and not self._latched else []
        garbled = garbled or bool(unread)
        for verb, values in self._pad.look(self._settled_us % PERIOD, sorted(read), garbled, unread):
            self._queue_event(verb, values)
            if is_first_read(verb, values):  # at the second read the light of the verdict may be on already
                self._show("reading")

    def _show(self, pattern: str) -> None:
        """Show a pattern that the board chooses itself, until the Pi sends another."""
        self.ring = ShownRing(self._loop.time(), pattern, lamp=self.ring.lamp)

    def _add_edge(self, closed: bool) -> None:
        self._contact.add_edge(closed, self._board_us % PERIOD)
        self._look_at_button()

    def _look_at_button(self) -> None:
        now = self._board_us % PERIOD
        self._contact.advance(now)
        for verb, ticks in self._contact.events:
            self._send_anchor()
            is_exact = verb == "press" and self._conversation is not None and self._conversation.accepts_exact
            self._queue_event(verb, (ticks, "exact" if is_exact else ""))
        self._contact.events.clear()
        wait_us = self._contact.wait_us(now)
        if wait_us is not None:
            self._call_later(wait_us, self._look_at_button)

    def _check_reader(self) -> None:
        if self._conversation is not None:
            self._conversation.set_reader_state("deaf" if self._deaf else "ok", self._board_us % PERIOD)
            if self._deaf:
                self._show("deaf")
            self._send()

    def _queue_event(self, verb: str, values: tuple[int | str, ...]) -> None:
        if self._conversation is not None:
            self._conversation.queue_event(verb, values, self._board_us % PERIOD)
            self._send()

    def _send_anchors(self) -> None:
        """Send an anchor, now and periodically."""
        if self._anchor_timer is not None:
            self._anchor_timer.cancel()
            self._anchor_timer = None
        if self._conversation is not None and self._conversation.anchor_every_us:
            self._send_anchor()
            self._send()
            self._anchor_timer = self._loop.call_later(
                self._conversation.anchor_every_us / 1_000_000, self._send_anchors
            )

    def _send_anchor(self) -> None:
        """Send an anchor for the last frame of the USB: its number, and ticks before and after its arrival."""
        if self._conversation is not None and self._conversation.anchor_every_us:
            frame = int(self._loop.time() * 1000)
            received_us = self._first_ticks + int((frame / 1000 - self._began_s) * self._ticks_a_second)
            ticks = (received_us - ANCHOR_WIDTH_US // 2) % PERIOD
            anchor = (frame % FRAME_NUMBERS, ticks, ticks_add(ticks, ANCHOR_WIDTH_US))
            self._conversation.answer("anchor", anchor, self._board_us % PERIOD)

    def _set_gain(self, gain: str) -> None:
        """Set the gain, and send how many looks have read a card with it."""
        self._count_looks()
        if int(gain) != self.gain_db:
            self.gain_db = int(gain)
            self._looks = Looks(self._board_us)
            self._look_soon()
        looks = self._looks
        if self._conversation is not None:
            self._conversation.answer("hears", (gain, looks.made, int(looks.read)), self._board_us % PERIOD)

    def _send_counts(self) -> None:
        """Send the reader's counters."""
        if self._conversation is not None:
            unread = self._pad.unread
            now = "unread" if unread.is_present else ""
            counts = (self._set_ups, self._wrong, self._upkeep.healed, unread.count, now)
            self._conversation.answer("reader", counts, self._board_us % PERIOD)

    def _check_registers(self) -> None:
        """Do what the firmware does by itself every CHECK_US."""
        if self._conversation is None:
            return
        needs_set_up = self._wrong_register
        self._wrong += self._wrong_register
        if needs_set_up or self._upkeep.should_reset(self._quiet):
            self._set_ups += 1
            self._wrong_register = self._latched = False
            self._is_reset = not needs_set_up
            self._look()
            self._is_reset = False
            self._look_soon()
        self._call_later(CHECK_US, self._check_registers)

    def _count_looks(self) -> None:
        """Count the looks since the last call. Call it before anything changes at the pad or the gain, so that all
        these looks were made under the present conditions."""
        made = (self._board_us - self._looks.counted_us) // LOOK_EVERY_US
        self._looks.counted_us += made * LOOK_EVERY_US
        if not self._deaf:
            self._looks.made += made
            self._looks.read += made * heard_share(self.gain_db, self.needs_db) if self._field else 0

    def _send(self) -> None:
        """Send what is due by now, and schedule the next sending."""
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None
        if self._conversation is not None:
            now = self._board_us % PERIOD
            outgoing = self._conversation.take_outgoing(now)
            if outgoing:
                self.line.send(outgoing)
            wait_us = max(0, ticks_diff(self._conversation.due, now))
            self._wake = self._loop.call_later(wait_us / self._ticks_a_second, self._send)

    def _receive(self, data: bytes) -> None:
        if self._conversation is None:
            return
        for message in self._conversation.receive(data, self._board_us % PERIOD):
            self._handle_message(message)
        self._send()

    def _handle_message(self, message: Message) -> None:
        fields = message.fields
        match message.verb:
            case "light":
                self._quiet = not RING_PATTERNS[str(fields["pattern"])].is_timed
                left_ms, whole_ms = int(fields["left_ms"]), int(fields["whole_ms"])
                self.ring = ShownRing(self._loop.time(), str(fields["pattern"]), left_ms, whole_ms, str(fields["lamp"]))
            case "reset":
                self.reset()
            case "anchors":
                self._send_anchors()
            case "gain":
                self._set_gain(str(fields["db"]))
            case "reader?":
                self._send_counts()
            case _:  # the ack by which the Pi begins to listen; it needs the cards that lie here by now
                for verb, values in self._pad.initial_events(self._board_us % PERIOD):
                    self._queue_event(verb, values)
