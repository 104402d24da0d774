"""A table in order on a Pi that is a folder of files, with simulated hardware below the real drivers; and the doctor's
findings on it, after a test has broken something."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from ports import free_port
from table.rig import run_in_given_time
from taptable.config import Config, load_config
from taptable.config.conflicts import boot_lines, occupied_places
from taptable.core.game_options import GameOptions
from taptable.daemon.game_options import check_game
from taptable.doctor.computer import Computer, Owner, Ran
from taptable.doctor.examination import UNATTENDED_GROUPS, Patient, examine
from taptable.doctor.findings import Finding
from taptable.doctor.services import BRIDGE_SERVICE, PAGE_SERVICE, SERVICE
from taptable.drivers.i2c_places import place_of
from taptable.drivers.interface import Driver
from taptable.drivers.registry import Drivers
from taptable.sim.setting_up import set_up
from taptable.sim.table import SimulatedTable

from doctor.documented import is_documented

GROUPS = {"root": 0, "dialout": 20, "audio": 29, "gpio": 997, "i2c": 998, "spi": 999}
PI = 1000
MB = 1_000_000

UNIT = {
    "LoadState": "loaded",
    "ActiveState": "inactive",
    "UnitFileState": "enabled",
    "NRestarts": "0",
    "WatchdogUSec": "30s",
}


class Closable(Protocol):
    """Something that is held until it is closed."""

    def close(self) -> None: ...


@dataclass
class Bench:
    """Everything that can be broken: files below `root`, the simulated `table`, and the computer's parts."""

    config: Config
    table: SimulatedTable
    drivers: Drivers
    root: Path
    computer: Computer = field(init=False)
    unit: dict[str, str] = field(default_factory=lambda: dict(UNIT))
    page_unit: dict[str, str] = field(default_factory=lambda: UNIT | {"WatchdogUSec": "infinity"})
    bridge_unit: dict[str, str] = field(default_factory=lambda: UNIT | {"WatchdogUSec": "infinity"})
    throttled: str | None = "throttled=0x0\n"
    voices: str | None = (
        "Pty Language       Age/Gender VoiceName\n 5  de              --/M      German             gmw/de\n"
    )
    spoke: Ran | None = field(default_factory=lambda: Ran(0, ""))
    spoken: list[tuple[str, ...]] = field(default_factory=list)
    """The calls of the speech program."""
    owners: dict[str, Owner] = field(default_factory=dict)
    closed_folders: set[Path] = field(default_factory=set)
    missing_modules: set[str] = field(default_factory=set)
    free_bytes: int = 9_000 * MB
    taken: list[Closable] = field(default_factory=list)
    """The devices that another process holds while the doctor looks."""

    def __post_init__(self) -> None:
        self.computer = Computer(
            root=self.root,
            folder=self.config.file.parent,
            environment={},
            uid=PI,
            gids=frozenset(GROUPS[name] for name in ("dialout", "audio", "gpio", "i2c", "spi")),
            bits=64,
            read_output=self._ask,
            run=self._run,
            addresses=lambda: ("192.168.178.20",),
            local_name=lambda: "living-room.local",
            owner_of=self._owner_of,
            is_writable=lambda path: path not in self.closed_folders,
            free_bytes=lambda _: self.free_bytes,
            has_module=lambda name: name not in self.missing_modules,
            gpio_module=lambda: "rpi-lgpio",
        )

    @property
    def examined_table(self) -> Patient:
        """For the doctor."""
        return Patient(self.computer, self.drivers, self.config.file)

    def use(self, driver: Driver) -> None:
        """Put this driver in the place of another of its kind."""
        self.drivers = replace(self.drivers, kinds={**self.drivers.kinds, driver.kind: driver})

    def changed(self, **facts: object) -> None:
        """Make it another computer in these respects."""
        self.computer = replace(self.computer, **facts)

    def file(self, path: str) -> Path:
        """The path of one of the computer's files."""
        return self.root / path.lstrip("/")

    def write(self, path: str, text: str) -> None:
        """Put a file onto the computer."""
        self.file(path).parent.mkdir(parents=True, exist_ok=True)
        self.file(path).write_text(text, encoding="utf-8")

    def remove(self, path: str) -> None:
        """Take a file away."""
        self.file(path).unlink()

    def plug_in(self, place: str, product: str, serial: str) -> None:
        """Something of Raspberry Pi's is plugged in; a board with MicroPython has a port."""
        for name, word in (("idVendor", "2e8a"), ("idProduct", product), ("serial", serial)):
            self.write(f"/sys/bus/usb/devices/{place}/{name}", f"{word}\n")
        if product == "0005":
            tty = f"ttyACM{len(list(self.file('/dev').glob('ttyACM*')))}"
            self.write(f"/dev/{tty}", "")
            link = self.file(f"/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_{serial}-if00")
            link.parent.mkdir(parents=True, exist_ok=True)
            if not link.is_symlink():  # udev keeps one for two with the same number
                link.symlink_to(f"../../{tty}")

    def link_of(self, board: str) -> Path:
        """The name of a board's port."""
        (link,) = self.file("/dev/serial/by-id").glob(f"*_{board}-if00")
        return link

    def rewrite(self, old: str, new: str) -> None:
        """Change the configuration's text."""
        text = self.config.file.read_text(encoding="utf-8")
        assert old in text
        self.config.file.write_text(text.replace(old, new), encoding="utf-8")

    def _ask(self, command: Sequence[str]) -> str | None:
        match command[0]:
            case "vcgencmd":
                return self.throttled
            case "systemctl":
                units = {SERVICE: self.unit, PAGE_SERVICE: self.page_unit, BRIDGE_SERVICE: self.bridge_unit}
                unit = units[command[2]]
                return "".join(f"{key}={value}\n" for key, value in unit.items()) or None
            case "espeak-ng":
                return self.voices
            case _:
                raise AssertionError(command)

    def _run(self, command: Sequence[str], text: str) -> Ran | None:
        self.spoken.append((*command, text))
        return self.spoke

    def _owner_of(self, path: Path) -> Owner:
        path.stat()
        name = path.resolve().name
        if name in self.owners:
            return self.owners[name]
        kinds = {"spidev": "spi", "i2c": "i2c", "gpiochip": "gpio", "tty": "dialout", "pcm": "audio"}
        return Owner(
            0, next((GROUPS[group] for kind, group in kinds.items() if name.startswith(kind)), GROUPS["gpio"]), 0o660
        )


Spoil = Callable[[Bench], None]


def leave_intact(_: Bench) -> None:
    """Break nothing."""


@contextmanager
def powered_table(folder: Path, *, compact: bool = False, rewritten: Callable[[str], str] = str) -> Iterator[Bench]:
    """A table of two seats, powered, on a Raspberry Pi 4; `rewritten` changes the configuration before anything is made
    of it. To be used on the loop that runs the table."""
    config = set_up(
        folder, "online", GameOptions(2, "de", {}, None), "de", build="compact" if compact else "full", page=free_port()
    )
    config.file.write_text(rewritten(config.file.read_text(encoding="utf-8")), encoding="utf-8")
    config = load_config(config.file, check_game)
    table = SimulatedTable(config)
    with table.powered() as drivers:
        bench = Bench(config, table, drivers, folder / "pi")
        _furnish(bench)
        try:
            yield bench
        finally:
            for taken in bench.taken:
                taken.close()


def findings(
    folder: Path,
    spoil: Spoil = leave_intact,
    *,
    compact: bool = False,
    groups: Collection[str] = UNATTENDED_GROUPS,
    rewritten: Callable[[str], str] = str,
    patient_of: Callable[[Bench], Patient] = lambda bench: bench.examined_table,
) -> list[Finding]:
    """Return the doctor's findings at such a table after `spoil` has broken something."""

    async def visit() -> list[Finding]:
        with powered_table(folder, compact=compact, rewritten=rewritten) as bench:
            spoil(bench)
            return [finding async for _, finding in examine(patient_of(bench), groups)]

    found = run_in_given_time(visit)
    assert [finding for finding in found if finding.state in ("fault", "warning") and not is_documented(finding)] == []
    return found


def _furnish(bench: Bench) -> None:
    """The files of a Pi to which all of the table is connected."""
    bench.write("/proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    bench.write(
        "/etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_CODENAME=bookworm\n'
    )
    bench.write("/proc/sys/kernel/osrelease", "6.12.25+rpt-rpi-v8\n")
    bench.write("/etc/passwd", f"root:x:0:0:root:/root:/bin/bash\npi:x:{PI}:{PI}:,,,:/home/pi:/bin/bash\n")
    bench.write("/etc/group", "".join(f"{name}:x:{gid}:pi\n" for name, gid in GROUPS.items()))
    bench.write("/boot/firmware/config.txt", "\n".join(boot_lines(bench.config.parts)) + "\n")
    bench.write("/dev/gpiochip0", "")
    for place in occupied_places(bench.config.parts):
        if place.address.kind == "spi":
            bench.write(f"/dev/spidev{place.address.name}", "")
        elif place.address.kind == "i2c":
            bench.write(f"/dev/i2c-{place_of(place.address).bus}", "")
    for node in ("controlC0", "pcmC0D0c", "pcmC0D0p"):
        bench.write(f"/dev/snd/{node}", "")
    bench.write("/run/avahi-daemon/socket", "")
    bench.write("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory pids\n")
    hz = next((line.partition("baudrate=")[2] for line in boot_lines(bench.config.parts) if "baudrate=" in line), "")
    speed = bench.file("/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency")
    speed.parent.mkdir(parents=True)
    speed.write_bytes(int(hz or 100_000).to_bytes(4))
    for socket, parts in enumerate(bench.config.pads_on("board").values(), 1):
        bench.plug_in(f"1-1.{socket}", "0005", parts.pad.name)
