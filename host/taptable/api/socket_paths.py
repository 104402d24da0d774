"""Where the sockets of a table are: in a folder that the system names, else beside the table's journal."""

from __future__ import annotations

import os
from pathlib import Path

from taptable.api.requests import Role

FOLDER_VARIABLE = "TAPTABLE_SOCKETS"
"""The environment variable by which an installed table and its clients know the folder."""


def socket_folder(journal: Path) -> Path:
    """The folder with the sockets of the table that has this journal."""
    named = os.environ.get(FOLDER_VARIABLE)
    return journal.with_suffix(".sockets") if named is None else Path(named)


def socket_path(folder: Path, role: Role) -> Path:
    """A role's socket; each lies in a folder of its own, whose group may use it."""
    return folder / role.value / "api.sock"
