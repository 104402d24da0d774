"""An evening of the demo in given time, with a visitor at its page: requests go straight to the demo, and the visitor's
view is read from its topics."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from deadline import DEADLINE_S
from page_server.direct import json_round_trip, run_immediately
from taptable.api.errors import RequestError
from taptable.core.game_options import GameOptions
from taptable.core.observations import Pad
from taptable.sim.harness import SimulationHarness
from taptable.sim.page.api import TRANSLATED_TOPICS
from taptable.sim.page.demo import Demo, TableRequest, running_demo
from taptable.sim.people import People
from taptable.words import Words

LOOKS_EVERY_S = 0.05


@dataclass
class GivenPace:
    """A pace of given time: a second outside is as long as `speed` seconds of the table."""

    speed: float = 2.0
    capped: bool = False

    async def wall_clock_sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds * self.speed)


@dataclass(eq=False)
class Visitor:
    """A visitor of the page, in `language`, known as `client`; `shown` is everything that a page would have by now."""

    evening: Demo
    client: str = "visitor"
    language: str = "en"
    shown: dict[str, Any] = field(default_factory=dict)
    streams: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words = Words(self.language, ("taptable.games.online",))
        self.evening._server.send = self._hear  # type: ignore[method-assign]  # as the page's process

    def _hear(self, news: Mapping[str, Any]) -> None:
        """Add the new items of these streams."""
        for stream, items in news.items():
            self.streams.setdefault(stream, []).extend(items)

    @property
    def harness(self) -> SimulationHarness:
        assert self.evening.harness is not None
        return self.evening.harness

    @property
    def people(self) -> People:
        return self.harness.people

    @property
    def state(self) -> Any:
        """The game's state, as the table believes."""
        return self.harness.session.table.state

    async def asks(self, verb: str, **message: object) -> dict[str, Any]:
        """Ask for it, and give the answer; `why` where it can't be."""
        asked = {**message, "language": self.language, "client": self.client}
        try:
            return {"ok": True, **await self.evening.do(verb, asked)}
        except RequestError as error:
            return {"ok": False, "why": error.text(self.words)}

    def leaves(self) -> None:
        """The connection ends."""
        run_immediately(self.evening.do("left", {"client": self.client}))

    def sees(self) -> dict[str, Any]:
        """Everything that is shown now."""
        assert self.evening.api is not None
        topics = {name: json_round_trip(name, topic()) for name, topic in self.evening.api.topics.items()}
        self.shown |= {
            name: fact[self.language] if name in TRANSLATED_TOPICS else fact for name, fact in topics.items()
        }
        return self.shown

    def hand(self, seat: int = 1) -> list[str]:
        """The cards that a seat really holds."""
        return list(self.people.reachable(seat)[0].cards)

    def deal(self, *cards: str, seat: int = 1) -> None:
        """Give a seat these cards, in exchange for those that it held."""
        for index, card in enumerate(cards):
            held = self.hand(seat)[index]
            swapped = {card: held, held: card}
            truth = self.people.truth
            hands = tuple(tuple(swapped.get(each, each) for each in hand) for hand in truth.hands)
            pile = tuple(swapped.get(each, each) for each in truth.pile)
            self.people.truth = replace(truth, hands=hands, pile=pile)

    async def until(self, events: Callable[[], object], what: str, patience_s: float = DEADLINE_S) -> None:
        """Wait for it, by the table's time."""
        loop = asyncio.get_running_loop()
        late_s = loop.time() + patience_s
        while not events():
            assert loop.time() < late_s, f"not seen: {what}\n{self.sees()}"
            assert not self.evening.running.done(), self.evening.running
            await asyncio.sleep(LOOKS_EVERY_S)

    async def on_turn(self, seat: int) -> None:
        """Wait until a seat is on turn, and free to play."""
        await self.until(
            lambda: (
                self.state.turn is not None
                and self.state.turn.seat == seat
                and self.state.window is None
                and self.state.pending is None
            ),
            f"seat {seat} on turn",
            600,
        )

    def assert_cards_as_believed(self) -> None:
        """Cards lie where the table believes them, and none is lost."""
        game, people = self.harness.session.table.game, self.people
        assert people.disagreements == []
        assert game.players.disagreement(self.state, people.truth) is None


@asynccontextmanager
async def at_the_page(
    folder: Path,
    *,
    players: int = 2,
    people: tuple[int, ...] = (1,),
    starter: int | None = 1,
    compact: bool = False,
    build: str = "",
    seed: int = 1,
    speed: float = 2.0,
    **settings: str,
) -> AsyncIterator[Visitor]:
    """A visitor of a demo, which runs as fast as possible. An exception on the loop is raised here too."""
    build = build or ("compact" if compact else "full")
    wanted = TableRequest("online", GameOptions(players, "de", settings, starter), "en", seed, people, build)
    trouble: list[str] = []

    def note(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        trouble.append(context["message"] + "".join(traceback.format_exception(error) if error else []))

    asyncio.get_running_loop().set_exception_handler(note)
    async with running_demo(wanted, folder, None, GivenPace(speed)) as evening:
        visitor = Visitor(evening)
        yield visitor
        visitor.assert_cards_as_believed()
    assert not trouble, "\n".join(trouble)


def sentences_in(answer: dict[str, Any]) -> list[str]:
    """The sentences of an answer."""
    return [item["text"] for item in answer["said"]]


def cards_on(pad: Pad, visitor: Visitor) -> list[str]:
    """The cards that lie on a pad at this moment."""
    names = visitor.people.card_by_uid
    return [names[uid] for uid in visitor.harness.table.tags_on(pad)]
