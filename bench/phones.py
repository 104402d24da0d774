"""Phones at the page of one table for many evenings, in a process of their own: each comes from an address of its own
and reads everything that it is sent. Each evening a third of them leave, some without a word, and as many others come.
One of them is paired again. Afterwards some look at past games.

python -m bench.phones PORT"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from itertools import count
from random import Random
from typing import Any

from page_access.rig import ask, cookie_in
from taptable.words import LANGUAGES
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

PHONES = 30
LEAVE_PER_EVENING = 10
FIRST = 30
"""Games among which is looked later: as many short ones would take more room, for as many steps."""
VIEWERS = 3
"""The number of phones that look at past games in an evening."""
UNREAD = 10
"""One phone in this many reads nothing after its greeting."""
PRINTS_EVERY, PRINTS_AT = 20, 5
"""In these evenings cards are printed too."""
ANSWER = '{"answer":'
PATIENCE_S = 120.0


class Phone:
    """A phone that has exchanged hello."""

    def __init__(self, socket: ClientConnection, reads: bool) -> None:
        self._socket = socket
        self._answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._reading = asyncio.create_task(self._read()) if reads else None
        self.reads = reads

    @classmethod
    async def connect(cls, port: int, number: int, cookie: str = "") -> Phone:
        """The phone of this number, which may be paired."""
        socket = await connect(
            f"ws://127.0.0.1:{port}/live",
            local_addr=(f"127.0.2.{number % 250 + 1}", 0),
            additional_headers={"Cookie": cookie} if cookie else {},
            ping_interval=None,
            close_timeout=1,
        )
        await socket.send(json.dumps({"do": "hello", "language": LANGUAGES[number % len(LANGUAGES)]}))
        await socket.recv()
        return cls(socket, reads=bool(cookie) or number % UNREAD != 0)

    async def ask(self, verb: str, **more: Any) -> dict[str, Any]:
        """Send a request and return the page's answer."""
        await self._socket.send(json.dumps({"do": verb, "n": 1, **more}))
        return await asyncio.wait_for(self._answers.get(), PATIENCE_S)

    async def unpair_all(self) -> None:
        """Unpair everybody, this phone included, which the page disconnects."""
        assert self._reading is not None
        await self._socket.send(json.dumps({"do": "unpair", "n": 1, "all": True}))
        await asyncio.wait_for(self._reading, PATIENCE_S)

    async def disconnect(self, *, abruptly: bool) -> None:
        """Go, with a goodbye or without."""
        if self._reading is not None:
            self._reading.cancel()
        if abruptly or not self.reads:
            self._socket.transport.abort()
        else:
            await self._socket.close()

    async def _read(self) -> None:
        with suppress(ConnectionClosed):
            async for message in self._socket:
                if str(message).startswith(ANSWER):
                    self._answers.put_nowait(json.loads(message))


class Phones:
    """All phones at one page."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._numbers = count()
        self._random = Random(0)
        self._connected: list[Phone] = []
        self._paired: Phone | None = None
        self._cookie = ""

    async def replace_some(self, code: str) -> None:
        """Replace a third of the phones; one is paired with this code, and no other."""
        if self._paired is not None:
            await self._paired.unpair_all()
        for _ in range(LEAVE_PER_EVENING if self._connected else 0):
            gone = self._connected.pop(self._random.randrange(len(self._connected)))
            await gone.disconnect(abruptly=self._random.random() < 0.5)
        said = json.dumps({"code": code, "name": "Ana", "language": "en"}).encode()
        self._cookie = cookie_in(await ask(self._port, "/pair", said))
        self._paired = await Phone.connect(self._port, next(self._numbers), self._cookie)
        while len(self._connected) < PHONES - 1:
            self._connected.append(await Phone.connect(self._port, next(self._numbers)))

    async def view_past_games(self, evening: int, at: str) -> None:
        """Some look at games, the ``latest`` or any of the ``first``; files are fetched as by a new browser."""
        assert self._paired is not None
        reading = [each for each in self._connected if each.reads]
        last = 0
        for place, phone in enumerate((self._paired, *self._random.sample(reading, VIEWERS - 1))):
            last = max(each["id"] for each in (await phone.ask("games"))["games"])
            wanted = last - place if at == "latest" else self._random.randint(1, min(last, FIRST))
            told = (await phone.ask("game", id=wanted))["game"]
            await phone.ask("steps", id=wanted, **{"from": 0})
            await phone.ask("position", id=wanted, number=told["steps"] // 2)
        language = LANGUAGES[evening % len(LANGUAGES)]
        for path in ("/", "/about.json", f"/words/{language}.json", "/faces.svg", f"/games/game-{last}.json"):
            assert (await ask(self._port, path, cookie=self._cookie)).status == 200, path
        if evening % PRINTS_EVERY == PRINTS_AT:
            answer = await ask(self._port, "/cards", b'{"game": "online"}', cookie=self._cookie)
            assert answer.status == 200, answer.body


async def main(port: int) -> None:
    """Follow commands: an ``evening`` with a code, or ``look`` at games after one."""
    phones = Phones(port)
    while line := await asyncio.to_thread(sys.stdin.readline):
        match line.split():
            case ["evening", code]:
                await phones.replace_some(code)
            case ["look", evening, at]:
                await phones.view_past_games(int(evening), at)
            case _:
                raise AssertionError(line)
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
