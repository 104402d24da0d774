"""What an evening is played with: the sample deck or a small one of its own, settings, players, a starter."""

from __future__ import annotations

from random import Random

from .deck import read_deck, sample

ICONS = (
    {"effect": "none"},
    {"effect": "skip"},
    {"effect": "draw-fewer", "n": 1},
    {"effect": "draw-fewer", "n": 2},
    {"effect": "discard", "n": 1},
    {"effect": "discard", "n": 3},
    {"effect": "discard", "n": 9},
    {"effect": "lose-points", "n": 1},
    {"effect": "lose-points", "n": 3},
    {"effect": "text", "say": {"en": "Everybody changes seats."}},
    {"effect": "text", "say": {"en": "Show a card.", "de": "Zeig eine Karte."}},
)


def options_of(rng: Random) -> dict:
    """Options at random, as for Oracle."""
    players = rng.choice([2, 2, 3, 4])
    settings: dict[str, str] = {}
    if rng.random() < 0.5:
        settings["launch_s"] = rng.choice(["2", "3.5", "30"])
    if rng.random() < 0.5:
        settings["defence_s"] = rng.choice(["2", "4.25", "30"])
    if rng.random() < 0.6:
        settings["settle_s"] = rng.choice(["0", "0.25", "1"])
    if rng.random() < 0.7:
        settings["target_points"] = rng.choice(["1", "2", "3", "5", "8", "99"])
    return {
        "manifest": sample() if rng.random() < 0.3 else small_manifest(rng, players),
        "players": players,
        "settings": settings,
        "starter": rng.choice([None, rng.randint(1, players), rng.randint(1, players)]),
        "language": rng.choice(["de", "en", "fr"]),
    }


def small_manifest(rng: Random, players: int) -> dict:
    """A deck of about as few cards as there have to be, with icons of every kind and names that come twice in a set."""
    manifest: dict = {"game": "cyber-siege", "name": "small", "admins": rng.choice([0, 1, 3]), "sets": {}, "red": {}}
    numbers = rng.choice([["1"], ["1", "2"], ["1", "2", "12"]])
    for number in numbers:
        names = [f"{number}.{index}" for index in rng.sample([1, 2, 3, 10, 11], rng.randint(2, 4))]
        for place, name in enumerate(names):
            attack = place == 0 or (place > 1 and rng.random() < 0.5)
            manifest["red"][name] = {"kind": "attack" if attack else "defence", "copies": 1}
            if attack:
                manifest["red"][name]["icon"] = rng.choice(ICONS)
        cards = [rng.choice(names) for _ in range(rng.choice([1, 2, 2, 3, 5]))]
        manifest["sets"][number] = {"copies": 1, "cards": cards}
    more = rng.choice([0, 0, 0, 2, 10])
    while True:
        try:
            read_deck(manifest, players)
        except ValueError:
            pass
        else:
            if more == 0:
                return manifest
            more -= 1
        rng.choice([*manifest["red"].values(), *manifest["sets"].values()])["copies"] += 1
