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


def silence(calls: WinscardCalls, context: int, reader: PcscReader) -> bool | None:
    """Switch a reader's beeps off. Return whether they are off; None for a reader of which nothing is known. Raises
    PcscError only if pcscd has ended."""
    if reader.ids not in (ACR1252U, ACR1252U_ONE_SLOT, ACR122U):
        return None
    try:
        card, _ = calls.connect(context, reader.name, SHARE_DIRECT)
        try:
            if reader.ids == ACR122U:
                return calls.control(card, ESCAPE_CONTROL, _ACR122U_QUIET)[:1] == b"\x90"
            return _silence_acr1252u(calls, card)
        finally:
            with suppress(PcscError):
                calls.disconnect(card)
    except PcscError as error:
        if error.code in SERVICE_LOST:
            raise
        _log.info("Beeps of a reader can't be switched off (%s): %s", reader.spelled, error)
        return False


def _silence_acr1252u(calls: WinscardCalls, card: int) -> bool:
    """The reader keeps its behaviour without power: it is written only if it isn't right already."""
    answer = calls.control(card, ESCAPE_CONTROL, _GET_BEHAVIOUR)
    if len(answer) < 6 or answer[0] != 0xE1:
        return False
    if not answer[5] & _BEEPS_OF_CARDS:
        return True
    wanted = answer[5] & ~_BEEPS_OF_CARDS
    answer = calls.control(card, ESCAPE_CONTROL, _SET_BEHAVIOUR + bytes([wanted]))
    return len(answer) >= 6 and answer[5] == wanted
