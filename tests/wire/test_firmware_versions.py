"""Versions of the firmware: which of them a board may have."""

from __future__ import annotations

import pytest
from tapshared import version
from tapshared.verbs import VERBS
from taptable.drivers.board import versions
from taptable.drivers.board.versions import Fit, firmware_fit


@pytest.mark.parametrize(
    ("said", "fit"),
    [
        ("1.1.9", Fit.TOO_OLD),
        ("0.10.10", Fit.TOO_OLD),
        ("1.2.0", Fit.OLDER),
        ("1.9.10", Fit.OLDER),
        ("1.10.0", Fit.RIGHT),
        ("1.10.1", Fit.NEWER),
        ("2.0.0", Fit.NEWER),
        ("1.10", Fit.UNKNOWN),
        ("1.10.0-mine", Fit.UNKNOWN),
        ("1.10.²", Fit.UNKNOWN),
        ("virtual", Fit.UNKNOWN),
    ],
)
def test_a_version_is_judged_by_its_numbers(monkeypatch: pytest.MonkeyPatch, said: str, fit: Fit) -> None:
    monkeypatch.setattr(versions, "FIRMWARE", "1.10.0")
    monkeypatch.setattr(versions, "OLDEST_SUPPORTED", "1.2.0")
    assert firmware_fit(said) is fit


def test_the_firmware_that_is_here_fits() -> None:
    assert firmware_fit(version.FIRMWARE) is Fit.RIGHT
    assert firmware_fit(version.OLDEST_SUPPORTED) in (Fit.OLDER, Fit.RIGHT)
    assert ("firmware", "name") in VERBS["hello"][2]
