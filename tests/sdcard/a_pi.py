"""A Pi in a folder, for the script of a first start: its own places are there, and stand-ins for all that would change
this computer."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from deadline import DEADLINE_S

from sdcard.cards import a_bundle

ROOT = Path(__file__).parents[2]
PROGRAMS = {
    "systemctl": "",
    # as the real one, in a network that it joins
    "nmcli": """\
case "$*" in
    *ssid*) echo home ;;
    *--active*) echo taptable-wifi:activated ;;
esac""",
    "nm-online": "",
    "ip": "echo '2: wlan0    inet 192.168.1.7/24 brd 192.168.1.255 scope global dynamic wlan0'",
    "raspi-config": "",
    # as the real one: by -u, systemd's own word is the last
    "journalctl": """\
case " $* " in
    *" _SYSTEMD_UNIT=taptable.service "*) echo the journal is damaged ;;
    *) echo Failed to start taptable.service. ;;
esac""",
    "dpkg": "echo arm64",
    # as the real one: it writes what isn't there
    "taptable-buses": 'grep -qx dtparam=spi=on "$BOOT_CONFIG" || echo dtparam=spi=on >>"$BOOT_CONFIG"',
}
INSTALL = """\
cp "$2" "$ANSWERED"
[ ! -e "$CONFIG" ] || exit 0
mkdir -p "$(dirname "$CONFIG")"
network=$(sed -n 's/^taptable taptable.network boolean //p' "$2")
sed "s/^network = .*/network = $network/" "$EXAMPLE" >"$CONFIG"
"""


@dataclass
class Pi:
    """`card` is its boot partition; `programs` are the bodies of the stand-ins."""

    folder: Path
    card: Path
    programs: dict[str, str] = field(default_factory=lambda: dict(PROGRAMS))

    @property
    def etc(self) -> Path:
        return self.folder / "etc"

    @property
    def config(self) -> Path:
        return self.etc / "taptable" / "table.toml"

    @property
    def unit(self) -> Path:
        return self.etc / "systemd" / "system" / "taptable-first-start.service"

    @property
    def report(self) -> str:
        return (self.card / "taptable-first-start.txt").read_bytes().decode().replace("\r\n", "\n")

    def calls(self) -> list[str]:
        """The calls of the stand-ins."""
        return (self.folder / "calls").read_text().splitlines()

    def answers(self) -> str:
        """The answers with which the package was installed."""
        return (self.folder / "answered").read_text()

    def has_installer(self, text: str) -> None:
        """The card gets a package whose installer does this."""
        bundle = a_bundle(self.folder, install=text)
        place = self.card / "taptable" / bundle.name
        place.write_bytes(bundle.read_bytes())
        subprocess.run("sha256sum *.tar >SHA256SUMS", shell=True, cwd=place.parent, check=True)

    def first_start(self, *words: str) -> int:
        """Run the script as it lies on the card; return its status."""
        script = self.card / "taptable" / "first-start"
        text = script.read_text()
        places = {"etc": self.etc, "zones": self.folder / "zoneinfo", "python": self.folder / "none"}
        places |= {name: self.folder / name for name in ("unpacked", "kept", "log")}
        for name, place in places.items():
            text, count = re.subn(rf"(?m)^{name}=.*$", f"{name}={place}", text)
            assert count == 1
        script.write_text(text)
        for name, body in self.programs.items():
            program = self.folder / "bin" / name
            program.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.folder}/calls"\n{body}\n')
            program.chmod(0o755)
        told = {"ANSWERED": "answered", "EXAMPLE": "example.toml"}
        environment = {name: str(self.folder / file) for name, file in told.items()}
        environment |= {"CONFIG": str(self.config), "BOOT_CONFIG": str(self.card / "config.txt")}
        return subprocess.run(
            ["sh", script, *words],
            stdin=subprocess.DEVNULL,
            timeout=DEADLINE_S,
            check=False,
            env={**os.environ, **environment, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"},
        ).returncode


def a_pi(folder: Path, card: Path, build: str = "compact") -> Pi:
    """A Pi that was started with this card for the first time."""
    pi = Pi(folder, card)
    (folder / "bin").mkdir()
    (folder / "calls").touch()
    (folder / "example.toml").write_bytes((ROOT / "examples" / f"{build}.toml").read_bytes())
    (folder / "zoneinfo" / "Europe").mkdir(parents=True)
    (folder / "zoneinfo" / "Europe" / "Berlin").touch()
    pi.etc.mkdir()
    (pi.etc / "os-release").write_text("ID=debian\nVERSION_CODENAME=trixie\n")
    (pi.etc / "hostname").write_text("raspberrypi\n")
    pi.has_installer(INSTALL)
    return pi
