"""Other users and other processes for the tests of files."""

from __future__ import annotations

import codecs
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534


@contextmanager
def folder_for_all() -> Iterator[Path]:
    """A folder that every user may enter, unlike pytest's."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            yield folder
        finally:
            folder.chmod(0o755)


@contextmanager
def without_privileges() -> Iterator[None]:
    """As a user whom permissions bind: root would pass them by."""
    root = os.geteuid() == 0
    # what decks are read with, which Python would look for in a folder that may be root's, and not find from then on
    codecs.lookup("utf-8-sig")
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    """Writing beyond `size` bytes fails, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def started(script: str, *arguments: object, before: Sequence[str] = ()) -> subprocess.Popen[str]:
    """A Python process that finds the tests' own modules, begun by another command if given."""
    here = str(Path(__file__).parent)
    return subprocess.Popen(
        [*before, sys.executable, "-c", script, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([here, *filter(None, sys.path)])},
    )
