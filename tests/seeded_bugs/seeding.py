"""Applies each bug of `bugs.toml` to a copy of the project, one at a time, and runs the tests that must notice it.

Run by `scripts/seeded-bugs`, and by `test_seeded_bugs.py` as part of the suite."""

from __future__ import annotations

import argparse
import functools
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("bugs.toml")
AREAS = ("referee", "driver", "register", "link", "journal", "page", "firmware")
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "*.egg-info", "build", "dist")
TESTS_FAILED = 1
"""The exit status of pytest when it ran to its end and something was red; anything else is no verdict."""
LONGEST_S = 120


@dataclass(frozen=True)
class Bug:
    """`old` stands exactly once in `file`; with `new` in its place one of `tests` must turn red. `what` says what is
    wrong then."""

    name: str
    area: str
    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """What became of one bug: `noticed` by its tests or not, and what they printed."""

    noticed: bool
    output: str
    seconds: float


def load() -> tuple[Bug, ...]:
    """All bugs of the list."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["bug"]
    return tuple(Bug(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries)


def seed(bug: Bug) -> Finding:
    """Put the bug into a fresh copy of the project and run its tests there."""
    with TemporaryDirectory(prefix="seeded-bug-") as folder:
        copy = copied(Path(folder))
        misfit = apply(bug, copy)
        return run_tests(copy, bug.tests) if misfit is None else Finding(False, misfit, 0.0)


def copied(folder: Path) -> Path:
    """A copy of the project, without what belongs to this machine."""
    return Path(shutil.copytree(ROOT, folder / "copy", ignore=LEFT_OUT))


def apply(bug: Bug, root: Path) -> str | None:
    """Put the bug into the source below `root`; why it doesn't fit there any more, or None."""
    path = root / bug.file
    source = path.read_text(encoding="utf-8")
    if source.count(bug.old) != 1:
        return f"{bug.name}: its old text stands {source.count(bug.old)} times in {bug.file}, and should once"
    broken = source.replace(bug.old, bug.new)
    compile(broken, bug.file, "exec")  # a bug is wrong, not malformed
    path.write_text(broken, encoding="utf-8")
    return None


def run_tests(root: Path, tests: Sequence[str]) -> Finding:
    """Run tests of a copy against the source of that copy."""
    began_s = time.monotonic()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["TAPTABLE_FOUND_IS_ENOUGH"] = "1"
    if vm := _micropython():
        environment["TAPTABLE_MICROPYTHON"] = vm  # what was fetched for it is beside the project, and not in its copy
    environment["PYTHONPATH"] = os.pathsep.join(str(root / folder) for folder in ("host", "firmware/lib"))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
    command += ["--hypothesis-seed=0", *tests]
    try:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired:
        return Finding(False, f"{', '.join(tests)}: no end within {LONGEST_S} s", float(LONGEST_S))
    return Finding(done.returncode == TESTS_FAILED, done.stdout + done.stderr, time.monotonic() - began_s)


@functools.cache
def _micropython() -> str:
    """The VM that the firmware's tests run on; nothing where there is none."""
    found = subprocess.run(
        [ROOT / "scripts" / "setup-micropython", "--find"], capture_output=True, text=True, check=False
    )
    return found.stdout.strip()


def main(arguments: Sequence[str] | None = None) -> int:
    """Seed the bugs that are named, or all; 1 if one of them went unnoticed."""
    parser = argparse.ArgumentParser(prog="scripts/seeded-bugs", description="Seed bugs; a test must see each.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="a bug of tests/seeded_bugs/bugs.toml (default: all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="how many at a time")
    args = parser.parse_args(arguments)
    bugs = {bug.name: bug for bug in load()}
    unknown = set(args.names) - set(bugs)
    if unknown:
        parser.error(f"no such bug: {', '.join(sorted(unknown))}; there are {', '.join(bugs)}")
    chosen = [bugs[name] for name in args.names] or list(bugs.values())
    missed = 0
    with ThreadPoolExecutor(args.jobs) as pool:
        for bug, finding in zip(chosen, pool.map(seed, chosen), strict=True):
            missed += not finding.noticed
            verdict = "red " if finding.noticed else "MISSED"
            print(f"{verdict:7}{finding.seconds:5.1f} s  {bug.area:9}{bug.name}: {bug.what}", flush=True)
            if not finding.noticed:
                print(finding.output)
    print(f"{len(chosen) - missed} of {len(chosen)} seeded bugs turned a test red")
    return 1 if missed else 0
