"""A reader of ours, and pads of it, over the chip models."""

from __future__ import annotations

from functools import partial

from taptable.core.device_events import DeviceEvent
from taptable.drivers.rc522_poller import PolledPads
from taptable.drivers.spi.pads import SpiPad, open_on_bus, readers_at
from taptable.sim import spi_bus as spi
from taptable.sim.air import AirClock
from taptable.sim.cards import NfcCard, mifare_classic, ntag213
from taptable.sim.field import Exchanged, Field
from taptable.sim.mfrc522_chip import Mfrc522Chip

PIN_RST = 25
POLL_US = 50_000

UID_7 = bytes.fromhex("04a2b3c4d5e680")
OTHER_UID_7 = bytes.fromhex("04a2b3c4d5e681")
UID_4 = bytes.fromhex("5e21c0a7")


def card(uid: bytes, **about: int) -> NfcCard:
    """A card with this UID, of the kind that has such UIDs."""
    return ntag213(uid, **about) if len(uid) == 7 else mifare_classic(uid, **about)


class Rig:
    """One reader with its chip model and field."""

    def __init__(self, *, version: int = 0x92, speed_hz: int = 1_000_000, on: bool = True) -> None:
        self.clock = AirClock()
        self.field = Field("pad", self.clock)
        self.chip = Mfrc522Chip(self.field, version)
        self.log: list[Exchanged] = []
        self.wiring = spi.Wiring({"spi:0.0": self.chip}, {PIN_RST: ("spi:0.0",)})
        spi.install(self.wiring)
        from taptable.drivers.spi.reader import SpiReader  # it imports mfrc522, which wants the stand-ins there first

        self.reader = SpiReader(0, 0, pin_rst=PIN_RST, speed_hz=speed_hz, sleep_us=self.clock.sleep_us)
        if on:
            self.reader.field_on()
        self.field.exchange_log = self.log

    def put(self, *uids: bytes, **about: int) -> list[NfcCard]:
        """Cards come into the field, and get their power."""
        cards = [card(uid, **about) for uid in uids]
        for each in cards:
            self.field.put(each)
        self.clock.sleep_us(5000)
        return cards

    def look(self, *known: bytes) -> tuple[set[bytes], bool]:
        """Look at the pad once; return the UIDs, and whether something was garbled."""
        uids, garbled = self.reader.look(known)
        assert len(set(uids)) == len(uids)
        return set(uids), garbled


class Pads:
    """Several pads on the buses of one Pi, each with a chip model and a field, under a poller."""

    def __init__(self, *pads: int | str, enrolled: frozenset[bytes] | None = None, shared_reset: bool = False) -> None:
        self.clock = AirClock()
        self.truth: list[tuple[int, str, str, str]] = []
        self.fields = {pad: Field(str(pad), self.clock, self.truth) for pad in pads}
        self.chips = {pad: Mfrc522Chip(field) for pad, field in self.fields.items()}
        parts = [f"spi:0.{place}" for place in range(len(pads))]
        pins = [PIN_RST + (0 if shared_reset else place) for place in range(len(pads))]
        self.wiring = spi.Wiring(
            dict(zip(parts, self.chips.values(), strict=True)),
            {pin: tuple(part for part, its in zip(parts, pins, strict=True) if its == pin) for pin in pins},
        )
        spi.install(self.wiring)
        self.places = [SpiPad(pad, 0, place, pins[place]) for place, pad in enumerate(pads)]
        self.reported: list[DeviceEvent] = []

        self.poller = PolledPads(
            readers_at(self.places, partial(open_on_bus, sleep_us=self.clock.sleep_us)),
            report=self.reported.append,
            now_us=self.clock.now_us,
            identify=lambda uid: uid if enrolled is None or bytes.fromhex(uid) in enrolled else None,
        )

    def pass_us(self, span_us: int) -> list[DeviceEvent]:
        """Poll for `span_us`, every 50 ms; return the events."""
        seen: list[DeviceEvent] = []
        ends_us = self.clock.now_us() + span_us
        while self.clock.now_us() < ends_us:
            began_us = self.clock.now_us()
            seen += self.poller.poll()
            self.clock.sleep_us(max(5_000, POLL_US - (self.clock.now_us() - began_us)))
        return seen
