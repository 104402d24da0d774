"""Ways to break a table: each takes the bench, and does one thing to it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import serial
from gpiozero import LED
from gpiozero.pins.mock import MockFactory
from tapshared.sentences import Message, encode
from tapshared.version import FIRMWARE
from taptable.core.errors import DeviceError
from taptable.doctor.computer import Owner
from taptable.drivers.board.driver import BoardDriver
from taptable.drivers.gpio.driver import GpioDriver
from taptable.drivers.header_lines import bcm_of
from taptable.memory.deckfile import text_of
from taptable.memory.decks import Decks
from taptable.memory.pairings import pairings_file_of

from doctor.rig import GROUPS, PI, Bench, Spoil

BOOT = "/boot/firmware/config.txt"
AUDIO = 4000
"""A group in which nobody is."""
SAYS_SOON_S = 2.5
"""Seconds until a board sends something unasked: after the doctor has begun to call."""


def both(*spoils: Spoil) -> Spoil:
    def spoil(bench: Bench) -> None:
        for one in spoils:
            one(bench)

    return spoil


def write(path: str, text: str) -> Spoil:
    return lambda bench: bench.write(path, text)


def change(**facts: object) -> Spoil:
    return lambda bench: bench.changed(**facts)


def set_to(**facts: object) -> Spoil:
    def spoil(bench: Bench) -> None:
        for name, value in facts.items():
            setattr(bench, name, value)

    return spoil


def unit(**properties: str) -> Spoil:
    return lambda bench: bench.unit.update(properties)


def page_unit(**properties: str) -> Spoil:
    return lambda bench: bench.page_unit.update(properties)


def remove(path: str) -> Spoil:
    return lambda bench: bench.remove(path)


def own(node: str, gid: int) -> Spoil:
    return lambda bench: bench.owners.update({node: Owner(0, gid, 0o660)})


def unplug(board: str) -> Spoil:
    return lambda bench: bench.link_of(board).unlink()


def plug_in(product: str, serial_number: str) -> Spoil:
    return lambda bench: bench.plug_in("1-1.9", product, serial_number)


def twin(serial_number: str) -> Spoil:
    """Another board with this number."""
    return lambda bench: bench.plug_in("1-1.10", "0005", serial_number)


def read_only_disk(bench: Bench) -> None:
    """The kernel has mounted the disk of the memory again, for reading only, after an error."""
    disk = bench.config.table.journal.parent.stat().st_dev
    line = f"22 1 {os.major(disk)}:{os.minor(disk)} / / rw,noatime shared:1 - ext4 /dev/root ro,errors=remount-ro\n"
    bench.write("/proc/self/mountinfo", line)


def user_of_its_own(bench: Bench) -> None:
    """A service's user of its own, in every group but that of SPI."""
    users = (("root", 0), ("pi", PI), ("taptable", 990))
    bench.write("/etc/passwd", "".join(f"{name}:x:{uid}:{uid}:,,,:/:/bin/sh\n" for name, uid in users))
    members = {name: "pi" if name == "spi" else "pi,taptable" for name in GROUPS}
    bench.write("/etc/group", "".join(f"{name}:x:{gid}:{members[name]}\n" for name, gid in GROUPS.items()))


def old_module_on_a_pi_5(bench: Bench) -> None:
    bench.write("/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    bench.changed(gpio_module=lambda: "RPi.GPIO")


def no_factory(bench: Bench) -> None:
    def fail() -> MockFactory:
        raise DeviceError("gpiozero finds the pins can't be used: lgpio: can't open gpiochip")

    bench.use(GpioDriver(fail))


def native_factory(bench: Bench) -> None:
    """A pin factory whose stamps aren't the kernel's; everything else goes to the simulated pins."""
    pins = bench.table.stand_in("gpio").pins.factory
    native = type("NativeFactory", (), {"__getattr__": lambda _self, name: getattr(pins, name)})()
    bench.use(GpioDriver(lambda: native))
    bench.changed(environment={"GPIOZERO_PIN_FACTORY": "native"})


def slow_i2c(bench: Bench) -> None:
    bench.file("/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency").write_bytes((100_000).to_bytes(4))
    bench.write(BOOT, "dtparam=spi=on\ndtparam=i2c_arm=on\n")


def chip(part: str, **facts: object) -> Spoil:
    def spoil(bench: Bench) -> None:
        for name, value in facts.items():
            setattr(bench.table.stand_in("spi").wiring.chips[part], name, value)
        bench.table.stand_in("spi").wiring.chips[part].reset()

    return spoil


def taken_reader(bench: Bench) -> None:
    bench.table.stand_in("spi").wiring.missing.add("spi:0.0")


def taken_port(bench: Bench) -> None:
    boards = bench.drivers["board"]

    def refuse(board: str) -> serial.Serial:
        if board == "sim2":
            raise serial.SerialException("[Errno 11] Could not exclusively lock port")
        return boards.open_port(board)

    bench.use(BoardDriver(refuse, boards.socket_of))


def has_firmware(seat: int, firmware: str) -> Spoil:
    def spoil(bench: Bench) -> None:
        board = bench.table.stand_in("board").boards[seat]
        board.pull_out()
        board.firmware = firmware
        board.plug_in()

    return spoil


def silence_board(bench: Bench) -> None:
    """The board has power from its port, and runs nothing."""
    board = bench.table.stand_in("board").boards[2]
    board.pull_out()
    board.line.plug_in()


def say_only(said: bytes) -> Spoil:
    def spoil(bench: Bench) -> None:
        silence_board(bench)
        asyncio.get_running_loop().call_later(SAYS_SOON_S, bench.table.stand_in("board").boards[2].line.send, said)

    return spoil


def say_only_hello(**fields: int | str) -> Spoil:
    about: dict[str, int | str] = {"protocol": 1, "board": "sim2", "boot": 1, "firmware": FIRMWARE, "pads": 1}
    about |= {"pixels": 12, "buttons": 1, "oldest": 1, **fields}
    return say_only(encode(Message("hello", about)))


def conversation(change: Callable[..., None]) -> Spoil:
    """Change the second board's part of the conversation."""
    return lambda bench: change(bench.table.stand_in("board").boards[2]._conversation)


def move_display(bench: Bench) -> None:
    bench.table.stand_in("oled").bus[0x3D] = bench.table.stand_in("oled").bus.pop(0x3C)


def move_display_and_bind_it(bench: Bench) -> None:
    """The display is at another address, where a driver of the kernel has it, and answers nobody else."""
    move_display(bench)
    bench.table.around.i2c.bound.add((1, 0x3D))
    bench.table.display.unplug()


def button_2(bench: Bench) -> int:
    """The pin of the second seat's button."""
    place = bench.config.seats[1].button
    assert place.kind == "gpio"
    return bcm_of(place)


def take_pin(bench: Bench) -> None:
    bench.taken.append(LED(button_2(bench), pin_factory=bench.table.stand_in("gpio").pins.factory))


def stick_button(bench: Bench) -> None:
    bench.table.stand_in("gpio").pins._bounce_s = lambda: 0.0
    bench.table.stand_in("gpio").pins.stick(button_2(bench))


def without_cards(kind: str) -> Spoil:
    def spoil(bench: Bench) -> None:
        deck = Decks(bench.config.table.decks).deck("sample")
        left = {uid: card for uid, card in deck.cards.items() if not card.startswith(kind)}
        put_deck("sample", text_of(replace(deck, cards=left)))(bench)

    return spoil


def without_controls(*controls: str) -> Spoil:
    def spoil(bench: Bench) -> None:
        deck = Decks(bench.config.table.decks).deck("sample")
        left = {uid: control for uid, control in deck.controls.items() if control not in controls}
        put_deck("sample", text_of(replace(deck, controls=left)))(bench)

    return spoil


def put_deck(name: str, text: str) -> Spoil:
    return lambda bench: (bench.config.table.decks / f"{name}.json").write_text(text, encoding="utf-8") and None


def remove_deck(bench: Bench) -> None:
    (bench.config.table.decks / "sample.json").unlink()


def damage_journal(bench: Bench) -> None:
    bench.config.table.journal.write_bytes(b"SQLite format 3\0" + b"x" * 8192)


def damage_pairings(bench: Bench) -> None:
    pairings_file_of(bench.config.table.journal).write_text("{", encoding="utf-8")


def close_folder(bench: Bench, folder: Path | None = None) -> None:
    """Close the journal's folder to the doctor, and start the doctor from another folder."""
    bench.closed_folders.add(folder or bench.config.table.journal.parent)
    bench.changed(folder=bench.root)


def take_page_port(bench: Bench) -> None:
    assert bench.config.page is not None
    bench.taken.append(socket.create_server(("127.0.0.1", bench.config.page.port)))
