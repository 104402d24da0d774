"""Which of the connected boards is meant: a pad's, one by its id, the one at a port, or the only one there is. Opens
no port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from taptable.core.errors import ConfigError, DeviceError
from taptable.core.observations import Pad
from taptable.doctor.computer import Computer
from taptable.drivers.board.port import TwinBoards
from taptable.drivers.board.usb import BOOTLOADERS, is_board, plugged_in, port_of, twins_in

LEAST_MICROPYTHON = (1, 23)
"""1.22 is the first with DMA for the ring, but 1.22.0 hangs in short sleeps (MicroPython's pull request 13329)."""

_DRIVES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"RP2040": ("RPI-RP2", "RPI_PICO"), "RP2350": ("RP2350", "RPI_PICO2")}
)
"""Of each chip: the drive it shows while it waits for MicroPython, and the name of the build it wants."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What was asked for: at most one of these."""

    pad: Pad | None = None
    board: str | None = None
    port: Path | None = None


def choose(meant: Meant, pads: Mapping[Pad, str], computer: Computer) -> Path:
    """The port of the board that is meant. `pads` gives the board of each pad that has one by the configuration;
    ConfigError and DeviceError say what is missing.
    """
    if meant.port is not None:
        return meant.port
    there = connected(computer)
    board = meant.board if meant.pad is None else _of_pad(meant.pad, pads)
    if board is None:
        board = _only(there, pads, computer)
    if board in (wrong := unusable(computer)):
        raise DeviceError(wrong[board])
    if board not in there:
        raise DeviceError(_absent(board, meant, there, pads, computer))
    return there[board]


def connected(computer: Computer) -> Mapping[str, Path]:
    """The ports of the boards that run MicroPython, by their ids; without those of which two have the same."""
    twins = twins_in(computer)
    boards = [each.serial for each in plugged_in(computer) if is_board(each) and each.serial not in twins]
    ports = {board: port_of(computer, board) for board in boards}
    return {board: computer.at(port) for board, port in ports.items() if port is not None}


def unusable(computer: Computer) -> Mapping[str, str]:
    """The boards that are plugged in and can't be flashed, by their ids, each with what to do about it."""
    twins, there = twins_in(computer), connected(computer)
    boards = [each.serial for each in plugged_in(computer) if is_board(each)]
    portless = "board {} is plugged in, and has no serial port: unplug it and plug it in again"
    wrong = {board: portless.format(board) for board in boards if board not in there}
    return wrong | {board: _of_twins(board) for board in twins}


def _of_twins(board: str) -> str:
    return (
        f"{TwinBoards(board)}, so they can't be told apart: unplug one of them. A table takes only one of the two;"
        " another Pico takes the place of the other"
    )


def how_to_begin(computer: Computer) -> str | None:
    """What to do about a Pico that waits for MicroPython; None if none waits."""
    waiting = [BOOTLOADERS[d.product] for d in plugged_in(computer) if d.product in BOOTLOADERS]
    if not waiting:
        return None
    drive, build = _DRIVES[waiting[0]]
    least = ".".join(map(str, LEAST_MICROPYTHON))
    return (
        f"a Pico waits for MicroPython: copy the .uf2 file of {build}, version {least} or later"
        f" (micropython.org/download/{build}), onto its drive {drive}; it then starts by itself and can be flashed"
    )


def nothing_connected(computer: Computer) -> str:
    """What to do where there is no board that could be flashed."""
    wrong = "; ".join(unusable(computer).values()) or "no board is connected: plug it in with a cable that carries data"
    return how_to_begin(computer) or wrong


def spelled(pad: Pad) -> str:
    """A pad as it is spoken of."""
    return f"seat {pad}" if isinstance(pad, int) else f"the {pad} pad"


def _of_pad(pad: Pad, pads: Mapping[Pad, str]) -> str:
    if pad not in pads:
        known = ", ".join(map(str, pads)) or "none"
        raise ConfigError(
            f"the configuration names no board for {spelled(pad)} (with a board: {known}): flash it with --board,"
            f" and this tells what to write there"
        )
    return pads[pad]


def _only(there: Mapping[str, Path], pads: Mapping[Pad, str], computer: Computer) -> str:
    """The only board, or the only one that no pad has."""
    new = [board for board in there if board not in pads.values()]
    if twins := twins_in(computer):
        # which of them is new, nobody can say
        raise DeviceError("; ".join(map(_of_twins, twins)))
    if len(there) == 1 or len(new) == 1:
        return (new or list(there))[0]
    if there:
        raise ConfigError(f"which of these is meant? Name its seat, or --board ID: {_listed(there, pads)}")
    raise DeviceError(nothing_connected(computer))


def _absent(board: str, meant: Meant, there: Mapping[str, Path], pads: Mapping[Pad, str], computer: Computer) -> str:
    which = f"board {board}" if meant.pad is None else f"the board of {spelled(meant.pad)} ({board})"
    said = f"{which} isn't connected"
    if there:
        said += f"; connected: {_listed(there, pads)}"
        if meant.pad is not None and set(there) - set(pads.values()):
            said += f". If one of these takes its place, flash it with --board and name it at {spelled(meant.pad)}"
        return said
    return f"{said}: {how_to_begin(computer) or 'plug it in with a cable that carries data'}"


def _listed(there: Mapping[str, Path], pads: Mapping[Pad, str]) -> str:
    names = {board: f" ({spelled(pad)})" for pad, board in pads.items()}
    return ", ".join(f"{board}{names.get(board, ' (new)')}" for board in there)
