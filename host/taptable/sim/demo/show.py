"""The demo put together: a simulated table, its people, and a terminal or plain lines to show it in. Runs on a loop of
scaled time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from taptable.config import Config
from taptable.core.announcements import GameBegan
from taptable.history.account import spell_time, standing
from taptable.narration.standing import Subscriber, Update
from taptable.referee.session import Happening, Judged, Session
from taptable.sim.begun import Begun
from taptable.sim.demo.keyboard import Keyboard
from taptable.sim.demo.layout import title
from taptable.sim.demo.looking import Looker
from taptable.sim.demo.person import Person
from taptable.sim.demo.sayings import WARNING, sayings
from taptable.sim.demo.terminal import Terminal
from taptable.sim.demo.views import Said, Show, View
from taptable.sim.people import People
from taptable.sim.room import Room, furnished
from taptable.sim.scaled_time import ScaledTimeLoop
from taptable.words import Words

BETWEEN_GAMES_S = 8.0
LAST_CUES_S = 2.0

Begin = Callable[[Coroutine[Any, Any, None]], None]


@dataclass(frozen=True, slots=True)
class Demo:
    """What was asked for: `games` after which nobody begins another, 0 for no end."""

    config: Config
    show: Show
    games: int
    words: Words


async def in_terminal(demo: Demo, loop: ScaledTimeLoop) -> tuple[int, list[str]]:
    """The demo on the whole screen, until it is left; the exit status, and how the table stands then."""

    def set_speed(speed: float) -> None:
        loop.speed = speed

    async with seated(demo, loop.speed, set_speed) as (terminal, room):
        status = await terminal.run()
        return status, list(standing(room.daemon.proceedings.session.table, demo.words))


@asynccontextmanager
async def seated(
    demo: Demo,
    speed: float,
    set_speed: Callable[[float], None],
    *,
    input: Input | None = None,
    output: Output | None = None,
) -> AsyncGenerator[tuple[Terminal, Room]]:
    """The room while virtual players play, and a terminal, to be run, for those who look on or sit at seats; time
    passes with `speed`, and `set_speed` changes that."""
    async with _evening(demo) as (room, subscribers, begin):
        looker = Looker(room, demo.show, demo.words)
        subscribers.append(looker.on_update)
        looker.add(_beginning(room, demo))
        room.people.go_on = not demo.show.people
        persons = [
            Person(seat, room.people, lambda: room.daemon.proceedings.session, demo.words, begin)
            for seat in demo.show.people
        ]
        keyboard = Keyboard(room.people, persons, begin, speed, set_speed)

        def look() -> View:
            return looker.look(keyboard.speed, keyboard.own(), keyboard.helping)

        begin(_play_on(room.people, demo.games))
        yield Terminal(look, keyboard, demo.words, input=input, output=output), room


async def in_lines(demo: Demo, write: Callable[[str], None]) -> None:
    """The demo as a line for each sentence, until the last game is over."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[str] = asyncio.Queue()
    trouble: asyncio.Future[None] = loop.create_future()
    loop.set_exception_handler(lambda _, context: _raise_in(trouble, context))

    def take_down(update: Update) -> None:
        for happening in update.happened:
            for line in _lines_of(happening, update.session, demo.words):
                lines.put_nowait(line)

    async def tell() -> None:
        while True:
            write(await lines.get())

    async with _evening(demo) as (room, subscribers, _):
        write(title(demo.show, None, demo.words))
        write(demo.words.text("demo", "explained"))
        write(_beginning(room, demo).text)
        subscribers.append(take_down)
        playing = asyncio.create_task(_play_on(room.people, demo.games))
        telling = asyncio.create_task(tell())
        done, running = await asyncio.wait({playing, telling, trouble}, return_when=asyncio.FIRST_COMPLETED)
        for task in running:
            task.cancel()
        for task in done:
            task.result()
        while not lines.empty():
            write(lines.get_nowait())


@asynccontextmanager
async def _evening(demo: Demo) -> AsyncGenerator[tuple[Room, list[Subscriber], Begin]]:
    """The room with virtual players who play, who is told what happens, and how to begin what takes its time."""
    subscribers: list[Subscriber] = []
    begun = Begun()

    def tell(update: Update) -> None:
        for each in subscribers:
            each(update)

    virtual = [seat for seat in range(1, demo.show.agreed.players + 1) if seat not in demo.show.people]
    async with furnished(demo.config, seed=demo.show.seed, seats=virtual, subscriber=tell) as room:
        room.people.sit_down()
        try:
            yield room, subscribers, begun.begin
        finally:
            await begun.end()


async def _play_on(people: People, games: int) -> None:
    """Begin a new game after each, one that was over from the beginning too, but not after the last of `games`."""
    for number in count(1):
        while people.over.is_set():
            await people.use_control(1, "new-game")
        await people.over.wait()
        await asyncio.sleep(LAST_CUES_S if number == games else BETWEEN_GAMES_S)
        if number == games:
            return


def _beginning(room: Room, demo: Demo) -> Said:
    """What is said before anything has happened."""
    table = room.daemon.proceedings.session.table
    board = table.scoreboard
    if table.paused_at_us is not None or board.over:
        return Said(demo.words.text("demo", "came-back-over" if board.over else "came-back"), WARNING, "•")
    return Said(demo.words.announcement(GameBegan(board.seat)), "", "·")


def _lines_of(happening: Happening, session: Session, words: Words) -> list[str]:
    """A line for each sentence, with table time, and how the teams stand after the end of a game."""
    at_us = happening.observation.at_us if isinstance(happening, Judged) else happening.at_us
    lines = [f"{spell_time(at_us)}  {said.sign} {said.text}" for said in sayings(happening, words)]
    if isinstance(happening, Judged) and happening.ends_the_game:
        lines += standing(session.table, words)
    return lines


def _raise_in(future: asyncio.Future[None], context: dict[str, Any]) -> None:
    if not future.done():
        future.set_exception(context.get("exception") or RuntimeError(context["message"]))
