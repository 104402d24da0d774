"""The lines of ``config.txt`` for a table's buses: for a card, those that a table of some build and number of seats
will need, from the example on which its configuration is based; and the command ``taptable-buses``, which writes those
that an installed table's configuration needs, after a question, since a package may not do that by itself.
`config.conflicts` knows which lines a part needs."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from taptable.config import Config, load_config
from taptable.config.conflicts import boot_lines
from taptable.config.home import packaged_file
from taptable.core.errors import ConfigError, TaptableError
from taptable.daemon.game_options import check_game
from taptable.doctor.buses import BOOT_CONFIG_FILE
from taptable.drivers.interface import Address, Driver, Part, PartRole
from taptable.drivers.registry import installed_drivers
from taptable.schema.keys import Setting
from taptable.sdcard.boot_config import block_in, with_lines, without_lines
from taptable.sdcard.settings import Settings
from taptable.sdcard.writing import BACKUP_SUFFIX, write_atomically


def lines_for(settings: Settings) -> Sequence[str]:
    """Return the lines for a table with these settings."""
    config = load_config(packaged_file(f"examples/{settings.build}.toml"), check_game)
    return _lines_of(replace(config, seats=config.seats[: settings.seats]))


def _lines_of(config: Config) -> Sequence[str]:
    """Return the lines that a table needs. One without seats needs those with which pads that plug in are found."""
    plugged = [] if config.seats else [_example_pad(driver) for driver in installed_drivers() if driver.plugs_in]
    return boot_lines([*config.parts, *plugged])


def _example_pad(driver: Driver) -> Part:
    """Return the pad of seat 1 as a driver gives it as an example."""
    kind, _, name = driver.examples["seats.pad"].partition(":")
    options = {key: each.default if isinstance(each, Setting) else None for key, each in driver.pad_keys.items()}
    return Part(("seats", 0, "pad"), PartRole.PAD, Address(kind, name), 1, options)


def main(
    arguments: Sequence[str] | None = None,
    config: Path = Path("/etc/taptable/table.toml"),
    file: Path = Path(BOOT_CONFIG_FILE),
) -> int:
    """Update `file` for this configuration if the user agrees; return 1 and print a sentence if that is impossible, in
    which case the file is unchanged."""
    parser = argparse.ArgumentParser(
        prog="taptable-buses",
        description=f"Writes the lines that this table needs for SPI and I2C into {file}, after a question; they take"
        " effect at the Pi's next start. Run it again after a change of the table's parts: it changes only its own"
        " block of lines.",
    )
    parser.add_argument("--off", action="store_true", help="remove that block")
    parser.add_argument("--yes", action="store_true", help="answer yes to every question")
    args = parser.parse_args(arguments)
    if not file.exists():
        print(f"There is no {file} here: nothing to switch on.")
        return 0
    try:
        if not os.access(file, os.W_OK):
            raise ConfigError("This has to be run as root: sudo taptable-buses")
        text = file.read_bytes().decode("utf-8", errors="surrogateescape")
        new_text = without_lines(text) if args.off else with_lines(text, _needed(config))
        if new_text == text:
            print(
                f"Nothing in {file} is from here."
                if args.off
                else f"The buses are on as the table needs them, in {file}."
            )
        elif _confirm(file, text, new_text, args):
            _write(file, text, new_text)
    except TaptableError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _needed(config: Path) -> Sequence[str]:
    try:
        return _lines_of(load_config(config, check_game))
    except TaptableError as error:
        raise ConfigError(f"{error}\nWhat the table needs can be said once its configuration is in order.") from error


def _confirm(file: Path, text: str, new_text: str, args: argparse.Namespace) -> bool:
    """Return whether the user agrees to the change; False if nobody can be asked."""
    if args.off:
        print(f"{file} switches on buses that other things may use by now, too:\n{block_in(text)}", end="")
        question = "Take these lines away?"
    else:
        lines = block_in(new_text) or "nothing more than stands there without this\n"
        print(f"The table needs in {file}:\n{lines}", end="")
        question = "Write that there? A copy of the file is kept."
    if args.yes:
        return True
    if not sys.stdin.isatty():
        print(f"{question} Nobody is here to be asked, so no (--yes says yes).")
        return False
    try:
        return input(f"{question} [y/N] ").lower().startswith("y")
    except EOFError:
        return False


def _write(file: Path, text: str, new_text: str) -> None:
    """Write the file; keep the original beside it as long as the new one has a block."""
    before = file.with_name(file.name + BACKUP_SUFFIX)
    try:
        if not block_in(text):
            write_atomically(before, text.encode("utf-8", errors="surrogateescape"))
        write_atomically(file, new_text.encode("utf-8", errors="surrogateescape"))
        if not block_in(new_text):
            before.unlink(missing_ok=True)
        os.sync()
    except OSError as error:
        raise ConfigError(f"{file} can't be written, and is as it was: {error.strerror or error}.") from error
    print("Written. It holds from the next start of the Pi: sudo reboot")


if __name__ == "__main__":
    sys.exit(main())
