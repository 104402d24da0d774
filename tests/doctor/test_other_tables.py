"""Tables that can't be looked at as a whole: on no Pi, half built, with a wrong configuration, or running."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from cli.evenings import play_evening, write_other_rules
from gpiozero import LED
from page_server.rig import a_client, a_page, a_table_with_a_page, at_table
from table.rig import all_on_boards, run_in_given_time, with_hat
from taptable.api.socket_paths import FOLDER_VARIABLE
from taptable.core.game_options import GameOptions
from taptable.doctor.buses import read_boot
from taptable.doctor.computer import Computer
from taptable.doctor.examination import CHECKS, LIVE, UNATTENDED_GROUPS, Patient, examine
from taptable.doctor.findings import Finding
from taptable.doctor.services import examine_page, examine_service
from taptable.doctor.site import ExaminedTable
from taptable.drivers.board import versions
from taptable.drivers.header_lines import bcm_of
from taptable.drivers.interface import Limit
from taptable.drivers.registry import installed_drivers
from taptable.memory.journal import WriterLock

from doctor.breaking import both, move_display, remove_deck
from doctor.documented import is_documented
from doctor.rig import Bench, findings, powered_table

NEEDS_DEVICES = {"pin-factory", "addresses", "reader", "hello", "order", "button", "lamp", "sounder"}


def states(found: list[Finding], *names: str) -> set[str]:
    return {finding.state for finding in found if finding.name in names}


def no_pi(bench: Bench) -> None:
    """A PC, to which nothing of a table is connected."""
    bench.remove("/proc/device-tree/model")
    for node in ("gpiochip0", "i2c-1", *(path.name for path in bench.file("/dev").glob("spidev*"))):
        bench.remove(f"/dev/{node}")
    for port in bench.file("/dev/serial/by-id").glob("*"):
        port.unlink()
    bench.unit.clear()
    bench.page_unit.clear()
    bench.missing_modules.update({"lgpio", "spidev", "RPi.GPIO"})
    bench.changed(gpio_module=lambda: None)


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
def test_on_a_pc_it_says_that_this_is_no_pi_and_names_each_missing_part(tmp_path: Path, compact: bool) -> None:
    found = findings(tmp_path, no_pi, compact=compact)
    says = {finding.name: finding for finding in found}
    assert says["model"].found == "not a Raspberry Pi: pins, SPI, I2C and a power button are left out"
    assert says["i2c-speed"].found == "not a Raspberry Pi"
    without = ["pad 1", "button 1", "lamp 1", "pad 2", "button 2", "lamp 2"] if compact else []
    without = without or ["button 1", "lamp 1", "button 2", "lamp 2"]
    assert says["pi"].found.endswith(f"without {', '.join([*without, 'discard pad', 'sounder'])}")
    assert not {"supply", "packages", "spi", "pin-factory"} & says.keys()
    missing = {finding.part for finding in found if finding.state == "fault"}
    assert missing == {"table.toml", "oled", *([] if compact else ["board 1", "board 2"])}


def test_a_table_without_spi_or_pins_has_all_its_boards_looked_at_and_nothing_of_the_pi(tmp_path: Path) -> None:
    def closed_to_nobody(bench: Bench) -> None:
        bench.missing_modules.update({"lgpio", "spidev", "RPi.GPIO"})
        bench.remove("/dev/gpiochip0")

    found = findings(tmp_path, closed_to_nobody, rewritten=all_on_boards)
    assert [finding for finding in found if finding.state in ("fault", "warning")] == []
    says = {(finding.name, finding.part): finding for finding in found}
    assert says["packages", "pins"].found == "the table has nothing on the Pi's pins"
    assert says["reader", "readers"].found == "the table has no readers on the Pi's SPI"
    assert {part for name, part in says if name == "hello"} == {"board 1", "board 2", "discard board"}
    assert says["board-reader", "discard pad"].state == "ok"
    assert says["config", "table.toml"].found.endswith(": 2 seats, 3 seat boards")


def test_a_pc_as_it_is_makes_nothing_crash(tmp_path: Path) -> None:
    found = findings(tmp_path, patient_of=lambda bench: replace(bench.examined_table, computer=Computer()))
    assert {finding.name for finding in found} >= {"model", "pi", "service", "usb", "disk"}


@pytest.mark.parametrize("asked_by", ["pi", "taptable"])
def test_folders_that_are_closed_to_who_asks_are_no_missing_deck(tmp_path: Path, asked_by: str) -> None:
    def close(bench: Bench) -> None:
        def refuse(_: Path) -> list[str]:
            raise PermissionError(13, "Permission denied")

        if asked_by == "pi":
            bench.write("/etc/passwd", "pi:x:1000:1000::/:/bin/sh\ntaptable:x:990:990::/:/bin/false\n")
        bench.changed(list_folder=refuse)

    found = findings(tmp_path, close, groups=["decks", "journal"])
    state = "skipped" if asked_by == "pi" else "fault"
    assert [(finding.name, finding.state) for finding in found] == [("deck", state), ("journal", state)]


def test_every_mistake_in_the_configuration_is_a_fault_and_the_parts_are_left_out(tmp_path: Path) -> None:
    def spoil(bench: Bench) -> None:
        bench.rewrite('language = "de"', 'language = "es"')
        bench.rewrite('pin = "gpio:12"', 'pin = "gpio:4"')

    found = findings(tmp_path, spoil)
    wrong = [finding for finding in found if finding.state == "fault"]
    assert [finding.name for finding in wrong] == ["config", "config"]
    assert "table.toml:3: [table] language" in wrong[0].found
    assert all("docs/configuration.md" in finding.todo for finding in wrong)
    left_out = [finding.part for finding in found if finding.state == "skipped"]
    assert left_out == [group for group in UNATTENDED_GROUPS if group not in ("system", "config")]


def test_the_limits_of_each_part_of_a_table_are_reported(tmp_path: Path) -> None:
    def spoil(bench: Bench) -> None:
        for kind, limits in (("spi", (Limit.ONE_CARD,)), ("gpio", (Limit.NO_STAMP,)), ("oled", tuple(Limit))):
            driver = bench.drivers[kind]
            driver.limits = limits  # pyright: ignore[reportAttributeAccessIssue]
            bench.use(driver)

    found = findings(tmp_path, spoil, compact=True, groups=["config"])
    said = [(finding.part, finding.found) for finding in found if finding.name == "abilities"]
    assert said == [
        *((f"pad {seat}", Limit.ONE_CARD.value) for seat in (1, 2)),
        ("discard pad", Limit.ONE_CARD.value),
        *((f"button {seat}", Limit.NO_STAMP.value) for seat in (1, 2)),
    ]


def test_without_any_configuration_the_table_is_the_user_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> list[Finding]:
        return findings(
            tmp_path,
            groups=["config", "journal"],
            patient_of=lambda bench: replace(bench.examined_table, config_file=None),
        )

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    own, seats, *others = look()
    where = tmp_path / "data/taptable"
    assert own.found == f"not written yet, so this is a table of parts that plug together, in {where}"
    assert (seats.state, seats.found) == ("fault", f"{where}/table.toml: the table has no seats yet")
    assert {finding.state for finding in others} == {"ok"}
    assert not where.exists()


def test_without_any_configuration_and_home_it_says_how_to_begin_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("pathlib.Path.expanduser", fail)
    finding, *_ = findings(
        tmp_path, groups=["config"], patient_of=lambda bench: replace(bench.examined_table, config_file=None)
    )
    assert finding.state == "fault"
    assert "Copy examples/full.toml or examples/compact.toml to table.toml" in finding.todo


def test_the_installed_configuration_is_found(tmp_path: Path) -> None:
    def install(bench: Bench) -> Patient:
        bench.write("/etc/taptable/table.toml", bench.config.file.read_text(encoding="utf-8"))
        return replace(bench.examined_table, config_file=None)

    finding, *_ = findings(tmp_path, groups=["config"], patient_of=install)
    assert finding.state == "ok"


def test_an_optional_display_may_be_missing(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        lambda bench: bench.table.display.unplug(),
        groups=["display"],
        rewritten=lambda text: text.replace("[scoreboard]", "[scoreboard]\noptional = true"),
    )
    (display,) = (finding for finding in found if finding.name == "display")
    assert (display.state, display.found[:27]) == ("skipped", "nothing answers at 0x3C, no")


def test_what_the_configuration_doesnt_name_is_left_out(tmp_path: Path) -> None:
    def bare(text: str) -> str:
        kept, skip = [], False
        for line in text.splitlines():
            if line.startswith("["):
                skip = line in ("[scoreboard]", "[sounder]", "[page]")
            if not skip and not line.startswith("lamp"):
                kept.append(line)
        return "\n".join(kept)

    found = findings(tmp_path, rewritten=bare)
    assert [f for f in found if f.state in ("fault", "warning")] == []
    left_out = {"update", "i2c", "display", "sounder", "voice", "page", "broker", "controller", "led"}
    assert {f.name for f in found if f.state == "skipped"} == left_out
    assert not any(f.name == "lamp" for f in found)


def test_without_a_page_a_deck_that_is_missing_is_a_fault(tmp_path: Path) -> None:
    found = findings(
        tmp_path, remove_deck, groups=["decks"], rewritten=lambda text: re.sub(r"(?s)\[page\].*", "", text)
    )
    assert [(f.name, f.state) for f in found] == [("deck", "fault")]


def with_hat_on_boards(text: str) -> str:
    return with_hat(all_on_boards(text))


def test_a_display_on_spi_has_its_device_examined_and_is_opened(tmp_path: Path) -> None:
    found = findings(tmp_path, rewritten=with_hat_on_boards)
    assert [f for f in found if f.state in ("fault", "warning")] == []
    assert [(f.part, f.found) for f in found if f.name == "spi"] == [("oled", "/dev/spidev0.0 is there")]
    (display,) = (f for f in found if f.name == "display")
    assert display.found == "sh1106 on spi can be opened; only a person can see what it shows"


def test_a_display_on_spi_that_is_switched_off_has_its_line_named(tmp_path: Path) -> None:
    def switch_off(bench: Bench) -> None:
        bench.remove("/dev/spidev0.0")
        bench.write("/boot/firmware/config.txt", "")

    (spi,) = (
        f for f in findings(tmp_path, switch_off, groups=["buses"], rewritten=with_hat_on_boards) if f.name == "spi"
    )
    assert (spi.part, spi.state) == ("oled", "fault")
    assert "dtparam=spi=on" in spi.todo


def test_who_else_is_on_the_bus_is_asked_without_writing(tmp_path: Path) -> None:
    benches: list[Bench] = []
    findings(tmp_path, both(move_display, benches.append), groups=["display"])
    (bench,) = benches
    assert bench.table.display.bytes_sent == 0


def test_a_running_table_keeps_its_devices_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    def run(bench: Bench) -> None:
        bench.unit["ActiveState"] = "active"
        bench.taken.append(_Running(bench))

    found = findings(tmp_path, run, groups=[*UNATTENDED_GROUPS, LIVE])
    busy = [finding for finding in found if "in use by process" in finding.found]
    assert {finding.name for finding in busy} == NEEDS_DEVICES | {"devices", "press"}
    assert {finding.state for finding in busy} == {"skipped"}
    assert all("sudo systemctl stop taptable" in finding.todo for finding in busy)
    # nobody answers as that table or serves its page in this test, which is all that is wrong
    assert [finding.name for finding in found if finding.state in ("fault", "warning")] == ["misses", "page"]
    assert states(found, "usb", "spi", "i2c", "display", "deck", "journal") == {"ok"}


class _Running:
    """A running table's hold on the journal."""

    def __init__(self, bench: Bench) -> None:
        self._lock = WriterLock(bench.config.table.journal)

    def close(self) -> None:
        self._lock.release()


async def test_the_parts_that_the_running_table_misses_are_reported_as_it_says_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = a_table_with_a_page(tmp_path)
    async with at_table(config) as table:
        monkeypatch.setenv(FOLDER_VARIABLE, str(table.sockets))
        site = ExaminedTable(Computer(), installed_drivers(), config, "process 812")

        async def found() -> list[Finding]:
            return await asyncio.to_thread(lambda: [*examine_service(site), *examine_page(site)])

        async with a_client(table.port) as client:
            await client.hello()
            table.put("check", "discard")
            await client.until(lambda client: client.parts["alerts"])
            says = {(finding.name, finding.part): finding.state for finding in await found()}
            assert (says["misses", "table"], says["page", "page"]) == ("ok", "ok")
            assert {part for name, part in says if name == "counts"} == {"discard pad", "pad 1", "pad 2"}
            assert {state for (name, _), state in says.items() if name == "counts"} == {"ok"}
            table.hardware.stand_in("board").boards[2].pull_out()
            await client.until(lambda client: len(client.parts["alerts"]) == 2)  # the check, and the board
        wrong = [finding for finding in await found() if finding.state == "fault"]
        assert [(finding.name, finding.part) for finding in wrong] == [("misses", "board 2")]
        assert is_documented(wrong[0])


@pytest.mark.parametrize(("held_by", "state"), [(None, "ok"), ("process 812", "fault")])
async def test_a_page_that_doesnt_reach_the_table_is_a_fault_where_one_runs(
    tmp_path: Path, held_by: str | None, state: str
) -> None:
    config = a_table_with_a_page(tmp_path)
    async with a_page(config, tmp_path):
        site = ExaminedTable(Computer(), installed_drivers(), config, held_by)
        (found,) = await asyncio.to_thread(
            lambda: [finding for finding in examine_page(site) if finding.name == "page"]
        )
        assert found.state == state
        assert f"http://localhost:{config.page.port}/ answers, " in found.found
        assert state == "ok" or is_documented(found)


def test_a_running_service_is_known_by_systemd_alone_if_the_lock_cant_be_seen(tmp_path: Path) -> None:
    found = findings(tmp_path, lambda bench: bench.unit.update(ActiveState="active"), groups=["service", "readers"])
    assert [finding.found for finding in found if finding.name == "reader"] == ["in use by taptable.service"]


@pytest.mark.parametrize(
    ("properties", "state", "says"),
    [
        ({"LoadState": "not-found"}, "skipped", "isn't installed"),
        ({"ActiveState": "active", "NRestarts": "7"}, "warning", "restarted it 7 times"),
        ({"ActiveState": "active"}, "ok", "runs"),
        ({"ActiveState": "activating"}, "warning", "again and again"),
    ],
)
def test_the_service_is_reported_as_systemd_has_it(
    tmp_path: Path, properties: dict[str, str], state: str, says: str
) -> None:
    found = findings(tmp_path, lambda bench: bench.unit.update(properties), groups=["service"])
    assert found[0].state == state
    assert says in found[0].found


def test_older_firmware_that_works_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "FIRMWARE", "9.0.0")

    def spoil(bench: Bench) -> None:
        bench.table.stand_in("board").boards[2]._conversation._hello_fields["firmware"] = "1.1.0"

    found = findings(tmp_path, spoil, groups=["boards"])
    assert [f.found for f in found if f.name == "gain"] == ["its reader uses 33 dB"] * 2
    wrong = [finding for finding in found if finding.state in ("fault", "warning")]
    assert [(f.name, f.part, f.state) for f in wrong] == [("firmware", f"board {n}", "warning") for n in (1, 2)]
    assert "taptable flash 2" in wrong[1].todo


@pytest.mark.parametrize(("name", "part"), [("lamp", "lamp 2"), ("sounder", "sounder")])
def test_a_pin_of_a_lamp_or_the_sounder_that_somebody_has_is_a_fault(tmp_path: Path, name: str, part: str) -> None:
    def take(bench: Bench) -> None:
        place = bench.config.seats[1].lamp if name == "lamp" else bench.config.sounder.pin
        pin = bcm_of(place)
        bench.taken.append(LED(pin, pin_factory=bench.table.stand_in("gpio").pins.factory))

    found = findings(tmp_path, take, groups=["contacts"])
    assert [(f.name, f.part, f.state) for f in found if f.state != "ok"] == [(name, part, "fault")]


@pytest.mark.parametrize(
    ("alarm", "state", "said"), [("0", "ok", "isn't too low now"), ("1", "fault", "is too low now")]
)
def test_a_supply_that_vcgencmd_keeps_from_us_is_read_from_the_kernel(
    tmp_path: Path, alarm: str, state: str, said: str
) -> None:
    def closed(bench: Bench) -> None:
        bench.throttled = None
        for sensor, name, value in (("hwmon0", "cpu_thermal", "0"), ("hwmon1", "rpi_volt", alarm)):
            bench.write(f"/sys/class/hwmon/{sensor}/name", f"{name}\n")
            bench.write(f"/sys/class/hwmon/{sensor}/in0_lcrit_alarm", f"{value}\n")

    (supply,) = (found for found in findings(tmp_path, closed, groups=["system"]) if found.name == "supply")
    assert supply.state == state
    assert said in supply.found


@pytest.mark.parametrize("voltage", [None, "throttled=?\n"])
def test_a_supply_that_cant_be_read_is_left_out(tmp_path: Path, voltage: str | None) -> None:
    found = findings(tmp_path, lambda bench: setattr(bench, "throttled", voltage), groups=["system"])
    assert states(found, "supply") == {"skipped"}


def test_a_good_copy_of_the_chip_is_in_order(tmp_path: Path) -> None:
    def copy(bench: Bench) -> None:
        chip = bench.table.stand_in("spi").wiring.chips["spi:0.0"]
        chip.version = 0x88
        chip.reset()

    found = findings(tmp_path, copy, groups=["readers"])
    assert [(f.name, f.state) for f in found] == [("reader", "ok"), ("self-test", "skipped"), ("field", "ok")]
    assert "FM17522" in found[0].found


def test_a_card_on_a_reader_is_read(tmp_path: Path) -> None:
    found = findings(tmp_path, lambda bench: bench.table.put("04a1b2c3d4e5f6", "discard"), groups=["readers"])
    assert found[-1].found == "it reads 04a1b2c3d4e5f6"


def test_a_journal_with_games_is_played_again(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        lambda bench: play_evening(bench.config.table.journal, GameOptions(2, "de", {}, None)),
        groups=["journal"],
    )
    assert states(found, "journal", "replay") == {"ok"}
    says = "games: 1; the last game was replayed to its last state"
    assert [f.found for f in found if f.name == "replay"] == [says]


def test_a_game_of_other_rules_will_be_set_aside(tmp_path: Path) -> None:
    found = findings(
        tmp_path,
        lambda bench: write_other_rules(bench.config.table.journal, bench.config.game.game_options),
        groups=["journal"],
    )
    (finding,) = [finding for finding in found if finding.name == "replay"]
    assert finding.state == "warning"
    assert "a new one begins" in finding.found


def test_a_journal_from_the_future_is_a_fault(tmp_path: Path) -> None:
    def spoil(bench: Bench) -> None:
        play_evening(bench.config.table.journal, GameOptions(2, "de", {}, None))
        with closing(sqlite3.connect(bench.config.table.journal)) as connection:
            connection.execute("PRAGMA user_version = 99")

    found = findings(tmp_path, spoil, groups=["journal"])
    assert states(found, "journal") == {"fault"}


def test_nothing_of_the_table_is_changed(tmp_path: Path) -> None:
    def files() -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in tmp_path.iterdir() if p.is_file()}

    before: dict[str, bytes] = {}

    def spoil(bench: Bench) -> None:
        play_evening(bench.config.table.journal, GameOptions(2, "de", {}, None))
        before.update(files())

    findings(tmp_path, spoil)
    assert {name: data for name, data in files().items() if not name.endswith(("-wal", "-shm"))} == before


def test_every_finding_is_of_a_check_of_its_group(tmp_path: Path) -> None:
    async def visit() -> list[tuple[str, Finding]]:
        with powered_table(tmp_path) as bench:
            return [found async for found in examine(bench.examined_table)]

    found = run_in_given_time(visit)
    assert [(group, f.name) for group, f in found if f.name not in CHECKS[group]] == []
    assert list(dict.fromkeys(group for group, _ in found)) == list(UNATTENDED_GROUPS)


@pytest.mark.parametrize(
    ("model", "sections"),
    [
        ("Raspberry Pi Zero 2 W Rev 1.0", {"pi0", "pi0w", "pi02"}),
        ("Raspberry Pi 3 Model B Rev 1.2", {"pi3"}),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", {"pi3", "pi3+"}),
        ("Raspberry Pi 4 Model B Rev 1.4", {"pi4"}),
        ("Raspberry Pi 5 Model B Rev 1.0", {"pi5"}),
    ],
)
def test_a_section_of_config_txt_holds_for_its_models(tmp_path: Path, model: str, sections: set[str]) -> None:
    names = ("pi0", "pi0w", "pi02", "pi3", "pi3+", "pi4", "pi5", "cm4", "cm5")
    lines = "".join(f"[{name}]\ndtoverlay=for-{name}\n" for name in names)
    for path, text in (
        ("proc/device-tree/model", f"{model}\0"),
        ("boot/firmware/config.txt", f"{lines}[all]\ndtparam=spi=on\n"),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    boot = read_boot(Computer(root=tmp_path))
    assert boot.overlays == {f"for-{name}" for name in sections}
    assert boot.is_on("spi")


def test_on_a_pi_5_the_chip_of_the_header_is_named_whatever_its_number(tmp_path: Path) -> None:
    def pi_5(bench: Bench) -> None:
        bench.write("/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
        bench.remove("/dev/gpiochip0")
        for number in (11, 12, 15):
            bench.write(f"/dev/gpiochip{number}", "")
            kind = "raspberrypi,rp1-gpio" if number == 15 else "brcm,brcmstb-gpio"
            bench.write(f"/sys/bus/gpio/devices/gpiochip{number}/of_node/compatible", f"{kind}\0")

    (device,) = (found for found in findings(tmp_path, pi_5, groups=["pins"]) if found.name == "gpio-device")
    assert (device.state, device.found) == ("ok", "/dev/gpiochip15 is there, and the user pi may use it")
