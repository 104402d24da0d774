"""The suite that every driver must pass finds what is wrong with one."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from taptable.doctor.drivers import DriverDoctor, Look
from taptable.doctor.findings import Finding, fault, ok
from taptable.drivers.interface import Limit
from taptable.drivers.registry import Drivers, installed_drivers
from taptable.testing import drivers
from taptable.testing.drivers import DriverSuite

from driver_suite.broken import BROKEN, Broken
from driver_suite.test_our_drivers import TestBoard as BoardSuite
from driver_suite.test_our_drivers import TestGpio as GpioSuite
from driver_suite.test_our_drivers import TestOled as OledSuite
from driver_suite.test_our_drivers import TestSpi as SpiSuite

SUITES = {suite.kind: suite for suite in (BoardSuite, GpioSuite, OledSuite, SpiSuite)}
DOCTOR = "test_doctor"


def suite_over(broken: Broken) -> DriverSuite:
    class Suite(SUITES[broken.kind]):
        stand_ins = {broken.kind: broken.stand_in}  # noqa: RUF012

        @property
        def drivers(self) -> Drivers:
            whole = installed_drivers()
            return replace(whole, kinds={**whole.kinds, broken.kind: broken.spoil(whole[broken.kind])})

    return Suite()


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: f"{broken.kind} {broken.why}")
def test_a_broken_driver_is_found(broken: Broken, tmp_path: Path):
    with pytest.raises((AssertionError, RuntimeError), match=r"."):
        getattr(suite_over(broken), broken.check)(tmp_path)


def test_a_reader_that_sees_one_card_may_say_so(tmp_path: Path):
    check = "test_two_tags_on_one_pad"
    (sees_one,) = [broken for broken in BROKEN if broken.check == check]
    getattr(suite_over(replace(sees_one, driver={"limits": (Limit.ONE_CARD,)})), check)(tmp_path)


def test_a_reader_that_does_not_stamp_may_say_so(tmp_path: Path):
    (uncertain,) = [broken for broken in BROKEN if broken.why == "declares no uncertainty"]
    getattr(suite_over(replace(uncertain, driver={"limits": (Limit.NO_TAP_STAMP,)})), uncertain.check)(tmp_path)


def test_every_check_finds_something():
    checks = {name for name, _ in inspect.getmembers(DriverSuite, callable) if name.startswith("test_")}
    assert checks == {broken.check for broken in BROKEN} | {DOCTOR}


@pytest.mark.parametrize(
    "finding",
    [
        ok("another", "pins", "well"),
        fault("own", "pins", "wrong", ""),
        ok("own", "", "well"),
        ok("own", "pins", ""),
        ok("own", "pins", "well").with_figures(measured={"Volts": 3.3}),
        ok("own", "pins", "well").with_figures(stated={"path": "/home/anna"}),
        None,
    ],
)
def test_a_broken_doctor_is_found(finding: Finding | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Doctor(DriverDoctor[Any]):
        def __init__(self, driver: Any) -> None:
            super().__init__(driver)
            self.looks = (Look(40, "pins", ("own",), self.examine),)

        def examine(self, _: Any) -> Iterator[Finding]:
            if finding is None:
                raise RuntimeError("broken")
            yield finding

    module = ModuleType("doctor")
    vars(module)["DOCTOR"] = Doctor
    monkeypatch.setattr(drivers, "module_of", lambda *_: module)
    with pytest.raises((AssertionError, RuntimeError)):
        GpioSuite().test_doctor(tmp_path)
