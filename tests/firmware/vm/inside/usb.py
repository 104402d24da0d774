"""The cable as the board sees it in given time: streams in the place of those of `sys`, which the world fills and
empties. Runs in the VM."""

import usys  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own

from firmware.vm.inside.world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


WAITS_US = 500_000  # for room, each time


class Stream:
    """One direction with its buffer, as in MicroPython."""

    def __init__(self, world: World) -> None:
        self.buffer = self
        self._world = world

    def readinto(self, into: "bytearray | memoryview") -> int:
        """Read as many bytes as there is room for. Asking for more than have come blocks, as on a board."""
        world = self._world
        while len(world.heard) < len(into):
            world.rest(1000, wakes=False)
        into[:] = world.heard[: len(into)]
        world.heard = world.heard[len(into) :]
        return len(into)

    def read(self, count: int) -> bytes:
        """Read `count` bytes."""
        into = bytearray(count)
        self.readinto(into)
        return bytes(into)

    def write(self, said: "bytes | bytearray") -> int:
        """Write as the port does: if nobody reads and there isn't room for everything, wait half a second, write as
        much as there is room for, and repeat that with the rest, until there is no room at all."""
        world, said = self._world, bytes(said)
        while said:
            if len(said) > world.room():
                world.rest(WAITS_US)
            part = said[: world.room()]
            if not part:
                break
            world.say(part)
            said = said[len(part) :]
        return len(said)


class _Implementation:
    """MicroPython's description of the board on which it runs."""

    def __init__(self, board: str, chip: str) -> None:
        self._machine = board + " with " + chip


class Sys:
    """In the place of the module, with this stream."""

    def __init__(self, world: World) -> None:
        self.stdin = self.stdout = Stream(world)  # as on a board, where both have the same `buffer`
        self.implementation = _Implementation(str(world.setup.get("board", "Raspberry Pi Pico")), world.chip_name)

    def __getattr__(self, name: str) -> "Any":
        return getattr(usys, name)
