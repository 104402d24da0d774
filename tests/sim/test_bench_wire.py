"""`taptable bench wire`: what it says of a tap's way is of the real code, and adds up."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from taptable.cli import main
from taptable.sim import bench_wire
from taptable.sim.host_costs import PARTS, measure_host
from taptable.sim.vm.weighing import find_program, weigh
from taptable.sim.wire_traffic import measure_traffic

PAGE = (Path(__file__).parents[2] / "docs" / "measurements.md").read_text(encoding="utf-8")
needs_vm = pytest.mark.skipif(find_program() is None, reason="needs MicroPython: scripts/setup-micropython")


@needs_vm
def test_the_parts_of_a_taps_way_add_up_to_it() -> None:
    out = io.StringIO()
    status = bench_wire.run(out, host_taps=24, taps=400, traffic_taps=12)
    rows = dict(re.findall(r"^(\S.*?)  +(?:model|Pico|Pi|assumed)? +([\d.]+) +[\d.]+ +[\d.]+$", out.getvalue(), re.M))
    assert [name for name in rows if name not in PAGE] == []
    verdict, light = (float(rows.pop(f"from the tap to the {end}")) for end in ("verdict", "light"))
    assert len(rows) == 16
    assert sum(map(float, rows.values())) == pytest.approx(light, rel=0.15)
    assert verdict < light - float(rows["board: light heard"])
    assert ("kept" in out.getvalue()) == (status == 0)


@needs_vm
def test_a_verdict_is_drawn_at_once_while_another_pattern_moves() -> None:
    program = find_program()
    assert program is not None
    assert max(weigh(program).ring_us) < 2_000


def test_without_micropython_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TAPTABLE_MICROPYTHON", "no-such-program")
    assert main(["bench", "wire"]) == 2
    assert "scripts/setup-micropython" in capsys.readouterr().err


def test_every_tap_passes_every_joint_of_the_daemon_once() -> None:
    costs = measure_host(24, seed=3)
    assert {part: len(costs.parts_us[part]) for part in PARTS} == dict.fromkeys(PARTS, 24)
    assert min(min(times_us) for times_us in costs.parts_us.values()) > 0
    assert len(costs.journal_us) == 24


def test_over_good_cables_nothing_is_said_twice_and_the_verdict_comes_with_the_next_look() -> None:
    traffic = measure_traffic(30, seed=4)
    assert traffic.again == 0
    assert len(traffic.verdict_ms) == 30
    assert max(traffic.verdict_ms) < 8.0 + 1.2  # a look, and the cable once
    assert traffic.a_tap(by_board=True).wire_bytes < traffic.a_tap(by_board=True).json_bytes


def test_over_bad_cables_what_was_lost_is_said_again_until_every_tap_has_its_verdict() -> None:
    traffic = measure_traffic(60, seed=5, harmed=0.05)
    assert traffic.again > 0
    assert len(traffic.verdict_ms) == 60
