"""The files that are put on a card beside those that Imager wrote: all of them, or none."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from taptable.core.errors import ConfigError
from taptable.sdcard import writing
from taptable.sdcard.boot_config import BEGIN, END, with_lines
from taptable.sdcard.bundle import Bundle, read_bundle
from taptable.sdcard.buses import lines_for
from taptable.sdcard.card import read_boot_partition
from taptable.sdcard.settings import Settings, check, settings_text
from taptable.sdcard.wifi import validate_wifi
from taptable.sdcard.writing import WIFI, write_card, write_zip

from sdcard.cards import CONFIG, FIRST_RUN, a_bundle, a_card, files_of

LINES = ("dtparam=spi=on", "dtparam=i2c_arm=on")
SETTINGS = Settings(name="Küche", language="de", build="compact", seats=3)


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return read_bundle(a_bundle(tmp_path))


def prepared(folder: Path, bundle: Bundle) -> dict[str, bytes]:
    write_card(read_boot_partition(folder), SETTINGS, bundle, validate_wifi("home", "a password"), LINES)
    return files_of(folder)


def test_cloud_init_gets_a_file_beside_imagers_own(tmp_path: Path, bundle: Bundle) -> None:
    folder = a_card(tmp_path / "bootfs")
    before = files_of(folder)
    after = prepared(folder, bundle)
    assert after["vendor-data"].startswith(b"#cloud-boothook\n#! /bin/sh\n")
    changed = {name for name, content in before.items() if after[name] != content}
    assert changed == {"config.txt"}
    assert set(after) - set(before) == {
        *("vendor-data", "taptable.txt", "taptable/first-start", "taptable/SHA256SUMS", "taptable/wifi"),
        *("taptable/taptable-0.2.0-trixie-arm64.tar", "config.txt.before-taptable"),
    }
    assert after["config.txt.before-taptable"].decode() == CONFIG
    assert after["taptable/taptable-0.2.0-trixie-arm64.tar"] == bundle.path.read_bytes()
    sums = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=folder / "taptable", check=False)
    assert sums.returncode == 0


def test_imagers_script_gets_a_line_that_stays_when_the_system_mends_its_end(tmp_path: Path) -> None:
    folder = a_card(tmp_path / "bootfs", "bookworm")
    write_card(read_boot_partition(folder), SETTINGS, read_bundle(a_bundle(tmp_path, "bookworm")), None, LINES)
    script = (folder / "firstrun.sh").read_text()
    line = "sh /boot/firmware/taptable/first-start || true\n"
    assert script == FIRST_RUN.replace("#!/bin/bash\n", f"#!/bin/bash\n{line}")
    assert (folder / "firstrun.sh.before-taptable").read_text() == FIRST_RUN
    # bookworm's imager_fixup
    mended = subprocess.run(
        ["sed", "-n", r"/rm.*firstrun\.sh$/q;p"], input=script, capture_output=True, text=True, check=True
    ).stdout
    assert line in mended
    assert not (folder / "cmdline.txt.before-taptable").exists()


def test_without_imagers_script_systemd_gets_its_word_in_the_one_line_there_is(tmp_path: Path) -> None:
    folder = a_card(tmp_path / "bootfs", "bookworm", configured=False)
    before = (folder / "cmdline.txt").read_text()
    bundle = read_bundle(a_bundle(tmp_path, "bookworm"))
    for _ in range(2):
        write_card(read_boot_partition(folder), SETTINGS, bundle, None, LINES)
        line = (folder / "cmdline.txt").read_text()
        assert line == (
            f"{before.strip()} systemd.run=/boot/firmware/taptable/first-start systemd.run_success_action=reboot"
            " systemd.run_failure_action=reboot systemd.unit=kernel-command-line.target\n"
        )
    assert (folder / "cmdline.txt.before-taptable").read_text() == before


def test_a_second_time_takes_the_place_of_the_first(tmp_path: Path, bundle: Bundle) -> None:
    folder = a_card(tmp_path / "bootfs")
    (folder / "taptable").mkdir()
    (folder / "taptable" / "taptable-0.1.9-trixie-arm64.tar").write_bytes(b"old")
    once = prepared(folder, bundle)
    assert "taptable/taptable-0.1.9-trixie-arm64.tar" not in once
    assert prepared(folder, bundle) == once
    assert once["config.txt.before-taptable"].decode() == CONFIG
    write_card(read_boot_partition(folder), SETTINGS, bundle, None, LINES)
    assert set(once) - set(files_of(folder)) == {"taptable/wifi"}


def test_a_package_for_another_release_is_not_put_there(tmp_path: Path) -> None:
    folder = a_card(tmp_path / "bootfs")
    before = files_of(folder)
    with pytest.raises(ConfigError, match=r"has Raspberry Pi OS trixie, and .* is for bookworm"):
        write_card(read_boot_partition(folder), SETTINGS, read_bundle(a_bundle(tmp_path, "bookworm")), None, LINES)
    assert files_of(folder) == before


def test_a_full_card_is_left_as_it_was(tmp_path: Path, bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = a_card(tmp_path / "bootfs")
    before = files_of(folder)
    full = shutil.disk_usage(folder)._replace(free=1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    with pytest.raises(ConfigError, match="has 1 MB free, and 2 are needed: prepare the card anew"):
        prepared(folder, bundle)
    assert files_of(folder) == before


@pytest.mark.parametrize("failing", ["taptable.txt", "first-start", "vendor-data", "config.txt"])
def test_a_card_that_fails_in_the_middle_is_as_it_was(
    tmp_path: Path, bundle: Bundle, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    folder = a_card(tmp_path / "bootfs")
    before = files_of(folder)
    fail_once_at(failing, monkeypatch)
    with pytest.raises(ConfigError, match=r"Read-only file system\. Nothing was changed on it\. Is its switch on LOCK"):
        prepared(folder, bundle)
    assert files_of(folder) == before
    assert not (folder / "taptable").exists()


def test_after_a_second_failure_it_asks_to_be_run_once_more(
    tmp_path: Path, bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = a_card(tmp_path / "bootfs")
    once = prepared(folder, bundle)
    fail_once_at(bundle.path.name, monkeypatch)
    with pytest.raises(ConfigError, match="What is on it for the table may not be whole: make it ready once more"):
        prepared(folder, bundle)
    assert prepared(folder, bundle) == once


def fail_once_at(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card can't be written when this file's turn comes, and can again after that."""
    put = writing.write_atomically
    failed: list[Path] = []

    def put_until(place: Path, content: bytes | Path) -> None:
        if place.name == failing and not failed:
            failed.append(place)
            raise OSError(30, "Read-only file system")
        put(place, content)

    monkeypatch.setattr(writing, "write_atomically", put_until)


def test_a_zip_has_what_a_card_gets_and_nothing_that_is_secret(tmp_path: Path, bundle: Bundle) -> None:
    file = tmp_path / "card.zip"
    write_zip(file, SETTINGS, bundle)
    folder = a_card(tmp_path / "bootfs")
    on_card = prepared(folder, bundle)
    with zipfile.ZipFile(file) as packed:
        assert {name: packed.read(name) for name in packed.namelist()} == {
            name: on_card[name]
            for name in on_card
            if (name.startswith("taptable") or name == "vendor-data") and name != "taptable/wifi"
        }


def test_a_zip_is_for_a_system_that_reads_what_is_copied(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="reads no file that was only copied onto its card: there `taptable sdcard"):
        write_zip(tmp_path / "card.zip", SETTINGS, read_bundle(a_bundle(tmp_path, "bookworm")))
    with pytest.raises(ConfigError, match="can't be written: No such file"):
        write_zip(tmp_path / "nowhere" / "card.zip", SETTINGS, read_bundle(a_bundle(tmp_path)))
    assert not [*tmp_path.glob("*.zip*")]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("taptable.deb", b"", "is no package: it is called taptable-<version>-<release>-arm64.tar"),
        ("taptable-0.2.0-trixie-amd64.tar", b"", "is for amd64; a Raspberry Pi takes the one for arm64"),
        ("taptable-0.2.0-trixie-arm64.tar", b"x" * 700, "is damaged"),
        ("taptable-0.2.0-trixie-arm64.tar", b"\0" * 10240, "there is no taptable-0.2.0-trixie-arm64/install in it"),
        ("taptable-0.2.0-trixie-arm64.tar", None, "can't be read: No such file"),
    ],
)
def test_a_file_that_is_no_package_is_rejected(tmp_path: Path, name: str, content: bytes | None, says: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=says):
        read_bundle(tmp_path / name)


def test_a_package_that_is_cut_off_is_found_out(tmp_path: Path) -> None:
    path = a_bundle(tmp_path, install="echo\n" * 1000)
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(ConfigError, match="is damaged"):
        read_bundle(path)


# --- settings, Wi-Fi, buses ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Settings(name=" "), "The table's name can't be ' '"),
        (Settings(name="a\nb"), "it takes one line without invisible characters"),
        (Settings(seats=7), "A full build can't have 7 seats: it takes 2 to 6"),
        (Settings(build="compact", seats=5), "A compact build can't have 5 seats: it takes 2 to 4"),
        (Settings(build="ready", seats=4), "A ready build takes no number of seats: they are assigned by touching"),
        (Settings(country="Germany"), "'Germany' is no country: it takes two capital letters"),
        (Settings(time_zone="Europe/Berlim"), "is no time zone: did you mean Europe/Berlin?"),
        (Settings(time_zone="../etc/passwd"), "is no time zone"),
    ],
)
def test_settings_that_cannot_be_are_named(settings: Settings, says: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(says)):
        check(settings)


def test_settings_are_written_for_the_editors_of_every_system() -> None:
    text = settings_text(check(Settings(name="Küche", network=True, time_zone="Europe/Berlin")))
    assert text.count("\r\n") == text.count("\n")
    lines = text.split("\r\n")
    assert {"name = Küche", "network = yes", "seats =", "time-zone = Europe/Berlin"} <= set(lines)
    assert max(map(len, lines)) <= 120


def test_a_password_that_was_on_the_card_is_overwritten_when_it_is_made_ready_again(tmp_path: Path) -> None:
    card = a_card(tmp_path / "bootfs")
    bundle = read_bundle(a_bundle(tmp_path))
    write_card(read_boot_partition(card), Settings(), bundle, validate_wifi("home", "a password"), LINES)
    sectors = tmp_path / "sectors"  # what lies on the card where the file was
    sectors.hardlink_to(card / WIFI)
    write_card(read_boot_partition(card), Settings(), bundle, validate_wifi("home", "another one"), LINES)
    assert set(sectors.read_bytes()) == {0}
    assert b"psk=another one\n" in (card / WIFI).read_bytes()


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        (Settings(), ("dtparam=spi=on", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000")),
        (
            Settings(build="compact"),
            ("dtparam=spi=on", "dtoverlay=spi1-3cs", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"),
        ),
        (
            Settings(build="compact", seats=2),
            ("dtparam=spi=on", "dtoverlay=spi1-1cs", "dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=400000"),
        ),
        # the readers that are to be found there have long leads
        (Settings(build="ready"), ("dtparam=i2c_arm=on", "dtparam=i2c_arm_baudrate=100000")),
    ],
)
def test_each_build_gets_the_buses_it_needs(settings: Settings, lines: tuple[str, ...]) -> None:
    assert tuple(lines_for(settings)) == lines


def test_of_the_lines_only_what_is_missing_is_written_and_once() -> None:
    text = with_lines("dtparam=spi=on\n" + CONFIG, LINES)
    assert text == f"dtparam=spi=on\n{CONFIG}{BEGIN}\n[all]\ndtparam=i2c_arm=on\n{END}\n"
    assert with_lines(text, LINES) == text
    assert with_lines(text, ()) == "dtparam=spi=on\n" + CONFIG
    assert with_lines("[pi4]\ndtparam=spi=on\n", ("dtparam=spi=on",)).endswith(f"[all]\ndtparam=spi=on\n{END}\n")
