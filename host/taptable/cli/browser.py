"""Where the demo's page is served, and a browser to show it in, where there is one that needs no terminal."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from contextlib import suppress

from taptable.core.errors import ConfigError
from taptable.page.listening import listen

FIRST_PORT = 8137
PORTS_TRIED = 20
OPENERS = {"darwin": "open", "linux": "xdg-open"}
"""The program of each system that opens an address in the browser somebody has chosen."""


def listener_at(wanted: int | None) -> socket.socket:
    """A socket at a port of this computer that nobody has: the one that is wanted, or the first free one from
    `FIRST_PORT` on; ConfigError if there is none."""
    if wanted is not None:
        if not 1 <= wanted <= 65535:
            raise ConfigError(f"--port takes a whole number from 1 to 65535, not {wanted}.")
        try:
            return listen(wanted, network=False)
        except OSError as error:
            raise ConfigError(f"--port {wanted} can't be had: {error.strerror or error}.") from error
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        with suppress(OSError):
            return listen(port, network=False)
    raise ConfigError(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} is free: name one with --port.")


def show_in_browser(address: str) -> None:
    """Open it in a browser with a window, if there can be one; nothing happens else."""
    opener = OPENERS.get(sys.platform)
    has_windows = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if opener is None or not has_windows or shutil.which(opener) is None:
        return
    # cut off from the terminal, in which a browser without a window would spread itself
    quiet = subprocess.DEVNULL
    subprocess.Popen([opener, address], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)
