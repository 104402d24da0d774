"""The reader of the pad: looks at it again and again without ever waiting for the air, and sets the chip up again when
it fails, or when it hasn't read a card for so long that its receiver may be dead. Passes on the cards that a look
finds; `pad` turns looks into events. Must not know which card belongs to a deck."""

import time

from tapshared.pad import LOOK_EVERY_US
from tapshared.rc522 import WAKE_UP_US
from tapshared.rc522_chip import Chip
from tapshared.rc522_talk import LostChip
from tapshared.ticks import PERIOD, ticks_add, ticks_diff
from tapshared.upkeep import CHECK_US, Upkeep

# Looks begin every `tapshared.pad.LOOK_EVERY_US`, unless one of these pauses lasts longer:
RETRY_US = 250_000  # a reader that failed twice is left alone this long before a retry
REST_US = 500  # the shortest pause after any look, however long it took
KNOWN_CARDS_REST_US = 16_000  # the shortest after a look that found only known cards: it takes much time and memory
RESET_PULSE_US = 100  # NRSTPD has to be low for 100 ns (8.8.1)
LOOKS_A_CHECK = CHECK_US // LOOK_EVERY_US
NOTHING = ((), False)  # the result of a look at which no card answers


class Reader:
    """The `chip` on `bus`, with its reset pin. `deaf`: it has failed twice in a row, and not answered since. `due`:
    when the next step is to run.

    `on_card` is called with each new card's UID as soon as it is read, and the time: the look then takes some ms more.
    `known` are the cards to look for first. `misread` counts the garbled looks, `looks` those with the present gain,
    and `reads` those of them that read a card. `unread` holds the bytes that the last look resolved of cards that
    couldn't be selected. Set `needs_field_cycle` to have the field switched off and on, so that cards that were halted
    can be found. `upkeep`: while it isn't `quiet`, it resets no chip that may be healthy."""

    def __init__(self, bus, reset, now, on_card):
        self.deaf, self.due, self.known = False, now, ()
        self.looks = self.misread = self.reads = 0
        self.quiet, self.needs_field_cycle, self.unread = True, False, []
        self.chip = Chip(bus)
        self.upkeep = Upkeep()
        self._looks_until_check, self._is_reset = 1, False  # the last check has reset the chip
        self._reset = reset
        self._on_card = lambda uid: on_card(uid, self._now)
        self._found, self._faults, self._now = None, 0, now
        self._program = self._run()

    def step(self, now):
        """Do the next step. Returns the look that ended with it, UIDs and whether something was garbled, or None."""
        self._now, self._found = now, None
        wait_us = next(self._program)
        # from now on: the step's transfers took their time too, and no card understands a frame that is cut off
        self.due = ticks_add(time.ticks_us(), wait_us)
        return self._found

    def set_gain(self, db):
        """Set the chip up again with this gain, spelled as on the wire, unless it has it. Returns the values of
        ``hears``."""
        if int(db) != self.chip.gain_db:
            self.chip.gain_db = int(db)
            self.looks = self.reads = 0
            self.due, self._program = time.ticks_us(), self._run()
        return db, self.looks % PERIOD, self.reads % PERIOD

    def _run(self):
        chip = self.chip
        while True:
            try:
                yield from self._start()
                began = self._now
                while True:
                    if self.needs_field_cycle:
                        self.needs_field_cycle = False
                        chip.field_off()
                        yield REST_US
                        yield from chip.field_on()
                    if ticks_diff(self._now, began) >= LOOK_EVERY_US:
                        began = self._now
                    wait_us = chip.wake()  # as `chip.look`, without a generator of its own for an empty pad
                    while wait_us:
                        yield wait_us
                        wait_us = chip.poll_answer()
                    found = NOTHING if chip.is_silent else (yield from self._search())
                    self._looks_until_check -= 1
                    if self._looks_until_check <= 0:
                        yield from self._check()
                    self._found = found
                    self.looks += 1
                    self._faults, self.deaf = 0, False
                    began = ticks_add(began, LOOK_EVERY_US)  # counted from when it was due, or each look would be later
                    calm = found[0] and len(found[0]) == len(self.known) and not found[1]
                    yield max(KNOWN_CARDS_REST_US if calm else REST_US, ticks_diff(began, time.ticks_us()))
            except (LostChip, OSError):
                self._faults += 1
                self.deaf = self._faults > 1
            yield RETRY_US if self.deaf else REST_US

    def _search(self):
        self.unread = []
        found = yield from self.chip.search(self.known, self._on_card, self.unread.append)
        self.misread += found[1]
        if found[0]:
            self.reads += 1
            self.upkeep.record_card(self._is_reset)
        return found

    def _check(self):
        yield 0  # a turn of its own
        self._looks_until_check, self._is_reset = LOOKS_A_CHECK, False
        self.chip.check()
        if self.upkeep.should_reset(self.quiet):
            yield from self._start()
            self._is_reset = True

    def _start(self):
        self._looks_until_check = 1
        self._reset(0)
        yield RESET_PULSE_US
        self._reset(1)
        yield WAKE_UP_US
        yield from self.chip.start()
        yield from self.chip.field_on()
