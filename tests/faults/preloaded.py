"""A process with a C library of our own below Python and SQLite: writes below a folder fail as on a bad disk, and the
calendar is set. `run` starts such a process, which uses the rest of this module."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest
from deadline import DEADLINE_S

SOURCE = Path(__file__).with_name("faulty.c")
TESTS = Path(__file__).parents[1]
FOR_EVER = 1 << 30


def run(module: str, *arguments: object, built_in: Path) -> None:
    """Run `python -m module` with the library, which is built in the folder `built_in`; the test shows the output if it
    fails. Skip the test without a C compiler, except in CI."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        if "CI" in os.environ:
            pytest.fail("there is no C compiler")
        pytest.skip("there is no C compiler")
    library = built_in / "faulty.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-w", "-o", library, SOURCE, "-ldl"], check=True)
    ran = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)],
        env={**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)


@contextmanager
def failing(
    folder: Path, error: int = errno.EIO, *, skip: int = 0, count: int = FOR_EVER, creating: bool = False
) -> Iterator[None]:
    """While this lasts, calls that write below a folder fail with this error, after the first `skip`, `count` of them;
    only those that make a new name if it is about `creating`."""
    _library().faulty_fail(os.fsencode(folder.resolve()), error, *map(ctypes.c_long, (skip, count)), int(creating))
    try:
        yield
    finally:
        _library().faulty_fail(b"", 0, *map(ctypes.c_long, (0, 0)), 0)


@contextmanager
def counting(folder: Path) -> Iterator[list[int]]:
    """While this lasts, calls that write below a folder are counted; their number is in the list afterwards."""
    counted: list[int] = []
    _library().faulty_fail(os.fsencode(folder.resolve()), 0, *map(ctypes.c_long, (0, 0)), 0)
    yield counted
    counted.append(_library().faulty_seen())


def failed() -> int:
    """The number of calls that have failed since the last `failing` began."""
    return _library().faulty_failed()


def set_calendar(by_s: int) -> None:
    """Set the calendar `by_s` seconds ahead."""
    _library().faulty_calendar(ctypes.c_long(by_s))


@contextmanager
def no_descriptors() -> Iterator[None]:
    """While this lasts, this process can open no more files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    highest = max(int(each.name) for each in Path("/proc/self/fd").iterdir())
    held: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1, hard))
    try:
        while True:
            try:
                held.append(os.open("/dev/null", os.O_RDONLY))
            except OSError:
                break
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
