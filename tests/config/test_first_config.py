"""The first configuration of a table: an example with the answers that were given at the installation."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.config import InvalidConfig, read_config
from taptable.config.initial import MEMORY, Answers, initial_config
from taptable.daemon.game_options import check_game

EXAMPLES = Path(__file__).parents[2] / "examples"
BUILDS = ("full", "compact")
HERE = Path("/etc/taptable/table.toml")


def example(build: str) -> str:
    return (EXAMPLES / f"{build}.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("build", BUILDS)
def test_with_nothing_answered_it_is_the_example_with_a_memory(build: str) -> None:
    made = initial_config(example(build), Answers()).splitlines()
    assert set(made) - set(example(build).splitlines()) == {
        f'journal = "{MEMORY}/journal.sqlite"',
        f'decks = "{MEMORY}/decks"',
    }
    config = read_config("\n".join(made), HERE, check_game)
    assert config.table.journal == MEMORY / "journal.sqlite"
    assert config.page is not None
    assert not config.page.network
    assert config.mqtt is None


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("language", ["de", "en", "fr", "nl"])
def test_each_answer_is_in_it_and_nothing_else_changes(build: str, language: str) -> None:
    name = 'Ada\'s "big" \\ table, Zoë 🂡'
    text = initial_config(example(build), Answers(name, language, network=True, broker="broker.local"))
    config = read_config(text, HERE, check_game)
    assert (config.table.name, config.table.language) == (name, language)
    assert config.game.game_options.edition == language
    assert config.page is not None
    assert config.page.network
    assert config.mqtt is not None
    assert (config.mqtt.account.host, config.mqtt.account.user) == ("broker.local", "table")
    assert config.mqtt.account.password_file == HERE.with_name("mqtt.password")
    assert len(set(text.splitlines()) - set(example(build).splitlines())) <= 10


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (Answers(language="xx"), "language"),
        (Answers(broker="not a host"), "[mqtt] host"),
        (Answers(name=" "), "name"),
    ],
)
def test_what_can_not_be_is_named_where_it_is_read(answers: Answers, says: str) -> None:
    with pytest.raises(InvalidConfig) as raised:
        read_config(initial_config(example("full"), answers), HERE, check_game)
    assert says in str(raised.value)


def test_an_example_without_what_is_answered_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match=r"no network below \[page\]"):
        initial_config(example("full").replace("network = false", ""), Answers(network=True))
    with pytest.raises(ValueError, match=r"no \[table\]"):
        initial_config("", Answers())
