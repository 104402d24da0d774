"""Carries out the requests of people at the page, verb by verb, in one harness. Must not know who watches, nor how
messages travel."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol, TypeGuard

from msgspec import ValidationError, convert

from taptable.api.errors import RequestError
from taptable.core.controls import control_cards
from taptable.core.observations import Pad
from taptable.core.player import HoldCard, Tap, TapControl
from taptable.drivers.interface import PartRole
from taptable.memory.deck import CONTROLS
from taptable.narration.sentences import narrate
from taptable.page.view import LogItem
from taptable.referee.session import TableEvent
from taptable.sim.harness import SimulationHarness
from taptable.sim.page.faults import FAULTS, Workbench
from taptable.sim.page.hand_view import HandViews
from taptable.sim.page.person import Begin, CannotDo, Person
from taptable.sim.touching import GONE_S
from taptable.words import Words

SLOWEST, FASTEST = 0.1, 100.0
"""The bounds of the speed that a client may request, in seconds of table time in a second."""
VERBS = (
    *("sit", "stand", "tap", "hold", "put", "lift", "press", "draw", "tap-rows"),
    *("tap-control", "speed", "new-table", "fault", "touch"),
)
ANY_CARD = "04c0ffee04c0ff"
"""The tag with which readers are touched while seats are assigned: it is in no deck."""
PRESS_S = 0.12
TOUCH_S = 0.6
"""Seconds for which it lies there."""

Answer = Mapping[str, Any]


class DemoRequest:
    """A client's request, in its language, at a table of `players` seats that has these `pads`. Each method validates
    one field of the message, and raises `RequestError` if it is invalid."""

    def __init__(self, message: Mapping[str, Any], words: Words, players: int, pads: Collection[Pad]) -> None:
        self.words = words
        self._message = message
        self._players = players
        self._pads = pads

    def __contains__(self, field: str) -> bool:
        return self._message.get(field) is not None

    def seat(self) -> int:
        """Return the seat of the table."""
        seat = self._message.get("seat")
        if not _is_whole(seat) or not 1 <= seat <= self._players:
            raise RequestError("live", "wrong-seat", players=self._players)
        return seat

    def pad(self) -> Pad:
        """Return the pad of the table."""
        pad = self._message.get("pad")
        if isinstance(pad, str) and pad in self._pads:
            return pad
        if not _is_whole(pad) or not 1 <= pad <= self._players:
            raise RequestError("live", "wrong-pad")
        return pad

    def name(self, field: str, known: Collection[str], otherwise: str) -> str:
        """Return one of the known names; else raise the sentence with the key `otherwise` in the context ``hands``."""
        name = self._message.get(field)
        if not isinstance(name, str) or name not in known:
            raise CannotDo(otherwise)
        return name

    def number(self, field: str, least: float, most: float) -> float:
        """Return a number within bounds."""
        number = self._message.get(field)
        if isinstance(number, bool) or not isinstance(number, int | float) or not least <= number <= most:
            raise RequestError("live", "wrong-number", field=field, least=f"{least:g}", most=f"{most:g}")
        return number

    def whole(self, field: str, least: int, most: int) -> int:
        """Return a whole number within bounds."""
        number = self.number(field, least, most)
        if number != int(number):
            raise RequestError("live", "wrong-number", field=field, least=f"{least:g}", most=f"{most:g}")
        return int(number)

    def converted(self, field: str, kind: Any, otherwise: object) -> Any:
        """Return the field converted to `kind` by msgspec; `otherwise` replaces a missing field."""
        try:
            return convert(self._message.get(field, otherwise), kind)
        except ValidationError:
            raise RequestError("live", "wrong-field", field=field) from None


def _is_whole(value: Any) -> TypeGuard[int]:
    """Return whether this is a whole number, and no bool."""
    return isinstance(value, int) and not isinstance(value, bool)


class Pace(Protocol):
    """The pace of table time, which a loop has itself; tests may give another."""

    @property
    def speed(self) -> float:
        """Seconds of table time in a second of real time."""
        ...

    @speed.setter
    def speed(self, speed: float) -> None: ...

    @property
    def capped(self) -> bool:
        """Whether time passes no faster than real time for now."""
        ...

    @capped.setter
    def capped(self, held: bool) -> None: ...

    async def wall_clock_sleep(self, seconds: float) -> None:
        """Wait this many seconds of real time."""
        ...


class DemoControl(Protocol):
    """Controls beyond the harness: kills the daemon, and changes to another table."""

    def kill(self) -> None:
        """Schedule the daemon to be killed and restarted."""
        ...

    def change_table(self, request: DemoRequest) -> None:
        """Schedule a change to another table; `RequestError` if the request isn't possible."""
        ...


class Actions:
    """Actions in `harness`. `persons` are those who sit now, at first at `seats`."""

    def __init__(
        self,
        harness: SimulationHarness,
        workbench: Workbench,
        pace: Pace,
        demo: DemoControl,
        begin: Begin,
        seats: Sequence[int],
    ) -> None:
        self._harness = harness
        self._workbench = workbench
        self._pace = pace
        self._demo = demo
        self._begin = begin
        self._first_pad = asyncio.Lock()
        self.hand_views = HandViews(harness.people, lambda: harness.session)
        self.persons = {seat: self._person(seat) for seat in seats}
        harness.people.ends_pauses = not self.persons

    @property
    def playing(self) -> Mapping[int, Person]:
        """The persons at seats that the present game is played at."""
        people = self._harness.people
        return {seat: person for seat, person in self.persons.items() if people.is_seat_in_game(seat)}

    async def do(self, verb: str, request: DemoRequest, client: str) -> Answer:
        """Carry out a verb, and return its answer. `RequestError` says why it isn't done."""
        match verb:
            case "sit":
                await self._sit(request.seat())
                return {}
            case "stand":
                await self._stand(request.seat())
                return {}
            case "tap" | "hold" | "put" | "lift" | "press" | "draw" | "tap-rows":
                return await self._move(verb, request, client)
            case "tap-control":
                return await self._tap_control(request)
            case "speed":
                self._pace.speed = request.number("speed", SLOWEST, FASTEST)
                return {}
            case "new-table":
                self._demo.change_table(request)
                return {}
            case "fault":
                fault = request.name("fault", FAULTS, "wrong-fault")
                key, facts = self._workbench.inject(fault, request.pad() if "pad" in request else None)
                return {"done": request.words.text("workbench", key, facts)}
            case "touch":
                await self._touch(request)
                return {}
            case _:
                raise CannotDo("unknown-action")

    def on_client_left(self, client: str) -> None:
        """Lift everything that a client which is gone still holds on a pad."""
        for person in self.persons.values():
            person.on_client_left(client)

    async def use_unattended(self, control: str) -> list[TableEvent]:
        """Use a control card where nobody sits, at the first pad, and return the table's event."""
        people = self._harness.people
        async with self._first_pad:
            if control == "pause":
                # a watcher who pauses wants the pause to last
                people.ends_pauses = people.paused
            event = await people.use_control(1, control)
            await asyncio.sleep(GONE_S)
        return [] if event is None else [event]

    async def _touch(self, request: DemoRequest) -> None:
        """Lay a card on the reader at an address, or press the button there, while seats are assigned."""
        pads = {str(part.address): part.pad for part in self._harness.config.parts if part.role is PartRole.PAD}
        role = request.name("role", ("pad", "button"), "unknown-action")
        pad = pads[request.name("address", pads, "unknown-action")]
        if self._harness.assignment is None:
            raise RequestError("seats", "not-assigning")
        table = self._harness.table
        assert pad is not None
        if role == "button":  # the only ones that are found are on boards
            table.pad_stand_in(pad).press(pad, PRESS_S)
        elif ANY_CARD not in table.tags_on(pad):
            table.put(ANY_CARD, pad)
            await asyncio.sleep(TOUCH_S)
            table.lift(ANY_CARD, pad)

    async def _move(self, verb: str, request: DemoRequest, client: str) -> Answer:
        """Do a verb with the hands of one person."""
        person = self._require_person(request)
        match verb:
            case "press":
                events = await person.press()
            case "draw":
                await person.draw()
                events = []
            case "tap-rows":
                events = await person.tap_rows()
            case _:
                events = await self._move_card(verb, person, request, client)
        return self._answer(events, person, request.words)

    async def _move_card(self, verb: str, person: Person, request: DemoRequest, client: str) -> list[TableEvent]:
        cards = {card for card in self._harness.people.card_by_uid.values() if "#" in card}
        card, pad = request.name("card", cards, "not-in-reach"), request.pad()
        match verb:
            case "put":
                return await person.put(card, pad, client)
            case "lift":
                return await person.lift(card, pad)
            case "hold":
                return await person.do(HoldCard(person.seat, card, pad))
            case _:
                return await person.do(Tap(person.seat, card, pad))

    async def _tap_control(self, request: DemoRequest) -> Answer:
        """Tap a control card: one of those that every table has, or of the game's own."""
        own = control_cards(self._harness.session.table.game.controls)
        card = request.name("control", {*CONTROLS, *own}, "wrong-control")
        if self.playing:
            person = self._require_person(request)
            control, fields = own.get(card, (card, ()))
            return self._answer(await person.do(TapControl(person.seat, control, fields)), person, request.words)
        return {"said": _items(await self.use_unattended(card), request.words)}

    def _require_person(self, request: DemoRequest) -> Person:
        seat = request.seat()
        if seat not in self.playing:
            raise CannotDo("not-sitting", pad=seat)
        return self.persons[seat]

    def _answer(self, events: Sequence[TableEvent], person: Person, words: Words) -> Answer:
        """Return the table's events as the answer; after a refusal, with a hint what would count."""
        items = _items(events, words)
        refused = any(item["kind"] in ("refused", "ignored", "fault") for item in items)
        return {"said": items, **({"hint": self.hand_views.view_of(person).hint(words)} if refused else {})}

    async def _sit(self, seat: int) -> None:
        if seat not in self.persons:
            people = self._harness.people
            people.ends_pauses = False
            await people.leave(seat)  # the cards are out of its hands first
            self.persons.setdefault(seat, self._person(seat))

    async def _stand(self, seat: int) -> None:
        person = self.persons.pop(seat, None)
        if person is None:
            return
        people = self._harness.people
        await person.get_up()
        if seat not in self.persons:  # nobody else has sat down meanwhile
            people.take_over(seat)
        people.ends_pauses = not self.persons
        people.notify()

    def _person(self, seat: int) -> Person:
        return Person(seat, self._harness.people, lambda: self._harness.session, self._begin)


def _items(events: Sequence[TableEvent], words: Words) -> list[dict[str, Any]]:
    """Return the events as items of the log."""
    return [LogItem(each)(words) for event in events for each in narrate(event)]
