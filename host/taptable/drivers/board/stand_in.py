"""The seat boards of a simulated table: virtual boards on pairs of terminals."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from random import Random

from taptable.core.observations import Pad
from taptable.drivers.board.board_model import VirtualBoard
from taptable.drivers.board.driver import BoardDriver
from taptable.drivers.board.usb_model import NO_NOISE, CableNoise, UsbSockets
from taptable.drivers.interface import Part, PartRole
from taptable.sim.stand_in import CableListener, HardwareStandIn, Surroundings

BAD_LINE = CableNoise(lost=0.1, cut=0.1, corrupted=0.1, doubled=0.1, late=0.1, print_out=0.1)


class BoardStandIn(HardwareStandIn):
    """The boards of all pads that have one."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.sockets = self.make_sockets()
        self.boards: dict[Pad, VirtualBoard] = {}
        chance = Random(around.seed)
        for part in parts:
            if part.role is PartRole.PAD and part.pad is not None:
                ppm = chance.uniform(-50, 50)
                self.boards[part.pad] = VirtualBoard(
                    part.address.name,
                    self.sockets,
                    around.loop,
                    seed=around.seed,
                    ppm=ppm,
                    first_ticks=chance.randrange(1 << 30),
                )
        self.driver = BoardDriver(self.sockets.open, self.sockets.socket_of)

    def make_sockets(self) -> UsbSockets:
        """Return where the boards are plugged in."""
        return UsbSockets()

    def count_starts(self, starts: int) -> None:
        """The boards were started so often before; real ones keep that in their flash."""
        for board in self.boards.values():
            board.boot = starts

    @contextmanager
    def powered(self) -> Generator[None]:
        """While this lasts the boards are plugged in."""
        for board in self.boards.values():
            board.plug_in()
        try:
            yield
        finally:
            for board in self.boards.values():
                board.pull_out()

    def let_go(self) -> None:
        """Nothing reaches a board any more."""
        for board in self.boards.values():
            board.line.hang_up()

    def take_up(self) -> None:
        """The next process may open the ports."""
        for board in self.boards.values():
            board.line.pick_up()

    def put(self, uid: str, pad: Pad) -> None:
        """A tag is put on a pad."""
        self.boards[pad].put(uid)

    def lift(self, uid: str, pad: Pad) -> None:
        """A tag is lifted from a pad."""
        self.boards[pad].lift(uid)

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return [uid.hex() for uid in self.boards[pad].uids_on_pad]

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """The reader of a board answers it no more, or answers again."""
        self.boards[pad].deafen(deaf)

    def is_deaf(self, pad: Pad) -> bool:
        """Whether the reader of a board doesn't answer it."""
        return self.boards[pad].deaf

    def hear_ghost(self, pad: Pad, uid: bytes) -> None:
        """The reader takes a neighbour's card for one of its own."""
        self.boards[pad].hear_ghost(uid.hex())

    def tear(self, pad: Pad, uid: str) -> None:
        """A card is gone before it has been read."""
        self.boards[pad].tear(uid)

    def is_plugged(self, pad: Pad) -> bool | None:
        """Whether the board of a pad is plugged in."""
        return self.boards[pad].line.plugged

    def plug(self, pad: Pad, plugged_in: bool) -> None:
        """Plug the board of a pad in, or pull it out."""
        if plugged_in:
            self.boards[pad].plug_in()
        else:
            self.boards[pad].pull_out()

    def restart(self, pad: Pad) -> None:
        """The board of a pad begins again."""
        self.boards[pad].reset()

    def is_noisy(self, pad: Pad) -> bool:
        """Whether its cable damages what is said on it."""
        return self.boards[pad].line.noise != NO_NOISE

    def make_noise(self, pad: Pad, noisy: bool) -> None:
        """Its cable damages what is said on it, or does so no more."""
        self.boards[pad].line.noise = BAD_LINE if noisy else NO_NOISE

    def overhear(self, listener: CableListener | None) -> None:
        """Tell each line on a cable from now on; None: no more."""
        for pad, board in self.boards.items():
            board.line.on_line = None if listener is None else lambda line, to_pi, pad=pad: listener(pad, line, to_pi)

    def press(self, pad: Pad, hold_s: float) -> None:
        """The button on a board is pressed and let go."""
        self.boards[pad].press()
        self.around.loop.call_later(hold_s, self.boards[pad].release)

    def is_lit(self, seat: int) -> bool:
        """Whether the lamp of a seat's board is lit or blinks."""
        return self.boards[seat].ring.lamp != "off"

    def lamp_pattern(self, seat: int) -> str | None:
        """Return what the lamp of a seat's board was told."""
        return self.boards[seat].ring.lamp

    def ring(self, pad: Pad) -> tuple[str, float, int] | None:
        """Return what the ring of a board shows."""
        ring = self.boards[pad].ring
        return ring.pattern, ring.since_s + ring.left_ms / 1000, ring.whole_ms


STAND_IN = BoardStandIn
