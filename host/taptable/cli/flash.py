"""``taptable flash``: the firmware onto a seat board, and which pad it is of."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

from taptable.cli.options import DEFAULT, add_config_option, config_from
from taptable.core.errors import ConfigError
from taptable.core.observations import Pad
from taptable.doctor.computer import Computer
from taptable.flashing.bundle import bundled
from taptable.flashing.choosing import Meant, choose, connected, spelled
from taptable.flashing.flash import PIXELS, flash


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "flash",
        help="put the firmware on a seat board",
        description="Puts the seat boards' firmware on a connected Pico that runs MicroPython: only what differs, and"
        " verified. Without PAD, --board and --port it is the only board that is connected, or the only new one.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "pad",
        type=_pad,
        nargs="?",
        metavar="PAD",
        help="the board that this seat has by table.toml, such as 2, or this other pad, such as discard",
    )
    which.add_argument("--board", metavar="ID", help="the board with this id, its USB serial number")
    which.add_argument("--port", type=Path, metavar="PATH", help="the board at this serial port")
    parser.add_argument("--pixels", type=int, metavar="N", help="its ring has so many pixels; else that stays as it is")
    add_config_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Flash one board."""
    if args.pixels is not None and args.pixels not in PIXELS:
        raise ConfigError(f"--pixels {args.pixels}: a ring has {PIXELS[0]} to {PIXELS[-1]}")
    pads = _pads(args)
    computer = Computer()
    path = choose(Meant(args.pad, args.board, args.port), pads, computer)
    board = flash(path, bundled(), args.pixels, lambda board: connected(computer).get(board), print)
    pad = next((pad for pad, own in pads.items() if own == board), None)
    if pad is None:
        print(f'It stands nowhere in the configuration. The seat or other pad it is for gets:  pad = "board:{board}"')
    else:
        print(f"It is the board of {spelled(pad)}.")
    return 0


def _pad(text: str) -> Pad:
    return int(text) if text.isdecimal() else text


def _pads(args: argparse.Namespace) -> Mapping[Pad, str]:
    """The board of each pad that has one; none where there is no configuration yet and no pad was named."""
    if args.config is None and args.pad is None and not DEFAULT.exists():
        return {}
    return config_from(args).boards
