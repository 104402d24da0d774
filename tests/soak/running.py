"""`scripts/soak`: many evenings, one after the other or on several cores, each from its seed alone. Writes the results
into lines of a file, by commit and seeds, and sums them up."""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import re
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from soak.evening import Outcome, evening
from soak.faults import KINDS
from soak.plan import plan
from soak.shrinking import least

ROOT = Path(__file__).parents[2]
IN_A_LINE = 20
"""Evenings in a line of the results."""
BESIDE = 3
"""The number of kinds in a row of the table of results."""
A_PROCESS_PLAYS = 60
"""Evenings before a process makes room for a fresh one."""
LONGEST_S = 300
"""Seconds for an evening; one that takes longer is wrong."""


class NoEnd(Exception):
    """An evening took too long."""


def play(seed: int, only: Sequence[int] | None = None, chips: bool | None = None) -> Outcome:
    """Play an evening, and return an outcome even if it fails."""
    signal.signal(signal.SIGALRM, _no_end)
    signal.alarm(LONGEST_S)
    try:
        return evening(seed, only=only, chips=chips)
    except Exception as error:
        drawn = plan(seed, KINDS)
        said = f"it broke off: {error!r}\n{traceback.format_exc()}"
        return Outcome(seed, drawn.game, drawn.build, drawn.chips, 0, wrong=(said,))
    finally:
        signal.alarm(0)


def _no_end(_number: int, _frame: FrameType | None) -> None:
    raise NoEnd(f"no end within {LONGEST_S} s")


def shrunk(outcome: Outcome, chips: bool | None) -> list[int]:
    """The smallest set of faults with which the evening still goes wrong in the same way."""
    drawn = plan(outcome.seed, KINDS)
    numbers = [fault.number for fault in drawn.faults if fault.at_s <= outcome.table_s or not outcome.table_s]
    way = way_of(outcome)
    return least(numbers, lambda only: way_of(play(outcome.seed, only, chips)) == way)


def way_of(outcome: Outcome) -> str:
    """The way in which an evening went wrong; "" for one that didn't."""
    return outcome.wrong[0].partition(":")[0] if outcome.wrong else ""


def describe_failure(outcome: Outcome, only: Sequence[int] | None, chips: bool | None) -> str:
    """The errors of an evening, and the command that plays it again."""
    again = {None: "", True: " --chips", False: " --no-chips"}[chips]
    again += "" if only is None else f" --only {','.join(map(str, only)) or 'none'}"
    faults = plan(outcome.seed, KINDS).faults
    least_faults = "".join(f"\n    {fault}" for fault in faults if only is not None and fault.number in only)
    differences = "".join(f"\n  {each}" for each in outcome.wrong[:6])
    about = f"seed {outcome.seed}, {outcome.game}, {outcome.build}:{differences}{least_faults}"
    return f"{about}\n  scripts/soak --seed {outcome.seed}{again}"


@dataclass
class Sum:
    """The sum of many evenings."""

    commit: str
    first: int
    last: int
    evenings: int = 0
    games: int = 0
    chips: int = 0
    table_s: float = 0.0
    cpu_s: float = 0.0
    of: Counter[str] = field(default_factory=Counter[str])
    faults: Counter[str] = field(default_factory=Counter[str])
    loud: Counter[str] = field(default_factory=Counter[str])
    wrong: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def add(self, outcome: Outcome) -> None:
        self.evenings += 1
        self.games += outcome.games
        self.chips += outcome.chips
        self.table_s += outcome.table_s
        self.cpu_s += outcome.cpu_s
        self.of.update((outcome.game, outcome.build))
        self.faults.update(outcome.faults)
        self.loud.update(outcome.loud)
        if outcome.wrong:
            self.wrong.append({"seed": outcome.seed, "wrong": list(outcome.wrong[:6])})


def commit() -> str:
    """The commit that is soaked, with a ``+`` if there are uncommitted changes."""
    describe = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    return subprocess.run(describe, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def soak(seeds: Sequence[int], jobs: int, chips: bool | None) -> Iterator[Outcome]:
    """Yield the evenings of these seeds, in any order, from processes of their own, which take the evenings' leftovers
    with them."""
    with multiprocessing.get_context("fork").Pool(jobs, _begin_process, maxtasksperchild=A_PROCESS_PLAYS) as pool:
        yield from pool.imap_unordered(_play, [(seed, chips) for seed in seeds])


def _begin_process() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # imported modules stay: the collector does not have to scan them again and again
    gc.set_threshold(20_000, 50, 50)


def _play(about: tuple[int, bool | None]) -> Outcome:
    return play(about[0], None, about[1])


def done(results: Path, of: str) -> set[int]:
    """The seeds of a commit that are in the results."""
    if not results.exists():
        return set()
    lines = (json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())
    return {seed for line in lines if line["commit"] == of for seed in range(line["first"], line["last"] + 1)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Soak; return 1 if an evening went wrong and nobody was told."""
    parser = argparse.ArgumentParser(prog="scripts/soak", description="Whole evenings with faults at every seam.")
    add, yes_or_no = parser.add_argument, argparse.BooleanOptionalAction
    add("--evenings", type=int, default=1, metavar="N", help="how many, with seeds from S on (%(default)s)")
    add("--seed", type=int, default=0, metavar="S")
    add("--jobs", type=int, default=1, metavar="J", help="processes (%(default)s)")
    add("--only", metavar="N,…", help="of the faults of one evening only these, or none")
    add("--chips", action=yes_or_no, help="with models of the readers' chips, or without, whatever the seed says")
    add("--results", type=Path, metavar="FILE", help="append what comes of them, and go on where it ends")
    add("--summary", type=Path, metavar="FILE", help="sum such results up instead, as a table")
    add("--commit", metavar="C,…", help="of which commits (the last one there)")
    add("--shrink", action=yes_or_no, default=True, help="look for the least faults")
    args = parser.parse_args(arguments)
    if args.summary is not None:
        print("\n".join(summary(args.summary, args.commit)))
        return 0
    if args.only is not None:
        only = [] if args.only == "none" else [int(number) for number in args.only.split(",")]
        outcome = play(args.seed, only, args.chips)
        print(describe_failure(outcome, only, args.chips) if outcome.wrong else json.dumps(asdict(outcome), indent=1))
        return 1 if outcome.wrong else 0
    of, silent, began_s = commit(), 0, time.monotonic()
    there = set[int]()
    if args.results is not None and not of.endswith("+"):  # that may be other code by now
        there = done(args.results, of)
    seeds = [seed for seed in range(args.seed, args.seed + args.evenings) if seed not in there]
    line_of = {seed: at // IN_A_LINE for at, seed in enumerate(seeds)}
    left = Counter(line_of.values())
    totals = [Sum(of, seeds[at], seeds[min(at + IN_A_LINE, len(seeds)) - 1]) for at in range(0, len(seeds), IN_A_LINE)]
    for outcome in soak(seeds, args.jobs, args.chips):
        line = line_of[outcome.seed]
        total = totals[line]
        total.add(outcome)
        left[line] -= 1
        if outcome.wrong:
            silent += 1
            print(
                describe_failure(outcome, shrunk(outcome, args.chips) if args.shrink else None, args.chips), flush=True
            )
        if left[line]:
            continue
        if args.results is not None:
            with args.results.open("a", encoding="utf-8") as file:
                file.write(json.dumps(vars(total)) + "\n")
        print(
            f"{total.first} to {total.last}: {total.faults.total()} faults, {total.loud.total()} loud,"
            f" {len(total.wrong)} silent; {total.cpu_s / total.evenings:.2f} s each,"
            f" {time.monotonic() - began_s:.0f} s in all",
            flush=True,
        )
    return 1 if silent else 0


def summary(results: Path, of: str | None) -> Iterable[str]:
    """The results of some commits, summed up for docs/measurements.md."""
    lines = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    of = of or lines[-1]["commit"]
    lines = [line for line in lines if line["commit"] in of.split(",")]
    total = Sum(of, min(line["first"] for line in lines), max(line["last"] for line in lines))
    for line in lines:
        for name in ("evenings", "games", "chips", "table_s", "cpu_s"):
            setattr(total, name, getattr(total, name) + line[name])
        for name in ("of", "faults"):
            getattr(total, name).update(line[name])
        for said, times in line["loud"].items():
            # notices by their names in the journal; of what was refused only where: there are as many reasons as rules
            named = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", said).lower()
            total.loud[named.partition(":")[0] if named.startswith("refused") else named] += times
        total.wrong += line["wrong"]
    yield f"Commit {of}, seeds {total.first} to {total.last}: {total.evenings} evenings with {total.games} games,"
    yield f"{total.table_s / 3600:.0f} hours at the table, {total.cpu_s / total.evenings:.2f} s of a processor each."
    yield ", ".join(f"{name} {number}" for name, number in total.of.most_common()) + f", at the chips {total.chips}."
    for title, counted in (("fault that struck", total.faults), ("the table said so", total.loud)):
        cells = [f" {name} | {number:,} " for name, number in sorted(counted.items())]
        cells += [" | "] * (-len(cells) % BESIDE)
        yield ""
        yield f"| {title} | times |" + " | |" * (BESIDE - 1)
        yield "| --- | --- |" + " --- | --- |" * (BESIDE - 1)
        yield from ("|" + "|".join(cells[at : at + BESIDE]) + "|" for at in range(0, len(cells), BESIDE))
    yield ""
    yield f"Silent: {len(total.wrong)}."
    yield from (f"- seed {each['seed']}: {each['wrong'][0]:.200}" for each in total.wrong)


if __name__ == "__main__":
    sys.exit(main())
