"""The cards onto which a table can be put, and how each gets its instructions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from taptable.core.errors import ConfigError
from taptable.sdcard.card import BootPartition, Hook, read_boot_partition

from sdcard.cards import a_card, files_of


@pytest.mark.parametrize(
    ("release", "told", "hook"),
    [
        ("trixie", True, Hook.VENDOR_DATA),
        ("trixie", False, Hook.VENDOR_DATA),
        ("bookworm", True, Hook.FIRST_RUN),
        ("bookworm", False, Hook.CMDLINE),
    ],
)
def test_release_and_hook_are_seen_from_what_is_there(tmp_path: Path, release: str, told: bool, hook: Hook) -> None:
    folder = a_card(tmp_path / "bootfs", release, configured=told)
    assert read_boot_partition(folder) == BootPartition(folder, release, hook, has_wifi=told, has_time_zone=told)


def test_another_vendor_data_is_left_alone(tmp_path: Path) -> None:
    folder = a_card(tmp_path / "bootfs")
    (folder / "vendor-data").write_text("#cloud-config\n")
    assert read_boot_partition(folder).hook is Hook.CMDLINE


def test_a_system_without_cloud_init_is_prepared_through_systemd(tmp_path: Path) -> None:
    folder = a_card(tmp_path / "bootfs")
    for name in ("user-data", "meta-data", "network-config"):
        (folder / name).unlink()
    assert read_boot_partition(folder).hook is Hook.CMDLINE


def _remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _write(name: str, text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).write_text(text)

    return write


def _was_started(folder: Path) -> None:
    line = (folder / "cmdline.txt").read_text().replace(" resize", "")
    (folder / "cmdline.txt").write_text(line)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (_remove("cmdline.txt"), "no card of Raspberry Pi OS: there is no cmdline.txt"),
        (_remove("config.txt"), "there is no config.txt of one. Of the card's drives it is the one called bootfs"),
        (
            _write("cmdline.txt", "root=LABEL=writable rootwait\n"),
            "another system than Raspberry Pi OS. Prepare it with",
        ),
        (_remove("issue.txt"), "another system than Raspberry Pi OS"),
        (_write("kernel7.img", ""), "Raspberry Pi OS of 32 bits; a table takes that of 64. Prepare it with"),
        (
            _write("issue.txt", "Raspberry Pi reference 2023-05-03\n"),
            "of 2023-05-03, which is too old. Prepare it with",
        ),
        (_was_started, "was in a Pi already, so it has no first start any more. Prepare it with"),
    ],
)
def test_an_unsuitable_card_is_rejected(tmp_path: Path, spoil: Callable[[Path], None], says: str) -> None:
    folder = a_card(tmp_path / "bootfs")
    spoil(folder)
    before = files_of(folder)
    with pytest.raises(ConfigError, match=says):
        read_boot_partition(folder)
    assert files_of(folder) == before


def test_what_is_no_folder_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no folder"):
        read_boot_partition(tmp_path / "E:")
