"""One button's edges, as somebody presses it to try it: is it down, was it pressed and let go, and how long did it
bounce. Pure; times are microseconds of one clock."""

from __future__ import annotations

from itertools import groupby

CHATTER_US = 20_000
"""Edges closer than this belong to one movement of the contact."""


class Presses:
    """To be told every edge, bounces and all."""

    def __init__(self) -> None:
        self._edges: list[tuple[int, int, bool]] = []  # the number of its movement, its time, and whether it closed

    def edge(self, at_us: int, closed: bool) -> None:
        """The contact closed or opened."""
        movement, last_us, _ = self._edges[-1] if self._edges else (0, at_us, False)
        self._edges.append((movement + (at_us - last_us >= CHATTER_US), at_us, closed))

    @property
    def is_down(self) -> bool:
        """Is it closed now?"""
        return bool(self._edges) and self._edges[-1][2]

    @property
    def was_pressed(self) -> bool:
        """Did a movement end with the contact closed?"""
        return any(closed for _, _, closed in self._movements())

    def is_done(self, now_us: int) -> bool:
        """Was it pressed and let go, and is it at rest since?"""
        return self.was_pressed and not self.is_down and now_us - self._edges[-1][1] >= CHATTER_US

    @property
    def longest_bounce_us(self) -> int:
        """From the first edge of a movement to its last, in the worst movement."""
        return max((last_us - first_us for first_us, last_us, _ in self._movements()), default=0)

    def _movements(self) -> list[tuple[int, int, bool]]:
        """When each began and ended, and how the contact was left."""
        movements = [list(edges) for _, edges in groupby(self._edges, key=lambda edge: edge[0])]
        return [(edges[0][1], edges[-1][1], edges[-1][2]) for edges in movements]
