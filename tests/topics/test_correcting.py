"""Putting things right from the page: what is asked for happens as by a card or a button, what can't be is refused and
changes nothing, and the journal says who asked."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from cues.display_rig import same_pixels
from table.rig import GameNight
from table.test_full_disk import AGAIN_S, no_room
from taptable import __version__
from taptable.core.announcements import MoveTakenBack
from taptable.core.check_notices import CheckDone, CheckHand
from taptable.core.cues import Lamp
from taptable.core.notices import ConsentAsked, ConsentGiven, PressUnheard
from taptable.core.observations import ButtonPressed
from taptable.core.verdicts import Refused
from taptable.cues.prompts import Check
from taptable.cues.scene import NEWS_US, Scene, render
from taptable.daemon.daemon import screen_style_of
from taptable.referee.session import Decision

from topics.page_user import GERMAN, PageUser

pytestmark = pytest.mark.table(3)
READ_S = 0.5
"""Seconds within which a picture is on the display, and a board's light on its ring."""


def asked_for(evening: GameNight) -> list[tuple[str, str]]:
    """The requests and their authors, by the journal."""
    notes = [entry.line for entry in evening.entries() if entry.kind == "note" and entry.line is not None]
    return [(note["what"], note["by"]) for note in notes if note["type"] == "correction-asked"]


async def test_a_take_back_asked_for_from_a_seat_is_granted_by_another_seats_button(
    at: GameNight, ada: PageUser
) -> None:
    before = at.state
    await at.tap("online#1", 1)
    assert await ada.sentences("take-back", seat=2) == ["Seat 2: Take back? Another player’s button says yes."]
    question = ada.parts["question"]
    assert (question["seat"], question["whole_us"], question["seats"]) == (2, 10_000_000, [1, 3])
    assert question["ends_us"] == at.all_told(ConsentAsked)[0].until_us
    assert isinstance(await at.press(2), PressUnheard)
    await at.press(3)
    assert [said.seat for said in at.all_told(ConsentGiven)] == [3]
    assert at.state.teams == before.teams
    assert ada.parts["question"] is None
    assert asked_for(at) == [("take-back", "page")]


async def test_a_take_back_can_be_withdrawn_and_buttons_mean_again_what_they_meant(
    at: GameNight, ada: PageUser
) -> None:
    await at.tap("online#1", 1)
    await ada.ask("take-back", seat=1)
    assert await ada.is_refused("take-back", seat=2) == "That is being asked already."
    await ada.ask("withdraw")
    assert ada.parts["question"] is None
    assert await ada.is_refused("withdraw") == "Nobody asks to take anything back."
    stopped = await at.press(1)
    assert isinstance(stopped, Decision)
    assert isinstance(stopped.observation, ButtonPressed)
    assert at.all_told(MoveTakenBack) == []
    assert asked_for(at) == [("take-back", "page"), ("withdraw", "page")]


async def test_every_correction_is_in_the_journal_with_who_asked_after_a_restart_too(
    at: GameNight, ada: PageUser
) -> None:
    actions: list[tuple[str, dict[str, Any]]] = [
        ("reshuffle", {}),
        ("pause", {}),
        ("resume", {}),
        ("check", {}),
        ("break-off", {}),
        ("lost", {"card": "virus#1"}),
        ("recovered", {"card": "virus#1"}),
        ("vacate", {"seat": 3}),
        ("end-game", {}),
    ]
    for verb, fields in actions:
        assert ada.parts["possible"]["verbs"][verb] is None
        assert await ada.sentences(verb, **fields) != []
    outcome = at.state.outcome
    await at.restart()
    assert asked_for(at) == [(verb.replace("break-off", "check"), "page") for verb, _ in actions]
    assert at.state.outcome == outcome


@pytest.mark.parametrize(
    ("verb", "fields", "why"),
    [
        ("take-back", {}, "There is nothing to take back."),
        ("take-back", {"seat": 4}, "There is no such seat: this table is played at seats 1 to 3."),
        ("resume", {}, "The game is running already."),
        ("break-off", {}, "The table isn’t being checked."),
        ("rows-checked", {"seat": 1}, "The table isn’t being checked."),
        ("hand-counted", {"seat": 1, "count": 7}, "The table isn’t being checked."),
        ("recovered", {"card": "virus#1"}, "Virus isn’t marked as lost."),
        ("lost", {"card": "virus#4"}, "There is no such card in this game."),
        ("lost", {"card": "virus#01"}, "There is no such card in this game."),
        ("lost", {}, "“card” can’t be that."),
        ("lost", {"card": ["virus#1"]}, "“card” can’t be that."),
        ("vacate", {"seat": 0}, "“seat” can’t be that."),
        ("vacate", {"seat": True}, "“seat” can’t be that."),
        ("vacate", {"seat": 4}, "There is no such seat: this table is played at seats 1 to 3."),
    ],
)
async def test_what_cannot_be_is_refused_and_changes_nothing(
    verb: str, fields: dict[str, Any], why: str, ada: PageUser
) -> None:
    assert await ada.is_refused(verb, **fields) == why


async def test_a_refusal_is_in_the_language_of_the_requester(at: GameNight) -> None:
    said = PageUser(at, GERMAN)
    assert await said.is_refused("take-back") == "Es gibt nichts zurückzunehmen."
    assert said.parts["possible"]["verbs"]["take-back"] == "Es gibt nichts zurückzunehmen."


async def test_a_game_that_is_over_can_neither_be_checked_nor_ended_nor_left(ada: PageUser) -> None:
    ending = ada.parts["possible"]["ending"]
    assert await ada.sentences("end-game") == ["The game ends here, as it stands. Victory for seats 1, 2 and 3!"]
    assert [(each["seats"], each["place"]) for each in ending] == [([1], 1), ([2], 1), ([3], 1)]
    parts = ada.parts["possible"]
    for verb, fields in (("end-game", {}), ("check", {}), ("vacate", {"seat": 1}), ("lost", {"card": "virus#1"})):
        assert parts["verbs"][verb] == await ada.is_refused(verb, **fields)
    assert parts["ending"] == []


async def test_while_the_table_is_checked_nothing_else_is_done(ada: PageUser) -> None:
    await ada.ask("check")
    why = "The table is being checked: finish that first, or break it off."
    for verb in ("take-back", "withdraw", "reshuffle", "pause", "resume", "check", "end-game"):
        assert await ada.is_refused(verb) == why
        assert ada.parts["possible"]["verbs"][verb] == why
    assert await ada.is_refused("vacate", seat=1) == why
    assert await ada.is_refused("lost", card="virus#1") == why
    assert await ada.is_refused("rows-checked", seat=2) == "Now it is the turn of seat 1."
    assert await ada.is_refused("hand-counted", seat=1, count=7) == "First the rows: seat 1."
    for seat in (1, 2, 3):
        await ada.ask("rows-checked", seat=seat)
    assert await ada.is_refused("rows-checked", seat=1) == "The rows are done: now seat 1 counts the hand."
    assert await ada.is_refused("hand-counted", seat=2, count=7) == "Now it is the turn of seat 1."
    for count in (-1, 21, 1.5, "7", None, True):
        assert await ada.is_refused("hand-counted", seat=1, count=count) == "“count” can’t be that."


class Watch:
    """Whether page, display and rings say the same during a check; the page in the language of the display."""

    def __init__(self, at: GameNight) -> None:
        self._at = at
        self._page = PageUser(at, GERMAN)

    async def sees(self, seats: tuple[int, ...], done: int, expected: int) -> None:
        """Check that these seats are asked, and how far they are."""
        await asyncio.sleep(NEWS_US / 1e6 + READ_S)  # what came of the last step has gone from the display
        at, part = self._at, self._page.parts["checking"]
        assert part["seats"] == list(seats)
        progress = (
            (0, part["count"]) if part["hands"] else (sum(c["ticked"] for c in part["cards"]), len(part["cards"]))
        )
        assert progress == (done, expected)
        table, now_us = at.referee_table, at.daemon.clock.now_us()
        screen = Check(seats, part["text"], done, expected)
        scene = Scene(__version__, table.game.scoreboard(table.state), paused=True, check=screen)
        assert same_pixels(at.table.picture(), render(scene, now_us, (128, 64), screen_style_of(at.config)))
        for seat in range(1, len(at.config.seats) + 1):
            assert at.table.ring_pattern(seat) == ("your-turn" if seat in seats else "paused")
            assert at.daemon.cues.lamp(seat) is (Lamp.ON_TURN if seat in seats else Lamp.OFF)


@pytest.mark.table(4)
async def test_a_whole_check_asks_for_one_thing_at_a_time_on_page_display_and_rings(
    at: GameNight, ada: PageUser
) -> None:
    await at.tap("online#1", 1)
    await at.tap("extra-memory#1", 1)
    await ada.ask("check")
    watch = Watch(at)
    await watch.sees((1, 3), 0, 2)
    await at.tap_in_vain("online#1", 3)
    await watch.sees((1, 3), 1, 2)
    # a card that was thought hidden lies here, and the other isn't here
    await at.tap_in_vain("antivirus#1", 1)
    await watch.sees((1, 3), 1, 2)
    assert ada.parts["checking"]["extra"] == ["antivirus#1"]
    said = await ada.sentences("rows-checked", seat=3)
    assert said[0] == "Missing here: Extra Memory."
    await watch.sees((2, 4), 0, 0)
    part = ada.parts["checking"]
    assert (part["laid"], part["gone"]) == ([["antivirus#1", 1]], ["extra-memory#1"])
    assert (part["teams_left"], part["hands_left"]) == (0, 4)
    hand = at.expect(lambda event: isinstance(event, CheckHand))
    at.table.press(2)  # at the table just as well
    await hand
    await watch.sees((1,), 0, 6)
    await ada.ask("hand-counted", seat=1, count=6)
    await watch.sees((2,), 0, 7)
    await ada.ask("hand-counted", seat=2, count=0)
    await watch.sees((3,), 0, 7)
    await ada.ask("hand-counted", seat=3, count=1)
    assert ada.parts["checking"]["counted"] == [[2, 0, "hand"], [3, 1, "hand"]]
    await watch.sees((4,), 0, 7)
    said = await ada.sentences("hand-counted", seat=4, count=7)
    assert said[-1] == "Table checked, 4 corrections."
    assert ada.parts["checking"] is None
    assert at.state.hands == (6, 0, 1, 7)
    assert set(at.referee_table.game.cards_of(at.state, (1, 3))) == {"online#1", "antivirus#1"}
    assert at.all_told(CheckDone)[0].corrections == 4
    await asyncio.sleep(READ_S)
    assert [at.table.ring_pattern(seat) for seat in (1, 2, 3, 4)] == ["paused"] * 4


async def test_a_lost_card_counts_nowhere_until_it_is_found(at: GameNight, ada: PageUser) -> None:
    await at.tap("online#1", 1)
    pile = at.state.draw_pile
    await ada.ask("lost", card="online#1")
    await ada.ask("lost", card="email#3")
    assert ada.parts["lost"]["cards"] == ["online#1", "email#3"]
    assert dict(ada.parts["lost"]["kinds"])["email"] == 22
    assert (at.state.teams[0].rows[0], at.state.draw_pile) == ((), pile - 1)
    assert await ada.is_refused("lost", card="email#3") == "E-mail is marked as lost already."
    assert isinstance((await at.tap("email#3", 1)).verdict, Refused)
    await ada.ask("recovered", card="online#1")
    assert ada.parts["lost"]["cards"] == ["email#3"]
    await at.restart()
    assert at.referee_table.game.scoreboard(at.state).lost == ("email#3",)


async def test_what_cannot_be_written_down_waits_and_is_done_later(at: GameNight, ada: PageUser) -> None:
    await asyncio.sleep(2)
    with no_room(at):
        answered = await ada.ask("lost", card="virus#1")
        assert answered == {
            "said": [],
            "waits": "That can’t be written down yet; it counts as soon as it can be.",
        }
        assert ada.parts["lost"]["cards"] == []
    await asyncio.sleep(AGAIN_S)
    assert ada.parts["lost"]["cards"] == ["virus#1"]
    assert asked_for(at) == [("lost", "page")]
