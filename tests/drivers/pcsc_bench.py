"""Pads with readers on PC/SC at a simulated table in given time, with their stand-in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from taptable.config import load_config
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, TagCame, TagUnreadable, TagWent
from taptable.core.observations import Pad
from taptable.daemon.game_options import check_game
from taptable.drivers.interface import FoundPart
from taptable.drivers.pcsc.stand_in import PcscStandIn
from taptable.drivers.pcsc.winscard_model import PcscModel, PcscReaderModel
from taptable.testing.bench import Bench, powered_bench, run_in_given_time, table_toml

PORT, SERIAL, OTHER = "1-1.1", "53692026001101", "53692026001100"
SETTLED_S = 3.0
"""Seconds after which a card that comes is a new one for certain."""


class PadBench:
    """The pads of seats 1 and 2 and the discard pad, and the reports of their driver."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        stand_in = bench.table.stand_in("pcsc")
        assert isinstance(stand_in, PcscStandIn)
        self.stand_in: PcscStandIn = stand_in

    @property
    def model(self) -> PcscModel:
        """pcscd."""
        return self.stand_in.model

    def reader(self, pad: Pad) -> PcscReaderModel:
        """The reader of a pad."""
        return self.stand_in.readers[pad]

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The parts that failed, with the reason, or returned, with "", in their order."""
        parts = [event for _, event in self.bench.reports if isinstance(event, PartFailed | PartReturned)]
        return [(event.part, event.reason if isinstance(event, PartFailed) else "") for event in parts]

    def at(self, pad: Pad) -> list[DeviceEvent]:
        """The events reported about the cards of a pad."""
        tags = (TagCame, TagWent, TagUnreadable)
        return [event for _, event in self.bench.reports if isinstance(event, tags) and event.pad == pad]

    def said(self, pad: Pad) -> list[str]:
        """The same in short: ``+04a2…`` for a card that came, ``=04a2…`` for one that lay there, ``-04a2…``, ``?``."""
        return [_short(event) for event in self.at(pad)]

    def put(self, uid: str, pad: Pad = 1) -> None:
        """Put a card on a pad."""
        self.stand_in.put(uid, pad)

    def lift(self, uid: str, pad: Pad = 1) -> None:
        """Lift a card from a pad."""
        self.stand_in.lift(uid, pad)

    def found(self) -> Sequence[FoundPart]:
        """The readers that are plugged in, as the driver finds them."""
        return self.stand_in.pcsc.find()


def _short(event: DeviceEvent) -> str:
    match event:
        case TagCame():
            return ("=" if event.already_present else "+") + event.uid
        case TagWent():
            return f"-{event.uid}"
        case _:
            return "?"


def with_pads(
    folder: Path,
    test: Callable[[PadBench], Coroutine[Any, Any, None]],
    *,
    pads: Sequence[str] = (PORT, SERIAL),
    discard: str = OTHER,
    opened: bool = True,
    settle: bool = True,
) -> None:
    """Run a test with readers at these addresses, after they have settled."""

    async def run() -> None:
        file = folder / "table.toml"
        text = table_toml(pads=[f"pcsc:{name}" for name in pads], discard=f"pcsc:{discard}")
        file.write_text(text, encoding="utf-8")
        async with powered_bench(load_config(file, check_game), "pcsc", {}, opened=opened) as bench:
            if settle:
                await asyncio.sleep(SETTLED_S)
            await test(PadBench(bench))

    run_in_given_time(run)
