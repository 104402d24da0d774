"""Drawings of the benches' results: how a league grows with its tables, and what processes hold after many evenings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl

if TYPE_CHECKING:
    from bench.league import Figures

mpl.use("Agg")
from matplotlib import pyplot

SIZE_INCHES = (10, 4.4)


def plot_growth(figures: Sequence[Figures], path: Path) -> None:
    """Draw the results of runs with different numbers of tables, into a file."""
    tables = [each.tables for each in figures]
    drawing, (of_processor, waiting) = pyplot.subplots(1, 2, figsize=SIZE_INCHES, layout="constrained")
    for name in figures[0].busy:
        of_processor.plot(tables, [100 * each.busy[name] for each in figures], marker="o", label=name)
    of_processor.set_ylabel("% of a processor")
    waiting.plot(tables, [each.wait_p50_s for each in figures], marker="o", label="median")
    waiting.plot(tables, [each.wait_p95_s for each in figures], marker="o", label="95th percentile")
    waiting.set_ylabel("from written to confirmed, s")
    for each in (of_processor, waiting):
        each.set_xscale("log")
        each.set_xlabel("tables, 5 entries a second each")
    _finish(drawing, (of_processor, waiting), path)


def plot_usage(evenings: Mapping[int, Mapping[str, Mapping[str, float]]], path: Path) -> None:
    """Draw the resources of each process after each of these evenings, into a file."""
    first = next(iter(evenings.values()))
    drawing, (memory, handles) = pyplot.subplots(1, 2, figsize=SIZE_INCHES, layout="constrained")
    for name, held in first.items():
        for figure in held:
            if figure not in ("blocks", "USS MB"):
                axes = memory if figure.endswith("MB") else handles
                label = f"{name}, {figure.removesuffix(' MB')}"
                axes.plot(list(evenings), [each[name][figure] for each in evenings.values()], label=label)
    memory.set_ylabel("MB")
    for each in (memory, handles):
        each.set_xlabel("evenings")
    _finish(drawing, (memory, handles), path)


def _finish(drawing: Any, plots: Sequence[Any], path: Path) -> None:
    for each in plots:
        each.set_ylim(bottom=0)
        each.grid(alpha=0.3)
        each.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=3)
    drawing.savefig(path)
    pyplot.close(drawing)
