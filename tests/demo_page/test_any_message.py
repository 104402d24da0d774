"""Whatever a client sends: an answer, never an exception, and no card is lost."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from taptable.sim.page.faults import FAULTS

from demo_page.rig import Visitor, at_the_page

VERBS = ("sit", "stand", "tap", "hold", "put", "lift", "press", "draw", "tap-control", "tap-rows", "speed", "fault")
FIELDS = ("seat", "card", "pad", "control", "speed", "fault", "players", "people", "settings", "client")
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
SEATS = st.integers(1, 3)
PADS = SEATS | st.just("discard")
CARDS = st.fixed_dictionaries({"seat": SEATS, "which": st.integers(0, 7), "pad": PADS})
CONTROLS = st.sampled_from(("take-back", "pause", "reshuffle", "check"))
MESSAGES = st.one_of(
    st.tuples(st.sampled_from(("tap", "hold", "put", "lift")), CARDS),
    st.tuples(st.sampled_from(("press", "draw", "tap-rows", "sit", "stand")), st.fixed_dictionaries({"seat": SEATS})),
    st.tuples(st.just("tap-control"), st.fixed_dictionaries({"seat": SEATS, "control": CONTROLS})),
    st.tuples(st.just("fault"), st.fixed_dictionaries({"pad": PADS, "fault": st.sampled_from(FAULTS)})),
    st.tuples(st.sampled_from(VERBS) | st.text(max_size=8), st.dictionaries(st.sampled_from(FIELDS), ODD, max_size=4)),
)


def with_a_card(visitor: Visitor, message: dict[str, Any]) -> dict[str, Any]:
    """The same with a card that the seat holds, where one is meant by number."""
    if "which" not in message:
        return message
    hand = visitor.hand(message["seat"])
    which = message["which"] % len(hand) if hand else 0
    return {**message, "card": hand[which] if hand else "email#1"}


@pytest.mark.long
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow])
@given(
    messages=st.lists(st.tuples(MESSAGES, st.sampled_from((0.0, 0.1, 0.5, 3.0))), max_size=25), compact=st.booleans()
)
async def test_any_messages_at_any_time_are_answered_and_lose_no_card(
    messages: list[tuple[tuple[str, dict[str, Any]], float]], compact: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with at_the_page(Path(folder), players=3, compact=compact) as visitor:
            asked: list[asyncio.Task[dict[str, Any]]] = []
            for (verb, message), wait_s in messages:
                asked.append(asyncio.create_task(visitor.asks(verb, **with_a_card(visitor, message))))
                await asyncio.sleep(wait_s)
            visitor.leaves()
            for answer in await asyncio.gather(*asked):
                assert answer["ok"] or answer["why"].strip()
            visitor.sees()
            await visitor.asks("fault", fault="free-disk")
            await visitor.until(lambda: visitor.room.is_running, "the daemon")
            await asyncio.sleep(5)


@pytest.mark.parametrize("language", ["de", "en", "fr", "nl"])
async def test_a_message_without_what_it_needs_is_answered_in_the_language_of_the_client(
    visitor: Visitor, language: str
) -> None:
    other = Visitor(visitor.evening, language=language)
    for verb in (*VERBS, "new-table", "", "hello?"):
        for message in ({"seat": 99}, {"seat": "1"}, {"seat": None}, {"seat": True}, {}):
            answer = await other.asks(verb, **message, players=0)
            assert not answer["ok"], (verb, message)
            assert " " in answer["why"]
