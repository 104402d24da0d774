"""Hostile tables of a league, each with a valid key and a connection of its own: one floods, one lies, one is malformed
in 200 ways. None of them stops while it is measured how long the others' entries wait."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import cycle

import msgspec
from league.hostile_load import expensive_messages
from league.simulated_games import Journal, simulate_game
from msgspec import Raw
from taptable.league.tables import LeagueTable
from taptable.memory.digest import EMPTY_DIGEST
from taptable.uplink.messages import SECRETS_VERSION, VERSION, Batch, MemberSaid, Position, Topics, Where, encode_signed

from bench.mqtt_wire import Connection, Refused

HOST = "127.0.0.1"
WAYS = 200
MAX_BYTES_PER_S = 12_500_000
"""The most that a table sends, as through a network of 100 Mbit/s. Without it the bench measures how fast this computer
copies."""
MAX_IN_FLIGHT = 20
"""The most messages that the broker hasn't acknowledged: as many as a broker permits a client."""
ANN = "a" * 16

TopicPayload = tuple[str, bytes]


@dataclass
class Hostile:
    """A table that sends these again and again, as fast as the broker accepts them."""

    name: str
    table: LeagueTable
    messages: Sequence[TopicPayload]
    count: int = 0

    async def send(self, port: int) -> None:
        """Until it is cancelled."""
        account = (self.table.id, self.table.key)
        loop, messages = asyncio.get_running_loop(), cycle(self.messages)
        while True:
            connection = Connection(account, Topics(self.table.id).confirmed, _nothing)
            with suppress(Refused, OSError):
                await loop.create_connection(lambda c=connection: c, HOST, port)
                await connection.ready
                began_s, sent = loop.time(), 0
                while not connection.lost.done():
                    while connection.in_flight < MAX_IN_FLIGHT and sent < (loop.time() - began_s) * MAX_BYTES_PER_S:
                        topic, payload = next(messages)
                        connection.publish(topic, payload)
                        self.count += 1
                        sent += len(payload)
                    await asyncio.sleep(0.01)
            connection.close()
            await asyncio.sleep(0.1)


def _nothing(topic: str, payload: bytes) -> None:
    """Ignore a confirmation."""


def hostile_tables(tables: Sequence[LeagueTable]) -> list[Hostile]:
    """Return the messages of three tables: one floods, one lies, one sends malformed messages."""
    makers = {"floods": _flood, "lies": _lies, "malformed": _malformed}
    return [
        Hostile(name, table, list(make(Topics(table.id), bytes.fromhex(table.key))))
        for table, (name, make) in zip(tables, makers.items(), strict=True)
    ]


def _flood(topics: Topics, key: bytes) -> Iterator[TopicPayload]:
    """Games of large manifests, and the same batches over and over."""
    found = [(each.topic, each.payload) for each in expensive_messages(topics.table, key, rounds=2)]
    for said in found:
        yield said
        yield from random.Random(0).choices(found, k=4)


def _lies(topics: Topics, key: bytes) -> Iterator[TopicPayload]:
    """Yield well-formed messages that lie: answers against the rules, other clubs' members, wrong digests, places."""
    for number in range(50):
        game, journal = simulate_game(number % 5), Journal(f"{number % 7:032x}")
        wrong = replace(game.entries[9], answer={"at": 1.0, "verdict": "accepted", "announcements": []})
        journal.play(replace(game, entries=(*game.entries[:9], wrong, *game.entries[10:])), ANN, f"{number:016x}")
        batch = journal.batch(0, 60)
        elsewhere = (Position(journal.identity, 5, "f" * 32), Position(journal.identity, 0, EMPTY_DIGEST))
        for said in (batch, msgspec.structs.replace(batch, branch=number), journal.batch(30, 20)):
            yield topics.entries, encode_signed(said, topics.entries, key)
        yield topics.where, encode_signed(Where(VERSION, elsewhere), topics.where, key)
        member = MemberSaid(VERSION, f"{number:016x}", "=1+1", "#123456", "name", number % 2 == 0)
        yield topics.members, encode_signed(member, topics.members, key)


def _malformed(topics: Topics, key: bytes) -> Iterator[TopicPayload]:
    """Good batches with something wrong in one place, signed or not; payloads that are no batch; and values that are
    none."""
    dice, journal = random.Random(1), Journal("e" * 32)
    journal.play(simulate_game(3))
    good = journal.batch(0, 40)
    body = msgspec.json.encode(good)
    records = list(good.records)
    for way in range(WAYS):
        match way % 5:
            case 0:  # bytes that are others
                place = dice.randrange(len(body))
                changed = body[:place] + dice.randbytes(1 + way % 9) + body[place + way % 7 :]
                yield topics.entries, _signed_bytes(changed, topics.entries, key)
            case 1:  # records that are others, or in another order
                other = Raw(
                    dice.choice((b"null", b"[]", b'["entry",1,0,"note",null,null]', b'["game",1,[]]', b"[" * 900))
                )
                mixed = (
                    [*records[: way % 40], other, *records[way % 40 :]]
                    if way % 2
                    else dice.sample(records, len(records))
                )
                with suppress(msgspec.MsgspecError):
                    yield topics.entries, encode_signed(replace_records(good, mixed), topics.entries, key)
            case 2:  # a position that is none
                odd = {"journal": "é" * (way * 10), "number": 10 ** (way % 40), "digest": "\0" * way}
                yield (
                    topics.entries,
                    _signed_bytes(msgspec.json.encode({"version": 1, "position": odd}), topics.entries, key),
                )
            case 3:  # a member that is none
                member = {"version": way % 3, "id": "x" * way, "name": "\u202e" * way, "secret": "0" * (way % 40)}
                yield topics.members, _signed_bytes(msgspec.json.encode(member), topics.members, key)
            case _:  # not signed, or for another topic
                yield topics.where, dice.randbytes(way * 20)
                secret = MemberSaid(SECRETS_VERSION, ANN, "A", secret="0" * 32)
                yield topics.members, encode_signed(secret, topics.entries, key)


def replace_records(batch: Batch, records: Sequence[Raw]) -> Batch:
    """The batch with other records."""
    return msgspec.structs.replace(batch, records=tuple(records))


def _signed_bytes(body: bytes, topic: str, key: bytes) -> bytes:
    """Bytes with the signature that they would have as a message."""
    import hmac

    signature = hmac.new(key, topic.encode() + b"\n" + body, "sha256").hexdigest().encode()
    return signature + b"\n" + body
