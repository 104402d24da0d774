"""The files in a board's flash: the count of its starts, which survives any power cut, and its settings."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).resolve().parents[2] / "firmware"


@pytest.fixture(autouse=True)
def flash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(FIRMWARE))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def next_boot() -> Callable[[], int]:
    return importlib.import_module("seatboard.boots").next_boot


@pytest.fixture
def pixels() -> Callable[[], int]:
    return importlib.import_module("seatboard.settings").read_pixels


def test_boots_are_counted(next_boot: Callable[[], int]) -> None:
    first = next_boot()
    assert [next_boot(), next_boot()] == [(first + 1) % 2**30, (first + 2) % 2**30]


@pytest.mark.parametrize("written", [None, "", "8", "999"])
def test_a_count_that_was_being_written_when_the_power_went_is_still_there(
    flash: Path, next_boot: Callable[[], int], written: str | None
) -> None:
    (flash / "boots").write_text("7")
    if written is not None:
        (flash / "boots.new").write_text(written)
    assert next_boot() == 8
    assert next_boot() == 9


@pytest.mark.parametrize("damaged", [b"", b"x", b"-1", b"1073741824", b"\xff\xfe", b"7 7"])
def test_a_count_that_is_lost_begins_at_random(
    flash: Path, next_boot: Callable[[], int], damaged: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    (flash / "boots").write_bytes(damaged)
    monkeypatch.setattr("os.urandom", lambda count: bytes(range(1, count + 1)))
    assert next_boot() == 0x04030201
    assert next_boot() == 0x04030202


def test_the_count_stays_below_what_the_wire_can_say(flash: Path, next_boot: Callable[[], int]) -> None:
    (flash / "boots").write_text(str(2**30 - 1))
    assert next_boot() == 0


def test_a_board_that_cant_write_its_count_doesnt_use_one_twice(flash: Path, next_boot: Callable[[], int]) -> None:
    (flash / "boots").write_text("7")
    (flash / "boots.new").mkdir()
    assert len({next_boot(), next_boot(), 8}) == 3


def test_the_ring_has_as_many_pixels_as_were_set(flash: Path, pixels: Callable[[], int]) -> None:
    (flash / "board.json").write_text(json.dumps({"pixels": 16}))
    assert pixels() == 16


@pytest.mark.parametrize(
    "damaged", [None, b"", b"{", b"[]", b"7", b"{}", b'{"pixels": 0}', b'{"pixels": "8"}', b'{"pixels": 9999}', b"\xff"]
)
def test_damaged_settings_are_the_usual_ones(flash: Path, pixels: Callable[[], int], damaged: bytes | None) -> None:
    if damaged is not None:
        (flash / "board.json").write_bytes(damaged)
    assert pixels() == importlib.import_module("seatboard.pins").PIXELS
