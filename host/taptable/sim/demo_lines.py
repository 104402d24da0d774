"""The demo as plain lines, for `taptable demo --terminal`: runs a simulated table with virtual players on a loop of
scaled time, and writes a line for each sentence of the table. Must not know a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

from taptable.config import Config
from taptable.core.announcements import GameBegan, Mood
from taptable.core.game_options import GameOptions
from taptable.core.verdicts import Accepted, Ignored
from taptable.history.game_report import format_time, score_lines
from taptable.narration.sentences import sentences_of
from taptable.narration.updates import Update
from taptable.referee.session import Decision, Session, TableEvent
from taptable.sim.harness import running_harness
from taptable.sim.people import People
from taptable.words import Words

BETWEEN_GAMES_S = 8.0
"""Seconds of table time from the end of a game to the next."""
LAST_CUES_S = 2.0
"""Seconds of table time for which the table runs on after the last game, so that its cues come to their end."""
SIGN_OF_MOOD = {None: "·", Mood.CLAIM: "!", Mood.TURNED_TABLES: "!", Mood.END: "★"}


async def play_as_lines(
    config: Config, game_options: GameOptions, seed: int, games: int, words: Words, write: Callable[[str], None]
) -> None:
    """Write a line for each sentence, until the last of `games` games is over; 0 for no end."""
    lines: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    failure: asyncio.Future[None] = loop.create_future()
    loop.set_exception_handler(lambda _, context: _raise_in(failure, context))

    def add_lines(update: Update) -> None:
        for event in update.events:
            for line in _lines_of(event, update.session, words):
                lines.put_nowait(line)

    async def write_lines() -> None:
        while True:
            write(await lines.get())

    async with running_harness(config, seed=seed, subscriber=add_lines) as harness:
        facts = {
            "edition": game_options.edition,
            "game": words.text("simulate", "game"),
            "players": game_options.players,
        }
        write(words.text("demo", "title", facts))
        write(words.text("demo", "explained"))
        write(_opening_line(harness.session, words))
        while not lines.empty():
            lines.get_nowait()  # lines about how the table got there
        harness.people.start_players()
        playing, writing = asyncio.create_task(_play_on(harness.people, games)), asyncio.create_task(write_lines())
        done, running = await asyncio.wait({playing, writing, failure}, return_when=asyncio.FIRST_COMPLETED)
        for task in running:
            task.cancel()
        for task in done:
            task.result()
        while not lines.empty():
            write(lines.get_nowait())


async def _play_on(people: People, games: int) -> None:
    """Begin a new game after each, even after one that was over from the beginning, but not after the last of
    `games`."""
    for number in count(1):
        while people.game_over.is_set():
            await people.use_control(1, "new-game")
        await people.game_over.wait()
        await asyncio.sleep(LAST_CUES_S if number == games else BETWEEN_GAMES_S)
        if number == games:
            return


def _opening_line(session: Session, words: Words) -> str:
    """Return the sentence that comes before anything has happened."""
    board = session.table.scoreboard
    if session.table.paused_at_us is not None or board.over:
        return words.text("demo", "came-back-over" if board.over else "came-back")
    return words.announcement(GameBegan(board.seat))


def _lines_of(event: TableEvent, session: Session, words: Words) -> Iterator[str]:
    """Yield a line for each sentence, with table time and a sign, and the teams' scores after the end of a game."""
    sentences = sentences_of(event, words)
    if not isinstance(event, Decision):
        yield from (f"{format_time(event.at_us)}  • {sentence}" for sentence in sentences)
        return
    verdict = event.verdict
    signs = [SIGN_OF_MOOD[each.mood] for each in verdict.announcements]
    if not isinstance(verdict, Accepted):
        signs += ["–" if isinstance(verdict, Ignored) else "✗"] * len(sentences)
    for sign, sentence in zip(signs, sentences, strict=False):
        yield f"{format_time(event.observation.at_us)}  {sign} {sentence}"
    if event.ends_the_game:
        yield from score_lines(session.table, words)


def _raise_in(future: asyncio.Future[None], context: dict[str, Any]) -> None:
    if not future.done():
        future.set_exception(context.get("exception") or RuntimeError(context["message"]))
