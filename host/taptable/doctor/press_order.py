"""The resolution of presses: how close two may be and still be put in order, which depends on how the buttons are wired
and on what stamps them. Two presses closer than the sum of both uncertainties are a tie. Must not know how a kind of
button is stamped; its driver's doctor says that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from taptable.doctor.drivers import DriverDoctor, Stamps
from taptable.doctor.findings import Finding, ok, skipped, unseen
from taptable.doctor.site import ExaminedTable
from taptable.drivers.interface import Driver
from taptable.schema.problems import join_words


def examine_order(site: ExaminedTable, doctors: Mapping[str, DriverDoctor[Driver]]) -> Iterator[Finding]:
    """Yield how close two presses may be, as they would be stamped now."""
    if site.held_by is not None:
        yield unseen("order", "buttons", f"in use by {site.held_by}", site.stop_advice)
        return
    yield from judge_order({seat: stamps for each in doctors.values() for seat, stamps in each.stamps(site).items()})


def judge_order(buttons: Mapping[int, Stamps]) -> Iterator[Finding]:
    """Yield a finding for each way in which two of these buttons (by seat) are wired."""
    ways: dict[str, list[tuple[int, int]]] = {}
    for one, other in combinations(sorted(buttons), 2):
        ways.setdefault(_way(buttons[one], buttons[other]), []).append((one, other))
    for way, pairs in ways.items():
        bound_us = max(buttons[one].uncertainty_us + buttons[other].uncertainty_us for one, other in pairs)
        seats = join_words(sorted({seat for pair in pairs for seat in pair}))
        found = f"buttons {seats}, {way}: two presses closer than {bound_us / 1000:.2f} ms are a tie"
        by = sorted({buttons[seat].by for pair in pairs for seat in pair} - {""})
        figures = {"buttons": "; ".join([way, *by]), "seats": sorted({seat for pair in pairs for seat in pair})}
        yield ok("order", "buttons", ", ".join([found, *by])).with_figures(stated={**figures, "tie_below_us": bound_us})
    if not ways:
        yield skipped("order", "buttons", "no two buttons have stamps that can be compared")


def _way(one: Stamps, other: Stamps) -> str:
    """Return how two buttons are wired, in words."""
    if one.where == other.where:
        return one.beside(one, other)
    first, second = sorted((one.where, other.where))
    return f"one of two {first} and one {second}"
