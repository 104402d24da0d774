"""Reads lines that are typed at a terminal or written to a pipe, on the asyncio loop, for commands and the demo. Must
not know what a line means."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

_READ_BYTES = 4096  # the most bytes that are read at once


class TypedLines:
    """Reads lines from the file `descriptor`. Calls `on_line` with each one, stripped, and `on_end` once nothing more
    can come. Create it on the loop that runs it."""

    def __init__(self, descriptor: int, on_line: Callable[[str], None], on_end: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._on_line = on_line
        self._on_end = on_end
        self._loop = asyncio.get_running_loop()
        self._partial = b""
        self._open = False

    def open(self) -> None:
        """Start reading."""
        self._open = True
        try:
            self._loop.add_reader(self._descriptor, self._readable)
        except PermissionError:  # epoll refuses plain files, reads of which never block
            self._loop.call_soon(self._read_file)

    def close(self) -> None:
        """Stop reading."""
        if self._open:
            self._open = False
            self._loop.remove_reader(self._descriptor)

    def _read_file(self) -> None:
        while self._open:
            self._readable()

    def _readable(self) -> None:
        try:
            data = os.read(self._descriptor, _READ_BYTES)
        except OSError:  # the terminal has gone
            data = b""
        *lines, self._partial = (self._partial + data).split(b"\n")
        if not data and self._partial:
            lines.append(self._partial)
        for line in lines:
            if self._open:
                self._on_line(line.decode(errors="replace").strip())
        if not data and self._open:
            self.close()
            self._on_end()
