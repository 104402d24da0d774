"""The readers that pcscd lists: which names belong to one device, which of its slots reads cards without contact, and
by what each can be named in an address: its serial number, the USB port that it is plugged into, or (if it is no USB
device) its name. Asks readers who they are and changes nothing. Must not know the pads."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import MappingProxyType

from taptable.drivers.pcsc.winscard import (
    ATTR_CHANNEL_ID,
    ATTR_SERIAL_NO,
    SERVICE_LOST,
    SHARE_DIRECT,
    PcscCode,
    PcscError,
    WinscardCalls,
)
from taptable.drivers.usb_ports import PluggedDevice, UsbPorts, is_port

MOST_SLOTS = 16
"""The most slots that pcscd before 2.5.0 lists."""

ACR1252U, ACR1252U_ONE_SLOT, UTRUST_3700F, ACR122U = "072f:223b", "072f:223e", "04e6:5790", "072f:2200"
MAKES: Mapping[str, str] = MappingProxyType(
    {ACR1252U: "ACR1252U", ACR1252U_ONE_SLOT: "ACR1252U", UTRUST_3700F: "uTrust 3700 F", ACR122U: "ACR122U"}
)
"""The readers that the documentation names, by the ids of their USB devices."""

_USB_CHANNEL = 0x0020
_NAME = re.compile(r"(.*?)(?: ([0-9A-F]{2}) ([0-9A-F]{2}))?", re.DOTALL)
_SERIAL_IN_NAME = re.compile(r"\(([^()]+)\)$")
_IN_BRACKETS = re.compile(r" \[[^\[\]]*\]")
"""The name of a USB device's interface, which pcscd adds to that of the device."""
_CONTACTLESS = re.compile(r"\b(PICC|CL|Contactless|NFC)\b", re.IGNORECASE)
_CONTACTS = re.compile(r"\b(SAM|ICC|Contact)\b", re.IGNORECASE)
_UNUSUAL = re.compile(r"[^A-Za-z0-9_.-]+")
_ADDRESS_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_NO_SERIAL = re.compile(r"[0_.-]*")
"""Serial numbers of devices that have none."""


def is_address_name(text: str) -> bool:
    """Return whether an address may have this after its colon."""
    return _ADDRESS_NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class PcscReader:
    """A reader, by the name of its contactless slot at pcscd, which changes with plugging. `device` is the USB device,
    None if it isn't known. `serial` is its serial number as an address spells it, "" if it has none. `channel` is how
    it is connected, as pcscd says: it changes with each plugging; 0 if it isn't known."""

    name: str
    device: PluggedDevice | None
    serial: str
    alias: str
    """The name without what changes with plugging, as an address spells it."""
    channel: int = 0

    @property
    def port(self) -> str:
        """The USB port that it is plugged into; "" if it isn't known."""
        return "" if self.device is None else self.device.port

    @property
    def ids(self) -> str:
        """The ids of its USB device; "" if they aren't known."""
        return "" if self.device is None else self.device.ids

    @property
    def make(self) -> str:
        """The make of the reader, for people."""
        known = MAKES.get(self.ids)
        return known or (self.alias if self.device is None else self.device.make)

    @property
    def spelled(self) -> str:
        """The reader and where it is plugged in, for people."""
        return f"{self.make} at USB port {self.port}" if self.port else self.make


class ReaderList:
    """The readers of one context. It remembers who they are while their names are listed."""

    def __init__(self, calls: WinscardCalls, context: int, ports: UsbPorts) -> None:
        self.calls = calls
        self.context = context
        self._ports = ports
        self._slots: dict[str, PcscReader] = {}
        self.names: Sequence[str] = ()
        """The names of all slots, as pcscd lists them."""
        self.readers: Sequence[PcscReader] = ()
        """Each reader, once."""
        self.refused: Mapping[str, PcscError] = {}
        """Why a reader can't be asked who it is, by its name."""

    @classmethod
    @contextmanager
    def opened(cls, calls: WinscardCalls, ports: UsbPorts) -> Generator[ReaderList]:
        """Yield the readers that pcscd has now, listed once, in a context of its own. Raises PcscError or NoLibrary."""
        context = calls.establish_context()
        try:
            readers = cls(calls, context, ports)
            readers.refresh()
            yield readers
        finally:
            with suppress(PcscError):
                calls.release_context(context)

    def refresh(self, *, forget: Collection[str] = ()) -> None:
        """List the readers. `forget` are names that may belong to another reader now. Raises PcscError if pcscd can't
        be asked."""
        names = self.calls.list_readers(self.context)
        if names == self.names and not forget and not self.refused:
            return
        devices = {_device_of(name) for name in forget}
        self._slots = {
            name: slot for name, slot in self._slots.items() if name in names and _device_of(name) not in devices
        }
        refused: dict[str, PcscError] = {}
        for name in names:
            if name not in self._slots:
                try:
                    self._slots[name] = self._identify(name)
                except PcscError as error:
                    if error.code in SERVICE_LOST:
                        raise
                    refused[name] = error
        self.names, self.refused = names, refused
        barred = {_device_of(name) for name in refused}
        slots = [self._slots[name] for name in names if name in self._slots and _device_of(name) not in barred]
        self.readers = list(_contactless(slots))

    def _identify(self, name: str) -> PcscReader:
        serial, device = b"", None
        card, _ = self.calls.connect(self.context, name, SHARE_DIRECT)
        try:
            serial = attribute_of(self.calls, card, ATTR_SERIAL_NO).rstrip(b"\0")
            channel = channel_of(self.calls, card)
        finally:
            with suppress(PcscError):
                self.calls.disconnect(card)
        if channel >> 16 == _USB_CHANNEL:
            device = self._ports.device_number(channel >> 8 & 0xFF, channel & 0xFF)
        base = name_without_numbers(name)
        in_name = _SERIAL_IN_NAME.search(base)
        texts = [serial.decode(errors="replace"), device.serial if device else "", in_name[1] if in_name else ""]
        usable = [text for text in map(_address_name, texts) if text and not _NO_SERIAL.fullmatch(text)]
        return PcscReader(name, device, usable[0] if usable else "", _address_name(base), channel)


def attribute_of(calls: WinscardCalls, card: int, attribute: int) -> bytes:
    """Return an attribute of a reader, or nothing if it has none. Raises PcscError if pcscd has ended."""
    try:
        return calls.get_attrib(card, attribute)
    except PcscError as error:
        if error.code in SERVICE_LOST - {PcscCode.COMM_ERROR}:
            raise
        return b""


def channel_of(calls: WinscardCalls, card: int) -> int:
    """Return how the reader of a connection is connected, 0 if it doesn't say. Raises PcscError if pcscd has ended."""
    return int.from_bytes(attribute_of(calls, card, ATTR_CHANNEL_ID), sys.byteorder)


def name_without_numbers(name: str) -> str:
    """Return the name of a reader without the numbers that change with plugging."""
    found = _NAME.fullmatch(name)
    return found[1] if found else name


def addresses_of(readers: Sequence[PcscReader]) -> Mapping[str, PcscReader]:
    """Return the readers by what an address has to call them: a serial number that no other has, else the USB port,
    else a name that no other has. A reader with none of these is left out."""
    serials = Counter(reader.serial for reader in readers)
    aliases = Counter(reader.alias for reader in readers)
    found: dict[str, PcscReader] = {}
    for reader in readers:
        names = (
            reader.serial if serials[reader.serial] == 1 else "",
            reader.port,
            reader.alias if aliases[reader.alias] == 1 else "",
        )
        if name := next((name for name in names if name and name not in found), ""):
            found[name] = reader
    return found


def readers_called(name: str, readers: Sequence[PcscReader]) -> list[PcscReader]:
    """Return the readers that an address means: the one at a port, else those with this serial number, else those with
    this name."""
    for which in (
        [reader for reader in readers if reader.port == name],
        [reader for reader in readers if reader.serial == name],
        [reader for reader in readers if reader.alias == name],
    ):
        if which:
            return which
    return []


def _device_of(name: str) -> tuple[str, str]:
    """Return what the names of all slots of one device have in common, whose interfaces pcscd has as one reader."""
    found = _NAME.fullmatch(name)
    return ("", name) if found is None or found[2] is None else (_IN_BRACKETS.sub("", found[1]), found[2])


def _contactless(slots: Sequence[PcscReader]) -> Iterator[PcscReader]:
    """Yield one slot of each device: the one that reads cards without contact by its name, else the first. One with
    contacts alone is left out."""
    devices: dict[str, list[PcscReader]] = {}
    for slot in slots:
        if _rank(slot) < 2:
            devices.setdefault(slot.port or " ".join(_device_of(slot.name)), []).append(slot)
    for those in devices.values():
        yield min(those, key=_rank)  # the first of equals


def _rank(slot: PcscReader) -> int:
    interface = slot.name.rpartition("[")[2]
    if _CONTACTLESS.search(interface):
        return 0
    return 2 if _CONTACTS.search(interface) else 1


def _address_name(text: str) -> str:
    """Spell a text as an address can have it; "" if nothing of it can be, or if it reads like a port."""
    spelled = _UNUSUAL.sub("-", text.strip())[:64].strip("-_.")
    return "" if is_port(spelled) or not is_address_name(spelled) else spelled
