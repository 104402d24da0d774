"""The kind ``pcsc``: pads whose reader is a boxed one on USB, used by PC/SC. It sees one card at a time."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from types import MappingProxyType

from taptable.drivers.interface import (
    Address,
    ClosedPart,
    DeviceContext,
    Driver,
    FoundPart,
    Limit,
    OpenedParts,
    Part,
    PartRole,
    SystemRule,
)
from taptable.drivers.pcsc.pads import PcscParts, Wait, wait_in_thread
from taptable.drivers.pcsc.readers import ReaderList, addresses_of, is_address_name
from taptable.drivers.pcsc.winscard import (
    REFUSED_BY_POLKIT,
    NoLibrary,
    PcscError,
    PcscLite,
    WinscardCalls,
    spell_no_context,
)
from taptable.drivers.usb_ports import UsbPorts


class PcscDriver(Driver):
    """The readers that pcscd has. `calls` are those of its library, and `wait` waits for a change at all readers.
    `root` holds ``sys``."""

    kind = "pcsc"
    roles = frozenset({PartRole.PAD})
    rank = 37
    accepts = '"pcsc:<serial number>" or "pcsc:<USB port>", as in "pcsc:1-1.3"'
    short = 'a reader on USB, "pcsc:<serial number>" or "pcsc:<USB port>"'
    where = "on USB, by PC/SC"
    examples = MappingProxyType({"seats.pad": "pcsc:1-1.1", "discard.pad": "pcsc:1-1.4", "pads.pad": "pcsc:1-1.3"})
    limits = (Limit.ONE_CARD, Limit.NO_TAP_STAMP)

    def __init__(self, calls: WinscardCalls | None = None, wait: Wait = wait_in_thread, root: Path = Path("/")) -> None:
        self.calls: WinscardCalls = PcscLite() if calls is None else calls
        self.root = root
        self._wait = wait

    @property
    def ports(self) -> UsbPorts:
        """The USB ports of this computer."""
        return UsbPorts(self.root)

    def accepts_name(self, name: str) -> bool:
        """Return whether this can be a serial number, the path of a USB port, or the name of a reader."""
        return is_address_name(name)

    def free(self, taken: Collection[Address]) -> str:
        """Return that each reader has an address of its own."""
        del taken
        return "each reader has an address of its own: `taptable seats` finds it"

    def find(self) -> Sequence[FoundPart]:
        """Return the readers that pcscd has, in a context of its own. One that beside others has no serial number, port
        or name of its own is left out."""
        try:
            with ReaderList.opened(self.calls, self.ports) as found:
                readers = found.readers
        except (PcscError, NoLibrary):
            return ()
        return [
            FoundPart(
                Address(self.kind, name),
                self.roles,
                f"{reader.spelled}, serial number {reader.serial}" if reader.serial == name else reader.spelled,
                device=reader.port or name,
                product=reader.ids or reader.alias,
                serial=reader.serial if reader.serial == name else "",
            )
            for name, reader in addresses_of(readers).items()
        ]

    def find_closed(self) -> Sequence[ClosedPart]:
        """Return the readers, as one part, if polkit doesn't let this user use pcscd."""
        try:
            self.calls.release_context(self.calls.establish_context())
        except NoLibrary:
            pass
        except PcscError as error:
            if spell_no_context(error) == REFUSED_BY_POLKIT:
                return [ClosedPart("the readers that pcscd has", SystemRule.READERS)]
        return []

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the pads."""
        return PcscParts(context, parts, self.calls, self.ports, self._wait)
