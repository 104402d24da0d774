"""What must agree in the referee's answer and the oracle's: everything that the rules page fixes. Sentences, fields of
announcements that the page doesn't name, and codes where it has none may be anything."""

from __future__ import annotations

TOLD = ("action-begun", "payment-owed", "cards-drawn")
"""The page says that there is such a thing, not each time at which it is said: more of these pass."""
FACTS = (
    *("demand-laid", "demand-replaced", "demand-swapped", "x-returned", "scored", "reshuffle-due", "reshuffled"),
    *("topic-laid", "card-added", "topic-to-streamer", "topic-to-hand", "specialist-hired", "specialist-returned"),
    *(
        "users-bought",
        "server-bought",
        "streamer-bought",
        "net-bought",
        "action-broken-off",
        "turn-started",
        "game-over",
    ),
)
"""The other types on the page. Types that aren't on it are additions, and pass."""


def compare(ours: dict, oracle: dict) -> str | None:
    """None if the answers agree, else the first difference."""
    if "error" in oracle or "error" in ours:
        return _differs(ours.get("line"), oracle.get("line"), "the line of an error")
    if "legal" in oracle and ours == oracle:  # soon seen, and there are many
        return None
    if "verdict" not in oracle:
        return _differs(ours, oracle, "shown")
    for key in ("at", "verdict", "rule", "code"):
        if key in oracle and (difference := _differs(ours.get(key), oracle[key], key)):
            return f"{difference} (oracle: {[oracle[key] for key in oracle if key != 'announcements']})"
    return _announced(ours["announcements"], oracle["announcements"])


def _announced(ours: list[dict], oracle: list[dict]) -> str | None:
    """The same facts in the same order, with the fields that the page names."""
    mine = [one for one in ours if one["type"] in FACTS]
    theirs = [one for one in oracle if one["type"] in FACTS]
    if [one["type"] for one in mine] != [one["type"] for one in theirs]:
        return f"announced: ours {[one['type'] for one in mine]}, oracle {[one['type'] for one in theirs]}"
    for one, other in zip(mine, theirs, strict=True):
        for key, value in other.items():
            if difference := _differs(one.get(key), value, f"{other['type']}.{key}"):
                return difference
    if missing := {_told(one) for one in oracle if one["type"] in TOLD} - set(map(_told, ours)):
        return f"announced: {missing} is missing"
    return None


def _told(one: dict) -> tuple:
    return one["type"], one.get("owed")


def _differs(ours: object, oracle: object, where: str) -> str | None:
    if isinstance(oracle, dict) and isinstance(ours, dict):
        if set(ours) != set(oracle):
            return f"{where}: keys that only one has: {sorted(set(ours) ^ set(oracle))}"
        found = (_differs(ours[key], value, f"{where}.{key}") for key, value in oracle.items())
        return next(filter(None, found), None)
    if isinstance(oracle, list) and isinstance(ours, list):
        if len(ours) == len(oracle):
            pairs = enumerate(zip(ours, oracle, strict=True))
            return next(filter(None, (_differs(*pair, f"{where}[{place}]") for place, pair in pairs)), None)
        only = [one for one in ours if one not in oracle], [one for one in oracle if one not in ours]
        return f"{where}: only ours {only[0][:6]} ({len(only[0])}), only the oracle {only[1][:6]} ({len(only[1])})"
    same = ours == oracle and isinstance(ours, bool) == isinstance(oracle, bool)
    return None if same else f"{where}: ours {ours!r}, oracle {oracle!r}"
