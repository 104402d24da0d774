"""Presets last: a stored preset is there after a start, a damaged file loses only what is damaged, and a failed write
changes nothing."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from taptable.core.errors import PresetsError
from taptable.core.game_options import GameOptions
from taptable.core.spelling import is_visible
from taptable.memory.presets import (
    LONGEST_NAME,
    LONGEST_PLAYER,
    MAX_PRESETS,
    Configured,
    GameSetup,
    KeptPresets,
    Preset,
    Presets,
)

printable = st.characters(exclude_categories=("C", "Z"))


def words(longest: int) -> st.SearchStrategy[str]:
    return st.text(printable, min_size=1, max_size=longest).filter(is_visible)


agreements = st.builds(
    GameOptions,
    st.integers(1, 6),
    words(10),
    st.dictionaries(words(10), words(10), max_size=3),
    st.none() | st.integers(1, 6),
)
a_preset = st.builds(
    Preset,
    words(LONGEST_NAME),
    st.builds(
        GameSetup,
        game=words(10),
        game_options=agreements,
        heir_kept=st.booleans(),
        names=st.lists(st.just("") | words(LONGEST_PLAYER), max_size=6).map(tuple),
        deck=st.just("") | words(10),
    ),
)
whatever_is_kept = st.builds(
    KeptPresets,
    presets=st.lists(a_preset, max_size=4, unique_by=lambda preset: preset.name).map(tuple),
    configured=st.none() | st.builds(Configured, words(10), agreements, words(10)),
    deck=st.none() | words(10),
)


def preset(name: str, **settings: str) -> Preset:
    game_options = GameOptions(4, "de", settings, None)
    return Preset(name, GameSetup("online", game_options, True, ("Anna", "", "Ben", ""), "family"))


@given(whatever_is_kept)
def test_what_is_written_is_read_again(kept: KeptPresets):
    assert Presets.decode(Presets.encode(kept)) == (kept, "")


@given(
    st.binary(max_size=60)
    | st.recursive(st.none() | st.text(max_size=5), lambda more: st.lists(more, max_size=3)).map(
        lambda value: json.dumps(value).encode()
    )
)
def test_anything_else_is_named_and_breaks_nothing(data: bytes):
    kept, troubles = Presets.decode(data)
    assert kept == KeptPresets()
    assert troubles


def test_presets_are_there_after_a_start(tmp_path: Path):
    path = tmp_path / "presets.json"
    presets = Presets(path)
    presets.save(preset("Friday"))
    presets.save(preset("Children", patrol_window_s="10"))
    presets.save(preset("Friday", claim_s="20"))
    presets.choose_deck("other")
    again = Presets(path)
    assert again.presets == (preset("Friday", claim_s="20"), preset("Children", patrol_window_s="10"))
    assert again.deck == "other"
    again.delete("Friday")
    assert Presets(path).presets == (preset("Children", patrol_window_s="10"),)


def test_what_was_agreed_is_forgotten_and_presets_stay(tmp_path: Path):
    presets = Presets(tmp_path / "presets.json")
    presets.save(preset("usual"))
    presets.remember_configured(Configured("online", GameOptions(2, "de", {}, None), "family"))
    presets.choose_deck("other")
    presets.forget_choices()
    again = Presets(tmp_path / "presets.json")
    assert (again.configured, again.deck, again.presets) == (None, None, (preset("usual"),))


def test_a_deck_is_chosen_until_the_configuration_says_otherwise(tmp_path: Path):
    path = tmp_path / "presets.json"
    configured = Configured("online", GameOptions(2, "de", {}, None), "family")
    presets = Presets(path)
    presets.remember_configured(configured)
    presets.choose_deck("other")
    presets = Presets(path)
    presets.remember_configured(configured)
    assert presets.deck == "other"
    presets.remember_configured(Configured("online", GameOptions(2, "de", {}, None), "travel"))
    assert Presets(path).deck is None


def test_only_what_is_damaged_is_lost_and_the_file_is_kept_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    path = tmp_path / "presets.json"
    presets = Presets(path)
    for name in ("Friday", "Children", "Long"):
        presets.save(preset(name))
    damaged = path.read_text(encoding="utf-8").replace('"name": "Children"', '"name": 7')
    path.write_text(damaged, encoding="utf-8")
    again = Presets(path)
    assert again.was_damaged
    assert [each.name for each in again.presets] == ["Friday", "Long"]
    assert (tmp_path / "presets.json.damaged-1").read_text(encoding="utf-8") == damaged
    assert f"presets {path} are damaged (preset 2)" in caplog.text
    once_more = Presets(path)
    assert not once_more.was_damaged
    assert once_more.presets == again.presets


def test_their_number_is_limited(tmp_path: Path):
    presets = Presets(tmp_path / "presets.json")
    for number in range(MAX_PRESETS):
        presets.save(preset(f"Preset {number}"))
    with pytest.raises(PresetsError, match=f"{MAX_PRESETS} are the most"):
        presets.save(preset("one too many"))
    presets.save(preset("Preset 3", claim_s="3"))
    assert len(presets.presets) == MAX_PRESETS


def test_on_a_full_disk_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "presets.json"
    presets = Presets(path)
    presets.save(preset("Friday"))
    before = path.read_bytes()

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        with pytest.raises(PresetsError, match=f"{path} can't be written: No space left"):
            presets.save(preset("Children"))
        with pytest.raises(PresetsError):
            presets.delete("Friday")
    assert presets.presets == (preset("Friday"),)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    presets.save(preset("Children"))
    assert [each.name for each in Presets(path).presets] == ["Friday", "Children"]


def test_a_file_that_cannot_be_read_is_not_written_over(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    path = tmp_path / "presets.json"
    path.mkdir()
    presets = Presets(path)
    assert presets.was_damaged
    with pytest.raises(PresetsError, match="can't be read"):
        presets.save(preset("Friday"))
    assert f"presets {path} can't be read" in caplog.text


def test_who_only_looks_does_not_write_over_a_damaged_file(tmp_path: Path):
    path = tmp_path / "presets.json"
    Presets(path).save(preset("Friday"))
    damaged = path.read_bytes()[:-20]
    path.write_bytes(damaged)
    looking = Presets(path, read_only=True)
    assert looking.was_damaged
    with pytest.raises(PresetsError, match="are damaged"):
        looking.save(preset("Children"))
    assert path.read_bytes() == damaged
