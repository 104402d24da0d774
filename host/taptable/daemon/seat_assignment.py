"""The assignment of seats by touching: opens all parts that are plugged in, each under a provisional number, turns
their events into touches for `assigning`, shows with lamps and rings what has its place, and stores the result. Must
not know who watches the steps, nor the words for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import replace

from taptable.api.errors import RequestError
from taptable.api.facts import AnswerFacts, AssigningFacts, PartFacts, PartsFacts
from taptable.api.requests import AssignmentStep
from taptable.config import Config, read_config
from taptable.config.loading import PartsText, table_text
from taptable.config.parts_file import AssignedParts, parts_in, previous_of, text_of, twin_devices, write_parts
from taptable.core.cues import Lamp, SeatLights
from taptable.core.device_events import ButtonEdge, DeviceEvent, PartFailed, PartReturned, Receipt, TagCame
from taptable.core.errors import ConfigError
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.assigning import TRIES, Asked, Assigning, Reply, provisional_numbers
from taptable.daemon.clock import TableClock
from taptable.daemon.game_options import check_game
from taptable.daemon.session_controller import DeviceClaim
from taptable.drivers.interface import DeviceContext, FoundPart, OpenedParts, Part, PartRole
from taptable.drivers.registry import Drivers
from taptable.schema.keys import Setting
from taptable.schema.problems import InvalidConfig

CONTEXT = "seats"
"""The catalogue context of the steps' sentences."""
LOOK_S = 2.0
"""Seconds between two looks for parts that were plugged in or pulled out."""

_WITHOUT_PLACE, _WITH_PLACE = SeatLights("your-turn", "off"), SeatLights("idle", "on")

_log = logging.getLogger(__name__)


class SeatAssignment:
    """The assignment at one table. Create it on the loop that runs it. `fault` says what is wrong with ``parts.toml``.
    `on_change` is called after every change, and `on_end` once, when the table can play
    with its parts again. `find_claim` returns what gets events before they are touches."""

    def __init__(self, config: Config, drivers: Drivers, fault: str = "") -> None:
        loop = asyncio.get_running_loop()
        self.on_change: Callable[[], None] = lambda: None
        self.on_end: Callable[[], None] = lambda: None
        self.find_claim: Callable[[], DeviceClaim | None] = lambda: None
        self.fault = fault
        self._config = config
        self._drivers = drivers
        self._executor: Executor = drivers.executor()
        self._is_pairing = False
        self._context = DeviceContext(self.report, TableClock(loop, 0).now_us, lambda _uid: None, loop)
        # parts that table.toml gives another purpose can't be touched
        self._named = {str(part.address) for part in config.parts if part.key[0] not in ("seats", DISCARD_PAD)}
        self._names_middle = bool(config.discard.pad.kind) and (config.assigned is None or not config.assigned.discard)
        if self._names_middle:
            self._named.add(str(config.discard.pad))
        self.state = self._fresh()
        self._numbers: Mapping[str, int] = {}
        self._opened: dict[str, tuple[Sequence[Part], OpenedParts]] = {}
        self._troubles: dict[int, dict[str, str]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._has_looked = False
        self._is_over = False

    def _fresh(self, seats: int | None = None) -> Assigning:
        fresh = Assigning(asks_for_middle=not self._names_middle)
        return fresh if seats is None else fresh.expect(seats)

    def open(self) -> None:
        """Begin to look for parts, and open them."""
        self._looking = self._context.loop.create_task(self._keep_looking(), name="parts")

    async def close(self) -> None:
        """Close all parts: their fields and lights are off afterwards."""
        self._is_over = True
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        for _, opened in self._opened.values():
            await _close(opened)
        self._opened.clear()
        self._executor.shutdown(wait=False)

    @property
    def progress(self) -> Mapping[str, Callable[[], int | None]]:
        """The progress counters of the opened parts, as `OpenedParts.progress`."""
        return {name: count for _, opened in self._opened.values() for name, count in opened.progress.items()}

    # --- parts ------------------------------------------------------------------------------------------------------

    async def _keep_looking(self) -> None:
        while True:
            found = await self._context.loop.run_in_executor(self._executor, self._drivers.find)
            await self._take(found)
            await asyncio.sleep(LOOK_S)

    async def _take(self, found: Sequence[FoundPart]) -> None:
        """Open the parts that were plugged in, and close those that were pulled out."""
        found = [part for part in found if str(part.address) not in self._named]
        if self._has_looked and tuple(found) == self.state.found:
            return
        self._has_looked = True
        self._numbers = provisional_numbers(found, self._numbers)
        self.state = self.state.with_found(found)
        parts = [part for each in found for part in self._parts_of(each)]
        context = replace(self._context, executor=self._drivers.executor, parts=parts)
        for driver in self._drivers:
            own = [part for part in parts if part.address.kind == driver.kind]
            before, opened = self._opened.pop(driver.kind, ((), None))
            if opened is not None and list(before) == own:
                self._opened[driver.kind] = before, opened
                continue
            if opened is not None:
                await _close(opened)
            for part in before:
                self._troubles.pop(self._numbers[str(part.address)], None)
            if own:
                self._opened[driver.kind] = own, driver.open(context, own)
                self._opened[driver.kind][1].open()
        self._change(self.state)

    def _parts_of(self, found: FoundPart) -> list[Part]:
        """Return a part that was found as parts for its driver, at the seat of its provisional number."""
        number = self._numbers.get(str(found.address))
        if number is None:  # a lamp without a button
            return []
        pad = PartRole.PAD
        keys = self._drivers[found.address.kind].pad_keys
        options = {name: key.default if isinstance(key, Setting) else None for name, key in keys.items()}
        return [
            Part(("seats", number - 1, role.value), role, found.address, number, options if role is pad else {})
            for role in (pad, PartRole.BUTTON, PartRole.LAMP)
            if role in found.roles
        ]

    def _found(self, number: int, role: PartRole) -> FoundPart | None:
        """Return the part of a role with a provisional number."""
        return next(
            (
                part
                for part in self.state.found
                if role in part.roles and self._numbers.get(str(part.address)) == number
            ),
            None,
        )

    @property
    def has_button(self) -> bool:
        """Whether a button is plugged in."""
        return any(PartRole.BUTTON in part.roles for part in self.state.found)

    def show_pairing(self, is_pairing: bool) -> None:
        """Let all lamps flash while a phone asks to be paired."""
        if is_pairing != self._is_pairing:
            self._is_pairing = is_pairing
            self._show_lights()

    def report(self, event: DeviceEvent) -> Receipt:
        """Handle an event of a part. Boards may forget all of them: the game doesn't get them later."""
        if (claim := self.find_claim()) is not None:
            is_claimed = claim.claims(event)
            claim.handle_device_event(event)
            if is_claimed:
                return Receipt.COMMITTED
        match event:
            case TagCame(at_us=at_us, pad=int(number), already_present=was_there):
                if (part := self._found(number, PartRole.PAD)) is not None:
                    self._change(self.state.note_card_there(part) if was_there else self.state.lay_card(part, at_us))
            case ButtonEdge(at_us=at_us, pad=int(number), pressed=True):
                if (part := self._found(number, PartRole.BUTTON)) is not None:
                    self._change(self.state.press(part, at_us))
            case PartFailed(part=name, reason=reason):
                self._troubles.setdefault(_number_in(name), {})[name] = reason
                self.on_change()
            case PartReturned(part=name):
                self._troubles.get(_number_in(name), {}).pop(name, None)
                self.on_change()
            case _:
                pass
        return Receipt.COMMITTED

    # --- steps ------------------------------------------------------------------------------------------------------

    def _change(self, state: Assigning) -> None:
        self.state = state
        self._show_lights()
        if state.is_confirmed and not self._is_over:
            self.state = replace(state, is_confirmed=False)
            try:
                self._finish()
            except RequestError as error:
                self.state = replace(self.state, answer=Reply(error.key, error.facts))
        self.on_change()

    def begin(self, seats: int | None) -> None:
        """Begin once more, for a number of seats if it is known."""
        self._change(self._fresh(seats).with_found(self.state.found))

    def do(self, step: AssignmentStep) -> None:
        """Carry out a step that people ask for. Raises `RequestError` if it is impossible now."""
        match step:
            case "back":
                self._change(self.state.back())
            case "leave-out":
                self._change(self.state.leave_out())
            case "enough":
                self._change(self.state.enough())
            case "finish":
                self._finish()
            case "previous":
                self._store(self._previous_text())
            case "stop":
                if not self._config.seats:
                    raise RequestError(CONTEXT, "no-seats-yet")
                self._end()

    def _finish(self) -> None:
        """Store the parts, and end. Raises `RequestError` if something is still asked, or the parts can't be used."""
        if self.state.asked is not Asked.NOTHING:
            raise RequestError(CONTEXT, "not-finished")
        if (missing := self.state.missing()) is not None:
            raise RequestError(CONTEXT, missing.key, **missing.facts)
        self._store(text_of(self.state.result()))

    def _store(self, text: str) -> None:
        try:
            _check(self._config, text)
        except ConfigError as error:
            raise RequestError(CONTEXT, "not-possible", reason=str(error)) from error
        try:
            write_parts(self._config.parts_file, text)
        except ConfigError as error:
            _log.error("Parts not stored: %s", error)
            raise RequestError(CONTEXT, "not-stored", reason=str(error)) from error
        _log.info("Parts stored: %s", self._config.parts_file)
        self._end()

    def _end(self) -> None:
        self._is_over = True
        self.on_end()

    def _previous_text(self) -> str:
        """Return the text of the file before. Raises `RequestError` if it can't be used."""
        with suppress(OSError, UnicodeDecodeError, InvalidConfig):
            text = previous_of(self._config.parts_file).read_text(encoding="utf-8")
            _check(self._config, text)
            return text
        raise RequestError(CONTEXT, "no-previous")

    def _show_lights(self) -> None:
        """Light the lamps and mark the rings of the parts that have a place."""
        placed = {self._numbers[str(part.address)] for part in self.state.taken if str(part.address) in self._numbers}
        for kind, (parts, opened) in self._opened.items():
            for number in {part.pad for part in parts if isinstance(part.pad, int)}:
                light, lamp = (_WITH_PLACE, Lamp.ON_TURN) if number in placed else (_WITHOUT_PLACE, Lamp.OFF)
                if self._is_pairing:
                    light, lamp = replace(light, lamp="blink"), Lamp.PAIRING
                if self._drivers[kind].is_whole_seat or number in opened.rings:
                    opened.show_light(number, light)
                else:
                    opened.show_lamp(number, lamp)

    # --- facts ------------------------------------------------------------------------------------------------------

    @property
    def facts(self) -> PartsFacts:
        """The parts and the present step, as clients get them."""
        state, places = self.state, self._places()
        parts = [
            PartFacts(
                str(part.address),
                part.label,
                tuple(role.value for role in PartRole if role in part.roles),
                places.get(str(part.address), ""),
                self._trouble_of(part),
            )
            for part in {str(part.address): part for part in (*state.taken, *state.found)}.values()
        ]
        return PartsFacts(
            source=source_of(self._config),
            overruled=is_overruled(self._config),
            fault=self.fault,
            previous=bool(self.fault) and self._has_previous(),
            parts=tuple(parts),
            assigning=AssigningFacts(
                asked=state.asked.value,
                seat=state.seat,
                board=state.has_board,
                answer=_facts_of(state.answer),
                hint=state.misses >= TRIES,
                lacks=_facts_of(state.lacks) if self._has_looked else None,
                seats=sum(seat.button is not None for seat in state.seats),
                expected=state.expected,
                looked=self._has_looked,
            ),
            twins=twin_devices(state.found),
        )

    def _trouble_of(self, part: FoundPart) -> str:
        if all(part.address != found.address for found in self.state.found):
            return "missing"
        return "; ".join(self._troubles.get(self._numbers.get(str(part.address), 0), {}).values())

    def _has_previous(self) -> bool:
        with suppress(RequestError):
            return bool(self._previous_text())
        return False

    def _places(self) -> Mapping[str, str]:
        """Return the place of each part that has one."""
        seats = enumerate(self.state.seats, 1)
        places = {str(part.address): str(number) for number, seat in seats for part in seat.parts}
        middle = self.state.middle
        return places if middle is None else {**places, str(middle.address): DISCARD_PAD}


def source_of(config: Config) -> str:
    """Return the name of the file that has the table's seats; "" if it has none."""
    if not config.seats:
        return ""
    return config.file.name if config.assigned is None or not config.assigned.seats else config.parts_file.name


def is_overruled(config: Config) -> bool:
    """Return whether ``table.toml`` names the seats, so that assigned ones don't count."""
    return bool(config.seats) and (config.assigned is None or not config.assigned.seats)


def _check(config: Config, text: str) -> AssignedParts:
    """Return the parts in the text of a ``parts.toml``. Raises ConfigError if the table can't be played with them."""
    checked = read_config(table_text(config.file), config.file, check_game, PartsText(config.parts_file, text))
    if checked.assigned is None and not is_overruled(config):
        raise ConfigError(f"{config.parts_file} names no seats.")
    return checked.assigned or parts_in({"seats": []})


def _facts_of(answer: Reply | None) -> AnswerFacts | None:
    return None if answer is None else AnswerFacts(answer.key, answer.facts, answer.is_done)


def _number_in(part: str) -> int:
    """Return the provisional number in the name of a part, such as ``board 3``; 0 if it has none."""
    word = part.rpartition(" ")[2]
    return int(word) if word.isdecimal() else 0


async def _close(opened: OpenedParts) -> None:
    closing = opened.close()
    if closing is not None:
        await closing
