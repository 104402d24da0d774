"""R12: editions as data, and house rules that override single fields. The effect of each edition is tested with the
rule that differs in it (R2.3, R7.8, R7.9, R8.1, R10.3, R10.4)."""

from __future__ import annotations

import dataclasses

import pytest
from taptable.core.errors import ConfigError
from taptable.games.online.options import DE, EDITIONS, EN, FR, Edition
from taptable.games.registry import find_game

from games.online.table import Game, quotas

GAME = find_game("online")


def test_r12_there_are_three_editions_and_de_is_the_default():
    assert GAME.editions == ("de", "en", "fr", "nl")


def test_r12_nl_is_the_same_as_fr():
    assert EDITIONS["nl"] is EDITIONS["fr"]


def test_r12_there_is_no_other():
    for edition in ("", "DE", "es", "uk"):
        with pytest.raises(ConfigError, match="de, en, fr, nl"):
            Game(2, edition)


@pytest.mark.parametrize(
    ("edition", "starter_left", "any_card", "for_oneself", "power", "discard", "cards", "solo", "tally"),
    [
        (DE, False, False, True, False, False, False, True, False),
        (EN, True, False, False, True, False, False, False, False),
        (FR, False, True, True, True, True, True, True, True),
    ],
    ids=["de", "en", "fr"],
)
def test_r12_an_edition_is_a_frozen_record_of_these_choices(
    edition: Edition,
    starter_left: bool,
    any_card: bool,
    for_oneself: bool,
    power: bool,
    discard: bool,
    cards: bool,
    solo: bool,
    tally: bool,
):
    choices = (starter_left, any_card, for_oneself, power, discard, cards, solo, tally)
    assert dataclasses.astuple(edition)[1:9] == choices
    with pytest.raises(dataclasses.FrozenInstanceError):
        edition.tally = not tally  # type: ignore[misc]  # that it can't be is what is tested


@pytest.mark.parametrize("edition", GAME.editions)
def test_r12_house_rules_override_single_fields_in_every_edition(edition: str):
    game = Game(
        5,
        edition,
        **quotas(movie=1),
        patrol_window_s=2,
        claim_s=3,
        settle_s=0,
        time_limit_s=900,
        teams="two",
        who_may_patrol="opponents",
        hack_reach="any",
    )
    assert [team["seats"] for team in game.state["teams"]] == [[1, 3, 5], [2, 4]]
    game.show_hacker()
    game.press(3).ignored("R3.7")
    game.press(2).accepted()
    assert game.state["window"] == {"hacker": 1, "opened_at": 0, "closes_at": 2, "claim": {"seat": 2, "until": 3}}
    game.wait(3)
    game.press(1).accepted()
    game.play("online", "extra-memory", "movie")
    assert game.state["outcome"]["winner"] == [1, 3, 5]


def test_r12_settle_takes_0_to_1_seconds():
    for seconds in ("0", "1", "0.25"):
        game = Game(settle_s=seconds)
        game.show_hacker()
        game.wait(1)
        game.press(2).accepted()
        game.wait(float(seconds))
        assert game.state["window"]["claim"]["seat"] == 2


def test_r12_a_setting_out_of_range_or_unknown_is_an_error():
    wrong = {"patrol_window_s": "five", "who_may_patrol": "nobody", "hack_reach": "edition", "teams": "Solo"}
    unknown = {"quota_emails": "3", "window": "5", "": "5"}
    for key, value in (*(wrong | unknown).items(), ("settle_s", "1.1"), ("settle_s", "-0.1")):
        with pytest.raises(ConfigError):
            Game(4, **{key: value})
