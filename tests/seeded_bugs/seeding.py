"""Applies each bug of `bugs.toml` to a copy of the project, one at a time, and runs the tests that must notice it.

Run by `scripts/seeded-bugs`, and by `test_seeded_bugs.py` as part of the suite."""

from __future__ import annotations

import argparse
import functools
import itertools
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
from queue import SimpleQueue
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("bugs.toml")
AREAS = ("referee", "driver", "register", "link", "journal", "page", "firmware")
LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "*.egg-info", "build", "dist")
TESTS_FAILED = 1
"""The exit status of pytest when it ran to its end and a test failed; any other is no verdict."""
LONGEST_S = 120
"""With a bug a test may never end."""
_MOMENTS_S = itertools.count(1_000_000_000)


@dataclass(frozen=True)
class Bug:
    """A seeded bug: `old` occurs exactly once in `file`; with `new` in its place one of `tests` must fail. `what`
    describes the bug."""

    name: str
    area: str
    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """The result for one bug: `noticed` by its tests or not, and their output."""

    noticed: bool
    output: str
    seconds: float


def load() -> tuple[Bug, ...]:
    """All bugs of the list."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["bug"]
    return tuple(Bug(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries)


def copied(folder: Path) -> Path:
    """Copy the project, without what belongs to this machine. One bug after the other can be put into the copy, and all
    share its compiled files."""
    return Path(shutil.copytree(ROOT, folder / "copy", ignore=LEFT_OUT))


def seed(bug: Bug, copy: Path) -> Finding:
    """Put the bug into a copy of the project, run its tests there, and take it out again."""
    path = copy / bug.file
    source = path.read_text(encoding="utf-8")
    if misfit := misfit_of(bug, source):
        return Finding(False, misfit, 0.0)
    broken = source.replace(bug.old, bug.new)
    compile(broken, bug.file, "exec")  # a bug is wrong, not malformed
    try:
        _write(path, broken)
        return run_tests(copy, bug.tests)
    finally:
        _write(path, source)
        shutil.rmtree(copy / ".hypothesis", ignore_errors=True)  # no bug is noticed by what another one left


def misfit_of(bug: Bug, source: str) -> str:
    """Why a bug can't be put into this source; "" if it can."""
    count = source.count(bug.old)
    return "" if count == 1 else f"{bug.name}: its old text stands {count} times in {bug.file}, and should once"


def _write(path: Path, source: str) -> None:
    """Write a source with a time that no source was ever written at: Python decides by it whether to compile again."""
    path.write_text(source, encoding="utf-8")
    moment_s = next(_MOMENTS_S)
    os.utime(path, (moment_s, moment_s))


def run_tests(root: Path, tests: Sequence[str], longest_s: float | None = LONGEST_S) -> Finding:
    """Run tests of a copy against the source of that copy, for `longest_s` at most."""
    began_s = time.monotonic()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment["TAPTABLE_FOUND_IS_ENOUGH"] = "1"
    if vm := _micropython():
        environment["TAPTABLE_MICROPYTHON"] = vm  # what was fetched for it is beside the project, and not in its copy
    environment["PYTHONPATH"] = os.pathsep.join(str(root / folder) for folder in ("host", "firmware/lib"))
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # those that no test here needs take half of its time
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
    command += ["-p", "_hypothesis_pytestplugin", "-p", "anyio", "--hypothesis-seed=0", "--all", *tests]
    try:
        done = subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=longest_s, check=False
        )
    except subprocess.TimeoutExpired as late:
        return Finding(False, f"{', '.join(tests)}: no end within {late.timeout} s", late.timeout)
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
    copies: SimpleQueue[Path] = SimpleQueue()

    def seed_in_a_copy(bug: Bug) -> Finding:
        copy = copies.get()
        try:
            return seed(bug, copy)
        finally:
            copies.put(copy)

    with TemporaryDirectory(prefix="seeded-bugs-") as folder, ThreadPoolExecutor(args.jobs) as pool:
        for number in range(args.jobs):
            copies.put(copied(Path(folder) / str(number)))
        for bug, finding in zip(chosen, pool.map(seed_in_a_copy, chosen), strict=True):
            missed += not finding.noticed
            verdict = "red " if finding.noticed else "MISSED"
            print(f"{verdict:7}{finding.seconds:5.1f} s  {bug.area:9}{bug.name}: {bug.what}", flush=True)
            if not finding.noticed:
                print(finding.output)
    print(f"{len(chosen) - missed} of {len(chosen)} seeded bugs turned a test red")
    return 1 if missed else 0
