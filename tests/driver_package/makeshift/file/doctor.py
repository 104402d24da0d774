"""Examines the files of all pads that are files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from taptable.doctor.drivers import DriverDoctor, Look
from taptable.doctor.findings import Finding, fault, ok
from taptable.doctor.site import ExaminedTable

from makeshift.file.driver import FileDriver


class FileDoctor(DriverDoctor[FileDriver]):
    """Examines pads that are files."""

    def __init__(self, driver: FileDriver) -> None:
        super().__init__(driver)
        self.looks = (Look(61, "readers", ("file",), self.examine),)

    def examine(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine every file: it exists, and the table can read it."""
        for part in site.parts_of(self.driver):
            path = part.address.name
            if os.access(path, os.R_OK):
                figures = {"bytes": Path(path).stat().st_size}
                yield ok("file", part.name, f"{path} is there").with_figures(measured=figures)
            else:
                yield fault("file", part.name, f"{path} can't be read", f"Make it with `touch {path}`.")


DOCTOR = FileDoctor
