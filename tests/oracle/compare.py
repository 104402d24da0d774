"""Compares the referee's answer with the oracle's: verdict, rule of a refusal, code where the oracle gives one, and
everything shown. Sentences, announcements and additional keys may be anything."""

from __future__ import annotations


def compare(ours: dict, oracle: dict) -> str | None:
    """Return the first difference of two answers, None if they agree."""
    if "error" in oracle or "error" in ours:
        return _differs(ours.get("line"), oracle.get("line"), "the line of an error")
    if "verdict" not in oracle:
        return None if ours == oracle else _differs(ours, oracle, "shown")
    wanted = ["verdict", *(["rule"] if oracle["verdict"] == "refused" else []), *(["code"] if "code" in oracle else [])]
    for key in wanted:
        if difference := _differs(ours.get(key), oracle[key], key):
            return f"{difference} (oracle: {oracle['verdict']} by {oracle.get('rule')})"
    return None


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
