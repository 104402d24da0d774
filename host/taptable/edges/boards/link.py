"""The Pi's side of the wire to one seat board: bytes in, news and events out, without port or timer. Numbered events
come once and in order, the next when the one before is committed, which is also when it is acknowledged; answered
pings keep the clock of the board's boot, and show that the board is there and which light it shows. Knows nothing of
seats and games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tapshared.lines import Lines
from tapshared.outbox import OLD_US
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD, PROTOCOL
from tapshared.version import COUNTS_READER, OLDEST, STAMPS_EXACTLY, TAKES_GAIN, TELLS_ANCHORS

from taptable.core.device_events import Origin
from taptable.edges.boards.bus import BusClock
from taptable.edges.boards.clock import BoardClock, Moment
from taptable.edges.boards.versions import Fit, is_since, verdict_on

# --- what a line has to tell, and what a seat shows -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Met:
    """The board answers; `anew` if this boot of it hasn't been heard before."""

    firmware: str
    anew: bool


@dataclass(frozen=True, slots=True)
class Missed:
    """The board doesn't answer, or isn't used, since its firmware is `unfit` for this table."""

    reason: str
    unfit: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """A numbered event in its turn; `made` is when it was stamped."""

    origin: Origin
    message: Message
    made: Moment


@dataclass(frozen=True, slots=True)
class ReaderState:
    """Whether the board's reader answers it."""

    deaf: bool


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the board answers of its gain: so many looks at its pad with it, and how many of these read a card."""

    gain_db: int
    looks: int
    read: int


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The board had no room for so many events since it last told."""

    count: int


@dataclass(frozen=True, slots=True)
class Misread:
    """How many looks the board's reader has misread since the board's start."""

    count: int


@dataclass(frozen=True, slots=True)
class ReaderCounts:
    """What the board counts of its reader since its start: set-ups after the first, registers that were found wrong,
    resets after which a card was heard at once, and cards that couldn't be selected; whether one `lies` there now."""

    set_ups: int
    wrong: int
    healed: int
    unread: int
    lies: bool


News: TypeAlias = Met | Missed | ReaderState | EventsLost | Misread | ReaderCounts


@dataclass(frozen=True, slots=True)
class SeatLights:
    """What a seat shows: a pattern of its ring, the lamp of its button, and for a pattern that runs over a time its
    end (table time) and its whole length.
    """

    pattern: str = "off"
    lamp: str = "off"
    ends_at_us: int = 0
    whole_us: int = 0


# --- its numbered events, and its light -----------------------------------------------------------------------------

AHEAD = 64  # numbers that may come before their turn; what is further ahead comes again
AGAIN_US = 100_000
LAST_AGAIN_US = 1_000_000


class _Intake:
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


class _Showing:
    """The light a seat is to show, at first none, said again until the board shows it: a pong names the light by the
    number it was said with."""

    def __init__(self) -> None:
        self.light = SeatLights()
        self._number = 0
        self._shown = 0
        self._again_us = 0
        self._delay_us = AGAIN_US

    @property
    def due_us(self) -> int | None:
        """When it is to be said again; None while the board shows it, or where there is nothing to show."""
        return None if self._number == self._shown else self._again_us

    def is_window(self, now_us: int) -> bool:
        """Whether a window is to be shown that is still open."""
        return self.light.pattern == "window" and self.light.ends_at_us > now_us

    def change(self, light: SeatLights, number: int, now_us: int) -> None:
        """Show this from now on. `number` is one that no other light had."""
        self.light = light
        self._number = number
        self._again_us = now_us
        self._delay_us = AGAIN_US

    def forgotten(self, now_us: int) -> None:
        """The board shows nothing of ours any more."""
        self._shown = 0
        self._again_us = now_us

    def seen(self, number: int) -> None:
        """The board shows the light that was said with this number."""
        self._shown = number

    def say(self, now_us: int) -> Message:
        """The sentence, with what is left of a time."""
        self._again_us = now_us + self._delay_us
        self._delay_us = min(2 * self._delay_us, LAST_AGAIN_US)
        light = self.light
        fields: dict[str, int | str] = {
            "pattern": light.pattern,
            "left_ms": max(0, light.ends_at_us - now_us) // 1000,
            "whole_ms": light.whole_us // 1000,
            "lamp": light.lamp,
        }
        return Message("light", fields, self._number)


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


class Link:
    """One board's line. `taken(board, boot)` is the highest number of that boot in the journal, or 0. `buzzes`: the
    seat's button is on this board. `press_time(ticks, made, arrived_us, exact)`: when a button was pressed whose stamp
    was made then by the round trip, by the chip itself if `exact`. `bus_clock`: what the board's anchors go to, where
    it is known where it is plugged in. `gain_db`: what its reader is to hear with, None to leave it at what it is;
    `hearing` is the board's answer to it, None until it is there, which it never is from a board that doesn't take a
    gain.

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
        self.hearing: Hearing | None = None
        self._gain_db = gain_db
        self._press_time = press_time
        self._firmware = ""
        self._anchored_us = 0
        self.clock = BoardClock()
        self._buzzes = buzzes
        self._taken = taken
        self._lines = Lines(BOARD)
        self._outgoing = bytearray()
        self._open = False
        self._talking = False
        self._missed = False  # whether that has been told
        self._unfit = False  # whether it has been told that its firmware doesn't fit
        self._heard_us = 0
        self._next_us = 0  # when to ask, or to ping, next
        self._boot: int = _NO_BOOT
        self._intake = _Intake(0)
        self._reader: str | None = None
        self._lost = 0
        self._misread = 0
        self._reader_asked_us = 0
        self._unasked = 0
        self._number = 0  # of the last ping or light said
        self._pings: dict[int, int] = {}
        self._showing = _Showing()

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
        if not self._open:
            return None
        if not self._talking:
            return self._next_us
        light_us = self._showing.due_us
        return min(self._next_us, self._heard_us + SILENT_US, self._next_us if light_us is None else light_us)

    def outgoing(self) -> bytes:
        """What is to be sent, once."""
        said = bytes(self._outgoing)
        self._outgoing.clear()
        return said

    def opened(self, now_us: int) -> None:
        """The port is open: ask who is there."""
        self._open = True
        self._outgoing.clear()
        self._lines.forget()
        self._heard_us = now_us
        self._ask(now_us)

    def closed(self, reason: str) -> list[News]:
        """The port is closed, or couldn't be opened."""
        self._open = False
        return self._miss(reason)

    def received(self, data: bytes, now_us: int) -> list[News]:
        """Take what the board said, all of it here by `now_us`."""
        if self._talking and now_us - self._heard_us >= OLD_US:
            # We were held up for long, and nobody knows when this was said. What matters in it comes again.
            self._lines.forget()
            return self.tick(now_us)
        news: list[News] = []
        for message in self._lines.feed(data):
            if message.verb == "hello":
                news += self._greeted(message, now_us)
            elif self._talking:
                self._heard_us = now_us
                news += self._heard(message, now_us)
        return news

    def tick(self, now_us: int) -> list[News]:
        """Do what is due by now."""
        if self.due_us is None or now_us < self.due_us:
            return []
        news = self._miss("doesn't answer") if now_us - self._heard_us >= SILENT_US else []
        if not self._talking:
            self._ask(now_us)
        elif self._showing.due_us is not None and now_us >= self._showing.due_us:
            self._say_light(now_us)
        elif now_us >= self._next_us:
            self._ping(now_us)
        return news

    def event(self) -> Event | None:
        """The event whose turn it is, as soon as its time can be told."""
        arrived = self._intake.turn()
        if arrived is None or not self.clock.known:
            return None
        message, at_us = arrived
        old = message.fields.get("age") == "old"
        ticks = int(message.fields["ticks"])
        made = Moment(0, at_us) if old else self.clock.moment(ticks, at_us)
        if message.verb == "press" and not old and self._press_time is not None:
            made = self._press_time(ticks, made, at_us, message.fields["age"] == "exact")
        return Event(Origin(self.board, self._boot, message.number), message, made)

    def acknowledge(self, origin: Origin) -> None:
        """This event is in the journal: the board needn't keep it, and the next one has its turn."""
        if origin.boot == self._boot:
            if origin.number == self._intake.committed + 1:
                self._intake.commit(origin.number)
            if self._talking:
                self._ack()

    def give_back(self) -> None:
        """The event whose turn it is couldn't be committed; it has its turn again when the board says it again."""
        self._intake.give_back()

    def show(self, light: SeatLights, now_us: int) -> None:
        """Let the seat show this from now on, after interruptions too."""
        self._number += 1
        self._showing.change(light, self._number, now_us)
        if self._talking:
            self._say_light(now_us)

    def show_again(self, now_us: int) -> None:
        """What the board has shown by itself is over: let the seat show its light again. It gets a new number, since
        the board says of the old one that it is shown, even if the line that says it again is lost."""
        self.show(self._showing.light, now_us)

    def tune(self, gain_db: int, now_us: int) -> None:
        """Let its reader hear with this gain from now on, after interruptions too; where it does already, this asks how
        it hears.
        """
        self._gain_db = gain_db
        self.hearing = None
        if self._talking:
            self._ping(now_us)

    def reset(self) -> None:
        """Let the board start anew, if it is there."""
        if self._talking:
            self._say(Message("reset", {"boot": self._boot}))

    def _greeted(self, message: Message, now_us: int) -> list[News]:
        fields = message.fields
        if self._talking:
            self._unasked += HELLO_COUNTS
        if fields["protocol"] != PROTOCOL:
            return self._refuse(f"speaks version {fields['protocol']} of the wire, not {PROTOCOL}", now_us)
        if fields["board"] != self.board:
            return self._miss(f"calls itself board {fields['board']}")
        if verdict_on(str(fields["firmware"])) is Fit.TOO_OLD:
            return self._refuse(f"has firmware {fields['firmware']}, older than {OLDEST}", now_us)
        boot = int(fields["boot"])
        if self._talking and boot < self._boot:
            return []  # late, from before a reset; a board that lost count is heard once this boot has fallen silent
        anew = boot != self._boot
        if anew:
            self._boot = boot
            self.clock = BoardClock()
            if self.bus_clock is not None:
                self.bus_clock.restart()
            self._intake = _Intake(self._taken(self.board, boot))
            self._reader = None
            self._lost = self._misread = 0
        self._intake.commit(int(fields["oldest"]) - 1)  # the board keeps nothing below it any more
        news: list[News] = [] if self._talking and not anew else [Met(str(fields["firmware"]), anew)]
        self._talking = True
        self._missed = self._unfit = False
        self._firmware = str(fields["firmware"])
        self.hearing = None
        self._anchored_us = now_us - NO_ANCHORS_US
        self._reader_asked_us = now_us - READER_EVERY_US
        self._heard_us = now_us
        self._pings.clear()
        self._showing.forgotten(now_us)
        self._ack()
        self._ping(now_us)
        return news

    def _heard(self, message: Message, now_us: int) -> list[News]:
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
                self._showing.seen(int(fields["light"]))
            else:
                self._unasked += 1
            return []
        if message.verb == "hears":
            hearing = Hearing(*(int(fields[name]) for name in ("db", "looks", "read")))
            self.hearing = hearing if hearing.gain_db == self._gain_db else None
            return []
        if message.verb == "anchor":
            self._anchored_us = now_us
            if self.bus_clock is not None and self.clock.known:
                frame, after, by = (int(fields[name]) for name in ("frame", "after", "by"))
                self.bus_clock.anchor(frame, after, by, self.clock, now_us)
            return []
        self._intake.arrive(message, now_us)
        if message.number <= self._intake.committed:
            self._ack()  # the first one must have been lost
        return []

    def _health(self, fields: Mapping[str, int | str], now_us: int) -> list[News]:
        news: list[News] = []
        reader, lost, misread = str(fields["reader"]), int(fields["lost"]), int(fields["misread"])
        if reader != self._reader:
            if self._reader == "deaf":
                self.show_again(now_us)  # the board has shown that it was deaf
            self._reader = reader
            news.append(ReaderState(deaf=reader == "deaf"))
        if lost > self._lost:
            news.append(EventsLost(lost - self._lost))
            self._lost = lost
        if misread != self._misread:
            self._misread = misread
            news.append(Misread(misread))
        return news

    def _miss(self, reason: str) -> list[News]:
        self._talking = False
        if self._missed:
            return []
        self._missed = True
        return [Missed(reason)]

    def _refuse(self, reason: str, now_us: int) -> list[News]:
        """Its firmware doesn't fit: it isn't acknowledged, and so says nothing but hello."""
        self._talking = False
        self._missed = True
        self._heard_us = now_us
        if self._unfit:
            return []
        self._unfit = True
        return [Missed(reason, unfit=True)]

    def _ask(self, now_us: int) -> None:
        self._next_us = now_us + ASK_EVERY_US
        self._say(Message("hello?", {}))

    def _ack(self) -> None:
        self._say(Message("ack", {"boot": self._boot, "upto": self._intake.committed}))

    def _ping(self, now_us: int) -> None:
        if not self.clock.known:
            self._next_us = now_us + FIRST_PING_AGAIN_US
        elif self._buzzes and self._showing.is_window(now_us):
            self._next_us = now_us + WINDOW_PING_EVERY_US
        else:
            self._next_us = now_us + PING_EVERY_US
        self._number += 1
        self._pings[self._number] = now_us
        self._say(Message("ping", {}, self._number))
        asks = self.bus_clock is not None and is_since(TELLS_ANCHORS, self._firmware)
        if asks and now_us - self._anchored_us >= NO_ANCHORS_US:
            self._anchored_us = now_us
            presses = "exact" if is_since(STAMPS_EXACTLY, self._firmware) else ""
            self._say(Message("anchors", {"every_ms": ANCHORS_EVERY_MS, "presses": presses}))
        if self._gain_db is not None and self.hearing is None and is_since(TAKES_GAIN, self._firmware):
            self._say(Message("gain", {"db": str(self._gain_db)}))
        if now_us >= self._reader_asked_us + READER_EVERY_US and is_since(COUNTS_READER, self._firmware):
            self._reader_asked_us = now_us
            self._say(Message("reader?", {}))

    def _say_light(self, now_us: int) -> None:
        """Say the light, and ask with a ping whether it is shown."""
        self._say(self._showing.say(now_us))
        self._ping(now_us)

    def _say(self, message: Message) -> None:
        self._outgoing += encode(message)
