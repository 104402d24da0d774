"""The Wi-Fi that a table's Pi is to join, as NetworkManager reads it: never with the password itself, only with what
the radio makes of it and of the network's name."""

from __future__ import annotations

import hashlib
import re
import uuid
from dataclasses import dataclass

from taptable.core.errors import ConfigError

_ROUNDS, _KEY_BYTES = 4096, 32  # IEEE 802.11, annex J.4
_NAME_BYTES = range(1, 33)
_PASSWORD_LENGTHS = range(8, 64)


@dataclass(frozen=True, slots=True)
class Wifi:
    """A network by its `name`, and its `key` of 64 hex digits; None where it is open to everybody."""

    name: str
    key: str | None


def wifi(name: str, password: str) -> Wifi:
    """The network of that name; without a password it is open. ConfigError says what can't be."""
    octets = name.encode()
    if len(octets) not in _NAME_BYTES or not name.isprintable():
        raise ConfigError(f"No Wi-Fi can be called {name!r}: a name has up to {_NAME_BYTES[-1]} bytes.")
    if not password:
        return Wifi(name, None)
    if re.fullmatch(r"[0-9A-Fa-f]{64}", password):
        return Wifi(name, password.lower())
    # said without the password itself: this may end up in a log
    if len(password) not in _PASSWORD_LENGTHS or not all(" " <= letter <= "~" for letter in password):
        raise ConfigError(
            f"That is no password of a Wi-Fi: it has {_PASSWORD_LENGTHS[0]} to {_PASSWORD_LENGTHS[-1]} letters, digits"
            f" and signs without accents, and this one has {len(password)}."
        )
    return Wifi(name, hashlib.pbkdf2_hmac("sha1", password.encode(), octets, _ROUNDS, _KEY_BYTES).hex())


def written(network: Wifi) -> str:
    """A connection of NetworkManager's."""
    # as a list of bytes, since in a text it takes some signs for others
    ssid = "".join(f"{octet};" for octet in network.name.encode())
    lines = [
        "[connection]",
        "id=taptable-wifi",
        f"uuid={uuid.uuid5(uuid.NAMESPACE_OID, ssid)}",
        "type=wifi",
        "",
        "[wifi]",
        "mode=infrastructure",
        f"ssid={ssid}",
        "",
    ]
    if network.key is not None:
        lines += ["[wifi-security]", "key-mgmt=wpa-psk", f"psk={network.key}", ""]
    lines += ["[ipv4]", "method=auto", "", "[ipv6]", "addr-gen-mode=default", "method=auto"]
    return "\n".join(lines) + "\n"
