"""What a client asks of the demo: the fields of its message, with the sentences that only the demo has."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from taptable.api.errors import RequestError
from taptable.core.observations import Pad
from taptable.sim.page.fields import Fields
from taptable.words import Words


class Asked(Fields):
    """One message at a table of so many `players` that has these `pads`."""

    def __init__(self, message: Mapping[str, Any], words: Words, players: int, pads: Collection[Pad]) -> None:
        super().__init__(message, words)
        self._players = players
        self._pads = pads

    def own_seat(self) -> int:
        """The seat that is meant."""
        return self.seat(self._players)

    def own_pad(self) -> Pad:
        """A pad of the table."""
        return self.pad(self._players, self._pads)

    def name(self, field: str, known: Collection[str], otherwise: str) -> str:
        """One of the known names; else the sentence with the key `otherwise` in the context ``hands``."""
        name = self._message.get(field)
        if not isinstance(name, str) or name not in known:
            raise self.cannot(otherwise)
        return name

    def cannot(self, key: str, **facts: object) -> RequestError:
        """A sentence of the demo on what can't be."""
        return RequestError("hands", key, **facts)
