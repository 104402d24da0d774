"""The bundle: a tar file with the table's package and everything it needs, as ``scripts/package --bundle`` makes it. It
is checked before it is put on a card: for which release and computer it is, and whether it is complete. Must not know
the card."""

from __future__ import annotations

import hashlib
import re
import tarfile
from dataclasses import dataclass
from pathlib import Path

from taptable.core.errors import ConfigError

_NAME = re.compile(r"(taptable-[0-9][0-9A-Za-z.+~]*-(?P<release>[a-z]+)-(?P<architecture>[a-z0-9]+))\.tar")
_ARCHITECTURE = "arm64"
"""The only computers that a card can be for."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The bundle at `path`, for this `release` of Raspberry Pi OS, with its SHA-256 in hex."""

    path: Path
    release: str
    sha256: str


def read_bundle(path: Path) -> Bundle:
    """Return a bundle that can be put on a card; raise ConfigError if it is wrong."""
    named = _NAME.fullmatch(path.name)
    if named is None:
        raise ConfigError(f"{path.name} is no package: it is called taptable-<version>-<release>-{_ARCHITECTURE}.tar.")
    if named["architecture"] != _ARCHITECTURE:
        raise ConfigError(f"{path.name} is for {named['architecture']}; a Raspberry Pi takes the one for arm64.")
    try:
        with tarfile.open(path, "r:") as tar:
            # reads all of it, so that a truncated file is detected here
            names = {member.name for member in tar}
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"{path} can't be read: {error.strerror or error}.") from error
    except tarfile.TarError as error:
        raise ConfigError(f"{path.name} is damaged ({error}): fetch it again.") from error
    if f"{named[1]}/install" not in names:
        raise ConfigError(f"{path.name} is no package of a table: there is no {named[1]}/install in it.")
    return Bundle(path, named["release"], sha256)
