"""Examines the readers on PC/SC: whether pcscd runs and lets the table in, whether each reader is plugged in and may be
asked, and what is known of its make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from taptable.doctor.drivers import DriverDoctor, Look
from taptable.doctor.findings import Figures, Finding, fault, ok, skipped, warning
from taptable.doctor.site import ExaminedTable
from taptable.drivers.interface import Part
from taptable.drivers.pcsc.beeps import beeps
from taptable.drivers.pcsc.driver import PcscDriver
from taptable.drivers.pcsc.readers import (
    ACR122U,
    MAKES,
    MOST_SLOTS,
    PcscReader,
    ReaderList,
    addresses_of,
    readers_called,
)
from taptable.drivers.pcsc.winscard import REFUSED, SERVICE_LOST, NoLibrary, PcscCode, PcscError, spell_no_context
from taptable.drivers.usb_ports import PluggedDevice
from taptable.schema.problems import join_words

CHECKS = ("pcscd", "polkit", "claimed", "usb-reader", "slots", "beeps", "twins", "typing")

_ACTION = "org.debian.pcsc-lite.access_card"
_RULES = ("/etc/polkit-1/rules.d", "/usr/share/polkit-1/rules.d")
_RULE_TODO = (
    "Install the package again: its rule for polkit lets the table's user use readers. On your own computer `taptable"
    " seats` writes one."
)
_KERNEL_DRIVER, _PLIST = "pn533_usb", "/etc/libccid_Info.plist"
_RELEASE = (
    f"`echo blacklist {_KERNEL_DRIVER} | sudo tee /etc/modprobe.d/taptable-readers.conf`, `sudo modprobe -r"
    f" {_KERNEL_DRIVER}`, then plug it in again."
)
_ESCAPES = re.compile(r"<key>ifdDriverOptions</key>\s*<string>0x([0-9A-Fa-f]+)</string>")
_TYPING = frozenset({"ffff:0035", "08ff:0009"})
"""Readers that are keyboards: of Sycreader, and copies."""


class PcscDoctor(DriverDoctor[PcscDriver]):
    """Examines the readers on PC/SC."""

    def __init__(self, driver: PcscDriver) -> None:
        super().__init__(driver)
        self.looks = (Look(63, "readers", CHECKS, self.examine),)

    def describe(self, part: Part) -> Figures:
        """Return the make of a reader and how it is found, as far as it is plugged in."""
        try:
            with ReaderList.opened(self.driver.calls, self.driver.ports) as found:
                readers = readers_called(part.address.name, found.readers)
        except (PcscError, NoLibrary):
            return {}
        if len(readers) != 1:
            return {}
        (reader,) = readers
        figures = {"make": MAKES.get(reader.ids, "another"), "found_by_serial_number": part.address.name != reader.port}
        return figures if reader.device is None else {**figures, "firmware": reader.device.version}

    def examine(self, site: ExaminedTable) -> Iterator[Finding]:
        """Examine pcscd, and the reader of every pad. The table may have them open meanwhile."""
        yield from self._examine_typing(site)
        parts = site.parts_of(self.driver)
        if not parts:
            return
        plugged = list(self.driver.ports.devices())
        yield from self._examine_claims(site, plugged)
        yield from self._examine_rule(site)
        try:
            with ReaderList.opened(self.driver.calls, self.driver.ports) as found:
                yield self._examine_service(site, found)
                for part in parts:
                    yield from self._examine_reader(site, part, found)
                yield from self._examine_twins(found.readers)
        except NoLibrary as error:
            yield fault("pcscd", "readers", spell_no_context(error), "`sudo apt install pcscd libccid`.")
        except PcscError as error:
            yield self._judge_refusal(site, error)

    # --- pcscd ---

    def _judge_refusal(self, site: ExaminedTable, error: PcscError) -> Finding:
        found = spell_no_context(error)
        if error.code == PcscCode.NO_SERVICE:
            todo = "`sudo apt install pcscd libccid`, then `sudo systemctl enable --now pcscd.socket`."
            return fault("pcscd", "readers", found, todo)
        if error.code == PcscCode.SERVICE_STOPPED:
            return fault("pcscd", "readers", found, "`sudo systemctl restart pcscd`, and restart the table.")
        return fault("pcscd", "readers", f"{found} (as {site.computer.current_user.name})", _RULE_TODO)

    def _examine_service(self, site: ExaminedTable, found: ReaderList) -> Finding:
        version = re.search(r"version (\d+\.\d+\.\d+)", site.computer.read_output(["pcscd", "--version"]) or "")
        known = "" if version is None else f" {version[1]}"
        slots = len(found.names)
        figures = {"slots": slots, **({} if version is None else {"pcscd": version[1]})}
        if slots >= MOST_SLOTS:
            return warning(
                "slots",
                "readers",
                f"pcscd{known} lists {slots} slots, and before version 2.5.0 it has no more than {MOST_SLOTS}",
                "A reader that isn't found may be one too many: an ACR1252U takes two slots, a uTrust 3700 F one.",
            ).with_figures(measured=figures)
        return ok("pcscd", "readers", f"pcscd{known} runs, with {slots} slots of readers").with_figures(
            measured=figures
        )

    def _examine_rule(self, site: ExaminedTable) -> Iterator[Finding]:
        """Yield whether a rule of polkit names the table's user: another user's own trial doesn't say so."""
        user = site.computer.table_user
        if user is site.computer.current_user:
            return
        texts: list[str] = []
        for folder in _RULES:
            try:
                names = [
                    name for name in site.computer.list_folder(site.computer.at(folder)) if name.endswith(".rules")
                ]
            except PermissionError:
                yield skipped("polkit", "readers", f"{folder} can't be read by {site.computer.current_user.name}")
                return
            except OSError:
                continue
            texts += [site.computer.text(f"{folder}/{name}") or "" for name in names if name.endswith(".rules")]
        if any(_ACTION in text and user.name in text for text in texts):
            yield ok("polkit", "readers", f"a rule of polkit lets {user.name} use readers")
        elif site.computer.has("/usr/share/polkit-1"):
            yield fault("polkit", "readers", f"no rule of polkit lets {user.name} use readers", _RULE_TODO)

    # --- readers ---

    def _examine_reader(self, site: ExaminedTable, part: Part, found: ReaderList) -> Iterator[Finding]:
        readers = readers_called(part.address.name, found.readers)
        if not readers:
            yield self._judge_missing(site, part, found)
        elif len(readers) > 1:
            ports = join_words([f'"pcsc:{reader.port}"' for reader in readers], "or")
            twice = f"{len(readers)} readers have the number {part.address.name}"
            yield fault("usb-reader", part.name, twice, f"Name the port instead: {ports}.")
        else:
            (reader,) = readers
            device = reader.device
            version = "" if device is None or not device.version else f", firmware {device.version}"
            finding = ok("usb-reader", part.name, f"{reader.spelled}{version}")
            yield finding.with_figures(measured={} if not version or device is None else {"firmware": device.version})
            if reader.ids == ACR122U:
                yield warning(
                    "usb-reader",
                    part.name,
                    "an ACR122U may be gone after a restart of the computer, until it is plugged in again",
                    "Plug it in again then, or take an ACR1252U or a uTrust 3700 F instead.",
                )
            yield from self._examine_beeps(site, part, reader, found)

    def _judge_missing(self, site: ExaminedTable, part: Part, found: ReaderList) -> Finding:
        name = part.address.name
        if any(error.code in REFUSED for error in found.refused.values()):
            user = site.computer.current_user.name
            closed = f"pcscd lists its readers and lets nobody ask them (as {user})"
            return fault("usb-reader", part.name, closed, _RULE_TODO)
        if any(error.code == PcscCode.SHARING_VIOLATION for error in found.refused.values()):
            todo = "End the program that has it: one for banking, signatures or crypto money, or another table."
            return fault("usb-reader", part.name, "another program has a reader for itself", todo)
        device = self.driver.ports.device_at(name)
        if device is not None:
            todo = "`sudo apt install libccid`. Some readers need the driver of their maker, such as libacsccid1."
            return fault("usb-reader", part.name, f"{device.spelled} is there, and pcscd doesn't have it", todo)
        elsewhere = [f'"pcsc:{address}"' for address in addresses_of(found.readers)]
        moved = f", or name one that is there: {join_words(elsewhere, 'or')}" if elsewhere else ""
        return fault("usb-reader", part.name, f"no reader {name} is plugged in", f"Plug it in{moved}.")

    def _examine_beeps(
        self, site: ExaminedTable, part: Part, reader: PcscReader, found: ReaderList
    ) -> Iterator[Finding]:
        try:
            is_loud = beeps(found.calls, found.context, reader)
        except PcscError as error:
            if error.code in SERVICE_LOST:
                raise
            is_loud = True
        if is_loud is False:
            yield ok("beeps", part.name, "it doesn't beep when a card comes")
        elif is_loud or reader.ids == ACR122U:
            options = _ESCAPES.search(site.computer.text(_PLIST) or "")
            if options is not None and int(options[1], 16) & 1:
                yield ok("beeps", part.name, "the table switches its beeps off when it starts")
            else:
                yield warning(
                    "beeps",
                    part.name,
                    "it may beep at each card: its driver lets no program switch that off",
                    f"Set ifdDriverOptions to 0x0001 in {_PLIST}, then `sudo systemctl restart pcscd`.",
                )

    def _examine_twins(self, readers: Sequence[PcscReader]) -> Iterator[Finding]:
        """Yield the readers of one make that only their ports distinguish."""
        addresses = addresses_of(readers)
        makes: dict[str, list[str]] = {}
        for name, reader in addresses.items():
            if name == reader.port:
                makes.setdefault(reader.make, []).append(reader.port)
        for make, ports in makes.items():
            if len(ports) > 1:
                found = f"{make}: {len(ports)} without a serial number of their own, at USB ports {join_words(ports)}"
                yield ok("twins", "readers", f"{found}: each has to stay in its socket")

    # --- other devices ---

    def _examine_claims(self, site: ExaminedTable, plugged: Sequence[PluggedDevice]) -> Iterator[Finding]:
        """Yield whether the kernel's own driver takes an ACR122U before pcscd."""
        ports = [device.port for device in plugged if device.ids == ACR122U]
        if not ports:
            return
        loaded = any(
            line.startswith(f"{_KERNEL_DRIVER} ") for line in (site.computer.text("/proc/modules") or "").splitlines()
        )
        if loaded:
            found = f"the kernel's module {_KERNEL_DRIVER} is loaded, and takes the ACR122U at USB port"
            yield fault("claimed", "readers", f"{found} {join_words(ports)} from pcscd", _RELEASE)
        elif not self._is_blacklisted(site):
            found = f"the kernel's module {_KERNEL_DRIVER} may take the ACR122U at USB port"
            yield warning("claimed", "readers", f"{found} {join_words(ports)} from pcscd", _RELEASE)

    @staticmethod
    def _is_blacklisted(site: ExaminedTable) -> bool:
        folder = "/etc/modprobe.d"
        try:
            names = site.computer.list_folder(site.computer.at(folder))
        except OSError:
            return False
        lines = [line.split() for name in names for line in (site.computer.text(f"{folder}/{name}") or "").splitlines()]
        return ["blacklist", _KERNEL_DRIVER] in lines

    def _examine_typing(self, site: ExaminedTable) -> Iterator[Finding]:
        """Yield readers that type numbers, which the table doesn't find."""
        del site
        for device in self.driver.ports.devices():
            if device.ids in _TYPING:
                yield warning(
                    "typing",
                    "readers",
                    f"{device.spelled} types numbers like a keyboard: it doesn't say when a card goes",
                    "The table doesn't use such readers. Take an ACR1252U or a uTrust 3700 F.",
                )


DOCTOR = PcscDoctor
