"""The doctor's findings about readers on PC/SC, each in docs/doctor.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from doctor.documented import is_documented
from pcsc_bench import OTHER, PORT, SERIAL, PadBench, with_pads
from taptable.config import load_config
from taptable.daemon.game_options import check_game
from taptable.doctor.computer import Computer
from taptable.doctor.findings import Finding
from taptable.doctor.report import is_harmless
from taptable.doctor.site import ExaminedTable
from taptable.drivers.pcsc.doctor import CHECKS, PcscDoctor
from taptable.drivers.pcsc.driver import PcscDriver
from taptable.drivers.pcsc.winscard_model import (
    ACR122U_KIND,
    ACR1252U_KIND,
    BEEPS,
    UTRUST_KIND,
    PcscReaderModel,
)
from taptable.drivers.registry import Drivers
from taptable.sim.usb_tree import DeviceKind
from taptable.testing.bench import table_toml

KERNEL, RULES = "/etc/modprobe.d", "/usr/share/polkit-1/rules.d"
PLIST = "/etc/libccid_Info.plist"
SERVICE_USER = "pi:x:1000:1000::/:/bin/sh\ntaptable:x:990:990::/:/bin/false\n"


def computer_of(folder: Path, files: dict[str, str] | None = None, version: str = "1.9.9") -> Computer:
    """A computer with these files, at which the table's own user looks."""
    for path, text in (files or {}).items():
        place = folder / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return Computer(
        root=folder,
        uid=990,
        gids=frozenset({990}),
        read_output=lambda command: f"pcsc-lite version {version}.\n" if command[0] == "pcscd" else None,
    )


def said(bench: PadBench, computer: Computer) -> list[Finding]:
    """The findings, each of which is in the manual and harmless in a report."""
    site = ExaminedTable(computer, bench.bench.drivers, bench.bench.table.config)
    found = list(PcscDoctor(bench.stand_in.pcsc).examine(site))
    assert [each for each in found if each.state in ("fault", "warning") and not is_documented(each)] == []
    assert {each.name for each in found} <= set(CHECKS)
    assert all(is_harmless(figure) for each in found for figure in each.measured.values())
    return found


def findings(
    folder: Path, spoil: Callable[[PadBench], None] = lambda _: None, *, computer: Computer | None = None
) -> Sequence[Finding]:
    """The findings after something was spoilt, while the table has its readers open."""
    found: list[Finding] = []

    async def test(bench: PadBench) -> None:
        spoil(bench)
        found.extend(said(bench, computer or computer_of(folder)))

    with_pads(folder, test)
    return found


def the_only(found: Sequence[Finding], name: str, part: str = "readers") -> Finding:
    """The finding of a check about a part."""
    (finding,) = [each for each in found if (each.name, each.part) == (name, part)]
    return finding


def test_readers_in_order(tmp_path: Path) -> None:
    found = findings(tmp_path)
    assert [(each.name, each.part, each.state) for each in found] == [
        ("pcscd", "readers", "ok"),
        ("usb-reader", "pad 1", "ok"),
        ("beeps", "pad 1", "ok"),
        ("usb-reader", "pad 2", "ok"),
        ("usb-reader", "discard pad", "ok"),
    ]
    assert found[0].found == "pcscd 1.9.9 runs, with 4 slots of readers"
    assert found[0].measured == {"slots": 4, "pcscd": "1.9.9"}
    assert found[1].found == f"ACR1252U at USB port {PORT}, firmware 1.00"
    assert found[1].measured == {"firmware": "1.00"}
    assert found[2].found == "it doesn't beep when a card comes"


def test_without_such_pads_it_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text(table_toml())
    config = load_config(tmp_path / "table.toml", check_game)
    driver = PcscDriver(root=tmp_path)
    assert list(PcscDoctor(driver).examine(ExaminedTable(computer_of(tmp_path), Drivers({}), config))) == []


def _no_library(bench: PadBench) -> None:
    bench.model.has_library = False


def _stopped(bench: PadBench) -> None:
    bench.model.stop()


def _refused(bench: PadBench) -> None:
    bench.model.refuses = True


def _of_other_version(bench: PadBench) -> None:
    bench.model.is_of_other_version = True


@pytest.mark.parametrize(
    ("spoil", "sentence", "todo"),
    [
        (_no_library, "the library of PC/SC isn't installed", "apt install pcscd libccid"),
        (_stopped, "the service pcscd isn't running", "enable --now pcscd.socket"),
        (_of_other_version, "pcscd and its library have different versions", "restart pcscd"),
        (_refused, "polkit doesn't let its user use readers (as taptable)", "its rule for polkit"),
    ],
)
def test_pcscd_that_cannot_be_used(tmp_path: Path, spoil: Callable[[PadBench], None], sentence: str, todo: str) -> None:
    (finding,) = findings(tmp_path, spoil, computer=computer_of(tmp_path, {"/etc/passwd": SERVICE_USER}))
    assert (finding.name, finding.state) == ("pcscd", "fault")
    assert sentence in finding.found
    assert todo in finding.todo


def test_pcscd_that_lets_nobody_ask_readers(tmp_path: Path) -> None:
    def spoil(bench: PadBench) -> None:
        bench.model.refuses_cards = True

    found = findings(tmp_path, spoil)
    assert "lets nobody ask them" in the_only(found, "usb-reader", "pad 1").found


@pytest.mark.parametrize(
    ("files", "state"),
    [
        ({"/usr/share/polkit-1/rules.d/50.rules": 'org.debian.pcsc-lite.access_card … "taptable"'}, "ok"),
        ({"/usr/share/polkit-1/rules.d/50.rules": 'org.debian.pcsc-lite.access_card … "somebody"'}, "fault"),
        ({"/usr/share/polkit-1/rules.d/readme": 'org.debian.pcsc-lite.access_card … "taptable"'}, "fault"),
        ({}, None),
    ],
    ids=["a rule", "another user's", "no rule", "no polkit"],
)
def test_the_rule_of_polkit_for_the_table_s_user(tmp_path: Path, files: dict[str, str], state: str | None) -> None:
    computer = replace(computer_of(tmp_path, {**files, "/etc/passwd": SERVICE_USER}), uid=1000)
    found = [each.state for each in findings(tmp_path, computer=computer) if each.name == "polkit"]
    assert found == ([] if state is None else [state])


def test_rules_that_cannot_be_read(tmp_path: Path) -> None:
    def bar(path: Path) -> Sequence[str]:
        raise PermissionError(13, "Permission denied", str(path))

    computer = replace(computer_of(tmp_path, {"/etc/passwd": SERVICE_USER}), uid=1000, list_folder=bar)
    finding = the_only(findings(tmp_path, computer=computer), "polkit")
    assert (finding.state, finding.found) == ("skipped", "/etc/polkit-1/rules.d can't be read by pi")


def _replace_pad_1(kind: DeviceKind | None, reader: PcscReaderModel | None) -> Callable[[PadBench], None]:
    def spoil(bench: PadBench) -> None:
        bench.stand_in.pull_out(bench.reader(1))
        assert bench.stand_in.tree is not None
        if reader is not None:
            bench.stand_in.plug_in(reader)
        elif kind is not None:
            bench.stand_in.tree.plug_in(PORT, kind)

    return spoil


ACR122U_DEVICE = DeviceKind("072f:2200", "ACR122U PICC Interface", "16ms", "0214")


@pytest.mark.parametrize(
    ("files", "state"),
    [
        ({"/proc/modules": "nfc 1 2 pn533, Live\npn533_usb 20480 0 - Live\n"}, "fault"),
        ({"/proc/modules": "nfc 1 2 - Live\n"}, "warning"),
        ({}, "warning"),
        ({f"{KERNEL}/taptable-readers.conf": "# ours\nblacklist pn533_usb\n"}, None),
        ({f"{KERNEL}/other.conf": "# blacklist pn533_usb\nblacklist pn533\n"}, "warning"),
    ],
    ids=["loaded", "not loaded", "unknown", "barred", "almost barred"],
)
def test_the_kernel_s_driver_takes_an_acr122u(tmp_path: Path, files: dict[str, str], state: str | None) -> None:
    found = findings(tmp_path, _replace_pad_1(ACR122U_DEVICE, None), computer=computer_of(tmp_path, files))
    claims = [(each.state, PORT in each.found) for each in found if each.name == "claimed"]
    assert claims == ([] if state is None else [(state, True)])
    missing = the_only(found, "usb-reader", "pad 1")
    assert f"ACR122U PICC Interface (072f:2200) at USB port {PORT} is there, and pcscd doesn't have it" in missing.found


def test_an_acr122u_that_works_is_warned_of(tmp_path: Path) -> None:
    reader = PcscReaderModel(ACR122U_KIND, PORT, "", 0.3)
    found = findings(tmp_path, _replace_pad_1(None, reader))
    about = [(each.name, each.state) for each in found if each.part == "pad 1"]
    assert about == [("usb-reader", "ok"), ("usb-reader", "warning"), ("beeps", "warning")]


@pytest.mark.parametrize(
    ("plist", "state"),
    [
        ("<key>ifdDriverOptions</key>\n\t<string>0x0000</string>", "warning"),
        ("<key>ifdDriverOptions</key>\n\t<string>0x0005</string>", "ok"),
        ("", "warning"),
    ],
)
def test_a_reader_that_beeps(tmp_path: Path, plist: str, state: str) -> None:
    def spoil(bench: PadBench) -> None:
        bench.reader(1).behaviour = BEEPS
        bench.reader(1).takes_escapes = not plist

    finding = the_only(findings(tmp_path, spoil, computer=computer_of(tmp_path, {PLIST: plist})), "beeps", "pad 1")
    assert finding.state == state


def test_one_that_is_missing_and_others_that_are_there(tmp_path: Path) -> None:
    found = findings(tmp_path, _replace_pad_1(None, None))
    finding = the_only(found, "usb-reader", "pad 1")
    assert (finding.state, finding.found) == ("fault", f"no reader {PORT} is plugged in")
    assert finding.todo == f'Plug it in, or name one that is there: "pcsc:{SERIAL}" or "pcsc:{OTHER}".'


def test_one_that_another_program_has(tmp_path: Path) -> None:
    def spoil(bench: PadBench) -> None:
        bench.reader(1).is_taken = True

    finding = the_only(findings(tmp_path, spoil), "usb-reader", "pad 1")
    assert (finding.state, finding.found) == ("fault", "another program has a reader for itself")


def test_two_with_one_serial_number_and_two_with_none(tmp_path: Path) -> None:
    def spoil(bench: PadBench) -> None:
        bench.stand_in.plug_in(PcscReaderModel(UTRUST_KIND, "1-1.4", SERIAL, 0.3))
        bench.stand_in.plug_in(PcscReaderModel(ACR1252U_KIND, "1-1.5", "", 0.3))

    found = findings(tmp_path, spoil)
    assert the_only(found, "usb-reader", "pad 2").found == f"2 readers have the number {SERIAL}"
    twins = [each.found for each in found if each.name == "twins"]
    assert [each.partition(",")[0] for each in twins] == [
        "ACR1252U: 2 without a serial number of their own",
        "uTrust 3700 F: 2 without a serial number of their own",
    ]


def test_as_many_slots_as_there_can_be(tmp_path: Path) -> None:
    def spoil(bench: PadBench) -> None:
        for number in range(6):
            bench.stand_in.plug_in(PcscReaderModel(ACR1252U_KIND, f"3-{number + 1}", "", 0.3))

    finding = the_only(findings(tmp_path, spoil), "slots")
    assert finding.state == "warning"
    assert finding.found == "pcscd 1.9.9 lists 16 slots, and before version 2.5.0 it has no more than 16"


@pytest.mark.parametrize("ids", ["ffff:0035", "08ff:0009"])
def test_a_reader_that_types(tmp_path: Path, ids: str) -> None:
    def spoil(bench: PadBench) -> None:
        assert bench.stand_in.tree is not None
        bench.stand_in.tree.plug_in("1-1.7", DeviceKind(ids, "USB Reader", "10ms"))

    finding = the_only(findings(tmp_path, spoil), "typing")
    assert finding.found.startswith(f"USB Reader ({ids}) at USB port 1-1.7 types numbers like a keyboard")


def test_what_the_report_says_of_a_reader(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        doctor = PcscDoctor(bench.stand_in.pcsc)
        one, two = (part for part in bench.bench.parts if isinstance(part.pad, int))
        assert doctor.describe(one) == {"make": "ACR1252U", "found_by_serial_number": False, "firmware": "1.00"}
        assert doctor.describe(two) == {"make": "uTrust 3700 F", "found_by_serial_number": True, "firmware": "1.00"}
        bench.stand_in.deafen(1, True)
        assert doctor.describe(one) == {}
        bench.model.stop()
        assert doctor.describe(two) == {}

    with_pads(tmp_path, test)
