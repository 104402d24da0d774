"""The addresses and names by which other devices reach this computer, the best address first. Asks only the kernel;
must not know what is served there."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

_DEVICES = Path("/sys/class/net")
SUFFIXES = ("local", "lan", "home.arpa", "home", "internal", "localdomain", "fritz.box")
"""The domains that a home network gives its devices: mDNS's, the reserved ones, and those of common routers. Nobody
outside can create a name in them, except in ``fritz.box``, which is its maker's own."""


@dataclass(frozen=True, slots=True)
class Reach:
    """An IPv4 address of this computer; `physical` if it belongs to a network card, not to an interface that a program
    made up."""

    interface: str
    address: IPv4Address
    physical: bool


def own_addresses() -> tuple[str, ...]:
    """Return the IPv4 addresses at which other devices may find this computer, best first; none without a network."""
    try:
        found = list(_interface_addresses())
    except OSError:
        # a service's sandbox may forbid the question
        return ()
    return rank_addresses(found)


def rank_addresses(found: list[Reach]) -> tuple[str, ...]:
    """Return the addresses of these, best first: of a real network before a program's; a private one before one that
    the world sees or that was only made up; a cable's before a Wi-Fi's, which may be the Pi's own and end with it."""
    return tuple(str(reach.address) for reach in sorted(found, key=_rank) if not reach.address.is_loopback)


def local_name() -> str:
    """Return this computer's name in its own network, as mDNS has it."""
    return f"{own_label(socket.gethostname())}.local"


def own_label(hostname: str) -> str:
    """Return the first label of a computer's name, in lower case: by it other devices find the computer."""
    return hostname.lower().partition(".")[0]


def is_own_name(name: str, hostname: str) -> bool:
    """Return whether a home network may give this name (in lower case) to a computer that calls itself `hostname`: its
    label, or one of those that avahi uses if another computer has the label, alone or in one of the `SUFFIXES`."""
    label, dot, suffix = name.removesuffix(".").partition(".")
    return (not dot or suffix in SUFFIXES) and _is_label_of(own_label(hostname), label)


def _is_label_of(own: str, label: str) -> bool:
    """Return whether a label is `own`, or follows it as avahi counts: ``table``, ``table-2``, ``table-3``."""
    base, _, number = own.rpartition("-")
    if not base or not number.isdecimal():
        base, number = own, "1"
    follows = re.fullmatch(rf"{re.escape(base)}-([1-9]\d*)", label)
    return own != "" and (label == own or (follows is not None and int(follows[1]) > int(number)))


def _interface_addresses() -> Iterator[Reach]:
    # imported here, as only a table whose page is open to the network pays for it
    import ifaddr

    for adapter in ifaddr.get_adapters():
        physical = (_DEVICES / adapter.name / "device").exists()
        for ip in adapter.ips:
            if isinstance(ip.ip, str):  # an IPv6 address is a tuple
                yield Reach(adapter.name, IPv4Address(ip.ip), physical)


def _rank(reach: Reach) -> tuple[bool, bool, bool, bool, str]:
    address = reach.address
    return (
        not reach.physical,
        address.is_link_local,
        not address.is_private,
        reach.interface.startswith("wl"),
        reach.interface,
    )
