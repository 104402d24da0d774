"""The licences of the wheels in a package, by their own metadata."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path

_HEAD = """\
# Other people's work in a bundle of taptable

taptable's own files are under the MIT licence. A bundle and the Debian package contain besides, unchanged, what is
listed here with the licence that its own metadata names; the files of that licence lie in the wheel itself, in
`/usr/share/taptable/wheels` and `/usr/share/taptable/pip` of the package. `mfrc522`, in those for arm64, is under the
GNU General Public License, version 3, so the package and a bundle **as a whole** are passed on under that licence; its
wheel is its source. The packages of Debian in a bundle each have `/usr/share/doc/*/copyright`.

| package | version | licence | where |
| --- | --- | --- | --- |
"""


@dataclass(frozen=True, order=True)
class Terms:
    """A wheel's metadata: its licence by name, and where it is developed."""

    name: str
    version: str
    licence: str
    home: str


def terms_of(wheel: Path) -> Terms:
    """Return the terms of one wheel; "unnamed" for a licence that its metadata doesn't name."""
    with zipfile.ZipFile(wheel) as packed:
        about = next(name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(packed.read(about))
    return Terms(metadata["Name"], metadata["Version"], _licence(metadata), _home(metadata))


def third_parties(wheels: Iterable[Path], but: str = "taptable") -> str:
    """Return the page that lists the wheels, each once, sorted by name."""
    found = {terms_of(wheel) for wheel in wheels}
    lines = (
        f"| {each.name} | {each.version} | {each.licence} | {each.home} |\n"
        for each in sorted(found)
        if each.name != but
    )
    return _HEAD + "".join(lines)


def _licence(metadata: Message) -> str:
    if expression := metadata["License-Expression"]:
        return expression
    classified = [
        each.rpartition(" :: ")[2]
        for each in metadata.get_all("Classifier", [])
        if each.startswith("License ::") and each != "License :: OSI Approved"
    ]
    if classified:
        return ", ".join(sorted(set(classified)))
    named = (metadata["License"] or "").strip()
    return named.splitlines()[0] if named else "unnamed"


def _home(metadata: Message) -> str:
    places = dict(each.split(", ", 1) for each in metadata.get_all("Project-URL", []))
    preferred = ("source", "source code", "repository", "code", "github", "homepage", "home")
    by_name = {name.lower(): place for name, place in places.items()}
    found = next((by_name[name] for name in preferred if name in by_name), metadata["Home-page"])
    return found or next(iter(places.values()), "")
