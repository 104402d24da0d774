"""The list of members reaches the league, which deletes a deleted member too."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from servers import Mosquitto
from table.fixtures import GIVEN_TIME
from taptable.bridge.members_publisher import REPEAT_CODES_S, REPEAT_S, MembersPublisher
from taptable.memory.members import id_of
from taptable.uplink.messages import SECRETS_VERSION, VERSION, AwayCodeShown, MemberAway, MemberSaid, Topics

from uplink.rig import Bridge, JournalServer, TinyLeague, running, until

ANNA, BEN = "0123456789abcdef", "fedcba9876543210"


@dataclass(frozen=True)
class Member:
    """As the table's topic has it."""

    id: str
    name: str
    colour: str = "#aa0000"
    shown: str = "name"
    tags: int = 1


@pytest.fixture
def league(broker: Mosquitto, table: str) -> TinyLeague:
    return TinyLeague(broker.port, table)


@pytest.fixture
def bridge(broker: Mosquitto, table: str, book: JournalServer, tmp_path: Path) -> Bridge:
    return Bridge(book, broker.port, table, tmp_path)


def said(member: Member) -> MemberSaid:
    assert member.shown in {"name", "initial", "nothing"}
    return MemberSaid(VERSION, member.id, member.name, member.colour, member.shown)  # pyright: ignore[reportArgumentType]


async def test_members_are_published_as_they_are_and_as_they_change(league: TinyLeague, bridge: Bridge) -> None:
    members = league.store.members
    anna, ben = Member(ANNA, "Anna"), Member(BEN, "Ben", shown="nothing")
    async with running(league.run(), bridge.run()):
        await until(lambda: league.ready, "the league isn't there")
        bridge.uplink.on_topics_changed({"members": (anna, ben)})
        await until(lambda: members == {ANNA: said(anna), BEN: said(ben)}, "the members aren't told of")
        told = len(league.heard)
        anna = Member(ANNA, "Änne", "#00aa00", "initial", tags=2)
        bridge.uplink.on_topics_changed({"members": (anna, ben)})
        await until(lambda: members[ANNA] == said(anna), "the change isn't told")
        bridge.uplink.on_topics_changed({"members": (ben,), "deleted-members": (ANNA,)})
        await until(lambda: members[ANNA].deleted, "nobody is told that she was deleted")
        assert members[ANNA] == MemberSaid(VERSION, ANNA, deleted=True)
        assert [each for each in league.heard[told:] if isinstance(each, MemberSaid) and each.id == BEN] == []


async def test_a_member_s_secret_is_shown_to_the_league_alive_or_deleted(
    league: TinyLeague, bridge: Bridge, book: JournalServer
) -> None:
    secrets = {id_of(secret): secret for secret in ("0" * 32, "f" * 32)}
    alive, gone = book.secrets = secrets
    members = league.store.members
    book.is_online = False
    async with running(league.run(), bridge.run()):
        await until(lambda: league.ready, "the league isn't there")
        # while the table doesn't answer, nothing is said that would lack what shows it
        topics = {"members": (Member(alive, "Anna"), Member(ANNA, "Old")), "deleted-members": (gone, BEN)}
        bridge.uplink.on_topics_changed(topics)
        await until(lambda: book.asked > 0, "the table isn't asked")
        assert members == {}
        book.is_online = True
        bridge.uplink.on_topics_changed(topics)
        await until(lambda: len(members) == 4, "the members aren't told of")
    for member, secret in secrets.items():
        assert (members[member].version, members[member].secret) == (SECRETS_VERSION, secret)
        assert members[member].deleted is (member == gone)
    for old in (ANNA, BEN):
        assert (members[old].version, members[old].secret) == (VERSION, "")


async def test_who_was_deleted_while_the_bridge_was_away_is_deleted_in_the_league_too(
    league: TinyLeague, bridge: Bridge, broker: Mosquitto, table: str, book: JournalServer, tmp_path: Path
) -> None:
    async with running(league.run()):
        await until(lambda: league.ready, "the league isn't there")
        async with running(bridge.run()):
            bridge.uplink.on_topics_changed({"members": (Member(ANNA, "Anna"), Member(BEN, "Ben"))})
            await until(lambda: len(league.store.members) == 2, "the members aren't told of")
        again = Bridge(book, broker.port, table, tmp_path)
        async with running(again.run()):
            again.uplink.on_topics_changed({"members": (Member(BEN, "Ben"),), "deleted-members": (ANNA,)})
            await until(lambda: league.store.members[ANNA].deleted, "nobody is told that she was deleted")
            assert not league.store.members[BEN].deleted


async def test_a_damaged_file_of_members_deletes_nobody_in_the_league(league: TinyLeague, bridge: Bridge) -> None:
    async with running(league.run(), bridge.run()):
        await until(lambda: league.ready, "the league isn't there")
        bridge.uplink.on_topics_changed({"members": (Member(ANNA, "Anna"),), "deleted-members": ()})
        await until(lambda: ANNA in league.store.members, "nobody is told of")
        bridge.uplink.on_topics_changed({"members": (), "deleted-members": ()})
        bridge.uplink.on_topics_changed({"members": (Member(BEN, "Ben"),), "deleted-members": ()})
        await until(lambda: BEN in league.store.members, "nobody is told of")
        assert league.store.members[ANNA] == said(Member(ANNA, "Anna"))


async def test_a_league_that_has_forgotten_learns_of_everybody_with_the_next_connection(
    league: TinyLeague, bridge: Bridge
) -> None:
    bridge.uplink.on_topics_changed({"members": (Member(ANNA, "Anna"),)})
    async with running(league.run()):
        await until(lambda: league.ready, "the league isn't there")
        for _ in range(2):
            league.store.members.clear()
            async with running(bridge.run()):
                await until(lambda: ANNA in league.store.members, "nobody is told of")


async def test_codes_that_are_shown_and_entered_are_sent_once_and_again_with_the_next_connection(
    league: TinyLeague, bridge: Bridge, book: JournalServer, broker: Mosquitto, table: str, tmp_path: Path
) -> None:
    digest, secret, code = "0" * 64, "f" * 32, "0123456789"
    both = [AwayCodeShown(VERSION, digest), MemberAway(VERSION, secret, code)]
    async with running(league.run()):
        await until(lambda: league.ready, "the league isn't there")
        async with running(bridge.run()):
            bridge.uplink.on_topics_changed({"members": (Member(ANNA, "Anna"),), "away": 0})
            await until(lambda: ANNA in league.store.members, "nobody is told of")
            assert league.away == []
            book.away = {"codes": [digest], "play": []}
            bridge.uplink.on_topics_changed({"away": 1})
            await until(lambda: league.away == both[:1], "the code isn't told of")
            book.away = {"codes": [digest], "play": [{"secret": secret, "code": code}]}
            bridge.uplink.on_topics_changed({"away": 2})
            await until(lambda: league.away == both, "nobody is told who plays away")
        again = Bridge(book, broker.port, table, tmp_path)
        async with running(again.run()):
            again.uplink.on_topics_changed({"away": 2})
            await until(lambda: league.away == both * 2, "it isn't said again")


class Publisher:
    """An MQTT client that notes what is published at which time."""

    def __init__(self) -> None:
        self.published: list[tuple[float, str]] = []

    async def publish(self, topic: str, _: bytes, qos: int) -> None:
        assert qos == 1
        self.published.append((asyncio.get_running_loop().time(), topic))


@pytest.mark.parametrize("anyio_backend", [GIVEN_TIME], ids=[""])
async def test_codes_are_repeated_while_they_are_valid_and_members_rarely(book: JournalServer, table: str) -> None:
    client: Any = Publisher()
    topics = Topics(table)
    told = MembersPublisher(topics, bytes(32), book.call)
    told.set_members((Member(ANNA, "Anna"),))
    told.set_away_count(2)
    book.away = {"codes": ["0" * 64], "play": [{"secret": "f" * 32, "code": "0123456789"}]}
    begun_s = asyncio.get_running_loop().time()
    async with running(told.publish(client)):
        await asyncio.sleep(REPEAT_CODES_S * 3 + 1)
        book.away = {"codes": [], "play": []}  # an hour is over
        await asyncio.sleep(REPEAT_S * 2)
    said = {
        topic: [round(at_s - begun_s) for at_s, each in client.published if each == topic]
        for topic in (topics.members, topics.away_codes, topics.away)
    }
    at_s = [round(REPEAT_CODES_S * number) for number in range(4)]
    assert said == {
        topics.members: [0, REPEAT_S + at_s[-1] + REPEAT_CODES_S],
        topics.away_codes: at_s,
        topics.away: at_s,
    }
