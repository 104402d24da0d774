"""The annex of the demo: publishes what the hands hold and the hardware shows, and does what people at the page ask
for. One for each room; it stays when the daemon of the room is killed and another begins. Must not know how messages
travel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from taptable.core.player import Hold, Tap, UseControl
from taptable.edges.cues.telling import told
from taptable.edges.page.annex import Unfit
from taptable.edges.page.feed import Feed
from taptable.edges.page.view import LogItem
from taptable.memory.deck import CONTROLS
from taptable.referee.session import Happening, Session
from taptable.sim.begun import Begun
from taptable.sim.disk import Disk
from taptable.sim.page.faults import FAULTS, Workbench
from taptable.sim.page.handful import Hands, say
from taptable.sim.page.looking import Looker
from taptable.sim.page.messages import Asked
from taptable.sim.page.person import CannotDo, Person
from taptable.sim.people import GONE_S
from taptable.sim.room import Room
from taptable.words import Words

LOOKS_HZ = 30
"""How often a second outside it is looked whether something has changed."""
TONES_KEPT, LINES_KEPT = 100, 300
SLOWEST, FASTEST = 0.1, 100.0

MODULES = ("demo.js",)
STYLES = ("demo.css",)

Answer = Mapping[str, Any]


class Pace(Protocol):
    """How fast time passes; a loop's own, or a given one."""

    @property
    def speed(self) -> float:
        """Seconds of table time in a second outside."""
        ...

    @speed.setter
    def speed(self, speed: float) -> None: ...


class Around(Protocol):
    """What is beyond the room: it can have the daemon killed, and lead to another table."""

    def kill(self) -> None:
        """The daemon is killed soon, and started anew."""
        ...

    def lay_table(self, asked: Asked) -> None:
        """Another table soon; Unfit if it can't be."""
        ...


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be known of the room from the start, ready for JSON."""

    about: Mapping[str, Any]
    demo: Mapping[str, Any]


class DemoAnnex:
    """What is added to the page of one room. `move_in` once there is one; `people` are the seats that people play."""

    static = Path(__file__).with_name("static")
    modules = MODULES
    styles = STYLES

    def __init__(self, shown: Shown, people: Sequence[int], pace: Pace, around: Around, disk: Disk) -> None:
        self._shown = shown
        self._first = tuple(people)
        self._pace = pace
        self._around = around
        self._disk = disk
        self._begun = Begun()
        self._feed: Feed | None = None
        self._looking: Callable[[], bool] = _nobody
        self._inside: _Inside | None = None

    @property
    def speed(self) -> float:
        """How many seconds of table time pass in a second outside."""
        return self._pace.speed

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play."""
        return self._first if self._inside is None else tuple(sorted(self._inside.persons))

    def about(self) -> Mapping[str, Any]:
        """What the page is to know from the start."""
        return self._shown.about

    def attach(self, feed: Feed, looking: Callable[[], bool]) -> None:
        """The page begins."""
        feed.open_stream("tones", TONES_KEPT)
        feed.open_stream("wire", LINES_KEPT, watched=True)
        self._feed, self._looking = feed, looking
        self._publish()

    def detach(self) -> None:
        """The page is over."""
        self._feed, self._looking = None, _nobody

    def left(self, client: str) -> None:
        """A client is gone: what it still holds on a pad is lifted."""
        for person in self._inside.persons.values() if self._inside is not None else ():
            person.left(client)

    def move_in(self, room: Room, seed: int) -> None:
        """The room is there: people sit down, and what happens there is looked at."""
        inside = _Inside(
            room,
            Workbench(room, self._disk, seed, self._around.kill),
            {seat: Person(seat, room.people, lambda: room.session, self._begun.begin) for seat in self._first},
        )
        self._inside = inside
        inside.deafen = inside.looker.listen(self._overhear)
        room.people.go_on = not inside.persons
        self._publish()
        self._begun.begin(self._look_on())

    async def move_out(self) -> None:
        """End all that is under way; the room is about to end."""
        await self._begun.end()
        if self._inside is not None:
            self._inside.deafen()
            self._inside = None

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened, which is shown at once."""
        del session
        if happened and self._looking():
            self._publish()

    async def do(self, verb: str, message: Mapping[str, Any], words: Words, client: str) -> Answer:
        """Do what a client asks for; Unfit says in its language why not."""
        inside = self._inside
        if inside is None:
            raise Unfit(words.text("hands", "not-yet"))
        asked = Asked(message, words, inside.room.session.table.agreed.players)
        try:
            return await self._do(verb, asked, inside, client)
        except CannotDo as error:
            raise Unfit(say(words, str(error))) from None
        finally:
            if self._looking():
                self._publish()

    async def _do(self, verb: str, asked: Asked, inside: _Inside, client: str) -> Answer:
        match verb:
            case "sit":
                await self._sit(asked.seat(), inside)
                return {}
            case "stand":
                await self._stand(asked.seat(), inside)
                return {}
            case "tap" | "hold" | "put" | "lift" | "press" | "draw" | "tap-rows":
                return await self._move(verb, asked, inside, client)
            case "control":
                return await self._control(asked, inside)
            case "speed":
                self._pace.speed = asked.number("speed", SLOWEST, FASTEST)
                return {}
            case "new-table":
                self._around.lay_table(asked)
                return {}
            case "fault":
                fault = asked.name("fault", FAULTS, "wrong-fault")
                key, facts = inside.workbench.inject(fault, asked.seat() if "seat" in asked else None)
                return {"done": asked.words.text("workbench", key, facts)}
            case _:
                raise asked.unfit("unknown-deed")

    async def _move(self, verb: str, asked: Asked, inside: _Inside, client: str) -> Answer:
        """What the hands of one person do."""
        seat = asked.seat()
        person = inside.persons.get(seat)
        if person is None:
            raise asked.unfit("not-sitting", pad=seat)
        match verb:
            case "press":
                said = await person.press()
            case "draw":
                person.draw()
                said = []
            case "tap-rows":
                said = await person.tap_rows()
            case _:
                cards = {card for card in inside.room.people.names.values() if card not in CONTROLS}
                card, pad = asked.name("card", cards, "not-in-reach"), asked.pad()
                match verb:
                    case "put":
                        said = await person.put(card, pad, client)
                    case "lift":
                        said = await person.lift(card, pad)
                    case "hold":
                        said = await person.do(Hold(seat, card, pad))
                    case _:
                        said = await person.do(Tap(seat, card, pad))
        return self._said(said, asked.words, person, inside)

    async def _control(self, asked: Asked, inside: _Inside) -> Answer:
        control = asked.name("control", CONTROLS, "wrong-control")
        if inside.persons or "seat" in asked:
            seat = asked.seat()
            person = inside.persons.get(seat)
            if person is None and inside.persons:
                raise asked.unfit("not-sitting", pad=seat)
        else:
            seat, person = 1, None
        if person is not None:
            return self._said(await person.do(UseControl(seat, control)), asked.words, person, inside)
        people = inside.room.people
        async with inside.first_pad:
            if control == "pause":
                # who looks on and pauses wants it to last
                people.go_on = people.paused
            heard = await people.use_control(seat, control)
            await asyncio.sleep(GONE_S)
        return {"said": [] if heard is None else _items([heard], asked.words)}

    def _said(self, said: Sequence[Happening], words: Words, person: Person, inside: _Inside) -> Answer:
        """What the table said; where it refused, what would count as well."""
        items = _items(said, words)
        refused = any(item["kind"] in ("refused", "ignored", "fault") for item in items)
        return {"said": items, **({"hint": inside.hands.of(person).hint(words)} if refused else {})}

    async def _sit(self, seat: int, inside: _Inside) -> None:
        room = inside.room
        if seat not in inside.persons:
            inside.persons[seat] = Person(seat, room.people, lambda: room.session, self._begun.begin)
            room.people.go_on = False
            await room.people.leave(seat)

    async def _stand(self, seat: int, inside: _Inside) -> None:
        person = inside.persons.pop(seat, None)
        if person is not None:
            await person.get_up()
            if seat not in inside.persons:  # nobody else has sat down meanwhile
                inside.room.people.take_over(seat)
            inside.room.people.go_on = not inside.persons
            inside.room.people.stir()

    async def _look_on(self) -> None:
        while True:
            if self._looking():
                self._publish()
            await asyncio.sleep(self._pace.speed / LOOKS_HZ)

    def _publish(self) -> None:
        """Put everything as it is now."""
        feed, inside = self._feed, self._inside
        if feed is None or inside is None:
            return
        people = list(self.people)
        feed.put("demo", {**self._shown.demo, "speed": self._pace.speed, "people": people})
        feed.put("hardware", inside.looker.hardware())
        feed.put("glass", inside.looker.glass())
        feed.put("hands", inside.hands.part(inside.persons))

    def _overhear(self, stream: str, item: Mapping[str, Any]) -> None:
        if self._feed is not None and self._looking():
            self._feed.add(stream, item)


class _Inside:
    """What is in the room, once there is one."""

    def __init__(self, room: Room, workbench: Workbench, persons: dict[int, Person]) -> None:
        self.room = room
        self.workbench = workbench
        self.persons = persons
        self.hands = Hands(room.people, lambda: room.session)
        self.looker = Looker(room, lambda: workbench.stuck, lambda: workbench.disk_is_full)
        self.first_pad = asyncio.Lock()
        self.deafen: Callable[[], None] = _nothing


def _items(said: Sequence[Happening], words: Words) -> list[dict[str, Any]]:
    """As in the log."""
    return [LogItem(each)(words) for happening in said for each in told(happening)]


def _nobody() -> bool:
    return False


def _nothing() -> None:
    """Nobody listens."""
