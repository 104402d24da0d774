"""Somebody at a terminal: sentences are printed, questions are answered with y or n. Where no terminal is, nobody
answers."""

from __future__ import annotations

import asyncio
from typing import TextIO

from taptable.edges.keyboard import Lines

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


class AtTerminal:
    """Reads answers from `given`, and writes to `said`."""

    def __init__(self, given: TextIO, said: TextIO) -> None:
        self._given = given
        self._said = said

    def tell(self, sentence: str) -> None:
        """Print it."""
        print(sentence, file=self._said, flush=True)

    async def asked(self, question: str) -> bool | None:
        """Yes or no, asked again after any other answer; None at the end of the input, and where nobody sits."""
        if not self._given.isatty():
            return None
        print(f"{question} [y/n] ", end="", file=self._said, flush=True)
        answer: asyncio.Future[bool | None] = asyncio.get_running_loop().create_future()

        def heard(line: str) -> None:
            word = line.lower()
            if word not in _ANSWERS:
                print("y or n? ", end="", file=self._said, flush=True)
            elif not answer.done():
                answer.set_result(_ANSWERS[word])

        def ended() -> None:
            if not answer.done():
                answer.set_result(None)

        lines = Lines(self._given.fileno(), heard, ended)
        lines.open()
        try:
            return await answer
        finally:
            lines.close()
