"""``taptable bench``: how fast the referee is, what reading a card costs, how long a tap takes, and how well a press is
placed in time; figures to compare machines and changes by."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

BENCHES = {
    "referee": "accepted moves a second through the referee's step, in random legal games on one core",
    "reader": "SPI transactions and bytes for an empty poll and for a card, beside the stock mfrc522 package",
    "wire": "the time from a tap to the light of its verdict, part by part, and what a tap costs on the wire",
    "clock": "the bound of a press on a seat board and its true error, beside other clocks, and who buzzed first",
}
"""What there is to be measured; each is a module ``taptable.sim.bench_NAME``."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser("bench", help="measure referee, readers, wire or clock", description=__doc__)
    benches = parser.add_subparsers(dest="bench", required=True, metavar="WHAT")
    for name, what in BENCHES.items():
        benches.add_parser(name, help=what, description=f"Measures {what}.")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    return import_module(f"taptable.sim.bench_{args.bench}").run(sys.stdout)
