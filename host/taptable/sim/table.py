"""A whole table without hardware: everything a configuration names, as stand-ins below the real drivers, under the
same names.

Cards are put on pads and lifted, buttons pressed; what happened at the fields and contacts is kept as the
truth. The daemon over it is the daemon of a real table."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from typing import Any, ParamSpec, TypeAlias, TypeVar

from PIL.Image import Image

from taptable.config import Config
from taptable.core.errors import ConfigError
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.drivers.interface import Part, PartRole
from taptable.drivers.registry import Drivers, installed_drivers, module_of
from taptable.schema.problems import join_words
from taptable.sim.field import Field
from taptable.sim.stand_in import CableListener, DisplayStandIn, HardwareStandIn, NoSuchPart, PadsInFields, Surroundings

MakeStandIn: TypeAlias = Callable[[Sequence[Part], Surroundings], HardwareStandIn]


class SimulatedTable:
    """The hardware of `config`; ConfigError where some can't be simulated. To be made on the loop that runs it; all
    chance comes from `seed`. `stand_ins` are used in place of those of the drivers' own folders, by their kinds."""

    def __init__(self, config: Config, seed: int = 0, stand_ins: Mapping[str, MakeStandIn] | None = None) -> None:
        self.config = config
        self.around = Surroundings(seed)
        self._stand_ins: dict[str, HardwareStandIn] = {}
        for driver in installed_drivers():
            module = module_of(driver, "stand_in")
            make: MakeStandIn | None = (stand_ins or {}).get(driver.kind, module and module.STAND_IN)
            if make is not None:
                self._stand_ins[driver.kind] = make(config.parts_of(driver), self.around)
        if missing := {part.address.kind for part in config.parts} - self._stand_ins.keys():
            raise ConfigError(
                f"Parts of the kind {join_words(sorted(missing))} can't be simulated: they have no stand-in."
            )
        self._pads = {part.pad: self.stand_in(part.address.kind) for part in config.parts if part.role is PartRole.PAD}
        self._lamps = {
            part.pad: self.stand_in(part.address.kind) for part in config.parts if part.role is PartRole.LAMP
        }
        self._buttons = {
            part.pad: self.stand_in(part.address.kind) for part in config.parts if part.role is PartRole.BUTTON
        }

    def stand_in(self, kind: str) -> Any:
        """Return the stand-in of one kind of driver."""
        return self._stand_ins[kind]

    @property
    def fields(self) -> Mapping[Pad, Field]:
        """The fields of the pads whose readers are simulated down to the air."""
        fields: dict[Pad, Field] = {}
        for stand_in in self._stand_ins.values():
            if isinstance(stand_in, PadsInFields):
                fields |= stand_in.fields
        return fields

    @property
    def display(self) -> DisplayStandIn:
        """The glass."""
        return next(display for each in self._stand_ins.values() if (display := each.display) is not None)

    def count_starts(self, starts: int) -> None:
        """The table was started so often before, which some hardware counts."""
        for each in self._stand_ins.values():
            each.count_starts(starts)

    @contextmanager
    def powered(self) -> Generator[Drivers]:
        """While this lasts the stand-ins lie below the drivers; gives the daemon's drivers."""
        with ExitStack() as stack:
            for each in self._stand_ins.values():
                stack.enter_context(each.powered())
            yield Drivers({kind: each.driver for kind, each in self._stand_ins.items()}, InlineExecutor)

    def let_go(self) -> None:
        """The daemon is gone at once, as when its process is killed: nothing that it still does reaches any part, and
        all of them stay as they are. Nothing can be opened until `take_up`."""
        for each in self._stand_ins.values():
            each.let_go()

    def take_up(self) -> None:
        """The next daemon may have every part."""
        for each in self._stand_ins.values():
            each.take_up()

    def pad_stand_in(self, pad: Pad) -> HardwareStandIn:
        """Return what stands for the reader of a pad."""
        return self._pads[pad]

    def put(self, uid: str, pad: Pad) -> None:
        """A tag is put on a pad."""
        self._pads[pad].put(uid, pad)

    def lift(self, uid: str, pad: Pad) -> None:
        """A tag is lifted from a pad."""
        self._pads[pad].lift(uid, pad)

    def pad_or_discard(self, pad: Pad) -> Pad:
        """The pad itself, or the one in the centre at a table that hasn't got this one."""
        return pad if pad in self._pads else DISCARD_PAD

    def tags_on(self, pad: Pad) -> list[str]:
        """The tags that are on a pad now."""
        return self._pads[pad].tags_on(pad)

    def deafen(self, pad: Pad, deaf: bool = True) -> None:
        """The reader of a pad answers no more, or answers again."""
        self._pads[pad].deafen(pad, deaf)

    def is_deaf(self, pad: Pad) -> bool:
        """Does the reader of a pad not answer?"""
        return self._pads[pad].is_deaf(pad)

    def button_stand_in(self, seat: Pad) -> HardwareStandIn:
        """Return what stands for the button of a seat, or for one that is nobody's, at another pad."""
        return self._buttons.get(seat, self._pads[seat])

    def press(self, pad: Pad, hold_s: float = 0.12) -> None:
        """A seat's button, or that on the board of another pad, is pressed and let go after `hold_s`."""
        self.button_stand_in(pad).press(pad, hold_s)

    def ring_pattern(self, pad: Pad) -> str:
        """What the ring at a pad shows."""
        ring = self._pads[pad].ring(pad) if pad in self._pads else None
        return "off" if ring is None else ring[0]

    def is_lamp_lit(self, seat: int) -> bool:
        """Whether a seat's lamp is lit now; one on a board counts as lit while it blinks."""
        stand_in = self._lamps.get(seat, self._pads[seat])
        try:
            return stand_in.is_lit(seat)
        except NoSuchPart:
            return False

    def lamp_pattern(self, seat: int) -> str | None:
        """The pattern that a seat's lamp was told to show; None where it is told each change."""
        return self._lamps.get(seat, self._pads[seat]).lamp_pattern(seat)

    def tone_hz(self) -> float | None:
        """What the sounder gives."""
        return next((hz for each in self._stand_ins.values() if (hz := each.tone_hz()) is not None), None)

    def listen(self, on_tone: Callable[[float | None], None] | None) -> None:
        """Tell each tone of the sounder from now on; None: no more."""
        for each in self._stand_ins.values():
            each.listen(on_tone)

    def overhear(self, listener: CableListener | None) -> None:
        """Tell each line on a cable from now on, with its pad and whether it goes to the Pi; None: no more."""
        for each in self._stand_ins.values():
            each.overhear(listener)

    def picture(self) -> Image:
        """What stands on the glass of the display, from the bytes the driver sent."""
        return self.display.image()


P = ParamSpec("P")
T = TypeVar("T")


class InlineExecutor(Executor):
    """Does at once what it is given."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call it, and give what came of it."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # whatever it is, it belongs to who waits for the future
            future.set_exception(error)
        return future
