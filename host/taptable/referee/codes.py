"""Codes of verdicts that no game has to know: what the table itself refuses or ignores, and the rule it stands on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

SHARED_RULES: Mapping[str, str] = MappingProxyType(
    {
        "paused": "R11",
        "one-at-a-time": "R11",
        "nothing-to-take-back": "R11",
        "paused-already": "R11",
        "not-paused": "R11",
    }
)
