"""A seat board: its parts, and the one loop in which each has its turn. What it says and when is `conversation`'s, what
of its pad `pad`'s."""

import time

from machine import Pin, reset, unique_id
from seatboard import pins, settings
from seatboard.boots import next_boot
from seatboard.button import Button
from seatboard.frames import Frames
from seatboard.lamp import ButtonLamp
from seatboard.memory import Memory
from seatboard.reader import NOTHING, Reader
from seatboard.ring import Ring
from seatboard.spi import SpiBus
from seatboard.turns import Turns
from tapshared.conversation import Conversation
from tapshared.lights import RING_PATTERNS
from tapshared.pad import Pad, is_first_read
from tapshared.ticks import ticks_diff
from tapshared.version import FIRMWARE


class Board:
    """Everything of one board, which speaks at `port`. It starts with the next boot number."""

    def __init__(self, port):
        now = time.ticks_us()
        pixels = settings.pixels()
        about = {"board": unique_id().hex(), "boot": next_boot(), "firmware": FIRMWARE, "pads": 1, "buttons": 1}
        self._conversation = Conversation(dict(about, pixels=pixels), now)
        self._pad, self._port, self._was_deaf = Pad(), port, False
        reset_pin = Pin(pins.READER_RST, Pin.OUT, value=1)
        self._reader = Reader(SpiBus(), reset_pin, now, lambda uid, now: self._tell(self._pad.see(now, uid), now))
        self._frames, self._lamp = Frames(), ButtonLamp(Pin(pins.LAMP, Pin.OUT, value=0))
        self._ring = Ring(pins.RING, pixels)
        self._button = Button(Pin(pins.BUTTON, Pin.IN, Pin.PULL_UP), now)  # takes what the ring leaves of the chip
        parts = (self._button, self._reader, self._frames, self._conversation, port, self._lamp, self._ring)
        acts = (self._press, self._read, self._hunt, self._say, port.step, self._lamp.step, self._ring.step)
        self._turns = Turns(parts, acts)
        self._memory = Memory(self._conversation.health, now)
        self._rests = self._tidies = False  # the reader rests between two looks; the next turn is for the memory alone

    def step(self, has_heard):
        """One turn; `has_heard`: the Pi has said something. Returns the µs until the next, if it doesn't before."""
        now = time.ticks_us()
        if has_heard:
            self._listen(now)
        elif self._tidies:
            self._tidies = False
            self._memory.tidy(now)
            return 0
        rest_us = self._turns.take(now)
        self._tidies = self._rests and rest_us > 0 and ticks_diff(now, self._memory.due) >= 0
        return 0 if self._tidies else rest_us

    def _press(self, now):
        for verb, ticks, first in self._button.step(now):
            self._hunt(now)  # beside the press, so that the Pi knows best when it was
            is_exact = first is not None and self._conversation.takes_exact
            self._conversation.event(verb, (first, "exact") if is_exact else (ticks, ""), now)

    def _hunt(self, now):
        if self._frames.step(now) and self._conversation.anchors_us:
            self._conversation.answer("anchor", tuple(self._frames.found), now)

    def _read(self, now):
        found = self._reader.step(now)
        if self._reader.deaf != self._was_deaf:
            self._was_deaf = self._reader.deaf
            self._conversation.reader_is("deaf" if self._was_deaf else "ok", now)
            if self._was_deaf:
                self._ring.show("deaf", 0, 0, now)
            else:
                self._pad.resume(now)
        self._rests = found is not None or self._was_deaf
        if found is not None and found is not NOTHING:
            self._memory.looked(now)
            self._conversation.health["misread"] = self._reader.misread
        told = self._pad.look(now, found[0], found[1], self._reader.unread) if found is not None else ()
        if told:
            self._tell(told, now)

    def _tell(self, told, now):
        for verb, values in told:
            self._conversation.event(verb, values, now)
            if is_first_read(verb, values):
                self._ring.show("reading", 0, 0, now)
            self._reader.renew = self._reader.renew or verb == "gone"
        self._reader.known = self._pad.known()

    def _say(self, now):
        if self._port.due is None:
            self._port.send(self._conversation.say(now), now)
        else:  # there is something left to send first
            self._conversation.due = self._port.due

    def _listen(self, now):
        for message in self._conversation.receive(self._port.read(), now):
            self._obey(message, now)
        self._say(now)  # before anything else, since the Pi measures how long a ping takes

    def _obey(self, message, now):
        if message.verb == "light":
            fields = message.fields
            self._ring.show(fields["pattern"], fields["left_ms"], fields["whole_ms"], now)
            self._lamp.show(fields["lamp"], now)
            self._reader.quiet = not RING_PATTERNS[fields["pattern"]].runs
        elif message.verb == "anchors":
            self._frames.ask(self._conversation.anchors_us, now)
        elif message.verb == "gain":
            self._conversation.answer("hears", self._reader.tune(message.fields["db"]), now)
        elif message.verb == "reader?":
            self._conversation.answer("reader", self._reader.upkeep.told(self._reader.chip, self._pad.unread), now)
        elif message.verb == "reset":
            reset()
        for event in self._pad.lying(now) if message.verb == "ack" else ():  # the Pi begins to listen
            self._conversation.event(event[0], event[1], now)
