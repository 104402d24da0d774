"""A table at which anything may happen, as hypothesis walks over it: from the start, and from the middle of games that
virtual players have begun."""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from taptable.core.game import Game
from taptable.core.observations import (
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    TableCorrected,
    TimePassed,
)
from taptable.core.verdicts import Accepted, Verdict
from taptable.referee.step import Table, legal_taps, next_deadline, step
from taptable.sim import simulation

from properties.gestures import Choose, agreements, arrangement, cards, gesture, later
from properties.walking import Walk, same_but_later


class Wandering(RuleBasedStateMachine):
    """A table at which anything may happen, after some ordinary play."""

    game: ClassVar[Game[Any]]
    walk: Walk

    @property
    def told(self) -> list[type[Any]]:
        """Return the kinds of arrangements possible at this game's table, without a check."""
        return sorted(self.game.arrangements - {TableCorrected}, key=str)

    @initialize(data=st.data(), seed=st.integers(0, 10**6), played=st.integers(0, 150))
    def play_for_a_while(self, data: st.DataObject, seed: int, played: int) -> None:
        self.walk = Walk(self.game, data.draw(agreements(self.game)))
        for observation in played_by_virtual_players(self.walk, seed, played):
            self.walk.observe(observation)

    @rule(data=st.data())
    def something_happens(self, data: st.DataObject) -> None:
        self.walk.observe(gesture(self.walk.table, chooser(data)))

    @rule(seed=st.integers(0, 10**9), times=st.integers(1, 40))
    def one_thing_after_the_other_happens(self, seed: int, times: int) -> None:
        rng = Random(seed)
        for _ in range(times):
            self.walk.observe(gesture(self.walk.table, rng.choice))

    @rule(seed=st.integers(0, 10**9), times=st.integers(1, 40))
    def play_goes_on_without_controls(self, seed: int, times: int) -> None:
        rng = Random(seed)
        for _ in range(times):
            self.walk.observe(gesture(self.walk.table, rng.choice, controls=()))

    @rule(seed=st.integers(0, 10**9), after_us=st.sampled_from((0, 100_000, 3_000_000)))
    def two_cards_come_together(self, seed: int, after_us: int) -> None:
        rng, table = Random(seed), self.walk.table
        first, pad = rng.choice(
            legal_taps(table) or [(rng.choice(cards(table)), rng.choice(table.game.pads(table.state)))]
        )
        self.walk.observe(CardTapped(table.at_us, first, pad))
        together = (first, rng.choice(cards(table)))
        self.walk.observe(CardsTogether(table.at_us + after_us, together, pad, since_us=table.at_us))

    @precondition(lambda self: TableCorrected in self.game.arrangements)
    @rule(seed=st.integers(0, 10**9))
    def the_table_is_checked(self, seed: int) -> None:
        self.walk.observe(arrangement(self.walk.table, Random(seed).choice, [TableCorrected]))

    @precondition(lambda self: self.told)
    @rule(seed=st.integers(0, 10**9), times=st.integers(1, 4))
    def people_tell_the_table(self, seed: int, times: int) -> None:
        rng = Random(seed)
        for _ in range(times):
            self.walk.observe(arrangement(self.walk.table, rng.choice, self.told))

    @rule(data=st.data(), heir_kept=st.booleans(), game=st.sampled_from((None, None, None, "solitaire")))
    def a_new_game_is_set_up(self, data: st.DataObject, heir_kept: bool, game: str | None) -> None:
        game_options, table = data.draw(agreements(self.game)), self.walk.table
        verdict = self.walk.observe(GameSetUp(table.at_us, game or self.game.name, game_options, heir_kept))
        assert isinstance(verdict, Accepted) == (game is None)

    @rule(seconds=st.integers(0, 200))
    def time_passes(self, seconds: int) -> None:
        self.walk.check_waiting(self.walk.table.at_us + seconds * 1_000_000)

    @rule()
    def the_next_deadline_passes(self) -> None:
        due_us = next_deadline(self.walk.table)
        if due_us is not None:
            self.walk.observe(TimePassed(due_us))

    @precondition(lambda self: self.walk.table.paused_at_us is not None)
    @rule(after_us=st.integers(0, 10**8))
    def play_goes_on(self, after_us: int) -> None:
        self.walk.observe(ControlUsed(self.walk.table.at_us + after_us, "resume"))

    @rule()
    def every_tap_is_tried(self) -> None:
        self.walk.check_legal_taps()
        self.walk.check_strangers()
        self.walk.check_buttons()

    @rule()
    def every_control_is_tried(self) -> None:
        self.walk.check_controls()

    @precondition(lambda self: self.walk.table.paused_at_us is None)
    @rule(seed=st.integers(0, 10**9), paused_us=st.integers(1, 10**9), steps=st.integers(1, 12))
    def a_pause_would_change_nothing(self, seed: int, paused_us: int, steps: int) -> None:
        rng, table = Random(seed), self.walk.table
        since_us = table.at_us
        paused, _ = step(table, ControlUsed(since_us, "pause"))
        paused, _ = step(paused, ControlUsed(since_us + paused_us, "resume"))
        same_but_later(table, paused, paused_us)
        for _ in range(steps):
            observation = gesture(table, rng.choice, controls=("take-back", "reshuffle"))
            if getattr(observation, "pressed_at_us", since_us) < since_us:
                continue  # pressed before the pause, it arrives later without one only
            table, verdict = step(table, observation)
            paused, other = step(paused, later(observation, paused_us))
            assert outline(verdict) == outline(other)
            same_but_later(table, paused, paused_us)

    @rule()
    def all_is_taken_back(self) -> None:
        self.walk.check_way_back()

    def teardown(self) -> None:
        if hasattr(self, "walk"):
            self.walk.check_way_back()
            self.walk.check_replay()


def played_by_virtual_players(walk: Walk, seed: int, most: int) -> list[Observation]:
    """Return the first observations of a game between virtual players."""
    seen: list[Observation] = []

    def listen(_before: Table, observation: Observation, _verdict: Verdict, _after: Table) -> None:
        seen.append(observation)

    played = simulation.new_simulation(walk.game, walk.begun_by, Random(seed))
    while len(seen) < most and walk.game.outcome(played.table.state) is None:
        simulation.advance(played, listen)
    return seen


def chooser(data: st.DataObject) -> Choose:
    """Return choices that hypothesis can simplify."""
    return lambda among: data.draw(st.sampled_from(among))


def no_one(_before: Table, _observation: Observation, _verdict: Verdict, _after: Table) -> None:
    """A listener that does nothing."""


def outline(verdict: Verdict) -> tuple[object, ...]:
    """Return a verdict without its times."""
    said = tuple(type(announcement) for announcement in verdict.announcements)
    return (type(verdict), said) if isinstance(verdict, Accepted) else (type(verdict), verdict.rule, verdict.code, said)
