"""*Gestures that are not cards of the game*, and a whole session: device events in, events out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from taptable.core import check_notices, notices, part_notices, tag_notices
from taptable.core.device_events import ButtonEdge, Clock, Origin, PartFailed, PartReturned, TagCame, TagWent
from taptable.core.game_options import GameOptions
from taptable.core.observations import ButtonPressed, CardLost, ControlUsed, TableCorrected
from taptable.core.verdicts import Accepted, Refused
from taptable.games.registry import find_game
from taptable.referee import session
from taptable.referee.lines import answer_line, observation_line
from taptable.referee.replaying import replay_line
from taptable.referee.session import Decision
from taptable.referee.step import open_table

from referee.session_rig import REMIND_S, S, SessionRig


def test_a_tap_travels_through_to_a_verdict():
    evening = SessionRig().tap("online#1", 1)
    assert isinstance(evening.last, Decision)
    assert isinstance(evening.last.verdict, Accepted)
    assert evening.state["teams"][0]["connection"] == ["online#1"]


def test_two_cards_at_once_leave_nothing_applied():
    evening = SessionRig()
    evening.handle_device_event(TagCame(0, 1, "online#1")).wait(0.1).handle_device_event(
        TagCame(evening.now_us, 1, "turbo-line#1")
    )
    assert isinstance(evening.last, Decision)
    assert isinstance(evening.last.verdict, Refused)
    assert evening.last.verdict.code == "one-at-a-time"
    assert evening.state["teams"][0]["connection"] == []


class TestTakeBack:
    def test_it_asks_the_other_seats_and_one_press_grants_it(self):
        evening = SessionRig().tap("online#1", 1).control("take-back", 1)
        assert evening.notices(notices.ConsentAsked)[0].seat == 1
        assert evening.button_actions == (None, "grant", "grant", "grant")
        evening.press(3)
        assert evening.notices(notices.ConsentGiven)[0].seat == 3
        assert evening.state["teams"][0]["connection"] == []

    def test_the_requester_can_t_grant_it(self):
        evening = SessionRig().tap("online#1", 1).control("take-back", 1).press(1)
        assert evening.notices(notices.PressUnheard)
        assert evening.state["teams"][0]["connection"] == ["online#1"]

    def test_asked_in_the_middle_any_seat_grants_it(self):
        evening = SessionRig().tap("online#1", 1).control("take-back").press(1)
        assert evening.state["teams"][0]["connection"] == []

    def test_nobody_s_press_within_ten_seconds_lets_it_lapse(self):
        evening = SessionRig().tap("online#1", 1).control("take-back", 1).wait(10)
        assert evening.notices(notices.ConsentLapsed)
        assert evening.button_actions == ("stop", None, None, None)
        assert evening.state["teams"][0]["connection"] == ["online#1"]

    def test_with_nothing_to_take_back_nobody_is_asked(self):
        evening = SessionRig().control("take-back", 2)
        assert not evening.notices(notices.ConsentAsked)
        assert isinstance(evening.last, Decision)
        assert getattr(evening.last.verdict, "code", "") == "nothing-to-take-back"

    def test_it_lapses_with_the_next_move_which_it_wasn_t_about(self):
        evening = SessionRig().tap("online#1", 1).control("take-back", 1).tap("email#1", 1)
        assert evening.notices(notices.ConsentLapsed)
        evening.press(3)
        assert evening.state["teams"][0]["connection"] == ["online#1"]
        assert evening.state["teams"][0]["rows"]["email"] == ["email#1"]

    def test_a_refused_tap_and_a_window_that_ends_leave_it_asked(self):
        evening = SessionRig().tap("hacker#1", 1).control("take-back", 1).tap("email#1", 1).wait(4)
        assert not evening.notices(notices.ConsentLapsed)
        evening.press(2)
        assert evening.state["discard"] == []

    @pytest.mark.parametrize("control", ["pause", "check", "reshuffle", "new-game"])
    def test_another_control_card_ends_the_question_aloud(self, control: str):
        evening = SessionRig().tap("online#1", 1).control("take-back", 1).control(control, 1)
        assert evening.notices(notices.ConsentLapsed)
        assert evening.session.prompts.consent is None

    def test_a_press_made_before_it_was_asked_doesn_t_grant_it(self):
        evening = SessionRig().tap("online#1", 1).wait(5).control("take-back", 1)
        asked_at_us = evening.notices(notices.ConsentAsked)[0].at_us
        evening.handle_device_event(ButtonEdge(asked_at_us - 1, 3, True, 0, Origin("b3", 1, 7), clock=Clock.BOARD))
        assert evening.notices(notices.PressUnheard)
        assert evening.state["teams"][0]["connection"] == ["online#1"]


class TestPause:
    def test_the_control_card_pauses_and_resumes(self):
        evening = SessionRig().control("pause")
        assert evening.session.table.paused_at_us is not None
        evening.control("pause")
        assert evening.session.table.paused_at_us is None

    def test_where_no_game_runs_there_is_nothing_to_pause(self):
        for evening in (SessionRig(starter=None), SessionRig().ask("end-game")):
            table = evening.session.table
            evening.control("pause")
            assert evening.notices(notices.NothingToPause)
            assert evening.session.table == replace(table, at_us=evening.session.table.at_us)
            evening.ask("pause")
            assert len(evening.notices(notices.NothingToPause)) == 2
            assert evening.session.table.paused_at_us is None

    def test_where_no_game_runs_its_card_still_ends_the_question_for_a_take_back(self):
        evening = SessionRig().ask("end-game").control("take-back", 1).control("pause")
        assert evening.notices(notices.ConsentLapsed)
        assert evening.session.prompts.consent is None

    def test_a_press_of_any_button_goes_on(self):
        evening = SessionRig().control("pause")
        assert evening.button_actions == ("resume",) * 4
        evening.press(4)
        assert evening.session.table.paused_at_us is None

    def test_a_press_made_before_the_pause_doesn_t_end_it(self):
        evening = SessionRig().wait(5).control("pause")
        paused_at_us = evening.session.table.paused_at_us
        assert paused_at_us is not None
        evening.handle_device_event(ButtonEdge(paused_at_us - 1, 3, True, 0, Origin("b3", 1, 7), clock=Clock.BOARD))
        assert evening.notices(notices.PressUnheard)
        assert evening.session.table.paused_at_us == paused_at_us

    def test_a_tap_in_a_pause_is_refused(self):
        evening = SessionRig().control("pause").tap("online#1", 1)
        refusals = [h for h in evening.events if isinstance(h, Decision) and isinstance(h.verdict, Refused)]
        assert refusals[0].verdict.code == "paused"


class TestForgottenStop:
    def test_it_is_reminded_of_quietly_and_then_loudly_and_then_left_alone(self):
        evening = SessionRig().tap("online#1", 1).wait(10 * REMIND_S)
        assert [(notice.seat, notice.loudly) for notice in evening.notices(notices.StopForgotten)] == [
            (1, False),
            (1, True),
        ]

    def test_a_tap_restarts_the_wait(self):
        evening = SessionRig().tap("online#1", 1).wait(REMIND_S - 2).tap("email#1", 1).wait(REMIND_S - 2)
        assert not evening.notices(notices.StopForgotten)

    def test_nobody_is_reminded_in_a_pause(self):
        assert not SessionRig().control("pause").wait(10 * REMIND_S).notices(notices.StopForgotten)

    def test_a_turn_that_time_brought_restarts_the_wait(self):
        evening = SessionRig().tap("hacker#1", 1).press(4).tap("cyber-patrol#1", 2)
        evening.wait(10)  # seat 4 has shown no card: seat 2's is played
        began_at_us = evening.session.table.state.turn.began_at_us
        evening.wait(10 * REMIND_S)
        assert [(notice.seat, notice.at_us - began_at_us) for notice in evening.notices(notices.StopForgotten)] == [
            (2, REMIND_S * S),
            (2, 2 * REMIND_S * S),
        ]

    def test_nobody_is_reminded_before_the_youngest_has_pressed(self):
        assert not SessionRig(starter=None).wait(10 * REMIND_S).notices(notices.StopForgotten)


class TestAdviceOfTheButton:
    """The table says once a game that a press is more certain than a card at a reader without stamps."""

    def race(
        self, evening: SessionRig, number: int, seats: tuple[int, int], uncertainty_us: int = 500_000
    ) -> SessionRig:
        """The first seat shows a hacker, and the second a patrol; both cards have this number."""
        hacker, patrol = seats
        evening.wait(1).tap(f"hacker#{number}", hacker)
        card = f"cyber-patrol#{number}"
        evening.handle_device_event(TagCame(evening.now_us, patrol, card, uncertainty_us=uncertainty_us)).wait(0.01)
        return evening.handle_device_event(TagWent(evening.now_us, patrol, card))

    def test_it_comes_after_the_window_and_names_the_pad(self):
        evening = self.race(SessionRig(), 1, (1, 2)).wait(0.01)
        assert not evening.notices(notices.ButtonAdvised)
        evening.wait(0.01)
        (given,) = evening.notices(notices.ButtonAdvised)
        assert (given.pad, given.at_us) == (2, evening.now_us)

    def test_it_comes_once_a_game(self):
        evening = self.race(SessionRig(), 1, (1, 2)).wait(1).press(2).press(3).press(4)
        self.race(evening, 2, (2, 3)).wait(1)
        assert evening.state["turn"]["seat"] == 3
        assert len(evening.notices(notices.ButtonAdvised)) == 1
        evening.control("new-game").press(1)
        self.race(evening, 1, (evening.state["turn"]["seat"], 3)).wait(1)
        assert len(evening.notices(notices.ButtonAdvised)) == 2

    def test_nobody_is_advised_who_has_pressed_first(self):
        evening = SessionRig().tap("hacker#1", 1).press(4).wait(1)
        evening.handle_device_event(TagCame(evening.now_us, 4, "cyber-patrol#2", uncertainty_us=500_000)).wait(1)
        assert evening.state["turn"]["seat"] == 4
        assert not evening.notices(notices.ButtonAdvised)

    def test_nobody_is_advised_at_readers_with_stamps_or_for_other_cards(self):
        evening = self.race(SessionRig(), 1, (1, 2), uncertainty_us=0).wait(1)
        evening.handle_device_event(TagCame(evening.now_us, 2, "online#1", uncertainty_us=500_000)).wait(1)
        assert not evening.notices(notices.ButtonAdvised)


class TestTimeRunsOut:
    """R10.3: the end of an agreed time is announced at five minutes and at one, to the microsecond of table time."""

    def said(self, evening: SessionRig) -> list[tuple[int, int]]:
        return [(notice.minutes, notice.at_us // S) for notice in evening.notices(notices.TimeRunsOut)]

    def test_at_five_minutes_and_at_one_and_then_the_time_is_up(self):
        evening = SessionRig(time_limit_s="900").wait(899)
        assert self.said(evening) == [(5, 600), (1, 840)]
        assert not evening.state["outcome"]
        evening.wait(10)
        assert self.said(evening) == [(5, 600), (1, 840)]

    def test_a_time_that_is_shorter_is_announced_only_where_there_is_that_much_left(self):
        assert self.said(SessionRig(time_limit_s="300").wait(310)) == [(1, 240)]
        assert self.said(SessionRig(time_limit_s="60").wait(70)) == []

    def test_it_runs_from_the_start_of_the_game(self):
        evening = SessionRig(starter=None, time_limit_s="900").wait(1000)
        assert evening.state["ends_at"] is None
        assert self.said(evening) == []
        evening.press(2)
        began_s = evening.now_us // S
        evening.wait(899)
        assert self.said(evening) == [(5, began_s + 600), (1, began_s + 840)]

    @pytest.mark.parametrize(("before_s", "expected"), [(590, [5, 1]), (610, [5, 1]), (850, [5, 1])])
    def test_a_pause_stops_it_and_nothing_is_announced_twice(self, before_s: int, expected: list[int]):
        evening = SessionRig(time_limit_s="900").wait(before_s)
        ends_at = evening.state["ends_at"]
        evening.control("pause").wait(2000)
        assert [minutes for minutes, _ in self.said(evening)] == expected[: sum(before_s >= at for at in (600, 840))]
        evening.press(1)
        assert evening.state["ends_at"] > ends_at + 2000
        evening.wait(900)
        assert [minutes for minutes, _ in self.said(evening)] == expected

    def test_a_restart_says_what_is_still_to_come_and_nothing_else(self):
        evening = SessionRig(time_limit_s="900").wait(650)
        restarted = session.open_session(evening.session.table, 4, 0, evening.now_us)
        _, events = session.pass_time(restarted, evening.now_us + 240 * S)
        assert [event.minutes for event in events if isinstance(event, notices.TimeRunsOut)] == [1]

    def test_a_new_game_has_a_time_of_its_own(self):
        evening = SessionRig(time_limit_s="900").wait(700).control("new-game")
        began_s = 700
        evening.wait(899)
        assert self.said(evening) == [(5, 600), (5, began_s + 600), (1, began_s + 840)]

    def test_without_a_limit_nothing_is_announced(self):
        assert self.said(SessionRig().wait(5000)) == []


class TestParts:
    def test_a_lost_board_is_reported_and_nothing_is_known_of_its_pad_until_it_is_back(self):
        evening = (
            SessionRig()
            .handle_device_event(TagCame(0, 2, "online#1"))
            .handle_device_event(PartFailed(0, "board 2", "unplugged"))
            .wait(9)
        )
        assert evening.notices(part_notices.PartLost)[0].part == "board 2"
        assert evening.session.taps.find_twin("online#1", 1) is None
        evening.handle_device_event(PartReturned(evening.now_us, "board 2"))
        assert evening.session.taps.find_twin("online#1", 1) is not None
        assert evening.notices(part_notices.PartBack)

    def test_a_card_that_lies_where_the_journal_has_it_is_no_matter(self):
        evening = SessionRig().tap("online#1", 1)
        count = len(evening.events)
        evening.handle_device_event(TagCame(evening.now_us, 3, "online#1", already_present=True))
        assert len(evening.events) == count

    def test_a_card_that_lies_elsewhere_is_to_be_lifted_and_tapped_again(self):
        evening = SessionRig().handle_device_event(TagCame(0, 2, "online#1", already_present=True))
        assert evening.notices(notices.CardLying) == [notices.CardLying(0, "online#1", 2)]
        assert evening.state["teams"][1]["connection"] == []

    def test_a_card_at_a_seat_nobody_plays_at_is_reported_as_such(self):
        evening = SessionRig(players=2).tap("online#1", 5)
        assert evening.notices(notices.SeatUnused)

    @pytest.mark.parametrize("control", ["", "pause", "check", "take-back"])
    def test_a_button_at_a_seat_nobody_plays_at_is_reported_as_such_and_does_nothing(self, control: str):
        evening = SessionRig(players=2).tap("online#1", 1)
        evening = evening.control(control) if control else evening
        before = evening.session.table
        assert evening.press(5).notices(notices.SeatUnused)[0].pad == 5
        assert evening.session.table == before

    def test_a_press_is_judged_by_when_it_was_made(self):
        evening = SessionRig().wait(5)
        evening.handle_device_event(ButtonEdge(evening.now_us - 200_000, 1, True, 90)).wait(0)
        judged = evening.last
        assert isinstance(judged, Decision)
        assert judged.observation == ButtonPressed(evening.now_us, 1, evening.now_us - 200_000, 90)

    def test_a_board_has_looked_already_so_a_release_right_behind_loses_no_press(self):
        evening = SessionRig().wait(5)
        for number, pressed in ((1, True), (2, False)):
            evening.handle_device_event(
                ButtonEdge(evening.now_us, 1, pressed, 300, Origin("a", 1, number), clock=Clock.BOARD)
            )
        assert [judged.observation.seat for judged in evening.decisions(ButtonPressed)] == [1]

    def test_a_press_of_the_table_s_own_clock_that_is_heard_late_is_taken_when_it_was_known(self):
        evening = SessionRig().wait(5)
        known_us = evening.now_us + 3_000
        evening.now_us += 2 * REMIND_S * S
        evening.handle_device_event(ButtonEdge(known_us - 3_000, 1, True, 50, settle_us=3_000))
        judged = evening.events[0]
        assert isinstance(judged, Decision)
        assert judged.observation == ButtonPressed(known_us, 1, known_us - 3_000, 50)

    def test_a_press_from_before_the_table_listened_is_rejected_and_reported_as_such(self):
        evening = SessionRig(starter=None).wait(5)
        for number, pressed in ((1, True), (2, False)):
            evening.handle_device_event(
                ButtonEdge(-60 * S + number, 2, pressed, 300, Origin("a", 1, number), clock=Clock.BOARD)
            )
        assert evening.events == [notices.PressUnheard(evening.now_us, 2)]
        assert evening.press(3).decisions(ButtonPressed)

    def test_a_press_that_is_reported_late_is_not_taken_for_a_stuck_button(self):
        evening = SessionRig().wait(60)
        for number, (ago_s, pressed) in enumerate(((30, True), (29, False)), 1):
            evening.handle_device_event(
                ButtonEdge(evening.now_us - ago_s * S, 1, pressed, 300, Origin("a", 1, number), clock=Clock.BOARD)
            )
        assert [judged.observation.seat for judged in evening.decisions(ButtonPressed)] == [1]
        assert not evening.notices(part_notices.ButtonStuck)


class TestCheckTheTable:
    def start(self) -> SessionRig:
        evening = SessionRig().tap("online#1", 1).tap("email#1", 1).press(1)
        return evening.control("check")

    def test_it_pauses_and_asks_team_by_team_and_then_hand_by_hand(self):
        evening = self.start()
        assert evening.session.table.paused_at_us is not None
        assert evening.notices(check_notices.CheckTeam)[0] == check_notices.CheckTeam(
            evening.notices(check_notices.CheckTeam)[0].at_us, (1, 3), ("online#1", "email#1")
        )
        assert evening.button_actions == ("check", None, "check", None)
        evening.tap("online#1", 1).tap("email#1", 3).press(1)
        assert evening.notices(check_notices.CheckTeam)[-1].seats == (2, 4)
        evening.press(4)
        for seat in (1, 2, 3, 4):
            assert evening.notices(check_notices.CheckHand)[-1].seat == seat
            evening.press(seat).wait(2)
        assert evening.notices(check_notices.CheckDone)[0].corrections == 0
        assert not evening.decisions(TableCorrected)

    def test_a_press_made_before_something_was_asked_doesn_t_answer_it(self):
        evening = self.start()
        asked_at_us = evening.notices(check_notices.CheckTeam)[0].at_us
        evening.handle_device_event(ButtonEdge(asked_at_us - 1, 1, True, 0, Origin("b1", 1, 7), clock=Clock.BOARD))
        evening.handle_device_event(ButtonEdge(asked_at_us - 1, 2, True, 0, Origin("b2", 1, 7), clock=Clock.BOARD))
        assert [unheard.seat for unheard in evening.notices(notices.PressUnheard)] == [1, 2]
        assert not evening.notices(check_notices.CheckMissing)
        assert not evening.notices(check_notices.CheckElsewhere)

    def test_missing_and_extra_cards_and_wrong_counts_are_put_right_in_one_observation(self):
        evening = self.start().tap("online#1", 1).press(1)
        assert evening.notices(check_notices.CheckMissing)[0].cards == ("email#1",)
        evening.tap("movie#3", 2)
        assert evening.notices(check_notices.CheckExtra)[0].card == "movie#3"
        evening.press(2)
        for seat, presses in ((1, 1), (2, 4), (3, 1), (4, 1)):
            for _ in range(presses):
                evening.press(seat)
            evening.wait(2)
        corrections = [
            h for h in evening.events if isinstance(h, Decision) and isinstance(h.observation, TableCorrected)
        ]
        assert len(corrections) == 1
        assert isinstance(corrections[0].verdict, Accepted)
        first, second = evening.state["teams"]
        assert first["rows"]["email"] == []
        assert second["rows"]["movie"] == ["movie#3"]
        assert second["hands"] == {"2": 4, "4": 7}
        open_cards = 2
        hands = sum(sum(team["hands"].values()) for team in evening.state["teams"])
        assert evening.state["draw_pile"] == 112 - open_cards - hands

    def test_a_card_that_was_found_elsewhere_is_not_also_gone(self):
        evening = self.start().tap("online#1", 1).press(3).tap("email#1", 2).press(2)
        for seat in (1, 2, 3, 4):
            evening.press(seat).wait(2)
        assert evening.state["teams"][1]["rows"]["email"] == ["email#1"]
        assert evening.state["teams"][0]["rows"]["email"] == []

    @pytest.mark.parametrize(
        ("tapped", "row"),
        [
            (("online#1", "virus#1", "online#2"), ["online#1", "virus#1", "online#2"]),
            (("virus#1", "online#2", "online#1"), ["virus#1", "online#2", "online#1"]),
            (("online#2", "virus#1", "online#1"), ["online#2", "virus#1", "online#1"]),
            (("online#1", "online#2", "virus#1"), ["online#1", "online#2", "virus#1"]),
            (("online#2", "online#1"), ["online#1", "online#2"]),
        ],
    )
    def test_where_a_card_was_overlooked_they_lie_as_they_are_tapped(self, tapped: tuple[str, ...], row: list[str]):
        """The table knows *online#1*, and *online#2* on it; *virus#1* it missed."""
        evening = SessionRig().tap("online#1", 1).press(1).control("check").tap("online#1", 1).tap("online#2", 1)
        evening.press(1).press(2)
        for seat in (1, 2, 3, 4):
            evening.press(seat).wait(2)
        assert evening.state["teams"][0]["connection"] == ["online#1", "online#2"]
        evening.control("check")
        for card in tapped:
            evening.tap(card, 1)
        evening.press(1).press(2)
        for seat in (1, 2, 3, 4):
            evening.press(seat).wait(2)
        assert evening.state["teams"][0]["connection"] == row
        assert evening.notices(check_notices.CheckDone)[-1].corrections == len(set(tapped) - {"online#1", "online#2"})

    @pytest.mark.parametrize(("card", "code"), [("hacker#1", "lies-in-no-row"), ("04ff", "unknown-card")])
    def test_what_can_t_lie_in_a_row_is_refused_at_once_and_spoils_nothing(self, card: str, code: str):
        evening = self.start().tap("online#1", 1).tap(card, 1)
        assert getattr(evening.decisions(TableCorrected)[0].verdict, "code", "") == code
        evening.press(1).press(2)
        for seat in (1, 2, 3, 4):
            evening.press(seat).wait(2)
        assert evening.notices(check_notices.CheckDone)[0].corrections == 1
        assert evening.state["teams"][0]["rows"]["email"] == []

    def test_counts_that_can_t_be_end_the_check_without_a_correction(self):
        evening = self.start().tap("online#1", 1).tap("email#1", 1).press(1).press(2)
        for seat in (1, 2, 3, 4):
            for _ in range(30):
                evening.press(seat)
            evening.wait(2)
        assert getattr(evening.decisions(TableCorrected)[0].verdict, "code", "") == "counts-too-high"
        assert evening.notices(check_notices.CheckBrokenOff)
        assert not evening.notices(check_notices.CheckDone)

    def test_two_cards_at_once_are_both_there(self):
        evening = self.start()
        evening.handle_device_event(TagCame(evening.now_us, 1, "online#1")).wait(0.1).handle_device_event(
            TagCame(evening.now_us, 1, "email#1")
        )
        assert [notice.left for notice in evening.notices(check_notices.CheckTicked)] == [1, 0]

    def test_taps_on_other_pads_change_nothing(self):
        evening = self.start().tap("online#1", 2)
        assert evening.notices(check_notices.CheckElsewhere)[0].seats == (1, 3)

    def test_any_control_card_breaks_it_off(self):
        evening = self.start().control("check")
        assert evening.notices(check_notices.CheckBrokenOff)
        evening.press(1)
        assert evening.session.table.paused_at_us is None

    def test_it_can_be_played_again(self):
        evening = self.start().press(1).press(2)
        for seat in (1, 2, 3, 4):
            evening.press(seat).wait(2)
        table, _ = open_table(find_game("online"), GameOptions(4, "de", {}, 1))
        for number, judged in enumerate(evening.decisions(object), 1):
            answer = answer_line(judged.observation.at_us, judged.verdict)
            table = replay_line(table, number, observation_line(judged.observation), answer).table
        assert table == evening.session.table

    def test_there_is_nothing_to_check_before_the_game(self):
        evening = SessionRig(starter=None).control("check")
        assert evening.notices(check_notices.CheckBrokenOff)
        assert not evening.decisions(ControlUsed)


def test_a_notice_that_comes_late_is_of_now_so_that_it_can_be_written_down():
    evening = SessionRig().tap("online#1", 1)
    _, [notice] = session.record_notice(evening.session, tag_notices.DeckMissing(evening.session.at_us - 1))
    assert notice.at_us == evening.session.at_us


class TestEnrolling:
    """While the discard pad reads cards for a deck."""

    def at_the_desk(self) -> SessionRig:
        evening = SessionRig().tap("online#1", 1)
        evening.events.clear()
        began = tag_notices.EnrolmentBegan(evening.now_us, "family", tag_notices.EnrolmentMode.ENROL, "", (), "Anna")
        evening.session, _ = session.record_notice(evening.session, began)
        return evening

    def test_taps_presses_controls_and_what_people_tell_are_answered_and_change_nothing(self):
        evening = self.at_the_desk()
        table = evening.session.table
        evening.tap("email#1", 1).press(2).control("pause", 3).ask("end-game").tell(lambda us: CardLost(us, "email#1"))
        assert [said.pad for said in evening.notices(tag_notices.DiscardPadTaken)] == [1, 2, 3, "discard", "discard"]
        assert len(evening.events) == 5
        assert evening.session.table is table

    def test_a_card_that_lay_there_and_one_that_goes_say_nothing(self):
        evening = self.at_the_desk()
        evening.handle_device_event(TagCame(evening.now_us, 1, "email#1", already_present=True)).wait(2)
        assert evening.events == []

    def test_no_button_means_anything_until_it_is_over(self):
        evening = self.at_the_desk()
        assert {button.action for button in evening.session.buttons} == {None}
        ended = tag_notices.EnrolmentEnded(evening.now_us, "family", tag_notices.EnrolmentEnd.STOPPED)
        evening.session, _ = session.record_notice(evening.session, ended)
        assert evening.session.buttons[0].action == "stop"
