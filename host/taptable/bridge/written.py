"""How far the table's journal goes, by the table's word, for who passes on what stands in it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from taptable.api.facts import JournalFacts, TableFacts


class Written:
    """An onlooker of a table's link: `journal` is what was told last, None while the table is away; `news` is set
    whenever that is another, and to be cleared by the one who waits for it."""

    def __init__(self) -> None:
        self.journal: JournalFacts | None = None
        self.news = asyncio.Event()

    def came(self, facts: TableFacts) -> None:
        """The table is there; what it has written it tells next."""

    def changed(self, topics: Mapping[str, Any]) -> None:
        """These of its topics are so now."""
        if "journal" in topics:
            self.journal = topics["journal"]
            self.news.set()

    def away(self) -> None:
        """It isn't there any more."""
        self.journal = None
        self.news.set()
