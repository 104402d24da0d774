"""What a client's message asks for, read and checked field by field; whatever it holds, it is a value or a sentence in
the client's language. Knows no deed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeGuard, cast

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.edges.page.annex import Unfit
from taptable.words import Words

LONGEST = 100
"""Letters of a name or a value."""


class Asked:
    """One message at a table of so many `players`."""

    def __init__(self, message: Mapping[str, Any], words: Words, players: int) -> None:
        self._message = message
        self._players = players
        self.words = words

    def __contains__(self, field: str) -> bool:
        return self._message.get(field) is not None

    def seat(self) -> int:
        """The seat that is meant."""
        seat = self._message.get("seat")
        if not _is_whole(seat) or not 1 <= seat <= self._players:
            raise self.unfit("wrong-seat", players=self._players)
        return seat

    def pad(self) -> Pad:
        """A pad of the table."""
        pad = self._message.get("pad")
        if pad == DISCARD_PAD:
            return DISCARD_PAD
        if not _is_whole(pad) or not 1 <= pad <= self._players:
            raise self.unfit("wrong-pad")
        return pad

    def name(self, field: str, known: Collection[str], otherwise: str) -> str:
        """One of the known names; else the sentence with the key `otherwise`."""
        name = self._message.get(field)
        if not isinstance(name, str) or name not in known:
            raise self.unfit(otherwise)
        return name

    def number(self, field: str, least: float, most: float) -> float:
        """A number within bounds."""
        number = self._message.get(field)
        if isinstance(number, bool) or not isinstance(number, int | float) or not least <= number <= most:
            raise self.unfit("wrong-number", field=field, least=f"{least:g}", most=f"{most:g}")
        return number

    def whole(self, field: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        number = self.number(field, least, most)
        if number != int(number):
            raise self.unfit("wrong-number", field=field, least=f"{least:g}", most=f"{most:g}")
        return int(number)

    def flag(self, field: str) -> bool:
        """Yes or no; no where nothing is said."""
        flag = self._message.get(field, False)
        if not isinstance(flag, bool):
            raise self.unfit("wrong-field", field=field)
        return flag

    def seats(self, field: str, players: int) -> tuple[int, ...]:
        """Seats, as a list, or as how many from the first on; none where nothing is said."""
        value = self._message.get(field, [])
        seats = list(range(1, value + 1)) if _is_whole(value) and 0 <= value <= players else value
        if not isinstance(seats, list):
            raise self.unfit("wrong-field", field=field)
        listed = cast("list[Any]", seats)
        if not all(_is_whole(seat) and 1 <= seat <= players for seat in listed):
            raise self.unfit("wrong-field", field=field)
        return tuple(sorted(set(listed)))

    def settings(self, field: str) -> dict[str, str]:
        """Names and values, numbers as texts; none where nothing is said."""
        given = self._message.get(field, {})
        if not isinstance(given, dict):
            raise self.unfit("wrong-field", field=field)
        settings: dict[str, str] = {}
        for key, value in cast("dict[Any, Any]", given).items():
            text = str(value) if _is_whole(value) else value
            if not isinstance(key, str) or not isinstance(text, str) or max(len(key), len(text)) > LONGEST:
                raise self.unfit("wrong-field", field=field)
            settings[key] = text
        return settings

    def unfit(self, key: str, **facts: object) -> Unfit:
        """A sentence on what is wrong."""
        return Unfit(self.words.text("hands", key, facts))


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
