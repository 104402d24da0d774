"""The choice of the address of this computer that people at the table are shown."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address

import ifaddr
import pytest
from taptable.page.network import Reach, local_name, own_addresses, rank_addresses


def reaches(*found: tuple[str, str, bool]) -> list[Reach]:
    return [Reach(interface, IPv4Address(address), physical) for interface, address, physical in found]


LOOPBACK = ("lo", "127.0.0.1", False)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ([LOOPBACK], ()),
        ([LOOPBACK, ("wlan0", "10.42.0.1", True)], ("10.42.0.1",)),
        ([("wlan0", "10.42.0.1", True), ("eth0", "192.168.1.7", True)], ("192.168.1.7", "10.42.0.1")),
        ([("eth0", "169.254.9.9", True), ("wlan0", "192.168.1.7", True)], ("192.168.1.7", "169.254.9.9")),
        ([("docker0", "172.17.0.1", False), ("wlan0", "192.168.1.7", True)], ("192.168.1.7", "172.17.0.1")),
        ([("eth0", "8.8.8.8", True), ("wlan0", "192.168.1.7", True)], ("192.168.1.7", "8.8.8.8")),
    ],
    ids=["no network", "a hotspot", "cable and hotspot", "a cable to nowhere", "a program's network", "the world"],
)
def test_the_address_that_most_phones_reach_comes_first(
    found: list[tuple[str, str, bool]], told: Iterable[str]
) -> None:
    assert rank_addresses(reaches(*found)) == told
    assert rank_addresses(reaches(*reversed(found))) == told


def test_the_addresses_of_this_computer_are_those_that_the_kernel_names() -> None:
    own = {ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips if isinstance(ip.ip, str)}
    assert set(own_addresses()) == {address for address in own if not address.startswith("127.")}


def test_a_computer_that_may_not_be_asked_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError(97, "Address family not supported by protocol")

    monkeypatch.setattr(ifaddr, "get_adapters", refuse)
    assert own_addresses() == ()


def test_the_name_in_the_own_network_has_no_domain_of_another() -> None:
    assert local_name().endswith(".local")
    assert local_name().count(".") == 1
