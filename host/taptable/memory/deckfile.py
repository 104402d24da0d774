"""A deck as text: JSON with one card a line, for people to read and mend. What is wrong in it is found all at once,
with its lines. Knows no folder."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from taptable.core.errors import DeckError
from taptable.memory.deck import CONTROLS, CardSet, Deck, is_card, is_name, is_uid
from taptable.referee.taps import is_random

FORMAT = 1
"""The version of the format, under the key ``taptable-deck``."""

_KEYS = ("taptable-deck", "name", "game", "cards", "controls")
_LONGEST = 1_000_000  # bytes; a deck of 112 cards has about 4000
_MOST = 20  # troubles named; more help nobody


class _Object(tuple[tuple[str, Any], ...]):
    """A JSON object with its keys as they stand in the text: twice if they stand there twice."""

    __slots__ = ()


def text_of(deck: Deck) -> str:
    """The deck as its file has it."""
    values = (FORMAT, deck.name, deck.game, dict(deck.cards), dict(deck.controls))
    return json.dumps(dict(zip(_KEYS, values, strict=True)), indent=2, ensure_ascii=False) + "\n"


def deck_of(data: bytes, source: str, card_set: CardSet | None = None) -> Deck:
    """The deck in a file's bytes, judged by the game's cards if given; `DeckError` names all that is wrong."""
    if len(data) > _LONGEST:
        raise DeckError(f"deck {source}: {len(data)} bytes are too many for a deck")
    try:
        text = data.decode("utf-8-sig")
        top: object = json.loads(text, object_pairs_hook=_Object)
    except json.JSONDecodeError as error:
        raise DeckError(
            f"deck {source}: line {error.lineno}, column {error.colno}: this is no JSON ({error.msg})"
        ) from error
    except (ValueError, RecursionError) as error:
        raise DeckError(f"deck {source}: this is no JSON ({error})") from error
    if not isinstance(top, _Object):
        raise DeckError(f"deck {source}: a deck is a JSON object {{…}}")
    inspection = _Inspection(text, card_set)
    deck = inspection.deck(top)
    if inspection.wrong:
        more = inspection.count - len(inspection.wrong)
        told = [*inspection.wrong, f"and {more} more"] if more else inspection.wrong
        raise DeckError(f"deck {source}: " + "; ".join(told))
    return deck


@dataclass(slots=True)
class _Inspection:
    """One walk through a deck's text, collecting what is wrong with it."""

    text: str
    card_set: CardSet | None
    wrong: list[str] = field(default_factory=list[str])
    count: int = 0

    def deck(self, top: _Object) -> Deck:
        """The deck as far as it could be read."""
        values: dict[str, Any] = {}
        for key, value in top:
            if key in values:
                self._blame(key, "stands here a second time", last=True)
            elif key not in _KEYS:
                self._blame(key, f"a deck has no such key, but {', '.join(_KEYS)}")
            values.setdefault(key, value)
        self._check_format(values.get(_KEYS[0]))
        deck = Deck(
            name=self._text(values, "name"),
            game=self._text(values, "game"),
            cards=self._tags(values, "cards"),
            controls=self._tags(values, "controls"),
        )
        self._check_name(deck.name)
        self._check_game(deck.game)
        self._check_cards(deck)
        self._check_controls(deck)
        return deck

    def _blame(self, key: str, trouble: str, *, last: bool = False) -> None:
        """Note a trouble at the line of the first, or of the last `key`."""
        self.count += 1
        if len(self.wrong) == _MOST:
            return
        spelled = re.escape(json.dumps(key, ensure_ascii=False))
        places = [found.start() for found in re.finditer(rf"{spelled}\s*:", self.text)]
        line = f"line {self.text.count(chr(10), 0, places[-1 if last else 0]) + 1}, " if places else ""
        self.wrong.append(f"{line}{key:.60}: {trouble}")

    def _text(self, values: dict[str, Any], key: str) -> str:
        """The text under a key of the whole, "" if there is none."""
        value = values.get(key)
        if isinstance(value, str) and value:
            return value
        self._blame(key, "a text must stand here")
        return ""

    def _tags(self, values: dict[str, Any], key: str) -> dict[str, str]:
        """What stands under ``cards`` or ``controls``, with every UID looked at."""
        section = values.get(key)
        if not isinstance(section, _Object):
            self._blame(key, 'an object must stand here: {"uid": "…", …}')
            return {}
        tags: dict[str, str] = {}
        for uid, what in section:
            if not is_uid(uid):
                self._blame(uid, "a UID is 4 or 7 bytes in lower-case hex, 8 or 14 digits")
            elif is_random(uid):
                self._blame(
                    uid, "a UID of 4 bytes that begins with 08 is a phone's or a bank card's, another each time"
                )
            elif uid in tags:
                self._blame(uid, "this tag stands here a second time", last=True)
            elif not isinstance(what, str):
                self._blame(uid, "a text must stand here")
            else:
                tags[uid] = what
        return tags

    def _check_format(self, version: object) -> None:
        """The version must be ours."""
        if isinstance(version, int) and version > FORMAT:
            self._blame(
                _KEYS[0], f"this deck is of format {version}, and this taptable knows {FORMAT}: update taptable"
            )
        elif version != FORMAT or isinstance(version, bool):
            self._blame(_KEYS[0], f"the format must stand here: {FORMAT}")

    def _check_name(self, name: str) -> None:
        if name and not is_name(name):
            self._blame("name", f"{name!r:.60} is no name: lower-case letters, digits and hyphens, 40 at most")

    def _check_game(self, game: str) -> None:
        if self.card_set is not None and game and game != self.card_set.game:
            self._blame("game", f"this is a deck for {game!r:.60}, not for {self.card_set.game}")

    def _check_cards(self, deck: Deck) -> None:
        """Each card once, and one that the game has."""
        tag_of: dict[str, str] = {}
        for uid, card in deck.cards.items():
            if trouble := self._card_trouble(card, deck.game):
                self._blame(uid, trouble)
            elif (first := tag_of.setdefault(card, uid)) != uid:
                self._blame(uid, f"{card} is the tag {first} already")

    def _card_trouble(self, card: str, game: str) -> str | None:
        if not is_card(card):
            return f"{card!r:.60} is no card: a kind, #, and a number from 1"
        if self.card_set is None or game != self.card_set.game:
            return None
        kind = card.partition("#")[0]
        kinds = dict(self.card_set.kinds)
        if kind not in kinds:
            return f"{card}: {game} has no such kind, but {', '.join(kinds)}"
        if card not in self.card_set.cards(kind):
            return f"{card}: {game} has {kind}#1 to {kind}#{kinds[kind]}"
        return None

    def _check_controls(self, deck: Deck) -> None:
        """Controls that there are, on tags that aren't cards."""
        for uid, control in deck.controls.items():
            if control not in CONTROLS:
                self._blame(uid, f"{control!r:.60} is no control: {', '.join(CONTROLS)}", last=True)
            elif uid in deck.cards:
                self._blame(uid, f"this tag is {deck.cards[uid]} already", last=True)
