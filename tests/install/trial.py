"""The trial of the package: on a whole emulated computer without a network it is installed from its bundle,
interrupted and finished; table and page run there under systemd, are hung, killed, starved of memory, asked about
their parts, upgraded in the middle of a game, switched off, started again, have boards plugged in and out, and are
taken away. On another such computer version 0.1.0 is installed by hand, and taken over. Each step waits for what it
is about, with a deadline; the first that fails ends the trial."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

from package.release import RELEASES, TRIPLETS, Target, run

from install.machine import Folder, Machine, TimedOut
from install.supplies import NEXT, pack

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROGRAMS = (
    *("mmdebstrap:mmdebstrap", "arch-test:arch-test", "cpio:cpio", "fdtput:device-tree-compiler", "depmod:kmod"),
    *("mke2fs:e2fsprogs", "xz:xz-utils"),
)
"""The programs that make the computer, as scripts/packages takes them."""
INSTALL = "sh /mnt/bundle/install"
BY_HAND = "cd /mnt/last && PIP_NO_INDEX=1 PIP_FIND_LINKS=/mnt/last-wheels scripts/install --yes --anyway"
"""Installs version 0.1.0; `--anyway` is for computers that aren't arm64."""
BOARD = "e66164084f2b3a21"
"""The first seat's, in the example of a configuration."""
CHANGES_BY_ITSELF = (
    *("/dev", "/proc", "/sys", "/run", "/tmp", "/mnt", "/var/tmp", "/var/log", "/var/cache", "/var/lib/systemd"),
    *("/var/lib/private", "/root", "/home", "/lost+found", "/etc/.pwd.lock"),
)
"""The paths to which a system writes while it runs, without any installation."""
LEFT_BY_DEBIAN = (
    *(f"/etc/{name}{kept}" for name in ("passwd", "shadow", "group", "gshadow") for kept in ("", "-")),
    *("/var/lib/dpkg", "/var/lib/apt"),
)
"""The paths that differ after a package was removed: the users stay, and dpkg and apt keep records."""
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
READERS = """\
from ctypes import CDLL, byref, c_char_p, c_long, c_ulong
library, context, card, protocol = CDLL("libpcsclite.so.1"), c_long(), c_long(), c_ulong()
established = library.SCardEstablishContext(c_ulong(2), None, None, byref(context))
reader, direct = c_char_p(b"Virtual PCD 00 00"), c_ulong(3)
connected = library.SCardConnect(context, reader, direct, c_ulong(0), byref(card), byref(protocol))
print(f"{established & 0xFFFFFFFF:x} {connected & 0xFFFFFFFF:x}")
"""
"""Asks the service of PC/SC for each of its two rights: to reach it, and to use a reader."""
PCSCD = """\
mount -t tmpfs none /run && mkdir /run/dbus && dbus-daemon --system --fork && (/usr/lib/polkit-1/polkitd &) &&
until dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner \
    string:org.freedesktop.PolicyKit1; do read -rt 0.1 <> <(:) || true; done &&
(pcscd --foreground &) && until [ -S /run/pcscd/pcscd.comm ]; do read -rt 0.1 <> <(:) || true; done"""
"""Starts that service, and polkit, in a folder without systemd."""
DEADLINE_S = 900
"""Deadline for steps that take a minute or two on an idle computer of two cores."""


class Failed(Exception):
    """A step had an unexpected result; the message shows it."""


class Trial:
    """The steps, on a computer."""

    def __init__(self, machine: Machine | Folder, target: Target) -> None:
        self.machine = machine
        self.has_systemd = isinstance(machine, Machine)
        self.newer = target.version(NEXT)
        self.pcscd_asks_polkit = target.release != "bookworm"
        self.is_a_pi = target.architecture == "arm64"

    @property
    def computer(self) -> Machine:
        """The computer, for steps that only a computer can do."""
        assert isinstance(self.machine, Machine)
        return self.machine

    def ok(self, command: str, deadline_s: float = DEADLINE_S) -> str:
        """Run a command, which must succeed, and return its output."""
        said = self.machine.run(command, deadline_s)
        if said.status:
            raise Failed(f"{command}\nended with {said.status}:\n{said.text}")
        return said.text

    def refused(self, command: str, expected: str) -> None:
        """Run a command that must fail with this message."""
        said = self.machine.run(command, DEADLINE_S)
        if not said.status or expected not in said.text:
            raise Failed(f"{command}\nended with {said.status}, without {expected!r}:\n{said.text}")

    def says(self, command: str, *expected: str) -> str:
        """Run a command that must succeed and print all of these."""
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
        """Write down every file and folder except those that change by themselves: kind, rights, owner and content;
        below /usr, time and size instead of content."""
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
        """Check that two of these lists are equal, except below these paths."""
        others = "|".join(but) or "(none)"
        found = self.ok(
            f"diff /root/{before} /root/{after} | grep '^[<>]' | grep -vE '^. ({others})[/\t]' | head -40; true"
        )
        if found:
            raise Failed(f"different from {before} to {after}:\n{found}")

    # The first start

    def starts(self) -> None:
        """The computer starts"""
        self.computer.started(DEADLINE_S)
        self.ok("mount -o ro /dev/vdb /mnt")

    def has_somebody(self) -> None:
        """Somebody has an account there, and nothing of a table yet"""
        self.ok("useradd --create-home --groups sudo,dialout --shell /bin/bash pi")
        self.ok("echo 'pi ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/pi")
        self.note_files("clean")

    def refuses(self) -> None:
        """A user who isn't root, or whose files aren't whole, is refused, and nothing is done"""
        self.refused(f"su pi -c '{INSTALL}'", "has to be run as root: sudo sh ")
        self.ok("mkdir /tmp/part && cp -r /mnt/bundle/install /mnt/bundle/SHA256SUMS /tmp/part")
        self.refused("sh /tmp/part/install", "These files are damaged: copy them here once more.")
        self.refused("grep -A1 '^Package: taptable$' /var/lib/dpkg/status", "")

    def is_interrupted(self) -> None:
        """Killed while the program is put together, and killed in dpkg and apt, the installation is completed as dpkg
        advises"""
        begun = "ls /opt/taptable/*/pyvenv.cfg"
        self.ok(
            f"setsid {INSTALL} --answers /dev/null >/tmp/killed 2>&1 & installer=$!; until {begun} >/dev/null 2>&1; do"
            " kill -0 $installer || { cat /tmp/killed; exit 1; }; read -rt 0.2 <> <(:); done;"
            " kill -KILL -- -$installer; wait; true"
        )
        self.says("dpkg-query -W -f '${Status}' taptable", "install ok half-configured")
        self.refused("readlink -e /opt/taptable/venv/bin/taptable", "")
        self.ok("dpkg --configure -a")

    def installs(self) -> None:
        """Asked for again it is whole; users, units, configuration and drivers are there"""
        self.says(INSTALL, "Installed. ")
        self.says("dpkg-query -W -f '${Status}' taptable", "install ok installed")
        self.equal("broken", self.ok("dpkg --audit"), "")
        self.says("id taptable", "(gpio)", "(spi)", "(i2c)", "(dialout)")
        units = "taptable.service taptable-page.service taptable-bridge.service taptable-power-off.path"
        self.equal("enabled", self.ok(f"systemctl is-enabled {units}"), "enabled\n" * 3 + "enabled")
        drivers = (
            "import lgpio, RPi.GPIO, spidev, mfrc522, gpiozero, smbus2; print(RPi.GPIO.__file__, RPi.GPIO.RPI_INFO)"
            if self.is_a_pi
            else "import lgpio, spidev, gpiozero, smbus2; print(lgpio.__file__)"
        )
        self.says(
            f"cd / && LG_WD=/tmp runuser -u taptable -- /opt/taptable/venv/bin/python -c '{drivers}'", "/opt/taptable/"
        )

    def begins_as_answered(self) -> None:
        """Without a configuration it is made from the answers; a password goes where only the bridge can read it"""
        self.ok("mv /etc/taptable/table.toml /tmp/kept")
        lines = {"build": "select compact", "language": "select de", "name": 'string Küche "am Fenster"'}
        lines |= {"network": "boolean true", "mqtt-host": "string broker.local", "mqtt-password": "password x y"}
        answers = "".join(f"taptable taptable/{key} {answer}\n" for key, answer in lines.items())
        self.ok(f"cat >/tmp/answers <<'END'\n{answers}END\ndebconf-set-selections /tmp/answers")
        self.ok("DEBIAN_FRONTEND=noninteractive dpkg-reconfigure taptable")
        said = self.ok("cat /etc/taptable/table.toml")
        for line in ('name = "Küche \\"am Fenster\\""', 'language = "de"', "network = true", 'host = "broker.local"'):
            if line not in said.splitlines():
                raise Failed(f"without {line}:\n{said}")
        password = "/etc/taptable/mqtt.password"
        self.equal("password", self.ok(f"stat -c %U:%G:%a {password}; cat {password}"), "root:taptable-bridge:640\nx y")
        self.refused("grep -q 'x y' /var/cache/debconf/passwords.dat", "")
        if self.has_systemd:
            self._until("systemctl show taptable-bridge -p SubState --value | grep running")
        self.ok(f"rm {password} && mv /tmp/kept /etc/taptable/table.toml && dpkg-reconfigure taptable")
        if self.has_systemd:
            self.says("systemctl show taptable-bridge -p ActiveState", "ActiveState=inactive")

    def installs_again(self) -> None:
        """Once more, nothing is done, and the files are the same"""
        self.note_files("installed")
        was = self._identity()
        self.says(INSTALL, "Installed. ")
        self.note_files("installed-again")
        self.same_files("installed", "installed-again", but=("/var/lib/taptable", "/var/lib/apt", "/var/lib/dpkg"))
        self.equal("the table", self._identity(), was)

    def switches_on_buses(self) -> None:
        """taptable-buses does, once, what a package may not do"""
        self.says("taptable-buses --yes", "Written.")
        lines = "dtparam=spi=on\ndtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000"
        self.says("cat /boot/firmware/config.txt", lines)
        self.says("taptable-buses --yes", "as the table needs them")

    def belongs_to_everybody(self) -> None:
        """Anybody has the command, and the table's files stay its own"""
        self.ok("cp /mnt/game/decks/sample.json /tmp && chmod 644 /tmp/sample.json")
        self.ok("cd / && su pi -c 'taptable deck import /tmp/sample.json --name family'")
        self.says("stat -c %U /var/lib/taptable/decks/family.json", "taptable")
        self.says("su pi -c 'taptable run --check'", "in order")

    def serves(self) -> None:
        """Table and page start under systemd, the table says that it is ready, and the page shows it"""
        self.ok("systemctl restart taptable taptable-page")
        self.says("systemctl show taptable -p ActiveState -p StatusText", "ActiveState=active", "StatusText=")
        self._until_shown()

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
        """Killed, the page is restarted; a process beside it that runs out of memory ends alone; the table notices
        nothing"""
        was = self.ok("systemctl show taptable -p MainPID -p NRestarts")
        self.ok("systemctl kill --kill-whom=main --signal=KILL taptable-page")
        self._until("[ $(systemctl show taptable-page -p NRestarts --value) = 1 ]")
        self._until_shown()
        group, page = "/sys/fs/cgroup/system.slice/taptable-page.service", "systemctl show taptable-page -p MainPID"
        self.equal("limits", self.ok(f"cat {group}/memory.max {group}/cpu.weight"), "262144000\n20")
        was_page = self.ok(page)
        self.refused(f"(echo $BASHPID >{group}/cgroup.procs; exec python3 -c 'bytearray(b\"x\") * 300_000_000')", "")
        self.ok(f"grep -x 'oom_kill 1' {group}/memory.events")
        self._until_shown()
        self.equal("the page", self.ok(page), was_page)
        self.equal("the table", self.ok("systemctl show taptable -p MainPID -p NRestarts"), was)

    def page_is_taken_out(self) -> None:
        """Without [page] in the configuration the page isn't started, and nothing has failed"""
        config, page = "/etc/taptable/table.toml", "taptable-page.service"
        self.ok(f"cp -p {config} /tmp/kept && sed -i '/^\\[page\\]/,$d' {config}")
        self.ok(f"systemctl restart {page}")
        self.says(f"systemctl show {page} -p ActiveState -p NRestarts", "ActiveState=inactive", "NRestarts=0")
        self.ok(f"mv /tmp/kept {config} && systemctl start {page}")
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
        # with buttons and lamps of their own
        expected = {*(f"board {seat}" for seat in range(1, 7)), "discard pad", "oled", "sounder", "power button"}
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

    # A newer version

    def is_upgraded(self) -> None:
        """A newer version takes its place; the one before is gone when it has"""
        self.ok("dpkg -i /mnt/next/taptable_*.deb", 2 * DEADLINE_S)
        self.says("taptable --version", NEXT)
        self.equal("programs", self.ok("ls /opt/taptable | wc -l"), "2")

    def is_upgraded_in_a_game(self) -> None:
        """In the middle of a game a newer version replaces it: the game is paused, carried over, and continued"""
        self._lay_out_game()
        self.ok("systemctl start taptable taptable-page")
        self._plays("going on before")
        last, was = self._last_entry(), self._identity()
        self.is_upgraded()
        if self._identity() == was:
            raise Failed(f"the old program still runs: {was}")
        told = json.loads(self.ok("cd / && taptable status --json"))
        self.equal("told", (told["id"], told["paused"], told["taptable"]), (3, True, NEXT))
        self._plays("gone on with")
        if self._last_entry() <= last:
            raise Failed("nothing was written down since")
        self.ok("cd / && taptable replay 3")
        self._until_shown()

    def refuses_to_go_back(self) -> None:
        """An earlier version is refused in a sentence before anything is changed, by dpkg and by its bundle"""
        was = self._identity()
        self.note_files("newer")
        sentence = f"taptable: Version {NEXT}"
        self.refused("dpkg -i /mnt/bundle/debs/taptable_*.deb", sentence)
        said = self.machine.run(INSTALL, DEADLINE_S)
        last = said.text.splitlines()[-1]
        if not said.status or not last.endswith(f"Nothing was changed; install {self.newer} or a later one."):
            raise Failed(f"ended with {said.status}:\n{said.text}")
        self.note_files("still-newer")
        self.same_files("newer", "still-newer", but=("/var/lib/taptable", "/var/lib/apt", "/var/lib/dpkg"))
        self.says("dpkg-query -W -f '${Status} ${Version}' taptable", f"install ok installed {self.newer}")
        self.equal("the table", self._identity(), was)

    def refuses_a_newer_journal(self) -> None:
        """A daemon refuses a journal that is newer than itself, and leaves it as it is"""
        journal = "/var/lib/taptable/journal.sqlite"
        self.ok(f"systemctl stop taptable && cp -p {journal} /tmp/journal")
        self.ok(f"""python3 -c 'import sqlite3; sqlite3.connect("{journal}").execute("PRAGMA user_version = 99")'""")
        before = self.ok(f"sha256sum <{journal}")
        self.refused("systemctl start taptable", "")
        self.says("journalctl -u taptable -n 20 -o cat", "was written by a newer taptable (schema 99")
        self.equal("journal", self.ok(f"sha256sum <{journal}"), before)
        self.ok(f"mv /tmp/journal {journal}; rm -f {journal}-wal {journal}-shm; systemctl reset-failed taptable")
        self.ok("systemctl start taptable")

    def _lay_out_game(self) -> None:
        """The table is now one in the middle of a game."""
        self.ok(
            "systemctl stop taptable taptable-page; rm -rf /var/lib/taptable/*;"
            " cp -r /mnt/game/journal.* /mnt/game/decks /var/lib/taptable &&"
            " cp /mnt/game/table.toml /etc/taptable/table.toml && chown -R taptable:taptable /var/lib/taptable"
        )

    def _plays(self, what: str) -> None:
        """The game was paused, and somebody has it go on."""
        ask = (
            "import socket; table = socket.socket(socket.AF_UNIX); table.connect('/run/taptable-api/admin/api.sock');"
            " lines = table.makefile('rw')\n"
            'for text in (\'{"id": 1, "method": "hello", "params": {"version": 1}}\','
            ' \'{"id": 2, "method": "control", "params": {"control": "resume"}}\'):\n'
            "    lines.write(text.replace('{', '{\"jsonrpc\": \"2.0\", ', 1) + '\\n'); lines.flush()\n"
            "    print(lines.readline())"
        )
        self.ok(f"cat >/tmp/ask.py <<'END'\n{ask}\nEND")
        told = json.loads(self.ok("cd / && taptable status --json"))
        self.equal(what, (told["id"], told["game"], told["paused"]), (3, "online", True))
        self.says("python3 /tmp/ask.py", '"waits":false')
        told = json.loads(self.ok("cd / && taptable status --json"))
        self.equal(what, (told["id"], told["paused"], told["over"]), (3, False, False))

    def _last_entry(self) -> int:
        journal, query = "file:/var/lib/taptable/journal.sqlite?mode=ro", "SELECT max(id) FROM entries"
        ask = f'import sqlite3; print(*sqlite3.connect("{journal}", uri=True).execute("{query}").fetchone())'
        return int(self.ok(f"python3 -c '{ask}'"))

    def _identity(self) -> str:
        """The identity of the table's process: its number and its start."""
        return (
            ""
            if not self.has_systemd
            else self.ok("systemctl show taptable -p MainPID -p ExecMainStartTimestampMonotonic")
        )

    def powers_off(self) -> None:
        """The daemon's request switches the computer off"""
        self.ok("sync; runuser -u taptable -- touch /run/taptable/power-off")
        self.computer.powered_off(DEADLINE_S)

    # The second start

    def runs_by_itself(self) -> None:
        """After the next start the table runs by itself, in the state it was switched off in"""
        self.ok(
            "until systemctl is-active taptable; do systemctl is-failed taptable && exit 1; read -rt 1 <> <(:); done"
        )
        self._until_shown()

    def has_boards(self) -> None:
        """A table with the example's boards begins"""
        self.ok("systemctl stop taptable && rm -rf /var/lib/taptable/journal.* /etc/taptable/table.toml")
        self.ok("echo 'taptable taptable/build select full' | debconf-set-selections && dpkg-reconfigure taptable")
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
            "Part back: board 1",
            f"modprobe dummy_hcd && modprobe g_serial {identity} 'iProduct=\"Board in FS mode\"' && udevadm settle &&"
            f" (setsid {board} >/run/board.log 2>&1 & echo $! >/run/board.pid)",
        )

    def _until_logged(self, line: str, command: str) -> None:
        """Run a command after which the table must log this line."""
        self.ok(
            f"since=$(journalctl -u taptable -n 0 --show-cursor | sed -n 's/^-- cursor: //p'); {command} &&"
            f" timeout 300 journalctl -fu taptable --after-cursor \"$since\" | grep -qm1 -F '{line}'"
            " || { cat /run/board.log; journalctl -u taptable -n 20; exit 1; }"
        )

    def is_taken_away(self) -> None:
        """Removed, it leaves configuration, games and decks; purged, games and decks; purged with the games, nothing"""
        self.ok("if [ -e /run/board.pid ]; then kill $(cat /run/board.pid); modprobe -r g_serial dummy_hcd; fi")
        self.ok("taptable-buses --off --yes")
        before = self.ok("sha256sum /etc/taptable/table.toml /var/lib/taptable/decks/*")
        self.ok("apt-get -qq -y remove taptable")
        self.equal("kept", self.ok("sha256sum /etc/taptable/table.toml /var/lib/taptable/decks/*"), before)
        self.refused("pgrep -u taptable,taptable-page", "")
        self.refused("ls -d /opt/taptable /usr/share/taptable /run/taptable-api 2>/dev/null | grep .", "")
        self.says("dpkg --purge taptable", "Stays: /var/lib/taptable")
        self.refused("ls -d /etc/taptable /etc/systemd/system/*/taptable* 2>/dev/null | grep .", "")
        self.ok("ls /var/lib/taptable/decks/*")
        self.says(INSTALL, "Installed. ")
        self.ok("echo 'taptable taptable/purge-games boolean true' | debconf-set-selections")
        self.ok("apt-get -qq -y purge taptable && apt-get -qq -y autoremove --purge")
        self.refused("ls -d /var/lib/taptable /etc/taptable 2>/dev/null | grep .", "")
        self.equal("debconf", self.ok("debconf-show taptable"), "")

    # Another computer, with the last version

    def has_the_last_version(self) -> None:
        """Version 0.1.0, which was one service and installed by hand, runs there, in the middle of a game"""
        self.ok("echo 'deb [trusted=yes] file:/mnt/last-debs ./' >/etc/apt/sources.list && apt-get -qq update")
        self.ok("apt-get -qq -y install --no-install-recommends python3-venv python3-spidev python3-lgpio modemmanager")
        # Debian's pip wants to have seen a certificate, and this computer has none
        certificate = "-keyout /dev/null -out /etc/ssl/certs/ca-certificates.crt"
        self.ok(f"openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=nobody {certificate}")
        self.ok(BY_HAND, 2 * DEADLINE_S)
        self._lay_out_game()
        # it knew no card that begins pairing, and its page was its own
        self.ok('sed -i \'/: "pair"/d; s/\\("check"\\),/\\1/\' /var/lib/taptable/decks/*.json')
        # a line of its owner's
        self.ok(r"printf '[Service]\nNice=1\n' >/etc/systemd/system/taptable.service.d/mine.conf")
        if self.has_systemd:
            self.ok("systemctl daemon-reload && systemctl start taptable")
            self._until_shown()
        self.ok("systemctl enable taptable.service && systemctl disable taptable-power-off.path")

    def is_taken_over(self) -> None:
        """The package takes over: nothing of the old way is left, configuration, game and decks are as they were"""
        kept = "sha256sum /etc/taptable/table.toml /var/lib/taptable/decks/*; id taptable"
        before, was = self.ok(kept), self._identity()
        self.says(INSTALL, "Installed. ")
        self.equal("kept", self.ok(kept), before)
        old = "/usr/local/bin/taptable /etc/systemd/system/taptable*.* /etc/udev/rules.d/*taptable*"
        old += " /etc/modules-load.d/taptable*"
        self.equal("left", self.ok(f"ls -d {old} 2>/dev/null; true"), "/etc/systemd/system/taptable.service.d")
        self.equal("programs", self.ok("ls /opt/taptable | wc -l"), "2")
        states = self.machine.run("systemctl is-enabled taptable.service taptable-page.service taptable-power-off.path")
        self.equal("enabled", states.text, "enabled\nenabled\ndisabled")
        if not self.has_systemd:
            return
        if self._identity() == was:
            raise Failed("the old program still runs")
        # bookworm's systemd knows it without /usr
        self.says("systemctl show taptable -p FragmentPath", "/lib/systemd/system/taptable.service")
        self._until_shown()
        self._plays("carried over")

    def uses_readers(self) -> None:
        """The table's user may use readers of PC/SC without sitting at the screen, by the package's rule alone, and
        nobody else may"""
        self.ok("apt-get -qq -y install --no-install-recommends pcscd vsmartcard-vpcd polkitd")
        self.ok(f"cat >/tmp/readers.py <<'END'\n{READERS}END")
        rule, kept = "/usr/share/polkit-1/rules.d/50-taptable.rules", "/tmp/readers.rules"
        asked = self._who_uses_readers()
        self.ok(f"mv {rule} {kept}")
        asked_without = self._who_uses_readers()
        self.ok(f"mv {kept} {rule} && apt-get -qq -y purge pcscd vsmartcard-vpcd polkitd")
        allowed, refused = "0 0", "8010006a 80100003"
        # bookworm's pcscd is built without polkit: it admits everybody
        others = refused if self.pcscd_asks_polkit else allowed
        self.equal("with the rule", asked, [allowed, allowed, others])
        self.equal("without the rule", asked_without, [allowed, others, others])

    def _who_uses_readers(self) -> list[str]:
        """Start the service; return its answers to root, to the table's user, and to somebody."""
        start = "systemctl restart polkit && systemctl start pcscd.socket" if self.has_systemd else PCSCD
        ask = "for who in root taptable pi; do runuser -u $who -- python3 /tmp/readers.py || exit 1; done"
        return self.ok(f"cd / && {{ {start}; }} >/dev/null 2>&1 && {ask}").splitlines()

    def speaks(self) -> None:
        """Told to speak, the table misses its program, then a loudspeaker, and is heard; until that is taken away"""
        self._until_logged(
            "Part lost: speech: ", "printf '\\n[speech]\\n' >>/etc/taptable/table.toml; systemctl restart taptable"
        )
        # the configuration is asked whether it speaks
        self._until_logged("Part lost: speech: ", INSTALL)
        self.says("id taptable", "(audio)")
        self._until_logged("Part back: speech", "modprobe snd-aloop && udevadm settle")
        sounds = "until grep -qs RUNNING /proc/asound/card0/pcm0p/sub*/status; do read -rt 0.1 <> <(:); done"
        self.ok(f"{{ {sounds}; touch /tmp/heard; }} >/dev/null 2>&1 &")
        self._plays("spoken of")
        self._until("[ -e /tmp/heard ]")
        self.ok("apt-get -qq -y purge taptable-speech && systemctl restart taptable")
        self.refused("systemctl show taptable -p SupplementaryGroups | grep audio", "")

    def is_purged(self) -> None:
        """Purged, with the games if the answer says so, it leaves nothing"""
        self.ok("echo 'taptable taptable/purge-games boolean true' | debconf-set-selections")
        self.says("taptable-buses --off --yes", "Written.")
        self.ok("apt-get -qq -y purge taptable && rm /etc/systemd/system/taptable.service.d/mine.conf")
        others = "^/(root|home|tmp|mnt|var/(log|cache|lib/systemd))/|/taptable.service.d$|/slow.conf$"
        self.refused(f"find / -xdev -iname '*taptable*' -print | grep -vE '{others}'", "")


Step: TypeAlias = Callable[[Trial], None]
Steps: TypeAlias = tuple[Step, ...]
INSTALLED: Steps = (
    *(Trial.has_somebody, Trial.refuses, Trial.is_interrupted, Trial.installs, Trial.begins_as_answered),
    *(Trial.installs_again, Trial.switches_on_buses, Trial.belongs_to_everybody),
)
LAST: Steps = (Trial.has_somebody, Trial.has_the_last_version, Trial.is_taken_over)
IN_COMPUTER: Mapping[str, tuple[Steps, ...]] = MappingProxyType(
    {
        "install": (
            (
                *(*INSTALLED, Trial.serves, Trial.is_asked, Trial.page_is_killed, Trial.page_is_taken_out),
                *(Trial.doctor_names, Trial.is_restarted, Trial.is_upgraded_in_a_game, Trial.refuses_to_go_back),
                *(Trial.refuses_a_newer_journal, Trial.powers_off),
            ),
            (
                *(Trial.runs_by_itself, Trial.has_boards, Trial.board_is_plugged_in, Trial.board_is_pulled_out),
                Trial.is_taken_away,
            ),
        ),
        "last": ((*LAST, Trial.uses_readers, Trial.speaks, Trial.is_purged),),
    }
)
"""Each part on a computer of its own, and in each the steps by its starts."""
IN_FOLDER: Mapping[str, tuple[Steps, ...]] = MappingProxyType(
    {
        "install": ((*INSTALLED, Trial.is_upgraded, Trial.refuses_to_go_back, Trial.is_taken_away),),
        "last": ((*LAST, Trial.uses_readers, Trial.is_purged),),
    }
)


def main() -> int:
    """Status 0 if every step came out well."""
    parser = argparse.ArgumentParser(prog="scripts/test-install", description=__doc__)
    parser.add_argument("--suite", choices=RELEASES, default="trixie", help="which Debian (trixie)")
    parser.add_argument(
        "--in",
        dest="place",
        choices=("computer", "folder"),
        default="computer",
        help="a whole emulated computer, or a folder with a Debian, without systemd and much quicker",
    )
    parser.add_argument("--architecture", choices=TRIPLETS, help="arm64 in a computer, in a folder this computer's own")
    parser.add_argument("--part", choices=IN_COMPUTER, help="only this part (both)")
    parser.add_argument("--folder", type=Path, help="keeps what took long to make (.emulated/ARCHITECTURE)")
    parser.add_argument("--again", action="store_true", help="with the packages that were made for the last trial")
    parser.add_argument(
        "--go-on", metavar="STEP", help="from this step on, in the computer that the last trial has left; with --again"
    )
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the computer isn't left running
    subprocess.run([ROOT / "scripts" / "packages", *PROGRAMS], check=True)
    begun = time.monotonic()
    native = run(["dpkg", "--print-architecture"]).strip()
    target = Target(args.suite, args.architecture or ("arm64" if args.place == "computer" else native))
    folder: Path = (args.folder or ROOT / ".emulated" / target.architecture).resolve()
    made = [HERE / "make-computer", target.release, target.architecture, folder]
    subprocess.run([*made, args.place], check=True)
    steps = IN_COMPUTER if args.place == "computer" else IN_FOLDER
    todo = {part: steps[part] for part in ([args.part] if args.part else IN_COMPUTER)}
    disk = folder / "run.img"
    if args.go_on:
        if not (args.again and args.place == "computer" and disk.exists()):
            parser.error("--go-on takes --again, and the disk of a trial that has failed.")
        todo = _rest(todo, args.go_on)
    elif not args.again:
        pack(folder, target, last="last" in todo)
    print(f"What it takes is made ({time.monotonic() - begun:.0f} s).", flush=True)
    passed = 0
    for part, starts in todo.items():
        if args.place == "computer" and not (args.go_on and part == next(iter(todo))):
            # its holes stay holes
            subprocess.run(["cp", "--sparse=always", folder / f"disk-{target.release}/root.img", disk], check=True)
        for count, machine in enumerate(_places(args.place, folder, target, len(starts))):
            trial = Trial(machine, target)
            for step in (*((Trial.starts,) if trial.has_systemd else ()), *starts[count]):
                if not take_step(trial, step):
                    return 1
                passed += 1
    print(f"{passed} passed, 0 failed ({time.monotonic() - begun:.0f} s, {target}, in a {args.place})")
    return 0


def _rest(todo: Mapping[str, tuple[Steps, ...]], name: str) -> dict[str, tuple[Steps, ...]]:
    """The steps that are left from this one on."""
    parts = [*todo]
    for part, starts in todo.items():
        for number, steps in enumerate(starts):
            names = [step.__name__ for step in steps]
            if name in names:
                rest = (steps[names.index(name) :], *starts[number + 1 :])
                return {part: rest, **{later: todo[later] for later in parts[parts.index(part) + 1 :]}}
    raise SystemExit(f"There is no step {name}.")


def _places(place: str, folder: Path, target: Target, starts: int) -> Iterator[Machine | Folder]:
    """Yield the places where a part is tried: one computer, started `starts` times, or a new folder."""
    if place == "folder":
        root = folder / "run-root"
        subprocess.run(["rm", "-rf", root], check=True)
        subprocess.run(["cp", "-a", folder / f"root-{target.release}", root], check=True)
        subprocess.run(["cp", "-r", "--no-preserve=ownership", f"{HERE}/dressing/.", root], check=True)
        yield Folder(root, folder / "supplies")
        return
    disk = folder / "run.img"
    for _ in range(starts):
        with Machine(qemu(folder, disk, target), folder) as machine:
            yield machine
    disk.unlink()


def take_step(trial: Trial, step: Callable[[Any], None]) -> bool:
    """Take a step, and print how it went. Return whether it came out well."""
    begun = time.monotonic()
    what = (step.__doc__ or "").strip()
    try:
        step(trial)
    except (Failed, TimedOut) as error:
        print(f"FAILED: {what}\n{error}\nThe logs are {trial.machine.console} and {trial.machine.talk}.")
        print(f"To go on from here: --again --go-on {step.__name__}", flush=True)
        return False
    print(f"ok: {what} ({time.monotonic() - begun:.0f} s)", flush=True)
    return True


def qemu(folder: Path, disk: Path, target: Target, supplies: str = "supplies.img") -> list[str]:
    """The command that starts the computer, except for its consoles."""
    shared = folder / "tools/usr/share"
    command = [str(folder / "tools/run"), "-L", str(shared / "qemu"), "-L", str(shared / "seabios"), "-smp", "2"]
    if target.architecture == "arm64":
        command += ["-machine", "virt", "-cpu", "cortex-a72", "-accel", "tcg,thread=multi"]
        command += ["-dtb", str(folder / "tree/pi.dtb")]
    else:
        command += ["-machine", "q35", "-cpu", "max", "-accel", "tcg,thread=multi"]
    console = {"arm64": "ttyAMA0", "amd64": "ttyS0"}[target.architecture]
    command += ["-m", "2048", "-kernel", str(folder / "parts/vmlinuz"), "-initrd", str(folder / "start/start.gz")]
    # a busy computer is too slow for the kernel's check of the emulated timer
    command += ["-append", f"console={console} loglevel=4 systemd.show_status=no no_timer_check"]
    command += ["-drive", f"file={disk},format=raw,if=virtio"]
    return [*command, "-drive", f"file={folder / supplies},format=raw,if=virtio,readonly=on"]
