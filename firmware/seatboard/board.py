"""A seat board: creates its parts, and passes on what one finds to the others, in the one turn that `loop` repeats.
`conversation` decides what is sent, `pad` what is reported. Must not know what a card or a press means."""

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
    """All parts of one board, connected to the Pi by `port`. It starts with the next boot number."""

    def __init__(self, port):
        now = time.ticks_us()
        pixels = settings.read_pixels()
        about = {"board": unique_id().hex(), "boot": next_boot(), "firmware": FIRMWARE, "pads": 1, "buttons": 1}
        self._conversation = Conversation(dict(about, pixels=pixels), now)
        self._pad, self._port, self._was_deaf = Pad(), port, False
        reset_pin = Pin(pins.READER_RST, Pin.OUT, value=1)
        on_card = lambda uid, now: self._queue_events(self._pad.add_card(now, uid), now)  # noqa: E731 - one line
        self._reader = Reader(SpiBus(), reset_pin, now, on_card)
        self._frames, self._lamp = Frames(), ButtonLamp(Pin(pins.LAMP, Pin.OUT, value=0))
        self._ring = Ring(pins.RING, pixels)
        self._button = Button(Pin(pins.BUTTON, Pin.IN, Pin.PULL_UP), now)  # takes what the ring leaves of the chip
        parts = (self._button, self._reader, self._frames, self._conversation, port, self._lamp, self._ring)
        steps = (self._step_button, self._step_reader, self._send_anchor, self._send)
        self._turns = Turns(parts, steps + (port.step, self._lamp.step, self._ring.step))  # noqa: RUF005 - MicroPython has no such star
        self._memory = Memory(self._conversation.health, now)
        self._is_reader_resting = self._tidies = False  # between two looks; the next turn is for the memory alone

    def step(self, has_input):
        """Run one turn; `has_input`: bytes from the Pi are waiting. Returns the µs until the next, without input."""
        now = time.ticks_us()
        if has_input:
            self._receive(now)
        elif self._tidies:
            self._tidies = False
            self._memory.tidy(now)
            return 0
        rest_us = self._turns.run_due(now)
        self._tidies = self._is_reader_resting and rest_us > 0 and ticks_diff(now, self._memory.due) >= 0
        return 0 if self._tidies else rest_us

    def _step_button(self, now):
        for verb, ticks, first in self._button.step(now):
            self._send_anchor(now)  # beside the press, so that the Pi has the best bound for its time
            is_exact = first is not None and self._conversation.accepts_exact
            self._conversation.queue_event(verb, (first, "exact") if is_exact else (ticks, ""), now)

    def _send_anchor(self, now):
        if self._frames.step(now) and self._conversation.anchor_every_us:
            self._conversation.answer("anchor", tuple(self._frames.anchor), now)

    def _step_reader(self, now):
        found = self._reader.step(now)
        if self._reader.deaf != self._was_deaf:
            self._was_deaf = self._reader.deaf
            self._conversation.set_reader_state("deaf" if self._was_deaf else "ok", now)
            if self._was_deaf:
                self._ring.show("deaf", 0, 0, now)
            else:
                self._pad.resume(now)
        self._is_reader_resting = found is not None or self._was_deaf
        if found is not None and found is not NOTHING:
            self._memory.count_look(now)
            self._conversation.health["misread"] = self._reader.misread
        if found is not None and (events := self._pad.look(now, found[0], found[1], self._reader.unread)):
            self._queue_events(events, now)

    def _queue_events(self, events, now):
        for verb, values in events:
            self._conversation.queue_event(verb, values, now)
            if is_first_read(verb, values):
                self._ring.show("reading", 0, 0, now)
            self._reader.needs_field_cycle = self._reader.needs_field_cycle or verb == "gone"
        self._reader.known = self._pad.known_uids()

    def _send(self, now):
        if self._port.due is None:
            self._port.send(self._conversation.take_outgoing(now), now)
        else:  # first send what is left
            self._conversation.due = self._port.due

    def _receive(self, now):
        for message in self._conversation.receive(self._port.read(), now):
            self._handle_message(message, now)
        self._send(now)  # before anything else, since the Pi measures how long a ping takes

    def _handle_message(self, message, now):
        if message.verb == "light":
            fields = message.fields
            self._ring.show(fields["pattern"], fields["left_ms"], fields["whole_ms"], now)
            self._lamp.show(fields["lamp"], now)
            self._reader.quiet = not RING_PATTERNS[fields["pattern"]].is_timed
        elif message.verb == "anchors":
            self._frames.set_interval(self._conversation.anchor_every_us, now)
        elif message.verb == "gain":
            self._conversation.answer("hears", self._reader.set_gain(message.fields["db"]), now)
        elif message.verb == "reader?":
            counts = self._reader.upkeep.reader_counts(self._reader.chip, self._pad.unread)
            self._conversation.answer("reader", counts, now)
        elif message.verb == "reset":
            reset()
        for event in self._pad.initial_events(now) if message.verb == "ack" else ():  # the Pi begins to listen
            self._conversation.queue_event(event[0], event[1], now)
