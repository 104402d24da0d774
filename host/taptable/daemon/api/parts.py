"""Requests about the parts of the table: what it has, and assigning the seats by touching them. While a game runs they
only ask the table to change over; the steps are those of `seat_assignment`. This module must not know a driver."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from taptable.api import requests
from taptable.api.errors import RequestError
from taptable.api.facts import PartFacts, PartsFacts
from taptable.config import Config
from taptable.config.parts_file import twin_devices
from taptable.core.device_events import is_pad_readable, part_name
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.api.context import Handlers, Result
from taptable.daemon.seat_assignment import CONTEXT, SeatAssignment, is_overruled, source_of
from taptable.drivers.interface import PartRole


class PartsRequests:
    """Requests of one table's API. `assign(seats)` changes over to the assignment and `look` starts the table again;
    None if the table can't do that. `assignment` is the one under way. `failed` returns the names of the parts that
    don't answer, and `has_display` whether a display does."""

    def __init__(
        self,
        config: Config,
        failed: Callable[[], Mapping[str, object]],
        has_display: Callable[[], bool],
        assign: Callable[[int | None], None] | None = None,
        look: Callable[[], None] | None = None,
        assignment: SeatAssignment | None = None,
    ) -> None:
        self._config = config
        self._failed = failed
        self._has_display = has_display
        self._assign = assign
        self._look = look
        self._assignment = assignment
        self.handlers: Handlers = {
            requests.AssignSeats: self._assign_seats,
            requests.AssignStep: self._assign_step,
            requests.LookForParts: self._look_for_parts,
        }

    def parts(self) -> PartsFacts:
        """Return the table's parts, and the step of the assignment if one is under way."""
        if self._assignment is not None:
            return replace(self._assignment.facts, display=self._has_display())
        named = {DISCARD_PAD, *range(1, len(self._config.seats) + 1)}
        assigned = self._config.assigned
        labels = {} if assigned is None else {address: each.label for address, each in assigned.known.items()}
        addresses: dict[str, tuple[str, list[str], str]] = {}
        for part in self._config.parts:
            if part.pad not in named:
                continue
            _, roles, trouble = addresses.setdefault(str(part.address), (str(part.pad), [], ""))
            roles.append(part.role.value)
            is_lost = part.role is PartRole.PAD and not is_pad_readable(part.pad, self._failed())
            if is_lost or part_name(part.role.value, part.pad) in self._failed():
                addresses[str(part.address)] = (str(part.pad), roles, trouble or "missing")
        return PartsFacts(
            source=source_of(self._config),
            overruled=is_overruled(self._config),
            fault="",
            previous=False,
            parts=tuple(
                PartFacts(address, labels.get(address, ""), tuple(roles), place, trouble)
                for address, (place, roles, trouble) in addresses.items()
            ),
            assigning=None,
            display=self._has_display(),
            twins=() if assigned is None else twin_devices(assigned.known.values()),
        )

    def _assign_seats(self, request: requests.AssignSeats, _: str) -> Result:
        if self._assignment is not None:
            self._assignment.begin(request.seats)
        elif self._assign is None:
            raise RequestError("live", "no-game")
        else:
            self._assign(request.seats)
        return {}

    def _assign_step(self, request: requests.AssignStep, _: str) -> Result:
        if self._assignment is None:
            raise RequestError(CONTEXT, "not-assigning")
        self._assignment.do(request.step)
        return {}

    def _look_for_parts(self, _: requests.LookForParts, __: str) -> Result:
        if self._assignment is None:  # an assignment keeps looking by itself
            if self._look is None:
                raise RequestError("live", "no-game")
            self._look()
        return {}
