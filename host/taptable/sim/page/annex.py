"""The annex of the demo: publishes what the hands hold and the hardware shows, and hands on what people at the page ask
for. One for each room; it stays when the daemon of the room is killed and another begins. Must not know how messages
travel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taptable.page.annex import Unfit
from taptable.page.feed import Feed
from taptable.referee.session import Happening, Session
from taptable.sim.begun import Begun
from taptable.sim.disk import Disk
from taptable.sim.page.deeds import Around, Deeds, Pace
from taptable.sim.page.faults import Workbench
from taptable.sim.page.handful import say
from taptable.sim.page.looking import Looker
from taptable.sim.page.messages import Asked
from taptable.sim.page.person import CannotDo
from taptable.sim.room import Room
from taptable.words import Words

LOOKS_HZ = 30
"""How often a second outside it is looked whether something has changed."""
TONES_KEPT, LINES_KEPT = 100, 300

MODULES = ("demo.js",)
STYLES = ("demo.css",)


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

    static = Path(__file__).with_name("static")
    modules = MODULES
    styles = STYLES

    def __init__(self, shown: Shown, pace: Pace, around: Around, disk: Disk) -> None:
        self._shown = shown
        self._pace = pace
        self._around = around
        self._disk = disk
        self._begun = Begun()
        self._feed: Feed | None = None
        self._looking: Callable[[], bool] = _nobody
        self._inside: Inside | None = None

    @property
    def speed(self) -> float:
        """How many seconds of table time pass in a second outside."""
        return self._pace.speed

    async def outside(self, seconds: float) -> None:
        """Wait while so many seconds pass outside."""
        await self._pace.outside(seconds)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that people play, as far as the game is played at them."""
        return () if self._inside is None else tuple(sorted(self._inside.deeds.playing))

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
        if self._inside is not None:
            self._inside.deeds.left(client)

    def move_in(self, room: Room, seats: Sequence[int], seed: int) -> Deeds:
        """The room is there: people sit at `seats`, and what happens is looked at. What they do is done by what is
        returned."""
        workbench = Workbench(room, self._disk, seed, self._around.kill)
        deeds = Deeds(room, workbench, self._pace, self._around, self._begun.begin, seats)
        looker = Looker(room, lambda: workbench.stuck, lambda: workbench.disk_is_full)
        self._inside = Inside(room, deeds, looker, looker.listen(self._overhear))
        self._publish()
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

    async def do(self, verb: str, message: Mapping[str, Any], words: Words, client: str) -> Mapping[str, Any]:
        """Do what a client asks for; Unfit says in its language why not."""
        inside = self._inside
        if inside is None:
            raise Unfit(words.text("hands", "not-yet"))
        asked = Asked(message, words, len(inside.room.config.seats), inside.room.table.fields)
        try:
            return await inside.deeds.do(verb, asked, client)
        except CannotDo as error:
            raise Unfit(say(words, str(error))) from None
        finally:
            self._show()

    async def _look_on(self) -> None:
        while True:
            self._show()
            await self._pace.outside(1 / LOOKS_HZ)

    def _show(self) -> None:
        """Publish if anybody looks."""
        if self._looking():
            self._publish()

    def _publish(self) -> None:
        """Put everything as it is now."""
        feed, inside = self._feed, self._inside
        if feed is None or inside is None:
            return
        now = {"players": inside.room.session.table.agreed.players, "people": list(self.people)}
        feed.put("demo", {**self._shown.demo, "speed": self._pace.speed, **now})
        feed.put("hardware", inside.looker.hardware())
        feed.put("glass", inside.looker.glass())
        feed.put("hands", inside.deeds.handfuls.part(inside.deeds.playing))

    def _overhear(self, stream: str, item: Mapping[str, Any]) -> None:
        if self._feed is not None and self._looking():
            self._feed.add(stream, item)


def _nobody() -> bool:
    return False
