"""The keys of event devices by the kernel's names (``linux/input-event-codes.h``), as far as something that lies on a
table may have them. Any other key has its number for a name, in hexadecimal: ``0x1d0``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

_ROWS = (
    (0x001, "KEY_", "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER"),
    (
        0x01D,
        "KEY_",
        "LEFTCTRL A S D F G H J K L SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH Z X C V B N M COMMA DOT",
    ),
    (0x035, "KEY_", "SLASH RIGHTSHIFT KPASTERISK LEFTALT SPACE CAPSLOCK F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK"),
    (0x046, "KEY_", "SCROLLLOCK KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT"),
    (0x056, "KEY_", "102ND F11 F12"),
    (0x060, "KEY_", "KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT LINEFEED HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN"),
    (0x06E, "KEY_", "INSERT DELETE MACRO MUTE VOLUMEDOWN VOLUMEUP POWER KPEQUAL KPPLUSMINUS PAUSE"),
    (0x0A3, "KEY_", "NEXTSONG PLAYPAUSE PREVIOUSSONG STOPCD"),
    (0x0B7, "KEY_", "F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24"),
    (0x100, "BTN_", "0 1 2 3 4 5 6 7 8 9"),
    (0x110, "BTN_", "LEFT RIGHT MIDDLE SIDE EXTRA FORWARD BACK TASK"),
    (0x120, "BTN_", "TRIGGER THUMB THUMB2 TOP TOP2 PINKIE BASE BASE2 BASE3 BASE4 BASE5 BASE6"),
    (0x12F, "BTN_", "DEAD"),
    (0x130, "BTN_", "SOUTH EAST C NORTH WEST Z TL TR TL2 TR2 SELECT START MODE THUMBL THUMBR"),
    (0x220, "BTN_", "DPAD_UP DPAD_DOWN DPAD_LEFT DPAD_RIGHT"),
    (0x2C0, "BTN_TRIGGER_HAPPY", " ".join(map(str, range(1, 41)))),
)
"""Rows of names: the code of the first, what all begin with, and the rest of each."""

LAST = 0x2FF
_NUMBER = re.compile(r"0x[1-9a-f][0-9a-f]{0,2}")

LETTERS = range(0x10, 0x33)
"""The span of codes that has all letters of a keyboard."""
_GAME_BUTTONS = (range(0x100, 0x10A), range(0x120, 0x13F), range(0x220, 0x224), range(0x2C0, 0x2E8))
MOUSE_BUTTONS = range(0x110, 0x118)


def _read_rows() -> Iterator[tuple[str, int]]:
    for first, prefix, names in _ROWS:
        for code, name in enumerate(names.split(), first):
            yield prefix + name, code


CODES: Mapping[str, int] = MappingProxyType(dict(_read_rows()))
"""The code of each key that has a name here."""
NAMES: Mapping[int, str] = MappingProxyType({code: name for name, code in CODES.items()})


def key_code(name: str) -> int | None:
    """Return the code of a key by its name, or by its number if it has none; None if this is neither. A key that has a
    name has no other spelling, so that one key has one address."""
    if name in CODES:
        return CODES[name]
    if _NUMBER.fullmatch(name) and (code := int(name, 16)) <= LAST and code not in NAMES:
        return code
    return None


def key_name(code: int) -> str:
    """Return the name of a key."""
    return NAMES.get(code, f"{code:#x}")


def is_game_button(code: int) -> bool:
    """Return whether this is a button of a joystick, a gamepad or an encoder, and no key of a keyboard or mouse."""
    return any(code in span for span in _GAME_BUTTONS)
