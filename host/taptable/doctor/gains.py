"""Measures how often a card that lies on a pad is read at each gain of the pad's reader, and recommends the lowest gain
that reads everything. A driver's doctor measures; this module must not know how."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping

from taptable.core.device_events import part_name
from taptable.core.observations import Pad
from taptable.doctor.drivers import Shares, doctors_of
from taptable.doctor.findings import Figures, Finding, ok, skipped, unseen, warning
from taptable.doctor.site import ExaminedTable
from taptable.doctor.trial import Somebody

MIN_READ_PERCENT = 99
"""The share of looks that must read the card for a gain to count as sufficient. Noise spoils a look now and then at any
gain, and a card counts as gone only after 300 ms without one that reads it (`ABSENCE_US` in
`tapshared/presence.py`)."""


async def measure_gains(site: ExaminedTable, somebody: Somebody) -> AsyncGenerator[Finding]:
    """Measure each pad with a card that somebody has laid on it."""
    if not await somebody.ask("Lay a card on each pad as in a game, and leave it there. Is there one on each pad?"):
        yield unseen("gains", "pads", "not every pad had a card")
        return
    somebody.tell("Leave the cards where they are: each reader uses one gain after the other.")
    measured: dict[Pad, Shares | str] = {}
    for doctor in doctors_of(site.drivers).values():
        measured |= await doctor.measure_gains(site)
    pads = site.config.all_pads
    for line in _table({pad: shares for pad in pads if not isinstance(shares := measured[pad], str)}):
        somebody.tell(line)
    somebody.tell("Take the cards away.")
    for pad, parts in pads.items():
        shares = measured[pad]
        finding = _judge(part_name("pad", pad), shares, parts.options.get("gain_db", 0))
        yield finding if isinstance(shares, str) else finding.with_figures(measured=_figures(shares))


def _table(measured: Mapping[Pad, Shares]) -> list[str]:
    """Return the results as a table for people."""
    if not measured:
        return []
    names = {pad: part_name("pad", pad) for pad in measured}
    width = max(map(len, names.values()))
    gains_db = sorted({gain_db for shares in measured.values() for gain_db in shares})
    lines = ["How many of 100 looks read the card, by gain in dB:"]
    lines.append(f"  {'':<{width}}" + "".join(f"{gain_db:>5}" for gain_db in gains_db))
    for pad, shares in measured.items():
        percent = ["" if gain_db not in shares else str(shares[gain_db].percent) for gain_db in gains_db]
        lines.append(f"  {names[pad]:<{width}}" + "".join(f"{each:>5}" for each in percent))
    lines.append(f"Use the lowest gain that reads everything ({MIN_READ_PERCENT} of 100 is enough): with more,")
    lines.append("a reader picks up its neighbours too. Set it as gain_db beside the pad in table.toml.")
    return lines


def _figures(shares: Shares) -> Figures:
    """Return the percentage read at each gain, and how often the reader looks in a second, over all gains."""
    percents = {f"read_percent_at_{gain_db}_db": share.percent for gain_db, share in shares.items()}
    seconds = sum(share.seconds for share in shares.values())
    looks_per_s = sum(share.looks for share in shares.values()) / seconds if seconds else 0
    return percents | ({"looks_per_s": looks_per_s} if looks_per_s else {})


def _judge(part: str, shares: Shares | str, gain_db: int) -> Finding:
    """Return whether the configured gain reads everything."""
    if isinstance(shares, str):
        return unseen("gains", part, f"not measured: {shares}")
    if not any(share.read for share in shares.values()):
        return skipped("gains", part, "no card was read at any gain")
    results = ", ".join(f"{each} dB {share.percent} %" for each, share in shares.items())
    lowest = next((each for each in sorted(shares) if shares[each].percent >= MIN_READ_PERCENT), None)
    if lowest is None:
        todo = (
            "The material between card and antenna is too thick, metal is near, or the card moved. Change that, and"
            " measure again."
        )
        return warning("gains", part, f"no gain reads everything: {results}", todo)
    if shares[gain_db].percent < MIN_READ_PERCENT:
        todo = f"Set gain_db = {lowest} beside its pad in table.toml: it is the lowest gain that reads everything."
        return warning("gains", part, f"the configured gain of {gain_db} dB doesn't read everything: {results}", todo)
    less = f" ({lowest} dB would be enough)" if lowest < gain_db else ""
    return ok("gains", part, f"the configured gain of {gain_db} dB reads everything{less}: {results}")
