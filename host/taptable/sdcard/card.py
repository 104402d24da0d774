"""The boot partition of a card that Raspberry Pi Imager has written, as far as another computer can read it: whether a
table can be put on it, its release of Raspberry Pi OS, and what will start our script there. Reads only; `writing`
writes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from taptable.core.errors import ConfigError

CMDLINE, BOOT_CONFIG, VENDOR_DATA, FIRST_RUN = "cmdline.txt", "config.txt", "vendor-data", "firstrun.sh"
OWN_MARK = "taptable"
"""The mark in every file of ours, or line of ours."""

_FIRST_OF_BOOKWORM = "2023-10-10"
"""The date of the first image of the oldest release that is supported, as issue.txt has it."""
_OTHER_KERNELS = ("kernel.img", "kernel7.img", "kernel7l.img")
"""Kernels that only a system of 32 bits has."""
_PREPARE = "Prepare it with Raspberry Pi Imager (Raspberry Pi OS Lite, 64-bit), and try again before it was in a Pi."


class Hook(Enum):
    """The hook that starts the table's first start: a file that cloud-init reads beside Imager's own; Imager's script,
    which systemd runs; or a line for systemd if there is no such script."""

    VENDOR_DATA = "vendor-data"
    FIRST_RUN = "firstrun.sh"
    CMDLINE = "cmdline.txt"


@dataclass(frozen=True, slots=True)
class BootPartition:
    """The boot partition at `folder`. `has_wifi` and `has_time_zone`: Imager has set one."""

    folder: Path
    release: str
    hook: Hook
    has_wifi: bool = False
    has_time_zone: bool = False


def read_boot_partition(folder: Path) -> BootPartition:
    """Return the boot partition of a card, or a copy of one; raise ConfigError if no table can be put on it."""
    if not folder.is_dir():
        raise ConfigError(f"{folder} is no folder: it takes that of the card's drive, which is called bootfs.")
    cmdline, boot_config = _text(folder, CMDLINE), _text(folder, BOOT_CONFIG)
    if cmdline is None or boot_config is None or "root=" not in cmdline:
        missing = BOOT_CONFIG if cmdline is not None and "root=" in cmdline else CMDLINE
        raise ConfigError(
            f"{folder} is no card of Raspberry Pi OS: there is no {missing} of one. Of the card's drives it is the one"
            " called bootfs."
        )
    words = cmdline.split()
    if any(word.startswith("root=LABEL=") for word in words) or not (folder / "issue.txt").is_file():
        raise ConfigError(f"{folder} has another system than Raspberry Pi OS. {_PREPARE}")
    if any((folder / kernel).is_file() for kernel in _OTHER_KERNELS) or not (folder / "kernel8.img").is_file():
        raise ConfigError(f"The card has Raspberry Pi OS of 32 bits; a table takes that of 64. {_PREPARE}")
    imager = _text(folder, FIRST_RUN)
    return BootPartition(
        folder=folder,
        release=_release(words, _text(folder, "issue.txt") or ""),
        hook=_hook(folder, imager),
        has_wifi=_has_wifi(_text(folder, "network-config") or "", imager or ""),
        has_time_zone=_has_time_zone(_text(folder, "user-data") or "", imager or ""),
    )


def _text(folder: Path, name: str) -> str | None:
    """Return a file's text; None if there is no such file."""
    try:
        return (folder / name).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"{folder / name} can't be read: {error.strerror}. Put the card in again.") from error


def _release(words: list[str], issue: str) -> str:
    """Return the release: each has its own way to grow to the size of its card at its first start, which leaves no
    trace afterwards."""
    date = re.search(r"\d{4}-\d\d-\d\d", issue)
    if date is not None and date[0] < _FIRST_OF_BOOKWORM:
        raise ConfigError(f"The card has Raspberry Pi OS of {date[0]}, which is too old. {_PREPARE}")
    if "resize" in words:
        return "trixie"
    if any(word.startswith("init=") and word.endswith("/firstboot") for word in words):
        return "bookworm"
    raise ConfigError(
        f"This card was in a Pi already, so it has no first start any more. {_PREPARE} On a Pi that runs, install the"
        " package by itself: docs/installing.md."
    )


def _hook(folder: Path, imager: str | None) -> Hook:
    vendor_data = _text(folder, VENDOR_DATA)
    if (folder / "meta-data").is_file() and (vendor_data is None or OWN_MARK in vendor_data):
        return Hook.VENDOR_DATA
    return Hook.CMDLINE if imager is None else Hook.FIRST_RUN


def _has_wifi(network_config: str, imager: str) -> bool:
    return re.search(r"^\s*wifis:", network_config, re.MULTILINE) is not None or "set_wlan " in imager


def _has_time_zone(user_data: str, imager: str) -> bool:
    return re.search(r"^timezone:", user_data, re.MULTILINE) is not None or "set_timezone " in imager
