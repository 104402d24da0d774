"""Somebody at the page who asks a topic for something, in given time and without a browser; what the topic publishes is
read as a browser gets it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from table.rig import Evening
from taptable.page.annex import Unfit
from taptable.page.feed import Feed, Had
from taptable.page.fields import Fields
from taptable.page.topics import Asker, Topic
from taptable.words import Words

ENGLISH = Words("en", ("taptable.games.online",))
GERMAN = Words("de", ("taptable.games.online",))


class Asking:
    """Somebody called `name` who asks a topic of a table."""

    def __init__(self, evening: Evening, topic: Topic, name: str = "Ada", words: Words = ENGLISH) -> None:
        self.evening = evening
        self.asker = Asker(name, True, words, "client")
        self._topic = topic
        self._feed = Feed()
        topic.attach(self._feed)
        topic.follow((), evening.session)
        evening.followers.append(topic.follow)

    async def ask(self, verb: str, **fields: Any) -> Mapping[str, Any]:
        """What is answered."""
        return await self._topic.verbs[verb].do(Fields(fields, self.asker.words), self.asker)

    async def sentences(self, verb: str, **fields: Any) -> list[str]:
        """The sentences of the answer."""
        answered = await self.ask(verb, **fields)
        assert answered["waits"] is None
        return [each["text"] for each in answered["said"]]

    async def is_refused(self, verb: str, **fields: Any) -> str:
        """Why it is refused; and then nothing has changed, and nothing is in the journal."""
        before, journalled = self.evening.session, len(self.evening.entries())
        with pytest.raises(Unfit) as unfit:
            await self.ask(verb, **fields)
        assert self.evening.session is before
        assert len(self.evening.entries()) == journalled
        return str(unfit.value)

    @property
    def parts(self) -> dict[str, Any]:
        """Every part that the topic publishes."""
        message, _ = self._feed.greet(Had(anew=True), self.asker.words, {})
        return json.loads(message)["parts"]
