"""What people at the page may ask of the table, by topics: setting up, decks, putting right, what was played. Each has
its verbs and publishes its parts; here is only their form. Must not know any of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from taptable.edges.page.feed import Feed
from taptable.edges.page.fields import Fields
from taptable.referee.session import Happening, Session
from taptable.words import Words


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: what the journal calls them, whether they may change anything, their language, their connection, and
    what their device is called among those that are paired."""

    name: str
    paired: bool
    words: Words
    client: str
    device: str = ""


Do: TypeAlias = Callable[[Fields, Asker], Awaitable[Mapping[str, Any]]]
"""Does what is asked for, and gives what the answer holds; `Unfit` says in the words of who asks why not."""


@dataclass(frozen=True, slots=True)
class Verb:
    """Something that can be asked for; `anyone` may, if it changes nothing."""

    do: Do
    anyone: bool = False


class Topic(Protocol):
    """A topic of one table."""

    @property
    def verbs(self) -> Mapping[str, Verb]:
        """What can be asked for, by its name on the wire."""
        ...

    def attach(self, feed: Feed) -> None:
        """The page begins: parts and streams go into its feed, now and whenever they change."""
        ...

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Something happened; the session is as it is after it."""
        ...


@runtime_checkable
class Shelf(Protocol):
    """What a topic has besides if it keeps files that people may take away and bring."""

    @property
    def shelf(self) -> str:
        """The first part of their paths, such as ``decks``."""
        ...

    @property
    def anyone(self) -> bool:
        """May anyone take them? What they hold is then the topic's to choose, by who asks. To bring one takes to be
        paired."""
        ...

    async def take(self, name: str, asker: Asker) -> bytes:
        """The JSON file of this name, whatever it is; `Unfit` if there is none."""
        ...

    async def bring(self, content: bytes, asker: Asker) -> Mapping[str, Any]:
        """Take a file in, whatever it holds, and give what the answer says; `Unfit` says why not."""
        ...
