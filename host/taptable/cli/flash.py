"""``taptable flash``: the firmware onto a seat board, and which seat it is."""

from __future__ import annotations

import argparse
from pathlib import Path

from taptable.cli.options import DEFAULT, add_config_option, config_from
from taptable.config import OnBoard
from taptable.core.errors import ConfigError
from taptable.doctor.computer import Computer
from taptable.flashing.bundle import bundled
from taptable.flashing.choosing import Meant, choose, connected
from taptable.flashing.flash import PIXELS, flash


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "flash",
        help="put the firmware on a seat board",
        description="Puts the seat boards' firmware on a connected Pico that runs MicroPython: only what differs, and"
        " verified. Without SEAT, --board and --port it is the only board that is connected, or the only new one.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("seat", type=int, nargs="?", metavar="SEAT", help="the board that this seat has by table.toml")
    which.add_argument("--board", metavar="ID", help="the board with this id, its USB serial number")
    which.add_argument("--port", type=Path, metavar="PATH", help="the board at this serial port")
    parser.add_argument("--pixels", type=int, metavar="N", help="its ring has so many pixels; else that stays as it is")
    add_config_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Flash one board."""
    if args.pixels is not None and args.pixels not in PIXELS:
        raise ConfigError(f"--pixels {args.pixels}: a ring has {PIXELS[0]} to {PIXELS[-1]}")
    seats = _seats(args)
    computer = Computer()
    path = choose(Meant(args.seat, args.board, args.port), seats, computer)
    board = flash(path, bundled(), args.pixels, lambda board: connected(computer).get(board), print)
    seat = next((seat for seat, own in seats.items() if own == board), None)
    if seat is None:
        print(f'It stands in no seat of the configuration. The seat it is for gets:  pad = "board:{board}"')
    else:
        print(f"It is the board of seat {seat}.")
    return 0


def _seats(args: argparse.Namespace) -> dict[int, str]:
    """The board of each seat that has one; none where there is no configuration yet and no seat was named."""
    if args.config is None and args.seat is None and not DEFAULT.exists():
        return {}
    parts = config_from(args).seats
    return {seat: own.pad.board for seat, own in enumerate(parts, 1) if isinstance(own.pad, OnBoard)}
