"""Statements about a release that need no packages: its notes, licences, sums and dates, the versions that all files
agree on, and that the same commit gives the same bytes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from package import release as made
from package.licences import terms_of, third_parties
from package.publication import BOARDS, OF_A_BOARD, make_hardware, notes_of, pack, require_committed, sums_of
from package.release import ROOT, CantPackage, epoch_of
from tapshared.version import (
    ANCHORS_SINCE,
    EXACT_STAMPS_SINCE,
    FIRMWARE,
    GAIN_SINCE,
    OLDEST_SUPPORTED,
    READER_COUNTS_SINCE,
)
from taptable import __version__

CHANGELOG = """\
# Changelog

## [Unreleased]

- Not yet.

## [1.1.0] - 2026-12-01

### Fixed

- A thing.

## [1.0.0] - 2026-11-01

- All of it.
"""


@pytest.mark.parametrize(
    ("version", "notes"),
    [("1.1.0", "# taptable 1.1.0\n\n### Fixed\n\n- A thing.\n"), ("1.0.0", "# taptable 1.0.0\n\n- All of it.\n")],
)
def test_the_notes_are_what_the_change_log_says_of_the_version(version: str, notes: str) -> None:
    assert notes_of(version, CHANGELOG) == notes


@pytest.mark.parametrize("version", ["1.2.0", "1.1", "Unreleased"])
def test_a_version_of_which_the_change_log_says_nothing_is_no_release(version: str) -> None:
    with pytest.raises(CantPackage, match=re.escape(f"no section [{version}] with a date")):
        notes_of(version, CHANGELOG)


def test_only_what_was_committed_is_released() -> None:
    require_committed("")
    with pytest.raises(CantPackage, match=r"isn't what was committed:\n \?\? host/new\.py$"):
        require_committed(" ?? host/new.py\n")


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def test_what_is_made_has_the_date_of_its_commit_and_a_tag_names_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "@1700000000 +0100")
    git(tmp_path, "init", "-q")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "one")
    assert epoch_of("1.0.0") == 1_700_000_000
    git(tmp_path, "tag", "v1.0.0")
    assert epoch_of("1.0.0") == 1_700_000_000
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "two")
    with pytest.raises(CantPackage, match=r"v1\.0\.0 is another commit than the one here"):
        epoch_of("1.0.0")
    assert epoch_of("1.0.1") == 1_700_000_000


def wheel(folder: Path, name: str, *metadata: str) -> Path:
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr(f"{name}-1.0.dist-info/METADATA", "\n".join((f"Name: {name}", "Version: 1.0", *metadata, "")))
    return path


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        (("License-Expression: MIT", "Classifier: License :: OSI Approved :: BSD License"), "MIT"),
        (("License: see LICENSE", "Classifier: License :: OSI Approved :: BSD License"), "BSD License"),
        (("Classifier: License :: OSI Approved", "License: Zlib"), "Zlib"),
        (("License: The long text\n  of some licence",), "The long text"),
        (("License: ",), "unnamed"),
        ((), "unnamed"),
    ],
)
def test_a_licence_is_what_the_metadata_names(metadata: tuple[str, ...], licence: str, tmp_path: Path) -> None:
    assert terms_of(wheel(tmp_path, "one", *metadata)).licence == licence


def test_other_peoples_work_is_listed_by_name_and_our_own_isnt(tmp_path: Path) -> None:
    wheels = [
        wheel(tmp_path, "zed", "License: MIT", "Home-page: https://zed.example"),
        wheel(tmp_path, "taptable", "License: MIT"),
        wheel(
            tmp_path,
            "abc",
            "License: ISC",
            "Project-URL: Docs, https://d.example",
            "Project-URL: Source, https://s.example",
        ),
    ]
    rows = [line for line in third_parties([*wheels, wheels[0]]).splitlines() if line.startswith("| ")][2:]
    assert rows == ["| abc | 1.0 | ISC | https://s.example |", "| zed | 1.0 | MIT | https://zed.example |"]


def test_a_zip_depends_on_names_and_contents_alone(tmp_path: Path) -> None:
    one = tmp_path / "one.stl"
    zips = [tmp_path / "a.zip", tmp_path / "b.zip"]
    for second, file in enumerate(zips):
        one.write_bytes(b"solid")
        os.utime(one, (second * 1_000_000, second * 1_000_000))
        pack(file, [one])
    assert zips[0].read_bytes() == zips[1].read_bytes()


def test_what_is_ordered_and_printed_lies_there_as_in_git_with_sums_that_fit(tmp_path: Path) -> None:
    make_hardware(tmp_path, "9.9.9")
    for board in BOARDS:
        for name in OF_A_BOARD:
            assert (tmp_path / f"taptable-9.9.9-{board}-{name}").read_bytes() == (
                ROOT / "hardware" / board / name
            ).read_bytes()
    for build in ("seat-board/assembly", "centre-board/assembly-full", "centre-board/assembly-compact"):
        for name in ("parts.csv", "positions.csv"):
            copied = tmp_path / f"taptable-9.9.9-{build.replace('/', '-')}-{name}"
            assert copied.read_bytes() == (ROOT / "hardware" / build / name).read_bytes()
    for name, folder, kind in (("prints", "enclosure", "stl"), ("sheets", "print", "pdf")):
        with zipfile.ZipFile(tmp_path / f"taptable-9.9.9-{name}.zip") as packed:
            there = {each.filename: packed.read(each) for each in packed.infolist()}
        assert there == {path.name: path.read_bytes() for path in (ROOT / "hardware" / folder).glob(f"*.{kind}")}
        assert there
    (tmp_path / "SHA256SUMS").write_text(sums_of(tmp_path))
    subprocess.run(["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"], cwd=tmp_path, check=True)


@pytest.mark.parametrize("page", ["README.md", "docs/installing.md", "docs/sd-card.md"])
def test_every_bundle_that_a_page_names_is_of_this_version(page: str) -> None:
    assert set(re.findall(r"taptable-(\d[\d.]*)-trixie", (ROOT / page).read_text(encoding="utf-8"))) == {__version__}


def test_the_change_log_knows_this_version() -> None:
    notes_of(__version__, (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


def test_the_versions_of_program_and_firmware_each_stand_in_one_place() -> None:
    programs = [path for folder in ("host", "firmware", "system") for path in (ROOT / folder).rglob("*.py")]
    for version, place in ((__version__, "taptable/__init__.py"), (FIRMWARE, "tapshared/version.py")):
        named = [path for path in programs if f'"{version}"' in path.read_text(encoding="utf-8")]
        assert [str(path)[-len(place) :] for path in named] == [place]


def test_no_board_can_do_what_is_newer_than_its_firmware() -> None:
    numbers = [
        tuple(map(int, each.split(".")))
        for each in (ANCHORS_SINCE, GAIN_SINCE, EXACT_STAMPS_SINCE, READER_COUNTS_SINCE)
    ]
    newest, oldest = (tuple(map(int, each.split("."))) for each in (FIRMWARE, OLDEST_SUPPORTED))
    assert all(oldest <= each <= newest for each in numbers)


@pytest.mark.long
def test_wheel_and_source_are_the_same_twice_and_the_source_makes_the_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    def build(source: Path, into: str, *what: str) -> dict[str, bytes]:
        command = [sys.executable, "-m", "hatchling", "build", "-d", tmp_path / into, *what]
        subprocess.run(command, cwd=source, check=True, capture_output=True)
        return {path.name: path.read_bytes() for path in (tmp_path / into).iterdir()}

    once = build(ROOT, "once")
    assert build(ROOT, "again") == once
    name = f"taptable-{__version__}"
    assert set(once) == {f"{name}.tar.gz", f"{name}-py3-none-any.whl"}
    subprocess.run(["tar", "-xf", tmp_path / f"once/{name}.tar.gz"], cwd=tmp_path, check=True)
    assert (
        build(tmp_path / name, "from-source", "-t", "wheel")[f"{name}-py3-none-any.whl"]
        == once[f"{name}-py3-none-any.whl"]
    )
