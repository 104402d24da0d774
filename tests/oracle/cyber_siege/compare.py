"""What must agree in the referee's answer and the oracle's: what ONLINE's comparison looks at, and the announcements
that the page names, in their order. Other announcements, and fields that the page doesn't name, may differ; and where
a reshuffle is asked for it may be asked for again."""

from __future__ import annotations

from .. import compare as shared

NAMED = {
    "turn-started",
    "card-drawn",
    "card-laid",
    "set-laid",
    "set-taken-back",
    "card-discarded",
    "launch-offered",
    "spared",
    "window-opened",
    "defended",
    "hit",
    "effect-text",
    "reshuffled",
    "corrected",
    "game-over",
}


def compare(ours: dict, oracle: dict) -> str | None:
    """None if the answers agree, else the first difference."""
    if "error" not in oracle and "verdict" in oracle:
        rule = oracle.get("rule")
        difference = shared.compare(ours, {"rule": rule, **oracle})
        return difference or _announcements(ours["announcements"], oracle["announcements"])
    difference = shared.compare(ours, oracle)
    if difference is None and "legal" in oracle and ours["controls"] != oracle["controls"]:
        return f"controls: ours {ours['controls']}, oracle {oracle['controls']}"
    return difference


def _announcements(ours: list[dict], oracle: list[dict]) -> str | None:
    named = [one for one in ours if one["type"] in NAMED]
    wanted = [one for one in oracle if one["type"] in NAMED]
    if _types(named) != _types(wanted) or ("reshuffle-due" in _types(oracle)) > ("reshuffle-due" in _types(ours)):
        return f"announcements: ours {_types(ours)}, oracle {_types(oracle)}"
    for one, other in zip(named, wanted, strict=True):
        for key, value in other.items():
            if one.get(key) != value:
                return f"{other['type']}.{key}: ours {one.get(key)!r}, oracle {value!r}"
    return None


def _types(announcements: list[dict]) -> list[str]:
    return [one["type"] for one in announcements]
