"""How often a card is read with each gain, measured with somebody's help over the chip models, whose radio depends on
the gain as a model says; and with which gain the readers of boards hear."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from table.rig import all_on_boards, on_i2c, run_in_given_time
from taptable.core.observations import DISCARD_PAD
from taptable.doctor.examination import LIVE, examine
from taptable.doctor.findings import Finding
from taptable.doctor.trial import Somebody
from taptable.sim.field import Faint

from doctor.breaking import has_firmware
from doctor.documented import is_documented
from doctor.rig import Bench, findings, powered_table
from doctor.test_live import Helper

Prepare = Callable[[Bench], None]


def with_gains(gains: dict[str, int]) -> Callable[[str], str]:
    """Changes a configuration: these gains below the pads at these places."""

    def rewritten(text: str) -> str:
        for place, gain_db in gains.items():
            text = text.replace(f'pad = "{place}"\n', f'pad = "{place}"\ngain_db = {gain_db}\n')
        return text

    return rewritten


def faint(bench: Bench) -> None:
    """Pad 1 needs 38 dB, pad 2 nothing, the discard pad 43 dB; wherever they are."""
    for pad, needs_db in ((1, 38), (2, 0), (DISCARD_PAD, 43)):
        if pad in bench.table.stand_in("board").boards:
            bench.table.stand_in("board").boards[pad].needs_db = needs_db
        else:
            bench.table.fields[pad].disturbances.append(Faint(needs_db, Random(1).random))


def measured(
    folder: Path,
    prepare: Prepare = faint,
    *,
    compact: bool = False,
    rewritten: Callable[[str], str] = str,
    somebody: Callable[[Bench], Somebody] = Helper,
    after: Prepare = lambda _bench: None,
) -> tuple[Somebody, dict[str, Finding]]:
    """Return who helped, and the findings about the gains, by part."""

    async def visit() -> tuple[Somebody, list[Finding]]:
        with powered_table(folder, compact=compact, rewritten=rewritten) as bench:
            helper = somebody(bench)
            prepare(bench)
            patient = replace(bench.examined_table, somebody=helper)
            found = [finding async for _, finding in examine(patient, [LIVE])]
            await asyncio.sleep(1)
            after(bench)
            return helper, found

    helper, found = run_in_given_time(visit)
    assert [f for f in found if f.state in ("fault", "warning") and not is_documented(f)] == []
    return helper, {finding.part: finding for finding in found if finding.name == "gains"}


def shares(finding: Finding) -> dict[int, int]:
    return {int(gain_db): int(percent) for gain_db, percent in re.findall(r"(\d+) dB (\d+) %", finding.found)}


@pytest.mark.parametrize(
    ("compact", "rewritten"),
    [(False, str), (False, all_on_boards), (False, on_i2c), (True, str)],
    ids=["full", "all on boards", "I2C", "compact"],
)
def test_the_lowest_gain_that_reads_everything_is_recommended(
    tmp_path: Path, compact: bool, rewritten: Callable[[str], str]
) -> None:
    helper, found = measured(tmp_path, compact=compact, rewritten=rewritten)
    assert list(found) == ["pad 1", "pad 2", "discard pad"]
    assert [finding.state for finding in found.values()] == ["warning", "ok", "warning"]
    assert "gain_db = 38 beside" in found["pad 1"].todo
    assert "gain_db = 43 beside" in found["discard pad"].todo
    assert "reads everything (18 dB would be enough)" in found["pad 2"].found
    assert shares(found["pad 2"]) == dict.fromkeys((18, 23, 33, 38, 43, 48), 100)
    share = shares(found["discard pad"])
    assert share[18] == 0
    assert 0 < share[33] < share[38] < 99
    assert share[43] == share[48] == 100
    assert isinstance(helper, Helper)
    table = [line.split()[-6:] for line in helper.told if re.fullmatch(r" .*( +\d+){6}", line)]
    assert table[0] == ["18", "23", "33", "38", "43", "48"]
    assert table[1:] == [[str(percent) for percent in shares(finding).values()] for finding in found.values()]


@pytest.mark.parametrize(("compact", "place"), [(False, "board:sim1"), (True, "spi:0.1")], ids=["board", "spi"])
def test_what_is_configured_is_held_against_it_and_there_again_afterwards(
    tmp_path: Path, compact: bool, place: str
) -> None:
    def is_back(bench: Bench) -> None:
        assert compact or bench.table.stand_in("board").boards[1].gain_db == 43

    _, found = measured(tmp_path, compact=compact, rewritten=with_gains({place: 43, "spi:0.0": 43}), after=is_back)
    assert {finding.state for finding in found.values()} == {"ok"}
    assert found["pad 1"].found.startswith("the configured gain of 43 dB reads everything (38 dB would be enough): ")
    assert found["discard pad"].found.startswith("the configured gain of 43 dB reads everything: ")


def test_what_no_gain_reads_whole_is_a_warning_and_what_none_reads_at_all_is_left_to_the_card(tmp_path: Path) -> None:
    def block(bench: Bench) -> None:
        bench.table.stand_in("board").boards[1].needs_db = 60
        bench.table.stand_in("board").boards[2].needs_db = 90

    _, found = measured(tmp_path, block)
    assert found["pad 1"].found.startswith("no gain reads everything: ")
    assert (found["pad 2"].state, found["pad 2"].found) == ("skipped", "no card was read at any gain")


def test_a_board_that_takes_no_gain_and_readers_that_fail_are_reported_as_left_out(tmp_path: Path) -> None:
    def spoil(bench: Bench) -> None:
        has_firmware(1, "1.1.0")(bench)
        bench.table.stand_in("board").boards[2].deafen()
        bench.table.stand_in("spi").wiring.missing.add("spi:0.0")

    _, found = measured(tmp_path, spoil)
    assert {finding.state for finding in found.values()} == {"skipped"}
    assert "its board has firmware 1.1.0, which can't set the gain: `taptable flash`" in found["pad 1"].found
    assert "or its reader doesn't answer" in found["pad 2"].found
    assert "spidev0.0" in found["discard pad"].found


def test_the_doctor_hears_from_the_board_with_which_gain_its_reader_hears(tmp_path: Path) -> None:
    heard: list[int] = []

    def look(bench: Bench) -> None:
        heard.append(bench.table.stand_in("board").boards[2].gain_db)

    found = findings(tmp_path, look, groups=["boards"], rewritten=with_gains({"board:sim2": 48}))
    assert heard == [33]
    gains = [(finding.part, finding.state, finding.found) for finding in found if finding.name == "gain"]
    assert gains == [
        ("pad 1", "ok", "its reader uses 33 dB"),
        ("pad 2", "ok", "its reader uses 48 dB"),
    ]


def test_another_gain_for_a_board_that_takes_none_is_a_warning(tmp_path: Path) -> None:
    gains = with_gains({"board:sim2": 48})
    found = findings(tmp_path, has_firmware(2, "1.1.0"), groups=["boards"], rewritten=gains)
    (gain,) = [finding for finding in found if finding.name == "gain" and finding.state == "warning"]
    assert gain.part == "pad 2"
    assert gain.found == "its reader uses 33 dB, not 48: firmware 1.1.0 can't set the gain"
    assert "`taptable flash 2`" in gain.todo
