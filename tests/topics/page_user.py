"""A user of the page who sends requests to the table, in given time and without a browser, and reads what is published
as a browser gets it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from page_server.direct import InProcessLink
from table.rig import GameNight
from taptable.api.errors import RequestError
from taptable.page.feed import ClientState
from taptable.page.messages import Requester
from taptable.page.page import Page
from taptable.words import Words

ENGLISH = Words("en", ("taptable.games.online",))
GERMAN = Words("de", ("taptable.games.online",))


class PageUser:
    """A user at the page of a table, who uses the language of these words."""

    def __init__(self, evening: GameNight, words: Words = ENGLISH) -> None:
        self.evening = evening
        self.table = InProcessLink(evening.daemon.api)
        self.page = Page(self.table)
        self.table.tell(self.page)
        self.requester = Requester("page", True, words, "client")

    async def ask(self, verb: str, **fields: Any) -> Mapping[str, Any]:
        """Send a request and return the answer."""
        return await self.page.ask(verb, fields, self.requester)

    async def sentences(self, verb: str, **fields: Any) -> list[str]:
        """The sentences of the answer."""
        answered = await self.ask(verb, **fields)
        assert answered["waits"] is None
        return [each["text"] for each in answered["said"]]

    async def is_refused(self, verb: str, **fields: Any) -> str:
        """Why it is refused; and then nothing has changed, and nothing is in the journal."""
        before, journalled = self.evening.session, len(self.evening.entries())
        with pytest.raises(RequestError) as refused:
            await self.ask(verb, **fields)
        assert self.evening.session is before
        assert len(self.evening.entries()) == journalled
        return refused.value.text(self.requester.words)

    @property
    def parts(self) -> dict[str, Any]:
        """Every part that is published."""
        self.table.say()
        message, _ = self.page.greet(ClientState(resend_texts=True), self.requester.words)
        return json.loads(message)["parts"]
