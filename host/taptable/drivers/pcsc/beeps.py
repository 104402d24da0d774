"""Switches the beeps of known readers off: each tap would beep, and the table has sounds of its own. A reader that
doesn't allow it stays as it is. Must not know the pads."""

from __future__ import annotations

import logging
from contextlib import suppress

from taptable.drivers.pcsc.readers import ACR122U, ACR1252U, ACR1252U_ONE_SLOT, PcscReader
from taptable.drivers.pcsc.winscard import ESCAPE_CONTROL, SERVICE_LOST, SHARE_DIRECT, PcscError, WinscardCalls

_GET_BEHAVIOUR, _SET_BEHAVIOUR = bytes.fromhex("E000002100"), bytes.fromhex("E000002101")
_BEEPS_OF_CARDS = 0x08
"""The bit of an ACR1252U's behaviour: it beeps when a card comes or goes."""
_ACR122U_QUIET = bytes.fromhex("FF00520000")

_log = logging.getLogger(__name__)


def beeps(calls: WinscardCalls, context: int, reader: PcscReader) -> bool | None:
    """Return whether a reader beeps when a card comes or goes; None if it doesn't say so. Raises PcscError."""
    if reader.ids not in (ACR1252U, ACR1252U_ONE_SLOT):
        return None
    card, _ = calls.connect(context, reader.name, SHARE_DIRECT)
    try:
        answer = calls.control(card, ESCAPE_CONTROL, _GET_BEHAVIOUR)
    finally:
        with suppress(PcscError):
            calls.disconnect(card)
    return bool(answer[5] & _BEEPS_OF_CARDS) if _is_behaviour(answer) else None


def silence(calls: WinscardCalls, context: int, reader: PcscReader) -> bytes:
    """Switch a reader's beeps off, if they are known and it allows it. Return a command that does so with the next
    card, or nothing. Raises PcscError only if pcscd has ended."""
    if reader.ids not in (ACR1252U, ACR1252U_ONE_SLOT, ACR122U):
        return b""
    try:
        card, _ = calls.connect(context, reader.name, SHARE_DIRECT)
        try:
            if reader.ids != ACR122U:
                _silence_acr1252u(calls, card)
            elif not calls.control(card, ESCAPE_CONTROL, _ACR122U_QUIET).startswith(b"\x90"):
                return _ACR122U_QUIET
        finally:
            with suppress(PcscError):
                calls.disconnect(card)
    except PcscError as error:
        if error.code in SERVICE_LOST:
            raise
        _log.info("Beeps of a reader can't be switched off (%s): %s", reader.spelled, error)
        return _ACR122U_QUIET if reader.ids == ACR122U else b""
    return b""


def _silence_acr1252u(calls: WinscardCalls, card: int) -> None:
    """Clear the bit. The reader keeps its behaviour without power, so it is written only if it isn't right already."""
    answer = calls.control(card, ESCAPE_CONTROL, _GET_BEHAVIOUR)
    if _is_behaviour(answer) and answer[5] & _BEEPS_OF_CARDS:
        calls.control(card, ESCAPE_CONTROL, _SET_BEHAVIOUR + bytes([answer[5] & ~_BEEPS_OF_CARDS]))


def _is_behaviour(answer: bytes) -> bool:
    return len(answer) >= 6 and answer[0] == 0xE1
