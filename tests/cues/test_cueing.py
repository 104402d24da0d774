"""The cue for each event: nothing at the table is silent, and every lamp and ring shows the state."""

from __future__ import annotations

import pytest
from referee.session_rig import REMIND_S, S, SessionRig
from taptable.core import notices
from taptable.core.cues import Lamp, Sound
from taptable.core.device_events import ButtonEdge, Clock, Origin, PartFailed, TagCame
from taptable.core.game_options import GameOptions
from taptable.cues.cueing import Flash, lamps, passing_cues, rings, ticking_until_us
from taptable.games.registry import find_game
from taptable.referee import gestures
from taptable.referee.session import Decision, open_session
from taptable.referee.step import open_table


def evening_of(game: str, players: int) -> SessionRig:
    """An evening with another game, seat 1 on turn."""
    evening = SessionRig()
    table, _ = open_table(find_game(game), GameOptions(players, find_game(game).editions[0], {}, 1))
    evening.session = open_session(table, players, REMIND_S * S, 0)
    return evening


def shown_lamps(evening: SessionRig) -> tuple[Lamp, ...]:
    return lamps(evening.session)


def shown_rings(evening: SessionRig) -> tuple[str | tuple[str, int, int], ...]:
    """The patterns; those that run over a time with its end and its whole length."""
    shown = rings(evening.session, evening.now_us)
    return tuple((ring.pattern, ring.ends_at_us, ring.whole_us) if ring.whole_us else ring.pattern for ring in shown)


def sounds(evening: SessionRig) -> tuple[Sound, ...]:
    return tuple(passing_cues(evening.events)[1])


def flashes(evening: SessionRig) -> tuple[Flash, ...]:
    return tuple(passing_cues(evening.events)[0])


# passing cues


@pytest.mark.parametrize(
    ("card", "pad", "ring", "sound"),
    [
        ("online#1", 1, "accepted", Sound.ACCEPTED),
        ("email#1", 1, "refused", Sound.REFUSED),
        ("04ff", 1, "refused", Sound.FAULT),
    ],
)
def test_each_verdict_on_a_tap_has_a_light_and_a_sound(card: str, pad: int, ring: str, sound: Sound):
    evening = SessionRig().tap(card, pad)
    assert (flashes(evening), sounds(evening)) == ((Flash(pad, ring),), (sound,))


def test_r10_3_a_time_that_runs_out_has_a_sound():
    assert sounds(SessionRig(time_limit_s="301").wait(30)) == (Sound.REMINDER,)


def test_an_ignored_tap_gets_a_small_cue():
    evening = SessionRig().tap("online#1", 1)
    evening.events.clear()
    evening.tap("online#1", 1)
    assert (flashes(evening), sounds(evening)) == ((Flash(1, "ignored"),), (Sound.IGNORED,))


def test_a_verdict_on_the_discard_pad_has_a_light_there_and_a_sound():
    evening = SessionRig().tap("online#1", "discard")
    assert (flashes(evening), sounds(evening)) == ((Flash("discard", "accepted"),), (Sound.ACCEPTED,))


@pytest.mark.parametrize("card", ["online#1", "email#1", "04ff"])
def test_a_card_that_is_left_lying_says_nothing_more(card: str):
    evening = SessionRig().handle_device_event(TagCame(0, 1, card))
    evening.events.clear()
    evening.wait(3)
    assert isinstance(evening.last, Decision)
    assert (flashes(evening), sounds(evening)) == ((), ())


def test_an_ignored_press_gets_a_small_cue():
    evening = SessionRig().press(2)
    assert (flashes(evening), sounds(evening)) == ((Flash(2, lamp=Lamp.NOTICED),), (Sound.IGNORED,))


def test_a_press_on_a_deaf_button_gets_a_small_cue():
    evening = SessionRig().press(1)
    evening.events.clear()
    evening.handle_device_event(ButtonEdge(evening.now_us, 1, True)).wait(0.1)
    assert (flashes(evening), sounds(evening)) == ((Flash(1, lamp=Lamp.NOTICED),), (Sound.IGNORED,))


def test_a_button_that_is_nobodys_gets_a_small_cue():
    evening = SessionRig().handle_device_event(ButtonEdge(0, "discard", True, 0, Origin("d", 1, 1), clock=Clock.BOARD))
    evening.handle_device_event(ButtonEdge(0, "discard", False, 0, Origin("d", 1, 2), clock=Clock.BOARD))
    assert evening.notices(notices.SeatUnused) == [notices.SeatUnused(0, "discard")]
    assert (flashes(evening), sounds(evening)) == ((Flash("discard", "refused", Lamp.NOTICED),), (Sound.REFUSED,))


def test_a_seat_at_which_nobody_plays_answers_too():
    for evening in (SessionRig(players=2).press(5), SessionRig(players=2).tap("online#1", 5)):
        assert (flashes(evening), sounds(evening)) == ((Flash(5, "refused", Lamp.NOTICED),), (Sound.REFUSED,))


@pytest.mark.parametrize(
    ("evening", "control", "sound"),
    [
        (SessionRig(), "pause", Sound.ACCEPTED),
        (SessionRig(), "take-back", Sound.IGNORED),
        (SessionRig(starter=None), "reshuffle", Sound.REFUSED),
    ],
)
def test_every_control_is_answered(evening: SessionRig, control: str, sound: Sound):
    assert sounds(evening.control(control)) == (sound,)


def test_a_part_that_is_lost_is_heard():
    assert sounds(SessionRig().handle_device_event(PartFailed(0, "pad 3", "silent"))) == (Sound.FAULT,)


# lasting cues


def test_before_the_game_every_lamp_that_may_be_the_youngests_blinks():
    evening = SessionRig(starter=None)
    assert shown_lamps(evening) == (Lamp.MAY_BUZZ,) * 4 + (Lamp.OFF,) * 2
    assert shown_rings(evening) == ("idle",) * 4 + ("off",) * 2


def test_on_turn_ring_and_lamp_are_lit():
    assert shown_lamps(SessionRig(2, seats=2)) == (Lamp.ON_TURN, Lamp.OFF)
    assert shown_rings(SessionRig(2, seats=2)) == ("your-turn", "idle")


def test_while_a_card_lies_there_its_ring_fills_until_the_time_of_a_hold():
    evening = SessionRig(2, seats=2).handle_device_event(TagCame(0, 2, "online#1")).wait(1)
    assert shown_rings(evening) == ("your-turn", ("holding", 1_500_000, 1_500_000))
    assert shown_rings(evening.wait(0.5)) == ("your-turn", "idle")


def test_in_a_window_every_lamp_that_may_buzz_blinks_and_every_ring_counts_down():
    evening = SessionRig(3, seats=3).tap("hacker#1", 1)
    assert shown_lamps(evening) == (Lamp.OFF, Lamp.MAY_BUZZ, Lamp.MAY_BUZZ)
    assert shown_rings(evening) == (("window", 5 * S, 5 * S),) * 3


def test_the_first_pressers_lamp_lights_at_once_and_a_press_that_was_earlier_takes_it_over():
    evening = SessionRig(3, seats=3).tap("hacker#1", 1)
    evening.handle_device_event(ButtonEdge(evening.now_us, 2, True, 0, Origin("b2", 1, 1), clock=Clock.BOARD))
    assert shown_lamps(evening) == (Lamp.OFF, Lamp.FIRST, Lamp.MAY_BUZZ)
    evening.handle_device_event(ButtonEdge(evening.now_us - 1_000, 3, True, 0, Origin("b3", 1, 1), clock=Clock.BOARD))
    assert shown_lamps(evening) == (Lamp.OFF, Lamp.OFF, Lamp.FIRST)


def test_the_seat_with_the_claim_sees_its_own_time_and_the_others_the_windows():
    evening = SessionRig(3, seats=3).tap("hacker#1", 1).press(2)
    assert shown_lamps(evening) == (Lamp.OFF, Lamp.CLAIM, Lamp.MAY_BUZZ)
    window, claim, _ = shown_rings(evening)
    assert (window, claim[0], claim[2]) == (("window", 5 * S, 5 * S), "claim", 10 * S)


def test_in_a_pause_everything_waits_for_any_button():
    evening = SessionRig(3, seats=4).tap("hacker#1", 1).control("pause")
    assert shown_lamps(evening) == (Lamp.ASKED,) * 3 + (Lamp.OFF,)
    assert shown_rings(evening) == ("paused",) * 3 + ("off",)


def test_a_take_back_makes_the_other_seats_lamps_blink():
    evening = SessionRig(3, seats=3).tap("hacker#1", 1).control("take-back", 2)
    assert shown_lamps(evening) == (Lamp.ASKED, Lamp.OFF, Lamp.ASKED)


def test_in_a_check_the_rings_and_lamps_of_those_who_are_asked_say_so():
    evening = SessionRig(3, seats=4).tap("online#1", 1).control("check")
    for seat in (1, 2, 3, 1, 2, 3):  # the rows of each team, then each hand
        asked = tuple("your-turn" if each == seat else "paused" for each in (1, 2, 3))
        assert shown_rings(evening) == (*asked, "off")
        assert [lamp is Lamp.ON_TURN for lamp in shown_lamps(evening)] == [each == seat for each in (1, 2, 3, 4)]
        evening.press(seat).wait(3)
    assert shown_rings(evening) == ("paused", "paused", "paused", "off")


def test_a_forgotten_stop_is_reminded_of_by_the_lamp_and_then_by_a_sound():
    evening = SessionRig(2, seats=2).wait(45)
    assert (shown_lamps(evening)[0], sounds(evening)) == (Lamp.REMINDED, ())
    assert sounds(evening.wait(45)) == (Sound.REMINDER,)
    assert shown_lamps(evening.tap("online#1", 1))[0] is Lamp.ON_TURN


def test_when_the_game_is_over_nothing_is_lit():
    evening = SessionRig(2, seats=2, quota_email="1", quota_music="0", quota_game="0", quota_movie="0")
    evening.tap("online#1", 1).tap("email#1", 1)
    assert shown_lamps(evening) == (Lamp.OFF, Lamp.OFF)
    assert shown_rings(evening) == ("idle", "idle")
    assert Sound.GAME_OVER in sounds(evening)


def test_the_lamps_tell_what_the_buttons_mean():
    for evening in (SessionRig(), SessionRig().control("pause"), SessionRig().tap("hacker#1", 1).control("check")):
        meanings = gestures.button_actions(evening.session.prompts, evening.session.table)
        lit = [lamp is not Lamp.OFF for lamp in shown_lamps(evening)]
        assert lit == [*(meaning is not None for meaning in meanings), False, False]


# the buttons and windows of other games


def test_s5_2_while_an_attack_may_be_launched_its_own_lamp_blinks_and_every_ring_counts_down():
    evening = evening_of("cyber-siege", 3).tap("1.1#1", "discard")
    assert shown_lamps(evening) == (Lamp.MAY_BUZZ, Lamp.OFF, Lamp.OFF)
    assert shown_rings(evening) == (("window", 5 * S, 5 * S),) * 3
    assert ticking(evening) == 5 * S


def test_s6_1_the_lamp_of_who_is_attacked_blinks_until_the_attack_is_answered():
    evening = evening_of("cyber-siege", 3).tap("1.1#1", "discard").press(1)
    opened_us = 2 * S  # a second for the card, one before the press
    assert shown_lamps(evening) == (Lamp.OFF, Lamp.MAY_BUZZ, Lamp.OFF)
    assert shown_rings(evening) == (("window", opened_us + 10 * S, 10 * S),) * 3
    assert ticking(evening) == opened_us + 10 * S
    evening.events.clear()
    evening.tap("1.3#1", 2)
    assert Sound.STOPPED in sounds(evening)
    assert shown_lamps(evening) == (Lamp.OFF, Lamp.ON_TURN, Lamp.OFF)
    assert ticking(evening) is None


def test_on_turn_the_lamp_is_lit_also_where_the_button_means_nothing():
    evening = evening_of("cyber-siege", 3)
    assert [button.action for button in evening.session.buttons] == [None] * 3
    assert shown_lamps(evening) == (Lamp.ON_TURN, Lamp.OFF, Lamp.OFF)
    assert Lamp.ON_TURN not in shown_lamps(evening.tap("1.1#1", "discard"))


def test_s4_4_a_button_that_breaks_off_is_lit_steadily():
    evening = evening_of("cyber-siege", 2).tap("set-1#1", 1)
    assert shown_lamps(evening) == (Lamp.ON_TURN, Lamp.OFF)
    assert [button.action for button in evening.press(1).session.buttons] == [None, None]


def test_x5_6_on_turn_the_lamp_is_lit_for_the_end_of_the_turn_and_for_breaking_off():
    evening = evening_of("xnet", 3)
    for card in ("art-1#1", "music-5#1", "news-9#1"):
        evening.tap(card, "demand")
    assert shown_lamps(evening) == (Lamp.ON_TURN, Lamp.OFF, Lamp.OFF)
    assert shown_rings(evening) == ("your-turn", "idle", "idle")
    evening.ask("buy-server")
    assert [button.action for button in evening.session.buttons] == ["break-off", None, None]
    assert shown_lamps(evening) == (Lamp.ON_TURN, Lamp.OFF, Lamp.OFF)


def ticking(evening: SessionRig) -> int | None:
    return ticking_until_us(evening.session)
