"""The paths of a table's sockets, for the table and its clients: in a folder that the system names, else beside the
table's journal. Must not know what is sent there."""

from __future__ import annotations

import os
from pathlib import Path

from taptable.api.requests import Role

FOLDER_VARIABLE = "TAPTABLE_SOCKETS"
"""The environment variable in which an installed table and its clients find the folder."""


def socket_folder(journal: Path) -> Path:
    """Return the folder with the sockets of the table that has this journal."""
    named = os.environ.get(FOLDER_VARIABLE)
    return journal.with_suffix(".sockets") if named is None else Path(named)


def socket_path(folder: Path, role: Role) -> Path:
    """Return the path of a role's socket. Each lies in a folder of its own, whose group may use it."""
    return folder / role.value / "api.sock"
