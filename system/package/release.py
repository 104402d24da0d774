"""What a package is made for: a release of Debian, which decides about the Python, and an architecture."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASES = {"bookworm": (12, (3, 11)), "trixie": (13, (3, 13))}
"""Debian's number, and the Python it has."""
TRIPLETS = {"arm64": "aarch64-linux-gnu", "amd64": "x86_64-linux-gnu"}


class CantPackage(Exception):
    """Why no package can be made, in a sentence."""


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
        """The same, as in ``python3.11``."""
        return ".".join(map(str, self.python))

    @property
    def machine(self) -> str:
        """The processor, as Python calls it."""
        return TRIPLETS[self.architecture].partition("-")[0]

    def version(self, upstream: str) -> str:
        """The package's version: it rises when the system goes from one release to the next."""
        return f"{upstream}+deb{RELEASES[self.release][0]}"


def version_here() -> str:
    """taptable's version, as these sources have it."""
    found = re.search(r'^__version__ = "(.+)"$', (ROOT / "host/taptable/__init__.py").read_text(), re.MULTILINE)
    if found is None:
        raise CantPackage("host/taptable/__init__.py names no version.")
    return found[1]


def epoch_of(version: str) -> int:
    """The date of all that is made of this commit, in seconds since 1970: that of the commit. `CantPackage` where the
    version's tag names another."""
    tag = f"v{version}"
    tagged = run(["git", "tag", "--list", tag], cwd=ROOT).strip()
    here, wanted = (run(["git", "rev-parse", f"{each}^{{commit}}"], cwd=ROOT) for each in ("HEAD", tagged or "HEAD"))
    if here != wanted:
        raise CantPackage(f"{tag} is another commit than the one here: check that out, or raise the version.")
    return int(run(["git", "log", "-1", "--format=%ct"], cwd=ROOT))


def run(command: Sequence[str | Path], *, cwd: Path | None = None) -> str:
    """What a command writes; `CantPackage` with what it complained of, where it fails."""
    ran = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise CantPackage(
            f"{' '.join(map(str, command[:3]))} … ended with {ran.returncode}:\n{ran.stderr or ran.stdout}"
        )
    return ran.stdout


def pip(*arguments: str | Path) -> None:
    """Have pip do something, of the environment that this runs in."""
    run([sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments])
