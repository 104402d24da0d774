"""A person at the demo's keyboard: keys go in through a pipe, what stands on the screen is waited for by name, with
deadlines in the table's own time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput
from taptable.core.agreed import Agreed
from taptable.core.observations import Pad
from taptable.games.registry import find_game
from taptable.sim.demo.lines import text_of
from taptable.sim.demo.show import Demo, seated
from taptable.sim.demo.terminal import LOOKS_HZ, Terminal
from taptable.sim.demo.views import Show
from taptable.sim.given_time import GivenTimeLoop
from taptable.sim.room import Room
from taptable.sim.scenes import look_of
from taptable.sim.setting_up import set_up

PATIENCE_S = 120.0
UNHEARD = "wasn’t heard"
DEAF_S = 1.0
"""A button that wasn't heard is left alone for so long."""
LOOKS_EVERY_S = 0.2
"""Of the table's time; in given time the screen costs more than all the rest."""
KEYS = {"left": "\x1b[D", "right": "\x1b[C", "up": "\x1b[A", "down": "\x1b[B", "enter": "\r", "space": " "}
KEYS |= {"escape": "\x1b", "tab": "\t", "ctrl-c": "\x03"}


class Glass(DummyOutput):
    """A terminal of a size."""

    def __init__(self, columns: int, rows: int) -> None:
        self.size = Size(rows=rows, columns=columns)

    def get_size(self) -> Size:
        return self.size


@dataclass(slots=True)
class Desk:
    """The keyboard and the screen of a running demo, and the room with the truth."""

    terminal: Terminal
    room: Room
    glass: Glass
    pipe: PipeInput
    running: asyncio.Task[int]

    @property
    def screen(self) -> str:
        return "\n".join(text_of(line) for line in self.terminal.shown())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.pipe.send_text(KEYS.get(key, key))

    async def until(self, happened: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
        loop = asyncio.get_running_loop()
        late_s = loop.time() + patience_s
        while not happened():
            assert not self.running.done(), f"the demo ended before: {what}"
            assert loop.time() < late_s, f"not seen: {what}\n{self.screen}"
            await asyncio.sleep(LOOKS_EVERY_S)

    async def sees(self, text: str) -> None:
        await self.until(lambda: text in self.screen, text)

    async def insists(self, text: str) -> None:
        """Press the button, again if it wasn't heard, until the screen says so."""
        while text not in self.screen:
            before = self.screen.count(UNHEARD)
            self.press("space")
            await self.until(partial(self._says, text, before), text)
            await asyncio.sleep(DEAF_S)

    def _says(self, text: str, unheard: int) -> bool:
        return text in self.screen or self.screen.count(UNHEARD) > unheard

    async def ended(self) -> int:
        return await asyncio.wait_for(self.running, PATIENCE_S)

    def hand(self, seat: int = 1) -> tuple[str, ...]:
        return self.room.people.reachable(seat)[0].cards

    def deal(self, *cards: str, seat: int = 1) -> None:
        """Let a seat hold these cards in front: they change places with those it held there."""
        for index, card in enumerate(cards):
            swapped = {card: self.hand(seat)[index], self.hand(seat)[index]: card}
            holdings = self.room.people.holdings
            hands = tuple(tuple(swapped.get(held, held) for held in hand) for hand in holdings.hands)
            pile = tuple(swapped.get(lying, lying) for lying in holdings.pile)
            self.room.people.holdings = replace(holdings, hands=hands, pile=pile)

    async def taps(self, card: str, pad: Pad = 1) -> None:
        """Choose a card of the hand by its number, and a pad, and wait until the hands are free again."""
        self.press(str(self.hand().index(card) + 1), "d" if pad == "discard" else str(pad))
        await self.sees("…")
        await self.until(lambda: "\n…" not in self.screen, "the answer")


Evening = Callable[[Desk], Coroutine[None, None, None]]


def at_the_keyboard(folder: Path, evening: Evening, *, size: tuple[int, int] = (120, 40), **wanted: object) -> int:
    """Sit at the keyboard of a demo, as fast as can be; its exit status once `evening` has ended it, or 0."""
    people = wanted.pop("people", (1,))
    seed, starter = wanted.pop("seed", 1), wanted.pop("starter", 1)
    settings = wanted.pop("settings", {})
    game = str(wanted.pop("game", "online"))
    edition = find_game(game).editions[0]
    agreed = Agreed(wanted.pop("players", 2), edition, settings, starter)  # type: ignore[arg-type]
    assert not wanted

    async def sit() -> int:
        words = look_of(game, "en").words
        config = set_up(folder, game, agreed, "en", seed=seed)
        demo = Demo(config, Show(game, agreed, seed, people), 1, words)
        async with _desk(demo, size) as desk:
            await evening(desk)
            if not desk.running.done():
                desk.press("ctrl-c")
            return await desk.ended()

    with asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        return runner.run(sit())


@asynccontextmanager
async def _desk(demo: Demo, size: tuple[int, int]) -> AsyncIterator[Desk]:
    glass = Glass(*size)
    speeds: list[float] = []
    with create_pipe_input() as pipe:
        async with seated(demo, LOOKS_EVERY_S * LOOKS_HZ, speeds.append, input=pipe, output=glass) as (terminal, room):
            running = asyncio.create_task(terminal.run())
            try:
                yield Desk(terminal, room, glass, pipe, running)
            finally:
                running.cancel()
                await asyncio.wait([running])
