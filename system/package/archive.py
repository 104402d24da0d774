"""Debian's archive for another release and architecture than this computer's, by apt, in a folder of its own: the state
of this computer's own apt and dpkg is neither read nor changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from package.release import ROOT, Target, run


class Archive:
    """The packages of a target, for a computer that has nothing installed but what every Debian has."""

    def __init__(self, target: Target, folder: Path, *, own: Path | None = None) -> None:
        """Fetch the lists into `folder`, which nothing else may use; `own` is a folder with more packages and their
        ``Packages`` index."""
        for name in ("lists/partial", "archives/partial"):
            (folder / name).mkdir(parents=True)
        sources = run([ROOT / "scripts/debian-source", target.release])
        if own is not None:
            sources += f"deb [trusted=yes] file:{own} ./\n"
        (folder / "sources.list").write_text(sources, encoding="utf-8")
        self._status = folder / "status"
        self._status.touch()
        self._archives = folder / "archives"
        settings = {
            "APT::Architecture": target.architecture,
            "APT::Architectures::": target.architecture,
            "APT::Install-Recommends": "false",
            "APT::Sandbox::User": "root",
            "Debug::NoLocking": "true",
            "Dir::Cache": folder,
            "Dir::Cache::archives": self._archives,
            "Dir::Etc::SourceList": folder / "sources.list",
            "Dir::Etc::SourceParts": "/dev/null",
            "Dir::State": folder,
            "Dir::State::Lists": folder / "lists",
            "Dir::State::Status": self._status,
        }
        self._options = [f"-o{key}={value}" for key, value in settings.items()]
        self._get("update")

    def unpack(self, package: str, folder: Path) -> None:
        """Extract the files of a package without installing it."""
        folder.mkdir()
        run(["apt-get", *self._options, "download", package], cwd=folder)
        (deb,) = folder.glob("*.deb")
        run(["dpkg-deb", "--extract", deb, folder])

    def with_all_they_need(self, packages: Sequence[str]) -> list[Path]:
        """Return the files of those of these packages that come from Debian, and of everything they need beyond what
        every Debian has."""
        if not self._status.stat().st_size:
            self._count_as_installed(self._names_of(["?essential", "?priority(required)"]))
        self._get("--yes", "--download-only", "install", *packages)
        return sorted(self._archives.glob("*.deb"))

    def _names_of(self, packages: Sequence[str]) -> list[str]:
        output = self._get("--simulate", "install", *packages)
        return re.findall(r"^Inst (\S+) ", output, re.MULTILINE)

    def _count_as_installed(self, packages: Sequence[str]) -> None:
        stanzas = run(["apt-cache", *self._options, "show", "--no-all-versions", *packages])
        self._status.write_text(
            re.sub(r"(?m)^(Package: .+)$", r"\1\nStatus: install ok installed", stanzas), encoding="utf-8"
        )

    def _get(self, *arguments: str) -> str:
        return run(["apt-get", "--quiet", *self._options, *arguments])
