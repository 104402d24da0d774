"""The profile of a Wi-Fi, as NetworkManager reads it: GLib's reader of key files, which NetworkManager uses, is asked
itself, and NetworkManager's own program where it is installed."""

from __future__ import annotations

import ctypes
import ctypes.util
import re
import shutil
import subprocess

import pytest
from deadline import DEADLINE_S
from taptable.core.errors import ConfigError
from taptable.sdcard.wifi import profile_text, validate_wifi

PASSWORDS = (
    "correct horse battery",
    "  spaces at both ends ",
    "        ",
    "back\\slash \\s \\n \\\\",
    "a;list;of;words;",
    "# no remark",
    "=signs=[of] a 'key' \"file\"",
    "Schöne Grüße",
    "x" * 63,
    "ß" * 31,
)
NAMES = ("FRITZ!Box 7590", "59;49;", " home ", "Küche \\ 2", "1", "#")


def read_by_glib(text: str, group: str, key: str) -> str | None:
    """Return a value of a key file as GLib reads it; None where it isn't there."""
    library = ctypes.util.find_library("glib-2.0")
    if library is None:
        pytest.skip("there is no GLib (libglib-2.0.so.0)")
    glib = ctypes.CDLL(library)
    glib.g_key_file_new.restype = ctypes.c_void_p
    glib.g_key_file_get_string.restype = ctypes.c_char_p
    file = ctypes.c_void_p(glib.g_key_file_new())
    content = text.encode()
    assert glib.g_key_file_load_from_data(file, content, ctypes.c_size_t(len(content)), 0, None)
    value = glib.g_key_file_get_string(file, group.encode(), key.encode(), None)
    glib.g_key_file_free(file)
    return None if value is None else value.decode()


def test_the_profile_has_the_password_from_which_wpa2_and_wpa3_derive_their_keys() -> None:
    text = profile_text(validate_wifi("FRITZ!Box 7590", "correct horse battery"))
    # NetworkManager adds SAE to it where the radio has it; "sae" alone would be WPA3 only
    assert "\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=correct horse battery\n" in text


def test_an_open_network_has_no_security_in_its_profile() -> None:
    assert "wifi-security" not in profile_text(validate_wifi("home", ""))


def test_a_letter_and_an_accent_that_come_apart_are_one_in_the_profile() -> None:
    assert validate_wifi("home", "Ku\u0308che 12") == validate_wifi("home", "K\u00fcche 12")


@pytest.mark.parametrize(
    ("name", "password", "says"),
    [
        ("", "long enough", "No Wi-Fi can be called ''"),
        ("ü" * 17, "long enough", "a name has up to 32 bytes"),
        ("of\udcffbytes", "long enough", "No Wi-Fi can be called"),
        ("home", "short", "it has 8 to 63 letters, .* and this one has 5"),
        ("home", "x" * 64, "and this one has 64"),
        ("home", "ß" * 32, "and this one has 64"),
        ("a\nb", "a password", "No Wi-Fi can be called"),
        ("home", "0123456789abcdef" * 4, "the key that WPA2 derives from a password, and WPA3 can't use it"),
        ("home", "no\u00a0break space", "an invisible sign in that password"),
        ("home", "zero\u200bwidth", "an invisible sign in that password"),
        ("home", "by\tkey or \udcff", "an invisible sign in that password"),
    ],
)
def test_what_no_network_can_have_is_a_sentence_without_the_password(name: str, password: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as raised:
        validate_wifi(name, password)
    assert password not in str(raised.value)


def read_by_network_manager(text: str) -> str:
    """Return a profile as NetworkManager writes it after it has read it; unchanged where it isn't installed."""
    program = shutil.which("nmcli")
    if program is None:
        return text
    command = [program, "--offline", "connection", "modify", "connection.autoconnect", "yes"]
    ran = subprocess.run(command, input=text, capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    return ran.stdout


def test_names_and_passwords_are_read_as_they_were_typed() -> None:
    for name, password in [*((name, "a password") for name in NAMES), *(("home", each) for each in PASSWORDS)]:
        read = read_by_network_manager(profile_text(validate_wifi(name, password)))
        ssid = read_by_glib(read, "wifi", "ssid")
        assert ssid is not None
        # as bytes, or as a text in which a semicolon has a backslash before it
        octets = re.fullmatch(r"(\d+;)+", ssid) and bytes(map(int, ssid.split(";")[:-1]))
        assert (octets.decode() if octets else ssid.replace("\\;", ";")) == name, name
        assert read_by_glib(read, "wifi-security", "psk") == password, password
