"""Whatever a client sends: an answer, never an exception, and no card is lost."""

from __future__ import annotations

import pytest

from demo_page.rig import Visitor

VERBS = ("sit", "stand", "tap", "hold", "put", "lift", "press", "draw", "tap-control", "tap-rows", "speed", "fault")


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
