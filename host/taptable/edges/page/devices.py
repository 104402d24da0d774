"""Who is paired, asked for and changed over the live connection: a code to be shown, or the page's address to those who
come later, the list of those who are paired, and the end of it for one or for all. Must not know how a code is
checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from taptable.edges.page.annex import Unfit
from taptable.edges.page.feed import Feed
from taptable.edges.page.fields import Fields
from taptable.edges.page.pairing import DIGITS, Pairing
from taptable.edges.page.topics import Asker, Verb
from taptable.referee.session import Happening, Session


class Devices:
    """The topic of who is paired; `changed` is called when somebody isn't any more. `invite` shows the page's address
    at the table, and is False where that can't be."""

    def __init__(self, pairing: Pairing, changed: Callable[[], None], invite: Callable[[], bool]) -> None:
        self._pairing = pairing
        self._changed = changed
        self._invite = invite
        self.verbs: Mapping[str, Verb] = MappingProxyType(
            {
                "show-code": Verb(self._show_code, anyone=True),
                "show-address": Verb(self._show_address),
                "devices": Verb(self._devices),
                "unpair": Verb(self._unpair),
            }
        )

    def attach(self, feed: Feed) -> None:
        """It has no parts: who is paired is nobody's business who isn't."""

    def follow(self, happened: Sequence[Happening], session: Session) -> None:
        """Nothing that happens at the table changes it."""

    async def _show_code(self, _: Fields, asker: Asker) -> Mapping[str, Any]:
        self._pairing.show(asker.words)
        return {"left_s": self._pairing.left_s(), "digits": DIGITS, "shown": self._pairing.shown}

    async def _show_address(self, _: Fields, asker: Asker) -> Mapping[str, Any]:
        if not self._invite():
            raise Unfit(asker.words.text("live", "no-address"))
        return {}

    async def _devices(self, _: Fields, asker: Asker) -> Mapping[str, Any]:
        return {
            "devices": [
                {"id": one.id, "name": one.name, "since": one.since, "own": one.id == asker.device}
                for one in self._pairing.all
            ]
        }

    async def _unpair(self, fields: Fields, asker: Asker) -> Mapping[str, Any]:
        everybody = {one.id for one in self._pairing.all}
        ids = everybody if fields.flag("all") else {fields.one_of("device", everybody)}
        self._pairing.unpair(frozenset(ids), asker.words)
        self._changed()
        return {}
