"""The trial of a first start: a whole emulated arm64 computer with Debian's cloud-init starts with a prepared card, as
Raspberry Pi Imager and `taptable sdcard` leave it. The firmware would read the kernel's command line from the card;
here each start reads it from there. The trial corrects a mistake, cuts the power, and lets the computer start once more
by itself. Then it starts a table whose seats are to be assigned, and one in systemd's ways, without cloud-init."""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sdcard.cards import a_bundle, a_card
from taptable.sdcard.bundle import read_bundle
from taptable.sdcard.buses import lines_for
from taptable.sdcard.card import read_boot_partition
from taptable.sdcard.settings import Settings
from taptable.sdcard.wifi import validate_wifi
from taptable.sdcard.writing import write_card, write_zip

from install.machine import Machine, TimedOut
from install.trial import DEADLINE_S, PAGE, PROGRAMS, Failed

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CARD_MB = 512
NOT_FOR_HERE = ("console=", "root=", "rootfstype=", "resize", "init=", "fsck.repair=")
"""The parts of cmdline.txt that concern a real card."""
REPORT = "/boot/firmware/taptable-first-start.txt"
SETTINGS = Settings(name="Stube", language="de", build="full", seats=4, network=True, time_zone="Europe/Berlin")
READY = replace(SETTINGS, build="ready", seats=None)
USER_DATA = """\
#cloud-config
hostname: spieltisch
manage_etc_hosts: true
users:
- name: anna
  groups: users,adm,sudo
  shell: /bin/bash
  lock_passwd: true
"""
STAND_IN = """\
echo "$*" >/root/installed
unit='[Service]\\nType=oneshot\\nRemainAfterExit=yes\\nExecStart=/usr/bin/true\\n'
printf "$unit" >/etc/systemd/system/taptable.service
printf '#!/bin/sh\\n' >/usr/bin/taptable-buses
chmod 755 /usr/bin/taptable-buses
systemctl daemon-reload
"""
"""A package that installs next to nothing, where it is about how that is begun."""


class Computer:
    """One disk and one card, which is a folder here and an image there."""

    def __init__(self, folder: Path, suite: str) -> None:
        self._folder = folder
        self.card = folder / "bootfs"
        self.image = folder / "card.img"
        self._disk = folder / "first-start.img"
        root = folder / f"first-start-{suite}" / "root.img"
        # its holes stay holes
        subprocess.run(["cp", "--sparse=always", root, self._disk], check=True)

    def insert(self) -> None:
        """Make the card of the folder."""
        self.image.unlink(missing_ok=True)
        sectors = CARD_MB * 2048
        subprocess.run(["mformat", "-C", "-F", "-T", str(sectors), "-v", "bootfs", "-i", self.image, "::"], check=True)
        subprocess.run(["mcopy", "-s", "-Q", "-i", self.image, *self.card.iterdir(), "::/"], check=True)

    def read(self, name: str) -> str:
        """The present text of a file of the card; "" if it isn't there."""
        shown = subprocess.run(["mtype", "-i", self.image, f"::/{name}"], capture_output=True, check=False)
        return shown.stdout.decode()

    def write(self, name: str, text: str) -> None:
        """Change a file of the card, as somebody at a PC does."""
        file = self._folder / "changed"
        file.write_bytes(text.encode())
        subprocess.run(["mcopy", "-o", "-i", self.image, file, f"::/{name}"], check=True)

    @contextmanager
    def on(self) -> Iterator[Machine]:
        """The computer, from switching on to pulling the plug, if it isn't off by then."""
        words = self.read("cmdline.txt").split()
        told = " ".join(word for word in words if not word.startswith(NOT_FOR_HERE))
        command = [str(self._folder / "tools/run"), "-L", str(self._folder / "tools/usr/share/qemu")]
        command += ["-machine", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "2048"]
        command += ["-accel", "tcg,thread=multi", "-kernel", str(self._folder / "parts/vmlinuz")]
        command += ["-initrd", str(self._folder / "start/start.gz"), "-dtb", str(self._folder / "tree/pi.dtb")]
        command += ["-append", f"console=ttyAMA0 loglevel=4 systemd.show_status=no {told}"]
        for disk in (self._disk, self.image):
            command += ["-drive", f"file={disk},format=raw,if=virtio"]
        with Machine(command, self._folder) as machine:
            yield machine

    def throw_away(self) -> None:
        """Delete the disk and the card, once nobody needs them to find out what went wrong."""
        for file in (self._disk, self.image):
            file.unlink()
        shutil.rmtree(self.card)


class Trial:
    """The steps, each of which is one start of the computer or several."""

    def __init__(self, folder: Path, suite: str, package: Path | None) -> None:
        self._folder, self._suite, self._package = folder, suite, package
        self.computer = Computer(folder, suite)

    def _ok(self, machine: Machine, command: str) -> str:
        said = machine.run(command, DEADLINE_S)
        if said.status:
            raise Failed(f"{command}\nended with {said.status}:\n{said.text}\n{self._log(machine)}")
        return said.text

    def _log(self, machine: Machine) -> str:
        seen = f"cat {REPORT}; journalctl -b --no-pager -u taptable-first-start -u 'cloud-*' | tail -60"
        return machine.run(f"{seen}; tail -20 /var/log/taptable-first-start.log", DEADLINE_S).text

    def _until_told(self, machine: Machine, *expected: str) -> None:
        """Wait until the report has one of its final words, which must be these."""
        until = f"grep -qsE 'Done|NOT FINISHED' {REPORT}"
        self._ok(machine, f"until {until}; do read -rt 1 <> <(:) || true; done")
        told = self._ok(machine, f"cat {REPORT}")
        for each in expected:
            if each not in told:
                raise Failed(f"{each!r} isn't in:\n{told}\n{self._log(machine)}")

    def _bundle(self, release: str) -> Path:
        if self._package is not None:
            return self._package
        return a_bundle(self._folder, release, install=STAND_IN)

    # With cloud-init

    def copied_by_hand(self) -> None:
        """The files of the zip are copied onto a card for which Imager was given a name and an account"""
        self._copy(SETTINGS)

    def _copy(self, settings: Settings) -> None:
        shutil.rmtree(self.computer.card, ignore_errors=True)
        a_card(self.computer.card)
        (self.computer.card / "user-data").write_text(USER_DATA)
        (self.computer.card / "network-config").write_text("network:\n  version: 2\n  ethernets: {}\n")
        packed = self._folder / "card.zip"
        write_zip(packed, settings, read_bundle(self._bundle(self._suite)))
        with zipfile.ZipFile(packed) as files:
            files.extractall(self.computer.card)
        packed.unlink()
        self.computer.insert()

    def says_what_is_wrong(self) -> None:
        """With a mistake in taptable.txt nothing is installed, and the card says what to put right"""
        was = self.computer.read("taptable.txt")
        self.computer.write("taptable.txt", was.replace("seats = 4", "seats = 9"))
        with self.computer.on() as machine:
            machine.started(DEADLINE_S)
            self._until_told(machine, "NOT FINISHED. taptable.txt: seats = can be 2 to 6")
            self._ok(machine, "sync; systemctl --no-block poweroff")
            machine.powered_off(DEADLINE_S)
        self.computer.write("taptable.txt", was)

    def is_cut_off(self) -> None:
        """Power is cut while the package is being installed"""
        with self.computer.on() as machine:
            machine.started(DEADLINE_S)
            self._ok(machine, "until pgrep -x dpkg >/dev/null; do read -rt 0.2 <> <(:) || true; done")
            # some of it is unpacked then
            self._ok(machine, "read -rt 20 <> <(:) || true")

    def starts_by_itself(self) -> None:
        """At the next start it is installed, and the computer starts once more by itself for its buses"""
        with self.computer.on() as machine:
            machine.powered_off(3 * DEADLINE_S)
        told = self.computer.read("taptable-first-start.txt")
        if "starts once more by itself" not in told:
            raise Failed(told)
        if "dtparam=i2c_arm=on" not in self.computer.read("config.txt"):
            raise Failed(self.computer.read("config.txt"))

    def plays(self) -> None:
        """Then the table and its page run as configured, and so does everything that Imager set up"""
        with self.computer.on() as machine:
            machine.started(DEADLINE_S)
            self._until_told(machine, "Done: the table runs", "http://spieltisch.local:8137/")
            self._ok(machine, "systemctl is-active taptable taptable-page && systemctl is-enabled taptable")
            self._ok(machine, f"until {PAGE} 2>/dev/null; do read -rt 1 <> <(:) || true; done")
            wanted = {
                "grep -c '^pad = \"board:' /etc/taptable/table.toml": "4",
                "grep -x 'name = \"Stube\"' /etc/taptable/table.toml": 'name = "Stube"',
                "grep -x 'network = true' /etc/taptable/table.toml": "network = true",
                "cat /etc/hostname; id -un anna": "spieltisch\nanna",
                "readlink /etc/localtime": "/usr/share/zoneinfo/Europe/Berlin",
                "ls -d /boot/firmware/taptable* /boot/firmware/vendor-data 2>/dev/null": REPORT,
                "ls /etc/systemd/system/*first-start* 2>/dev/null; true": "",
            }
            for command, expected in wanted.items():
                if (found := machine.run(command, DEADLINE_S).text) != expected:
                    raise Failed(f"{command}: {found!r}, not {expected!r}")
            self._ok(machine, "sync; systemctl --no-block poweroff")
            machine.powered_off(DEADLINE_S)

    def starts_like_any_other(self) -> None:
        """The start after that is one like any other: cloud-init finds nothing to do, and the table runs"""
        with self.computer.on() as machine:
            machine.started(DEADLINE_S)
            self._ok(machine, "timeout 600 cloud-init status --wait; systemctl is-active taptable taptable-page")
            found = self._ok(machine, "systemctl --failed --plain --no-legend | grep -E 'cloud|taptable'; true")
            if found:
                raise Failed(found)

    # A ready table

    def is_ready(self) -> None:
        """A card with build = ready needs no number of seats"""
        self.computer = Computer(self._folder, self._suite)
        self._copy(READY)

    def asks_for_seats(self) -> None:
        """Then the table asks for the parts of its seats on the page, for phones too, without anything typed in"""
        with self.computer.on() as machine:
            machine.started(DEADLINE_S)
            told = ("Done: the table runs", "It has no seats yet", "http://spieltisch.local:8137/")
            self._until_told(machine, *told)
            self._ok(machine, "systemctl is-active taptable taptable-page && systemctl is-enabled taptable")
            self._ok(machine, f"until {PAGE} 2>/dev/null; do read -rt 1 <> <(:) || true; done")
            self._ok(machine, "journalctl -b --no-pager -u taptable | grep -F 'seats are being assigned'")
            wanted = {
                r"grep -cE '^\[\[seats\]\]|^\[discard\]' /etc/taptable/table.toml; true": "0",
                "grep -x 'name = \"Stube\"' /etc/taptable/table.toml": 'name = "Stube"',
                "grep -x 'network = true' /etc/taptable/table.toml": "network = true",
                "ls -d /boot/firmware/taptable* /boot/firmware/vendor-data 2>/dev/null": REPORT,
            }
            for command, expected in wanted.items():
                if (found := machine.run(command, DEADLINE_S).text) != expected:
                    raise Failed(f"{command}: {found!r}, not {expected!r}")
            self._ok(machine, "sync; systemctl --no-block poweroff")
            machine.powered_off(DEADLINE_S)

    # Without cloud-init

    def systemd_is_told(self) -> None:
        """Without cloud-init a line of cmdline.txt tells systemd, in the first start, and the second installs"""
        self._begins_by_systemd(told=False)

    def imagers_script_is_told(self) -> None:
        """If Imager wrote a script, it gets our command, and still does its own work"""
        self._begins_by_systemd(told=True)

    def _begins_by_systemd(self, *, told: bool) -> None:
        self.computer = Computer(self._folder, self._suite)
        card = self.computer.card
        shutil.rmtree(card, ignore_errors=True)
        a_card(card, "bookworm", configured=told)
        if told:
            # as bookworm's imager_fixup has mended it before the script is run
            script, line = card / "firstrun.sh", card / "cmdline.txt"
            begin, _, _ = script.read_text().partition("rm -f /boot/firstrun.sh")
            own = "touch /root/imager\nrm -f /boot/firmware/firstrun.sh\n"
            own += r"sed -i 's| systemd\.[^ ]*||g' /boot/firmware/cmdline.txt" + "\nexit 0\n"
            script.write_text(begin + own)
            line.write_text(line.read_text().replace("/boot/", "/boot/firmware/"))
        bundle = read_bundle(a_bundle(self._folder, self._suite, install=STAND_IN))
        # the root is that of the same suite, whatever the card looks like
        seen = replace(read_boot_partition(card), release=self._suite)
        # the stand-in makes no configuration, in which seats could be counted
        settings = replace(SETTINGS, seats=None)
        write_card(seen, settings, bundle, validate_wifi("home", "a password"), lines_for(settings))
        self.computer.insert()
        with self.computer.on() as machine:
            machine.powered_off(DEADLINE_S)
        if "systemd.run" in self.computer.read("cmdline.txt"):
            raise Failed(self.computer.read("cmdline.txt"))
        with self.computer.on() as machine:
            machine.started(DEADLINE_S)
            self._until_told(machine, "Done: the table runs")
            self._ok(machine, "ls /root/installed /root/imager" if told else "ls /root/installed")
            network = "/etc/NetworkManager/system-connections/taptable-wifi.nmconnection"
            self._ok(machine, f"[ $(stat -c %a {network}) = 600 ] && ! ls /boot/firmware/taptable/wifi 2>/dev/null")
            self._ok(machine, "sync; systemctl --no-block poweroff")
            machine.powered_off(DEADLINE_S)
        if not subprocess.run(["grep", "-qaF", "psk=a password", self.computer.image], check=False).returncode:
            raise Failed("The Wi-Fi's password can still be read from the card.")


CLOUD_INIT = (
    *(Trial.copied_by_hand, Trial.says_what_is_wrong, Trial.is_cut_off, Trial.starts_by_itself, Trial.plays),
    Trial.starts_like_any_other,
)
SEATS_TO_COME = (Trial.is_ready, Trial.starts_by_itself, Trial.asks_for_seats)
SYSTEMD = (Trial.systemd_is_told, Trial.imagers_script_is_told)


def main(arguments: Sequence[str]) -> int:
    """Status 0 if every step came out well."""
    parser = argparse.ArgumentParser(prog="scripts/test-install first-start", description=__doc__)
    parser.add_argument("--suite", choices=("trixie",), default="trixie", help="which Debian has cloud-init (trixie)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / ".emulated/arm64", help="keeps what took long to make (.emulated/arm64)"
    )
    parser.add_argument("--package", type=Path, metavar="TAR", help="the bundle (else: one is made)")
    parser.add_argument("--only", choices=("cloud-init", "ready", "systemd"), help="one part of it")
    args = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the computer isn't left running
    subprocess.run([ROOT / "scripts" / "packages", *PROGRAMS, "mformat:mtools"], check=True)
    begun = time.monotonic()
    folder: Path = args.folder.resolve()
    subprocess.run([HERE / "make-computer", args.suite, "arm64", folder, "computer"], check=True)
    subprocess.run([HERE / "make-first-start", args.suite, folder], check=True)
    steps: list[Callable[[Trial], None]] = []
    for name, each in (("cloud-init", CLOUD_INIT), ("ready", SEATS_TO_COME), ("systemd", SYSTEMD)):
        steps += each if args.only in (None, name) else ()
    package = args.package
    if package is None and args.only != "systemd":
        package = make_package(args.suite, folder)
    trial = Trial(folder, args.suite, package)
    for step in steps:
        since = time.monotonic()
        try:
            step(trial)
        except (Failed, TimedOut) as error:
            print(f"FAILED: {step.__doc__}\n{error}\nThe logs of its two consoles are in {folder}.", flush=True)
            return 1
        print(f"ok: {step.__doc__} ({time.monotonic() - since:.0f} s)", flush=True)
    trial.computer.throw_away()
    print(f"{len(steps)} passed, 0 failed ({time.monotonic() - begun:.0f} s, {args.suite})")
    return 0


def make_package(suite: str, folder: Path) -> Path:
    """The bundle of this checkout."""
    command = [
        ROOT / "scripts/package",
        "--release",
        suite,
        "--architecture",
        "arm64",
        "--bundle",
        "-o",
        folder / "package",
    ]
    made = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()
    return Path(next(line for line in made if line.endswith(".tar")))
