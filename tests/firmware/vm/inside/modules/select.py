"""MicroPython's `select` on a board: whether the cable can be read or written, by the board's world in given time and
by the terminal on it otherwise. Runs in the VM."""

import uselect  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
from firmware.vm.inside.world import this

POLLIN = uselect.POLLIN
POLLOUT = uselect.POLLOUT
POLLERR = uselect.POLLERR
POLLHUP = uselect.POLLHUP

_ASK_US = 5  # that asking takes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class _Poll:
    """Asks about one stream at least: the cable in or out."""

    def __init__(self) -> None:
        self._asked: list[tuple[object, int]] = []
        self._events = 0
        self._inner = uselect.poll()

    def register(self, stream: object, events: int = POLLIN | POLLOUT) -> None:
        self._asked.append((stream, events))
        self._events |= events
        if not this.given:
            self._inner.register(stream, events)

    def poll(self, timeout_ms: int = -1) -> "list[tuple[object, int]]":
        return [(ready[0], ready[1]) for ready in self.ipoll(timeout_ms)]

    def ipoll(self, timeout_ms: int = -1) -> "Iterable[tuple[object, int]]":
        if not this.given:
            this.step()
            return self._inner.ipoll(timeout_ms)
        this.spend(_ASK_US)
        if timeout_ms and not this.heard and not self._events & POLLOUT:
            this.rest(1000 * timeout_ms, True)
        if not this.heard and self._events == POLLIN:
            return ()
        return self._ready()

    def _ready(self) -> "Iterable[tuple[object, int]]":
        may = (POLLIN if this.heard else 0) | (POLLOUT if this.room() else 0)
        if not may & self._events:
            return ()
        return [(stream, events & may) for stream, events in self._asked if events & may]


def poll() -> _Poll:
    """A new one."""
    return _Poll()
