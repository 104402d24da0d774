"""A table with the real daemon in given time. The board of seat 1 runs its firmware in the VM, with its button and
lamp; a record holds the sentences on its cable."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from table.rig import GameNight, a_table, running_table, with_buttons_on_boards
from tapshared.sentences import Message, decode
from taptable.config import Config, load_config
from taptable.daemon.game_options import check_game

from firmware.needs_vm import vm_program
from firmware.vm.board import Clock, VmBoard
from firmware.vm.process import BOARD, make_flash

SEAT = 1
CONNECTED_S = 3.0
"""By then the board has been met, every reader has looked, and the boot screen is over."""
CARD, OTHER, THIRD = "04a2b3c4d5e680", "04a2b3c4d5e681", "5e21c0a7"
"""Tags that are not enrolled."""


@dataclass
class Wire:
    """The whole sentences that came out of the board's cable at either end."""

    heard: list[tuple[float, bool, Message]] = field(default_factory=list)
    damaged: int = 0

    def messages(self, *verbs: str, since_s: float = 0.0) -> list[Message]:
        """The board's messages, each event once, in the order of their first arrival."""
        numbers: set[int] = set()
        found: list[Message] = []
        for at_s, to_pi, message in self.heard:
            if to_pi and message.verb in verbs and at_s >= since_s and message.number not in numbers:
                found.append(message)
                numbers |= {message.number} - {0}
        return found

    def events(self, since_s: float = 0.0) -> list[str]:
        """The events in short: ``tag 04a2… lying``."""
        return [
            " ".join(part for part in (m.verb, str(m.fields.get("uid", "")), str(m.fields.get("how", ""))) if part)
            for m in self.messages("tag", "gone", "press", "release", since_s=since_s)
        ]


@dataclass
class AtBoard:
    """The evening, with its board in the VM."""

    at: GameNight
    board: VmBoard
    wire: Wire

    async def until(self, fits: Callable[[], Any], within_s: float = 5.0) -> None:
        """Wait until this is so."""
        ends_s = self.at.loop.time() + within_s
        while not fits():
            assert self.at.loop.time() < ends_s, "it hasn't come about"
            await asyncio.sleep(0.01)


def vm_table(folder: Path, players: int = 2, *, all_on_boards: bool = False, **rules: str) -> Config:
    """The configuration of a table whose seat 1 has its pad, button and lamp on a board with a real board's id; the
    other seats theirs too, where it is `all_on_boards`."""
    config = a_table(folder, players, **rules)
    if all_on_boards:
        config = with_buttons_on_boards(config)
    text = config.file.read_text(encoding="utf-8").replace('"board:sim1"', f'"board:{BOARD}"')
    lines = text.splitlines()
    for name in ("button", "lamp"):
        place = next(number for number, line in enumerate(lines) if line.startswith(f"{name} = "))
        lines[place] = f'{name} = "board:{BOARD}"'
    config.file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return load_config(config.file, check_game)


@asynccontextmanager
async def at_vm_board(
    folder: Path,
    *,
    config: Config | None = None,
    clock: Clock | None = None,
    lying: tuple[str, ...] = (),
    pixels: int | None = None,
) -> AsyncIterator[AtBoard]:
    """An evening for two, seat 1 on turn. No power-up of the board may end that the test doesn't ask for: it looks at
    `board.ends` itself, if it does."""
    program = vm_program()
    wire = Wire()
    boards: list[VmBoard] = []

    async def before(at: GameNight) -> None:
        at.table.stand_in("board").boards[SEAT].pull_out()
        flash = make_flash(folder / "flash", pixels)
        board = VmBoard(BOARD, at.table.stand_in("board").sockets, at.loop, program, flash, clock=clock or Clock())

        def overheard(line: bytes, to_pi: bool) -> None:
            said = decode(line.lstrip(b" "))
            if isinstance(said, Message):
                wire.heard.append((at.loop.time(), to_pi, said))
            else:
                wire.damaged += 1

        board.line.on_line = overheard
        board.lying.update(dict.fromkeys(lying))
        at.table.stand_in("board").boards[SEAT] = board
        board.plug_in()
        boards.append(board)

    async with running_table(config or vm_table(folder), before=before) as at:
        await asyncio.sleep(CONNECTED_S)
        yield AtBoard(at, boards[0], wire)
    assert "Traceback" not in boards[0].printed()
