"""Attacks of a neighbour on the network against the page of a table, each by itself, from addresses of this computer;
floods of a board on its cable; and a newcomer who only wants to watch meanwhile. Also a program, so that an attack
takes no time of the table's own process: it prints when it is ready, begins with the next line of its input, runs for
the given seconds, and prints the result in JSON."""

from __future__ import annotations

import asyncio
import json
import math
import os
import select
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, islice, repeat

from tapshared.sentences import Message, encode
from tapshared.version import FIRMWARE
from taptable.drivers.board.usb_model import PRINT_OUTS

from page_access.frames import CLOSE, PING, TEXT, Wire, frame, upgrade

MAX_TRIES = 20_000
"""Limit for the tries of one attack from one address."""
MAX_HELD = 190
"""Connections that an attack holds from one address: nearly as many as one may have."""
REFUSED_S = 0.25
"""Seconds for which a client that was turned away waits before the next try."""
DRIP_S = 0.05
"""Between two letters of a slow request."""
MIN_S = 1.0
"""A newcomer who would have less time than this doesn't come any more, in seconds."""
SLICE_S = 0.01
"""`burn` rests for this long at a time."""

LINES = b"".join(b"a%d:b\r\n" % number for number in range(7000))[:60_000].rpartition(b"\r\n")[0]
HELLO = frame(TEXT, b'{"do":"hello","language":"en","n":1}')
GAMES = frame(TEXT, b'{"do":"games","n":1}')
GAME = frame(TEXT, b'{"do":"game","n":1,"id":1}')
ECHO = frame(TEXT, b'{"do":"echo","n":1,"text":"%s"}' % (b"x" * 16_000))
PINGS = frame(PING, b"") * 300
WORDS = b"GET /words/de.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
STANDINGS = b"GET /data/standings.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
PASSWORD = (
    b"POST /admin/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 37\r\n\r\n{"name":"ada","password":"a guess!!"}'
)
GONE = (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError)


@dataclass
class Attacker:
    """One address from which an attack is made, with the number of tries."""

    port: int
    address: str
    until_s: float
    tries: int = 0
    held: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])

    @property
    def goes_on(self) -> bool:
        """Return whether another try is allowed, by time and by number."""
        return self.tries < MAX_TRIES and time.monotonic() < self.until_s

    async def connect(self) -> Wire:
        """Another connection."""
        return Wire(*await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0)))

    def hold(self, wire: Wire) -> None:
        """Keep a connection open, at the cost of the oldest if there are too many."""
        self.held.append(wire.writer)
        if len(self.held) > MAX_HELD:
            self.held.pop(0).close()

    @asynccontextmanager
    async def connected(self) -> AsyncGenerator[Wire]:
        """A connection, and its end."""
        wire = await self.connect()
        try:
            yield wire
        finally:
            wire.writer.close()

    @asynccontextmanager
    async def live(self) -> AsyncGenerator[Wire]:
        """A live connection that has been greeted."""
        async with self.connected() as wire:
            wire.writer.write(upgrade(self.port))
            await wire.reader.readuntil(b"\r\n\r\n")
            wire.send(HELLO)
            await until_answered(wire)
            yield wire


async def until_answered(wire: Wire) -> None:
    """Read up to the next answer; ConnectionError if there will be none."""
    while True:
        code, payload = await wire.next()
        if code == CLOSE:
            raise ConnectionResetError
        if payload.startswith(b'{"answer"'):
            return


async def big_headers(attacker: Attacker) -> None:
    """A request of 60 kB of short header lines; its connection is held."""
    wire = await attacker.connect()
    attacker.hold(wire)
    wire.writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + LINES + b"\r\n\r\n")
    attacker.tries += 1
    await wire.reader.read(1)


async def closed_gets(attacker: Attacker) -> None:
    """A request whose sender doesn't wait for the answer."""
    async with attacker.connected() as wire:
        wire.writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        attacker.tries += 1


def requesting(request: bytes) -> Callable[[Attacker], Awaitable[None]]:
    """The same request again and again, each once the last is answered."""

    async def ask(attacker: Attacker) -> None:
        async with attacker.connected() as wire:
            while attacker.goes_on:
                wire.writer.write(request)
                head = await wire.reader.readuntil(b"\r\n\r\n")
                await wire.reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
                attacker.tries += 1

    return ask


def asking(*questions: bytes) -> Callable[[Attacker], Awaitable[None]]:
    """Questions on a live connection, each once the last is answered."""

    async def ask(attacker: Attacker) -> None:
        async with attacker.live() as wire:
            while attacker.goes_on:
                for question in questions:
                    wire.send(question)
                    await until_answered(wire)
                    attacker.tries += 1

    return ask


async def reconnects(attacker: Attacker) -> None:
    """A greeting, and the next."""
    async with attacker.live():
        attacker.tries += 1


async def slow_requests(attacker: Attacker) -> None:
    """A request that never ends, letter by letter."""
    async with attacker.connected() as wire:
        wire.writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        while attacker.goes_on and not wire.reader.at_eof():
            wire.writer.write(b"x")
            await wire.writer.drain()
            attacker.tries += 1
            await asyncio.sleep(DRIP_S)


async def idle_watchers(attacker: Attacker) -> None:
    """Clients that say hello and nothing more."""
    async with attacker.live() as wire:
        attacker.tries += 1
        while await wire.reader.read(1 << 16):
            pass
        raise ConnectionResetError


async def pings(attacker: Attacker) -> None:
    """Pings on a live connection, as many as it takes, without waiting for the answers."""
    async with attacker.live() as wire:
        reading = asyncio.ensure_future(until_gone(wire))
        try:
            attacker.tries += 1
            while not reading.done():
                wire.writer.write(PINGS)
                await wire.writer.drain()
                await asyncio.sleep(0)
        finally:
            reading.cancel()


async def until_gone(wire: Wire) -> None:
    """Read everything that comes."""
    while await wire.reader.read(1 << 16):
        pass


@dataclass(frozen=True)
class Attack:
    """An attack that is repeated, and how many run at a time from one address."""

    attempt: Callable[[Attacker], Awaitable[None]]
    concurrency: int


ATTACKS: Mapping[str, Attack] = {
    "headers": Attack(big_headers, 16),
    "gets": Attack(closed_gets, 16),
    "words": Attack(requesting(WORDS), 8),  # the largest file that is made at each request
    "questions": Attack(asking(HELLO), 16),
    "reconnecting": Attack(reconnects, 16),
    "history": Attack(asking(GAMES, GAME), 16),
    "slow": Attack(slow_requests, MAX_HELD),
    "watchers": Attack(idle_watchers, 32),
    "echo": Attack(asking(ECHO), 16),
    "pings": Attack(pings, 32),
}
OF_A_LEAGUE: Mapping[str, Attack] = {
    **ATTACKS,
    "standings": Attack(requesting(STANDINGS), 8),
    "passwords": Attack(requesting(PASSWORD), 8),
}
"""Attacks on the page of a league."""


def hellos(board: str) -> Iterator[bytes]:
    """Greetings of a board that reports a restart each time."""
    about: dict[str, int | str] = {"protocol": 1, "board": board, "firmware": FIRMWARE, "pads": 1, "pixels": 12}
    for boot in count(1_000_000):
        yield encode(Message("hello", {**about, "buttons": 1, "boot": boot, "oldest": 1}))


OF_A_BOARD: Mapping[str, Callable[[str], Iterator[bytes]]] = {
    "feeds": lambda _board: repeat(b"\n" * 4096),
    "blanks": lambda _board: repeat(b" \r\n" * 1024),
    "damage": lambda _board: repeat(b"#1 tag 04a1b2c3 7*deadbeef\n" * 100),
    "hellos": hellos,
    "tracebacks": lambda _board: repeat(PRINT_OUTS[-1] * 40),
    "taps": lambda _board: (
        encode(Message("tag", {"uid": f"04{number:012x}", "ticks": number, "how": ""}, number)) for number in count(1)
    ),
}
"""The output of a board at full speed, for its id."""


def flood(name: str, seconds: float, descriptor: int, board: str) -> dict[str, float]:
    """Write into a board's end of its cable for `seconds`, as fast as the other end reads; return the number of
    bytes."""
    until_s, tries = time.monotonic() + seconds, 0
    says, rest = OF_A_BOARD[name](board), b""
    while (left_s := until_s - time.monotonic()) > 0:
        if select.select([], [descriptor], [], left_s)[1]:
            rest = rest or b"".join(islice(says, 50))[:8192].rpartition(b"\n")[0] + b"\n"
            with suppress(BlockingIOError):
                written = os.write(descriptor, rest)
                rest, tries = rest[written:], tries + written
    return {"tries": tries}


async def attack(name: str, port: int, seconds: float, addresses: Sequence[str]) -> dict[str, float]:
    """Attack for `seconds`; return how often it was tried."""
    until_s = time.monotonic() + seconds
    attackers = [Attacker(port, address, until_s) for address in addresses]

    async def keep_on(attacker: Attacker) -> None:
        while attacker.goes_on:
            try:
                await OF_A_LEAGUE[name].attempt(attacker)
            except GONE:
                await asyncio.sleep(REFUSED_S)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds), asyncio.TaskGroup() as trying:
            for each in attackers:
                for _ in range(OF_A_LEAGUE[name].concurrency):
                    trying.create_task(keep_on(each))
    return {"tries": sum(each.tries for each in attackers)}


async def newcomer(port: int, seconds: float, address: str, times: int = MAX_TRIES) -> dict[str, float]:
    """Come, watch, ask for a code and leave, again and again, at most `times` times. Returns how often that was tried,
    how often each succeeded, and how long 95 of 100 and all of them waited until there was something to see."""
    told = {"came": 0, "watched": 0, "codes": 0, "p95_s": 0.0, "longest_s": 0.0}
    waits_s: list[float] = []
    end_s = time.monotonic() + seconds
    while told["came"] < times and (began_s := time.monotonic()) < end_s - MIN_S:
        told["came"] += 1
        with suppress(*GONE):
            async with asyncio.timeout(end_s - began_s), Attacker(port, address, end_s).live() as wire:
                told["watched"] += 1
                waits_s.append(time.monotonic() - began_s)
                wire.send(frame(TEXT, b'{"do":"show-code","n":2}'))
                await until_answered(wire)
                told["codes"] += 1
        await asyncio.sleep(REFUSED_S)
    if waits_s:
        waits_s.sort()
        told |= {"p95_s": waits_s[math.ceil(0.95 * len(waits_s)) - 1], "longest_s": waits_s[-1]}
    return told


def burn(seconds: float, share: float, nice: int) -> dict[str, float]:
    """Do nothing with this share of a processor, as far as other processes leave it."""
    os.nice(nice)
    began_s, busy_s = time.monotonic(), time.process_time()
    while (gone_s := time.monotonic() - began_s) < seconds:
        if time.process_time() - busy_s >= share * gone_s:
            time.sleep(SLICE_S)
    return {}


def main(name: str, seconds: float, *more: str) -> None:
    """Run the attack, and print its result."""
    print("here", flush=True)
    sys.stdin.readline()
    before_s = time.process_time()
    match name:
        case "burn":
            told = burn(seconds, float(more[0]), int(more[1]))
        case "newcomer":
            told = asyncio.run(newcomer(int(more[0]), seconds, more[1], *map(int, more[2:])))
        case _ if name in OF_A_BOARD:
            told = flood(name, seconds, int(more[0]), more[1])
        case _:
            told = asyncio.run(attack(name, int(more[0]), seconds, more[1:]))
    print(json.dumps({**told, "busy_s": time.process_time() - before_s}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), *sys.argv[3:])
