"""The table of somebody without a ``table.toml``: where it is, what it is like, and what stands in its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.config import InvalidConfig, load_config
from taptable.config.home import default_config, environment_language, home_config
from taptable.core.errors import ConfigError
from taptable.daemon.game_options import check_game


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own table, which isn't there, and an empty current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("TAPTABLE_CONFIG", raising=False)
    monkeypatch.setenv("LANGUAGE", "nl_BE:en")
    monkeypatch.setattr("taptable.config.home.pi_model", lambda: None)
    return tmp_path / "data/taptable"


def test_without_a_file_it_is_a_table_of_parts_that_plug_together(own: Path) -> None:
    config = load_config(default_config(), check_game)
    assert (config.file, config.table.journal, config.table.decks) == (
        own / "table.toml",
        own / "journal.sqlite",
        own / "decks",
    )
    assert (config.table.language, config.game.game_options.edition) == ("nl", "nl")
    assert (config.seats, config.scoreboard, config.parts) == ((), None, [])
    assert config.page is not None
    assert (config.page.port, config.page.network) == (8137, False)
    assert not own.exists()


def test_on_a_pi_it_has_the_display_of_the_ready_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taptable.config.home.pi_model", lambda: "Raspberry Pi 5")
    config = load_config(default_config(), check_game)
    assert config.scoreboard is not None
    assert config.scoreboard.optional


def test_parts_that_were_assigned_are_in_it(own: Path) -> None:
    own.mkdir(parents=True)
    seat = '[[seats]]\npad = "i2c:1.0x70/{0}"\nbutton = "input:1-1/BTN_{0}"\n'
    (own / "parts.toml").write_text(f'{seat.format(1)}{seat.format(2)}[discard]\npad = "i2c:1.0x70/0"\n')
    assert len(load_config(default_config(), check_game).seats) == 2


def test_a_file_is_what_counts_even_if_it_is_wrong_or_a_broken_link(own: Path) -> None:
    own.mkdir(parents=True)
    (own / "table.toml").write_text('[table]\nname = "Kitchen"\ndeck = "box"\n')
    assert load_config(default_config(), check_game).table.name == "Kitchen"
    (own / "table.toml").unlink()
    (own / "table.toml").symlink_to("nowhere")
    with pytest.raises(InvalidConfig, match=r"table\.toml isn't there"):
        load_config(default_config(), check_game)


def test_only_the_user_s_own_file_may_be_missing(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfig, match=r"other\.toml isn't there"):
        load_config(tmp_path / "other.toml", check_game)


def test_a_file_in_the_current_folder_comes_first_and_an_installed_one_before_it(
    tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert default_config() == own / "table.toml"
    (tmp_path / "table.toml").touch()
    assert default_config() == Path("table.toml")
    monkeypatch.setenv("TAPTABLE_CONFIG", "/etc/taptable/table.toml")
    assert default_config() == Path("/etc/taptable/table.toml")


@pytest.mark.parametrize("data", ["", "relative/folder"])
def test_without_a_usable_variable_it_is_where_the_home_folder_keeps_data(
    data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", data)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert home_config() == tmp_path / ".local/share/taptable/table.toml"


def test_without_a_home_folder_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr("pathlib.Path.expanduser", fail)
    with pytest.raises(ConfigError, match="this user has no home folder: name the table's configuration with --config"):
        default_config()
    with pytest.raises(InvalidConfig, match=r"other\.toml isn't there"):
        load_config(tmp_path / "other.toml", check_game)


def test_the_language_is_that_of_the_environment_if_there_is_a_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    assert environment_language() == "nl"
    monkeypatch.setenv("LANGUAGE", "it")
    assert environment_language() == "en"
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    assert environment_language() == "de"
