"""A person at the discard pad of a simulated table, with the real commands, readers and chip models, in given time."""

from __future__ import annotations

import argparse
import asyncio
import io
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.cli import deck
from taptable.cli.deck import errand_of, run_errand
from taptable.cli.options import config_from
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.without_game import TableWithoutGame
from taptable.games.registry import find_game
from taptable.memory.deck import CardSet, Deck
from taptable.sim.setting_up import tagged_deck
from taptable.sim.table import SimulatedTable

EXAMPLE = Path(__file__).parents[2] / "examples" / "compact.toml"
CARDS = CardSet("online", find_game("online").pack("").counts)

MAX_S = 5.0
"""In given time: nobody waits longer for an answer."""


def box(name: str = "family", seed: int = 0) -> Deck:
    """The tags on the cards in a box, and what is printed on these."""
    return tagged_deck(name, CARDS, seed)


def options(*arguments: object) -> argparse.Namespace:
    """The options of the command line, as the command gets them."""
    parser = argparse.ArgumentParser()
    deck.add(parser.add_subparsers())
    return parser.parse_args(["deck", *map(str, arguments)])


class Person:
    """Puts cards on the pad, types, and reads the terminal."""

    def __init__(self, table: SimulatedTable, keys: int, terminal: io.StringIO) -> None:
        self.table = table
        self._keys = keys
        self._terminal = terminal
        self._read = 0

    def new_output(self) -> list[str]:
        """The output since the last call."""
        lines = self._terminal.getvalue().splitlines()
        new, self._read = lines[self._read :], len(lines)
        return new

    async def tap(self, *uids: str) -> list[str]:
        """Put cards on the pad, all at once, and lift them; return the output."""
        for uid in uids:
            self.table.put(uid, DISCARD_PAD)
        await asyncio.sleep(0.4)
        await self.lift(*uids)
        return self.new_output()

    async def lift(self, *uids: str) -> None:
        """Lift cards, for longer than it takes to notice."""
        for uid in uids:
            self.table.lift(uid, DISCARD_PAD)
        await asyncio.sleep(0.5)

    async def type(self, text: str) -> list[str]:
        """Type a line; return the output."""
        os.write(self._keys, text.encode() + b"\n")
        await asyncio.sleep(0.1)
        return self.new_output()

    def hang_up(self) -> None:
        """End the input, as Ctrl-D does."""
        os.close(self._keys)
        self._keys = -1

    def leave_keyboard(self) -> None:
        """Leave the keyboard to the next."""
        if self._keys >= 0:
            os.close(self._keys)


@asynccontextmanager
async def running_deck_command(
    *arguments: object,
    status: int = 0,
    prepare: Callable[[SimulatedTable], None] = lambda _table: None,
    prepared_s: float = 0.0,
) -> AsyncGenerator[Person]:
    """Run a verb of `taptable deck` in the current folder at a table without a game, `prepared_s` after `prepare`,
    while a person acts; check that it ends with this status. The person may not act after its end."""
    args = options(*arguments)
    config = config_from(args)
    errand = errand_of(args, config)
    table = SimulatedTable(config)
    keys, typed = os.pipe()
    terminal = io.StringIO()
    person = Person(table, typed, terminal)
    try:
        with (
            table.powered() as openers,
            redirect_stdout(terminal),
            TemporaryDirectory(prefix="taptable-", dir="/tmp") as sockets,
        ):
            prepare(table)
            await asyncio.sleep(prepared_s)
            without_game = TableWithoutGame(config, openers, Path(sockets))
            await without_game.start()
            socket = socket_path(Path(sockets), Role.ADMIN)
            command = asyncio.ensure_future(run_errand(args, errand, socket, keys))
            try:
                await asyncio.sleep(0.2)
                yield person
                assert await asyncio.wait_for(command, MAX_S) == status
            finally:
                command.cancel()
                await asyncio.wait({command})
                await without_game.stop()
    finally:
        person.leave_keyboard()
        os.close(keys)
