"""The Pi's side of the wire to one seat board: bytes in, link events and numbered events out, without port or timer.
Numbered events come once and in order, the next when the one before is committed, which is also when it is
acknowledged; answered pings keep the clock of the board's boot, and show that the board is there and which light it
shows. Knows nothing of seats and games."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tapshared.lines import Lines
from tapshared.outbox import OLD_US
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD, PROTOCOL
from tapshared.version import COUNTS_READER, OLDEST, STAMPS_EXACTLY, TAKES_GAIN, TELLS_ANCHORS

from taptable.core.cues import SeatLights
from taptable.core.device_events import Origin
from taptable.drivers.board.bus import BusClock
from taptable.drivers.board.clock import BoardClock, Moment
from taptable.drivers.board.lights import DesiredLight
from taptable.drivers.board.link_events import (
    NEXT,
    NOT_REPORTED,
    BoardConnected,
    BoardEvent,
    BoardLost,
    Cause,
    EventsLost,
    GainReport,
    LinkEvent,
    LinkState,
    Misread,
    ReaderCounts,
    ReaderState,
)
from taptable.drivers.board.versions import Fit, is_since, verdict_on

AHEAD = 64  # numbers that may come before their turn; what is further ahead comes again


class ReorderBuffer:
    """The numbered events of one boot, each with its arrival in table time: it has its turn when all before it are
    committed, whatever was doubled, late or sent again. All up to `committed` are; it begins with the next."""

    def __init__(self, committed: int) -> None:
        self.committed = committed
        self._waiting: dict[int, tuple[Message, int]] = {}

    def arrive(self, message: Message, at_us: int) -> None:
        """Take an event, unless it is committed or too far ahead."""
        if self.committed < message.number <= self.committed + AHEAD:
            self._waiting.setdefault(message.number, (message, at_us))

    def turn(self) -> tuple[Message, int] | None:
        """The event whose turn it is, if it is there."""
        return self._waiting.get(self.committed + 1)

    def commit(self, upto: int) -> None:
        """The events up to this one are committed, whoever did it."""
        self.committed = max(self.committed, upto)
        self._waiting = {number: arrived for number, arrived in self._waiting.items() if number > self.committed}

    def give_back(self) -> None:
        """What waits couldn't be committed: it may come again."""
        self._waiting.clear()


ASK_EVERY_US = 500_000
PING_EVERY_US = 1_000_000
WINDOW_PING_EVERY_US = 50_000  # to a button that may buzz: narrows the bound of its presses (docs/measurements.md)
FIRST_PING_AGAIN_US = 100_000  # until one has been answered: before that no event can be placed in time
READER_EVERY_US = 2_000_000  # its counts: whoever enrols a card that can't be read waits for them
ANCHORS_EVERY_MS = 1_000  # besides those that come with presses: enough to count the bus's frames by
NO_ANCHORS_US = 3_000_000
SILENT_US = 2_500_000
HELLO_COUNTS = 10

_NO_BOOT = -1
_ABILITIES = (TELLS_ANCHORS, STAMPS_EXACTLY, TAKES_GAIN, COUNTS_READER)


class BoardLink:
    """One board's line. `taken(board, boot)` is the highest number of that boot in the journal, or 0. `buzzes`: the
    seat's button is on this board. `press_time(ticks, made, arrived_us, exact)`: when a button was pressed whose stamp
    was made then by the round trip, by the chip itself if `exact`. `bus_clock`: what the board's anchors go to, where
    it is known where it is plugged in. `gain_db`: the gain of its reader, None to leave it as it is; `gain_report` is
    the board's answer to it, None until that is there. A board that doesn't take a gain never answers.

    After each call `outgoing` has what is to be sent, and `due_us` is when `tick` wants to be called.
    """

    def __init__(
        self,
        board: str,
        taken: Callable[[str, int], int],
        *,
        buzzes: bool = False,
        press_time: Callable[[int, Moment, int, bool], Moment] | None = None,
        gain_db: int | None = None,
    ) -> None:
        self.board = board
        self.bus_clock: BusClock | None = None
        self.gain_report: GainReport | None = None
        self._gain_db = gain_db
        self._press_time = press_time
        self._abilities: frozenset[str] = frozenset()  # the versions of the firmware since which a board has them
        self._anchored_us = 0
        self.clock = BoardClock()
        self._buzzes = buzzes
        self._taken = taken
        self._lines = Lines(BOARD)
        self._outgoing = bytearray()
        self._state = LinkState.NEW
        self._heard_us = 0
        self._next_us = 0  # when to ask, or to ping, next
        self._boot: int = _NO_BOOT
        self._events = ReorderBuffer(0)
        self._reader: str | None = None
        self._lost = 0
        self._misread = 0
        self._reader_asked_us = 0
        self._unasked = 0
        self._number = 0  # of the last ping or light said
        self._pings: dict[int, int] = {}
        self._light = DesiredLight()

    @property
    def meaningless(self) -> int:
        """How much the board has said that means nothing, in damaged sentences: a start while it was answering counts
        as ten of them."""
        return self._lines.damaged + self._lines.skipped + self._unasked

    @property
    def damaged(self) -> int:
        """Sentences that came to harm on the way here."""
        return self._lines.damaged

    @property
    def skipped(self) -> int:
        """Pieces of foreign text on the line."""
        return self._lines.skipped

    @property
    def due_us(self) -> int | None:
        """When to call `tick` at the latest; None while the port is closed."""
        if self._state in (LinkState.NEW, LinkState.CLOSED):
            return None
        if not self._talking:
            return self._next_us
        light_us = self._light.due_us
        return min(self._next_us, self._heard_us + SILENT_US, self._next_us if light_us is None else light_us)

    @property
    def _talking(self) -> bool:
        return self._state is LinkState.TALKING

    def outgoing(self) -> bytes:
        """What is to be sent, once."""
        said = bytes(self._outgoing)
        self._outgoing.clear()
        return said

    def opened(self, now_us: int) -> None:
        """The port is open: ask who is there."""
        self._move(Cause.OPENED)
        self._outgoing.clear()
        self._lines.forget()
        self._heard_us = now_us
        self._ask(now_us)

    def closed(self, reason: str) -> list[LinkEvent]:
        """The port is closed, or couldn't be opened."""
        return self._lose(Cause.CLOSED, reason)

    def received(self, data: bytes, now_us: int) -> list[LinkEvent]:
        """Take what the board said, all of it here by `now_us`."""
        if self._talking and now_us - self._heard_us >= OLD_US:
            # We were held up for long, and nobody knows when this was said. What matters in it comes again.
            self._lines.forget()
            return self.tick(now_us)
        events: list[LinkEvent] = []
        for message in self._lines.feed(data):
            if message.verb == "hello":
                events += self._greeted(message, now_us)
            elif self._talking:
                self._heard_us = now_us
                events += self._heard(message, now_us)
        return events

    def tick(self, now_us: int) -> list[LinkEvent]:
        """Do what is due by now."""
        if self.due_us is None or now_us < self.due_us:
            return []
        silent = now_us - self._heard_us >= SILENT_US
        events = self._lose(Cause.MISSED, "doesn't answer") if silent else []
        if not self._talking:
            self._ask(now_us)
        elif self._light.due_us is not None and now_us >= self._light.due_us:
            self._say_light(now_us)
        elif now_us >= self._next_us:
            self._ping(now_us)
        return events

    def event(self) -> BoardEvent | None:
        """The event whose turn it is, as soon as its time can be told."""
        arrived = self._events.turn()
        if arrived is None or not self.clock.known:
            return None
        message, at_us = arrived
        old = message.fields.get("age") == "old"
        ticks = int(message.fields["ticks"])
        made = Moment(0, at_us) if old else self.clock.moment(ticks, at_us)
        if message.verb == "press" and not old and self._press_time is not None:
            made = self._press_time(ticks, made, at_us, message.fields["age"] == "exact")
        return BoardEvent(Origin(self.board, self._boot, message.number), message, made)

    def acknowledge(self, origin: Origin) -> None:
        """This event is in the journal: the board needn't keep it, and the next one has its turn."""
        if origin.boot == self._boot:
            if origin.number == self._events.committed + 1:
                self._events.commit(origin.number)
            if self._talking:
                self._ack()

    def give_back(self) -> None:
        """The event whose turn it is couldn't be committed; it has its turn again when the board says it again."""
        self._events.give_back()

    def show(self, light: SeatLights, now_us: int) -> None:
        """Let the seat show this from now on, after interruptions too."""
        self._number += 1
        self._light.change(light, self._number, now_us)
        if self._talking:
            self._say_light(now_us)

    def show_again(self, now_us: int) -> None:
        """What the board has shown by itself is over: let the seat show its light again. It gets a new number, since
        the board says of the old one that it is shown, even if the line that says it again is lost."""
        self.show(self._light.light, now_us)

    def set_gain(self, gain_db: int, now_us: int) -> None:
        """Set the gain of its reader, and again after interruptions; the board answers with a `GainReport`, also if it
        has this gain already."""
        self._gain_db = gain_db
        self.gain_report = None
        if self._talking:
            self._ping(now_us)

    def reset(self) -> None:
        """Restart the board, if it is there."""
        if self._talking:
            self._say(Message("reset", {"boot": self._boot}))

    def _greeted(self, message: Message, now_us: int) -> list[LinkEvent]:
        fields = message.fields
        if self._talking:
            self._unasked += HELLO_COUNTS
        if fields["protocol"] != PROTOCOL:
            return self._refuse(f"speaks version {fields['protocol']} of the wire, not {PROTOCOL}", now_us)
        if fields["board"] != self.board:
            return self._lose(Cause.MISSED, f"calls itself board {fields['board']}")
        if verdict_on(str(fields["firmware"])) is Fit.TOO_OLD:
            return self._refuse(f"has firmware {fields['firmware']}, older than {OLDEST}", now_us)
        boot = int(fields["boot"])
        if self._talking and boot < self._boot:
            return []  # late, from before a reset; a board that lost count is heard once this boot has fallen silent
        restarted = boot != self._boot
        if restarted:
            self._boot = boot
            self.clock = BoardClock()
            if self.bus_clock is not None:
                self.bus_clock.restart()
            self._events = ReorderBuffer(self._taken(self.board, boot))
            self._reader = None
            self._lost = self._misread = 0
        self._events.commit(int(fields["oldest"]) - 1)  # the board keeps nothing below it any more
        was_talking = self._move(Cause.GREETED) is LinkState.TALKING
        firmware = str(fields["firmware"])
        self._abilities = frozenset(since for since in _ABILITIES if is_since(since, firmware))
        self.gain_report = None
        self._anchored_us = now_us - NO_ANCHORS_US
        self._reader_asked_us = now_us - READER_EVERY_US
        self._heard_us = now_us
        self._pings.clear()
        self._light.forgotten(now_us)
        self._ack()
        self._ping(now_us)
        return [] if was_talking and not restarted else [BoardConnected(firmware, restarted)]

    def _heard(self, message: Message, now_us: int) -> list[LinkEvent]:
        fields = message.fields
        if message.verb == "health":
            return self._health(fields, now_us)
        if message.verb == "reader":
            set_ups, wrong, healed, unread = (int(fields[name]) for name in ("setups", "wrong", "healed", "unread"))
            return [ReaderCounts(set_ups, wrong, healed, unread, lies=fields["now"] == "unread")]
        if message.verb == "pong":
            answered = int(fields["ping"])
            if answered in self._pings:
                self.clock.exchange(self._pings[answered], int(fields["ticks"]), now_us)
                self._pings = {ping: sent_us for ping, sent_us in self._pings.items() if ping > answered}
                self._light.seen(int(fields["light"]))
            else:
                self._unasked += 1
            return []
        if message.verb == "hears":
            report = GainReport(*(int(fields[name]) for name in ("db", "looks", "read")))
            self.gain_report = report if report.gain_db == self._gain_db else None
            return []
        if message.verb == "anchor":
            self._anchored_us = now_us
            if self.bus_clock is not None and self.clock.known:
                frame, after, by = (int(fields[name]) for name in ("frame", "after", "by"))
                self.bus_clock.anchor(frame, after, by, self.clock, now_us)
            return []
        self._events.arrive(message, now_us)
        if message.number <= self._events.committed:
            self._ack()  # the first one must have been lost
        return []

    def _health(self, fields: Mapping[str, int | str], now_us: int) -> list[LinkEvent]:
        events: list[LinkEvent] = []
        reader, lost, misread = str(fields["reader"]), int(fields["lost"]), int(fields["misread"])
        if reader != self._reader:
            if self._reader == "deaf":
                self.show_again(now_us)  # the board has shown that it was deaf
            self._reader = reader
            events.append(ReaderState(deaf=reader == "deaf"))
        if lost > self._lost:
            events.append(EventsLost(lost - self._lost))
            self._lost = lost
        if misread != self._misread:
            self._misread = misread
            events.append(Misread(misread))
        return events

    def _move(self, cause: Cause) -> LinkState:
        """Change the state; returns the state before."""
        before = self._state
        self._state = NEXT[before][cause]
        return before

    def _lose(self, cause: Cause, reason: str) -> list[LinkEvent]:
        """The board is lost; this is reported once."""
        return [BoardLost(reason)] if self._move(cause) in NOT_REPORTED else []

    def _refuse(self, reason: str, now_us: int) -> list[LinkEvent]:
        """Its firmware doesn't fit: it isn't acknowledged, and so says nothing but hello."""
        self._heard_us = now_us
        return [] if self._move(Cause.REFUSED) is LinkState.UNFIT else [BoardLost(reason, unfit=True)]

    def _ask(self, now_us: int) -> None:
        self._next_us = now_us + ASK_EVERY_US
        self._say(Message("hello?", {}))

    def _ack(self) -> None:
        self._say(Message("ack", {"boot": self._boot, "upto": self._events.committed}))

    def _ping(self, now_us: int) -> None:
        if not self.clock.known:
            self._next_us = now_us + FIRST_PING_AGAIN_US
        elif self._buzzes and self._light.is_window(now_us):
            self._next_us = now_us + WINDOW_PING_EVERY_US
        else:
            self._next_us = now_us + PING_EVERY_US
        self._number += 1
        self._pings[self._number] = now_us
        self._say(Message("ping", {}, self._number))
        asks = self.bus_clock is not None and TELLS_ANCHORS in self._abilities
        if asks and now_us - self._anchored_us >= NO_ANCHORS_US:
            self._anchored_us = now_us
            presses = "exact" if STAMPS_EXACTLY in self._abilities else ""
            self._say(Message("anchors", {"every_ms": ANCHORS_EVERY_MS, "presses": presses}))
        if self._gain_db is not None and self.gain_report is None and TAKES_GAIN in self._abilities:
            self._say(Message("gain", {"db": str(self._gain_db)}))
        if now_us >= self._reader_asked_us + READER_EVERY_US and COUNTS_READER in self._abilities:
            self._reader_asked_us = now_us
            self._say(Message("reader?", {}))

    def _say_light(self, now_us: int) -> None:
        """Say the light, and ask with a ping whether it is shown."""
        self._say(self._light.say(now_us))
        self._ping(now_us)

    def _say(self, message: Message) -> None:
        self._outgoing += encode(message)
