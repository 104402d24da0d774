"""The rules that open parts to the person at a computer: their text, and the script that writes all of them or none."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from taptable.config.home import packaged_file
from taptable.doctor.computer import Computer, SystemUser
from taptable.doctor.rules import RuleFile, closed_parts, examine_rules, files_for, root_command, rule_file, script_of
from taptable.drivers.interface import ClosedPart, Driver, SystemRule
from taptable.drivers.registry import Drivers

ANNA = SystemUser("anna", 1000, frozenset({1000}))
LAMPS, READERS = ClosedPart("the lamps", SystemRule.DEVICES), ClosedPart("the readers", SystemRule.READERS)


class Closed(Driver):
    """A kind of parts that are closed."""

    kind = "closed"

    def __init__(self, *parts: ClosedPart) -> None:
        self.parts = parts

    def find_closed(self) -> tuple[ClosedPart, ...]:
        return self.parts


class Broken(Driver):
    """A driver of somebody else's."""

    kind = "broken"

    def find_closed(self) -> tuple[ClosedPart, ...]:
        raise RuntimeError("as ever")


def drivers(*parts: ClosedPart) -> Drivers:
    return Drivers({"broken": Broken(), "closed": Closed(*parts)})


def test_devices_are_opened_to_who_sits_there_and_lamps_to_one_person() -> None:
    shipped = packaged_file("system/taptable.rules").read_text(encoding="utf-8")
    text = rule_file(SystemRule.DEVICES, ANNA).text
    rules = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert [line for line in rules if re.search(r'GROUP|MODE="|chgrp|"input"\s*$|gpio|spidev|i2c', line)] == []
    assert sum('TAG+="uaccess"' in line for line in rules) == 2  # boards and controllers
    assert '/bin/chown 1000 /sys%p/brightness"' in rules[-2]
    # besides, it is the package's
    assert [re.sub(r'TAG.*?"uaccess"|chown 1000|chmod 644', "", line) for line in rules] == [
        re.sub(r'GROUP="\w+", MODE="0660"(, TAG.*"uaccess")?|chgrp taptable|chmod 664', "", line)
        for line in shipped.splitlines()
        if line and not re.match(r"#|SUBSYSTEM==.(gpio|spidev|i2c)", line)
    ]


@pytest.mark.parametrize("name", ["anna", 'CLUB\\an"na'])
def test_readers_are_opened_to_one_person_whatever_their_name(name: str) -> None:
    text = rule_file(SystemRule.READERS, SystemUser(name, 1000, frozenset())).text
    assert f"subject.user == {json.dumps(name)} " in text
    assert text.count("subject.user") == 1


def test_each_rule_is_written_once_and_only_if_it_opens_something() -> None:
    assert [file.path for file in files_for([LAMPS, READERS, LAMPS], ANNA)] == [
        "/etc/udev/rules.d/60-taptable.rules",
        "/etc/polkit-1/rules.d/50-taptable.rules",
    ]
    assert files_for([], ANNA) == []


def run_script(folder: Path, *names: str) -> int:
    files = [
        RuleFile(f"{folder}/etc/{name}/taptable.rules", f"# $HOME `{name}` 'x'\n", "false || true") for name in names
    ]
    return subprocess.run(["sh", "-c", script_of(files)], capture_output=True, check=False).returncode


def test_the_script_writes_the_files_as_they_are(tmp_path: Path) -> None:
    assert run_script(tmp_path, "udev", "polkit") == 0
    files = sorted(file for file in tmp_path.rglob("*") if file.is_file())
    assert [file.relative_to(tmp_path).as_posix() for file in files] == [
        "etc/polkit/taptable.rules",
        "etc/udev/taptable.rules",
    ]
    assert files[1].read_text() == "# $HOME `udev` 'x'\n"
    assert files[0].stat().st_mode & 0o777 == 0o644


def test_the_script_writes_nothing_if_one_file_can_t_be_written(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/polkit").touch()  # no folder can be there
    assert run_script(tmp_path, "udev", "polkit") != 0
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["polkit"]


def test_the_doctor_names_what_is_closed_and_what_writes_the_rule(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("anna:x:1000:1000::/home/anna:/bin/sh\n")
    computer = Computer(root=tmp_path, uid=1000, gids=frozenset({1000}))
    lamps, readers = examine_rules(computer, drivers(LAMPS, READERS))
    assert (lamps.state, lamps.found) == ("fault", "closed to anna: the lamps")
    assert (
        "offers to write /etc/udev/rules.d/60-taptable.rules. By hand: `taptable seats --rules | sudo sh`" in lamps.todo
    )
    assert readers.found == "closed to anna: the readers"
    assert list(examine_rules(computer, drivers())) == []


def test_with_the_package_there_are_rules_for_its_own_user(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("taptable:x:990:990::/:/bin/false\nanna:x:1000:1000::/:/bin/sh\n")
    assert closed_parts(Computer(root=tmp_path, uid=1000, gids=frozenset({1000})), drivers(LAMPS)) == []


@pytest.mark.parametrize(
    ("programs", "command"),
    [((), None), (("sudo",), ["sudo"]), (("pkexec",), ["pkexec"]), (("sudo", "pkexec"), ["pkexec"])],
)
def test_the_command_that_becomes_root_is_one_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, programs: tuple[str, ...], command: list[str] | None
) -> None:
    """Where both exist, a user outside the group of sudo gets pkexec."""
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in programs:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert root_command(ANNA) == command
