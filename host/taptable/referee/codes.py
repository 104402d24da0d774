"""Codes of verdicts that no game has to know: what the table itself refuses or ignores, and the rule it stands on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from taptable.core.verdicts import Ignored, Refused, Verdict

SHARED_REFUSALS: Mapping[str, str] = MappingProxyType(
    {
        "paused": "R11",
        "one-at-a-time": "R11",
    }
)

SHARED_IGNORED: Mapping[str, str] = MappingProxyType(
    {
        "nothing-to-take-back": "R11",
        "paused-already": "R11",
        "not-paused": "R11",
    }
)

SHARED_RULES: Mapping[str, str] = MappingProxyType({**SHARED_REFUSALS, **SHARED_IGNORED})

SHARED_VERDICT_OF: Mapping[str, type[Verdict]] = MappingProxyType(
    {**dict.fromkeys(SHARED_REFUSALS, Refused), **dict.fromkeys(SHARED_IGNORED, Ignored)}
)
