"""What the bridge publishes during whole games, in given time and without a broker: all announcements, and nothing
private."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from choosing import long_params
from page_server.direct import InProcessLink
from referee.session_rig import SessionRig
from table.fixtures import GIVEN_TIME
from table.rig import GameNight, a_table, run_in_given_time, tags_of
from taptable.api.requests import NamePlayers, Role
from taptable.bridge.messages import TableState, TimeLeft
from taptable.bridge.outbox import MqttOutbox
from taptable.bridge.publisher import TablePublisher
from taptable.bridge.state import UtcClock, state_of
from taptable.bridge.topics import TableTopics
from taptable.config import Account, Config, MqttSettings
from taptable.core.announcements import ClaimFailed, ClaimGiven, GameEnded, WindowOpened
from taptable.core.verdicts import Refused
from taptable.games.online.announcements import HackerStopped
from taptable.narration.updates import Update
from taptable.referee.session import Decision
from taptable.sim.harness import SimulationHarness, running_harness
from taptable.sim.people import Slips
from taptable.words import Vocabulary, Words

SLIPS = Slips(blunder=0.1, too_short=0.04, two_cards=0.03, forget_stop=0.02, false_alarm=0.4, regret=0.06)
LONGEST_S = 3000
NOWHERE = Account("broker.invalid", 1883)
TOPICS = TableTopics("taptable", "home")
NAMES = ("Anna-Lena", "Bartholomäus", "Chiara")
STRANGE = "04deadbeef4242"
"""A tag that is in no deck."""


class Kept(MqttOutbox):
    """Keeps all that was to be said."""

    def __init__(self) -> None:
        super().__init__(TOPICS.event)
        self.said: list[tuple[str, Any]] = []

    def retain(self, topic: str, payload: bytes) -> None:
        super().retain(topic, payload)
        self.said.append((topic, payload))

    def add_event(self, payload: bytes) -> None:
        super().add_event(payload)
        self.said.append((TOPICS.event, payload))

    def at(self, topic: str) -> list[Any]:
        """The messages at a topic."""
        return [json.loads(payload) for each, payload in self.said if each == topic]


class Ear:
    """The publisher of a table, with everything that it published."""

    def __init__(self, table: InProcessLink, **settings: Any) -> None:
        self.outbox = Kept()
        self._telling = TablePublisher(table, MqttSettings(NOWHERE, **settings), TOPICS, self.outbox)
        self.on_connected = self._telling.on_connected
        self.on_topics_changed = self._telling.on_topics_changed
        self.on_disconnected = self._telling.on_disconnected
        self.read_on = self._telling.following.read_on


@asynccontextmanager
async def an_evening(
    config: Config, heard: list[Decision], **settings: Any
) -> AsyncIterator[tuple[SimulationHarness, Ear]]:
    """Virtual players at a table, and what is published about it; `heard` gets the referee's decisions."""

    def on_update(update: Update) -> None:
        heard.extend(event for event in update.events if isinstance(event, Decision))

    async with running_harness(config, seed=7, slips=SLIPS, subscriber=on_update) as room:
        direct = InProcessLink(room.daemon.api, Role.BRIDGE)
        ear = Ear(direct, **settings)
        direct.tell(ear)
        try:
            yield room, ear
        finally:
            direct.leave()


def announced(heard: list[Decision]) -> Iterator[object]:
    for each in heard:
        yield from each.verdict.announcements


@pytest.mark.parametrize("names", long_params([False, True]))
def test_a_whole_game_is_published_and_nothing_private(names: bool, tmp_path: Path) -> None:
    config = a_table(tmp_path, 3, "en", starter=None, quota_email="2", quota_music="1", quota_game="1", quota_movie="1")
    heard: list[Decision] = []

    async def evening() -> Kept:
        async with an_evening(config, heard, names=names) as (room, ear):
            room.daemon.api.do(Role.ADMIN, NamePlayers(NAMES))
            room.people.start_players()
            await asyncio.sleep(20)
            room.table.put(STRANGE, 1)
            await asyncio.sleep(1)
            room.table.lift(STRANGE, 1)
            await asyncio.wait_for(room.people.game_over.wait(), LONGEST_S)
            await asyncio.sleep(1)
            return ear.outbox

    said = run_in_given_time(evening)
    events = said.at(TOPICS.event)
    counted = Counter((event["event"], event["event_type"]) for event in events)
    kinds = Counter(map(type, announced(heard)))
    assert counted["hacker", "struck"] == kinds[WindowOpened] > 0
    assert counted["patrol", "first"] == kinds[ClaimGiven] > 0
    assert counted["patrol", "false-alarm"] == kinds[ClaimFailed]
    assert counted["patrol", "stopped"] == kinds[HackerStopped] > 0
    refused = [each for each in heard if isinstance(each.verdict, Refused) and not each.is_meaningless_hold]
    assert counted["refusal", "refused"] == len(refused) > 0
    assert counted["game-over", "over"] == kinds[GameEnded] > 0
    for event in events:
        if (event["event"], event["event_type"]) == ("patrol", "first"):
            assert event["hacker"] != event["seat"]
            assert event["bound_us"] > 0
    over = next(event for event in events if event["event"] == "game-over")
    scores = [place["score"] for place in over["places"]]
    assert over["places"][0]["place"] == 1
    assert over["unit"] == "MB"
    assert sorted(scores) == sorted(team["score"] for team in last_over(said)["teams"])
    everything = b"\n".join(payload for _, payload in said.said).decode()
    for tag in (*tags_of(config).values(), STRANGE):
        assert tag not in everything
    assert [name in everything for name in NAMES] == [names] * 3


def last_over(said: Kept) -> Any:
    """The first state in which the game is over."""
    return next(state for state in said.at(TOPICS.state) if state["phase"] == "over")


@pytest.mark.parametrize("anyio_backend", [GIVEN_TIME], ids=[""])
async def test_a_window_is_published_with_its_end_and_who_may_buzz(at: GameNight) -> None:
    direct = InProcessLink(at.daemon.api, Role.BRIDGE)
    ear = Ear(direct)
    direct.tell(ear)
    await at.tap("online#1", 1)
    await at.tap("hacker#1", 1)
    state = ear.outbox.at(TOPICS.state)[-1]
    assert state["phase"] == "window"
    window = state["window"]
    assert (window["seat"], window["may_buzz"], window["claimant"]) == (1, [2], None)
    assert 0 < window["left_s"] < 15
    await at.buzz(2)
    await asyncio.sleep(1)
    state = ear.outbox.at(TOPICS.state)[-1]
    assert (state["phase"], state["window"]["claimant"]) == ("claim", 2)
    await at.control("pause", "discard")
    state = ear.outbox.at(TOPICS.state)[-1]
    assert (state["phase"], state["paused"], state["window"]) == ("paused", True, None)
    at.table.stand_in("board").boards[2].pull_out()
    await at.next_lost("board 2")
    await asyncio.sleep(0)
    faults = ear.outbox.at(TOPICS.state)[-1]["faults"]
    assert "board 2" in [fault["about"] for fault in faults]
    direct.leave()
    assert ear.outbox.said[-1] == (TOPICS.online, b"offline")


def test_r10_3_the_time_left_is_published_as_a_moment_that_a_pause_takes_away() -> None:
    def told(evening: SessionRig) -> TableState:
        clock = UtcClock(evening.now_us, datetime(2026, 11, 26, 20, tzinfo=UTC))
        return state_of(evening.session, "Home", {}, stuck=False, clock=clock, words=Words("en", Vocabulary()))

    evening = SessionRig(time_limit_s="900").wait(100)
    assert told(evening).time == TimeLeft("2026-11-26T20:13:20.000Z", 800.0)
    evening.control("pause").wait(50)
    assert told(evening).time == TimeLeft(None, 799.8)  # a control card counts 0.2 s after it was put down
    evening.press(1).wait(900)
    last_turn = told(evening).time
    assert last_turn is not None
    assert last_turn.left_s == 0
    assert "2026-11-26T19:58" < (last_turn.ends or "") < "2026-11-26T19:59"
    evening.press(1)
    assert (told(evening).phase, told(evening).time) == ("over", None)
    assert told(SessionRig()).time is None
    evening = SessionRig(time_limit_s="900").tap("hacker#1", 1).tap("cyber-patrol#1", 2).wait(1)
    assert told(evening).skips == (1,)
