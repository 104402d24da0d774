"""The socket on which the page listens, on this computer's own address or on all of them, with limits that the kernel
applies. Must not know what is served there; `server` uses it."""

from __future__ import annotations

import errno
import socket

ACCEPT_BACKLOG = 128
"""How many newcomers may wait in the kernel: one is accepted in each turn of the loop."""
MAX_UNSENT_BYTES = 16_384
"""Bytes that may wait to be sent to a client, in the kernel, and again in the process: more would be out of date when a
slow client reads it."""
LOOPBACK = "127.0.0.1"
"""The address by which only this computer is reached."""
RECEIVE_BUFFER_BYTES = 65_536
"""Bytes that a client has sent and that may wait in the kernel."""
GONE_AFTER_S = 30
"""Seconds for which a client's computer may leave data unacknowledged, or be silent before it is probed: phones vanish
without closing a connection."""

_OPTIONS = {
    getattr(socket, name): value
    for name, value in {
        "TCP_KEEPIDLE": GONE_AFTER_S,
        "TCP_KEEPINTVL": 10,
        "TCP_KEEPCNT": 3,
        "TCP_USER_TIMEOUT": 1000 * GONE_AFTER_S,
        "TCP_NOTSENT_LOWAT": MAX_UNSENT_BYTES,
    }.items()
    if hasattr(socket, name)  # some exist on Linux only
}
_NO_IPV6 = {errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL}
"""The errors of a kernel that has no IPv6, or has it switched off."""


def listen(port: int, *, network: bool) -> socket.socket:
    """Return a socket at the port that accepts nothing yet; raise OSError if that is impossible."""
    if network and socket.has_dualstack_ipv6():
        try:
            return _bind(socket.AF_INET6, "::", port)
        except OSError as error:
            if error.errno not in _NO_IPV6:
                raise
    return _bind(socket.AF_INET, "0.0.0.0" if network else LOOPBACK, port)


def _bind(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    # with its protocol named, asyncio sends small messages at once; otherwise each waits until the last is acknowledged
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # a port that was ours a moment ago can be used again at once
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
        # the kernel detects a client whose computer slept or crashed
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _OPTIONS.items():
            listener.setsockopt(socket.IPPROTO_TCP, option, value)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen(ACCEPT_BACKLOG)
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener
