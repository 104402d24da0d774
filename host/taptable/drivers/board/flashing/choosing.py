"""Finds the connected board to flash: a pad's, one by its id, the one at a port, or the only one; and says what to do
if there is none, such as copying a MicroPython of at least `MIN_MICROPYTHON` onto a Pico. Must not know how a board is
flashed; opens no port."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from taptable.core.errors import ConfigError, DeviceError
from taptable.core.observations import Pad
from taptable.doctor.computer import Computer
from taptable.drivers.board.port import TwinBoards
from taptable.drivers.board.usb import BOOTLOADERS, connected_devices, find_twins, is_board, port_of

MIN_MICROPYTHON = (1, 23)
"""The oldest MicroPython on which the firmware is put; `flash` refuses to flash a board with an older one. Versions
before 1.22 have no DMA (`rp2.DMA`), which the ring needs. 1.22.0 hangs in short sleeps (MicroPython's pull request
13329), and we require 1.23 rather than a patch of 1.22. Also update firmware/README.md and hardware/BUILD.md."""

_DRIVES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"RP2040": ("RPI-RP2", "RPI_PICO"), "RP2350": ("RP2350", "RPI_PICO2")}
)
"""For each chip, the drive that it shows while it waits for MicroPython, and the name of its build."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The board that was asked for: at most one of these is set."""

    pad: Pad | None = None
    board: str | None = None
    port: Path | None = None


def choose(target: Meant, pads: Mapping[Pad, str], computer: Computer) -> Path:
    """Return the port of the board that is meant. `pads` has the board of each pad that has one by the configuration.
    Raises ConfigError or DeviceError with what is missing."""
    if target.port is not None:
        return target.port
    connected = connected_boards(computer)
    board = target.board if target.pad is None else _board_of_pad(target.pad, pads)
    if board is None:
        board = _only_board(connected, pads, computer)
    if board in (unusable := unusable_boards(computer)):
        raise DeviceError(unusable[board])
    if board not in connected:
        raise DeviceError(_spell_absent(board, target, connected, pads, computer))
    return connected[board]


def connected_boards(computer: Computer) -> Mapping[str, Path]:
    """Return the ports of the boards that run MicroPython, by their ids, without twins."""
    twins = find_twins(computer)
    boards = [each.serial for each in connected_devices(computer) if is_board(each) and each.serial not in twins]
    ports = {board: port_of(computer, board) for board in boards}
    return {board: computer.at(port) for board, port in ports.items() if port is not None}


def unusable_boards(computer: Computer) -> Mapping[str, str]:
    """Return the boards that are plugged in and can't be flashed, by their ids, each with the remedy."""
    twins, connected = find_twins(computer), connected_boards(computer)
    boards = [each.serial for each in connected_devices(computer) if is_board(each)]
    portless = "board {} is plugged in, and has no serial port: unplug it and plug it in again"
    unusable = {board: portless.format(board) for board in boards if board not in connected}
    return unusable | {board: _twins_advice(board) for board in twins}


def _twins_advice(board: str) -> str:
    return (
        f"{TwinBoards(board)}, so they can't be told apart: unplug one of them. A table takes only one of the two;"
        " another Pico takes the place of the other"
    )


def bootloader_advice(computer: Computer) -> str | None:
    """Return what to do about a Pico that waits for MicroPython; None if none waits."""
    waiting = [BOOTLOADERS[d.product] for d in connected_devices(computer) if d.product in BOOTLOADERS]
    if not waiting:
        return None
    drive, build = _DRIVES[waiting[0]]
    least = ".".join(map(str, MIN_MICROPYTHON))
    return (
        f"a Pico waits for MicroPython: copy the .uf2 file of {build}, version {least} or later"
        f" (micropython.org/download/{build}), onto its drive {drive}; it then starts by itself and can be flashed"
    )


def no_board_advice(computer: Computer) -> str:
    """Return what to do if there is no board to flash."""
    advice = (
        "; ".join(unusable_boards(computer).values())
        or "no board is connected: plug it in with a cable that carries data"
    )
    return bootloader_advice(computer) or advice


def spell_pad(pad: Pad) -> str:
    """Return the name of a pad for people."""
    return f"seat {pad}" if isinstance(pad, int) else f"the {pad} pad"


def _board_of_pad(pad: Pad, pads: Mapping[Pad, str]) -> str:
    if pad not in pads:
        known = ", ".join(map(str, pads)) or "none"
        raise ConfigError(
            f"the configuration names no board for {spell_pad(pad)} (with a board: {known}): flash it with --board,"
            f" and this tells what to write there"
        )
    return pads[pad]


def _only_board(connected: Mapping[str, Path], pads: Mapping[Pad, str], computer: Computer) -> str:
    """Return the only board, or the only one that no pad has."""
    new = [board for board in connected if board not in pads.values()]
    if twins := find_twins(computer):
        # it is unknown which of them is new
        raise DeviceError("; ".join(map(_twins_advice, twins)))
    if len(connected) == 1 or len(new) == 1:
        return (new or list(connected))[0]
    if connected:
        raise ConfigError(f"which of these is meant? Name its seat, or --board ID: {_spell_boards(connected, pads)}")
    raise DeviceError(no_board_advice(computer))


def _spell_absent(
    board: str, target: Meant, connected: Mapping[str, Path], pads: Mapping[Pad, str], computer: Computer
) -> str:
    which = f"board {board}" if target.pad is None else f"the board of {spell_pad(target.pad)} ({board})"
    message = f"{which} isn't connected"
    if connected:
        message += f"; connected: {_spell_boards(connected, pads)}"
        if target.pad is not None and set(connected) - set(pads.values()):
            message += (
                f". If one of these takes its place, flash it with --board and name it at {spell_pad(target.pad)}"
            )
        return message
    return f"{message}: {bootloader_advice(computer) or 'plug it in with a cable that carries data'}"


def _spell_boards(connected: Mapping[str, Path], pads: Mapping[Pad, str]) -> str:
    names = {board: f" ({spell_pad(pad)})" for pad, board in pads.items()}
    return ", ".join(f"{board}{names.get(board, ' (new)')}" for board in connected)
