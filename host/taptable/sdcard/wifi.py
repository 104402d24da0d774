"""The Wi-Fi that a table's Pi joins, as a profile for NetworkManager. The profile contains the password itself: WPA2
and WPA3 (SAE) both derive their key from it, and WPA3 can't use the key that WPA2 derived. Pure; `writing` puts the
profile on the card."""

from __future__ import annotations

import re
import unicodedata
import uuid
from dataclasses import dataclass

from taptable.core.errors import ConfigError

_NAME_BYTES = range(1, 33)
_PASSWORD_BYTES = range(8, 64)
"""The possible lengths of a network's name (IEEE 802.11) and of its password (WPA2)."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """A network by its `name`, and its `password`; None if it is open."""

    name: str
    password: str | None


def validate_wifi(name: str, password: str) -> Wifi:
    """Return the network of that name; without a password it is open. Raise ConfigError if either is wrong; the
    sentence never contains the password, since it may end up in a log."""
    if not name.isprintable() or len(name.encode()) not in _NAME_BYTES:
        raise ConfigError(f"No Wi-Fi can be called {name!r}: a name has up to {_NAME_BYTES[-1]} bytes.")
    if not password:
        return Wifi(name, None)
    if re.fullmatch(r"[0-9A-Fa-f]{64}", password):
        raise ConfigError(
            "That is the key that WPA2 derives from a password, and WPA3 can't use it: give the password itself."
        )
    # composed, as a phone sends it: macOS may give letter and accent separately
    password = unicodedata.normalize("NFC", password)
    if not password.isprintable():
        raise ConfigError("There is an invisible sign in that password (of a web page or a chat, perhaps): type it in.")
    size = len(password.encode())
    if size not in _PASSWORD_BYTES:
        raise ConfigError(
            f"That is no password of a Wi-Fi: it has {_PASSWORD_BYTES[0]} to {_PASSWORD_BYTES[-1]} letters, digits and"
            f" signs (a letter with an accent counts as two), and this one has {size}."
        )
    return Wifi(name, password)


def profile_text(network: Wifi) -> str:
    """Return the text of NetworkManager's profile for a network, for both WPA2 and WPA3."""
    # as a list of bytes, since in a text NetworkManager interprets some characters
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
    if network.password is not None:
        # with wpa-psk NetworkManager offers WPA2 and, if the radio has it, WPA3
        lines += ["[wifi-security]", "key-mgmt=wpa-psk", f"psk={_escaped(network.password)}", ""]
    lines += ["[ipv4]", "method=auto", "", "[ipv6]", "addr-gen-mode=default", "method=auto"]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    """Return a text as a value of a key file: GLib drops leading spaces, and a backslash begins an escape."""
    return re.sub("^ +| +$", lambda spaces: r"\s" * len(spaces[0]), text.replace("\\", r"\\"))
