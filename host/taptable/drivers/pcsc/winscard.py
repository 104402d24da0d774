"""The calls of PC/SC that the driver needs, by ctypes on Debian's ``libpcsclite.so.1``, and why one fails, in words.
`WinscardCalls` is the interface that the simulation stands in for. Must not know what a pad is."""

from __future__ import annotations

import ctypes
import os
import socket
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Any, Protocol

LIBRARY = "libpcsclite.so.1"
SOCKET = "/run/pcscd/pcscd.comm"
"""The socket at which pcscd, or systemd for it, listens."""
PNP = "\\\\?PnP?\\Notification"
"""The name of the reader that doesn't exist: its state changes when a reader comes or goes."""

MOST_WAITED = 16
"""The most readers that one call may wait for, `PNP` among them. pcsc-lite before 2.5.0 has no more slots either."""

SHARE_SHARED, SHARE_DIRECT = 2, 3
ESCAPE_CONTROL = 0x42000001
"""The control code of pcsc-lite and libccid for a command to the reader itself. The driver of ACS takes it, too."""
ATTR_SERIAL_NO, ATTR_CHANNEL_ID = 0x00010103, 0x00020110

STATE_CHANGED, STATE_UNKNOWN, STATE_UNAVAILABLE, STATE_EMPTY, STATE_PRESENT = 0x02, 0x04, 0x08, 0x10, 0x20
STATE_EXCLUSIVE, STATE_MUTE = 0x80, 0x200

_SCOPE_SYSTEM, _T0_OR_T1, _LEAVE_CARD = 2, 3, 0
_MOST_BYTES, _ATR_BYTES, _CODE = 264, 33, 0xFFFFFFFF


class PcscCode(IntEnum):
    """Codes with which calls fail, as far as the driver has an opinion about them."""

    CANCELLED = 0x80100002
    INVALID_HANDLE = 0x80100003
    INVALID_PARAMETER = 0x80100004
    UNKNOWN_READER = 0x80100009
    TIMEOUT = 0x8010000A
    SHARING_VIOLATION = 0x8010000B
    NO_SMARTCARD = 0x8010000C
    NOT_TRANSACTED = 0x80100016
    COMM_ERROR = 0x80100013
    READER_UNAVAILABLE = 0x80100017
    NO_SERVICE = 0x8010001D
    SERVICE_STOPPED = 0x8010001E
    UNSUPPORTED_FEATURE = 0x8010001F
    NO_READERS_AVAILABLE = 0x8010002E
    NO_ACCESS = 0x80100027
    UNRESPONSIVE_CARD = 0x80100066
    REMOVED_CARD = 0x80100069
    SECURITY_VIOLATION = 0x8010006A


class PcscError(Exception):
    """A call failed, with this code of PC/SC."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code

    def __str__(self) -> str:
        known = {code.value: code.name for code in PcscCode}
        return known.get(self.code, "error").lower().replace("_", " ") + f" (0x{self.code:08X})"


class NoLibrary(Exception):
    """The library of PC/SC isn't installed."""


SERVICE_LOST = frozenset({PcscCode.NO_SERVICE, PcscCode.SERVICE_STOPPED, PcscCode.COMM_ERROR, PcscCode.INVALID_HANDLE})
"""Codes after which a context is of no use any more: the service has ended, or another one runs now."""

REFUSED = frozenset({PcscCode.SECURITY_VIOLATION, PcscCode.NO_ACCESS})
REFUSED_BY_POLKIT = "pcscd refuses the table: polkit doesn't let its user use readers"


def spell_no_context(error: PcscError | NoLibrary) -> str:
    """Spell why PC/SC can't be used at all, after the call that begins its use has failed."""
    if isinstance(error, NoLibrary):
        return "the library of PC/SC isn't installed"
    match error.code:
        case PcscCode.NO_SERVICE:
            return "the service pcscd isn't running"
        case PcscCode.SERVICE_STOPPED:
            # the answer of a pcscd to a library that is older or newer
            return "pcscd and its library have different versions: one of them runs since before an upgrade"
        case PcscCode.COMM_ERROR | PcscCode.SECURITY_VIOLATION | PcscCode.NO_ACCESS:
            # a refusal by polkit is a security violation with pcscd 2.3.3; one that drops the connection has no code
            return REFUSED_BY_POLKIT
        case _:
            return f"pcscd can't be used: {error}"


class WinscardCalls(Protocol):
    """The calls. All of them block and may come from any thread; those that fail raise PcscError."""

    def establish_context(self) -> int:
        """Begin to use PC/SC, and return a context. Raises NoLibrary without the library."""
        ...

    def release_context(self, context: int) -> None:
        """End the use of a context."""
        ...

    def list_readers(self, context: int) -> list[str]:
        """Return the names of all readers that are plugged in. A reader with two slots has two names."""
        ...

    def get_status_change(self, context: int, timeout_ms: int, readers: Sequence[tuple[str, int]]) -> list[int]:
        """Wait until the state of one of these readers isn't the given one any more, and return the states of all. The
        upper 16 bits of a state count the cards that came and went. If none changes in time, it fails with TIMEOUT."""
        ...

    def cancel(self, context: int) -> None:
        """End a wait in another thread: it fails with CANCELLED."""
        ...

    def connect(self, context: int, reader: str, share: int) -> tuple[int, int]:
        """Connect to the card in a reader, or to the reader itself (`SHARE_DIRECT`). Return a handle and a protocol."""
        ...

    def disconnect(self, card: int) -> None:
        """End a connection. The card stays powered."""
        ...

    def transmit(self, card: int, protocol: int, command: bytes) -> bytes:
        """Send a command to a card, or to a reader that answers for it, and return the answer with its status."""
        ...

    def control(self, card: int, code: int, command: bytes) -> bytes:
        """Send a command to a reader, and return its answer."""
        ...

    def get_attrib(self, card: int, attribute: int) -> bytes:
        """Return an attribute of a reader."""
        ...


# `DWORD` is an unsigned long and `LONG` a long in pcsc-lite on Linux, and no structure is packed
_Dword, _Long = ctypes.c_ulong, ctypes.c_long


class _ReaderState(ctypes.Structure):
    _fields_ = (
        ("reader", ctypes.c_char_p),
        ("user_data", ctypes.c_void_p),
        ("current", _Dword),
        ("event", _Dword),
        ("atr_length", _Dword),
        ("atr", ctypes.c_ubyte * _ATR_BYTES),
    )


class _IoRequest(ctypes.Structure):
    _fields_ = (("protocol", ctypes.c_ulong), ("length", ctypes.c_ulong))


@cache
def _library(path: str) -> Any:
    library = ctypes.CDLL(path)
    pointer = ctypes.POINTER
    buffer, length = ctypes.c_char_p, pointer(_Dword)
    for name, arguments in (
        ("EstablishContext", (_Dword, ctypes.c_void_p, ctypes.c_void_p, pointer(_Long))),
        ("ReleaseContext", (_Long,)),
        ("ListReaders", (_Long, ctypes.c_char_p, buffer, length)),
        ("GetStatusChange", (_Long, _Dword, pointer(_ReaderState), _Dword)),
        ("Cancel", (_Long,)),
        ("Connect", (_Long, ctypes.c_char_p, _Dword, _Dword, pointer(_Long), length)),
        ("Disconnect", (_Long, _Dword)),
        ("Transmit", (_Long, pointer(_IoRequest), buffer, _Dword, pointer(_IoRequest), buffer, length)),
        ("Control", (_Long, _Dword, buffer, _Dword, buffer, _Dword, length)),
        ("GetAttrib", (_Long, _Dword, buffer, length)),
    ):
        function = getattr(library, f"SCard{name}")
        function.argtypes, function.restype = arguments, _Long
    return library


class PcscLite:
    """`WinscardCalls` by pcsc-lite. ctypes lets the other threads run during each call."""

    def __init__(self, path: str = LIBRARY) -> None:
        self._path = path

    def establish_context(self) -> int:
        """Begin to use PC/SC. systemd starts pcscd for it where its socket is enabled."""
        context = _Long()
        try:
            _library(self._path)
        except OSError as error:
            raise NoLibrary(str(error)) from error
        try:
            self._call("EstablishContext", _SCOPE_SYSTEM, None, None, ctypes.byref(context))
        except PcscError as error:
            # pcsc-lite 1.9.9 reports a violation of security where nobody listens any more
            raise error if self._listens() else PcscError(PcscCode.NO_SERVICE) from error
        return context.value

    def release_context(self, context: int) -> None:
        """End the use of a context."""
        self._call("ReleaseContext", context)

    def list_readers(self, context: int) -> list[str]:
        """Return the names of all readers."""
        length = _Dword()
        try:
            self._call("ListReaders", context, None, None, ctypes.byref(length))
            # one that comes in between needs more room
            length = _Dword(length.value + 1024)
            names = ctypes.create_string_buffer(length.value)
            self._call("ListReaders", context, None, names, ctypes.byref(length))
        except PcscError as error:
            if error.code == PcscCode.NO_READERS_AVAILABLE:
                return []
            raise
        return [name.decode(errors="surrogateescape") for name in names.raw[: length.value].split(b"\0") if name]

    def get_status_change(self, context: int, timeout_ms: int, readers: Sequence[tuple[str, int]]) -> list[int]:
        """Wait for a change of one of these readers' states."""
        states = (_ReaderState * len(readers))()
        for state, (name, current) in zip(states, readers, strict=True):
            state.reader, state.current = _spell(name), current
        self._call("GetStatusChange", context, timeout_ms, states, len(readers))
        return [state.event for state in states]

    def cancel(self, context: int) -> None:
        """End a wait in another thread."""
        self._call("Cancel", context)

    def connect(self, context: int, reader: str, share: int) -> tuple[int, int]:
        """Connect to a card or a reader."""
        card, protocol = _Long(), _Dword()
        protocols = 0 if share == SHARE_DIRECT else _T0_OR_T1
        self._call("Connect", context, _spell(reader), share, protocols, ctypes.byref(card), ctypes.byref(protocol))
        return card.value, protocol.value

    def disconnect(self, card: int) -> None:
        """End a connection."""
        self._call("Disconnect", card, _LEAVE_CARD)

    def transmit(self, card: int, protocol: int, command: bytes) -> bytes:
        """Send a command to a card."""
        request = _IoRequest(protocol, ctypes.sizeof(_IoRequest))
        answer, length = ctypes.create_string_buffer(_MOST_BYTES), _Dword(_MOST_BYTES)
        self._call("Transmit", card, ctypes.byref(request), command, len(command), None, answer, ctypes.byref(length))
        return answer.raw[: length.value]

    def control(self, card: int, code: int, command: bytes) -> bytes:
        """Send a command to a reader."""
        answer, length = ctypes.create_string_buffer(_MOST_BYTES), _Dword()
        self._call("Control", card, code, command, len(command), answer, _MOST_BYTES, ctypes.byref(length))
        return answer.raw[: length.value]

    def get_attrib(self, card: int, attribute: int) -> bytes:
        """Return an attribute of a reader."""
        value, length = ctypes.create_string_buffer(_MOST_BYTES), _Dword(_MOST_BYTES)
        self._call("GetAttrib", card, attribute, value, ctypes.byref(length))
        return value.raw[: length.value]

    @staticmethod
    def _listens() -> bool:
        """Return whether pcscd, or systemd for it, listens at its socket, for this process or for others alone."""
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                probe.connect(os.environ.get("PCSCLITE_CSOCK_NAME", SOCKET))
            except OSError as error:
                return isinstance(error, PermissionError)
        return True

    def _call(self, name: str, *arguments: Any) -> None:
        code = getattr(_library(self._path), f"SCard{name}")(*arguments) & _CODE
        if code:
            raise PcscError(code)


def _spell(name: str) -> bytes:
    return name.encode(errors="surrogateescape")
