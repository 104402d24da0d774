"""A walk over a table: every observation goes through `observe`, and the requirements for every game are checked here,
against a record of the walk's own. This module tells no game from another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from taptable.core.announcements import CardsParted
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    SeatVacated,
    TableCorrected,
    TimePassed,
)
from taptable.core.scoreboard import Count
from taptable.core.settings import US_PER_S
from taptable.core.verdicts import Accepted, Fault, Ignored, Refused, Verdict
from taptable.referee.jsonl import show_state
from taptable.referee.lines import SHARED_CONTROLS, answer_line, observation_line, parse_recorded
from taptable.referee.replaying import replay_line
from taptable.referee.step import Table, legal_controls, legal_taps, next_deadline, open_table, step

from properties.gestures import deck_at, strangers_at, whole_fields
from properties.true_reasons import check_reason

MOVES = CardTapped | CardHeld | ButtonPressed | SeatVacated


def is_move(observation: Observation) -> bool:
    """Return whether the observation can be taken back. Among controls, those of a game's own and the end of the game
    can."""
    if isinstance(observation, ControlUsed):
        return observation.control not in SHARED_CONTROLS or observation.control == "end-game"
    return isinstance(observation, MOVES)


@dataclass(frozen=True)
class UndoableMove:
    """A move that can be taken back: the observation, the state before it, and the paused time until then."""

    observation: Observation
    state: Any
    paused_us: int


class Walk:
    """A table and its events until now; `observe` checks every step."""

    def __init__(self, game: Game[Any], game_options: GameOptions) -> None:
        self.game = game
        self.begun_by = game_options
        self.table, _ = open_table(game, game_options)
        self.moves: list[UndoableMove] = []
        self.paused_us = 0
        self.recorded: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def observe(self, observation: Observation) -> Verdict:
        """Play one observation. Raise AssertionError if something breaks that must hold for every game."""
        before, believed = self.table, repr(self.table.state)
        self.table, verdict = step(before, observation)
        assert repr(before.state) == believed, "a state was changed that somebody has"
        self._record(before, observation, verdict)
        if not isinstance(verdict, Accepted):
            self._check_nothing_changed(before, observation, verdict)
            check_reason(self.table, observation, verdict)
        elif is_move(observation) and self._has_changed_by(before, observation):
            self._check_take_back_of_the_last(before, observation)
        self._remember(before, observation, verdict)
        self.check_at_rest()
        return verdict

    # ---- what holds after every step

    def check_at_rest(self) -> None:
        """Check that cards are conserved, no deadline has passed unplayed, and all views are JSON."""
        table, game = self.table, self.game
        scoreboard = game.scoreboard(table.state)
        deck = deck_at(table)
        laid = [card for zone in game.layout(table.state) for card in zone.cards]
        visible = {*laid, *scoreboard.lost}
        assert len(visible) == len(laid) + len(scoreboard.lost), "a card lies in two places"
        held = [count.have for hand in scoreboard.hands for count in hand]
        piles = [count.have for count in scoreboard.stock if count.name.endswith("-pile")]
        assert sum(held) + sum(piles) + len(visible) == len(deck)
        assert min(*held, *(count.have for count in scoreboard.stock)) >= 0
        assert min(count.have for team in scoreboard.teams for count in (*team.counts, Count("", 0))) >= 0
        placed = {card for card in deck if game.where(table.state, card) is not None}
        assert placed <= visible
        shown = show_state(table)
        assert json.loads(json.dumps(shown)) == shown
        assert set(deck).intersection(_texts(shown)) == visible
        due_us = next_deadline(table)
        assert due_us is None or due_us > table.at_us
        assert (game.outcome(table.state) is not None) == scoreboard.over
        assert len(game.button_actions(table.state)) == len(scoreboard.hands) == table.game_options.players

    def _check_nothing_changed(self, before: Table, observation: Observation, verdict: Verdict) -> None:
        """Check that a rejected observation changed nothing except by the time that passed, unless it parted two
        cards."""
        if any(isinstance(said, CardsParted) for said in verdict.announcements):
            return
        waited, said = step(before, TimePassed(observation.at_us))
        assert self.table == waited
        assert verdict.announcements == said.announcements

    def _has_changed_by(self, before: Table, observation: Observation) -> bool:
        """Return whether the observation changed anything beyond the passing of time."""
        return step(before, TimePassed(observation.at_us))[0].state != self.table.state

    def _check_take_back_of_the_last(self, before: Table, observation: Observation) -> None:
        at_us = self.table.at_us
        undone, verdict = step(self.table, ControlUsed(at_us, "take-back"))
        assert isinstance(verdict, Accepted)
        waited, _ = step(before, TimePassed(at_us))
        moved = UndoableMove(observation, waited.state, self.paused_us)
        assert undone.state == self._state_restored(moved)
        assert undone.undo_entry == waited.undo_entry

    # ---- what is asked now and then

    def check_legal_taps(self) -> None:
        """Check every card and every stranger on every pad: accepted exactly if it is listed."""
        table, believed = self.table, repr(self.table.state)
        listed = legal_taps(table)
        assert listed == sorted(set(listed), key=lambda tap: (tap[0], str(tap[1])))
        accepted = {tap for tap, verdict in self._all_taps() if isinstance(verdict, Accepted)}
        assert accepted == set(listed)
        assert repr(table.state) == believed, "a state was changed by asking"

    def check_strangers(self) -> None:
        """Check that a tag of no deck is a fault whenever taps count at all."""
        if self.table.paused_at_us is None:
            for card in strangers_at(self.table):
                for pad in self.game.pads(self.table.state):
                    assert isinstance(step(self.table, CardTapped(self.table.at_us, card, pad))[1], Fault)

    def check_buttons(self) -> None:
        """Check that a button with an action counts or is refused with a reason, and that any other is ignored."""
        at_us = self.table.at_us
        running = self.table.paused_at_us is None
        meanings = self.game.button_actions(self.table.state)
        for seat, meaning in enumerate(meanings, 1):
            press = ButtonPressed(at_us, seat, at_us)
            after, verdict = step(self.table, press)
            check_reason(after, press, verdict)
            assert isinstance(verdict, Ignored) == (meaning is None and running), (seat, meaning)
            assert running or isinstance(verdict, Refused)

    def check_controls(self) -> None:
        """Check that every listed control is accepted, and with whole fields no other of the game's own."""
        at_us = self.table.at_us
        listed = legal_controls(self.table)
        assert len(set(listed)) == len(listed)
        for name, fields in listed:
            assert isinstance(step(self.table, ControlUsed(at_us, name, fields))[1], Accepted), (name, fields)
        for control in self.game.controls:
            for fields in whole_fields(control, self.table):
                used = ControlUsed(at_us, control.name, fields)
                after, verdict = step(self.table, used)
                check_reason(after, used, verdict)
                accepted = isinstance(verdict, Accepted)
                assert accepted == ((control.name, fields) in listed), (control.name, fields)

    def check_replay(self) -> None:
        """Check that a replay of the recorded lines, as a file would have them, gives the same answers and the same
        end."""
        table, _ = open_table(self.game, self.begun_by)
        for number, (line, answer) in enumerate(json.loads(json.dumps(self.recorded)), 1):
            table = replay_line(table, number, line, answer).table
        assert table == self.table

    def check_way_back(self) -> None:
        """Check take-back after take-back, until nothing can be taken back any more."""
        table = self.table
        at_us = table.at_us
        for moved in reversed(self.moves):
            table, verdict = step(table, ControlUsed(at_us, "take-back"))
            assert isinstance(verdict, Accepted)
            assert table.state == self._state_restored(moved)
        table, verdict = step(table, ControlUsed(at_us, "take-back"))
        assert not isinstance(verdict, Accepted)
        assert verdict.code == "nothing-to-take-back"

    def check_waiting(self, until_us: int) -> None:
        """Check that time leads to the same state at once and from deadline to deadline."""
        at_once, all_said = step(self.table, TimePassed(until_us))
        table, said = self.table, []
        while (due_us := next_deadline(table)) is not None and due_us <= until_us:
            table, verdict = step(table, TimePassed(due_us))
            said += verdict.announcements
        table, verdict = step(table, TimePassed(until_us))
        assert table == at_once
        assert (*said, *verdict.announcements) == all_said.announcements

    # ---- the record

    def _all_taps(self) -> Iterator[tuple[tuple[str, Any], Verdict]]:
        for card in deck_at(self.table):
            for pad in self.game.pads(self.table.state):
                tap = CardTapped(self.table.at_us, card, pad)
                after, verdict = step(self.table, tap)
                check_reason(after, tap, verdict)
                yield (card, pad), verdict

    def _state_restored(self, moved: UndoableMove) -> Any:
        """Return the state before a move as a take-back restores it: with all pauses since then, and everything that
        has become due."""
        now_us = self.table.at_us if self.table.paused_at_us is None else self.table.paused_at_us
        state = self.game.restored(moved.state, self.paused_us - moved.paused_us, now_us)
        since_us = min(now_us, moved.observation.at_us)  # it may have been made in the pause
        return step(Table(self.game, self.table.game_options, state, since_us), TimePassed(now_us))[0].state

    def _record(self, before: Table, observation: Observation, verdict: Verdict) -> None:
        line = observation_line(observation)
        read = parse_recorded(json.loads(json.dumps(line)), self.game.pads(before.state), self.game.controls)
        assert read == observation
        self.recorded.append((line, answer_line(observation.at_us, verdict)))

    def _remember(self, before: Table, observation: Observation, verdict: Verdict) -> None:
        accepted = isinstance(verdict, Accepted)
        match observation:
            case _ if accepted and is_move(observation):
                if self._has_changed_by(before, observation):
                    waited, _ = step(before, TimePassed(observation.at_us))
                    self.moves.append(UndoableMove(observation, waited.state, self.paused_us))
            case CardsTogether() if any(isinstance(said, CardsParted) for said in verdict.announcements):
                self._part(observation)
            case ControlUsed(_, "take-back") if accepted:
                moved = self.moves.pop()
                assert self.table.state == self._state_restored(moved)
            case ControlUsed(at_us, "resume") if accepted:
                assert before.paused_at_us is not None
                self.paused_us += at_us - before.paused_at_us
            case ControlUsed(_, "new-game") | GameSetUp() if accepted:
                self.moves.clear()
                self._check_new_game(before, observation)
            case ControlUsed(_, "reshuffle") | TableCorrected() | CardLost() | CardRecovered() if accepted:
                self.moves.clear()
            case _:
                pass

    def _part(self, together: CardsTogether) -> None:
        """Undo the effect of the first of two cards that came at once, and everything since."""
        while self.moves:
            moved = self.moves.pop()
            tap = moved.observation
            assert tap.at_us >= together.since_us
            if isinstance(tap, CardTapped) and tap.pad == together.pad and tap.card in together.cards:
                assert self.table.state == self._state_restored(moved)
                return
        raise AssertionError("parted, but nothing had been done by either card")

    def _check_new_game(self, before: Table, observation: Observation) -> None:
        """Check that a new game begins like one that is opened now with the same next starter. A pause stays a pause,
        and the new game is paused."""
        heir = self.game.next_starter(step(before, TimePassed(self.table.at_us))[0].state)
        game_options = before.game_options
        if isinstance(observation, GameSetUp):
            game_options = observation.game_options
            heir = heir if observation.keep_next_starter and (heir or 0) <= game_options.players else None
        opened, _ = open_table(self.game, game_options, self.table.at_us, heir)
        assert self.table.game_options == game_options
        assert self.table.state == opened.state
        assert (self.table.paused_at_us is None) == (before.paused_at_us is None)


def same_but_later(one: Table, other: Table, by_us: int) -> None:
    """Check that two tables differ by nothing but time: all views are the same, and everything due happens that much
    later."""
    assert _moved(show_state(one), by_us) == show_state(other)
    shown, waited = one.game.scoreboard(one.state), other.game.scoreboard(other.state)
    window = shown.window
    if window is not None:
        until_us = window.claim_until_us
        window = replace(
            window,
            opened_at_us=window.opened_at_us + by_us,
            closes_at_us=window.closes_at_us + by_us,
            claim_until_us=None if until_us is None else until_us + by_us,
        )
    ends_at_us = None if shown.ends_at_us is None else shown.ends_at_us + by_us
    assert replace(shown, window=window, ends_at_us=ends_at_us) == waited
    assert legal_taps(one) == legal_taps(other)
    assert legal_controls(one) == legal_controls(other)
    due_us = next_deadline(one)
    assert next_deadline(other) == (None if due_us is None else due_us + by_us)


def _moved(shown: Any, by_us: int) -> Any:
    """Return a public state with all its times later by this time."""
    if isinstance(shown, list):
        return [_moved(each, by_us) for each in shown]
    if not isinstance(shown, dict):
        return shown
    return {
        key: (round(value * US_PER_S) + by_us) / US_PER_S
        if isinstance(value, float) and key.endswith(("_at", "until"))
        else _moved(value, by_us)
        for key, value in shown.items()
    }


def _texts(shown: Any) -> Iterator[str]:
    """Yield every text in the public state."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, dict):
        for value in shown.values():
            yield from _texts(value)
    elif isinstance(shown, list):
        for value in shown:
            yield from _texts(value)
