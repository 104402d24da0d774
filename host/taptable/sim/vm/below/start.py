"""Power-up: the flash becomes the root of the file system and the stand-ins are found before anything else; then the
firmware's main program runs as on a board, and whatever it ends by is told. Runs in the VM, as its main program, with
the flash, the folder of `taptable` and the two ends of the channel as arguments."""

import uos  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
import usys  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own
import utime  # pyright: ignore[reportMissingModuleSource]  # MicroPython's own

_MODULES = "/host/taptable/sim/vm/below/modules"


def _power_up(flash: str, host: str, from_host: int, to_host: int) -> None:
    uos.umount("/")
    uos.mount(uos.VfsPosix(flash), "/")
    uos.mount(uos.VfsPosix(host), "/host")
    uos.chdir("/")
    usys.path[:] = [_MODULES, "", ".frozen", "/lib", "/host"]

    from taptable.sim.vm.below import world  # only here, since before there were neither
    from taptable.sim.vm.below.channel import Channel

    channel = Channel(from_host, to_host)
    world.this = here = world.World(channel.receive(), channel, lambda: utime.time_ns() // 1000)

    from taptable.sim.vm.below.deeds import Deeds
    from taptable.sim.vm.below.usb import Sys

    Deeds(here)
    if here.given:
        usys.modules["sys"] = Sys(here)
    try:
        __import__("main")
    except Exception as error:
        usys.print_exception(error)
        here.end("crashed", repr(error))
    here.prompt()


_power_up(usys.argv[1], usys.argv[2], int(usys.argv[3]), int(usys.argv[4]))
