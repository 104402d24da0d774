"""Power-up: mounts the flash as the root of the file system, puts the stand-ins before everything else on the path,
runs the firmware's main program as on a board, and reports how it ended. Runs in the VM, as its main program, with the
flash, the project's folder and the two ends of the channel as arguments. The channel carries lists as lines of JSON."""

import json

import uos  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
import usys  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
import utime  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own

_MODULES = "/project/tests/firmware/vm/inside/modules"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Channel:
    """Over two open file descriptors."""

    def __init__(self, from_host: int, to_host: int) -> None:
        self.input = open(from_host, "rb")  # noqa: SIM115 - a descriptor, open for as long as the VM runs
        self._output = open(to_host, "wb")  # noqa: SIM115

    def receive(self) -> "Any":
        """The next line; waits for it. SystemExit when nobody is there any more."""
        line = self.input.readline()
        if not line:
            raise SystemExit
        return json.loads(line)

    def tell(self, *about: "str | int | None") -> None:
        """Write a line to the channel."""
        self._output.write((json.dumps(about) + "\n").encode())


def _power_up(flash: str, project: str, from_host: int, to_host: int) -> None:
    uos.umount("/")
    uos.mount(uos.VfsPosix(flash), "/")
    uos.mount(uos.VfsPosix(project), "/project")
    uos.chdir("/")
    usys.path[:] = [_MODULES, "", ".frozen", "/lib", "/project/host", "/project/tests"]

    from firmware.vm.inside import world  # only here, since before there was none

    channel = Channel(from_host, to_host)
    world.this = here = world.World(channel.receive(), channel, lambda: utime.time_ns() // 1000)

    from firmware.vm.inside.actions import Actions
    from firmware.vm.inside.usb import Sys

    Actions(here)
    if here.given:
        usys.modules["sys"] = Sys(here)
    try:
        __import__("main")
    except Exception as error:
        usys.print_exception(error)
        here.end("crashed", repr(error))
    here.prompt()


_power_up(usys.argv[1], usys.argv[2], int(usys.argv[3]), int(usys.argv[4]))
