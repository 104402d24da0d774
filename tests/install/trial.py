"""The trial of an installation: a whole emulated arm64 computer is installed on, twice; table and page run there under
systemd, are hung, killed, starved of memory, asked about their parts, switched off, started again, have boards plugged
in and out, and are taken away; then the last version is installed there, and carried over to this one. Each step waits
for what it is about, with a deadline; the first that fails ends the trial."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from install.machine import Machine, Overdue
from install.supplies import pack

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = (
    *("mmdebstrap:mmdebstrap", "arch-test:arch-test", "cpio:cpio", "fdtput:device-tree-compiler", "depmod:kmod"),
    *("mke2fs:e2fsprogs", "swig:swig", "aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu"),
    *("/usr/aarch64-linux-gnu/include/stdio.h:libc6-dev-arm64-cross", "xz:xz-utils"),
    "/usr/share/ca-certificates:ca-certificates",
)
"""What making the computer takes, as scripts/packages wants it."""
INSTALL = "cd /mnt/checkout && PIP_NO_INDEX=1 PIP_FIND_LINKS=/mnt/wheels scripts/install"
BOARD = "e66164084f2b3a21"
"""The first seat's, in the example of a configuration."""
CHANGES_BY_ITSELF = (
    *("/dev", "/proc", "/sys", "/run", "/tmp", "/mnt", "/var/tmp", "/var/log", "/var/cache", "/var/lib/systemd"),
    *("/var/lib/private", "/root", "/home", "/lost+found", "/etc/.pwd.lock"),
)
"""What a system writes while it runs, whoever installs what."""
PAGE = (
    "python3 -c 'import urllib.request as web;"
    ' print(web.urlopen("http://127.0.0.1:8137/about.json", timeout=60).read().decode())\''
)
"""Asks the page what it shows, and fails while that is nothing."""
SOCKETS = """\
/run/taptable-api/admin taptable:taptable 2750
/run/taptable-api/admin/api.sock taptable:taptable 660
/run/taptable-api/bridge taptable:taptable-bridge 2750
/run/taptable-api/bridge/api.sock taptable:taptable-bridge 660
/run/taptable-api/page taptable:taptable-page 2750
/run/taptable-api/page/api.sock taptable:taptable-page 660"""
DEADLINE_S = 900
"""Of what takes a minute or two on an idle computer of two cores."""


class Failed(Exception):
    """A step did not come out as it should; the message says how it did."""


class Trial:
    """The steps, on one computer that is started twice."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def ok(self, command: str, deadline_s: float = DEADLINE_S) -> str:
        """What a command says, which must succeed."""
        said = self.machine.run(command, deadline_s)
        if said.status:
            raise Failed(f"{command}\nended with {said.status}:\n{said.text}")
        return said.text

    def refused(self, command: str, expected: str) -> None:
        """A command must fail, and say this."""
        said = self.machine.run(command, DEADLINE_S)
        if not said.status or expected not in said.text:
            raise Failed(f"{command}\nended with {said.status}, without {expected!r}:\n{said.text}")

    def says(self, command: str, *expected: str) -> str:
        """A command must succeed, and say all of these."""
        text = self.ok(command)
        for each in expected:
            if each not in text:
                raise Failed(f"{command}\nwithout {each!r}:\n{text}")
        return text

    def equal(self, what: str, found: object, expected: object) -> None:
        """Two values must be equal."""
        if found != expected:
            raise Failed(f"{what}: {found!r}, not {expected!r}")

    def note_files(self, name: str) -> None:
        """Write down every file and folder but what changes by itself: kind, rights, owner and content; below /usr,
        time and size instead of content."""
        left_out = " -o ".join(f"-path {each}" for each in CHANGES_BY_ITSELF)
        kind = "%y %m %u:%g"
        self.ok(
            rf"{{ find / -xdev \( {left_out} \) -prune -o -type f -path '/usr/*' ! -path '/usr/local/*'"
            rf" -printf '%p\t{kind} %s %T@\n' -o -type f -printf '%p\t{kind}\n' -o -printf '%p\t{kind} %l\n' &&"
            rf" find / -xdev \( {left_out} -o -path /usr/bin -o -path /usr/lib -o -path /usr/share \) -prune -o -type f"
            r" -print0 | xargs -0 sha256sum | sed 's,^\([^ ]*\)  \(.*\),\2\t\1,'; } | LC_ALL=C sort"
            f" >/root/{name}"
        )

    def same_files(self, before: str, after: str, *, but: tuple[str, ...] = ()) -> None:
        """Nothing differs between two of these lists, but below these paths."""
        others = "|".join(but) or "(none)"
        found = self.ok(
            f"diff /root/{before} /root/{after} | grep '^[<>]' | grep -vE '^. ({others})[/\t]' | head -40; true"
        )
        if found:
            raise Failed(f"different from {before} to {after}:\n{found}")

    # The first start

    def starts(self) -> None:
        """The emulated computer starts, and its system finds nothing amiss"""
        self.machine.started(DEADLINE_S)
        self.ok("mount -o ro /dev/vdb /mnt && useradd --create-home --groups sudo,dialout --shell /bin/bash pi")
        self.ok("echo 'pi ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/pi")
        self.note_files("clean")

    def wants_root(self) -> None:
        """Who isn't root is told so, and nothing is done"""
        self.refused("su pi -c '/mnt/checkout/scripts/install --yes'", "sudo scripts/install")

    def is_interrupted(self) -> None:
        """The first installation is killed in the middle of its work"""
        begun = "ls /opt/taptable/*/pyvenv.cfg"
        self.ok(
            f"setsid bash -c '{INSTALL} --yes' >/tmp/killed 2>&1 & installer=$!; until {begun} >/dev/null 2>&1; do"
            " kill -0 $installer || { cat /tmp/killed; exit 1; }; read -rt 0.2 <> <(:); done;"
            " kill -KILL -- -$installer; wait; true"
        )
        self.refused("readlink -e /opt/taptable/venv/bin/taptable", "")

    def installs(self) -> None:
        """The next one heals that and comes to its end, with nothing but what the checkout brings"""
        self.says(
            f"{INSTALL} --yes",
            "* /etc/taptable/table.toml, from examples/full.toml",
            "* /boot/firmware/config.txt",
            "* taptable.service runs\n* taptable-page.service runs",
            "- Put the parts of your table into /etc/taptable/table.toml",
            "taptable doctor",
        )
        self.says(
            "cat /boot/firmware/config.txt", "dtparam=spi=on\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000"
        )
        self.says("id taptable", "(gpio)", "(spi)", "(i2c)", "(dialout)")
        units = "taptable.service taptable-page.service taptable-power-off.path"
        self.says(f"systemctl is-enabled {units}", "enabled\nenabled\nenabled")
        drivers = (
            "import lgpio, RPi.GPIO, spidev, mfrc522, gpiozero, smbus2; print(RPi.GPIO.__file__, RPi.GPIO.RPI_INFO)"
        )
        self.says(
            f"cd / && LG_WD=/tmp runuser -u taptable -- /opt/taptable/venv/bin/python -c '{drivers}'", "/opt/taptable/"
        )

    def installs_again(self) -> None:
        """A second installation says that nothing is to be done, and leaves the same files"""
        self.note_files("installed")
        said = self.ok(f"{INSTALL} --yes")
        if "\n* " in said:
            raise Failed(f"something was changed:\n{said}")
        self.note_files("installed-again")
        self.same_files("installed", "installed-again", but=("/var/lib/taptable",))  # a table runs

    def needs_no_checkout(self) -> None:
        """The checkout isn't needed any more; anybody has the command, and the table's files stay its own"""
        self.ok("cp /mnt/decks/family.json /tmp && chmod 644 /tmp/family.json && umount /mnt")
        self.ok("cd / && su pi -c 'taptable deck import /tmp/family.json'")
        self.says("stat -c %U /var/lib/taptable/decks/family.json", "taptable")
        self.says("su pi -c 'taptable run --check'", "in order")

    def serves(self) -> None:
        """Table and page start under systemd, the table says that it is ready, and the page shows it"""
        self.ok("systemctl restart taptable taptable-page")
        self.says("systemctl show taptable -p ActiveState -p StatusText", "ActiveState=active", "StatusText=")
        self._until_shown()
        self.ok("mount -o ro /dev/vdb /mnt")

    def is_asked(self) -> None:
        """Each socket is its role's group's and nobody else's; anybody may ask how the table stands"""
        self.equal("sockets", self.ok("stat -c '%n %U:%G %a' $(find /run/taptable-api -mindepth 1 | sort)"), SOCKETS)
        hello = '{"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"version": 1}}'
        ask = (
            "python3 -c 'import socket; table = socket.socket(socket.AF_UNIX);"
            ' table.connect("/run/taptable-api/bridge/api.sock");'
            f' table.sendall(b"""{hello}\\n"""); print(table.recv(99))\''
        )
        as_pi = "setpriv --reuid=pi --regid=pi"
        self.says(f"{as_pi} --groups=taptable-bridge {ask}", '"api":1')
        self.refused(f"{as_pi} --clear-groups {ask}", "Permission denied")
        self.refused("runuser -u taptable-page -- ls /run/taptable-api/admin", "Permission denied")
        told = json.loads(self.ok("cd / && su pi -c 'taptable status --json'"))
        self.equal("told", (told["game"], told["now"]["key"], told["stuck"]), ("online", "youngest", False))
        self.says("cd / && su pi -c 'taptable status'", "\n\nMissing: ")
        said = self.machine.run("cd / && su pi -c 'taptable doctor --only service,page --json'", DEADLINE_S)
        found = {(each["name"], each["part"]): each["state"] for each in json.loads(said.text)["findings"]}
        expected = {("service", "service"): "ok", ("service", "page"): "ok", ("page", "page"): "ok"}
        expected[("misses", "oled")] = "fault"
        self.equal("found", {key: found.get(key) for key in expected}, expected)
        self.refused("[ /proc/$(systemctl show taptable -p MainPID --value)/ns/net -ef /proc/1/ns/net ]", "")

    def page_is_killed(self) -> None:
        """Killed, or out of memory, the page is started anew, and the table hasn't noticed"""
        was = self.ok("systemctl show taptable -p MainPID -p NRestarts")
        self.ok("systemctl kill --kill-whom=main --signal=KILL taptable-page")
        self._until_page_is_back(1)
        group = "/sys/fs/cgroup/system.slice/taptable-page.service"
        self.equal("limits", self.ok(f"cat {group}/memory.max {group}/cpu.weight"), "157286400\n20")
        self.refused(f"(echo $BASHPID >{group}/cgroup.procs; exec python3 -c 'bytearray(b\"x\") * 300_000_000')", "")
        self.ok("journalctl -fu taptable-page -n 20 | grep -qm1 oom-kill")
        self._until_page_is_back(2)
        self.equal("the table", self.ok("systemctl show taptable -p MainPID -p NRestarts"), was)

    def page_is_taken_out(self) -> None:
        """Without [page] in the configuration the page ends and isn't started again"""
        config, page = "/etc/taptable/table.toml", "taptable-page.service"
        self.ok(f"cp -p {config} /tmp/kept && sed -i '/^\\[page\\]/,$d' {config}")
        self.ok(f"systemctl restart {page}")
        self._until(f"systemctl is-failed {page}")
        self.says(f"systemctl show {page} -p ExecMainStatus -p NRestarts", "ExecMainStatus=2", "NRestarts=0")
        self.ok(f"mv /tmp/kept {config} && systemctl start {page}")
        self._until_shown()

    def _until_page_is_back(self, restarts: int) -> None:
        ask = "systemctl show taptable-page -p NRestarts"
        self._until(f"[ $({ask} --value) = {restarts} ]")
        self._until_shown()

    def _until_shown(self) -> None:
        self._until(f"{PAGE} 2>/dev/null")

    def _until(self, command: str) -> None:
        self.ok(f"until {command}; do read -rt 1 <> <(:) || true; done")

    def doctor_names(self) -> None:
        """The doctor names each missing device, and what to do about it"""
        self.ok("systemctl stop taptable")
        said = self.machine.run("cd / && su pi -c 'taptable doctor --json 2>/dev/null'", DEADLINE_S)
        found = json.loads(said.text)["findings"]
        faults = {finding["part"] for finding in found if finding["state"] == "fault"}
        expected = {f"{part} {seat}" for seat in range(1, 7) for part in ("board", "button", "lamp")}
        expected |= {"discard pad", "oled", "sounder"}
        if said.status != 1 or not expected <= faults:
            raise Failed(f"ended with {said.status}; not named: {expected - faults}; faults: {faults}\n{said.text}")
        without = [finding["name"] for finding in found if finding["state"] == "fault" and not finding["todo"]]
        if without:
            raise Failed(f"nothing is said about what to do: {without}")
        pins = {finding["name"]: finding["state"] for finding in found if finding["part"] == "pins"}
        self.equal("pins", set(pins.values()), {"ok"})  # lgpio itself, on a chip of eight pins
        self.ok("systemctl start taptable")

    def is_restarted(self) -> None:
        """Made to hang, the table is restarted by the watchdog and becomes ready again"""
        was = self.ok("systemctl show taptable -p MainPID --value")
        self.ok(f"kill -STOP {was} && journalctl -fu taptable -n 0 | grep -qm1 'Watchdog timeout'")
        self.ok("journalctl -fu taptable -n 20 | grep -qm1 'Started taptable'")
        self.says("systemctl show taptable -p NRestarts", "NRestarts=1")
        if self.ok("systemctl show taptable -p MainPID --value") == was:
            raise Failed(f"it still is process {was}")
        self._until_shown()

    def powers_off(self) -> None:
        """The daemon's request switches the computer off"""
        self.ok("sync; runuser -u taptable -- touch /run/taptable/power-off")
        self.machine.powered_off(DEADLINE_S)

    # The second start

    def starts_again(self) -> None:
        """After the next start the table runs by itself, in the state it was switched off in"""
        self.machine.started(DEADLINE_S)
        self.ok("mount -o ro /dev/vdb /mnt")
        self.ok(
            "until systemctl is-active taptable; do systemctl is-failed taptable && exit 1; read -rt 1 <> <(:); done"
        )
        self.says("cd / && su pi -c 'taptable deck list'", "family")
        self._until_shown()

    def board_is_plugged_in(self) -> None:
        """A seat board's port has its name, its group, and no modem's program; the table talks to the board"""
        self._plug_in()
        link = self.says("readlink -f /dev/serial/by-id/*", "/dev/ttyACM")
        self.says(f"stat -c '%G %a' {link}", "dialout 660")
        self.says(f"udevadm info {link}", "ID_MM_DEVICE_IGNORE=1", f"ID_SERIAL_SHORT={BOARD}")

    def board_is_pulled_out(self) -> None:
        """Pulled out, the board is missed by name; plugged in again, it is taken back; and once more"""
        for _ in range(2):
            gone = "while kill -0 $(cat /run/board.pid) 2>/dev/null; do read -rt 0.2 <> <(:); done"
            # a board that has lost its power is missed before its port is gone, where the computer is slow
            self._until_logged(
                "board 1: ", f"kill $(cat /run/board.pid); {gone}; modprobe -r g_serial && udevadm settle"
            )
            self.refused("ls /dev/serial/by-id", "")
            self._plug_in()
        self.says("systemctl show taptable -p NRestarts", "NRestarts=0")

    def _plug_in(self) -> None:
        identity = f"idVendor=0x2e8a idProduct=0x0005 iManufacturer=MicroPython iSerialNumber={BOARD}"
        board = (
            "env PYTHONPATH=/mnt/checkout/host:/mnt/checkout/firmware/lib:/mnt/checkout/tests"
            f" /opt/taptable/venv/bin/python /mnt/checkout/tests/install/board.py /mnt/micropython/micropython {BOARD}"
        )
        self._until_logged(
            "board 1 is back",
            f"modprobe dummy_hcd && modprobe g_serial {identity} 'iProduct=\"Board in FS mode\"' && udevadm settle &&"
            f" (setsid {board} >/run/board.log 2>&1 & echo $! >/run/board.pid)",
        )

    def _until_logged(self, line: str, command: str) -> None:
        """Do something that the table must say this of in its log."""
        self.ok(
            f"since=$(journalctl -u taptable -n 0 --show-cursor | sed -n 's/^-- cursor: //p'); {command} &&"
            f" timeout 300 journalctl -fu taptable --after-cursor \"$since\" | grep -qm1 -F '{line}'"
            " || { cat /run/board.log; journalctl -u taptable -n 20; exit 1; }"
        )

    def is_taken_away(self) -> None:
        """Uninstalled, nothing stays but what is said to; purged, the system is as before"""
        before = self.ok("sha256sum /etc/taptable/table.toml /var/lib/taptable/decks/*")
        self.says("/mnt/checkout/scripts/uninstall --yes", "Stays: /etc/taptable, /var/lib/taptable, user taptable")
        self.equal("kept", self.ok("sha256sum /etc/taptable/table.toml /var/lib/taptable/decks/*"), before)
        accounts = ("passwd", "shadow", "group", "gshadow", "subuid", "subgid")
        accounts = tuple(f"/etc/{name}{kept}" for name in accounts for kept in ("", "-"))
        self.note_files("uninstalled")
        self.same_files("clean", "uninstalled", but=(*accounts, "/etc/taptable", "/var/lib/taptable"))
        self.says("/mnt/checkout/scripts/uninstall --purge --yes", "- user taptable")
        self.refused("id taptable", "no such user")
        self.refused("getent passwd taptable-page || getent group taptable-page taptable-bridge", "")
        self.refused("ls -d /etc/taptable /var/lib/taptable | grep .", "")

    def has_the_last_version(self) -> None:
        """The last version, which was one service, is installed there, and runs"""
        self.ok(f"{INSTALL.replace('/mnt/checkout', '/mnt/last')} --yes", 2 * DEADLINE_S)
        # it knew no card that begins pairing
        older = r"""sed '/: "pair"/d; s/\("check"\),/\1/' /mnt/decks/family.json"""
        self.ok(f"{older} >/tmp/family.json && chmod 644 /tmp/family.json")
        self.ok("cd / && taptable deck import /tmp/family.json && systemctl start taptable")
        self._until_shown()

    def is_carried_over(self) -> None:
        """This version takes its place as two services; configuration and memory are left as they are"""
        kept = "sha256sum /etc/taptable/table.toml /var/lib/taptable/decks/*; readlink /opt/taptable/venv"
        before = self.ok(kept).splitlines()
        was = self.ok("systemctl show taptable -p MainPID --value")
        said = ("is taken away", "* taptable.service runs", "* taptable-page.service runs")
        self.says(f"{INSTALL} --yes", "* user taptable-page", *said)
        after = self.ok(kept).splitlines()
        self.equal("kept", after[:-1], before[:-1])
        if after[-1] == before[-1] or self.ok("systemctl show taptable -p MainPID --value") == was:
            raise Failed("the old program still runs")
        self.equal("programs", self.ok("ls -d /opt/taptable/*-*-* /opt/taptable/*.new 2>/dev/null | wc -l"), "0")
        self._until_shown()
        self.equal("game", json.loads(self.ok("taptable status --json"))["id"], 1)
        self.says("systemctl is-enabled taptable.service taptable-page.service", "enabled\nenabled")


FIRST_START = (
    *(Trial.starts, Trial.wants_root, Trial.is_interrupted, Trial.installs, Trial.installs_again),
    *(Trial.needs_no_checkout, Trial.serves, Trial.is_asked, Trial.page_is_killed, Trial.page_is_taken_out),
    *(Trial.doctor_names, Trial.is_restarted, Trial.powers_off),
)
LAST_VERSION = (Trial.has_the_last_version, Trial.is_carried_over)
SECOND_START = (
    *(Trial.starts_again, Trial.board_is_plugged_in, Trial.board_is_pulled_out, Trial.is_taken_away, *LAST_VERSION),
)


def main() -> int:
    """Status 0 if every step came out well."""
    parser = argparse.ArgumentParser(prog="scripts/test-install", description=__doc__)
    parser.add_argument("--suite", choices=("trixie", "bookworm"), default="trixie", help="which Debian (trixie)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / ".emulated", help="keeps what took long to make (.emulated)"
    )
    parser.add_argument(
        "--quick",
        action="store_true",
        help="without the last version, which takes twice as long as the first installation",
    )
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the computer isn't left running
    subprocess.run([ROOT / "scripts" / "packages", *PROGRAMS], check=True)
    begun = time.monotonic()
    folder: Path = args.folder.resolve()
    subprocess.run([HERE / "make-computer", args.suite, folder], check=True)
    pack(folder, args.suite)
    print(f"The computer is made ({time.monotonic() - begun:.0f} s).", flush=True)
    disk = folder / "run.img"
    # its holes stay holes
    subprocess.run(["cp", "--sparse=always", folder / f"disk-{args.suite}/root.img", disk], check=True)
    passed = 0
    for steps in (FIRST_START, SECOND_START):
        with Machine(qemu(folder, disk), folder) as machine:
            trial = Trial(machine)
            for step in steps:
                if args.quick and step in LAST_VERSION:
                    continue
                if not _take(trial, step):
                    return 1
                passed += 1
    disk.unlink()
    print(f"{passed} passed, 0 failed ({time.monotonic() - begun:.0f} s, {args.suite})")
    return 0


def _take(trial: Trial, step: Callable[[Trial], None]) -> bool:
    begun = time.monotonic()
    what = (step.__doc__ or "").strip()
    try:
        step(trial)
    except (Failed, Overdue) as error:
        print(f"FAILED: {what}\n{error}\nThe logs are {trial.machine.console} and {trial.machine.talk}.", flush=True)
        return False
    print(f"ok: {what} ({time.monotonic() - begun:.0f} s)", flush=True)
    return True


def qemu(folder: Path, disk: Path) -> list[str]:
    """What starts the computer, all but its consoles."""
    command = [str(folder / "tools/run"), "-L", str(folder / "tools/usr/share/qemu")]
    command += ["-machine", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "2048"]
    command += ["-accel", "tcg,thread=multi", "-kernel", str(folder / "parts/vmlinuz")]
    command += ["-initrd", str(folder / "start/start.gz"), "-dtb", str(folder / "tree/pi.dtb")]
    command += ["-append", "console=ttyAMA0 loglevel=4 systemd.show_status=no"]
    command += ["-drive", f"file={disk},format=raw,if=virtio"]
    return [*command, "-drive", f"file={folder / 'supplies.img'},format=raw,if=virtio,readonly=on"]
