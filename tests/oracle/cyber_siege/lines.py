"""One input line: the shared ones as ever, and the controls of Cyber Siege's own page."""

from __future__ import annotations

import json
from decimal import Decimal

from ..lines import Malformed, read_line

COUNTS = ("red", "purple", "one_points")


def read(text: str, players: int) -> dict:
    """As `read_line`; of `correct` also its `seat` and `counts`."""
    try:
        line = json.loads(text, parse_float=Decimal)
    except ValueError:
        raise Malformed("not JSON") from None
    own = isinstance(line, dict) and "at" in line and line.get("control") in ("spare", "correct")
    if not own:
        return read_line(text, players)
    keys = set(line) - {"at", "control"}
    at = float(line["at"]) if isinstance(line["at"], Decimal) else line["at"]
    said = read_line(json.dumps({"at": at}), players) | {"what": "control", "control": line["control"]}
    if line["control"] == "spare":
        if keys:
            raise Malformed("an extra key")
        return said
    if "seat" not in keys or not keys - {"seat"} or not keys <= {"seat", *COUNTS}:
        raise Malformed("not what a correction has")
    if not (_is_whole(line["seat"]) and 1 <= line["seat"] <= players):
        raise Malformed("no such seat")
    counts = {key: line[key] for key in COUNTS if key in keys}
    if not all(_is_whole(count) for count in counts.values()):
        raise Malformed("no count")
    return said | {"seat": line["seat"], "counts": counts}


def _is_whole(value: object) -> bool:
    return type(value) is int and value >= 0
