"""How often a card that lies on a pad is read at each gain of the pad's reader, on the Pi's SPI or on a board, and
which gain to choose by that: the lowest that reads everything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass

from tapshared.version import TAKES_GAIN

from taptable.config.model import GAINS_DB
from taptable.core.device_events import part_at
from taptable.core.errors import DeviceError
from taptable.core.observations import Pad
from taptable.core.settings import US_PER_S
from taptable.doctor.findings import Finding, ok, skipped, unseen, warning
from taptable.doctor.site import Site
from taptable.doctor.trial import Somebody
from taptable.drivers.board.doctor import Call
from taptable.drivers.board.link_events import GainReport
from taptable.drivers.board.port import OpenPort
from taptable.drivers.board.versions import is_since
from taptable.drivers.spi.pad import OpenReader, SpiPad

LOOKS = 100
"""With each gain, at a pad on SPI: somewhat over a second."""
MEASURED_S = 1.0
"""With each gain, at a board, which looks 250 times meanwhile."""
SETTLED_S = 0.1
"""After another gain was set, until what a board counts is taken."""
ANSWERED_S = 5.0
ENOUGH = 99
"""Of 100 looks: one now and then is lost to noise at any gain, and a card counts as gone after 300 ms without any."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many looks, of which so many read a card."""

    looks: int
    read: int

    @property
    def percent(self) -> int:
        """Rounded down, so that 100 are all of them."""
        return 100 * self.read // self.looks


Shares = Mapping[int, Share]


class Measurement(Call):
    """A call in which a board hears with each gain for a while, and then again with `gain_db`. Its `shares` are
    complete where all went well. What its pad and button tell meanwhile means nothing to the table: it is
    acknowledged."""

    def __init__(self, board: str, open_port: OpenPort, now_us: Callable[[], int], gain_db: int) -> None:
        super().__init__(board, open_port, now_us, gain_db=gain_db)
        self.shares: dict[int, Share] = {}
        self._gain_db = gain_db

    async def _talk(self) -> None:
        if self.firmware is None or not is_since(TAKES_GAIN, self.firmware):
            return
        for gain_db in GAINS_DB:
            await self._answered(gain_db)
            await asyncio.sleep(SETTLED_S)
            before = await self._answered(gain_db)
            await asyncio.sleep(MEASURED_S)
            after = await self._answered(gain_db)
            if before is None or after is None or after.looks <= before.looks:
                break
            self.shares[gain_db] = Share(after.looks - before.looks, after.read - before.read)
        await self._answered(self._gain_db)

    async def _answered(self, gain_db: int) -> GainReport | None:
        """Let it hear with this gain; how it says that it does."""
        self.link.set_gain(gain_db, self._now_us())
        self._pump()
        await self._hears(lambda: self.link.gain_report is not None, ANSWERED_S)
        return self.link.gain_report

    def _received(self, data: bytes) -> None:
        super()._received(data)
        while (event := self.link.event()) is not None:
            self.link.acknowledge(event.origin)
        self._pump()


def measure_reader(open_reader: OpenReader, place: SpiPad) -> Shares:
    """At a pad on SPI; blocks for some seconds. DeviceError or OSError where the reader doesn't answer."""
    reader = open_reader(place)
    shares: dict[int, Share] = {}
    try:
        for gain_db in GAINS_DB:
            reader.tune(gain_db)
            read = 0
            for _ in range(LOOKS):
                reader.field_on()
                uids, _ = reader.look(())
                read += bool(uids)
                reader.field_off()
            shares[gain_db] = Share(LOOKS, read)
    finally:
        reader.close()
    return shares


async def measure_gains(site: Site, somebody: Somebody) -> AsyncGenerator[Finding]:
    """At each pad, with a card on it that somebody has laid there."""
    if not await somebody.asked(
        "Lay a card on each pad as it is to lie in a game, and leave it there. Does one lie on each?"
    ):
        yield unseen("gains", "pads", "nobody laid cards on all of them")
        return
    somebody.tell("Leave the cards where they are: each pad hears with one gain after another.")
    measured = {**await _measure_boards(site), **await _measure_readers(site)}
    pads = site.config.all_pads
    for line in _table({pad: shares for pad in pads if not isinstance(shares := measured[pad], str)}):
        somebody.tell(line)
    somebody.tell("Take the cards away.")
    for pad, parts in pads.items():
        yield _judged(part_at("pad", pad), measured[pad], parts.gain_db)


async def _measure_boards(site: Site) -> dict[Pad, Shares | str]:
    """All boards at once; a text says why there is nothing."""
    loop = asyncio.get_running_loop()
    calls = {
        pad: Measurement(
            board, site.openers.port, lambda: round(loop.time() * US_PER_S), site.config.all_pads[pad].gain_db
        )
        for pad, board in site.config.boards.items()
    }
    await asyncio.gather(*(call.make() for call in calls.values()))
    return {pad: call.shares if len(call.shares) == len(GAINS_DB) else _trouble(call) for pad, call in calls.items()}


def _trouble(call: Measurement) -> str:
    if call.trouble or call.firmware is None:
        return call.trouble or "its board says no hello"
    if not is_since(TAKES_GAIN, call.firmware):
        return f"its board has firmware {call.firmware}, which takes no gain: `taptable flash`"
    return "its board doesn't say how it hears, or its reader doesn't answer"


async def _measure_readers(site: Site) -> dict[Pad, Shares | str]:
    """All readers on SPI, one after the other; a text says why there is nothing."""
    loop = asyncio.get_running_loop()
    measured: dict[Pad, Shares | str] = {}
    executor = site.openers.executor()
    for place in site.readers:
        try:
            measured[place.pad] = await loop.run_in_executor(executor, measure_reader, site.openers.reader, place)
        except (DeviceError, OSError) as error:
            measured[place.pad] = str(error)
    executor.shutdown(wait=False)
    return measured


def _table(measured: Mapping[Pad, Shares]) -> list[str]:
    """For people to read and choose by."""
    if not measured:
        return []
    names = {pad: part_at("pad", pad) for pad in measured}
    width = max(map(len, names.values()))
    lines = ["Of 100 looks so many read the card, by the gain in dB:"]
    lines.append(f"  {'':<{width}}" + "".join(f"{gain_db:>5}" for gain_db in GAINS_DB))
    for pad, shares in measured.items():
        lines.append(f"  {names[pad]:<{width}}" + "".join(f"{shares[gain_db].percent:>5}" for gain_db in GAINS_DB))
    lines.append(f"The lowest gain that reads everything is the best ({ENOUGH} of 100 will do): with more,")
    lines.append("a reader hears its neighbours too. It is gain_db beside the pad in table.toml.")
    return lines


def _judged(part: str, shares: Shares | str, gain_db: int) -> Finding:
    """Is the gain that is configured one that reads everything?"""
    if isinstance(shares, str):
        return unseen("gains", part, f"not measured: {shares}")
    if not any(share.read for share in shares.values()):
        return skipped("gains", part, "no card was read there with any gain")
    told = ", ".join(f"{each} dB {share.percent} %" for each, share in shares.items())
    lowest = next((each for each in GAINS_DB if shares[each].percent >= ENOUGH), None)
    if lowest is None:
        todo = "What lies between card and antenna is too thick, or metal is near; or the card moved: measure again."
        return warning("gains", part, f"it reads everything with no gain: {told}", todo)
    if shares[gain_db].percent < ENOUGH:
        todo = f"Write gain_db = {lowest} beside its pad in table.toml: it is the lowest gain that reads everything."
        return warning("gains", part, f"with {gain_db} dB, as configured, it doesn't read everything: {told}", todo)
    less = f" ({lowest} dB would do)" if lowest < gain_db else ""
    return ok("gains", part, f"with {gain_db} dB, as configured, it reads everything{less}: {told}")
