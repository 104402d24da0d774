"""The seat boards of a table: sightings go up through `report`, lights and acknowledgements go down to the board they
belong to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from taptable.core.sightings import Origin, Sighting
from taptable.edges.boards.news import Light
from taptable.edges.boards.port import OpenPort, open_by_identity
from taptable.edges.boards.seat import Seat, Table


class Boards:
    """The boards of `seats`, which gives the board id of each seat's number; `buzzing` are the seats whose button is on
    their board. To be made on the loop it shall run on.

    An event is reported with its origin, and is to be acknowledged within `report` if it is in the journal then. One
    that isn't (a full disk) is reported again when the board says it again, and before any later one of that board.
    """

    def __init__(
        self,
        seats: Mapping[int, str],
        *,
        report: Callable[[Sighting], None],
        now_us: Callable[[], int],
        taken: Callable[[str, int], int],
        enrolled: Callable[[str], bool],
        open_port: OpenPort = open_by_identity,
        buzzing: Collection[int] = (),
    ) -> None:
        table = Table(report, now_us, taken, enrolled, open_port)
        self._seats = {number: Seat(number, board, table, buzzes=number in buzzing) for number, board in seats.items()}
        self._by_board = {seat.link.board: seat for seat in self._seats.values()}

    def open(self) -> None:
        """Open all ports. A board that isn't there is reported and awaited."""
        for seat in self._seats.values():
            seat.open()

    def close(self) -> None:
        """Close all ports."""
        for seat in self._seats.values():
            seat.close()

    def acknowledge(self, origin: Origin) -> None:
        """The event with this origin is in the journal; its board needn't keep it."""
        seat = self._by_board.get(origin.board)
        if seat is not None:
            seat.acknowledge(origin)

    def show(self, seat: int, light: Light) -> None:
        """Let a seat's ring and lamp show this from now on; a seat without a board shows nothing."""
        if seat in self._seats:
            self._seats[seat].show(light)

    def reset(self, seat: int) -> None:
        """Let a seat's board start anew."""
        if seat in self._seats:
            self._seats[seat].reset()
