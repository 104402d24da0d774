"""A seat board: its reader, button, ring, lamp and port, and the one loop in which each has its turn. What it says and
when is `conversation`'s, what of its pad `pad`'s."""

import gc
import time

from machine import Pin, reset, unique_id
from seatboard import pins, settings
from seatboard.boots import next_boot
from seatboard.button import Button
from seatboard.lamp import Lamp
from seatboard.reader import Reader
from seatboard.ring import Ring
from seatboard.spi import Bus
from tapshared.conversation import Conversation
from tapshared.pad import Pad, is_first_read
from tapshared.ticks import ticks_diff
from tapshared.version import FIRMWARE

TIDY_EVERY_US = 1_000_000
QUIET_US = 2_000  # with nothing to do for so long


class Board:
    """Everything of one board, which speaks at `port`. It starts with the next boot number."""

    def __init__(self, port):
        now = time.ticks_us()
        pixels = settings.pixels()
        about = {"board": unique_id().hex(), "boot": next_boot(), "firmware": FIRMWARE}
        about.update({"pads": 1, "pixels": pixels, "buttons": 1})
        self._conversation = Conversation(about, now)
        self._pad = Pad()
        self._port = port
        self._reader = Reader(Bus(), Pin(pins.READER_RST, Pin.OUT, value=1), now)
        self._button = Button(Pin(pins.BUTTON, Pin.IN, Pin.PULL_UP))
        self._lamp = Lamp(Pin(pins.LAMP, Pin.OUT, value=0))
        self._ring = Ring(pins.RING, pixels)
        self._tidied = now
        self._tidy(now)

    def step(self):
        """One turn. Returns how many µs may pass until the next, less if something comes from the Pi."""
        self._press(time.ticks_us())
        self._read(time.ticks_us())
        self._listen()
        now = time.ticks_us()
        if not self._port.busy:
            self._port.send(self._conversation.say(now), now)
        self._port.step(now)
        self._lamp.step(now)
        ring_us = self._ring.step(now)
        now = time.ticks_us()
        rest_us = self._rest_us(now, ring_us)
        if rest_us < QUIET_US or ticks_diff(now, self._tidied) < TIDY_EVERY_US:
            return rest_us
        self._tidy(now)
        return 0

    def _press(self, now):
        for verb, ticks in self._button.step(now):
            self._conversation.event(verb, {"ticks": ticks, "age": ""}, now)

    def _read(self, now):
        reader = self._reader
        was_deaf = reader.deaf
        found = reader.step(now)
        if reader.deaf != was_deaf:
            self._conversation.health["reader"] = "deaf" if reader.deaf else "ok"
            if reader.deaf:
                self._ring.show("deaf", 0, 0, now)
            else:
                self._pad.resume(now)
        if found is None:
            return
        uids, garbled = found
        for verb, fields in self._pad.look(now, uids, garbled):
            self._conversation.event(verb, fields, now)
            if is_first_read(verb, fields):
                self._ring.show("reading", 0, 0, now)
            reader.renew = reader.renew or verb == "gone"
        reader.known = self._pad.known()

    def _listen(self):
        said = self._port.read()
        if not said:
            return
        now = time.ticks_us()
        for message in self._conversation.receive(said, now):
            self._obey(message.verb, message.fields, now)

    def _obey(self, verb, fields, now):
        if verb == "light":
            self._ring.show(fields["pattern"], fields["left_ms"], fields["whole_ms"], now)
            self._lamp.show(fields["lamp"], now)
        elif verb == "reset":
            reset()
        else:  # the Pi begins to listen
            for verb, fields in self._pad.lying(now):
                self._conversation.event(verb, fields, now)

    def _tidy(self, now):
        """Collect what is free, at a moment when nothing is under way."""
        gc.collect()
        self._conversation.health["free"] = gc.mem_free()
        self._conversation.health["misread"] = self._reader.misread
        self._tidied = now

    def _rest_us(self, now, ring_us):
        say_us = self._port.wait_us() if self._port.busy else self._conversation.wait_us(now)
        rest_us = min(ring_us, self._reader.wait_us(now), say_us)
        button_us = self._button.wait_us(now)
        if button_us is not None:
            rest_us = min(rest_us, button_us)
        lamp_us = self._lamp.wait_us(now)
        return rest_us if lamp_us is None else min(rest_us, lamp_us)
