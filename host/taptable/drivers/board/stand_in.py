"""The seat boards of a simulated table: virtual boards (`board_model`) on pairs of terminals (`usb_model`), below the
driver. Must not know who moves cards and fingers."""

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
"""The noise of a cable that the workbench has damaged."""


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
        self.driver = BoardDriver(self.sockets.open, self.sockets.socket_of, self._plugged_ids)

    def _plugged_ids(self) -> list[str]:
        """Return the ids of the boards that are plugged in."""
        return [board.board for board in self.boards.values() if board.line.plugged]

    def make_sockets(self) -> UsbSockets:
        """Return the USB sockets of the boards."""
        return UsbSockets()

    def count_starts(self, starts: int) -> None:
        """Set how often the boards were started before. Real boards keep that in their flash."""
        for board in self.boards.values():
            board.boot = starts

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep the boards plugged in within this context."""
        for board in self.boards.values():
            board.plug_in()
        try:
            yield
        finally:
            for board in self.boards.values():
                board.pull_out()

    def let_go(self) -> None:
        """Detach the process: nothing reaches a board any more."""
        for board in self.boards.values():
            board.line.hang_up()

    def take_up(self) -> None:
        """Let the next process open the ports."""
        for board in self.boards.values():
            board.line.pick_up()

    def put(self, uid: str, pad: Pad) -> None:
        """Put a tag on a pad."""
        self.boards[pad].put(uid)

    def lift(self, uid: str, pad: Pad) -> None:
        """Lift a tag from a pad."""
        self.boards[pad].lift(uid)

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return [uid.hex() for uid in self.boards[pad].uids_on_pad]

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """Stop the reader of a board from answering it, or let it answer again."""
        self.boards[pad].deafen(deaf)

    def is_deaf(self, pad: Pad) -> bool:
        """Return whether the reader of a board doesn't answer it."""
        return self.boards[pad].deaf

    def hear_ghost(self, pad: Pad, uid: bytes) -> None:
        """Let the reader take a neighbour's card for one of its own."""
        self.boards[pad].hear_ghost(uid.hex())

    def tear(self, pad: Pad, uid: str) -> None:
        """Remove a card before it has been read."""
        self.boards[pad].tear(uid)

    def is_plugged(self, pad: Pad) -> bool | None:
        """Return whether the board of a pad is plugged in."""
        return self.boards[pad].line.plugged

    def plug(self, pad: Pad, plugged_in: bool) -> None:
        """Plug the board of a pad in, or pull it out."""
        if plugged_in:
            self.boards[pad].plug_in()
        else:
            self.boards[pad].pull_out()

    def restart(self, pad: Pad) -> None:
        """Restart the board of a pad."""
        self.boards[pad].reset()

    def is_noisy(self, pad: Pad) -> bool:
        """Return whether the cable of a board damages lines."""
        return self.boards[pad].line.noise != NO_NOISE

    def make_noise(self, pad: Pad, noisy: bool) -> None:
        """Let the cable of a board damage lines, or stop that."""
        self.boards[pad].line.noise = BAD_LINE if noisy else NO_NOISE

    def overhear(self, listener: CableListener | None) -> None:
        """Call `listener` with each line on a cable from now on; None to stop."""
        for pad, board in self.boards.items():
            board.line.on_line = None if listener is None else lambda line, to_pi, pad=pad: listener(pad, line, to_pi)

    def press(self, pad: Pad, hold_s: float) -> None:
        """Press the button on a board, and release it after `hold_s`."""
        self.boards[pad].press()
        self.around.loop.call_later(hold_s, self.boards[pad].release)

    def is_lit(self, seat: int) -> bool:
        """Return whether the lamp of a seat's board is lit or blinks."""
        return self.boards[seat].ring.lamp != "off"

    def lamp_pattern(self, seat: int) -> str | None:
        """Return the pattern of the lamp on a seat's board."""
        return self.boards[seat].ring.lamp

    def ring(self, pad: Pad) -> tuple[str, float, int] | None:
        """Return what the ring of a board shows: the pattern, when its time ends on the loop's clock in seconds, and
        its whole length in ms."""
        ring = self.boards[pad].ring
        return ring.pattern, ring.since_s + ring.left_ms / 1000, ring.whole_ms


STAND_IN = BoardStandIn
