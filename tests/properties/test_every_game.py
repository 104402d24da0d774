"""One suite that every game must pass: random walks over the table, from the start and from the middle of games that
virtual players have begun."""

from __future__ import annotations

import json
from random import Random
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from taptable.core.agreed import Agreed
from taptable.core.game import Game
from taptable.core.observations import (
    CardLost,
    CardRecovered,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    SeatVacated,
    TimePassed,
)
from taptable.core.verdicts import Accepted, Verdict
from taptable.games.registry import GAMES
from taptable.referee.lines import line_of, parse_recorded
from taptable.referee.step import Table, legal_taps, next_deadline, open_table, step
from taptable.sim import evening

from properties.gestures import (
    THOROUGH,
    Choose,
    agreements,
    arrangement,
    can_be,
    cards,
    correction,
    deck_of,
    gesture,
    later,
    observations,
)
from properties.walking import Walk, same_but_later

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)


class Wandering(RuleBasedStateMachine):
    """A table where anything may happen, after a while of ordinary play."""

    game: ClassVar[Game[Any, Any]]
    walk: Walk

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
        first, pad = rng.choice(legal_taps(table) or [(rng.choice(cards(table)), rng.choice(pads(table)))])
        self.walk.observe(CardTapped(table.at_us, first, pad))
        together = (first, rng.choice(cards(table)))
        self.walk.observe(CardsTogether(table.at_us + after_us, together, pad, since_us=table.at_us))

    @rule(seed=st.integers(0, 10**9))
    def the_table_is_checked(self, seed: int) -> None:
        self.walk.observe(correction(self.walk.table, Random(seed).choice))

    @rule(seed=st.integers(0, 10**9), times=st.integers(1, 4))
    def people_tell_the_table(self, seed: int, times: int) -> None:
        rng = Random(seed)
        for _ in range(times):
            self.walk.observe(arrangement(self.walk.table, rng.choice))

    @rule(data=st.data(), heir_kept=st.booleans(), game=st.sampled_from((None, None, None, "solitaire")))
    def a_new_game_is_set_up(self, data: st.DataObject, heir_kept: bool, game: str | None) -> None:
        agreed, table = data.draw(agreements(self.game)), self.walk.table
        verdict = self.walk.observe(GameSetUp(table.at_us, game or self.game.name, agreed, heir_kept))
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


@every_game
def test_whatever_happens_a_game_keeps_what_every_game_must_keep(game: Game[Any, Any]):
    machine = type("WanderingOf" + game.name.title(), (Wandering,), {"game": game})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=100 * THOROUGH, stateful_step_count=25, deadline=None, suppress_health_check=QUIET
        ),
    )


@every_game
@given(data=st.data())
@settings(max_examples=200 * THOROUGH, deadline=None)
def test_every_observation_is_the_same_after_it_was_a_line(game: Game[Any, Any], data: st.DataObject):
    agreed = data.draw(agreements(game))
    known = pads(open_table(game, agreed)[0])
    observation = data.draw(observations(known, agreed.players))
    assert parse_recorded(json.loads(json.dumps(line_of(observation))), known) == observation


@every_game
@given(data=st.data(), seed=st.integers(0, 10**6))
@settings(max_examples=12 * THOROUGH, deadline=None, suppress_health_check=QUIET)
def test_the_referee_believes_what_is_true_whatever_players_do_between_their_moves(
    game: Game[Any, Any], data: st.DataObject, seed: int
):
    """The cards move as people move them; wrong taps, take-backs and pauses in between must not part belief and truth
    (`observe` raises where they part)."""
    rng = Random(seed)
    played = evening.begin(game, data.draw(agreements(game)), rng)
    for _ in range(400):
        if game.outcome(played.table.state) is not None and rng.random() < 0.3:
            break
        evening.advance(played, no_one) if rng.random() < 0.85 else interfere(played, rng)


@every_game
@pytest.mark.parametrize("players", range(2, 7))
def test_virtual_players_bring_a_game_to_its_end(game: Game[Any, Any], players: int):
    for number, edition in enumerate(game.editions):
        agreed = Agreed(players, edition, {}, 1 + number % players)
        if can_be(game, agreed):
            assert evening.play(evening.begin(game, agreed, Random(number)), no_one)


def played_by_virtual_players(walk: Walk, seed: int, most: int) -> list[Observation]:
    """The first observations of a game between virtual players."""
    seen: list[Observation] = []

    def listen(_before: Table, observation: Observation, _verdict: Verdict, _after: Table) -> None:
        seen.append(observation)

    played = evening.begin(walk.game, walk.begun_by, Random(seed))
    while len(seen) < most and walk.game.outcome(played.table.state) is None:
        evening.advance(played, listen)
    return seen


def interfere(played: evening.Evening, rng: Random) -> None:
    """Something that moves no card but back, or that is told the table: a tap that must be refused, any button, a
    take-back, a pause; seldom a lost card, a player who leaves, the end."""
    table, now_us = played.table, played.now_us + 1  # no two people do something in the same microsecond
    match rng.randrange(24):
        case 20:
            players = rng.randint(2, 6)
            agreed = Agreed(players, rng.choice(table.game.editions), {}, None)
            played.plans.clear()
            if can_be(table.game, agreed):
                evening.observe(played, GameSetUp(now_us, table.game.name, agreed, heir_kept=True), no_one)
        case 21:
            evening.observe(played, ControlUsed(now_us, "end-game"), no_one)
            evening.observe(played, ControlUsed(now_us + 1, rng.choice(("take-back", "new-game"))), no_one)
        case 22:
            evening.observe(played, SeatVacated(now_us, rng.randint(1, table.agreed.players)), no_one)
        case 23:
            lost = table.game.scoreboard(table.state).lost
            told = CardLost(now_us, rng.choice(deck_of(table.game)))
            evening.observe(played, CardRecovered(now_us, rng.choice(lost)) if lost else told, no_one)
        case 0 | 1 | 2 | 3 | 4:
            card, pad = rng.choice(deck_of(table.game)), rng.choice(pads(table))
            if (card, pad) not in legal_taps(table):
                assert not isinstance(evening.observe(played, CardTapped(now_us, card, pad), no_one), Accepted)
        case 5 | 6 | 7 | 8 | 9:
            seat = rng.randint(1, table.agreed.players)
            evening.observe(played, evening.observation_of(evening.Push(seat), now_us), no_one)
        case 10 | 11 | 12 | 13 | 14:
            for _ in range(rng.randint(1, 5)):
                evening.observe(played, ControlUsed(now_us, "take-back"), no_one)
        case _:
            evening.observe(played, ControlUsed(now_us, "pause"), no_one)
            evening.observe(played, ControlUsed(now_us + rng.randrange(10**8), "resume"), no_one)


def chooser(data: st.DataObject) -> Choose:
    """Choices that hypothesis can make simpler."""
    return lambda among: data.draw(st.sampled_from(among))


def no_one(_before: Table, _observation: Observation, _verdict: Verdict, _after: Table) -> None:
    """Nobody listens."""


def pads(table: Table) -> tuple[int | str, ...]:
    return table.game.pads(table.state)


def outline(verdict: Verdict) -> tuple[object, ...]:
    """A verdict without its times."""
    said = tuple(type(announcement) for announcement in verdict.announcements)
    return (type(verdict), said) if isinstance(verdict, Accepted) else (type(verdict), verdict.rule, verdict.code, said)
