"""The command ``taptable flash``: puts the firmware on one seat board or all of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from taptable.cli.options import add_config_option, config_file_of, config_from
from taptable.core.errors import ConfigError, DeviceError, JournalError
from taptable.core.observations import Pad
from taptable.doctor.computer import Computer
from taptable.drivers.board.flashing.bundle import bundled_firmware
from taptable.drivers.board.flashing.choosing import (
    Meant,
    bootloader_advice,
    choose,
    connected_boards,
    no_board_advice,
    spell_pad,
    unusable_boards,
)
from taptable.drivers.board.flashing.flash import PIXELS, flash
from taptable.memory.journal import lock_holder


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "flash",
        help="put the firmware on a seat board",
        description="Puts the seat boards' firmware on a connected Pico that runs MicroPython. Copies only files that"
        " differ, and verifies them. Without PAD, --board, --port and --all it flashes the only board that is"
        " connected, or the only new one. Exits with status 1 if --all couldn't flash a board.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "pad",
        type=_pad,
        nargs="?",
        metavar="PAD",
        help="flash the board of this seat or pad in table.toml, such as 2 or discard",
    )
    which.add_argument("--board", metavar="ID", help="flash the board with this id, its USB serial number")
    which.add_argument("--port", type=Path, metavar="PATH", help="flash the board at this serial port")
    which.add_argument(
        "--all", action="store_true", help="flash all connected boards; `taptable seats` then assigns them to seats"
    )
    parser.add_argument(
        "--pixels", type=int, metavar="N", help="set the number of pixels of its ring (else: unchanged)"
    )
    add_config_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Flash one board, or all. Return 1 if one of them couldn't be flashed."""
    if args.pixels is not None and args.pixels not in PIXELS:
        raise ConfigError(f"--pixels {args.pixels}: a ring has {PIXELS[0]} to {PIXELS[-1]}")
    pads = _pads(args)
    computer = Computer()
    if args.all:
        return _flash_all(args.pixels, pads, computer)
    path = choose(Meant(args.pad, args.board, args.port), pads, computer)
    board = flash(path, bundled_firmware(), args.pixels, lambda board: connected_boards(computer).get(board), print)
    pad = next((pad for pad, own in pads.items() if own == board), None)
    if pad is None:
        print(f'It stands nowhere in the configuration. The seat or other pad it is for gets:  pad = "board:{board}"')
    else:
        print(f"It is the board of {spell_pad(pad)}.")
    return 0


def _pad(text: str) -> Pad:
    return int(text) if text.isdecimal() else text


def _flash_all(pixels: int | None, pads: Mapping[Pad, str], computer: Computer) -> int:
    connected = connected_boards(computer)
    if not connected:
        raise DeviceError(no_board_advice(computer))
    flashed: list[str] = []
    failures: list[str] = []
    for board, path in connected.items():
        try:
            flashed.append(
                flash(path, bundled_firmware(), pixels, lambda board: connected_boards(computer).get(board), print)
            )
        except DeviceError as error:
            failures.append(f"board {board}: {error}")
            print(f"taptable flash: {failures[-1]}", file=sys.stderr)
    waiting = bootloader_advice(computer)
    for each in [*unusable_boards(computer).values(), *([] if waiting is None else [waiting])]:
        failures.append(each)
        print(f"taptable flash: {each}", file=sys.stderr)
    print(f"Boards that have their firmware: {len(flashed)} of {len(connected)}")
    _print_pads(flashed, pads)
    return 1 if failures else 0


def _print_pads(boards: Sequence[str], pads: Mapping[Pad, str]) -> None:
    """Print the pad of each board that has one, and how the others get theirs."""
    pad_of = {board: pad for pad, board in pads.items()}
    for board in boards:
        if board in pad_of:
            print(f"Board {board} is that of {spell_pad(pad_of[board])}.")
    if new := [board for board in boards if board not in pad_of]:
        print(
            f"Boards without a seat: {', '.join(new)}. Run `taptable seats`: it asks for a press of each seat's button."
        )


def _pads(args: argparse.Namespace) -> Mapping[Pad, str]:
    """Return the board of each pad that has one; nothing if there is no configuration yet and no pad was named. Raises
    `DeviceError` while the table of that configuration runs."""
    if args.config is None and args.pad is None and not config_file_of(args).exists():
        return {}
    config = config_from(args)
    with suppress(JournalError):  # the caller may not read the journal, and then can't open the table's boards either
        if (process := lock_holder(config.table.journal)) is not None:
            raise DeviceError(
                f"the boards belong to the table while that runs (process {process}): stop it first "
                "(sudo systemctl stop taptable)"
            )
    return {pad: parts.pad.name for pad, parts in config.pads_on("board").items()}
