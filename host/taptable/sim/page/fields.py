"""What a client's message says, read and checked field by field; whatever it holds, it is a value or a sentence in the
client's language. Knows no deed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeGuard, cast

from taptable.api.errors import RequestError
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.memory.presets import LONGEST_PLAYER, is_name
from taptable.words import Words

LONGEST = 100
"""Letters of a name or a value."""
MOST_VALUES = 20
"""Names that can have a value in one message."""


class Fields:
    """The fields of one message in a language, by its `words`. What isn't as it should be raises `RequestError`."""

    def __init__(self, message: Mapping[str, Any], words: Words) -> None:
        self._message = message
        self.words = words

    def __contains__(self, field: str) -> bool:
        return self._message.get(field) is not None

    def seat(self, players: int, field: str = "seat") -> int:
        """A seat of a table with so many players."""
        seat = self._message.get(field)
        if not is_whole(seat) or not 1 <= seat <= players:
            raise self.unfit("wrong-seat", players=players)
        return seat

    def pad(self, players: int, others: Collection[Pad] = (DISCARD_PAD,)) -> Pad:
        """A pad of a table with so many players, or one of the `others`."""
        pad = self._message.get("pad")
        if isinstance(pad, str) and pad in others:
            return pad
        if not is_whole(pad) or not 1 <= pad <= players:
            raise self.unfit("wrong-pad")
        return pad

    def is_text(self, field: str) -> bool:
        """Is a text said, and no number?"""
        return isinstance(self._message.get(field), str)

    def text(self, field: str, longest: int = LONGEST) -> str:
        """A text of visible characters and single spaces, without any around it; "" where nothing is said."""
        text = self._message.get(field, "")
        if not isinstance(text, str) or len(text) > longest or not text.isprintable():
            raise self.wrong(field)
        return " ".join(text.split())

    def document(self, field: str, longest: int) -> str:
        """A text as it was written, line breaks and all; "" where nothing is said."""
        text = self._message.get(field, "")
        if not isinstance(text, str) or len(text) > longest:
            raise self.wrong(field)
        return text

    def texts(self, field: str, most: int, longest: int = LONGEST) -> tuple[str, ...]:
        """A list of such texts; none where nothing is said."""
        given = self._message.get(field, [])
        if not isinstance(given, list) or len(cast("list[Any]", given)) > most:
            raise self.wrong(field)
        return tuple(Fields({field: each}, self.words).text(field, longest) for each in cast("list[Any]", given))

    def names(self, field: str, most: int) -> tuple[str, ...]:
        """A list of players' names, "" where somebody has none; none where nothing is said."""
        given = self._message.get(field, [])
        if not isinstance(given, list) or len(cast("list[Any]", given)) > most:
            raise self.wrong(field)
        return tuple(self._name(each) for each in cast("list[Any]", given))

    def own_name(self, field: str) -> str:
        """The name of somebody; "" where nothing is said."""
        return self._name(self._message.get(field, ""))

    def _name(self, given: object) -> str:
        name = " ".join(filter(None, given.split(" "))) if isinstance(given, str) else None
        if name != "" and not is_name(name, LONGEST_PLAYER):
            raise self.unfit("wrong-name", most=LONGEST_PLAYER)
        return name

    def one_of(self, field: str, known: Collection[str]) -> str:
        """One of the known names."""
        name = self._message.get(field)
        if not isinstance(name, str) or name not in known:
            raise self.unfit("wrong-choice", field=field, known=", ".join(known))
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
            raise self.wrong(field)
        return flag

    def seats(self, field: str, players: int) -> tuple[int, ...]:
        """Seats, as a list, or as how many from the first on; none where nothing is said."""
        value = self._message.get(field, [])
        seats = list(range(1, value + 1)) if is_whole(value) and 0 <= value <= players else value
        if not isinstance(seats, list):
            raise self.wrong(field)
        listed = cast("list[Any]", seats)
        if not all(is_whole(seat) and 1 <= seat <= players for seat in listed):
            raise self.wrong(field)
        return tuple(sorted(set(listed)))

    def settings(self, field: str) -> dict[str, str]:
        """Names and values, numbers as texts; none where nothing is said."""
        given = self._message.get(field, {})
        if not isinstance(given, dict):
            raise self.wrong(field)
        settings: dict[str, str] = {}
        for key, value in cast("dict[Any, Any]", given).items():
            text = str(value) if is_whole(value) else value
            if not isinstance(key, str) or not isinstance(text, str) or max(len(key), len(text)) > LONGEST:
                raise self.wrong(field)
            settings[key] = text
        return settings

    def values(self, field: str) -> dict[str, int | str]:
        """Names, and for each a whole number or a text; none where nothing is said."""
        given = self._message.get(field, {})
        if not isinstance(given, dict) or len(cast("dict[Any, Any]", given)) > MOST_VALUES:
            raise self.wrong(field)
        values: dict[str, int | str] = {}
        for key, value in cast("dict[Any, Any]", given).items():
            if not isinstance(key, str) or not (isinstance(value, str) or is_whole(value)):
                raise self.wrong(field)
            if max(len(key), len(value) if isinstance(value, str) else value.bit_length()) > LONGEST:
                raise self.wrong(field)
            values[key] = value
        return values

    def wrong(self, field: str) -> RequestError:
        """That a field isn't what it should be."""
        return self.unfit("wrong-field", field=field)

    def unfit(self, key: str, **facts: object) -> RequestError:
        """A sentence on what is wrong, by its key in the context ``live``."""
        return RequestError("live", key, **facts)


def is_whole(value: Any) -> TypeGuard[int]:
    """Is this a whole number, and not true or false?"""
    return isinstance(value, int) and not isinstance(value, bool)
