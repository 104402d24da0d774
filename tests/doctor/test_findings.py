"""The doctor's findings: none at a table in order; for each part that is missing or broken, that part alone and what to
do about it; and those of a table that admits phones or speaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from table.rig import run_in_given_time
from taptable.doctor.examination import examine
from taptable.doctor.findings import Finding
from taptable.memory.pairings import pairings_file_of

from doctor.breaking import both, damage_pairings
from doctor.cases import CASES, Case, open_to_phones, with_a_voice
from doctor.rig import Bench, Spoil, findings, leave_intact, powered_table


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
def test_nothing_is_wrong_with_a_table_in_order(tmp_path: Path, compact: bool) -> None:
    found = findings(tmp_path, compact=compact)
    assert [finding for finding in found if finding.state in ("fault", "warning")] == []


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
def test_every_device_is_released(tmp_path: Path, compact: bool) -> None:
    benches: list[Bench] = []
    findings(tmp_path, benches.append, compact=compact)
    (bench,) = benches
    assert not any(field.is_on for field in bench.table.fields.values())
    assert bench.table.stand_in("spi").wiring.pins == {}
    assert all(pin.function == "input" for pin in bench.table.stand_in("gpio").pins.factory.pins.values())


def test_it_can_be_asked_again_at_once(tmp_path: Path) -> None:
    async def visits() -> list[list[Finding]]:
        with powered_table(tmp_path) as bench:
            return [[finding async for _, finding in examine(bench.examined_table)] for _ in range(2)]

    first, second = run_in_given_time(visits)
    assert [(f.name, f.part, f.state) for f in first] == [(f.name, f.part, f.state) for f in second]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.says[0].name}: {case.says[0].found}")
def test_a_broken_part_is_reported_with_what_to_do_and_nothing_else_is(tmp_path: Path, case: Case) -> None:
    found = findings(tmp_path, case.spoil, **case.look)
    wrong = [finding for finding in found if finding.state in ("fault", "warning")]
    assert [(f.name, f.part, f.state) for f in wrong] == [(said.name, said.part, said.state) for said in case.says]
    for finding, said in zip(wrong, case.says, strict=True):
        assert re.search(said.found, finding.found), finding.found
        assert re.search(said.todo, finding.todo), finding.todo


def looked_at(
    folder: Path, group: str, rewritten: Callable[[str], str], spoil: Spoil = leave_intact
) -> Mapping[str, Finding]:
    return {finding.name: finding for finding in findings(folder, spoil, groups=[group], rewritten=rewritten)}


def test_a_page_for_phones_is_reported_by_its_address_and_its_name(tmp_path: Path) -> None:
    found = looked_at(tmp_path, "page", open_to_phones)
    assert {finding.state for finding in found.values()} == {"ok"}
    assert re.search(r"http://192\.168\.178\.20:\d+/", found["network"].found)
    assert re.search(r"http://living-room\.local:\d+/", found["name"].found)
    assert found["pairings"].found == "no device is paired yet"


def test_a_page_behind_a_proxy_is_reported_by_the_proxy_s_name(tmp_path: Path) -> None:
    proxied = 'network = true\nproxy = "127.0.0.1"\nhttps = "taptable.local"'
    found = looked_at(tmp_path, "page", lambda text: open_to_phones(text).replace("network = true", proxied, 1))
    assert {finding.state for finding in found.values()} == {"ok"}
    assert list(found) == ["page", "network", "pairings"]
    assert "https://taptable.local/, by a proxy at 127.0.0.1" in found["network"].found


def test_a_page_for_this_computer_only_says_how_to_open_it(tmp_path: Path) -> None:
    found = looked_at(tmp_path, "page", str)
    assert list(found) == ["page", "network"]
    assert found["network"].state == "ok"
    assert "network = true below [page]" in found["network"].found


def test_damaged_pairings_are_left_to_the_table(tmp_path: Path) -> None:
    benches: list[Bench] = []
    looked_at(tmp_path, "page", open_to_phones, both(damage_pairings, benches.append))
    assert pairings_file_of(benches[0].config.table.journal).read_text(encoding="utf-8") == "{"


def test_a_voice_and_its_loudspeaker_are_tried_without_a_sound(tmp_path: Path) -> None:
    benches: list[Bench] = []
    found = looked_at(tmp_path, "speech", with_a_voice, benches.append)
    assert [(finding.name, finding.state) for finding in found.values()] == [("voice", "ok"), ("loudspeaker", "ok")]
    ((*command,),) = benches[0].spoken
    assert command[:3] == ["espeak-ng", "-v", "de"]
    assert command[-1] == ""
    assert "plughw:CARD=Headphones" in command
