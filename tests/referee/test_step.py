"""One step of the table: deadlines in their order, pause, take-back, a new game, and two cards at once. Played with
ONLINE; what its moves mean is tested with its rules."""

from __future__ import annotations

from dataclasses import replace

import pytest
from taptable.core.announcements import (
    CardsParted,
    GameBegan,
    MoveTakenBack,
    Paused,
    Resumed,
    TurnBegan,
    type_name,
)
from taptable.core.errors import RefereeError
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    ControlUsed,
    Observation,
    TimePassed,
)
from taptable.core.verdicts import Accepted, Ignored, Refused, Verdict
from taptable.games.registry import find_game
from taptable.referee.step import Table, legal_taps, next_deadline, open_table, step

S = 1_000_000


def table(players: int = 3, starter: int | None = 1, **settings: object) -> Table:
    game_options = GameOptions(players, "de", {key: str(value) for key, value in settings.items()}, starter)
    return open_table(find_game("online"), game_options)[0]


def after(at: Table, *observations: Observation) -> Table:
    """The table after observations that are all accepted."""
    for observation in observations:
        at, verdict = step(at, observation)
        assert isinstance(verdict, Accepted), (observation, verdict)
    return at


def types(verdict: Verdict) -> list[str]:
    return [type_name(type(announcement)) for announcement in verdict.announcements]


def tap(at_s: float, card: str, pad: int | str = 1) -> CardTapped:
    return CardTapped(round(at_s * S), card, pad)


def press(at_s: float, seat: int = 1) -> ButtonPressed:
    return ButtonPressed(round(at_s * S), seat, round(at_s * S))


def control(at_s: float, name: str) -> ControlUsed:
    return ControlUsed(round(at_s * S), name)


def passed(at_s: float) -> TimePassed:
    return TimePassed(round(at_s * S))


def together(at_s: float, *cards: str, pad: int | str = 1, since_s: float | None = None) -> CardsTogether:
    return CardsTogether(round(at_s * S), cards, pad, round((at_s - 0.2 if since_s is None else since_s) * S))


# time and deadlines


def test_an_older_observation_is_a_fault_of_ours():
    with pytest.raises(RefereeError, match="time never falls"):
        step(after(table(), passed(2)), passed(1.999999))


def test_deadlines_that_have_passed_come_first_in_their_order():
    at = after(table(time_limit_s=3), tap(0, "hacker#1"))
    at, verdict = step(at, tap(60, "online#1"))
    assert isinstance(verdict, Refused)
    assert verdict.rule == "R7.7"
    assert types(verdict) == ["time-is-up", "window-closed", "hack-began"]


def test_the_next_deadline_is_the_earliest_and_none_in_a_pause():
    at = table(time_limit_s=100)
    assert next_deadline(at) == 100 * S
    at = after(at, tap(1, "hacker#1"))
    assert next_deadline(at) == 6 * S
    at = after(at, control(2, "pause"))
    assert next_deadline(at) is None


# pause


@pytest.mark.parametrize(
    "observation", [tap(5, "online#1"), CardHeld(5 * S, "online#1", 1), press(5), together(5, "online#1", "email#1")]
)
def test_in_a_pause_nothing_counts(observation: Observation):
    at = after(table(), control(1, "pause"))
    assert legal_taps(at) == []
    later, verdict = step(at, observation)
    assert isinstance(verdict, Refused)
    assert (verdict.rule, verdict.code) == ("R11", "paused")
    assert later == replace(at, at_us=5 * S)


def test_in_a_pause_time_passes_without_deadlines():
    at = after(table(time_limit_s=10), tap(0, "hacker#1"), control(1, "pause"))
    later, verdict = step(at, passed(1000))
    assert verdict == Accepted()
    assert later.state == at.state


def test_what_is_due_when_the_pause_begins_has_happened():
    at = after(table(), tap(0, "hacker#1"))
    _, verdict = step(at, control(5.03, "pause"))
    assert types(verdict) == ["window-closed", "hack-began", "paused"]


def test_a_second_pause_and_a_resume_without_one_are_ignored():
    at, verdict = step(table(), control(1, "resume"))
    assert verdict == Ignored("R11", "not-paused")
    at, verdict = step(at, control(2, "pause"))
    assert verdict == Accepted((Paused(),))
    at, verdict = step(at, control(3, "pause"))
    assert verdict == Ignored("R11", "paused-already")
    assert at.paused_at_us == 2 * S


# take-back


def test_take_back_restores_the_very_state():
    begun = table()
    at = after(begun, tap(1, "online#1"), tap(2, "email#1"), press(3))
    for moment in (4, 5, 6):
        at, verdict = step(at, control(moment, "take-back"))
        assert verdict == Accepted((MoveTakenBack(),))
    assert at == replace(begun, at_us=6 * S)
    _, verdict = step(at, control(7, "take-back"))
    assert verdict == Ignored("R11", "nothing-to-take-back")


def test_take_back_across_several_pauses():
    at = after(table(time_limit_s=1000), tap(0, "hacker#1"), control(1, "pause"), control(11, "resume"))
    at = after(at, press(12, 2), control(12, "pause"), control(32, "resume"))
    at = after(at, control(33, "take-back"))
    assert at.state.window.closes_at_us == 35 * S
    at = after(at, control(33, "take-back"))
    assert at.state.window is None
    assert at.state.ends_at_us == 1030 * S


def test_take_back_in_a_pause_leaves_it_a_pause_whose_time_still_counts_once():
    at = after(table(time_limit_s=1000), tap(0, "hacker#1"), press(1, 2), control(2, "pause"))
    at, verdict = step(at, control(50, "take-back"))
    assert isinstance(verdict, Accepted)
    assert at.paused_at_us == 2 * S
    at = after(at, control(102, "resume"))
    assert at.state.window.closes_at_us == 105 * S
    assert at.state.ends_at_us == 1100 * S


def test_take_back_in_a_pause_lets_what_was_due_before_it_take_effect():
    at = after(table(), tap(0, "hacker#1"), press(4, 2), control(8, "pause"))
    at, verdict = step(at, control(20, "take-back"))
    assert types(verdict) == ["move-taken-back", "window-closed", "hack-began"]
    assert at.paused_at_us == 8 * S


def test_take_back_after_what_is_due_says_that_first():
    at = after(table(), tap(0, "online#1"), tap(1, "hacker#1"))
    _, verdict = step(at, control(7, "take-back"))
    assert types(verdict) == ["window-closed", "hack-began", "move-taken-back"]


def test_a_reshuffle_clears_what_could_be_taken_back():
    at = after(table(), tap(0, "online#1"), control(1, "reshuffle"))
    at, verdict = step(at, control(2, "take-back"))
    assert verdict == Ignored("R11", "nothing-to-take-back")
    at = after(at, tap(3, "extra-memory#1"), control(4, "take-back"))
    _, verdict = step(at, control(5, "take-back"))
    assert verdict == Ignored("R11", "nothing-to-take-back")


def test_a_refused_reshuffle_clears_nothing():
    at = after(table(quota_email=1, quota_music=0, quota_game=0, quota_movie=0), tap(0, "online#1"), tap(1, "email#1"))
    at, verdict = step(at, control(2, "reshuffle"))
    assert isinstance(verdict, Refused)
    assert at.undo_entry is not None


# a new game


def test_a_new_game_forgets_what_could_be_taken_back():
    at = after(table(), tap(0, "online#1"), control(1, "new-game"))
    assert at.undo_entry is None
    _, verdict = step(at, control(2, "take-back"))
    assert verdict == Ignored("R11", "nothing-to-take-back")


def test_a_new_game_begins_at_its_time():
    at, verdict = step(table(time_limit_s=10), control(7, "new-game"))
    assert verdict == Accepted((GameBegan(1), TurnBegan(1, 0)))
    assert next_deadline(at) == 17 * S


def test_a_new_game_in_a_pause_begins_when_the_pause_ends():
    at = after(table(time_limit_s=10), tap(0, "online#1"), control(2, "pause"), control(5, "new-game"))
    assert at.paused_at_us == 5 * S
    at, verdict = step(at, control(30, "resume"))
    assert verdict == Accepted((Resumed(25 * S),))
    assert next_deadline(at) == 40 * S
    at, verdict = step(at, passed(40))
    assert types(verdict) == ["time-is-up"]


def test_a_new_game_in_a_pause_starts_its_own_history():
    at = after(table(), tap(0, "online#1"), control(2, "pause"), control(5, "new-game"), control(6, "resume"))
    begun = at.state
    at = after(at, tap(7, "hacker#1"), control(8, "pause"), control(9, "resume"), control(9, "take-back"))
    assert at.state == begun


# two cards at once


@pytest.mark.parametrize(("at_s", "since_s", "undone"), [(1, 1, True), (1.2, 1, True), (9, 1, True), (1.2, 1.1, False)])
def test_two_cards_at_once_undo_what_the_first_of_them_did_since(at_s: float, since_s: float, undone: bool):
    begun = after(table(), passed(1))
    at = after(begun, tap(1, "online#1"))
    later, verdict = step(at, together(at_s, "online#1", "email#1", since_s=since_s))
    assert isinstance(verdict, Refused)
    assert (verdict.rule, verdict.code) == ("R11", "one-at-a-time")
    assert later.state == (begun if undone else at).state
    assert verdict.announcements == ((CardsParted(1, ("online#1", "email#1")),) if undone else ())


def test_two_cards_at_once_drop_the_moves_that_came_after_the_first():
    begun = after(table(), tap(0, "online#1"), passed(1))
    at = after(begun, tap(1, "hacker#1"), press(1.1, 2), press(1.15, 3))
    later, _ = step(at, together(1.2, "email#1", "hacker#1"))
    assert later.state == begun.state
    assert later.undo_entry == begun.undo_entry


@pytest.mark.parametrize(
    "observation", [together(1.1, "email#1", "email#2"), together(1.1, "online#1", "email#1", pad=2)]
)
def test_two_cards_at_once_undo_nothing_of_other_cards_or_pads(observation: CardsTogether):
    at = after(table(), tap(1, "online#1"))
    later, verdict = step(at, observation)
    assert isinstance(verdict, Refused)
    assert later == replace(at, at_us=observation.at_us)


def test_two_cards_at_once_of_which_none_had_been_taken_change_nothing():
    at = after(table(), tap(0, "online#1"))
    at, verdict = step(at, tap(1, "online#2"))
    assert isinstance(verdict, Refused)
    later, verdict = step(at, together(1.1, "online#2", "email#1"))
    assert isinstance(verdict, Refused)
    assert later == replace(at, at_us=round(1.1 * S))


def test_after_two_cards_at_once_a_take_back_takes_the_move_before():
    at = after(table(), tap(0, "online#1"), tap(1, "email#1"))
    at, _ = step(at, together(1.1, "email#1", "email#2"))
    at = after(at, control(2, "take-back"))
    assert at.undo_entry is None


def test_two_cards_at_once_let_deadlines_pass_first():
    at = after(table(), tap(0, "hacker#1"))
    _, verdict = step(at, together(6, "email#1", "email#2"))
    assert types(verdict) == ["window-closed", "hack-began"]


# replay
