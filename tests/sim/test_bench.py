"""`taptable bench`: that it measures what it says."""

from __future__ import annotations

import io
import re
from importlib import import_module
from random import Random

import pytest
from taptable.cli import main
from taptable.cli.bench import BENCHES
from taptable.core.agreed import Agreed
from taptable.core.observations import TimePassed
from taptable.sim import bench_referee


def test_every_bench_can_be_run():
    assert [name for name in BENCHES if not callable(import_module(f"taptable.sim.bench_{name}").run)] == []


def test_the_referee_is_measured_by_legal_moves_and_they_are_all_told():
    out = io.StringIO()
    assert bench_referee.run(out, games=6) == 0
    shares = [float(share) for share in re.findall(r"([\d.]+)%", out.getvalue())]
    assert sum(shares) == pytest.approx(100, abs=1)
    assert re.search(r"moves a second of CPU time on one core: median [\d,]+, best [\d,]+", out.getvalue())


def test_time_that_passes_is_no_move():
    observations, mix = bench_referee.record(Agreed(3, "de", {}, 1), Random(1))
    assert mix.total() == sum(not isinstance(each, TimePassed) for each in observations)


def test_an_unknown_bench_is_an_error(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="2"):
        main(["bench", "toaster"])
    assert "referee" in capsys.readouterr().err
