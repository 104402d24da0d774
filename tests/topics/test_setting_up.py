"""Games set up at the page: what can be chosen is what can be played, a set-up begins such a game, and what was agreed
there, and who plays, lasts until the configuration is edited."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from cli.deck_rig import CARDS
from table.rig import GAME, GameNight, a_table, running_table, with_buttons_on_boards
from taptable.api.errors import RequestError
from taptable.api.requests import BringDeck, Role
from taptable.config import Config
from taptable.core.notices import SeatUnused
from taptable.core.tag_notices import DeckChosen, EnrolmentMode
from taptable.core.verdicts import Accepted
from taptable.memory.deck import card_set_of
from taptable.memory.deckfile import text_of
from taptable.memory.decks import Decks
from taptable.memory.journal_reader import JournalReader
from taptable.memory.presets import (
    MAX_PRESETS,
)
from taptable.sim.setting_up import DECK, tagged_deck

from topics.page_user import GERMAN, PageUser

THREE: dict[str, Any] = {
    "game": "online",
    "edition": "en",
    "players": 3,
    "starter": 2,
    "settings": {"claim_s": "20", "time_limit_s": "1800"},
    "names": ["Ada", "Ben", "Cleo"],
    "deck": "",
}
"""A game for three, seat 2 on turn."""
BY_THE_RULES: dict[str, Any] = {**THREE, "starter": "rules", "settings": {}, "edition": "de"}
MOTHER = "👩‍👧 Löwe"
"""Joined by what doesn't print."""


async def is_killed_and_started(evening: GameNight) -> PageUser:
    """The daemon's process is killed, and another starts over the same hardware."""
    evening.table.let_go()
    await evening.stop()
    evening.table.take_up()
    await evening.start()
    return PageUser(evening)


def headers(config: Config) -> list[tuple[str, int, dict[str, str]]]:
    with JournalReader.open(config.table.journal) as journal:
        return [(game.header.edition, game.header.players, dict(game.header.settings)) for game in journal.games()]


@pytest.mark.table(2, "fr", seats=4, claim_s="7")
async def test_the_choices_are_published_with_their_bounds(at: GameNight, ada: PageUser) -> None:
    setup = ada.parts["setup"]
    (offered,) = (game for game in setup["games"] if game["game"] == "online")
    assert (offered["editions"], offered["players"], setup["seats"]) == (["de", "en", "fr", "nl"], [2, 3, 4], 4)
    rules = {rule.pop("key"): rule for rule in offered["settings"]}
    assert rules.keys() == at.referee_table.game.settings.keys()
    assert rules["claim_s"] == {"kind": "seconds", "least": 1, "most": 120, "default": "10"}
    assert rules["time_limit_s"] == {"kind": "minutes", "least": 1, "most": 1440, "default": None}
    assert rules["quota_movie"] == {"kind": "whole", "least": 0, "most": 8, "default": "2"}
    assert rules["teams"] == {"kind": "choice", "words": ["auto", "solo", "two"], "default": "auto"}
    raised = {"quota_email": "9", "quota_music": "6", "quota_game": "3", "quota_movie": "3"}
    (advice,) = offered["advice"]
    assert "9 E-mail, 6 Music, 3 Game and 3 Movie" in advice.pop("text")
    assert advice == {"key": "more-files", "players": 2, "settings": raised}
    game_options = {
        "game": "online",
        "edition": "fr",
        "players": 2,
        "starter": 1,
        "settings": {"claim_s": "7"},
        "names": ["", ""],
    }
    assert setup["game_options"] == {**game_options, "deck": ""}
    assert ada.parts["names"] == ["", ""]


@pytest.mark.table(6)
async def test_three_play_at_a_table_of_six_and_the_other_seats_stay_empty(
    at: GameNight, ada: PageUser, config: Config
) -> None:
    assert "seat 2 begins" in " ".join(await ada.sentences("set-up", **THREE))
    game_options = at.referee_table.game_options
    assert (game_options.players, game_options.edition, game_options.starter) == (3, "en", 2)
    assert dict(game_options.settings) == {"claim_s": "20", "time_limit_s": "1800"}
    assert at.state.options.teams == ((1,), (2,), (3,))
    assert ada.parts["names"] == ["Ada", "Ben", "Cleo"]
    assert ada.parts["setup"]["game_options"] == THREE
    assert isinstance((await at.tap("online#1", 2)).verdict, Accepted)
    await at.tap_in_vain("online#2", 5)
    assert [unused.pad for unused in at.all_told(SeatUnused)] == [5]
    await at.press(2)
    assert at.state.turn.seat == 3
    assert headers(config) == [("de", 6, {}), ("en", 3, dict(game_options.settings))]


WRONG: list[tuple[dict[str, Any], str, str]] = [
    (
        {"settings": {"claim_s": "0"}},
        "Time to show the patrol: from 1 to 120 seconds",
        "Zeit zum Zeigen der Patrol: von 1 bis 120 Sekunden",
    ),
    ({"settings": {"claim_s": "soon"}}, "Time to show the patrol: from 1 to 120 seconds", "von 1 bis 120 Sekunden"),
    ({"settings": {"time_limit_s": "0"}}, "Time limit: from 1 to 1440 minutes", "Zeitgrenze: von 1 bis 1440 Minuten"),
    ({"settings": {"quota_movie": "9"}}, "Movie to win: a whole number from 0 to 8", "Movie zum Sieg: eine ganze Zahl"),
    (
        {"settings": {"teams": "three"}},
        "Who plays together: one of those in the list",
        "Wer zusammenspielt: eines aus der Liste",
    ),
    ({"settings": {"luck": "1"}}, "no house rule “luck”", "keine Hausregel „luck“"),
    ({"settings": {"teams": "two"}}, "4 to 6 players, not for 3", "mit 4 bis 6 Spielern, nicht mit 3"),
    ({"settings": {"teams": "solo"}}, "is for 4 players, not for 3", "zu viert, nicht mit 3"),
    ({"players": 4, "edition": "de", "settings": {"teams": "solo"}}, "needs a time limit", "braucht eine Zeitgrenze"),
    (
        {"settings": {f"quota_{kind}": "0" for kind in ("email", "music", "game", "movie")}},
        "At least one kind of file",
        "Wenigstens eine Art Datei",
    ),
    ({"players": 5}, "Players has to be a number from 2 to 4", "Players"),
    ({"edition": "it"}, "“edition” has to be one of these", "edition"),
    ({"starter": 4}, "this table is played at seats 1 to 3", "Platz"),
    ({"starter": "oldest"}, "“starter”", "starter"),
    ({"names": ["A" * 25]}, "A name has 1 to 24 visible characters.", "24"),
    ({"names": ["Ada\u202eBen"]}, "A name has 1 to 24 visible characters.", "24"),
    ({"names": ["\u200d"]}, "A name has 1 to 24 visible characters.", "24"),
    ({"deck": "lost"}, "There is no deck “lost”", "keinen Kartensatz „lost“"),
]


@pytest.mark.table(2, seats=4)
async def test_a_wrong_value_gets_a_sentence_and_nothing_happens(at: GameNight, ada: PageUser) -> None:
    ben = PageUser(at, GERMAN)
    for wrong, english, german in WRONG:
        for asking, sentence in ((ada, english), (ben, german)):
            assert sentence in await asking.is_refused("set-up", **{**THREE, **wrong})
            assert sentence in await asking.is_refused("save-preset", name="wrong", **{**THREE, **wrong})
    assert ada.parts["setup"]["presets"] == []


@pytest.mark.table(3)
async def test_what_is_as_usual_is_none_of_the_agreement(at: GameNight, ada: PageUser) -> None:
    usual = {"claim_s": "10.0", "patrol_window_s": "", "teams": "auto", "quota_email": "7"}
    await ada.ask("set-up", **{**THREE, "settings": usual})
    assert dict(at.referee_table.game_options.settings) == {"quota_email": "7"}


async def test_with_buttons_on_boards_presses_are_waited_for_longer_in_any_set_up(tmp_path: Path) -> None:
    async with running_table(with_buttons_on_boards(a_table(tmp_path, 3))) as at:
        ada = PageUser(at)
        assert {rule["key"]: rule for rule in ada.parts["setup"]["games"][0]["settings"]}["settle_s"][
            "default"
        ] == "0.25"
        await ada.ask("set-up", **{**THREE, "settings": {}})
        assert dict(at.referee_table.game_options.settings) == {"settle_s": "0.25"}
        assert ada.parts["setup"]["game_options"]["settings"] == {}


@pytest.mark.table(3)
async def test_presets_are_kept_replaced_and_deleted(at: GameNight, ada: PageUser) -> None:
    await ada.ask("save-preset", name=" Friday ", **THREE)
    await ada.ask("save-preset", name="Plain", **BY_THE_RULES)
    assert ada.parts["setup"]["presets"] == [
        {"name": "Friday", **THREE, "fits": True},
        {"name": "Plain", **BY_THE_RULES, "fits": True},
    ]
    await ada.ask("save-preset", name="Friday", **BY_THE_RULES)
    await ada.ask("delete-preset", name="Plain")
    assert ada.parts["setup"]["presets"] == [{"name": "Friday", **BY_THE_RULES, "fits": True}]
    assert "needs a name" in await ada.is_refused("save-preset", name=" ", **THREE)
    for number in range(1, MAX_PRESETS):
        await ada.ask("save-preset", name=f"{number}", **THREE)
    assert f"{MAX_PRESETS} presets already" in await ada.is_refused("save-preset", name="one more", **THREE)
    again = await is_killed_and_started(at)
    assert [preset["name"] for preset in again.parts["setup"]["presets"]][:3] == ["Friday", "1", "2"]


async def test_a_preset_for_more_than_the_table_seats_is_shown_as_such(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, 6)) as at:
        await PageUser(at).ask("save-preset", name="Six", **{**THREE, "players": 6, "settings": {}})
    async with running_table(a_table(tmp_path, 3), before=boots_counted) as at:
        assert [preset["fits"] for preset in PageUser(at).parts["setup"]["presets"]] == [False]


@pytest.mark.table(4)
async def test_names_and_agreement_are_there_again_after_a_kill(at: GameNight, ada: PageUser, config: Config) -> None:
    await ada.ask("set-up", **THREE)
    await at.tap("online#1", 2)
    await ada.ask("name-players", names=["Ada", MOTHER])
    state = at.state
    again = await is_killed_and_started(at)
    assert at.state == state
    assert at.referee_table.paused_at_us is not None
    assert again.parts["names"] == ["Ada", MOTHER, ""]
    assert again.parts["setup"]["game_options"] == {**THREE, "names": ["Ada", MOTHER, ""]}
    await again.ask("new-game")
    once_more = await is_killed_and_started(at)
    assert once_more.parts["names"] == ["Ada", MOTHER, ""]
    assert headers(config)[-1][:2] == ("en", 3)


async def test_once_the_configuration_is_edited_it_wins(tmp_path: Path) -> None:
    async with running_table(a_table(tmp_path, 4)) as at:
        await PageUser(at).ask("set-up", **THREE)
    for edition in ("fr", "fr", "de"):
        async with running_table(a_table(tmp_path, 4, edition), before=boots_counted) as at:
            assert (at.referee_table.game_options.edition, at.referee_table.game_options.players) == (edition, 4)


async def test_another_deck_is_played_with_after_a_start_too(tmp_path: Path) -> None:
    config = a_table(tmp_path, 3)
    other = tagged_deck("other", CARDS, 5)
    Decks(config.table.decks).save(other)
    async with running_table(config) as at:
        ada = PageUser(at)
        await ada.ask("set-up", **{**THREE, "deck": "other"})
        assert at.daemon.active_deck.deck_name == "other"
        assert [(chosen.deck, chosen.by) for chosen in at.all_told(DeckChosen)] == [("other", "page")]
        ada = await is_killed_and_started(at)
        assert at.daemon.active_deck.deck_name == "other"
        with JournalReader.open(config.table.journal) as journal:
            assert [game.header.deck for game in journal.games()] == [DECK, "other"]


async def test_while_the_discard_pad_enrols_a_set_up_is_refused_and_the_game_keeps_its_deck(tmp_path: Path) -> None:
    config = a_table(tmp_path, 3)
    Decks(config.table.decks).save(tagged_deck("other", CARDS, 5))
    async with running_table(config) as at:
        ada = PageUser(at)
        at.daemon.enrolment.begin("third", GAME, EnrolmentMode.ENROL, "Ben")
        assert "reading cards" in await ada.is_refused("set-up", **{**THREE, "deck": "other"})
        assert at.daemon.active_deck.deck_name == DECK
        at.daemon.enrolment.stop()
        await ada.ask("set-up", **{**THREE, "deck": "other"})
        assert at.daemon.active_deck.deck_name == "other"


async def asks_for_another(at: GameNight, ada: PageUser) -> None:
    del at
    await ada.ask("new-game")


async def sets_another_up(at: GameNight, ada: PageUser) -> None:
    del at
    await ada.ask("set-up", players=3, starter="youngest")


async def sets_up_another_kind(at: GameNight, ada: PageUser) -> None:
    siege = tagged_deck("siege", card_set_of("cyber-siege", ""))
    at.daemon.api.do(Role.ADMIN, BringDeck(content=text_of(siege)))
    await ada.ask("set-up", game="cyber-siege", players=3, starter="youngest")


async def taps_its_card(at: GameNight, ada: PageUser) -> None:
    del ada
    await at.control("new-game", 1)


@pytest.mark.table(3, starter=None)
@pytest.mark.parametrize("begins", [asks_for_another, sets_another_up, sets_up_another_kind, taps_its_card])
@pytest.mark.parametrize("paused", ["by a card", "by an enrolment", "by a restart", "for a check"])
async def test_a_game_that_begins_is_not_paused_whatever_the_one_before_waited_for(
    begins: Callable[[GameNight, PageUser], Awaitable[None]], paused: str, at: GameNight, ada: PageUser
) -> None:
    await at.press(2)
    await at.tap("online#1", 2)
    match paused:
        case "by a card":
            await at.control("pause", 1)
        case "by an enrolment":
            await ada.ask("enrol", deck="family")
            await ada.ask("enrol-stop")
        case "by a restart":
            await at.restart()
            ada = PageUser(at)
        case _ if begins is taps_its_card:
            return  # a card only ends a check
        case _:
            await ada.ask("check")
    assert at.referee_table.paused_at_us is not None
    await begins(at, ada)
    assert at.referee_table.paused_at_us is None
    assert at.referee_table.scoreboard.seat is None
    await at.press(3)
    assert at.referee_table.scoreboard.seat == 3  # the first press names the youngest
    await ada.ask("take-back")
    await at.press(1)
    assert (at.referee_table.scoreboard.seat, at.referee_table.paused_at_us) == (None, None)
    assert "nothing to take back" in await ada.is_refused("take-back")
    await at.press(2)
    before = at.state
    await at.restart()  # the journal tells the same
    assert at.state == before


async def test_a_game_that_cant_be_set_up_leaves_the_pause(at: GameNight, ada: PageUser) -> None:
    await at.control("pause", 1)
    with pytest.raises(RequestError):
        await ada.ask("set-up", players=2, settings={"teams": "solo"})
    assert at.referee_table.paused_at_us is not None


async def boots_counted(at: GameNight) -> None:
    """The boards have been on before, and count on."""
    for board in at.table.stand_in("board").boards.values():
        board.reset()
