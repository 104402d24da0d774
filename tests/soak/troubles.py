"""The events that the table may have missed, and when, by the time of the loop: faults record them while they last, and
the comparison queries them afterwards. Knows neither the faults' effects nor their targets."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from math import inf
from typing import Any

from taptable.core.observations import Pad

LOOKS_S = 1.5
"""Seconds after its trouble until a reader has looked again, and found what lies there."""
UNREST_S = 15.0
"""Seconds after a fault until every part is back."""

Spans = dict[Any, list[tuple[float, float]]]


class Troubles:
    """Spans of time: of readers of pads, and of buttons as ``("button", seat)``, that may have missed events
    (`blinded`), of pads whose card may have been read once more (`read_twice`), and of faults by their kind
    (`struck`)."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self.blinded: Spans = defaultdict(list)
        self.read_twice: Spans = defaultdict(list)
        self.struck: Spans = defaultdict(list)
        self._now_s = now_s
        self._lasting: set[tuple[Pad, str]] = set()

    @contextmanager
    def exclusive(self, pad: Pad, why: str) -> Iterator[None]:
        """This holds at a pad, or at a USB port, while the context lasts."""
        self._lasting.add((pad, why))
        try:
            yield
        finally:
            self._lasting.discard((pad, why))

    def is_excluded(self, pad: Pad, why: str = "out") -> bool:
        """Return whether this holds at the pad now."""
        return (pad, why) in self._lasting

    def strikes(self, kind: str) -> AbstractContextManager[None]:
        """A fault of this kind lasts."""
        return self._span(self.struck, kind)

    def blind(self, pad: Pad, before_s: float = 0.0) -> AbstractContextManager[None]:
        """The reader of a pad may miss what lies there meanwhile, and up to `before_s` before."""
        return self._span(self.blinded, pad, before_s)

    def unsure(self, seat: Pad, before_s: float = 0.0) -> AbstractContextManager[None]:
        """A press may be missed meanwhile, and up to `before_s` before."""
        return self._span(self.blinded, ("button", seat), before_s)

    def twice(self, pad: Pad) -> AbstractContextManager[None]:
        """A card that lay there meanwhile may have been read once more."""
        return self._span(self.read_twice, pad)

    @contextmanager
    def _span(self, spans: Spans, key: Any, before_s: float = 0.0) -> Iterator[None]:
        began_s = self._now_s() - before_s
        spans[key].append((began_s, inf))
        place = len(spans[key]) - 1
        try:
            yield
        finally:
            spans[key][place] = (began_s, self._now_s() + LOOKS_S)

    @property
    def over(self) -> bool:
        """Return whether nothing has failed for a while."""
        return not self._since(self._now_s(), self.struck)

    def any_since(self, at_s: float, but: str = "", unrest_s: float = UNREST_S) -> bool:
        """Return whether a fault other than of the kind `but` has lasted since then or up to `unrest_s` before, or
        whether a reader or a button may have missed something."""
        struck = {kind: spans for kind, spans in self.struck.items() if kind != but}
        twice = {} if but else self.read_twice
        return any(self._since(at_s, spans, unrest_s) for spans in (struck, self.blinded, twice))

    def struck_since(self, at_s: float, but: str) -> bool:
        """Return whether a fault of another kind than `but` has lasted since then."""
        return self._since(at_s, {kind: spans for kind, spans in self.struck.items() if kind != but}, 0.0)

    @staticmethod
    def _since(at_s: float, spans: Mapping[Any, list[tuple[float, float]]], unrest_s: float = UNREST_S) -> bool:
        return any(ended_s + unrest_s > at_s for each in spans.values() for _, ended_s in each)
