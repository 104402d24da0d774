"""The README's commands, links and pictures, against what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from taptable.cli import COMMANDS, main
from taptable.drivers.registry import installed_drivers

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDERS = ("", "docs", "docs/decisions", "firmware", "hardware", "hardware/made")
PAGES = [page for folder in FOLDERS for page in sorted((ROOT / folder).glob("*.md"))]


def test_every_command_it_names_is_one():
    named = set(re.findall(r"(?:^|[`/ ])taptable ([a-z]+)", README))
    assert named
    assert named <= {*COMMANDS, *(name for driver in installed_drivers() for name in driver.commands)}


@pytest.mark.parametrize("command", re.findall(r"`taptable ([a-z]+(?: [a-z]+)?) ", README))
def test_the_commands_it_shows_are_known_to_the_program(command: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    assert capsys.readouterr().out


@pytest.mark.parametrize("script", sorted(set(re.findall(r"scripts/[a-z-]+", README))))
def test_the_scripts_it_names_can_be_run(script: str):
    assert (ROOT / script).stat().st_mode & 0o100


def test_ci_runs_the_readme_s_test_command():
    assert re.search(r"^scripts/test --all$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    assert re.search(r"^scripts/test$", README, re.MULTILINE)


def test_links_lead_somewhere():
    links = [
        (page, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    ]
    assert [(page, t) for page, t in links if not (leads_to_releases(page, t) or leads_somewhere(page, t))] == []


def leads_somewhere(page: Path, target: str) -> bool:
    return target.startswith("http") or (page.parent / target).exists()


def leads_to_releases(page: Path, target: str) -> bool:
    """On the forge a page stands at blob/BRANCH below the project, and the releases beside that."""
    return target == "../" * (len(page.relative_to(ROOT).parts) + 1) + "releases"


@pytest.mark.parametrize("page", ["glossary", "parts"])
def test_each_module_that_a_page_of_the_parts_names_is_there(page: str):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", text)
    assert named
    assert [
        each for each in named if not any((ROOT / at / each).exists() for at in ("", "host/taptable", "firmware/lib"))
    ] == []
