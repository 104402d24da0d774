"""The way of one tap through the host's code: a card that may be played is laid on a pad of a simulated full table, and
from the bytes at the board's port to the acknowledgement and the picture every call is counted.

.venv/bin/python -m bench.tap_trace prints the modules in the order in which the tap comes to them, and the counts."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import CodeType, FrameType

import tapshared
import taptable
from table.rig import ON_PAD_S, GameNight, a_table, begin_turn, run_in_given_time, running_table, with_buttons_on_boards
from taptable.core.observations import CardTapped
from taptable.core.verdicts import Accepted
from taptable.referee.session import Decision

HOST, SHARED = (f"{Path(*each.__path__).resolve()}/" for each in (taptable, tapshared))
CARD, SEAT, PLAYERS = "email#1", 1, 4
COMMIT = "Journal.append"


SIMULATED = re.compile(r"sim\.|drivers\.\w+\.(stand_in|leads|\w+_model)$")
"""Modules that stand in for hardware."""


@dataclass
class CallTrace:
    """The modules in the order of their first call, how often one module called another, and how deep calls nested."""

    modules: list[str] = field(default_factory=list[str])
    changes: int = 0
    depth: int = 0


class Tracer:
    """Counts the host's calls while it traces, and none of the simulated parts. A call from the loop or from a
    simulated part has depth one. List comprehensions and the like don't count as calls: newer Pythons make none of
    them."""

    def __init__(self) -> None:
        self.trace = CallTrace()
        self.trace_until_commit: CallTrace | None = None
        self._nested: list[tuple[FrameType, str, int]] = []

    @contextmanager
    def tracing(self) -> Generator[None]:
        """Trace the calls of this thread meanwhile."""
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _profile(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self._called(frame)
        elif event == "return" and self._nested and self._nested[-1][0] is frame:
            self._nested.pop()
            if frame.f_code.co_qualname == COMMIT:
                self.trace_until_commit = replace(self.trace, modules=list(self.trace.modules))

    def _called(self, frame: FrameType) -> None:
        module, name = _module_of(frame.f_code), frame.f_code.co_name
        if module is None or (name.startswith("<") and name != "<lambda>"):
            return
        caller, nested = self._nested[-1][1:] if self._nested else ("", 0)
        simulated = bool(SIMULATED.match(module)) or (not nested and module.startswith("tapshared."))
        if simulated:
            self._nested.append((frame, "", 0))  # what it calls is one deep again
            return
        self._nested.append((frame, module, nested + 1))
        way = self.trace
        way.changes += caller != module
        way.depth = max(way.depth, nested + 1)
        if module not in way.modules:
            way.modules.append(module)


def _module_of(code: CodeType) -> str | None:
    """The module of the host's code, or of the code that it shares with boards; None for any other."""
    if code.co_filename.startswith(HOST):
        return code.co_filename.removeprefix(HOST).removesuffix(".py").replace("/", ".")
    if code.co_filename.startswith(SHARED):
        return "tapshared." + code.co_filename.removeprefix(SHARED).removesuffix(".py").replace("/", ".")
    return None


def trace_tap(folder: Path) -> tuple[CallTrace, CallTrace]:
    """The whole way of a tap, and that until it is in the journal, at a table whose files are in `folder`. A tap at
    another table comes before, since the first one in a process also goes through what is kept afterwards."""
    tracer = Tracer()

    async def evening(files: Path, tracer: Tracer) -> None:
        async with running_table(with_buttons_on_boards(a_table(files, PLAYERS))) as at:
            await begin_turn(at)
            await _tap(at, tracer)

    for name, at_table in (("first", Tracer()), ("second", tracer)):
        (folder / name).mkdir()
        run_in_given_time(partial(evening, folder / name, at_table))
    assert tracer.trace_until_commit is not None
    return tracer.trace, tracer.trace_until_commit


async def _tap(at: GameNight, tracer: Tracer) -> None:
    def is_it(event: object) -> bool:
        return isinstance(event, Decision) and isinstance(event.observation, CardTapped)

    heard = at.expect(is_it)
    with tracer.tracing():
        at.put(CARD, SEAT)
        said = await heard
        await asyncio.sleep(0)
    assert isinstance(said, Decision)
    assert isinstance(said.verdict, Accepted)
    await asyncio.sleep(ON_PAD_S)


def main() -> None:
    """Print the way of a tap."""
    with tempfile.TemporaryDirectory() as folder:
        whole, until_commit = trace_tap(Path(folder))
    for module in whole.modules:
        print(module, "" if module in until_commit.modules else "(after the commit)")
    for what, way in (("to the picture", whole), ("until the commit", until_commit)):
        print(f"{what}: {len(way.modules)} modules, {way.changes} changes of module, {way.depth} calls deep")


if __name__ == "__main__":
    main()
