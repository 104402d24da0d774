"""A broker that lies: it reorders, holds back for long, repeats, and forges, both ways. A real league counts nothing
twice, and the bridge takes nothing for confirmed that the league hasn't confirmed: both sign what they say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
import pytest
from aiomqtt import Client
from choosing import long_params
from league.sending import League, Sender, stored
from servers import Mosquitto
from sqlalchemy import select
from taptable.bridge.league_uplink import LeagueUplink
from taptable.bridge.state_files import UplinkStateFile, league_state_file_of
from taptable.league.database import migrate, open_database, read_transaction
from taptable.league.ingest import MqttMessage
from taptable.league.schema import games
from taptable.uplink.messages import VERSION, Confirmed, Position, decode_signed, encode_signed

from uplink.rig import SHORT_PATIENCE, Bridge, JournalServer, TinyLeague, running, until

STEPS, A_STEP = 8, 6
"""How often a bridge begins again, and how many messages are carried meanwhile."""


class WatchedKept(UplinkStateFile):
    """A bridge's state file, with every position that it ever took for confirmed."""

    places: list[Position]

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name == "confirmed" and self.confirmed is not None:
            self.__dict__.setdefault("places", []).append(self.confirmed.position)


@dataclass
class Liar:
    """A broker's treatment of the messages that it should carry, as long as it isn't `honest`."""

    dice: random.Random
    honest: bool = False
    carried: list[MqttMessage] = field(default_factory=list[MqttMessage])

    def carries(self, message: MqttMessage) -> Iterator[MqttMessage]:
        """The messages that come out for one that went in."""
        self.carried.append(message)
        if self.honest:
            yield message
            return
        if self.dice.random() < 0.7:  # else it comes much later, if at all
            yield message
        for _ in range(self.dice.randrange(3)):
            old = self.dice.choice([each for each in self.carried if each.topic == message.topic])
            yield old
            yield self.forged(old)

    def forged(self, message: MqttMessage) -> MqttMessage:
        """Something that nobody said, made of what somebody did."""
        signature, _, body = message.payload.partition(b"\n")
        digit = self.dice.randrange(10)
        bodies = (
            body.replace(b'"number":', b'"number":%d' % digit),
            body[:-1] + b',"remark":"revoked"}',
            body.replace(b'"branch":0', b'"branch":7'),
        )
        forgeries = (
            *(signature + b"\n" + each for each in bodies if each != body),
            body,
            b"0" * 64 + b"\n" + body,
            self.dice.randbytes(64) + b"\n" + body,
        )
        return MqttMessage(message.topic, self.dice.choice(forgeries))


def confirming(topic: str, payload: bytes, confirmed: str) -> MqttMessage:
    """As if the league had stored all before a batch, or all that a question names: a broker reads that."""
    body = msgspec.json.decode(payload.partition(b"\n")[2])
    position = msgspec.convert(body["position"] if "position" in body else body["known"][0], Position)
    return MqttMessage(confirmed, encode_signed(Confirmed(VERSION, position, 0), topic, bytes(32)))


class RealLeague(TinyLeague):
    """The league's own ingest at the broker's other end, behind the liar."""

    def __init__(self, port: int, sender: Sender, liar: Liar) -> None:
        super().__init__(port, sender.table.id)
        self.said: set[Position] = set()
        self._sender = sender
        self._liar = liar

    async def say_where(self) -> None:
        """It only answers."""

    async def _hear(self, client: Client, topic: str, payload: bytes) -> None:
        if not self._liar.honest and topic != self._sender.topics.members:
            forged = confirming(topic, payload, self._sender.topics.confirmed)
            await client.publish(forged.topic, forged.payload, qos=1, retain=True)
        for brought in self._liar.carries(MqttMessage(topic, payload)):
            for answer in self._sender.league.deliver(brought):
                key = bytes.fromhex(self._sender.table.key)
                self.said.add(decode_signed(answer.payload, answer.topic, key, Confirmed).position)
                for carried in self._liar.carries(answer):
                    await client.publish(carried.topic, carried.payload, qos=1, retain=True)


class WatchedBridge(Bridge):
    """A bridge with the key that the league gave its table."""

    def __init__(self, book: JournalServer, port: int, sender: Sender, folder: Path) -> None:
        super().__init__(book, port, sender.table.id, folder)
        self.kept: WatchedKept = WatchedKept(league_state_file_of(folder, sender.table.id))
        key = bytes.fromhex(sender.table.key)
        self.uplink = LeagueUplink(sender.table.id, key, book.call, self.kept, SHORT_PATIENCE)
        facts: object = None
        self.uplink.on_connected(facts)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("seed", long_params(range(8)))
async def test_nothing_counts_twice_and_nothing_is_taken_for_confirmed_that_is_not(
    seed: int, broker: Mosquitto, book: JournalServer, tmp_path: Path
) -> None:
    engine = open_database(f"sqlite:///{tmp_path}/league.sqlite")
    migrate(engine)
    sender = League(engine).table()
    dice = random.Random(seed)
    liar = Liar(dice)
    league = RealLeague(broker.port, sender, liar)
    journal = book.journal.identity.journal
    taken: set[Position] = set()
    bridge = WatchedBridge(book, broker.port, sender, tmp_path)

    def said_enough(bridge: WatchedBridge, carried: int) -> bool:
        place = bridge.kept.confirmed
        return len(liar.carried) > carried or (place is not None and place.position.number == book.last)

    async with running(league.run()):
        await until(lambda: league.ready, "there is no league")
        for step in range(STEPS):
            if step == STEPS // 2:  # a week later
                league_state_file_of(tmp_path, sender.table.id).unlink(missing_ok=True)
                bridge = WatchedBridge(book, broker.port, sender, tmp_path)
            async with running(bridge.run()):
                book.write(dice.choice((1, 40, 300)), games=dice.choice((0, 1)))
                bridge.news()
                carried = len(liar.carried) + A_STEP
                await until(partial(said_enough, bridge, carried), "nothing is said")
            taken.update(bridge.kept.__dict__.get("places", []))
        liar.honest = True
        async with running(bridge.run()):
            bridge.news()
            await until(
                lambda: (at := bridge.kept.confirmed) and at.position.number == book.last, "not all is confirmed"
            )
            taken.update(bridge.kept.places)
    assert taken <= league.said
    with read_transaction(engine) as connection:
        branches = stored(connection, sender.table.id)  # an old question that is repeated may have begun some
        counted = connection.execute(select(games.c.in_journal).where(games.c.superseded.is_(False))).scalars().all()
    last = branches[max(branches)]
    assert last == book.texts[-len(last) :]
    assert {name for name, _ in branches} == {journal}
    assert {text for texts in branches.values() for text in texts} == set(book.texts)
    assert sorted(counted) == [game.id for game in book.journal.games()]
    engine.dispose()
