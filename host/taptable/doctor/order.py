"""How close two presses may be and still be put in order, by how the buttons of the table are wired: with the figures
of whatever stamps them. Two that are closer than both stamps may be off together are a tie."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from taptable.config import OnBoard, OnGpio
from taptable.doctor.findings import Finding, ok, skipped
from taptable.drivers.board.bus import Socket
from taptable.schema.problems import listed


@dataclass(frozen=True, slots=True)
class Stamps:
    """Of one button: where it is, where its board is plugged in, and how far a stamp may be off."""

    place: OnBoard | OnGpio
    socket: Socket | None
    uncertainty_us: int


def examine_order(buttons: Mapping[int, Stamps], *, by_bus: bool) -> Iterator[Finding]:
    """What is so of two of these buttons, by their seats, for each way in which two of them are wired. `by_bus`:
    presses on boards are put in order by the frames of the bus."""
    ways: dict[str, list[tuple[int, int]]] = {}
    for one, other in combinations(sorted(buttons), 2):
        ways.setdefault(_way(buttons[one], buttons[other]), []).append((one, other))
    for way, pairs in ways.items():
        bound_us = max(buttons[one].uncertainty_us + buttons[other].uncertainty_us for one, other in pairs)
        seats = listed(sorted({seat for pair in pairs for seat in pair}))
        found = f"buttons {seats}, {way}: two presses closer than {bound_us / 1000:.2f} ms are a tie"
        if any(isinstance(buttons[seat].place, OnBoard) for pair in pairs for seat in pair):
            found += ", by the frames of the bus" if by_bus else ", by the round trip to a board"
        yield ok("order", "buttons", found)
    if not ways:
        yield skipped("order", "buttons", "there are no two buttons whose presses can be placed in time")


def _way(one: Stamps, other: Stamps) -> str:
    """How two buttons are wired."""
    on_boards = [isinstance(button.place, OnBoard) for button in (one, other)]
    if not any(on_boards):
        return "on the Pi's pins"
    if not all(on_boards):
        return "one of two on a board and one on a pin"
    if one.socket is None or other.socket is None:
        return "on boards of which one is plugged in who knows where"
    if one.socket.controller != other.socket.controller:
        return "on boards at two controllers"
    return "on boards behind one hub" if one.socket == other.socket else "on boards behind two hubs of one controller"
