"""The package's drivers pass the suite that every driver must pass."""

from __future__ import annotations

from pathlib import Path

from taptable.testing.drivers import DriverSuite, table_toml


class TestFile(DriverSuite):
    kind = "file"
    refused = ("tags/1", "/run/../tags", "/run//tags", "/run/tags/")

    def table(self, folder: Path) -> str:
        return table_toml(pads=[f"file:{folder}/1", f"file:{folder}/2"], discard=f"file:{folder}/discard")


class TestSocket(DriverSuite):
    kind = "socket"
    refused = ("buttons/1", "/run/../buttons", f"/{'b' * 107}")

    def table(self, folder: Path) -> str:
        return table_toml(buttons=[f"socket:{folder}/1", f"socket:{folder}/2"])
