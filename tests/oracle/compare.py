"""What must agree in the referee's answer and an oracle's: verdict, rule of a refusal, code where the oracle gives one,
everything shown, and of the announcements those that a game's page names. Sentences, other announcements and
additional keys may be anything."""

from __future__ import annotations

from collections.abc import Collection

CYBER_SIEGE = (
    *("turn-started", "card-drawn", "card-laid", "set-laid", "set-taken-back", "card-discarded", "launch-offered"),
    *("spared", "window-opened", "defended", "hit", "effect-text", "reshuffled", "corrected", "game-over"),
)
XNET = (
    *("demand-laid", "demand-replaced", "demand-swapped", "x-returned", "scored", "reshuffle-due", "reshuffled"),
    *("topic-laid", "card-added", "topic-to-streamer", "topic-to-hand", "specialist-hired", "specialist-returned"),
    *("users-bought", "server-bought", "streamer-bought", "net-bought", "action-broken-off", "turn-started"),
    "game-over",
)
TOLD = {XNET: ("action-begun", "payment-owed", "cards-drawn"), CYBER_SIEGE: ("reshuffle-due",)}
"""The page says that there is such a thing, not each time at which it is said: more of these pass."""


def compare(ours: dict, oracle: dict, named: tuple[str, ...] = ()) -> str | None:
    """None if the answers agree, else the first difference. Announcements are compared if any types are `named`."""
    if "error" in oracle or "error" in ours:
        return _differs(ours.get("line"), oracle.get("line"), "the line of an error")
    if "verdict" not in oracle:
        return None if ours == oracle else _differs(ours, oracle, "shown")
    wanted = ["verdict", *(["rule"] if oracle["verdict"] == "refused" else []), *(["code"] if "code" in oracle else [])]
    for key in wanted:
        if difference := _differs(ours.get(key), oracle[key], key):
            return f"{difference} (oracle: {oracle['verdict']} by {oracle.get('rule')})"
    return _announced(ours["announcements"], oracle["announcements"], named) if named else None


def _announced(ours: list[dict], oracle: list[dict], named: tuple[str, ...]) -> str | None:
    """The same of what is named in the same order, with the fields that the oracle gives."""
    mine, theirs = _of(ours, named), _of(oracle, named)
    if [one["type"] for one in mine] != [one["type"] for one in theirs]:
        return f"announced: ours {[one['type'] for one in ours]}, oracle {[one['type'] for one in oracle]}"
    for one, other in zip(mine, theirs, strict=True):
        if difference := _differs(one, other, other["type"]):
            return difference
    told = [{(one["type"], one.get("owed")) for one in _of(all_, TOLD[named])} for all_ in (oracle, ours)]
    return f"announced: {told[0] - told[1]} is missing" if told[0] - told[1] else None


def _of(announcements: list[dict], types: Collection[str]) -> list[dict]:
    return [one for one in announcements if one["type"] in types]


def _differs(ours: object, oracle: object, where: str) -> str | None:
    """Times to the microsecond; keys the oracle doesn't know pass."""
    if isinstance(oracle, dict) and isinstance(ours, dict):
        if not oracle.keys() <= ours.keys():
            return f"{where}: ours lacks {sorted(oracle.keys() - ours.keys())}"
        found = (_differs(ours[key], value, f"{where}.{key}") for key, value in oracle.items())
        return next(filter(None, found), None)
    if isinstance(oracle, list) and isinstance(ours, list):
        if len(ours) == len(oracle):
            pairs = enumerate(zip(ours, oracle, strict=True))
            return next(filter(None, (_differs(*pair, f"{where}[{place}]") for place, pair in pairs)), None)
        only = [one for one in ours if one not in oracle], [one for one in oracle if one not in ours]
        return f"{where}: only ours {only[0][:8]} ({len(only[0])}), only the oracle {only[1][:8]} ({len(only[1])})"
    if isinstance(oracle, float) and isinstance(ours, int | float) and not isinstance(ours, bool):
        same = round(ours * 1_000_000) == round(oracle * 1_000_000)
    else:
        same = ours == oracle and isinstance(ours, bool) == isinstance(oracle, bool)
    return None if same else f"{where}: ours {ours!r}, oracle {oracle!r}"
