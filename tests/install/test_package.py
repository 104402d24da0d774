"""Statements about the package that need no build: what its scripts refuse, and that its files agree on the places of
things. scripts/test-install tests the rest."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from package import build
from package.release import RELEASES, ROOT, TRIPLETS, Target, version_here
from package.wheels import pinned
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from taptable import __version__
from taptable.cli import COMMANDS
from taptable.config.home import packaged_file
from taptable.drivers.registry import installed_drivers

SYSTEM = ROOT / "system"
PACKAGE = SYSTEM / "package"
OWN = "/opt/taptable/venv/bin/taptable"
CONFIG = "/etc/taptable/table.toml"
SCRIPTS = (ROOT / "scripts/install", PACKAGE / "install")
TARGETS = [Target(release, architecture) for release in RELEASES for architecture in TRIPLETS]


def text(name: str) -> str:
    return (SYSTEM / name).read_text()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_an_option_it_does_not_know_is_named_and_nothing_is_done(script: Path) -> None:
    ran = subprocess.run(["sh", script, "--every"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "doesn't know --every." in ran.stderr
    assert ran.stdout == ""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_its_help_names_every_option(script: Path) -> None:
    ran = subprocess.run(["sh", script, "--help"], capture_output=True, text=True, check=True)
    known = re.findall(r"^ +(--[a-z]+)(?:=\*)?\)", script.read_text(), re.MULTILINE)
    assert known
    assert [option for option in known if option not in ran.stdout] == []


def test_units_command_and_scripts_mean_the_same_places() -> None:
    for unit, command in (("taptable", "run"), ("taptable-page", "page"), ("taptable-bridge", "bridge")):
        assert f"ExecStart={OWN} {command} --config {CONFIG}\n" in text(f"{unit}.service")
    assert f"\npython={OWN.replace('bin/taptable', 'bin/python')}\n" in text("taptable-buses")
    assert f"program={OWN}\nexport TAPTABLE_CONFIG={CONFIG} TAPTABLE_SOCKETS=/run/taptable-api\n" in text("taptable")
    postinst = text("package/postinst")
    for line in ("venv=$programs/venv", "programs=/opt/taptable", f"config={CONFIG}"):
        assert f"\n{line}\n" in postinst
    for file in build.TABLE:
        assert file.startswith(("usr/bin/", "usr/sbin/", "usr/lib/", "usr/share/"))


def test_commands_that_touch_the_tables_memory_run_as_its_user_and_say_so() -> None:
    (named,) = re.findall(r"^    ([a-z |]+)\) ;;$", text("taptable"), re.MULTILINE)
    as_the_table = set(named.split(" | "))
    modules = ROOT / "host/taptable/cli"
    opening = re.compile(r"\b(journal_from|transcript_from|decks_from)\(")
    opened = {name for name in COMMANDS if opening.search((modules / f"{name}.py").read_text())}
    assert (
        {"deck", "games", "members"}
        <= opened
        <= as_the_table
        <= {*COMMANDS, *(name for driver in installed_drivers() for name in driver.commands)}
    )
    (told,) = re.findall(r"memory or devices \(([^)]*)\)", (ROOT / "docs/installing.md").read_text())
    assert set(re.findall(r"`(\w+)`", told)) == as_the_table


def test_each_service_has_its_user_and_its_folder() -> None:
    users = dict(re.findall(r'^u (\S+) - ".*" (\S+)$', text("taptable.sysusers.conf"), re.MULTILINE))
    assert users == {
        "taptable": "/var/lib/taptable",
        "taptable-page": "/nonexistent",
        "taptable-bridge": "/nonexistent",
    }
    for user in users:
        assert f"\nUser={user}\nGroup={user}\n" in text(f"{user}.service")
    for role in ("page", "bridge"):
        assert f" /run/taptable-api/{role} 2750 taptable taptable-{role}\n" in re.sub(
            " +", " ", text("taptable.tmpfiles.conf")
        )


def test_every_unit_is_in_the_package_and_what_starts_with_the_computer_is_known() -> None:
    assert {f"usr/lib/systemd/system/{unit}" for unit in build.UNITS} <= build.TABLE.keys()
    assert "taptable.service" in build.STARTED
    assert set(build.UNITS) - set(build.STARTED) >= {"taptable-power-off.service"}


def test_every_group_has_its_rule() -> None:
    ours = set(re.findall(r"^m taptable (\w+)$", text("taptable.sysusers.conf"), re.MULTILINE))
    # controllers belong to the table itself, and to no group that reads keyboards
    assert set(re.findall(r'GROUP="(\w+)"', text("taptable.rules"))) == {*ours, "taptable"}
    (joined,) = re.findall(r"^SupplementaryGroups=(.*)$", text("taptable.service"), re.MULTILINE)
    assert set(joined.split()) == ours


def test_what_is_asked_is_asked_in_four_languages_and_all_of_it_answered() -> None:
    templates = [
        dict(re.findall(r"^([\w.-]+): (.*)$", each, re.MULTILINE)) for each in text("package/templates").split("\n\n")
    ]
    assert len(templates) == 7
    for template in templates:
        assert {f"Description-{language}.UTF-8" for language in ("de", "fr", "nl")} <= template.keys()
    asked = {template["Template"] for template in templates}
    scripts = text("package/config") + text("package/postinst") + text("package/postrm")
    used = set(re.findall(r"taptable/[a-z-]+", scripts)) & asked
    used |= {f"taptable/{name}" for name in re.findall(r"\$\(answer ([a-z-]+)\)", scripts)}
    assert used == asked


def test_the_version_stands_in_one_place_and_a_later_system_has_a_later_package() -> None:
    assert version_here() == __version__
    assert [Target(release, "arm64").version("0.2.0") for release in RELEASES] == ["0.2.0+deb12", "0.2.0+deb13"]


@pytest.mark.parametrize("target", TARGETS, ids=str)
def test_what_is_pinned_for_a_target_has_its_hashes_and_no_marker(target: Target) -> None:
    names: set[str] = set()
    for requirements in ("run", "pi"):
        pins = pinned(target, ROOT / f"requirements/{requirements}.txt")
        for block in pins.replace("\\\n", "").splitlines():
            requirement = Requirement(block.partition(" --hash")[0])
            assert requirement.marker is None
            assert "--hash=sha256:" in block
            names.add(requirement.name)
    assert {"msgspec", "typing-extensions", "rpi-lgpio"} <= names
    # a PC can't build what it requires
    assert ("mfrc522" in names) == (target.architecture == "arm64")
    assert ("lgpio" in names) == (target.release == "bookworm")


def test_the_wheel_alone_needs_no_compiler_and_has_the_files_of_a_table_without_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    required = [Requirement(each) for each in project["project"]["dependencies"]]
    on_a_pc = pinned(Target("trixie", "amd64"), ROOT / "requirements/run.txt")
    pins = {Requirement(line.partition("\\")[0]).name for line in on_a_pc.splitlines() if not line.startswith(" ")}
    # that file has no source builds, and what isn't the same on every computer would be one
    assert [str(each) for each in required if canonicalize_name(each.name) not in pins or each.marker is not None] == []
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    for name in ("system/taptable.rules", "system/taptable.polkit.rules", "examples/ready.toml"):
        assert included[name] == f"taptable/{name}"
        assert packaged_file(name).read_bytes() == (ROOT / name).read_bytes()


def test_what_a_page_has_an_installed_table_copy_is_in_the_package() -> None:
    named = {
        place
        for page in (ROOT / "docs").glob("*.md")
        for place in re.findall(r"/(usr/share/taptable/examples/[\w./-]+\w)", page.read_text(encoding="utf-8"))
    }
    assert named
    assert named <= set(build.TABLE)
