"""A whole table without hardware: below the real drivers it has a stand-in for each part that a configuration names.
Callers put cards on pads and lift them, and press buttons; the truth at fields and contacts is recorded. The daemon
above it is the daemon of a real table. Must not know who moves cards, nor which drivers there are."""

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
    """The hardware of `config`; ConfigError for parts that can't be simulated. Must be made on the loop that runs it;
    all chance comes from `seed`. `stand_ins` replace those of the drivers' own folders, by their kinds."""

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
        """The glass of the display."""
        return next(display for each in self._stand_ins.values() if (display := each.display) is not None)

    def count_starts(self, starts: int) -> None:
        """Set how often the table was started before, which some hardware counts."""
        for each in self._stand_ins.values():
            each.count_starts(starts)

    @contextmanager
    def powered(self) -> Generator[Drivers]:
        """Put the stand-ins below the drivers for the duration of the context, and yield the daemon's drivers."""
        with ExitStack() as stack:
            for each in self._stand_ins.values():
                stack.enter_context(each.powered())
            drivers = {kind: each.driver for kind, each in self._stand_ins.items()}
            yield Drivers(drivers, InlineExecutor, are_models=True)

    def let_go(self) -> None:
        """Cut all parts off from the daemon, as if its process was killed: nothing that it still does reaches any part,
        and all of them stay as they are. Nothing can be opened until `take_up`."""
        for each in self._stand_ins.values():
            each.let_go()

    def take_up(self) -> None:
        """Make every part available to the next daemon."""
        for each in self._stand_ins.values():
            each.take_up()

    def pad_stand_in(self, pad: Pad) -> HardwareStandIn:
        """Return the stand-in for the reader of a pad."""
        return self._pads[pad]

    def put(self, uid: str, pad: Pad) -> None:
        """Put a tag on a pad."""
        self._pads[pad].put(uid, pad)

    def lift(self, uid: str, pad: Pad) -> None:
        """Lift a tag from a pad."""
        self._pads[pad].lift(uid, pad)

    def pad_or_discard(self, pad: Pad) -> Pad:
        """Return the pad itself, or the discard pad at a table without this one."""
        return pad if pad in self._pads else DISCARD_PAD

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return self._pads[pad].tags_on(pad)

    def deafen(self, pad: Pad, deaf: bool = True) -> None:
        """Stop the reader of a pad from answering, or let it answer again."""
        self._pads[pad].deafen(pad, deaf)

    def is_deaf(self, pad: Pad) -> bool:
        """Return whether the reader of a pad doesn't answer."""
        return self._pads[pad].is_deaf(pad)

    def button_stand_in(self, seat: Pad) -> HardwareStandIn:
        """Return the stand-in for the button of a seat, or for the one on the board of another pad."""
        return self._buttons.get(seat, self._pads[seat])

    def is_controller_plugged(self, seat: Pad) -> bool | None:
        """Return whether the controller with a seat's button is plugged in; None if the button is on none."""
        button = self._buttons.get(seat)
        return None if button is None or button is self._pads[seat] else button.is_plugged(seat)

    def plug_controller(self, seat: Pad, plugged_in: bool) -> None:
        """Plug the controller with a seat's button in, or pull it out, with all its buttons and lamps."""
        for each in self._buttons[seat].on_one_plug(seat):
            for stand_in in (self._buttons[each], self._lamps.get(each)):
                if stand_in is not None and stand_in.is_plugged(each) is not None:
                    stand_in.plug(each, plugged_in)

    def press(self, pad: Pad, hold_s: float = 0.12) -> None:
        """Press a seat's button, or that on the board of another pad, and release it after `hold_s`."""
        self.button_stand_in(pad).press(pad, hold_s)

    def ring_pattern(self, pad: Pad) -> str:
        """Return the pattern that the ring at a pad shows."""
        ring = self._pads[pad].ring(pad) if pad in self._pads else None
        return "off" if ring is None else ring[0]

    def is_lamp_lit(self, seat: int) -> bool:
        """Return whether a seat's lamp is lit now; one on a board counts as lit while it blinks."""
        stand_in = self._lamps.get(seat, self._pads[seat])
        try:
            return stand_in.is_lit(seat)
        except NoSuchPart:
            return False

    def lamp_pattern(self, seat: int) -> str | None:
        """Return the pattern that a seat's lamp shows; None if the lamp gets each change instead of a pattern."""
        return self._lamps.get(seat, self._pads[seat]).lamp_pattern(seat)

    def tone_hz(self) -> float | None:
        """Return the frequency of the sounder's tone; None for silence."""
        return next((hz for each in self._stand_ins.values() if (hz := each.tone_hz()) is not None), None)

    def listen(self, on_tone: Callable[[float | None], None] | None) -> None:
        """Call `on_tone` with each tone of the sounder from now on; None stops that."""
        for each in self._stand_ins.values():
            each.listen(on_tone)

    def overhear(self, listener: CableListener | None) -> None:
        """Pass each line on a cable to `listener` from now on, with its pad and whether it goes to the Pi; None stops
        that."""
        for each in self._stand_ins.values():
            each.overhear(listener)

    def picture(self) -> Image:
        """Return the picture on the glass of the display, from the bytes that the driver sent."""
        return self.display.image()


P = ParamSpec("P")
T = TypeVar("T")


class InlineExecutor(Executor):
    """Executor that runs each function at once."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call the function, and return a future with its result."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # any exception belongs to the code that waits for the future
            future.set_exception(error)
        return future
