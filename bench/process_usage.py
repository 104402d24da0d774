"""The resources of a process, seen from outside and from within. A program that is run by this module prints on a
signal how much Python holds in it after garbage collection, and otherwise runs as usual.

python -m bench.process_usage DESCRIPTOR MODULE [ARGUMENT …]"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import runpy
import signal
import sys
import tracemalloc
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

REPORT_SIGNAL = signal.SIGUSR1
SNAPSHOTS = "TAPTABLE_SNAPSHOTS"
"""The environment variable with the folder for tracemalloc's snapshots, if PYTHONTRACEMALLOC lets it trace."""
Usage = dict[str, float]
"""Figures by their names."""


def usage_of(pid: int) -> Usage:
    """The memory with its part of shared memory (PSS) and without (USS), open files and threads."""
    process = Path(f"/proc/{pid}")
    lines = (process / "smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    kb = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    return {
        "PSS MB": kb["Pss"] / 1024,
        "USS MB": (kb["Private_Clean"] + kb["Private_Dirty"]) / 1024,
        "files": len(list((process / "fd").iterdir())),
        "threads": len(list((process / "task").iterdir())),
    }


def own_usage() -> Usage:
    """Blocks that Python has allocated in this process, and tasks of the loop that runs."""
    gc.collect()
    return {"blocks": sys.getallocatedblocks(), "tasks": len(asyncio.all_tasks())}


def answer_on(descriptor: int) -> None:
    """From now on, answer each request with a line to this file about the usage within."""
    numbers = count(1)

    def say(_: int, __: object) -> None:
        os.write(descriptor, json.dumps(own_usage()).encode() + b"\n")
        if tracemalloc.is_tracing():
            tracemalloc.take_snapshot().dump(f"{os.environ[SNAPSHOTS]}/{os.getpid()}-{next(numbers)}")

    signal.signal(REPORT_SIGNAL, say)


def spelled(figure: str, value: float) -> str:
    """A figure's value as text."""
    return f"{value:.1f}" if figure.endswith("MB") else f"{value:.0f}"


@dataclass(frozen=True, slots=True)
class WatchedProcess:
    """A process that can be asked."""

    process: Process
    _answers: asyncio.StreamReader

    async def usage(self) -> Usage:
        """The present usage, after garbage collection."""
        self.process.send_signal(REPORT_SIGNAL)
        within = json.loads(await self._answers.readline())
        return {**usage_of(self.process.pid), **within}

    async def read_line(self) -> str:
        """The next line of its output. Raises RuntimeError if the process has ended."""
        assert self.process.stdout is not None
        if not (line := await self.process.stdout.readline()):
            raise RuntimeError(f"process {self.process.pid} has ended")
        return line.decode().strip()

    async def send_order(self, *words: object) -> str:
        """Send it a line, and return its answer once it has followed that."""
        assert self.process.stdin is not None
        self.process.stdin.write(" ".join(map(str, words)).encode() + b"\n")
        return await self.read_line()


@asynccontextmanager
async def watched_process(
    module: str, *arguments: object, pass_fds: Sequence[int] = ()
) -> AsyncGenerator[WatchedProcess]:
    """A module that is run as a program, while it runs."""
    reading, writing = os.pipe()
    answers = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(answers), os.fdopen(reading)
    )
    command = (sys.executable, "-m", "bench.process_usage", str(writing), module, *map(str, arguments))
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = await asyncio.create_subprocess_exec(
        *command, stdin=PIPE, stdout=PIPE, pass_fds=[writing, *pass_fds], env=os.environ | path
    )
    os.close(writing)
    try:
        yield WatchedProcess(process, answers)
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()
        transport.close()


if __name__ == "__main__":
    descriptor, module, *arguments = sys.argv[1:]
    answer_on(int(descriptor))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
