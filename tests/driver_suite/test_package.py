"""Somebody else's drivers, built as a wheel and installed beside ours: nothing of ours is touched, and a game is played
with them."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest
from cli.commands import command, process
from cli.deck_rig import box
from cli.running import running
from deadline import DEADLINE_S
from doctor.documented import is_documented
from taptable.config import load_config
from taptable.core.errors import ConfigError
from taptable.daemon.game_options import check_game
from taptable.doctor.drivers import DriverDoctor, doctors_of, examine_drivers
from taptable.drivers import registry
from taptable.drivers.interface import PartRole
from taptable.drivers.registry import installed_drivers, module_of
from taptable.memory.decks import Decks
from taptable.sim import table as table_module
from taptable.sim.table import SimulatedTable
from taptable.testing.drivers import table_toml

PACKAGE = Path(__file__).parents[1] / "driver_package"
EVENING = Path(__file__).with_name("evening.py")
MIXTURE = EVENING.with_name("mixture.py")
KINDS = {"file", "socket"}


@pytest.fixture(scope="session")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment of a process in which the package is installed beside taptable."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(PACKAGE, folder / "source")
    _pip("wheel", "--no-build-isolation", "--wheel-dir", folder / "wheels", folder / "source")
    _pip("install", "--target", folder / "site", *(folder / "wheels").glob("*.whl"))
    return {"PYTHONPATH": str(folder / "site"), "LANGUAGE": "en"}


def _pip(verb: str, *arguments: object) -> None:
    pip = [sys.executable, "-m", "pip", verb, "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]
    ran = subprocess.run([*pip, *map(str, arguments)], capture_output=True, text=True, timeout=DEADLINE_S, check=False)
    assert ran.returncode == 0, ran.stderr


def _python(beside: Mapping[str, str], folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **beside},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """The folder of a table with its pads in files and its buttons at sockets."""
    Decks(tmp_path / "decks").save(box("suite"))
    pads = [tmp_path / name for name in ("1", "2", "discard")]
    for pad in pads:
        pad.touch()
    text = table_toml(
        pads=[f"file:{pad}" for pad in pads[:2]],
        buttons=[f"socket:{tmp_path}/{seat}.socket" for seat in (1, 2)],
        discard=f"file:{pads[2]}",
    )
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.long
def test_it_passes_the_suite_of_every_driver(beside: Mapping[str, str], tmp_path: Path):
    shutil.copytree(PACKAGE / "tests", tmp_path / "tests")
    ran = _python(beside, tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert ran.returncode == 0, ran.stdout
    assert " passed" in ran.stdout
    assert "skipped" not in ran.stdout


@pytest.mark.long
def test_a_whole_game_is_played_with_it(beside: Mapping[str, str], tmp_path: Path):
    ran = _python(beside, tmp_path, EVENING, tmp_path)
    assert ran.returncode == 0, ran.stderr
    ended = json.loads(ran.stdout)
    assert ended["kinds"] == sorted({*KINDS, "oled"})
    assert ended["outcome"]["winner"]
    assert (ended["lost"], ended["disagreements"]) == ([], 0)


@pytest.mark.long
def test_r7_2_presses_on_a_board_on_a_pin_and_at_a_socket_are_put_in_order_or_are_a_tie(
    beside: Mapping[str, str], tmp_path: Path
):
    """A socket's stamps are good to 10 ms."""
    expected = {
        "3,5,4": [3, 4],
        "4,5,3": [3, 4],
        "4,5,2": [2, 4],
        "3,30,4": [3],
        "4,30,3": [4],
        "4,30,2": [4],
        "2,30,4": [2],
    }
    tests = os.pathsep.join([beside["PYTHONPATH"], str(PACKAGE.parent)])
    ran = _python({**beside, "PYTHONPATH": tests}, tmp_path, MIXTURE, tmp_path, *expected)
    assert ran.returncode == 0, ran.stderr
    assert dict(zip(expected, json.loads(ran.stdout), strict=True)) == expected


@pytest.mark.long
def test_a_table_that_runs_judges_a_tap_and_a_press_and_says_what_it_cannot_do(
    beside: Mapping[str, str], table: Path, monkeypatch: pytest.MonkeyPatch
):
    for name, value in beside.items():
        monkeypatch.setenv(name, value)
    uid = next(uid for uid, card in box("suite").cards.items() if card == "online#1")
    with running(command("run"), table) as daemon:
        daemon.read_until(
            r"^INFO: Parts with a limit \(button 1, button 2\): each doesn't say when it was pressed",
            "^INFO: taptable .* at table ",
        )
        with running(command("status", "--follow"), table) as status:
            status.read_until("youngest")
            with socket.socket(socket.AF_UNIX) as button:
                button.connect(str(table / "1.socket"))
                button.sendall(b"down\n")
                status.read_until("Seat 1 is on turn")
            (table / "1").write_text(f"{uid}\n", encoding="ascii")
            status.read_until("download .1 still allowed")
            (table / "1").write_text("spam\n", encoding="ascii")
            daemon.read_until(r"^WARNING: Not a tag's number \(pad 1, file:.*/1\): 'spam' is skipped$")
            (table / "1").unlink()
            daemon.read_until("^WARNING: Part lost: pad 1: .*No such file")
            (table / "1").touch()
            daemon.read_until("^INFO: Part back: pad 1$")
        assert daemon.stop() == 0
    assert "Traceback" not in daemon.log


@pytest.mark.long
def test_the_doctor_lists_it_and_says_what_its_parts_cannot_do(beside: Mapping[str, str], table: Path):
    (table / "2").unlink()
    asked = ("doctor", "--config", "table.toml", "--json", "--only", "config,readers,contacts")
    ran = process(*asked, folder=table, environment=dict(beside))
    found = {(each["name"], each["part"]): each for each in json.loads(ran.out)["findings"]}
    assert (
        found["drivers", "drivers"]["found"]
        == "kinds of parts: gpio, board, input, spi, i2c, pcsc, oled, led, file, socket"
    )
    assert found["file", "pad 1"]["state"] == "ok"
    assert found["file", "pad 2"]["todo"] == f"Make it with `touch {table}/2`."
    assert found["socket", "button 1"]["state"] == "ok"
    for seat in (1, 2):
        assert found["abilities", f"button {seat}"]["state"] == "warning"
        assert "doesn't say when it was pressed" in found["abilities", f"button {seat}"]["found"]


def test_where_it_is_not_installed_the_kinds_that_are_there_are_named(table: Path):
    ran = process("run", "--check", "--config", "table.toml", folder=table, environment={"LANGUAGE": "en"})
    assert ran.status != 0
    (pad, *_) = [line for line in ran.err.splitlines() if "seat 1, pad" in line]
    (button, *_) = [line for line in ran.err.splitlines() if "seat 1, button" in line]
    for sentence, role in ((pad, PartRole.PAD), (button, PartRole.BUTTON)):
        assert all(f'"{driver.kind}:' in sentence for driver in installed_drivers().with_role(role))


IMPORT_FAILS = "import a_module_that_nobody_has"
NOT_A_DRIVER = "class Driver: pass"
HALF_A_DRIVER = """
from taptable.drivers.interface import Driver as Base, PartRole

class Driver(Base):
    kind = "half"
    roles = frozenset({PartRole.PAD})
"""
RAISES = HALF_A_DRIVER + "    def __init__(self): raise ValueError('spam')"
IMPOSTOR = HALF_A_DRIVER.replace("half", "spi") + "    accepts = short = where = 'spam'"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (IMPORT_FAILS, "ModuleNotFoundError: No module named 'a_module_that_nobody_has'"),
        (NOT_A_DRIVER, "Driver is no taptable.drivers.interface.Driver"),
        (HALF_A_DRIVER, "Driver has no accepts, short and where"),
        (RAISES, "ValueError: spam"),
        (IMPOSTOR, "there is another one of the kind spi"),
        ("", "AttributeError: module 'strange' has no attribute 'Driver'"),
    ],
)
def test_a_driver_that_cannot_be_used_takes_nothing_else_with_it(
    code: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    usual = installed_drivers()
    strange = EntryPoint("strange", "strange:Driver", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [strange, *entry_points(group=group)])
    (tmp_path / "strange.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "strange", raising=False)
    found = registry.installed_drivers.__wrapped__()
    assert {kind: type(driver) for kind, driver in found.kinds.items()} == {
        kind: type(driver) for kind, driver in usual.kinds.items()
    }
    assert found.left_out == (f"driver strange of strange:Driver is left out: {says}",)
    assert [record.getMessage() for record in caplog.records] == [
        f"Driver left out (strange of strange:Driver): {says}. Install its package in a version for this taptable, or"
        " remove it"
    ]
    (_, finding) = examine_drivers(found)
    assert (finding.state, finding.found) == ("warning", found.left_out[0])
    monkeypatch.delitem(sys.modules, "strange", raising=False)


def test_a_kind_without_a_stand_in_is_named_where_a_table_is_simulated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "table.toml").write_text(table_toml(pads=["spi:0.0", "spi:0.1"]), encoding="utf-8")
    config = load_config(tmp_path / "table.toml", check_game)
    stand_ins = {
        kind: module_of(driver, "stand_in") for kind, driver in installed_drivers().kinds.items() if kind != "spi"
    }
    monkeypatch.setattr(table_module, "module_of", lambda driver, _: stand_ins.get(driver.kind))

    async def make() -> None:
        SimulatedTable(config)

    with pytest.raises(ConfigError, match=r"^Parts of the kind spi can't be simulated: they have no stand-in\.$"):
        asyncio.run(make())


@pytest.mark.parametrize(
    ("package_name", "doctor", "reason"),
    [
        ("strange_one", IMPORT_FAILS, "ModuleNotFoundError: No module named"),
        ("strange_two", 'def DOCTOR(driver): raise RuntimeError("broken")', "RuntimeError: broken"),
    ],
    ids=["module", "class"],
)
def test_a_doctor_of_a_driver_that_cannot_be_loaded_is_a_finding_and_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package_name: str, doctor: str, reason: str
):
    package = tmp_path / package_name
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "driver.py").write_text(IMPOSTOR.replace("spi", "strange"), encoding="utf-8")
    (package / "doctor.py").write_text(doctor, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    strange = EntryPoint("strange", f"{package_name}.driver:Driver", registry.GROUP).load()()
    usual = installed_drivers()
    drivers = replace(usual, kinds={**usual.kinds, "strange": strange})
    doctors = doctors_of(drivers)
    assert {*usual.kinds, "strange"} == set(doctors)
    assert type(doctors["strange"]) is DriverDoctor
    (warned,) = [finding for finding in examine_drivers(drivers) if finding.state == "warning"]
    assert warned.found.startswith(f"driver strange: its own checks are left out: {reason}")
    assert is_documented(warned)
