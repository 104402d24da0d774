"""Writes a card for a table's first start; if it is the first time, all of it or nothing. It writes a folder with the
package and the script that installs it, the settings beside it, and last the line or file that starts the script, so
that an incomplete card does nothing. The same files, in a zip, can be copied onto a card by hand. Must not know how the
settings were chosen."""

from __future__ import annotations

import os
import shutil
import zipfile
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path, PurePosixPath

from taptable.core.errors import ConfigError
from taptable.sdcard.boot_config import with_lines
from taptable.sdcard.bundle import Bundle
from taptable.sdcard.card import BOOT_CONFIG, CMDLINE, FIRST_RUN, VENDOR_DATA, BootPartition, Hook
from taptable.sdcard.settings import Settings, settings_text
from taptable.sdcard.wifi import Wifi, profile_text

FOLDER, SETTINGS, WIFI = "taptable", "taptable.txt", "taptable/wifi"
"""The names on the card of our folder, the settings and the Wi-Fi's profile."""
BACKUP_SUFFIX = ".before-taptable"
"""The ending of a backup's file name."""

_SCRIPT = f"/boot/firmware/{FOLDER}/first-start"
"""The path of our script on the Pi."""
_FOR_SYSTEMD = (
    f"systemd.run={_SCRIPT} systemd.run_success_action=reboot systemd.run_failure_action=reboot"
    " systemd.unit=kernel-command-line.target"
)
_FOR_IMAGER = f"sh {_SCRIPT} || true"
"""The words at the end of cmdline.txt, and the line in Imager's own script, that start ours."""
_SPARE_BYTES = 2_000_000
"""Bytes that have to stay free on the card's drive."""
_COPIED_BY_HAND = "trixie"
"""The release whose cloud-init reads our file although it was only copied onto the card; for others a line of an
existing file has to be changed."""


def write_card(
    card: BootPartition, settings: Settings, bundle: Bundle, wifi: Wifi | None, boot_lines: Sequence[str]
) -> None:
    """Write a card, with these lines in its ``config.txt``; raise ConfigError with the reason if that fails, and with
    whether the card is unchanged."""
    if bundle.release != card.release:
        raise ConfigError(
            f"The card has Raspberry Pi OS {card.release}, and {bundle.path.name} is for {bundle.release}."
        )
    files: dict[str, bytes | Path] = _files(settings, bundle)
    if wifi is not None:
        files[WIFI] = profile_text(wifi).encode()
    if card.hook is Hook.VENDOR_DATA:
        files[VENDOR_DATA] = _own_file(VENDOR_DATA)
    changed = {BOOT_CONFIG: with_lines(_read(card, BOOT_CONFIG), boot_lines)}
    if card.hook is Hook.FIRST_RUN:
        changed[FIRST_RUN] = _with_line(_read(card, FIRST_RUN))
    elif card.hook is Hook.CMDLINE:
        cmdline = _read(card, CMDLINE).strip()
        changed[CMDLINE] = cmdline if _FOR_SYSTEMD in cmdline else f"{cmdline} {_FOR_SYSTEMD}"
        changed[CMDLINE] += "\n"
    _check_room(card, files)
    _write(card.folder, files, changed)


def write_zip(file: Path, settings: Settings, bundle: Bundle) -> None:
    """Write a zip of the files that people copy onto a card that was just prepared; the same files give the same zip.
    Raise ConfigError if that is impossible."""
    if bundle.release != _COPIED_BY_HAND:
        raise ConfigError(
            f"{bundle.path.name} is for {bundle.release}, which reads no file that was only copied onto its card: there"
            f" `taptable sdcard FOLDER` does it. A zip takes the package for {_COPIED_BY_HAND}."
        )
    files = {**_files(settings, bundle), VENDOR_DATA: _own_file(VENDOR_DATA)}
    part = file.with_name(f"{file.name}.part")
    try:
        with zipfile.ZipFile(part, "w") as packed:
            for name, content in files.items():
                # without dates, which no card needs
                with packed.open(zipfile.ZipInfo(name), "w") as member:
                    if isinstance(content, Path):
                        with content.open("rb") as source:
                            shutil.copyfileobj(source, member)
                    else:
                        member.write(content)
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ConfigError(f"{file} can't be written: {error.strerror or error}.") from error


def _files(settings: Settings, bundle: Bundle) -> dict[str, bytes | Path]:
    """Return the files that every card gets, by their names there."""
    return {
        f"{FOLDER}/{bundle.path.name}": bundle.path,
        f"{FOLDER}/SHA256SUMS": f"{bundle.sha256}  {bundle.path.name}\n".encode(),
        f"{FOLDER}/first-start": _own_file("first-start"),
        SETTINGS: settings_text(settings).encode(),
    }


def _own_file(name: str) -> bytes:
    return resources.files("taptable.sdcard").joinpath("files", name).read_bytes()


def _read(card: BootPartition, name: str) -> str:
    return (card.folder / name).read_bytes().decode("utf-8", errors="surrogateescape")


def _with_line(script: str) -> str:
    """Return Imager's script with our line after its first, since the system cuts off its end and writes it again."""
    if _FOR_IMAGER in script:
        return script
    first, _, rest = script.partition("\n")
    return f"{first}\n{_FOR_IMAGER}\n{rest}"


def _check_room(card: BootPartition, files: Mapping[str, bytes | Path]) -> None:
    # an earlier bundle on the card is removed
    freed = sum(file.stat().st_size for file in _old_bundles(card.folder))
    needed = sum(content.stat().st_size if isinstance(content, Path) else len(content) for content in files.values())
    free = shutil.disk_usage(card.folder).free + freed
    if free < needed + _SPARE_BYTES:
        raise ConfigError(
            f"The card's drive has {free // 1_000_000} MB free, and {(needed + _SPARE_BYTES) // 1_000_000} are needed:"
            " prepare the card anew, and put nothing else on that drive."
        )


def _old_bundles(folder: Path) -> list[Path]:
    return [*(folder / FOLDER).glob("taptable-*.tar")]


def _write(folder: Path, files: Mapping[str, bytes | Path], changed: Mapping[str, str]) -> None:
    """Write new files first, then the changed ones; if not everything can be written, undo what was. The bundle and the
    Wi-Fi of an earlier call are removed before: to make room, and since the Pi would join the earlier Wi-Fi."""
    new: list[Path] = []
    originals = {name: (folder / name).read_bytes() for name in changed}
    own_folder = folder / FOLDER
    is_first = not own_folder.exists()
    try:
        own_folder.mkdir(exist_ok=True)
        for each in _old_bundles(folder):
            each.unlink(missing_ok=True)
        _erase(folder / WIFI)
        for name, content in files.items():
            place = folder / PurePosixPath(name)
            if not place.exists():
                new.append(place)
            write_atomically(place, content)
        for name, text in changed.items():
            backup = folder / f"{name}{BACKUP_SUFFIX}"
            if not backup.exists():
                new.append(backup)
                write_atomically(backup, originals[name])
            write_atomically(folder / name, text.encode("utf-8", errors="surrogateescape"))
    except OSError as error:
        is_undone = _undo(folder, new, originals)
        if is_first:
            shutil.rmtree(own_folder, ignore_errors=True)
        left = (
            "Nothing was changed on it."
            if is_first and is_undone
            else "What is on it for the table may not be whole: make it ready once more."
        )
        raise ConfigError(
            f"The card can't be written: {error.strerror or error}. {left} Is its switch on LOCK, or was it pulled out?"
        ) from error


def write_atomically(place: Path, content: bytes | Path) -> None:
    """Write a file as a whole or not at all; it is on the card when this returns."""
    part = place.with_name(f"{place.name}.part")
    try:
        with part.open("wb") as file:
            if isinstance(content, Path):
                with content.open("rb") as source:
                    shutil.copyfileobj(source, file, 1 << 20)
            else:
                file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(place)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def _erase(place: Path) -> None:
    """Overwrite a file, if it exists, and remove it: it contains a password, and what is only removed can still be read
    from a card."""
    if not place.exists():
        return
    with place.open("r+b") as file:
        file.write(bytes(place.stat().st_size))
        file.flush()
        os.fsync(file.fileno())
    place.unlink()


def _undo(folder: Path, new: Sequence[Path], originals: Mapping[str, bytes]) -> bool:
    """Restore the card; return False if it has gone, or can't be written at all."""
    try:
        for name, content in originals.items():
            if (folder / name).read_bytes() != content:
                write_atomically(folder / name, content)
        _erase(folder / WIFI)
        for place in new:
            place.unlink(missing_ok=True)
    except OSError:
        return False
    return True
