"""Lines from a terminal, a pipe or a file, on the loop."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from taptable.keyboard import TypedLines
from taptable.sim.loops import GivenTimeLoop


class Typist:
    """Types, and keeps what was heard."""

    def __init__(self, loop: GivenTimeLoop) -> None:
        self.loop = loop
        self.heard: list[str] = []

    def listen(self, descriptor: int) -> TypedLines:
        """Listen there, from now on."""

        async def open_lines() -> TypedLines:
            lines = TypedLines(descriptor, self.heard.append, lambda: self.heard.append("(end)"))
            lines.open()
            return lines

        return self.loop.run_until_complete(open_lines())


@pytest.fixture
def typist() -> Iterator[Typist]:
    loop = GivenTimeLoop()
    yield Typist(loop)
    loop.close()


@pytest.fixture
def pipe() -> Iterator[tuple[int, Callable[[bytes], None]]]:
    """A descriptor to read, and what writes to it; nothing written ends it."""
    read, write = os.pipe()
    ends = [read, write]

    def put(data: bytes) -> None:
        if data:
            os.write(write, data)
        else:
            ends.remove(write)
            os.close(write)

    yield read, put
    for end in ends:
        os.close(end)


def test_lines_come_whole_however_they_were_cut(typist: Typist, pipe: tuple[int, Callable[[bytes], None]]) -> None:
    read, put = pipe
    lines = typist.listen(read)
    for part in (b"u\nst", b"op", b"\n\n \xe2\x82", b"\xac \r\n", b"\xff\n"):
        put(part)
        typist.loop.pass_time(0.1)
    assert typist.heard == ["u", "stop", "", "€", "\ufffd"]
    lines.close()


def test_the_end_comes_after_the_last_line_though_its_break_is_missing(
    typist: Typist, pipe: tuple[int, Callable[[bytes], None]]
) -> None:
    read, put = pipe
    typist.listen(read)
    put(b"one\ntwo")
    put(b"")
    typist.loop.pass_time(0.1)
    assert typist.heard == ["one", "two", "(end)"]


def test_nothing_is_heard_once_it_is_closed(typist: Typist, pipe: tuple[int, Callable[[bytes], None]]) -> None:
    read, put = pipe
    lines = typist.listen(read)
    lines.close()
    lines.close()
    put(b"one\n")
    typist.loop.pass_time(0.1)
    assert typist.heard == []


@pytest.mark.parametrize("text", ["", "u\nq\n", "no break"])
def test_a_file_is_read_to_its_end(tmp_path: Path, text: str) -> None:
    (tmp_path / "keys").write_text(text)
    heard: list[str] = []

    async def read(descriptor: int) -> None:
        ended = asyncio.Event()
        TypedLines(descriptor, heard.append, ended.set).open()
        await ended.wait()

    with (tmp_path / "keys").open() as keys:
        asyncio.run(read(keys.fileno()))
    assert heard == text.splitlines()
