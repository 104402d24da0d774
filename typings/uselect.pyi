# What taptable uses of MicroPython's own select, under the name by which it is never another module.

from collections.abc import Iterable

POLLIN: int
POLLOUT: int
POLLERR: int
POLLHUP: int

class poll:
    def register(self, stream: object, events: int = ...) -> None: ...
    def poll(self, timeout_ms: int = ...) -> list[tuple[object, int]]: ...
    def ipoll(self, timeout_ms: int = ...) -> Iterable[tuple[object, int]]: ...
