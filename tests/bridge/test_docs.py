"""The pages about MQTT and Home Assistant, and the examples, say what is so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from taptable import __version__
from taptable.bridge.discovery import device_message, discovery_topic
from taptable.bridge.messages import (
    EVENTS,
    Event,
    PartFault,
    Placed,
    QuotaProgress,
    TableState,
    Team,
    TimeLeft,
    WindowMessage,
    name_of,
)
from taptable.bridge.outbox import FRESH_S
from taptable.bridge.topics import TableTopics
from taptable.words import LANGUAGES, Words

ROOT = Path(__file__).resolve().parents[2]
MQTT = (ROOT / "docs" / "mqtt.md").read_text(encoding="utf-8")
HOME_ASSISTANT = (ROOT / "docs" / "home-assistant.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "examples" / "home-assistant").iterdir())
TOPICS = TableTopics("taptable", "home")
TEAMS = tuple(Team((seat,), 0, (), "", None) for seat in (1, 2))


def rows(page: str, what: str) -> list[list[str]]:
    """The cells of a table of a page."""
    (part,) = re.findall(rf"<!-- {what} -->\n(.*?)<!-- /{what} -->", page, flags=re.DOTALL)
    lines = [line for line in part.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def quoted(text: str) -> list[str]:
    """The words in backticks, outside blocks."""
    return re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))


def a_device(language: str = "en", *, commands: bool = True) -> dict[str, Any]:
    state = TableState("home", "online", "ONLINE", "de", 2, (), "turn", "", 1, "Seat 1", "MB", TEAMS, None, False, ())
    return device_message(TOPICS, state, Words(language), __version__, commands=commands)


def entities(device: dict[str, Any]) -> set[str]:
    return {each["default_entity_id"] for each in device["components"].values() if len(each) > 1}


def test_the_page_names_every_topic_and_what_is_retained() -> None:
    found = {quoted(topic)[0]: kept for topic, kept, _ in rows(MQTT, "topics")}
    assert found == {
        TOPICS.online: "yes",
        TOPICS.state: "yes",
        TOPICS.event: "no",
        TOPICS.command: "–",
        discovery_topic("homeassistant", TOPICS): "yes",
    }


@pytest.mark.parametrize(
    ("what", "kind"), [("state", TableState), ("team", Team), ("window", WindowMessage), ("time", TimeLeft)]
)
def test_the_page_names_every_field(what: str, kind: type[Any]) -> None:
    assert [field for row in rows(MQTT, what) for field in quoted(row[0])] == list(kind.__struct_fields__)


def test_the_page_names_every_event_with_its_kinds_and_fields() -> None:
    found = rows(MQTT, "events")
    assert [quoted(row[0])[0] for row in found] == [name_of(kind) for kind in EVENTS]
    for kind, (_, kinds, fields) in zip(EVENTS, found, strict=True):
        assert tuple(quoted(kinds)) == kind.kinds
        own = set(kind.__struct_fields__) - set(Event.__struct_fields__)
        assert own <= set(quoted(fields)), kind
    assert set(Placed.__struct_fields__) <= set(quoted(found[-1][2]))


def test_the_page_names_what_lies_deeper_too_and_how_long_an_event_is_fresh() -> None:
    assert {*QuotaProgress.__struct_fields__, *PartFault.__struct_fields__} <= set(quoted(MQTT))
    assert f"within {FRESH_S:.0f} seconds" in MQTT


def test_the_page_names_every_entity() -> None:
    listed = {entity for row in rows(HOME_ASSISTANT, "entities") for entity in quoted(row[0])}
    assert listed | {"sensor.taptable_home_team_2"} == entities(a_device())
    for kind in EVENTS:
        (row,) = (row for row in rows(HOME_ASSISTANT, "entities") if name_of(kind).replace("-", "_") in row[0])
        assert tuple(quoted(row[1])[: len(kind.kinds)]) == kind.kinds


def test_there_are_no_buttons_without_commands() -> None:
    assert entities(a_device()) - entities(a_device(commands=False)) == {
        "button.taptable_home_pause",
        "button.taptable_home_resume",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entity_has_a_name_in_every_language_and_an_id_in_none(language: str) -> None:
    device = a_device(language)
    named = {key: each["name"] for key, each in device["components"].items() if len(each) > 1}
    assert all(name and name != key for key, name in named.items())
    assert entities(device) == entities(a_device())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_an_automation_of_entities_that_there_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    automation = yaml.safe_load(text)
    assert {"alias", "triggers", "actions"} <= automation.keys()
    used = set(re.findall(r"\w+\.taptable_home_\w+", text))
    assert used
    assert used <= entities(a_device())
    assert f"](../examples/home-assistant/{path.name})" in HOME_ASSISTANT
