"""The trial of a laptop: on a whole emulated PC with Debian somebody logs in at its own screen, installs the wheel with
pipx, is offered the rules, assigns the seats and plays a first card, without editing a file. Readers are the real pcscd
with virtual readers of vpcd, and the buttons are a Buzz! set on the kernel's own USB (``dummy_hcd``), of which the
kernel's own driver makes keys and lamps. Root only installs packages, and moves cards and buttons."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from cli.deck_rig import box
from package.archive import Archive
from package.bundle import write_index
from package.release import RELEASES, Target
from package.wheels import fetch
from taptable.memory.deckfile import text_of

from install.machine import Folder, Machine, TimedOut
from install.trial import DEADLINE_S, PAGE, PROGRAMS, Failed, Trial, qemu, take_step

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PACKAGES = ("pipx", "pcscd", "vsmartcard-vpcd", "polkitd", "pkexec", "sudo", "libpam-systemd", "tmux", "acl")
"""The first two are what the README asks for. A Debian with a desktop has the others, except vpcd, tmux and acl."""
PIPS = ("pip", "setuptools", "wheel")
"""The packages of pipx's own shared environment."""
PASSWORD = "sesame"
RULES = "/etc/udev/rules.d/60-taptable.rules"
READERS = ("seat1", "seat2", "middle")
UID = next(uid for uid, card in box("family").cards.items() if card == "online#1")
STRANGE = "04c0ffee04c0ff"
PARTS = (
    "env PYTHONPATH=/mnt/tests:/mnt/firmware/lib $(dirname $(readlink -f /home/anna/.local/bin/taptable))/python"
    " /mnt/tests/install/laptop_parts.py"
)
TERMINAL = "runuser -u anna -- tmux -S /tmp/anna.tmux"
PROFILE = """\
export PATH=$HOME/.local/bin:$PATH LANG=C.UTF-8 PIP_NO_INDEX=1 PIP_FIND_LINKS=/mnt/wheels PS1='$ '
[ "$(tty)" != /dev/tty1 ] || exec tmux -S /tmp/anna.tmux new-session -s anna -n seats -x 180 -y 50
"""


class LaptopTrial(Trial):
    """The steps, on a computer."""

    def sees(self, window: str, pattern: str, deadline_s: float = DEADLINE_S) -> str:
        """Wait until this is on one of her terminals, since it was last cleared."""
        deadline = time.monotonic() + deadline_s
        while True:
            text = self.ok(f"{TERMINAL} capture-pane -p -J -S - -t {window}")
            if re.search(pattern, text, re.MULTILINE):
                return text
            if time.monotonic() > deadline:
                raise TimedOut(f"{pattern!r} isn't on the terminal {window}:\n{text.rstrip()}")
            time.sleep(2)

    def types(self, window: str, text: str) -> None:
        """Type a line there."""
        self.ok(f"{TERMINAL} send-keys -t {window} -l {shlex.quote(text)}; {TERMINAL} send-keys -t {window} Enter")

    def orders(self, window: str, command: str) -> None:
        """Give a command there, on a cleared terminal."""
        clear = f"{TERMINAL} send-keys -R -t {window}; {TERMINAL} clear-history -t {window}"
        self.ok(f"{clear}; {TERMINAL} send-keys -t {window} C-l")
        self.types(window, f"{command}; echo ended with $?")

    def does(self, command: str, status: int = 0) -> str:
        """Have her run a command to its end, with this status; return the terminal's content."""
        self.orders("seats", command)
        text = self.sees("seats", r"^ended with \d+")
        if not re.search(rf"^ended with {status}$", text, re.MULTILINE):
            raise Failed(f"{command}\n{text.rstrip()}")
        return text

    def lays(self, reader: str, uid: str) -> None:
        """Lay a card on a reader."""
        self.says(f"{PARTS} lay {READERS.index(reader)} {uid}", "done")

    def lifts(self, reader: str) -> None:
        """Lift it."""
        self.says(f"{PARTS} lift {READERS.index(reader)}", "done")

    def presses(self, dome: int) -> None:
        """Press and release a dome of the Buzz! set."""
        self.says(f"{PARTS} press {dome} && sleep 0.3 && {PARTS} release {dome}", "done")

    # The steps

    def sits_down(self) -> None:
        """Somebody logs in at the computer's own screen"""
        unit = "/etc/systemd/system/getty@tty1.service.d"
        start = "[Service]\\nExecStart=\\nExecStart=-/sbin/agetty --autologin anna --noclear tty1 linux\\n"
        write = f"mkdir -p {unit} && printf '{start}' >{unit}/anna.conf && systemctl daemon-reload"
        again = "systemctl restart systemd-logind && systemctl restart getty@tty1"
        self.ok(f"[ -e {unit} ] || {{ {write} && {again}; }}")
        self.ok("until loginctl --no-legend list-sessions | grep 'anna.*seat0'; do sleep 0.5; done")
        self.ok(f"until {TERMINAL} has-session; do sleep 0.5; done")
        self.sees("seats", r"^\$ ")

    def says_what_it_is(self) -> None:
        """With nothing plugged in and no table.toml: the doctor says what is left out, and that nothing is there"""
        text = self.does("taptable doctor </dev/null", 1)
        for line in ("not a Raspberry Pi: pins, SPI, I2C and a power button", "this is a table of parts that plug"):
            if line not in text:
                raise Failed(text)
        self.refused("ls /home/anna/.local/share/taptable", "")

    def plugs_in(self) -> None:
        """A Buzz! set and three readers are plugged in: the kernel has its lamps, and pcscd the readers"""
        lines: list[str] = []
        for place, name in enumerate(READERS):
            library, port = f"/usr/local/lib/vpcd{place}.so", hex(0x8C7B + 2 * place)
            self.ok(f"cp /usr/lib/pcsc/drivers/serial/libifdvpcd.so {library}")
            lines += [
                f'FRIENDLYNAME "{name}"',
                f"DEVICENAME /dev/null:{port}",
                f"LIBPATH {library}",
                f"CHANNELID {port}",
            ]
        self.ok("cat >/etc/reader.conf.d/vpcd <<'END'\n" + "\n".join(lines) + "\nEND")
        self.ok("systemctl stop pcscd && systemctl restart pcscd.socket")
        self.ok(f"(setsid {PARTS} >/run/parts.log 2>&1 &); until [ -S /run/parts ]; do sleep 0.5; done")
        self.says(f"{PARTS} plug || cat /run/parts.log", "done")
        self.ok("udevadm settle")
        text = self.does("taptable seats --list")
        for part in (*READERS, "Buzz! controller, button 4", "Buzz! controller, lamp 4"):
            if part not in text:
                raise Failed(text)

    def is_refused(self) -> None:
        """The lamps are closed; the rule is shown, and a no changes nothing"""
        text = self.does("taptable doctor --only system", 1)
        if "closed to anna: the lamps of the Buzz! controller (054c:0002) at USB port" not in text:
            raise Failed(text)
        self.orders("seats", "taptable seats")
        text = self.sees("seats", r"Write it now, with sudo\? ")
        if (
            f"This would be in {RULES}:" not in text
            or 'TAG+="uaccess"' not in text
            or "This is no Raspberry Pi" not in text
        ):
            raise Failed(text)
        self.types("seats", "")
        self.sees("seats", "^Nothing was written; these parts stay closed")
        self.types("seats", "q")
        self.sees("seats", "^ended with 1")
        self.refused(f"ls {RULES}", "")

    def has_no_password(self) -> None:
        """Without the right password nothing is written, and a sentence says so"""
        self.orders("seats", "taptable seats")
        self.sees("seats", r"Write it now, with sudo\? ")
        self.types("seats", "y")
        for count in range(1, 4):
            self.sees("seats", rf"(?s)(password for anna.*){{{count}}}")
            self.types("seats", "guess")
        self.sees("seats", r"^sudo has failed \(status 1\): nothing was written")
        self.types("seats", "q")
        self.sees("seats", "^ended with 1")
        self.refused(f"ls {RULES} {RULES}.new", "")

    def assigns(self) -> None:
        """The rule is written with sudo, and the seats are assigned by touching"""
        self.orders("seats", "taptable seats")
        self.sees("seats", r"Write it now, with sudo\? ")
        self.types("seats", "y")
        self.sees("seats", "password for anna")
        self.types("seats", PASSWORD)
        self.sees("seats", "^Written, and the parts are open to you")
        for seat in (1, 2):
            self.sees("seats", rf"^Lay any NFC card on the reader of seat {seat}")
            self.lays(f"seat{seat}", STRANGE)
            self.sees("seats", rf"^Press the button of seat {seat}\.$")
            self.presses(seat - 1)
            self.lifts(f"seat{seat}")
        self.sees("seats", "^Lay a card on the reader in the middle")
        self.lays("middle", STRANGE)
        self.sees("seats", "^All seats have their parts")
        self.types("seats", "")
        self.sees("seats", "^ended with 0")
        self.lifts("middle")

    def opens_to_her_alone(self) -> None:
        """Buttons are open to her by logind and to nobody else, lamps to her, and no keyboard to anybody"""
        node = "$(readlink -f /dev/input/by-id/*Buzz*event-joystick)"
        self.says(f"getfacl -cp {node}", "user:anna:rw")
        as_bob = "runuser -u bob -- sh -c"
        self.refused(f'{as_bob} ": <{node}"', "ermission denied")
        self.equal("lamps", self.ok("stat -c %U:%a /sys/class/leds/*buzz*/brightness | sort -u"), "anna:644")
        self.refused("id anna | grep -w input", "")
        keyboards = (
            "for node in /dev/input/event*; do udevadm info $node | grep -q ID_INPUT_KEYBOARD=1 && echo $node; done"
        )
        for keyboard in self.ok(f"{keyboards}; true").split():
            self.refused(f"runuser -u anna -- sh -c ': <{keyboard}'", "ermission denied")

    def judges(self) -> None:
        """The table runs, its page is served, and the first card is judged"""
        self.does("taptable deck import /mnt/deck.json --name family --force")
        self.ok(f"{TERMINAL} new-window -d -n table bash -l; {TERMINAL} new-window -d -n page bash -l")
        self.sees("table", r"^\$ ")
        self.orders("table", "taptable run")
        self.sees("table", "^There is no table.toml yet, so this is a table of parts that plug together")
        self.sees("table", "at table ")
        self.orders("page", "taptable page")
        self.sees("page", "^INFO: Page started")
        self.ok(f"until {PAGE} | grep -q version; do sleep 0.5; done")
        self.presses(0)  # I'm the youngest
        self._until_status(lambda told: told["now"]["key"] != "youngest")
        self.lays("seat1", UID)
        shows = "runuser -u anna -- env HOME=/home/anna /home/anna/.local/bin/taptable games show 1"
        self.ok(f"cd /; until {shows} | tee /tmp/game | grep 'Seat 1 plays Online'; do sleep 2; done")
        self.lifts("seat1")

    def lights(self) -> None:
        """The lamp of the seat on turn is lit"""
        self.says("cat /sys/class/leds/*buzz1/brightness", "1")

    def has_changed_no_file(self) -> None:
        """No table.toml was written; what the table keeps is hers alone"""
        folder = "/home/anna/.local/share/taptable"
        self.refused(f"ls {folder}/table.toml", "")
        self.equal("folder", self.ok(f"stat -c %U:%a {folder}"), "anna:700")
        self.says(f"ls {folder}", "parts.toml", "journal.sqlite", "decks")

    def comes_back(self) -> None:
        """Ended and started once more, the game is there, paused"""
        self.ok(f"{TERMINAL} send-keys -t table C-c")
        self.sees("table", r"ended with 0$")
        self.orders("table", "taptable run")
        self._until_status(lambda told: told["paused"])
        self.ok(f"{TERMINAL} send-keys -t table C-c; {TERMINAL} send-keys -t page C-c")
        self.sees("table", r"ended with 0$")

    def is_elsewhere(self) -> None:
        """Over the network polkit closes the readers; a rule for her is offered, and opens them"""
        environment = "env -i HOME=/home/anna LANG=C.UTF-8 PATH=/usr/bin:/bin"
        elsewhere = f"cd / && runuser -u anna -- {environment} /home/anna/.local/bin/taptable"
        asks = "polkit" in self.ok("ldd /usr/sbin/pcscd")
        if not asks:  # bookworm's asks nobody
            self.says(f"{elsewhere} seats --list", *READERS)
            return
        self.refused(f"{elsewhere} seats --list | grep seat1", "")
        self.says(
            f"{elsewhere} seats --rules >/tmp/rules; cat /tmp/rules", "org.debian.pcsc-lite.access_pcsc", '"anna"'
        )
        self.ok("sh /tmp/rules")
        self.ok(f"until {elsewhere} seats --list | grep -q seat1; do sleep 0.5; done")

    def has_no_service(self) -> None:
        """Without pcscd no reader is found, and the doctor says why"""
        self.ok("systemctl stop pcscd.socket pcscd && apt-get -qq -y purge pcscd")
        text = self.does("taptable seats --list")
        if "seat1" in text:
            raise Failed(text)
        text = self.does("taptable doctor --only readers </dev/null", 1)
        if "pcscd" not in text:
            raise Failed(text)

    def _until_status(self, is_so: Callable[[dict[str, object]], object]) -> None:
        deadline = time.monotonic() + DEADLINE_S
        ask = "runuser -u anna -- env HOME=/home/anna /home/anna/.local/bin/taptable status --json"
        while True:
            said = self.machine.run(f"cd / && {ask}", DEADLINE_S)
            if not said.status and is_so(json.loads(said.text)):
                return
            if time.monotonic() > deadline:
                raise TimedOut(f"the table stays as it is: {said.text}")


STEPS = (
    *(LaptopTrial.starts, LaptopTrial.sits_down),
    *(LaptopTrial.says_what_it_is, LaptopTrial.plugs_in, LaptopTrial.is_refused, LaptopTrial.has_no_password),
    *(LaptopTrial.assigns, LaptopTrial.opens_to_her_alone, LaptopTrial.judges, LaptopTrial.lights),
    *(LaptopTrial.has_changed_no_file, LaptopTrial.comes_back, LaptopTrial.is_elsewhere, LaptopTrial.has_no_service),
)


def pack(kept: Path, target: Target) -> None:
    """Make the disk with the wheel, the wheels that it needs, Debian's packages, a deck, and what moves the parts."""
    folder = kept / "laptop"
    shutil.rmtree(folder, ignore_errors=True)
    wheels, debs = folder / "wheels", folder / "debs"
    for each in (wheels, debs):
        each.mkdir(parents=True)
    pip = [sys.executable, "-m", "pip", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT], check=True)
    fetch(target, [ROOT / "requirements/run.txt"], wheels)
    subprocess.run([*pip, "download", "--no-deps", "--only-binary=:all:", "--dest", wheels, *PIPS], check=True)
    with TemporaryDirectory() as work:
        for package in Archive(target, Path(work) / "apt").with_all_they_need(PACKAGES):
            shutil.copy(package, debs)
    write_index(debs)
    for name in ("tests/kernel", "tests/install", "firmware/lib"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "tests/deadline.py", folder / "tests")
    (folder / "deck.json").write_text(text_of(box("family")), encoding="utf-8")
    command = ["mke2fs", "-q", "-F", "-t", "ext4", "-d", folder, kept / "laptop.img", "400M"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def make_disk(kept: Path, target: Target) -> None:
    """Make the computer's disk: the smallest Debian, in which root has installed the packages, and somebody the wheel
    with pipx. That is done in a folder, where it takes a tenth of the time."""
    root = kept / "laptop-root"
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "-a", kept / f"root-{target.release}", root], check=True)
    subprocess.run(["cp", "-r", "--no-preserve=ownership", f"{HERE}/dressing/.", root], check=True)
    trial = Trial(Folder(root, kept / "laptop"), target)
    trial.ok("echo 'deb [trusted=yes] file:/mnt/debs ./' >/etc/apt/sources.list && apt-get -qq update")
    trial.ok(f"DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends {' '.join(PACKAGES)}")
    # Debian's pip wants to have seen a certificate, and this computer has none
    certificate = "-keyout /dev/null -out /etc/ssl/certs/ca-certificates.crt"
    trial.ok(f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=nobody {certificate}")
    trial.ok("useradd --create-home --groups sudo --shell /bin/bash anna && useradd --create-home bob")
    trial.ok(f"echo anna:{PASSWORD} | chpasswd && cat >/home/anna/.bash_profile <<'END'\n{PROFILE}END")
    trial.refused("command -v gcc cc", "")
    trial.says("runuser -l anna -c 'pipx install /mnt/taptable-*.whl && taptable --version'", "taptable 0.")
    subprocess.run(["cp", "-a", kept / "parts/lib/modules", root / "usr/lib"], check=True)
    disk = ["mke2fs", "-q", "-F", "-t", "ext4", "-d", root, kept / "laptop-root.img", "3G"]
    subprocess.run(disk, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(root)


def main(arguments: Sequence[str]) -> int:
    """Status 0 if every step came out well."""
    parser = argparse.ArgumentParser(prog="scripts/test-install laptop", description=__doc__)
    parser.add_argument("--suite", choices=RELEASES, default="trixie", help="which Debian (trixie)")
    parser.add_argument("--folder", type=Path, default=ROOT / ".emulated/amd64", help="keeps what took long to make")
    parser.add_argument("--again", action="store_true", help="with the disks that were made for the last trial")
    parser.add_argument(
        "--go-on", metavar="STEP", help="from this step on, in the computer that the last trial has left"
    )
    args = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the computer isn't left running
    subprocess.run([ROOT / "scripts" / "packages", *PROGRAMS], check=True)
    begun, target, folder = time.monotonic(), Target(args.suite, "amd64"), args.folder.resolve()
    subprocess.run([HERE / "make-computer", args.suite, "amd64", folder, "computer"], check=True)
    if not (args.again or args.go_on):
        pack(folder, target)
        make_disk(folder, target)
    disk, steps = folder / "laptop-run.img", STEPS
    if args.go_on:
        first = [step.__name__ for step in STEPS].index(args.go_on)
        steps = (LaptopTrial.starts, LaptopTrial.sits_down, LaptopTrial.plugs_in, *STEPS[first:])
    else:
        subprocess.run(["cp", "--sparse=always", folder / "laptop-root.img", disk], check=True)
    with Machine(qemu(folder, disk, target, "laptop.img"), folder) as machine:
        trial = LaptopTrial(machine, target)
        if not all(take_step(trial, step) for step in steps):
            return 1
    disk.unlink()
    print(f"{len(steps)} passed, 0 failed ({time.monotonic() - begun:.0f} s, {target})")
    return 0
