"""What may be built on to the page: parts and streams of its own, deeds, and files for the browser. A real table has no
annex; the simulator's has the hands and the hardware. Must not know any."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path
from typing import Any, Protocol

from taptable.edges.page.feed import Feed
from taptable.words import Words


class Unfit(Exception):
    """A message of a client that can't be; its text is a sentence in the client's language."""


class Annex(Protocol):
    """An annex of one page."""

    @property
    def static(self) -> Path:
        """The folder of its files, served below ``/annex/``."""
        ...

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules among them that the page loads and starts."""
        ...

    @property
    def styles(self) -> tuple[str, ...]:
        """The style sheets among them that the page loads."""
        ...

    @property
    def speed(self) -> float:
        """How many seconds of table time pass in a second outside."""
        ...

    async def outside(self, seconds: float) -> None:
        """Wait while so many seconds pass outside."""
        ...

    def about(self) -> Mapping[str, Any]:
        """What the page is to know of it from the start, ready for JSON."""
        ...

    def attach(self, feed: Feed, looking: Callable[[], bool]) -> None:
        """The page begins: publish into its feed. `looking` says whether any client is connected."""
        ...

    def detach(self) -> None:
        """The page is over: publish no more."""
        ...

    def do(
        self, verb: str, message: Mapping[str, Any], words: Words, client: str
    ) -> Coroutine[Any, Any, Mapping[str, Any]]:
        """Do what a client asks for, and give what the answer is to hold; `Unfit` says in the words of the client what
        is wrong with the message. Goes on to its end when the client has gone; cancelled when the table stops."""
        ...

    def left(self, client: str) -> None:
        """A client is gone, whatever it still holds."""
        ...
