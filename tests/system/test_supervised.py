"""The daemon as a process that systemd keeps: ready, fed while all of it gets on, starved when any of it hangs, and
stopping."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from choosing import long_params
from table.rig import a_table

from system.systemd import supervised

FED_S = 3.0
"""A period in which a computer that is busy feeds its daemon too."""
STARVED_S = 1.0
STARVED = (-signal.SIGABRT, -signal.SIGSEGV)
"""How it ends then: by the signal, or while it says where each thread stands: CPython 3.11 reads frames of threads that
run on meanwhile, and may stumble over one. systemd starts it again after either."""
TABLE = [str(Path(__file__).with_name("table_that_hangs.py"))]
TAPTABLE_RUN = ["-c", "from taptable.cli import main; main(['run'])"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a simulated table."""
    a_table(tmp_path)
    return tmp_path


def test_it_is_ready_fed_while_it_gets_on_and_says_when_it_stops(folder: Path) -> None:
    with supervised(TABLE, folder, FED_S) as unit:
        unit.hear_until("READY=1")
        unit.watch(pings=2)
        unit.process.send_signal(signal.SIGTERM)
        assert unit.end() == 0
    assert unit.heard[-1] == "STOPPING=1"
    assert unit.heard.count("READY=1") == 1


@pytest.mark.parametrize(
    ("part", "says", "stands"),
    long_params(
        [
            ("readers", "if it lasts: the readers", "in hang"),
            ("display", "if it lasts: the display", "in hang"),
            ("loop", "", "in hang"),
            ("disk", "", "in append"),
        ]
    ),
)
def test_it_starves_when_a_part_hangs_and_the_log_says_where(folder: Path, part: str, says: str, stands: str) -> None:
    with supervised(TABLE, folder, STARVED_S) as unit:
        unit.hear_until("READY=1")
        unit.order(part)
        unit.watch()
        assert unit.end() in STARVED
    assert says in unit.log
    assert "Fatal Python error: Aborted" in unit.log
    assert stands in unit.log


def test_a_process_that_is_stopped_starves(folder: Path) -> None:
    with supervised(TABLE, folder, STARVED_S) as unit:
        unit.hear_until("READY=1")
        unit.process.send_signal(signal.SIGSTOP)
        unit.watch()
        assert unit.end() in STARVED
    assert "Fatal Python error: Aborted" in unit.log


def test_a_table_that_cannot_start_is_never_ready(folder: Path) -> None:
    (folder / "journal.sqlite").write_text("dear diary\n")
    with supervised(TAPTABLE_RUN, folder, FED_S) as unit:
        unit.end()
    assert "READY=1" not in unit.heard
    assert "is no journal" in unit.log
