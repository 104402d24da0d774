"""The display as ``table.toml`` describes it: luma.core's own command-line options in a list. Checked whole before
anything is opened; knows nothing of pictures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from luma.core.cmdline import create_device, create_parser, get_display_types
from luma.core.error import DeviceDisplayModeError

from taptable.core.errors import ConfigError

SMALLEST = (64, 16)
"""Columns and rows below which the scores can't be read."""

_WHERE = "[scoreboard] options"
_I2C_ADDRESSES = range(0x03, 0x78)


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """What luma.core makes of the options, and the size of the picture in pixels, upright."""

    args: argparse.Namespace
    size: tuple[int, int]


class _Parser(argparse.ArgumentParser):
    """A parser that says what is wrong instead of leaving the program."""

    def error(self, message: str) -> NoReturn:
        raise ConfigError(f"{_WHERE}: {message}.")


def read_display_options(options: Sequence[str]) -> DisplayOptions:
    """The display that `options` describe, such as ``["--display=ssd1309", "--interface=i2c"]``; ConfigError says
    what is wrong."""
    parser = create_parser("the scoreboard", _Parser(add_help=False, allow_abbrev=False), autocomplete=False)
    args = parser.parse_args(list(options))
    if not any(option.split("=")[0] in {"--display", "-d"} for option in options):
        raise ConfigError(f'{_WHERE}: the display\'s type is missing; the reference part is "--display=ssd1309".')
    if args.config is not None:
        raise ConfigError(f"{_WHERE}: --config={args.config} is not read; write its lines into this list.")
    size = (args.width, args.height) if args.rotate % 2 == 0 else (args.height, args.width)
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
        raise ConfigError(
            f"{_WHERE}: {size[0]}×{size[1]} pixels are too few for the scores; it takes {SMALLEST[0]}×{SMALLEST[1]}."
        )
    if args.interface == "i2c":
        _check_address(args.i2c_address)
    if args.display in get_display_types()["oled"]:
        _try_out(args)
    return DisplayOptions(args, size)


def _check_address(text: str) -> None:
    try:
        address = int(text, 0)
    except ValueError:
        address = -1
    if address not in _I2C_ADDRESSES:
        raise ConfigError(f"{_WHERE}: --i2c-address={text} is no I2C address; most displays have 0x3C, some 0x3D.")


def _try_out(args: argparse.Namespace) -> None:
    """Make the device over no interface at all, to hear whether the driver takes this size."""
    try:
        create_device(argparse.Namespace(**{**vars(args), "interface": "noop"}))
    except (DeviceDisplayModeError, AssertionError) as error:
        raise ConfigError(
            f"{_WHERE}: {args.display} can't be driven with --width={args.width} --height={args.height}"
            f" over {args.interface}; its data sheet and luma.oled's documentation name the sizes it has."
        ) from error
