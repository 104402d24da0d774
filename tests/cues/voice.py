"""A stand-in for espeak-ng on the path: it reports what it is given to speak, and ends when it is allowed to. For the
speech's own tests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from taptable.core.device_events import DeviceEvent

_PROGRAM = """#!/bin/sh
text=$(cat)
printf '%s\\t%s\\n' "$*" "$text" >"{folder}/said"
read -r what <"{folder}/let"
case $what in
    error*) echo "ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM nowhere" >&2; echo "$what" >&2 ;;
    status*) exit "${{what#status }}" ;;
esac
"""


@dataclass
class Voice:
    """A voice for tests: `hear` returns the sentence that is being spoken, and `finish` ends it."""

    said: int  # both ends of a FIFO each: opening it doesn't wait for the other end
    let_end: int
    reported: list[DeviceEvent] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def report(self, device_event: DeviceEvent) -> None:
        self.reported.append(device_event)
        self.changed.set()

    async def hear(self) -> str:
        """Wait for the next sentence that is begun."""
        return (await self._read()).partition("\t")[2]

    async def hear_options(self) -> list[str]:
        """The options of the next call."""
        return (await self._read()).partition("\t")[0].split()

    def finish(self, what: str = "") -> None:
        """Let the present sentence end, normally or in another way."""
        os.write(self.let_end, f"{what}\n".encode())

    async def reports(self, count: int) -> list[DeviceEvent]:
        """Wait for `count` reports and return them."""
        while len(self.reported) < count:
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), DEADLINE_S)
        return self.reported

    async def _read(self) -> str:
        something = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self.said, something.set)
        try:
            await asyncio.wait_for(something.wait(), DEADLINE_S)
        finally:
            loop.remove_reader(self.said)
        (line,) = os.read(self.said, 65_536).decode().splitlines()
        return line


@contextmanager
def put_on_path(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Voice]:
    """Put this voice on the path as the only espeak-ng."""
    for name in ("said", "let"):
        os.mkfifo(folder / name)
    program = folder / "espeak-ng"
    program.write_text(_PROGRAM.format(folder=folder))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    said, let = (os.open(folder / name, os.O_RDWR) for name in ("said", "let"))
    yield Voice(said, let)
    os.close(said)
    os.close(let)
