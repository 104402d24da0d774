"""A stand-in for the module `lgpio` below gpiozero's own lgpio factory: one chip whose edges are stamped in
nanoseconds of the monotonic clock, as the kernel does, and called back from a thread of its own, as `lgpio.py` does."""

from __future__ import annotations

import queue
import threading
import types
from collections.abc import Callable

Callback = Callable[[int, int, int, int], None]


class StandIn(types.ModuleType):
    BOTH_EDGES, RISING_EDGE, FALLING_EDGE = 3, 1, 2
    SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128

    class error(Exception):
        pass

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.handled = 0
        self.chips = {0}
        self.busy: set[int] = set()
        self.callbacks: dict[int, Callback] = {}
        self.queue: queue.Queue[tuple[int, int, int] | None] = queue.Queue()
        self.thread = threading.Thread(target=self._notify, daemon=True)
        self.thread.start()

    def edge(self, gpio: int, level: int, stamp_ns: int) -> None:
        """The kernel has seen an edge."""
        self.queue.put((gpio, level, stamp_ns))

    def end(self) -> None:
        self.queue.put(None)
        self.thread.join(5)

    def _notify(self) -> None:
        while (event := self.queue.get()) is not None:
            gpio, level, stamp_ns = event
            if gpio in self.callbacks:
                self.callbacks[gpio](0, gpio, level, stamp_ns)
            self.handled += 1

    def gpiochip_open(self, chip: int) -> int:
        if chip not in self.chips:
            raise self.error("'can not open gpiochip'")
        return 0

    def gpiochip_close(self, _handle: int) -> None: ...

    def gpio_claim_input(self, _handle: int, gpio: int, _flags: int = 0) -> None:
        if gpio in self.busy:
            raise self.error("'GPIO busy'")

    def gpio_claim_output(self, _handle: int, gpio: int, _level: int = 0) -> None:
        self.gpio_claim_input(_handle, gpio)

    def gpio_claim_alert(self, _handle: int, _gpio: int, _edges: int, _flags: int) -> None: ...

    def gpio_free(self, _handle: int, _gpio: int) -> None: ...

    def gpio_get_mode(self, _handle: int, _gpio: int) -> int:
        return self.SET_PULL_UP

    def gpio_read(self, _handle: int, _gpio: int) -> int:
        return 1

    def gpio_set_debounce_micros(self, _handle: int, _gpio: int, debounce_us: int) -> None:
        assert debounce_us == 0

    def callback(self, _handle: int, gpio: int, _edges: int, func: Callback) -> types.SimpleNamespace:
        self.callbacks[gpio] = func
        return types.SimpleNamespace(cancel=lambda: self.callbacks.pop(gpio, None))
