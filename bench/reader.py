"""The cost of a look at a pad: the Pi's reader, a seat board's firmware in the MicroPython VM, and the stock `mfrc522`
package, each with its own code over the same chip model, in one run. Counts SPI transfers and bytes, and gives the
model's time (SPI and air; none of Python's) beside the time in the air alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TextIO

from firmware.vm.process import find_program
from taptable.sim import spi_bus as spi
from taptable.sim.air import REQUEST_DELAY, AirClock
from taptable.sim.cards import NfcCard, ntag213
from taptable.sim.field import Exchanged, Field
from taptable.sim.mfrc522_chip import Mfrc522Chip

from bench.board_costs import PICO_NS, BoardCosts, measure_board

UID = bytes.fromhex("04a2b3c4d5e680")
EMPTY_AIM = 12
FIRST_READ_AIM = 60
_PIN_RST = 25
_CARRIER_KHZ = 13_560


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one look at a pad; `air_ms` is the minimum for its answered frames, without HLTA and time-outs."""

    transfers: int
    moved_bytes: int
    model_ms: float
    air_ms: float
    found: str


class _Bench:
    """A bench with one chip model and an empty field."""

    def __init__(self) -> None:
        self.clock = AirClock()
        self.field = Field("bench", self.clock)
        self.chip = Mfrc522Chip(self.field)
        spi.install(spi.Wiring({"spi:0.0": self.chip}, {_PIN_RST: ("spi:0.0",)}))

    def put(self, card: NfcCard) -> None:
        """Put a card down, and wait until it has its power."""
        self.field.put(card)
        self.clock.sleep_us(5000)

    def cost(self, look: Callable[[], str]) -> Cost:
        """The cost of a look, which returns what it found."""
        transfers, moved_bytes, began = self.chip.transfers, self.chip.moved_bytes, self.clock.now()
        log: list[Exchanged] = []
        self.field.exchange_log = log
        found = look()
        return Cost(
            self.chip.transfers - transfers,
            self.chip.moved_bytes - moved_bytes,
            (self.clock.now() - began) / _CARRIER_KHZ,
            _air_periods(log) / _CARRIER_KHZ,
            found,
        )


def measure_ours() -> dict[str, Cost]:
    """Our reader: an empty poll, the first read of a card of 7 bytes, and the same card known."""
    bench = _Bench()
    from taptable.drivers.spi.reader import SpiReader  # it imports mfrc522, which wants the stand-ins there first

    reader = SpiReader(0, 0, pin_rst=_PIN_RST, sleep_us=bench.clock.sleep_us)
    reader.field_on()
    empty = bench.cost(lambda: _names(reader.look()[0]))
    bench.put(ntag213(UID))
    first = bench.cost(lambda: _names(reader.look()[0]))
    known = bench.cost(lambda: _names(reader.look([UID])[0]))
    return {"empty poll": empty, "first read": first, "known card": known}


def measure_stock() -> dict[str, Cost]:
    """The stock package in the same places: request, anticollision, select, as its own examples do."""
    bench = _Bench()
    from mfrc522 import MFRC522  # see above

    reader = MFRC522(pin_rst=_PIN_RST)

    def look() -> str:
        status, _ = reader.MFRC522_Request(reader.PICC_REQIDL)
        if status != reader.MI_OK:
            return ""
        status, part = reader.MFRC522_Anticoll()
        if status != reader.MI_OK:
            return ""
        reader.MFRC522_SelectTag(part)
        return bytes(part[:4]).hex()

    empty = bench.cost(look)
    bench.put(ntag213(UID))
    return {"empty poll": empty, "first read": bench.cost(look), "known card": bench.cost(look)}


def costs_of_board(board: BoardCosts, pi: dict[str, Cost]) -> dict[str, Cost]:
    """The costs of the firmware's looks. The firmware looks by the Pi's code, so its time in the air is the same."""
    return {
        case: Cost(look.transfers, look.moved_bytes, look.model_us / 1000, pi[case].air_ms, pi[case].found)
        for case, look in board.looks.items()
    }


def run(out: TextIO) -> int:
    """Print all of them side by side; 0 if ours keep to their aims."""
    pi, stock = measure_ours(), measure_stock()
    rows = {"Pi": pi, "stock": stock}
    program = find_program()
    board = None if program is None else measure_board(program)
    if board is not None:
        rows = {"Pi": pi, "board": costs_of_board(board, pi), "stock": stock}
    boards = f", the board's at {board.spi_hz / 1e6:g} MHz" if board is not None else ""
    out.write(f"one look at a pad, SPI at 1 MHz{boards}, card of 7 bytes (in the air alone: ms)\n")
    out.write(f"{'':12}{'':8}{'transfers':>10}{'bytes':>7}{'model ms':>10}{'air ms':>8}  found\n")
    for case in pi:
        for name, costs in rows.items():
            cost = costs[case]
            air = f"{cost.air_ms:.2f}" if cost.air_ms else "-"
            out.write(
                f"{case:12}{name:8}{cost.transfers:>10}{cost.moved_bytes:>7}{cost.model_ms:>10.2f}{air:>8}"
                f"  {cost.found or 'nothing'}\n"
            )
    if board is None:
        out.write("the seat board's firmware: there is no MicroPython here (scripts/setup-micropython)\n")
    else:
        python = ", ".join(f"{case} {board.pico_us(case) / 1000:.1f} ms" for case in pi)
        out.write(f"the firmware's Python besides, {PICO_NS} ns an instruction of the VM: {python}\n")
    ours = [costs for name, costs in rows.items() if name != "stock"]
    kept = all(
        costs["empty poll"].transfers <= EMPTY_AIM and costs["first read"].transfers <= FIRST_READ_AIM for costs in ours
    )
    out.write(
        f"aims: at most {EMPTY_AIM} transfers for an empty poll, {FIRST_READ_AIM} for a first read: "
        f"{'kept' if kept else 'missed'}\n"
    )
    return 0 if kept else 1


def _names(uids: list[bytes]) -> str:
    return ", ".join(uid.hex() for uid in uids)


def _air_periods(log: list[Exchanged]) -> int:
    """The shortest time in which the answered exchanges could follow each other, in carrier periods."""
    answered = [exchanged for exchanged in log if exchanged.burst]
    spans = sum(exchanged.answer_ends_at() - exchanged.began_at for exchanged in answered)
    return spans + max(0, len(answered) - 1) * REQUEST_DELAY


if __name__ == "__main__":
    sys.exit(run(sys.stdout))
