"""A whole game to the end, one seat played at the page by clicks, drags, buttons and keys. What the page shows is
compared with where the cards really lie."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from taptable.core.player import HoldCard, PlayerAction, Tap, TapControl

from page.evening import DemoEvening
from page.person import Answer, Person
from page.playing import sees_rows_as_they_lie
from page.staging import Stage
from page.table_pool import TablePool

SEAT = 1
WANTED = (
    "refused",
    "taken back",
    "reshuffled",
    "backed up by a drag",
    "backed up by the button",
)
SHORT = {"quota_email": "1", "quota_music": "1", "quota_game": "1", "quota_movie": "1"}
"""A game that is over before there is much of a window."""
MAX_ACTIONS = 400


@dataclass
class Game:
    """A game that a person plays at the page, with all that is wanted to happen in it."""

    evening: DemoEvening
    person: Person
    events: Counter[str] = field(default_factory=Counter)

    def plays_on(self) -> None:
        """Play to the end: what is wanted as soon as it can be had, else what the game's own player would do."""
        for _ in range(MAX_ACTIONS):
            action = self._next_action()
            if action is None:
                return
            self._does(action)
        raise AssertionError("it never ends")

    def _next_action(self) -> PlayerAction | None:
        """Wait until there is something to do; None: the game is over."""
        return self.evening.next_wish(SEAT, lambda: self._wanted(Stage(self.evening.harness)))

    def _wanted(self, stage: Stage) -> PlayerAction | None:
        """The action that brings about the next wanted event, if this is the moment for it."""
        state, turn = stage.state, stage.state.turn
        if state.window is not None or turn is None or stage.people.paused or state.outcome is not None:
            return None
        if turn.seat != SEAT:
            return None
        if self.events["backed up by a drag"] and not self.events["taken back"]:
            return TapControl(SEAT, "take-back")  # so that the same row can be backed up by the button
        if state.pending is not None or turn.mode is not None or turn.discards:
            return self._later_in_the_turn(stage)
        if not self.events["refused"]:
            return stage.blunder(SEAT)
        if stage.is_quiet:
            self._stack(stage)
        return None

    def _stack(self, stage: Stage) -> None:
        """Deal the person what makes a row to back up soon, and at last an end. Now nobody else has a card in the hand
        that counts."""
        stage.deals(SEAT, "turbo-line", "extra-memory", *stage.missing_files(SEAT)[:2])

    def _later_in_the_turn(self, stage: Stage) -> PlayerAction | None:
        if stage.state.pending is not None or not self.events["played"]:
            return None
        if not self.events["reshuffled"]:
            return TapControl(SEAT, "reshuffle")
        return None

    def _does(self, action: PlayerAction) -> None:
        way = None
        if isinstance(action, HoldCard):
            way = "button" if self.events["backed up by a drag"] else "drag"
        elif not self.events["refused"] and isinstance(action, Tap):
            way = "click"  # by keys a card goes nowhere where it wouldn't count
        self._notes(action, self.person.does(action, way), way)

    def _notes(self, action: PlayerAction, answer: Answer, way: str | None) -> None:
        """Note the result, as the page shows it."""
        visitor = self.person.visitor
        match action:
            case HoldCard():
                assert answer.kind == "announced", answer
                self.events["backed up by a drag" if way == "drag" else "backed up by the button"] += 1
            case TapControl(_, "take-back"):
                self.evening.passes_until(lambda: self.evening.session.prompts.consent is None)
                visitor.until_logged("move-taken-back")
                self.events["taken back"] += 1
            case TapControl(_, "reshuffle"):
                visitor.until_logged("piles-reshuffled")
                self.events["reshuffled"] += 1
            case Tap() if not self.events["refused"]:
                assert answer.kind == "refused", answer
                assert answer.rule.startswith("R"), answer
                self.events["refused"] += 1
            case Tap():
                self.events["played"] += answer.kind == "announced"
            case _:
                pass


def test_a_person_at_the_page_plays_a_whole_game_with_all_that_can_happen(rooms: TablePool) -> None:
    with rooms.demo(2, settings=SHORT) as (evening, visitor):
        game = Game(evening, Person(evening, visitor, SEAT))
        game.plays_on()
        assert {each for each in WANTED if not game.events[each]} == set()
        assert evening.ask(lambda: evening.people.disagreements) == []
        visitor.sees('[data-table][data-over="true"]')
        assert sorted(game.person.hand) == sorted(evening.ask(lambda: evening.truth.hand(SEAT)))
        sees_rows_as_they_lie(evening, visitor)
