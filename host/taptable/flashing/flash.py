"""One flashing from beginning to end: look, copy what differs, look again, start anew, hear who answers. Says on the
way what it does. Knows no argument of a command."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from tapshared.verbs import PROTOCOL
from tapshared.version import FIRMWARE

from taptable.core.errors import DeviceError
from taptable.flashing.choosing import LEAST_MICROPYTHON
from taptable.flashing.greeting import await_hello
from taptable.flashing.remote import Remote
from taptable.flashing.survey import SETTINGS, Plan, Survey, plan

PIXELS = range(8, 17)
"""That a ring may have."""


def flash(
    path: Path,
    firmware: Mapping[str, bytes],
    pixels: int | None,
    port_of: Callable[[str], Path | None],
    say: Callable[[str], None],
) -> str:
    """Put the firmware on the board at `path`, and its number of `pixels` if there is one; the board's id. `port_of`
    finds a board's port again when it has started anew. DeviceError says what went wrong, and the board can be flashed
    again.
    """
    remote = Remote(path)
    remote.check()
    before = remote.survey()
    _check_kind(before)
    say(f"Board {before.board} at {path}: MicroPython {'.'.join(map(str, before.micropython))}")
    wanted = dict(firmware)
    if pixels is not None and pixels != before.pixels:
        wanted = {SETTINGS: json.dumps({"pixels": pixels}).encode(), **wanted}
    todo = plan(wanted, before)
    if todo.is_empty:
        say(f"All {len(firmware)} files of firmware {FIRMWARE} are there already.")
    else:
        _verify(plan(wanted, remote.carry_out(todo)))
        say(_done(todo))
    remote.reset()
    _greet(before.board, lambda: port_of(before.board) or path, say)
    return before.board


def _check_kind(survey: Survey) -> None:
    if survey.port != "rp2":
        raise DeviceError(f"this board runs MicroPython for {survey.port}; seat boards are Picos (rp2)")
    if survey.micropython < LEAST_MICROPYTHON:
        version, least = (".".join(map(str, numbers)) for numbers in (survey.micropython, LEAST_MICROPYTHON))
        raise DeviceError(
            f"its MicroPython {version} is too old, {least} is needed: unplug it, hold BOOTSEL while you plug it in,"
            " and run this again, which then says what to do"
        )


def _verify(left: Plan) -> None:
    """Nothing may be left to be done."""
    if not left.is_empty:
        wrong = ", ".join([*left.folders, *left.copies, *left.stale])
        raise DeviceError(f"not everything arrived as it was sent ({wrong}): take a shorter cable, and flash it again")


def _done(todo: Plan) -> str:
    copied = f"{len(todo.copies)} file{'' if len(todo.copies) == 1 else 's'} copied"
    removed = f", {len(todo.stale)} old removed" if todo.stale else ""
    return f"{copied}{removed}; every file on the board verified."


def _greet(board: str, port: Callable[[], Path | None], say: Callable[[str], None]) -> None:
    fields = await_hello(port).fields
    if fields["protocol"] != PROTOCOL or fields["firmware"] != FIRMWARE:
        version = fields.get("firmware", f"of protocol {fields['protocol']}")
        raise DeviceError(f"board {board} answers with firmware {version}, not {FIRMWARE}: flash it again")
    say(f"It answers: firmware {FIRMWARE}, {fields['pixels']} pixels.")
