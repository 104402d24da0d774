"""How a league grows with its tables, drawn: what each process takes, and how long an entry waits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

if TYPE_CHECKING:
    from bench.league import Figures

mpl.use("Agg")
from matplotlib import pyplot

SIZE_INCHES = (10, 4)


def plot(figures: Sequence[Figures], path: Path) -> None:
    """Draw what runs with different numbers of tables came to, into a file."""
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
        each.set_ylim(bottom=0)
        each.grid(alpha=0.3)
        each.legend()
    drawing.savefig(path)  # pyright: ignore[reportUnknownMemberType]
    pyplot.close(drawing)
