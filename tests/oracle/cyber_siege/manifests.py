"""The sample manifest with one thing changed, which can still be or can't."""

from __future__ import annotations

from collections.abc import Iterator

from .deck import sample

WRONG_NUMBERS = (0, -1, True, "5", None, [5])
NO_NAMES = ("01", "0", "a", "", " 1", "1 ", "-1", "1.", ".1", "1.1.1", "1.01", "1.0", "0.1", "1,1", "١", "1.١", "admin")
ICONS = (
    *({"effect": effect} for effect in ("draw-fewer", "discard", "lose-points", "text", "win", None, 1, ["skip"])),
    *(
        {"effect": effect, "n": n}
        for effect in ("draw-fewer", "discard", "lose-points")
        for n in (1, 2, *WRONG_NUMBERS)
    ),
    *({"effect": effect, "n": 0} for effect in ("none", "skip")),
    *({"effect": "text", "say": say} for say in ({"en": "Sing."}, {"de": "Sing."}, {}, "Sing.", None, {"en": 1})),
    {"effect": "skip", "more": 1},
    {},
    None,
    "skip",
)


def changed() -> Iterator[tuple[str, dict]]:
    """Each with what was changed, in words."""
    for key in ("game", "name", "admins", "sets", "red"):
        manifest = sample()
        del manifest[key]
        yield f"no {key}", manifest
        for value in (None, 7.5, "online", [], {}):
            if (key, value) != ("name", "online"):
                yield f"{key} {value}", sample() | {key: value}
    for value in (0, 1, *WRONG_NUMBERS[1:]):
        yield f"admins {value}", sample() | {"admins": value}
    yield "another key", sample() | {"more": 1}
    for place in (("sets", "1"), ("red", "1.2"), ("red", "1.3")):
        yield from _of_a_card(*place)
    yield from _of_sets()
    yield from _of_attacks()
    for number in NO_NAMES:
        manifest = sample()
        manifest["sets"][number] = {"copies": 1, "cards": ["1.1"]}
        yield f"a set {number!r}", manifest
    for name in (*NO_NAMES, "1", "12", "9.1", "12.34", "2.10"):
        manifest = sample()
        manifest["red"][name] = {"kind": "defence", "copies": 1}
        yield f"a red card {name!r}", manifest


def _of_a_card(where: str, which: str) -> Iterator[tuple[str, dict]]:
    for key in ("copies", "cards", "kind"):
        manifest = sample()
        if key in manifest[where][which]:
            del manifest[where][which][key]
            yield f"{which} without {key}", manifest
    for number in (1, 2, *WRONG_NUMBERS):
        manifest = sample()
        manifest[where][which]["copies"] = number
        yield f"{which} {number!r} times", manifest
    for card in (None, [], "card", 1, {}):
        manifest = sample()
        manifest[where][which] = card
        yield f"{which} {card!r}", manifest
    manifest = sample()
    manifest[where][which]["more"] = {"x": 1}
    yield f"{which} with another key", manifest


def _of_sets() -> Iterator[tuple[str, dict]]:
    for cards in ([], ["1.1"], ["1.1", "1.1"], ["2.1"], ["1.9"], [1.1], "1.1", None, [None], ["1.1", ["1.2"]]):
        manifest = sample()
        manifest["sets"]["1"]["cards"] = cards
        yield f"a set of {cards!r}", manifest
    for copies in (5, 6, 11):
        manifest = sample()
        manifest["sets"] = {"1": {"copies": copies, "cards": ["1.1"]}}
        yield f"{copies} set cards", manifest
    for admins in (3, 4, 10, 11):
        manifest = sample() | {"admins": admins}
        manifest["red"] = {name: {**card, "copies": 1} for name, card in manifest["red"].items()}
        yield f"{admins + 16} red cards", manifest


def _of_attacks() -> Iterator[tuple[str, dict]]:
    for kind in ("attack", "defence", "admin", "Attack", None, 1, []):
        for name in ("1.2", "1.3"):
            manifest = sample()
            manifest["red"][name]["kind"] = kind
            yield f"{name} is {kind!r}", manifest
    for icon in ICONS:
        for name in ("1.2", "1.3")[: 1 if icon is None else 2]:  # a defence with null has no icon, one may say
            manifest = sample()
            manifest["red"][name]["icon"] = icon
            yield f"{name} with {icon!r}", manifest
    manifest = sample()
    del manifest["red"]["1.2"]["icon"]
    yield "an attack without an icon", manifest
