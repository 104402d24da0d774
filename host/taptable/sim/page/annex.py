"""The annex of the demo: tells what the hands hold and the hardware shows, and hands on what people at the page ask
for. One for each room; it stays when the daemon of the room is killed and another begins. Must not know how messages
travel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taptable.api.errors import RequestError
from taptable.api.facts import Extension
from taptable.games.registry import package_of
from taptable.referee.session import Happening, Session
from taptable.sim.begun import Begun
from taptable.sim.disk import Disk
from taptable.sim.page.deeds import VERBS, Around, Deeds, Pace
from taptable.sim.page.faults import Workbench
from taptable.sim.page.handful import HandsPart
from taptable.sim.page.looking import Looker
from taptable.sim.page.messages import Asked
from taptable.sim.page.person import CannotDo
from taptable.sim.room import Room
from taptable.words import LANGUAGES, Vocabulary, Words

LOOKS_HZ = 30
"""How often a second outside it is looked whether something has changed."""
FASTEST = 1000.0
"""What is said of a speed without a limit, which JSON hasn't got."""

STATIC = Path(__file__).with_name("static")
"""The files that show it on a page."""
MODULES = ("demo.js",)
STYLES = ("demo.css",)
TOPICS = ("demo", "hardware", "glass", "hands")
SPOKEN = ("hands",)
STREAMS = ("tones", "wire")
WATCHED = ("wire",)
LEFT = "left"
"""What the page asks for when somebody at it is gone."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is to be known of the room from the start, ready for JSON."""

    about: Mapping[str, Any]
    demo: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Inside:
    """What is in the room, once there is one; `deafen` ends the listening to tones and lines."""

    room: Room
    deeds: Deeds
    looker: Looker
    deafen: Callable[[], None]


class DemoAnnex:
    """What is added to the page of one room; `move_in` once there is one."""

    def __init__(self, shown: Shown, pace: Pace, around: Around, disk: Disk) -> None:
        self._shown = shown
        self._pace = pace
        self._around = around
        self._disk = disk
        self._begun = Begun()
        self._stirred: Callable[[str], None] = _unheard
        self._add: Callable[[str, Mapping[str, Any]], None] = _unkept
        self._inside: Inside | None = None
        self._spoken: tuple[HandsPart, Mapping[str, Any]] | None = None
        self.extension = Extension((*VERBS, LEFT), TOPICS, SPOKEN, STREAMS, WATCHED, MODULES, STYLES, shown.about)

    @property
    def topics(self) -> Mapping[str, Callable[[], Any]]:
        """What there is to be told, each as it is now."""
        return {"demo": self._demo, "hardware": self._hardware, "glass": self._glass, "hands": self._hands}

    @property
    def speed(self) -> float:
        """How many seconds of table time pass in a second outside."""
        return min(self._pace.speed, FASTEST)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play, as far as the game is played at them."""
        return () if self._inside is None else tuple(sorted(self._inside.deeds.playing))

    def attach(self, stirred: Callable[[str], None], add: Callable[[str, Mapping[str, Any]], None]) -> None:
        """Say whenever a topic may have changed, and each tone and line, from now on."""
        self._stirred, self._add = stirred, add

    def detach(self) -> None:
        """Say nothing any more."""
        self._stirred, self._add = _unheard, _unkept

    def move_in(self, room: Room, seats: Sequence[int], seed: int) -> Deeds:
        """The room is there: people sit at `seats`, and what happens is looked at. What they do is done by what is
        returned."""
        workbench = Workbench(room, self._disk, seed, self._around.kill)
        deeds = Deeds(room, workbench, self._pace, self._around, self._begun.begin, seats)
        looker = Looker(room, lambda: workbench.stuck, lambda: workbench.disk_is_full)
        self._inside = Inside(room, deeds, looker, looker.listen(lambda stream, item: self._add(stream, item)))
        self._show()
        self._begun.begin(self._look_on())
        return deeds

    async def move_out(self) -> None:
        """End all that is under way; the room is about to end."""
        await self._begun.end()
        if self._inside is not None:
            self._inside.deafen()
            self._inside = None

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened, which is shown at once."""
        del session
        if happened:
            self._show()

    async def do(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what a client asks for, and say what came of it in its language; `RequestError` says why not."""
        inside, client = self._inside, str(params.get("client"))
        if inside is None:
            raise RequestError("hands", "not-yet")
        if method == LEFT:
            inside.deeds.left(client)
            return {}
        words = self._words(params.get("language"))
        asked = Asked(params, words, len(inside.room.config.seats), inside.room.table.fields)
        try:
            return await inside.deeds.do(method, asked, client)
        except CannotDo as error:
            raise RequestError("hands", str(error)) from None
        finally:
            self._show()

    def _words(self, language: object) -> Words:
        """The words of a language, with those of the game that is played."""
        vocabulary = Vocabulary()
        if self._inside is not None:
            table = self._inside.room.session.table
            vocabulary.turn_to((package_of(table.game.name),), table.game.pack(table.agreed.manifest))
        return Words(language if isinstance(language, str) and language in LANGUAGES else "en", vocabulary)

    async def _look_on(self) -> None:
        while True:
            self._show()
            await self._pace.outside(1 / LOOKS_HZ)

    def _show(self) -> None:
        for topic in TOPICS:
            self._stirred(topic)

    def _demo(self) -> Mapping[str, Any]:
        inside = self._inside
        players = 0 if inside is None else inside.room.session.table.agreed.players
        return {**self._shown.demo, "speed": self.speed, "players": players, "people": list(self.people)}

    def _hardware(self) -> Mapping[str, Any] | None:
        return None if self._inside is None else self._inside.looker.hardware()

    def _glass(self) -> Mapping[str, Any] | None:
        return None if self._inside is None else self._inside.looker.glass()

    def _hands(self) -> Mapping[str, Any]:
        """In every language; made anew only when it is another."""
        if self._inside is None:
            return {language: {} for language in LANGUAGES}
        part = self._inside.deeds.handfuls.part(self._inside.deeds.playing)
        if self._spoken is None or self._spoken[0] is not part:
            self._spoken = part, {language: part(self._words(language)) for language in LANGUAGES}
        return self._spoken[1]


def _unheard(topic: str) -> None:
    del topic


def _unkept(stream: str, item: Mapping[str, Any]) -> None:
    del stream, item
