"""Examines the folders of all buttons that are sockets, and returns the uncertainty of their stamps."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from taptable.doctor.drivers import DriverDoctor, Look, Stamps
from taptable.doctor.findings import Finding, fault, ok
from taptable.doctor.site import ExaminedTable

from makeshift.socket.driver import UNCERTAINTY_US, SocketDriver


class SocketDoctor(DriverDoctor[SocketDriver]):
    """Examines buttons that are sockets."""

    def __init__(self, driver: SocketDriver) -> None:
        super().__init__(driver)
        self.looks = (Look(91, "contacts", ("socket",), self.examine),)

    def examine(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine every socket: the table can make it in its folder."""
        for part in site.parts_of(self.driver):
            folder = Path(part.address.name).parent
            if os.access(folder, os.W_OK):
                yield ok("socket", part.name, f"{folder} can be written to")
            else:
                yield fault("socket", part.name, f"{folder} can't be written to", f"Make it with `mkdir {folder}`.")

    def stamps(self, site: ExaminedTable) -> Mapping[int, Stamps]:
        """Return the stamps of all buttons."""
        seats = [part.pad for part in site.parts_of(self.driver) if isinstance(part.pad, int)]
        where = self.driver.where
        return {seat: Stamps(UNCERTAINTY_US, where, lambda _one, _other: "at sockets", "as heard") for seat in seats}


DOCTOR = SocketDoctor
