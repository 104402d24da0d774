"""The target of a package: a release of Debian, which determines the Python, and an architecture."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASES = {"bookworm": (12, (3, 11)), "trixie": (13, (3, 13))}
"""Debian's number, and the Python of the release."""
TRIPLETS = {"arm64": "aarch64-linux-gnu", "amd64": "x86_64-linux-gnu"}


class CantPackage(Exception):
    """The reason that no package can be made, as a sentence."""


@dataclass(frozen=True, slots=True)
class Target:
    """A release of Debian on an architecture, both by Debian's names."""

    release: str
    architecture: str

    def __str__(self) -> str:
        return f"{self.release} on {self.architecture}"

    @property
    def python(self) -> tuple[int, int]:
        """The one Python that the release has."""
        return RELEASES[self.release][1]

    @property
    def python_name(self) -> str:
        """The Python's version, as in ``python3.11``."""
        return ".".join(map(str, self.python))

    @property
    def machine(self) -> str:
        """The processor, by Python's name."""
        return TRIPLETS[self.architecture].partition("-")[0]

    def version(self, upstream: str) -> str:
        """Return the package's version: it rises when the system is upgraded from one release to the next."""
        return f"{upstream}+deb{RELEASES[self.release][0]}"


def version_here() -> str:
    """Return taptable's version in these sources."""
    found = re.search(r'^__version__ = "(.+)"$', (ROOT / "host/taptable/__init__.py").read_text(), re.MULTILINE)
    if found is None:
        raise CantPackage("host/taptable/__init__.py names no version.")
    return found[1]


def epoch_of(version: str) -> int:
    """Return the date of everything that is made from this commit, in seconds since 1970: the commit's own. Raise
    `CantPackage` if the version's tag is on another commit."""
    tag = f"v{version}"
    tagged = run(["git", "tag", "--list", tag], cwd=ROOT).strip()
    here, expected = (run(["git", "rev-parse", f"{each}^{{commit}}"], cwd=ROOT) for each in ("HEAD", tagged or "HEAD"))
    if here != expected:
        raise CantPackage(f"{tag} is another commit than the one here: check that out, or raise the version.")
    return int(run(["git", "log", "-1", "--format=%ct"], cwd=ROOT))


def run(command: Sequence[str | Path], *, cwd: Path | None = None) -> str:
    """Run a command and return its standard output; raise `CantPackage` with its errors if it fails."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise CantPackage(
            f"{' '.join(map(str, command[:3]))} … ended with {ran.returncode}:\n{ran.stderr or ran.stdout}"
        )
    return ran.stdout


def pip(*arguments: str | Path) -> None:
    """Run pip of the current environment."""
    run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments])
