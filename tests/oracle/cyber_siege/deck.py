"""The cards by a manifest, and the settings of Cyber Siege, as the rules page writes them down."""

from __future__ import annotations

import json
import re
from decimal import Decimal, InvalidOperation

TIMES = {"launch_s": (2, 30), "defence_s": (2, 30), "settle_s": (0, 1)}
COUNTED = ("draw-fewer", "discard", "lose-points")
PLAIN = ("none", "skip")

_ICONS = {
    "1.2": {"effect": "lose-points", "n": 1},
    "2.2": {"effect": "skip"},
    "3.2": {"effect": "discard", "n": 1},
    "4.2": {"effect": "draw-fewer", "n": 1},
}


def sample() -> dict:
    """The sample manifest; without its titles, which change nothing."""
    red: dict = {}
    for number in range(1, 5):
        for index, copies in enumerate((4, 4, 4, 4) if number == 4 else (5, 4, 5, 4), start=1):
            name = f"{number}.{index}"
            red[name] = {"kind": "attack" if index <= 2 else "defence", "copies": copies}
            if index <= 2:
                red[name]["icon"] = _ICONS.get(name, {"effect": "none"})
    sets = {str(n): {"copies": 5, "cards": [f"{n}.{index}" for index in range(1, 5)]} for n in range(1, 5)}
    return {"game": "cyber-siege", "name": "sample", "admins": 4, "sets": sets, "red": red}


def read_deck(manifest: dict, players: int) -> dict[str, dict]:
    """Card id → `kind` (set, attack, defence, admin), `set` number, `name`; of a set card also its `cards`, of an
    attack its `icon`. ValueError if it can't be."""
    if manifest.get("game") != "cyber-siege" or not isinstance(manifest.get("name"), str):
        raise ValueError("game or name")
    deck: dict[str, dict] = {}
    for name, card in _object(manifest.get("red")).items():
        _name(name, r"[1-9][0-9]*\.[1-9][0-9]*")
        if card.get("kind") not in ("attack", "defence") or ("icon" in card) != (card["kind"] == "attack"):
            raise ValueError(name)
        one = {"kind": card["kind"], "set": name.split(".")[0], "name": name}
        if "icon" in card:
            one["icon"] = _icon(card["icon"])
        for copy in range(1, _number(card.get("copies"), 1) + 1):
            deck[f"{name}#{copy}"] = one
    for number, card in _object(manifest.get("sets")).items():
        _name(number, r"[1-9][0-9]*")
        if not isinstance(card.get("cards"), list) or not card["cards"]:
            raise ValueError(number)
        for name in card["cards"]:
            if not isinstance(name, str) or name not in manifest["red"] or name.split(".")[0] != number:
                raise ValueError(name)
        for copy in range(1, _number(card.get("copies"), 1) + 1):
            deck[f"set-{number}#{copy}"] = {"kind": "set", "set": number, "name": number, "cards": card["cards"]}
    for copy in range(1, _number(manifest.get("admins"), 0) + 1):
        deck[f"admin#{copy}"] = {"kind": "admin", "set": None, "name": "admin"}
    sets = sum(card["kind"] == "set" for card in deck.values())
    if sets < 3 * players or len(deck) - sets < 6 * players:
        raise ValueError("too few cards")
    return deck


def read_settings(settings: dict[str, str]) -> dict[str, int]:
    """Times in µs, points as they are; ValueError for a setting unknown or out of range."""
    chosen = {"launch_s": 5_000_000, "defence_s": 10_000_000, "settle_s": 30_000, "target_points": 16}
    for key, text in settings.items():
        if key in TIMES:
            try:
                seconds = Decimal(text)
            except InvalidOperation:
                raise ValueError(key) from None
            low, high = TIMES[key]
            if not seconds.is_finite() or not low <= seconds <= high:
                raise ValueError(key)
            chosen[key] = int((seconds * 1_000_000).to_integral_value())
        elif key == "target_points" and text.isdecimal() and 1 <= int(text) <= 99:
            chosen[key] = int(text)
        else:
            raise ValueError(key)
    return chosen


def text_of(manifest: dict) -> str:
    """The manifest as a file has it."""
    return json.dumps(manifest)


def _object(value: object) -> dict[str, dict]:
    if not isinstance(value, dict) or not all(isinstance(one, dict) for one in value.values()):
        raise ValueError("not an object of objects")
    return value


def _name(name: str, pattern: str) -> None:
    if not re.fullmatch(pattern, name):
        raise ValueError(name)


def _number(value: object, least: int) -> int:
    if type(value) is not int or value < least:
        raise ValueError(value)
    return value


def _icon(icon: object) -> dict:
    if not isinstance(icon, dict):
        raise ValueError("icon")
    effect = icon.get("effect")
    if effect in COUNTED:
        _number(icon.get("n"), 1)
    elif effect == "text":
        say = icon.get("say")
        if not isinstance(say, dict) or not isinstance(say.get("en"), str):
            raise ValueError("say")
    elif effect not in PLAIN:
        raise ValueError("effect")
    return icon
