"""Drivers of ours that are broken on purpose, each in one way, and the check of the suite that has to find it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from taptable.core.device_events import (
    ButtonEdge,
    Clock,
    DeviceEvent,
    Origin,
    PartFailed,
    PartReturned,
    TagCame,
    TagWent,
)
from taptable.drivers.interface import Address, DeviceContext, Driver, FoundPart, Limit, OpenedParts, Part, PartRole
from taptable.drivers.registry import installed_drivers, module_of
from taptable.schema.keys import Setting
from taptable.sim.stand_in import HardwareStandIn, Surroundings
from taptable.testing.bench import KNOWN, OTHER

Tamper = Callable[[DeviceEvent, int], Iterable[DeviceEvent]]
"""Receives an event of the driver and the time; returns the events that replace it."""


@dataclass(frozen=True)
class Broken:
    """A driver of a kind, its replaced part, and the check that finds the fault."""

    check: str
    kind: str
    why: str
    report: Tamper | None = None
    driver: Mapping[str, Any] = field(default_factory=dict[str, Any])
    parts: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def spoil(self, driver: Driver) -> Driver:
        """Return the driver, broken."""

        def opened(_: Driver, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
            def report(event: DeviceEvent) -> Any:
                events = [event] if self.report is None else self.report(event, context.now_us())
                return [context.report(each) for each in events]

            whole = driver.open(replace(context, report=report), parts)
            whole.__class__ = type("BrokenParts", (type(whole),), {**self.parts, "context": context})
            return whole

        broken = copy(driver)
        broken.__class__ = type("BrokenDriver", (type(driver),), {"open": opened, **self.driver})
        return broken

    def stand_in(self, parts: Sequence[Part], around: Surroundings) -> HardwareStandIn:
        """Make the stand-in, over which the driver is broken."""
        module = module_of(installed_drivers()[self.kind], "stand_in")
        assert module is not None
        stand_in = module.STAND_IN(parts, around)
        stand_in.driver = self.spoil(stand_in.driver)
        return stand_in


def _of(*kinds: type[Any], **changes: Any) -> Tamper:
    """Change these events; a value may be a function of the event and the time."""

    def tamper(event: DeviceEvent, now_us: int) -> Iterable[DeviceEvent]:
        if isinstance(event, kinds):
            values = {name: value(event, now_us) if callable(value) else value for name, value in changes.items()}
            yield replace(event, **values)
        else:
            yield event

    return tamper


def _drop(drop: Callable[[Any], bool]) -> Tamper:
    return lambda event, _: [] if drop(event) else [event]


def _twice(*kinds: type[Any]) -> Tamper:
    return lambda event, _: [event, event] if isinstance(event, kinds) else [event]


def _is(event: DeviceEvent, kind: type[Any], uid: str) -> bool:
    return isinstance(event, kind) and getattr(event, "uid", None) == uid


def _pressed_as_well(event: DeviceEvent, now_us: int) -> Iterable[DeviceEvent]:
    yield event
    if isinstance(event, PartFailed):
        yield ButtonEdge(now_us, int(event.part.split()[-1]), pressed=True)


def _late(self: Any) -> None:
    """Close, and report something some time later."""
    self.context.loop.call_later(1, self.context.report, PartFailed(self.context.now_us(), "lamp 1", "late"))


def _fail(*_: Any, **__: Any) -> Any:
    raise RuntimeError("broken")


def _fails_the_second_time(name: str) -> Callable[[Any], Any]:
    def close(self: Any) -> Any:
        if getattr(self, "was_closed", False):
            raise RuntimeError("broken")
        self.was_closed = True
        return getattr(super(type(self), self), name)()

    return close


def _fails_unopened(self: Any) -> Any:
    if self.buttons is not None and not any(part.device for part in self.buttons._parts.values()):
        raise RuntimeError("broken")
    return super(type(self), self).close()


def _dark_before(self: Any, seat: int, lamp: Any) -> None:
    if self._lamps._lamps[1].part.device is not None:
        super(type(self), self).show_lamp(seat, lamp)


def _task_fails(self: Any) -> None:
    super(type(self), self).open()
    self.task = self.context.loop.create_task(_in_vain())


async def _in_vain() -> None:
    await asyncio.sleep(0.01)
    raise RuntimeError("broken")


class DeafDisplay:
    """A display that doesn't report that it is missing."""

    retry_at_us: int | None = None
    size = (128, 64)

    def __init__(self, *_: Any) -> None: ...
    def show(self, *_: Any) -> None: ...


_WRONG_KEY = Setting(lambda _: 1, default=2)
SECOND = 1_000_000

COMES_AND_GOES = "test_a_tag_comes_once_and_goes_once"
AWAY = "test_a_reader_goes_away_and_comes_back"
PRESS = "test_a_press_and_its_release"
CLOSING = "test_opening_and_closing"
MISSING = "test_its_hardware_is_missing_at_the_start"
LIGHTS = "test_lights"
FINDING = "test_finding"
_NUMBERS = count()

BROKEN = [
    Broken("test_addresses", "spi", "takes everything", driver={"accepts_name": lambda *_: True}),
    Broken("test_addresses", "spi", "takes nothing", driver={"accepts_name": lambda *_: False}),
    Broken("test_addresses", "gpio", "is for pads", driver={"roles": frozenset({PartRole.PAD})}),
    Broken("test_places", "spi", "occupies nothing that is", driver={"occupied": lambda *_: [_nowhere()]}),
    Broken("test_places", "spi", "offers what is taken", driver={"free": lambda _, taken: list(taken)}),
    Broken("test_places", "board", "has an empty sentence", driver={"free": lambda *_: ""}),
    Broken("test_keys", "spi", "refuses its own default", driver={"pad_keys": {"gain_db": _WRONG_KEY}}),
    Broken("test_keys", "spi", "takes any value", driver={"pad_keys": {"gain_db": Setting(lambda x: x, default=33)}}),
    Broken("test_keys", "spi", "has another key", driver={"pad_keys": {}}),
    Broken("test_limits", "gpio", "lacks what it hasn't got", driver={"limits": (Limit.ONE_CARD,)}),
    Broken("test_limits", "gpio", "says nothing of itself", driver={"short": ""}),
    Broken(FINDING, "board", "finds parts of another kind", driver={"find": lambda _: [_found("spi:0.0")]}),
    Broken(FINDING, "board", "finds it twice", driver={"find": lambda _: [_found("board:a")] * 2}),
    Broken(FINDING, "board", "has no name for people", driver={"find": lambda _: [_found("board:a", label="")]}),
    Broken(FINDING, "board", "finds others each time", driver={"find": lambda _: [_found(f"board:a{next(_NUMBERS)}")]}),
    Broken(COMES_AND_GOES, "spi", "says it twice", _twice(TagCame)),
    Broken(COMES_AND_GOES, "spi", "says twice that it went", _twice(TagWent)),
    Broken(COMES_AND_GOES, "spi", "never says that it came", _drop(lambda event: isinstance(event, TagCame))),
    Broken(COMES_AND_GOES, "spi", "never says that it went", _drop(lambda event: isinstance(event, TagWent))),
    Broken(
        COMES_AND_GOES,
        "spi",
        "has another pad",
        _of(TagCame, TagWent, pad=lambda it, _: {1: 2, 2: 1}.get(it.pad, it.pad)),
    ),
    Broken(COMES_AND_GOES, "spi", "shouts", _of(TagCame, TagWent, uid=lambda it, _: it.uid.upper())),
    Broken(COMES_AND_GOES, "spi", "knows no card", _of(TagCame, identity=None)),
    Broken(COMES_AND_GOES, "spi", "has another's clock", _of(TagCame, origin=Origin("a", 1, 1), clock=Clock.TABLE)),
    Broken(COMES_AND_GOES, "spi", "is early", _of(TagCame, at_us=lambda it, _: it.at_us - SECOND)),
    Broken(COMES_AND_GOES, "spi", "declares no uncertainty", _of(TagCame, uncertainty_us=SECOND // 2)),
    Broken(COMES_AND_GOES, "spi", "is certain after all", driver={"limits": (Limit.NO_TAP_STAMP,)}),
    Broken(
        COMES_AND_GOES,
        "spi",
        "is less certain than it says",
        _of(TagCame, at_us=lambda it, _: it.at_us - SECOND, uncertainty_us=SECOND // 2),
        driver={"limits": (Limit.NO_TAP_STAMP,)},
    ),
    Broken(COMES_AND_GOES, "spi", "is of the future", _of(TagWent, at_us=lambda _, now_us: now_us + 1)),
    Broken(COMES_AND_GOES, "spi", "goes before it was lifted", _of(TagWent, at_us=lambda it, _: it.at_us - SECOND)),
    Broken(COMES_AND_GOES, "spi", "says that it lay there", _of(TagCame, already_present=True)),
    Broken("test_a_tag_that_lay_there_before", "spi", "says that it came", _of(TagCame, already_present=False)),
    Broken("test_two_tags_on_one_pad", "spi", "sees one", _drop(lambda event: _is(event, TagCame | TagWent, OTHER))),
    Broken(AWAY, "spi", "isn't missed", _drop(lambda event: isinstance(event, PartFailed | PartReturned))),
    Broken(AWAY, "spi", "doesn't return", _drop(lambda event: isinstance(event, PartReturned))),
    Broken(AWAY, "spi", "is missed twice", _twice(PartFailed)),
    Broken(AWAY, "spi", "has no reason", _of(PartFailed, reason="")),
    Broken(AWAY, "spi", "has another name", _of(PartFailed, PartReturned, part="reader")),
    Broken(AWAY, "board", "forgets what went", _drop(lambda event: _is(event, TagWent, KNOWN))),
    Broken(
        "test_what_is_found_late_has_an_early_stamp", "spi", "is late", _of(TagWent, at_us=lambda _, now_us: now_us)
    ),
    Broken(PRESS, "gpio", "is pressed twice", _twice(ButtonEdge)),
    Broken(PRESS, "gpio", "stays down", _drop(lambda event: isinstance(event, ButtonEdge) and not event.pressed)),
    Broken(PRESS, "gpio", "is upside down", _of(ButtonEdge, pressed=lambda it, _: not it.pressed)),
    Broken(PRESS, "gpio", "is late", _of(ButtonEdge, at_us=lambda it, _: it.at_us + 51)),
    Broken(PRESS, "gpio", "is early", _of(ButtonEdge, at_us=lambda it, _: it.at_us - 1000)),
    Broken(
        PRESS,
        "board",
        "is surer than it is",
        _of(ButtonEdge, at_us=lambda it, _: it.at_us - 900 * it.pad, uncertainty_us=0),
    ),
    Broken("test_a_button_that_is_down_already", "gpio", "was pressed", _pressed_as_well),
    Broken(LIGHTS, "gpio", "fails elsewhere", parts={"show_light": _fail}),
    Broken(LIGHTS, "gpio", "stays dark", parts={"show_lamp": lambda *_: None}),
    Broken(LIGHTS, "gpio", "forgets what came before", parts={"show_lamp": _dark_before}),
    Broken(LIGHTS, "board", "shows no ring", parts={"show_light": lambda *_: None}),
    Broken(
        "test_sounder",
        "gpio",
        "is never muted",
        parts={"sounder": property(lambda it: _Loud(it._all[-1]), lambda *_: None)},
    ),
    Broken(
        "test_sounder", "gpio", "is silent", parts={"sounder": property(lambda it: _Mute(it._all[-1]), lambda *_: None)}
    ),
    Broken("test_sounder", "gpio", "isn't silent in the end", parts={"close": lambda _: None}),
    Broken("test_sounder", "gpio", "isn't there", parts={"sounder": property(lambda _: None, lambda *_: None)}),
    Broken("test_display", "oled", "says nothing", driver={"open_display": DeafDisplay}),
    Broken(CLOSING, "gpio", "can be closed once", parts={"close": _fails_the_second_time("close")}),
    Broken(CLOSING, "gpio", "has to be opened", parts={"close": _fails_unopened}),
    Broken(CLOSING, "spi", "goes on", parts={"close": lambda _: None}),
    Broken("test_closing_while_something_is_under_way", "gpio", "says it later", parts={"close": _late}),
    Broken(MISSING, "gpio", "isn't missed", _drop(lambda event: isinstance(event, PartFailed | PartReturned))),
    Broken(MISSING, "gpio", "doesn't return", _drop(lambda event: isinstance(event, PartReturned))),
    Broken(MISSING, "gpio", "misses all but one", _drop(lambda event: getattr(event, "part", "") == "button 2")),
    Broken(MISSING, "gpio", "raises", parts={"open": _fail}),
    Broken(MISSING, "gpio", "has a task that fails", parts={"open": _task_fails}),
    Broken("test_progress", "spi", "stands still", parts={"progress": {"the readers": lambda: 7}}),
]


def _found(address: str, label: str = "a part") -> FoundPart:
    kind, _, name = address.partition(":")
    return FoundPart(Address(kind, name), frozenset({PartRole.PAD}), label, "a socket")


def _nowhere() -> Part:
    return Part((), PartRole.PAD, Address("spi", "7.7"))


class _Mute:
    """A sounder that plays nothing."""

    def __init__(self, sounder: Any) -> None:
        vars(self)["sounder"] = sounder

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["sounder"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(vars(self)["sounder"], name, value)

    def play(self, _: Any) -> None: ...


class _Loud(_Mute):
    """A sounder that is never muted."""

    def __setattr__(self, name: str, value: Any) -> None: ...

    def play(self, sound: Any) -> None:
        vars(self)["sounder"].play(sound)
