"""The addresses by which other devices reach this computer: those of its own networks, the one to tell people first.
Asks the kernel only; must not know what is served there."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

_DEVICES = Path("/sys/class/net")


@dataclass(frozen=True, slots=True)
class Reach:
    """An IPv4 address of this computer; `physical` if it is a network's card, not one a program made up."""

    interface: str
    address: IPv4Address
    physical: bool


def own_addresses() -> tuple[str, ...]:
    """The IPv4 addresses at which other devices may find this computer, best first; none without a network."""
    try:
        found = list(_reaches())
    except OSError:
        # a service may be kept from asking
        return ()
    return in_order(found)


def in_order(found: list[Reach]) -> tuple[str, ...]:
    """The addresses of these, best first: of a real network before a program's; a private one before one that the world
    sees or that was only made up; a cable's before that of a Wi-Fi, which may be the Pi's own and end with it."""
    return tuple(str(reach.address) for reach in sorted(found, key=_rank) if not reach.address.is_loopback)


def local_name() -> str:
    """This computer's name in its own network, as mDNS has it."""
    return f"{socket.gethostname().partition('.')[0]}.local"


def _reaches() -> Iterator[Reach]:
    # only a table whose page is open to the network pays for it
    import ifaddr

    for adapter in ifaddr.get_adapters():
        physical = (_DEVICES / adapter.name / "device").exists()
        for ip in adapter.ips:
            if isinstance(ip.ip, str):  # one of IPv6 is a tuple
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
