"""People's commands that come neither from cards nor from buttons: the author is announced first, then the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from taptable.core import check_notices, notices
from taptable.core.controls import control_cards
from taptable.core.device_events import TagCame
from taptable.core.errors import RefereeError
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    Arrangement,
    CardHeld,
    CardLost,
    CardRecovered,
    ControlUsed,
    GameSetUp,
    SeatVacated,
)
from taptable.core.verdicts import Accepted
from taptable.games.registry import find_game
from taptable.referee import gestures
from taptable.referee.session import Decision
from taptable.referee.step import open_table
from taptable.referee.taps import ControlTapped

from referee.session_rig import SessionRig


def set_up(players: int, starter: int | None = 1) -> GameSetUp:
    return GameSetUp(0, "online", GameOptions(players, "de", {}, starter), keep_next_starter=False)


def at(made: Arrangement) -> Callable[[int], Arrangement]:
    """The same at any time."""
    return lambda at_us: replace(made, at_us=at_us)


class TestWhoAsked:
    def test_a_control_card_is_asked_for_at_its_pad_before_anything_comes_of_it(self):
        evening = SessionRig().control("pause", 3)
        asked, judged = evening.events[-2:]
        assert asked == notices.CorrectionAsked(asked.at_us, "pause", 3, "")
        assert isinstance(judged, Decision)

    def test_a_card_for_a_move_of_the_game_is_no_correction(self):
        table, _ = open_table(find_game("xnet"), GameOptions(3, "standard", {}, 1))
        card, (control, fields) = next(iter(control_cards(table.game.controls).items()))
        _, outcomes = gestures.use_control(gestures.PendingPrompts(0), table, ControlTapped(0, card, 1))
        assert outcomes == [ControlUsed(0, control, fields)]

    def test_at_the_page_it_is_asked_for_by_name(self):
        asked, *_ = SessionRig().ask("reshuffle", "Anna").events
        assert asked == notices.CorrectionAsked(0, "reshuffle", None, "Anna")

    @pytest.mark.parametrize(
        ("told", "what"),
        [
            (set_up(2), "set-up"),
            (SeatVacated(0, 2), "vacate"),
            (CardLost(0, "virus#1"), "lost"),
            (CardRecovered(0, "virus#1"), "recovered"),
        ],
    )
    def test_a_notice_is_asked_for_by_name(self, told: Arrangement, what: str):
        asked, judged = SessionRig().tell(at(told), "Ben").events
        assert asked == notices.CorrectionAsked(0, what, None, "Ben")
        assert isinstance(judged, Decision)

    def test_the_card_that_ends_a_pause_asks_to_resume(self):
        evening = SessionRig().control("pause").control("pause")
        assert [asked.what for asked in evening.notices(notices.CorrectionAsked)] == ["pause", "resume"]

    def test_at_the_page_a_pause_is_no_resume(self):
        evening = SessionRig().ask("pause").ask("pause")
        assert evening.session.table.paused_at_us is not None
        assert [judged.observation.control for judged in evening.decisions(ControlUsed)] == ["pause", "pause"]


class TestSetUp:
    def test_buttons_and_pads_of_seats_that_are_not_played_mean_nothing_more(self):
        evening = SessionRig(4).tap("email#1", 4).press(1).press(2).press(3)
        assert [button.action for button in evening.session.buttons] == [None, None, None, "stop", None, None]
        evening.handle_device_event(TagCame(evening.now_us, 4, "email#2")).tell(at(set_up(2))).wait(5)
        assert [button.action for button in evening.session.buttons] == ["stop", *(None,) * 5]
        assert not evening.decisions(CardHeld)
        evening.press(4).tap("email#1", 4)
        assert [notice.pad for notice in evening.notices(notices.SeatUnused)] == [4, 4]

    def test_seats_that_are_played_now_take_part(self):
        evening = SessionRig(2).tell(at(set_up(6, starter=5)))
        assert [button.action for button in evening.session.buttons] == [None, None, None, None, "stop", None]
        evening.tap("online#1", 5)
        assert evening.state["teams"][1]["connection"] == ["online#1"]

    def test_more_players_than_seats_are_our_own_mistake(self):
        evening = SessionRig(2, seats=4)
        with pytest.raises(RefereeError, match=r"A game of 5 .* a table of 4 seats"):
            evening.tell(at(set_up(5)))

    def test_names_are_announced_again_for_the_players_of_the_next_game(self):
        evening = SessionRig(4).name("Anna", "Ben", "", "Dora").tell(at(set_up(2)))
        assert evening.session.names == ("Anna", "Ben")
        assert evening.events[-1] == notices.PlayersNamed(0, ("Anna", "Ben"))
        evening.ask("new-game")
        assert evening.events[-1] == notices.PlayersNamed(0, ("Anna", "Ben"))

    def test_where_nobody_has_a_name_none_is_announced(self):
        assert not SessionRig().ask("new-game").notices(notices.PlayersNamed)

    def test_what_is_refused_changes_no_name(self):
        evening = SessionRig(4).name("Anna", "Ben").tell(at(GameSetUp(0, "online", GameOptions(4, "es", {}, 1), False)))
        assert not isinstance(evening.decisions(GameSetUp)[0].verdict, Accepted)
        assert len(evening.notices(notices.PlayersNamed)) == 1


class TestVacatedSeat:
    def test_its_button_grants_nothing_and_ends_no_pause(self):
        evening = SessionRig().tap("online#1", 1).tell(at(SeatVacated(0, 2))).tap("email#1", 1)
        evening.ask("take-back", pad=1)
        assert evening.button_actions == (None, None, "grant", "grant")
        evening.press(2)
        assert evening.notices(notices.PressUnheard)[-1].seat == 2
        evening.press(3).ask("pause")
        assert evening.button_actions == ("resume", None, "resume", "resume")
        evening.press(2)
        assert evening.session.table.paused_at_us is not None

    def test_nobody_counts_its_hand_in_a_check(self):
        evening = SessionRig().tell(at(SeatVacated(0, 2))).ask("check")
        evening.rows_checked(1).rows_checked(4)
        for seat in (1, 3, 4):
            assert evening.notices(check_notices.CheckHand)[-1].seat == seat
            evening.hand_counted(seat, 7)
        assert evening.notices(check_notices.CheckDone)


class TestCheckAtThePage:
    def start(self) -> SessionRig:
        return SessionRig().tap("online#1", 1).tap("email#1", 1).press(1).ask("check")

    def test_what_is_asked_of_another_seat_is_answered_as_elsewhere(self):
        evening = self.start().rows_checked(2).hand_counted(1, 7)
        assert [notice.seats for notice in evening.notices(check_notices.CheckElsewhere)] == [(1, 3), (1, 3)]
        evening.rows_checked(1).rows_checked(2).rows_checked(1).hand_counted(2, 7)
        assert [notice.seats for notice in evening.notices(check_notices.CheckElsewhere)][2:] == [(1,), (1,)]

    def test_without_a_check_nothing_comes_of_it(self):
        assert SessionRig().rows_checked(1).hand_counted(1, 3).events == []

    def test_another_control_asked_for_breaks_it_off_and_is_done(self):
        evening = self.start().ask("end-game")
        assert evening.notices(check_notices.CheckBrokenOff)
        assert evening.state["outcome"]["by"] == "agreement"

    def test_a_notice_meanwhile_breaks_it_off(self):
        evening = self.start().tell(at(CardLost(0, "email#1")))
        assert evening.notices(check_notices.CheckBrokenOff)
        assert evening.state["lost"] == ["email#1"]
