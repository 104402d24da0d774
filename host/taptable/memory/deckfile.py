"""A deck as text: JSON with one card per line, for people to read and correct. All faults are found at once, with their
lines. `decks` reads and writes the files. Must not know a folder."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, cast

from taptable.core.errors import ConfigError
from taptable.core.json_text import NotJson, parse_json
from taptable.games.registry import GAMES
from taptable.memory.deck import (
    MAX_FAULTS,
    CardSet,
    Deck,
    DeckFault,
    DeckFaults,
    card_set_of,
    controls_of,
    is_card,
    is_deck_name,
    is_uid,
    normalized_manifest,
    validated_manifest,
)
from taptable.referee.taps import is_random

FORMAT = 1
"""The version of the format, under the key ``taptable-deck``."""

_KEYS = ("taptable-deck", "name", "game", "manifest", "cards", "controls")
_LONGEST = 1_000_000  # bytes; a deck of 112 cards has about 4000
_MAX_NAMED = 40
"""The most kinds that are listed if one is wrong."""


class _Object(tuple[tuple[str, Any], ...]):
    """A JSON object with its keys as they are in the text: a key that occurs twice is here twice."""

    __slots__ = ()


def text_of(deck: Deck) -> str:
    """Return the text of a deck's file."""
    manifest = {"manifest": json.loads(deck.manifest)} if deck.manifest else {}
    whole = {
        "taptable-deck": FORMAT,
        "name": deck.name,
        "game": deck.game,
        **manifest,
        "cards": dict(deck.cards),
        "controls": dict(deck.controls),
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"


def deck_of(data: bytes, source: str, card_set: CardSet | None = None) -> Deck:
    """Return the deck in a file's bytes. It is judged by the game's cards if given, or by those of its own manifest
    instead. Raises `DeckFaults` with all faults."""
    if len(data) > _LONGEST:
        raise DeckFaults(f"deck {source}", [DeckFault("too-large", {"size": len(data)})])
    try:
        text = data.decode("utf-8-sig")
        top: object = parse_json(text, _Object)
    except (NotJson, UnicodeDecodeError) as error:
        if isinstance(error, NotJson) and error.line is not None:
            facts = {"number": error.line, "column": error.column, "reason": str(error)}
            raise DeckFaults(f"deck {source}", [DeckFault("no-json-there", facts)]) from error
        raise DeckFaults(f"deck {source}", [DeckFault("no-json", {"reason": str(error)})]) from error
    if not isinstance(top, _Object):
        raise DeckFaults(f"deck {source}", [DeckFault("no-object")])
    inspection = _Inspection(text, card_set)
    deck = inspection.deck(top)
    if inspection.faults:
        raise DeckFaults(f"deck {source}", inspection.faults, inspection.count)
    return deck


@dataclass(slots=True)
class _Inspection:
    """One walk through a deck's text, which collects its faults."""

    text: str
    card_set: CardSet | None
    faults: list[DeckFault] = field(default_factory=list[DeckFault])
    count: int = 0

    def deck(self, top: _Object) -> Deck:
        """Return the deck as far as it could be read."""
        values: dict[str, Any] = {}
        for key, value in top:
            if key in values:
                self._add_fault(key, "again", last=True)
            elif key not in _KEYS:
                self._add_fault(key, "no-key", known=", ".join(_KEYS))
            values.setdefault(key, value)
        self._check_format(values.get(_KEYS[0]))
        name, game = self._text(values, "name"), self._text(values, "game")
        deck = Deck(
            name=name,
            game=game,
            cards=self._tags(values, "cards"),
            controls=self._tags(values, "controls"),
            manifest=self._manifest(values["manifest"], game) if "manifest" in values else "",
        )
        self._check_name(deck.name)
        self._check_game(deck.game)
        self._check_cards(deck)
        self._check_controls(deck)
        return deck

    def _add_fault(self, key: str, code: str, *, last: bool = False, **facts: object) -> None:
        """Add a fault at the line of the first, or of the last `key`."""
        self.count += 1
        if len(self.faults) == MAX_FAULTS:
            return
        spelled = re.escape(json.dumps(key, ensure_ascii=False))
        places = [found.start() for found in re.finditer(rf"{spelled}\s*:", self.text)]
        line = self.text.count("\n", 0, places[-1 if last else 0]) + 1 if places else None
        printable = key.encode(
            errors="backslashreplace"
        ).decode()  # JSON may have lone surrogates, which can't be printed
        self.faults.append(DeckFault(code, facts, line, f"{printable:.60}"))

    def _text(self, values: dict[str, Any], key: str) -> str:
        """Return the text under a top-level key, "" if there is none."""
        value = values.get(key)
        if isinstance(value, str) and value:
            return value
        self._add_fault(key, "needs-text")
        return ""

    def _manifest(self, value: object, game: str) -> str:
        """Return the manifest, by which the cards are judged from now on; "" if it is invalid."""
        card_set_before, self.card_set = self.card_set, None
        if not isinstance(value, _Object):
            self._add_fault("manifest", "needs-manifest")
            return ""
        count_before = self.count
        manifest = json.dumps(self._plain(value))
        if self.count > count_before:
            return ""
        try:
            manifest = validated_manifest(game, manifest) if game in GAMES else normalized_manifest(manifest)
        except ConfigError as error:
            self._add_fault("manifest", "bad-manifest", reason=error)
            return ""
        if card_set_before is not None:
            self.card_set = card_set_of(game, manifest) if game == card_set_before.game else card_set_before
        return manifest

    def _plain(self, value: Any) -> Any:
        """Return the value with plain dicts. Adds a fault for an object that has a key twice."""
        if isinstance(value, _Object):
            found: dict[str, Any] = {}
            for key, each in value:
                if key in found:
                    self._add_fault(key, "again", last=True)
                found[key] = self._plain(each)
            return found
        if isinstance(value, list):
            return [self._plain(each) for each in cast("list[Any]", value)]
        return value

    def _tags(self, values: dict[str, Any], key: str) -> dict[str, str]:
        """Return the tags under ``cards`` or ``controls``. Adds a fault for each invalid UID."""
        section = values.get(key)
        if not isinstance(section, _Object):
            self._add_fault(key, "needs-object")
            return {}
        tags: dict[str, str] = {}
        for uid, target in section:
            if not is_uid(uid):
                self._add_fault(uid, "bad-uid")
            elif is_random(uid):
                self._add_fault(uid, "random-uid")
            elif uid in tags:
                self._add_fault(uid, "tag-again", last=True)
            elif not isinstance(target, str):
                self._add_fault(uid, "needs-text")
            else:
                tags[uid] = target
        return tags

    def _check_format(self, version: object) -> None:
        """Check that the version is ours."""
        if isinstance(version, int) and version > FORMAT:
            self._add_fault(_KEYS[0], "new-format", version=version, known=FORMAT)
        elif version != FORMAT or isinstance(version, bool):
            self._add_fault(_KEYS[0], "needs-format", known=FORMAT)

    def _check_name(self, name: str) -> None:
        if name and not is_deck_name(name):
            self._add_fault("name", "bad-name", name=f"{name!r:.60}")

    def _check_game(self, game: str) -> None:
        if self.card_set is not None and game and game != self.card_set.game:
            self._add_fault("game", "other-game", there=f"{game!r:.60}", game=self.card_set.game)

    def _check_cards(self, deck: Deck) -> None:
        """Check that each card occurs once and is one of the game's."""
        tag_of: dict[str, str] = {}
        for uid, card in deck.cards.items():
            if not self._add_card_fault(uid, card, deck.game) and (first := tag_of.setdefault(card, uid)) != uid:
                self._add_fault(uid, "card-again", what=card, first=first)

    def _add_card_fault(self, uid: str, card: str, game: str) -> bool:
        """Add a fault if this is no card, or none of the game's. Return whether there was one."""
        if not is_card(card):
            self._add_fault(uid, "no-card", what=f"{card!r:.60}")
            return True
        if self.card_set is None or game != self.card_set.game:
            return False
        kind, kinds = card.partition("#")[0], dict(self.card_set.kinds)
        if kind not in kinds:
            more = ", …" if len(kinds) > _MAX_NAMED else ""
            self._add_fault(uid, "no-kind", what=card, game=game, known=", ".join(list(kinds)[:_MAX_NAMED]) + more)
        elif card not in (cards := self.card_set.cards(kind)):
            self._add_fault(uid, "no-number", what=card, game=game, lowest=cards[0], highest=cards[-1])
        else:
            return False
        return True

    def _check_controls(self, deck: Deck) -> None:
        """Check that controls exist and that their tags aren't cards."""
        known = controls_of(deck.game)
        for uid, control in deck.controls.items():
            if control not in known:
                self._add_fault(uid, "no-control", last=True, what=f"{control!r:.60}", known=", ".join(known))
            elif uid in deck.cards:
                self._add_fault(uid, "tag-taken", last=True, what=deck.cards[uid])
