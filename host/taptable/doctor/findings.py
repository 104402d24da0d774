"""The doctor's findings: the state of one thing and what to do about it; and their output for people at a terminal and
for programs. Must not know the checks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeAlias

from taptable import __version__

State: TypeAlias = Literal["ok", "warning", "fault", "skipped"]
"""A warning is worth knowing, and the table plays with it. With a fault the table doesn't play, or not as
configured."""


Figures: TypeAlias = Mapping[str, bool | int | float | str | Sequence[int]]
"""Figures by their names, which are lower-case and contain the unit (``held_ms``). Texts are names of chips, versions
and the like, never anything that could identify a person, a card or a device."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `name` is the check's, `part` is what was examined (``pad 2``, ``board 3``, ``computer``); `todo` is
    a sentence, empty if there is nothing to do. `unseen`: the table has the part, but something barred the way to it,
    so nobody knows whether it is in order. `measured` are figures that were counted, timed or read from the part;
    `stated` are figures that program or configuration claim of it."""

    name: str
    part: str
    state: State
    found: str
    todo: str = ""
    unseen: bool = False
    measured: Figures = field(default_factory=dict[str, Any])
    stated: Figures = field(default_factory=dict[str, Any])

    def with_figures(self, measured: Figures | None = None, stated: Figures | None = None) -> Finding:
        """Return this finding with more figures, for reports and programs."""
        return replace(self, measured={**self.measured, **(measured or {})}, stated={**self.stated, **(stated or {})})


def ok(name: str, part: str, found: str) -> Finding:
    """Return that all is in order."""
    return Finding(name, part, "ok", found)


def warning(name: str, part: str, found: str, todo: str = "") -> Finding:
    """Return that the table plays, but needs attention."""
    return Finding(name, part, "warning", found, todo)


def fault(name: str, part: str, found: str, todo: str) -> Finding:
    """Return that a part doesn't work, or the table can't start."""
    return Finding(name, part, "fault", found, todo)


def skipped(name: str, part: str, found: str, todo: str = "") -> Finding:
    """Return that something is left out, or says nothing about the table's state, for the reason `found`."""
    return Finding(name, part, "skipped", found, todo)


def unseen(name: str, part: str, found: str, todo: str = "") -> Finding:
    """Return that something couldn't be examined, for the reason `found`."""
    return Finding(name, part, "skipped", found, todo, unseen=True)


_SIGNS: dict[State, str] = {"ok": "✓", "warning": "!", "fault": "✗", "skipped": "–"}
_PLAIN_SIGNS: dict[State, str] = {"ok": "+", "warning": "!", "fault": "x", "skipped": "-"}
"""The sign of each state, and a plain one for terminals that lack it."""
_COLOURS: dict[State, str] = {"ok": "32", "warning": "33", "fault": "1;31", "skipped": "2"}
"""The colour of each state, as a code of ANSI terminals."""
_PART_WIDTH = 13  # length of the longest name of a part: "discard board"


class FindingLines:
    """Formats findings as lines: a heading for each group, a sign, the part, what was found, and below it what to
    do."""

    def __init__(self, *, colours: bool, encoding: str = "utf-8") -> None:
        self._colours = colours
        try:
            "".join([*_SIGNS.values(), "→"]).encode(encoding)
            self._signs, self._arrow = _SIGNS, "→"
        except UnicodeEncodeError:
            self._signs, self._arrow = _PLAIN_SIGNS, "->"
        self._group = ""

    def render(self, group: str, finding: Finding) -> list[str]:
        """Return the lines for one finding."""
        lines = [] if group == self._group else [self._painted(group, "1")]
        self._group = group
        sign = self._painted(self._signs[finding.state], _COLOURS[finding.state])
        lines.append(f"  {sign} {finding.part:<{_PART_WIDTH}} {finding.found}")
        if finding.todo:
            lines.append(f"    {'':<{_PART_WIDTH}} {self._arrow} {finding.todo}")
        return lines

    def _painted(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colours else text


def summary(findings: Sequence[Finding]) -> str:
    """Return a line with the number of findings of each state. All is well only if something was examined and nothing
    was unseen."""
    count = Counter(finding.state for finding in findings)
    if not count["fault"] and not count["warning"]:
        barred = sum(finding.unseen for finding in findings)
        left_out = count["skipped"] - barred
        if not count["ok"]:
            return f"Nothing was examined: {barred} couldn't be, {left_out} left out."
        if barred:
            return f"{count['ok']} in order, but {barred} couldn't be examined; {left_out} left out."
        return f"All is well: {count['ok']} findings, {left_out} left out."
    faults = "1 fault" if count["fault"] == 1 else f"{count['fault']} faults"
    warnings = "1 warning" if count["warning"] == 1 else f"{count['warning']} warnings"
    return f"{faults}, {warnings}; {count['ok']} in order, {count['skipped']} left out."


def is_healthy(findings: Iterable[Finding]) -> bool:
    """Return whether there is no fault, and something was examined unless there was nothing to examine."""
    found = list(findings)
    was_seen = any(finding.state in ("ok", "warning") for finding in found)
    return not any(finding.state == "fault" or (finding.unseen and not was_seen) for finding in found)


def as_json(findings: Sequence[Finding]) -> str:
    """Return all findings as JSON for programs."""
    document = {
        "doctor": 1,
        "taptable": __version__,
        "ok": is_healthy(findings),
        "findings": [asdict(finding) for finding in findings],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)
