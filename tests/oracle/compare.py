"""What must agree in the referee's answer and the oracle's; sentences, announcements, additional keys may differ."""

from __future__ import annotations


def compare(ours: dict, oracle: dict) -> str | None:
    """None if the answers agree, else the first difference. A code counts only where the format itself fixes it."""
    for key in ("error", "legal", "teams"):
        if (key in ours) != (key in oracle):
            return f"{'ours' if key in ours else 'the oracle'} alone answers with {key!r}"
    if "error" in oracle:
        return _differs(ours.get("line"), oracle["line"], "line")
    if "legal" in oracle:
        return _legal(ours["legal"], oracle["legal"])
    if "teams" in oracle:
        return _differs(ours, oracle, "state")
    wanted = ["verdict", *(["rule"] if oracle["verdict"] == "refused" else []), *(["code"] if "code" in oracle else [])]
    for key in wanted:
        difference = _differs(ours.get(key), oracle[key], key)
        if difference is not None:
            return f"{difference} (oracle: {oracle['verdict']} by {oracle['rule']})"
    return None


def _legal(ours: list, oracle: list) -> str | None:
    mine, theirs = [tuple(tap) for tap in ours], [tuple(tap) for tap in oracle]
    extra = sorted(set(mine) - set(theirs), key=str)
    missing = sorted(set(theirs) - set(mine), key=str)
    if extra or missing:
        return f"legal: only ours {extra[:8]} ({len(extra)}), only the oracle {missing[:8]} ({len(missing)})"
    if mine != theirs:
        return "legal: the same taps in another order"
    return None


def _differs(ours: object, oracle: object, where: str) -> str | None:
    """Times to the microsecond; keys the oracle doesn't know are additions and pass."""
    if isinstance(oracle, dict) and isinstance(ours, dict):
        for key, value in oracle.items():
            if key not in ours:
                return f"{where}.{key}: missing"
            difference = _differs(ours[key], value, f"{where}.{key}")
            if difference is not None:
                return difference
        return None
    if isinstance(oracle, list) and isinstance(ours, list) and len(ours) == len(oracle):
        for place, (one, other) in enumerate(zip(ours, oracle, strict=True)):
            difference = _differs(one, other, f"{where}[{place}]")
            if difference is not None:
                return difference
        return None
    if isinstance(oracle, float) and isinstance(ours, int | float) and not isinstance(ours, bool):
        same = round(ours * 1_000_000) == round(oracle * 1_000_000)
    else:
        same = ours == oracle and isinstance(ours, bool) == isinstance(oracle, bool)
    return None if same else f"{where}: ours {ours!r}, oracle {oracle!r}"
