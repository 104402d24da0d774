"""Both ends of a wire in given time, without a port: a board's conversation, the Pi's link, a noisy cable each way,
and a journal. The board's ticks begin near their wrap in each boot."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from tapshared.conversation import Conversation
from tapshared.sentences import Message
from tapshared.ticks import PERIOD
from taptable.drivers.board.link import BoardLink
from taptable.drivers.board.link_events import BoardEvent
from taptable.drivers.board.usb_model import NO_NOISE, Cable, CableNoise

BOARD = "b1"
FIRST_TICKS = PERIOD - 3_000_000
STEP_US = 20_000


@dataclass
class TrueEvent:
    """An event at the board, as it was."""

    boot: int
    verb: str
    uid: str
    at_us: int


@dataclass
class TwoEnds:
    seed: int = 0
    noise: CableNoise = NO_NOISE
    now_us: int = 0
    boot: int = 0
    plugged: bool = True
    true_events: list[TrueEvent] = field(default_factory=list)
    events: list[BoardEvent] = field(default_factory=list)
    full: bool = False
    shown: Message | None = None

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        self._up, self._down = Cable(self._random), Cable(self._random)
        self._to_pi, self._to_board = b"", b""
        self.make_noise(self.noise)
        self.reset()
        self.restart()

    @property
    def ticks(self) -> int:
        return (self.now_us - self._began_us + FIRST_TICKS) % PERIOD

    def make_noise(self, noise: CableNoise) -> None:
        self._up.noise = self._down.noise = noise

    def reset(self) -> None:
        """Restart the board, which loses what it kept."""
        self.boot += 1
        self._began_us = self.now_us
        about = {"board": BOARD, "boot": self.boot, "firmware": "test", "pads": 1, "pixels": 12, "buttons": 1}
        self.board = Conversation(about, self.ticks)
        self.shown = None

    def restart(self) -> None:
        """Restart the Pi's side with the state of the journal; its port is opened if there is one."""
        self.link = BoardLink(BOARD, lambda _board, boot: self._taken(boot))
        if self.plugged:
            self.link.port_opened(self.now_us)
        else:
            self.link.port_closed("unplugged")

    def fill_up(self, full: bool) -> None:
        """The journal has no room, or has room again."""
        self.full = full

    def unplug(self) -> None:
        if self.plugged:
            self.plugged = False
            self._up.unplug()
            self._down.unplug()
            self._to_pi = self._to_board = b""
            self.link.port_closed("unplugged")

    def plug_in(self) -> None:
        if not self.plugged:
            self.plugged = True
            self.link.port_opened(self.now_us)

    def tell(self, verb: str, uid: str = "") -> None:
        """Something happens at the board's pad or button."""
        self.true_events.append(TrueEvent(self.boot, verb, uid, self.now_us))
        values = {"tag": (uid, self.ticks, ""), "gone": (uid, self.ticks)}.get(verb, (self.ticks, ""))
        self.board.queue_event(verb, values, self.ticks)

    def run(self, span_us: int) -> None:
        end_us = self.now_us + span_us
        while self.now_us < end_us:
            self.now_us = min(end_us, self.now_us + self._random.randint(1, STEP_US))
            self._step()

    def _step(self) -> None:
        said, self._to_board = self._chunk(self._to_board)
        for message in self.board.receive(said, self.ticks):
            if message.verb == "light":
                self.shown = message
        said, self._to_pi = self._chunk(self._to_pi)
        if self.plugged:
            self.link.data_received(said, self.now_us)
            self._commit()
        self.link.tick(self.now_us)
        up, down = self.board.take_outgoing(self.ticks), self.link.take_outgoing()
        if self.plugged:
            self._to_pi += self._up.carry(up)
            self._to_board += self._down.carry(down)

    def _commit(self) -> None:
        """Put the events whose turn it is into the journal, while there is room."""
        while (event := self.link.next_event()) is not None:
            if self.full:
                self.link.defer_event()
                return
            self.events.append(event)
            self.link.acknowledge(event.origin)

    def _taken(self, boot: int) -> int:
        return max((event.origin.number for event in self.events if event.origin.boot == boot), default=0)

    def _chunk(self, under_way: bytes) -> tuple[bytes, bytes]:
        """Split the bytes under way into those that arrive now and the rest: at any place, mostly at the end."""
        size = len(under_way) if self._random.random() < 0.7 else self._random.randint(0, len(under_way))
        return under_way[:size], under_way[size:]
