"""What can be said of the installer without a computer to install on: what it refuses, and that the files it puts in
place agree on where things are. The rest is scripts/test-install's."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SYSTEM = ROOT / "system"
PLACES = dict(re.findall(r"^(\w+)=\"?([^\"\n]*)\"?$", (SYSTEM / "places").read_text(), re.MULTILINE))


def text(name: str) -> str:
    return (SYSTEM / name).read_text()


def place(name: str) -> str:
    """A path as the installer has it, without its variables."""
    return re.sub(r"\$(\w+)", lambda found: place(found[1]), PLACES[name])


@pytest.mark.parametrize("script", ["install", "uninstall"])
def test_an_option_it_does_not_know_is_named_and_nothing_is_done(script: str) -> None:
    ran = subprocess.run([ROOT / "scripts" / script, "--every"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert f"scripts/{script} doesn't know --every." in ran.stderr
    assert ran.stdout == ""


@pytest.mark.parametrize("script", ["install", "uninstall"])
def test_its_help_names_every_option(script: str) -> None:
    ran = subprocess.run([ROOT / "scripts" / script, "--help"], capture_output=True, text=True, check=True)
    known = re.findall(r"^ +(--[a-z]+)(?:=\*)?\)", (ROOT / "scripts" / script).read_text(), re.MULTILINE)
    assert known
    assert [option for option in known if option not in ran.stdout] == []


def test_service_command_and_installer_mean_the_same_places() -> None:
    service, page, bridge = text("taptable.service"), text(place("page_unit")), text(place("bridge_unit"))
    assert f"ExecStart={place('venv')}/bin/taptable run --config {place('config')}\n" in service
    assert f"\nUser={place('user')}\n" in service
    assert f"\nSupplementaryGroups={place('groups')}\n" in service
    assert f"ExecStart={place('venv')}/bin/taptable page --config {place('config')}\n" in page
    assert f"\nUser={place('page_user')}\n" in page
    assert f"ExecStart={place('venv')}/bin/taptable bridge --config {place('config')}\n" in bridge
    assert f"\nUser={place('bridge_user')}\nGroup={place('bridge_group')}\n" in bridge
    assert f"\nStateDirectory={Path(place('bridge_memory')).name}\n" in bridge
    assert f" {place('sockets')}/bridge 2750 {place('user')} {place('bridge_group')}\n" in text(
        "taptable.tmpfiles.conf"
    )
    command = text("taptable")
    for here in ("program={venv}/bin/taptable\n", "TAPTABLE_CONFIG={config} TAPTABLE_SOCKETS={sockets}\n"):
        assert here.format_map({name: place(name) for name in PLACES}) in command
    assert f"LG_WD={place('memory')} " in command


def test_every_unit_is_installed() -> None:
    units = {path.name for path in SYSTEM.iterdir() if path.suffix in {".service", ".path", ".timer", ".socket"}}
    assert set(place("units").split()) == units
    with_the_pi = {unit for unit in units if "[Install]" in text(unit)}
    assert set(place("started").split()) == with_the_pi


def test_every_group_has_its_rule() -> None:
    assert set(re.findall(r'GROUP="(\w+)"', text("taptable.rules"))) == set(place("groups").split())
