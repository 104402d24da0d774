"""The Pi's side of the wire to one seat board: bytes in, link events and numbered events out. `boards` connects it to
the port (`port`) and calls it when time has passed. It delivers numbered events once and in order: when an event is
committed, it acknowledges that event and delivers the next one. Answered pings synchronize the board's clock, and show
that the board is connected and which light it shows. All intervals and time-outs of the wire on the Pi's side are here;
the board's are in `tapshared.conversation` and `tapshared.outbox`. Must not know a port, a timer or a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tapshared.lines import Lines
from tapshared.outbox import OLD_US
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD, PROTOCOL
from tapshared.version import ANCHORS_SINCE, EXACT_STAMPS_SINCE, GAIN_SINCE, OLDEST_SUPPORTED, READER_COUNTS_SINCE

from taptable.core.cues import SeatLights
from taptable.core.device_events import Origin
from taptable.drivers.board.bus import BusClock
from taptable.drivers.board.clock import BoardClock, Moment
from taptable.drivers.board.lights import DesiredLight
from taptable.drivers.board.link_events import (
    NOT_REPORTED,
    TRANSITIONS,
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
from taptable.drivers.board.versions import Fit, firmware_fit, is_since

MAX_AHEAD = 64  # events kept before their turn, as many as the board has (`outbox.CAPACITY`); it repeats all others


class ReorderBuffer:
    """The numbered events of one boot, each with its arrival in table time. Delivers an event when all before it are
    committed, even if events come twice, late or again. All up to `committed` are committed; the next one is the first
    to be delivered."""

    def __init__(self, committed: int) -> None:
        self.committed = committed
        self._waiting: dict[int, tuple[Message, int]] = {}

    def add(self, message: Message, at_us: int) -> None:
        """Add an event, unless it is committed or too far ahead."""
        if self.committed < message.number <= self.committed + MAX_AHEAD:
            self._waiting.setdefault(message.number, (message, at_us))

    def next_event(self) -> tuple[Message, int] | None:
        """Return the event whose turn it is, if it has arrived."""
        return self._waiting.get(self.committed + 1)

    def commit(self, upto: int) -> None:
        """Mark all events up to this one as committed: the journal has them, or the board has dropped them."""
        self.committed = max(self.committed, upto)
        self._waiting = {number: arrived for number, arrived in self._waiting.items() if number > self.committed}

    def drop_waiting(self) -> None:
        """Drop the waiting events, which couldn't be committed: the board will send them again."""
        self._waiting.clear()


ASK_EVERY_US = 500_000  # while no board answers, `hello?` is sent this often
PING_EVERY_US = 1_000_000  # to a board that answers
WINDOW_PING_EVERY_US = 50_000  # to a button during a window: narrows the bound of its presses (docs/measurements.md)
FIRST_PING_EVERY_US = 100_000  # until one has been answered: before that no event can be placed in time
READER_EVERY_US = 2_000_000  # `reader?` for the counters: the enrolment of a card that can't be read waits for them
ANCHORS_EVERY_MS = 1_000  # besides those that come with presses: enough to count the bus's frames by
ANCHOR_TIMEOUT_US = 3_000_000  # without an anchor for this long, the board is asked for them again
SILENCE_TIMEOUT_US = 2_500_000  # a board that sends nothing for this long, while it is pinged every second, is lost
HELLO_PENALTY = 10  # a hello of a board that was answering already counts as this many damaged sentences

_NO_BOOT = -1  # before the first hello
_ABILITIES = (ANCHORS_SINCE, EXACT_STAMPS_SINCE, GAIN_SINCE, READER_COUNTS_SINCE)


class BoardLink:
    """The link to the board with the id `board`. After each call `take_outgoing` returns the bytes to send, and
    `due_us` is the time at which to call `tick`.

    `last_committed(board, boot)` returns the highest number of that boot in the journal, or 0. `has_button` says
    whether a seat's button is on this board. `press_time(ticks, made, arrived_us, exact)` returns when the button was
    pressed that the board has stamped with `ticks`: `made` is the time of that stamp by the pings, and `exact` says
    that the chip and not the interrupt has stamped the press. None uses `made`. `bus_clock` takes the board's anchors;
    it is None while it isn't known where the board is plugged in. `gain_db` is the gain for its reader, None to leave
    it unchanged. `gain_report` is the board's answer to that gain, None until it arrives; firmware before `GAIN_SINCE`
    never answers."""

    def __init__(
        self,
        board: str,
        last_committed: Callable[[str, int], int],
        *,
        has_button: bool = False,
        press_time: Callable[[int, Moment, int, bool], Moment] | None = None,
        gain_db: int | None = None,
    ) -> None:
        self.board = board
        self.bus_clock: BusClock | None = None
        self.gain_report: GainReport | None = None
        self._gain_db = gain_db
        self._press_time = press_time
        # the abilities that the board's firmware has, by the version that brought each
        self._abilities: frozenset[str] = frozenset()
        self._last_anchor_us = 0
        self.clock = BoardClock()
        self._has_button = has_button
        self._last_committed = last_committed
        self._lines = Lines(BOARD)
        self._outgoing = bytearray()
        self._state = LinkState.NEW
        self._last_received_us = 0
        self._next_us = 0  # when to ask, or to ping, next
        self._boot: int = _NO_BOOT
        self._events = ReorderBuffer(0)
        self._reader: str | None = None
        self._lost = 0
        self._misread = 0
        self._reader_asked_us = 0
        self._unexpected = 0
        self._number = 0  # of the last ping or light sent
        self._pings: dict[int, int] = {}
        self._light = DesiredLight()

    @property
    def garbage(self) -> int:
        """How much invalid input the board has sent: damaged sentences, pieces of foreign text, answers to no ping, and
        `HELLO_PENALTY` for each start while it was answering. `boards` disconnects a board that sends too much."""
        return self._lines.damaged + self._lines.skipped + self._unexpected

    @property
    def damaged(self) -> int:
        """Sentences damaged on their way to the Pi."""
        return self._lines.damaged

    @property
    def skipped(self) -> int:
        """Pieces of other text on the line, such as the output of a Python prompt."""
        return self._lines.skipped

    @property
    def due_us(self) -> int | None:
        """When to call `tick` at the latest; None while the port is closed."""
        if self._state in (LinkState.NEW, LinkState.CLOSED):
            return None
        if not self._is_talking:
            return self._next_us
        light_us = self._light.due_us
        return min(
            self._next_us, self._last_received_us + SILENCE_TIMEOUT_US, self._next_us if light_us is None else light_us
        )

    @property
    def _is_talking(self) -> bool:
        return self._state is LinkState.TALKING

    def take_outgoing(self) -> bytes:
        """Return the bytes to send, once."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def port_opened(self, now_us: int) -> None:
        """Handle the opening of the port: ask which board is connected."""
        self._transition(Cause.OPENED)
        self._outgoing.clear()
        self._lines.drop_partial()
        self._last_received_us = now_us
        self._ask(now_us)

    def port_closed(self, reason: str) -> list[LinkEvent]:
        """Handle that the port is closed, or couldn't be opened."""
        return self._lose(Cause.CLOSED, reason)

    def data_received(self, data: bytes, now_us: int) -> list[LinkEvent]:
        """Process bytes from the board, all of which arrived by `now_us`."""
        if self._is_talking and now_us - self._last_received_us >= OLD_US:
            # We were held up for long. It isn't known when the board sent this, and its ticks wrap: the stamps may be
            # misplaced. The board sends again all that matters.
            self._lines.drop_partial()
            return self.tick(now_us)
        events: list[LinkEvent] = []
        for message in self._lines.feed(data):
            if message.verb == "hello":
                events += self._handle_hello(message, now_us)
            elif self._is_talking:
                self._last_received_us = now_us
                events += self._handle_message(message, now_us)
        return events

    def tick(self, now_us: int) -> list[LinkEvent]:
        """Do what is due by now."""
        if self.due_us is None or now_us < self.due_us:
            return []
        silent = now_us - self._last_received_us >= SILENCE_TIMEOUT_US
        events = self._lose(Cause.LOST, "doesn't answer") if silent else []
        if not self._is_talking:
            self._ask(now_us)
        elif self._light.due_us is not None and now_us >= self._light.due_us:
            self._send_light(now_us)
        elif now_us >= self._next_us:
            self._ping(now_us)
        return events

    def next_event(self) -> BoardEvent | None:
        """Return the event whose turn it is, as soon as its time is known."""
        arrived = self._events.next_event()
        if arrived is None or not self.clock.is_synchronized:
            return None
        message, at_us = arrived
        old = message.fields.get("age") == "old"
        ticks = int(message.fields["ticks"])
        made = Moment(0, at_us) if old else self.clock.moment(ticks, at_us)
        if message.verb == "press" and not old and self._press_time is not None:
            made = self._press_time(ticks, made, at_us, message.fields["age"] == "exact")
        return BoardEvent(Origin(self.board, self._boot, message.number), message, made)

    def acknowledge(self, origin: Origin) -> None:
        """Record that this event is in the journal: the board can drop it, and the next one has its turn."""
        if origin.boot == self._boot:
            if origin.number == self._events.committed + 1:
                self._events.commit(origin.number)
            if self._is_talking:
                self._ack()

    def defer_event(self) -> None:
        """Drop the event whose turn it is, since it couldn't be committed. It has its turn when the board sends it
        again."""
        self._events.drop_waiting()

    def show(self, light: SeatLights, now_us: int) -> None:
        """Show a light at the seat from now on, after interruptions too."""
        self._number += 1
        self._light.change(light, self._number, now_us)
        if self._is_talking:
            self._send_light(now_us)

    def refresh_light(self, now_us: int) -> None:
        """Send the present light again, because the board has shown another one by itself. The light gets a new number.
        With the old number the board would report it as shown even if this sentence is lost."""
        self.show(self._light.light, now_us)

    def set_gain(self, gain_db: int, now_us: int) -> None:
        """Set the gain of the board's reader now, and again after each interruption. The board answers with a
        `GainReport`, even if it has this gain already."""
        self._gain_db = gain_db
        self.gain_report = None
        if self._is_talking:
            self._ping(now_us)

    def reset(self) -> None:
        """Restart the board, if it is connected."""
        if self._is_talking:
            self._send(Message("reset", {"boot": self._boot}))

    def _handle_hello(self, message: Message, now_us: int) -> list[LinkEvent]:
        fields = message.fields
        if self._is_talking:
            self._unexpected += HELLO_PENALTY
        if fields["protocol"] != PROTOCOL:
            return self._refuse(f"speaks version {fields['protocol']} of the wire, not {PROTOCOL}", now_us)
        if fields["board"] != self.board:
            return self._lose(Cause.LOST, f"calls itself board {fields['board']}")
        if firmware_fit(str(fields["firmware"])) is Fit.TOO_OLD:
            return self._refuse(f"has firmware {fields['firmware']}, older than {OLDEST_SUPPORTED}", now_us)
        boot = int(fields["boot"])
        if self._is_talking and boot < self._boot:
            return []  # late, from before a reset; a board that lost count is accepted once this boot has fallen silent
        restarted = boot != self._boot
        if restarted:
            self._boot = boot
            self.clock = BoardClock()
            if self.bus_clock is not None:
                self.bus_clock.restart()
            self._events = ReorderBuffer(self._last_committed(self.board, boot))
            self._reader = None
            self._lost = self._misread = 0
        self._events.commit(int(fields["oldest"]) - 1)  # the board has dropped everything below it
        was_talking = self._transition(Cause.HELLO) is LinkState.TALKING
        firmware = str(fields["firmware"])
        self._abilities = frozenset(since for since in _ABILITIES if is_since(since, firmware))
        self.gain_report = None
        self._last_anchor_us = now_us - ANCHOR_TIMEOUT_US
        self._reader_asked_us = now_us - READER_EVERY_US
        self._last_received_us = now_us
        self._pings.clear()
        self._light.mark_forgotten(now_us)
        self._ack()
        self._ping(now_us)
        return [] if was_talking and not restarted else [BoardConnected(firmware, restarted)]

    def _handle_message(self, message: Message, now_us: int) -> list[LinkEvent]:
        fields = message.fields
        if message.verb == "health":
            return self._handle_health(fields, now_us)
        if message.verb == "reader":
            set_ups, wrong, healed, unread = (int(fields[name]) for name in ("setups", "wrong", "healed", "unread"))
            return [ReaderCounts(set_ups, wrong, healed, unread, has_unreadable=fields["now"] == "unread")]
        if message.verb == "pong":
            answered = int(fields["ping"])
            if answered in self._pings:
                self.clock.add_exchange(self._pings[answered], int(fields["ticks"]), now_us)
                self._pings = {ping: sent_us for ping, sent_us in self._pings.items() if ping > answered}
                self._light.confirm(int(fields["light"]))
            else:
                self._unexpected += 1
            return []
        if message.verb == "hears":
            report = GainReport(*(int(fields[name]) for name in ("db", "looks", "read")))
            self.gain_report = report if report.gain_db == self._gain_db else None
            return []
        if message.verb == "anchor":
            self._last_anchor_us = now_us
            if self.bus_clock is not None and self.clock.is_synchronized:
                frame, after, by = (int(fields[name]) for name in ("frame", "after", "by"))
                self.bus_clock.add_anchor(frame, after, by, self.clock, now_us)
            return []
        self._events.add(message, now_us)
        if message.number <= self._events.committed:
            self._ack()  # the first acknowledgement must have been lost
        return []

    def _handle_health(self, fields: Mapping[str, int | str], now_us: int) -> list[LinkEvent]:
        events: list[LinkEvent] = []
        reader, lost, misread = str(fields["reader"]), int(fields["lost"]), int(fields["misread"])
        if reader != self._reader:
            if self._reader == "deaf":
                self.refresh_light(now_us)  # the board has shown that it was deaf
            self._reader = reader
            events.append(ReaderState(deaf=reader == "deaf"))
        if lost > self._lost:
            events.append(EventsLost(lost - self._lost))
            self._lost = lost
        if misread != self._misread:
            self._misread = misread
            events.append(Misread(misread))
        return events

    def _transition(self, cause: Cause) -> LinkState:
        """Change the state. Return the state before."""
        before = self._state
        self._state = TRANSITIONS[before][cause]
        return before

    def _lose(self, cause: Cause, reason: str) -> list[LinkEvent]:
        """Mark the board as lost. Report it only once."""
        return [BoardLost(reason)] if self._transition(cause) in NOT_REPORTED else []

    def _refuse(self, reason: str, now_us: int) -> list[LinkEvent]:
        """Refuse a board with unfit firmware. It isn't acknowledged, and so sends nothing but hello."""
        self._last_received_us = now_us
        return [] if self._transition(Cause.REFUSED) is LinkState.UNFIT else [BoardLost(reason, unfit=True)]

    def _ask(self, now_us: int) -> None:
        self._next_us = now_us + ASK_EVERY_US
        self._send(Message("hello?", {}))

    def _ack(self) -> None:
        self._send(Message("ack", {"boot": self._boot, "upto": self._events.committed}))

    def _ping(self, now_us: int) -> None:
        if not self.clock.is_synchronized:
            self._next_us = now_us + FIRST_PING_EVERY_US
        elif self._has_button and self._light.is_window(now_us):
            self._next_us = now_us + WINDOW_PING_EVERY_US
        else:
            self._next_us = now_us + PING_EVERY_US
        self._number += 1
        self._pings[self._number] = now_us
        self._send(Message("ping", {}, self._number))
        asks = self.bus_clock is not None and ANCHORS_SINCE in self._abilities
        if asks and now_us - self._last_anchor_us >= ANCHOR_TIMEOUT_US:
            self._last_anchor_us = now_us
            presses = "exact" if EXACT_STAMPS_SINCE in self._abilities else ""
            self._send(Message("anchors", {"every_ms": ANCHORS_EVERY_MS, "presses": presses}))
        if self._gain_db is not None and self.gain_report is None and GAIN_SINCE in self._abilities:
            self._send(Message("gain", {"db": str(self._gain_db)}))
        if now_us >= self._reader_asked_us + READER_EVERY_US and READER_COUNTS_SINCE in self._abilities:
            self._reader_asked_us = now_us
            self._send(Message("reader?", {}))

    def _send_light(self, now_us: int) -> None:
        """Send the light, and a ping that asks whether it is shown."""
        self._send(self._light.make_message(now_us))
        self._ping(now_us)

    def _send(self, message: Message) -> None:
        self._outgoing += encode(message)
