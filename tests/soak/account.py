"""The table's announcements of each game, beside the places of the cards at that time; and the fate of both if the
table comes back with what its disk has kept."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from table.truth import stays
from taptable.core.observations import CardHeld, CardTapped, ControlUsed, Observation, TableCorrected
from taptable.core.settings import US_PER_S
from taptable.core.verdicts import Accepted
from taptable.games.xnet.announcements import DemandLaid
from taptable.history.playback import open_recorded_game, replay_events
from taptable.memory.game_export import Transcript
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.memory.records import Entry, GameSummary
from taptable.referee.lines import observation_line
from taptable.referee.session import Decision
from taptable.referee.step import Table, starts_new_game
from taptable.sim.people import People

CHECKED_WRONG = "a check has put something else right"
FOR_ANOTHER = "a card was taken for another's"
KEPT_S = 60.0
"""Longest time for which a board may have kept an event that it couldn't send."""


@dataclass
class GameRecord:
    """The announced course of one game: each observation as in the journal, and the places of the cards after it;
    before the first of them they were as at its `beginning`."""

    beginning: Any
    lines: list[Any] = field(default_factory=list[Any])
    truths: list[Any] = field(default_factory=list[Any])

    def truth_after(self, count: int) -> Any:
        return self.truths[count - 1] if count else self.beginning


class Account:
    """The announcements to these people. A contradiction is added to `wrong`; one that people are told about is counted
    in `loud`. `mistakes` are those events that people saw and the table took for something else. The table has a reason
    to take a card for another's only if it accepted something after the card had come."""

    def __init__(self, people: People, wrong: list[str], loud: Counter[str]) -> None:
        self.game = 0
        self.mistakes: list[str] = []
        self._people = people
        self._wrong = wrong
        self._loud = loud
        self._told: dict[int, GameRecord] = {}
        self._accepted_s = 0.0
        self._put_cards = people._apply_decision
        people._apply_decision = self.on_decision

    def begin(self, game: int) -> None:
        """Begin a game with the cards as they lie."""
        self.game = game
        self._told[game] = GameRecord(self._people.truth)

    def on_decision(self, decision: Decision) -> None:
        """Record an announced decision, perhaps one of several at once, and put the cards accordingly."""
        self._put_cards(decision)
        told = self._told[self.game]
        mistake = _mistake(decision, told.truth_after(len(told.truths)))
        if mistake and (mistake != FOR_ANOTHER or self._came_before(decision.observation)):
            self.mistakes.append(mistake)
        if isinstance(decision.verdict, Accepted):
            self._accepted_s = self._people._loop.time()
        told.lines.append(_line(decision.observation))
        told.truths.append(self._people.truth)
        if starts_new_game(decision.observation, decision.verdict):
            self.begin(self.game + 1)
            if decision.table.paused_at_us is not None:
                # the journal begins the new game with it, and nobody is told
                self._told[self.game].lines.append(_line(ControlUsed(decision.observation.at_us, "pause")))
                self._told[self.game].truths.append(self._people.truth)

    def _came_before(self, tap: Any) -> bool:
        """Return whether this card came to its pad before the table announced the last event that it accepted. If a
        board may report late, any of several times will do; a card never came where boards were swapped."""
        since_s = self._people._loop.time() - KEPT_S
        lay = stays(self._people.table, self._people.card_by_uid)
        came_s = [stay.came_s - stay.early_s for stay in lay if (stay.card, stay.pad) == (tap.card, tap.pad)]
        return min((at_s for at_s in came_s if at_s > since_s), default=0.0) <= self._accepted_s

    def catch_up(
        self, journal: JournalReader, table: Table, *, lost_is_known: bool, came_back: bool
    ) -> Sequence[Entry]:
        """Follow a table that comes back with this journal: an event that was written down and not announced yet has
        happened. An event that was announced and is gone is wrong, unless the disk is known to have lost it: then the
        cards are put as they lay, and the event is among the returned ones."""
        lost: list[Entry] = []
        last = last_game(journal).id
        if last < self.game and not lost_is_known:
            self._wrong.append(f"game {self.game} was told and is not in the journal")
        self.game = told_last = min(self.game, last)
        for number in range(told_last, last + 1):
            transcript = transcript_of(journal, number)
            if number > told_last:
                self._deal(open_recorded_game(transcript.game.header)[0])
            lost += self._catch_up(transcript, table, lost_is_known=lost_is_known)
        people = self._people
        if not came_back:
            # where even the beginning of the first game is gone, people still hold what they were dealt
            first = last == 1
            people.truth = self._told[1].beginning if first else people._players.deal(table.state, people._rng)
            self.begin(last)
            self._loud["a new game began at a start"] += 1
        people._before = table
        self._accepted_s = people._loop.time()  # it may stand where it stood before
        return lost

    def _deal(self, table: Table) -> None:
        """Begin a game with this table of which people have heard nothing yet."""
        players = table.game.players
        self._people.truth = players.prepare(table.state, players.deal(table.state, self._people._rng))
        self._people._before = table
        told = self._told[self.game]
        told.beginning, told.truths = self._people.truth, [self._people.truth for _ in told.truths]

    def _catch_up(self, transcript: Transcript, table: Table, *, lost_is_known: bool) -> Sequence[Entry]:
        lost: list[Entry] = []
        told = self._told[self.game]
        judged = [event for event in replay_events(transcript) if isinstance(event, Decision)]
        lines = [_line(each.observation) for each in judged]
        count = len(told.lines)
        if lines[:count] != told.lines:
            same = next(
                (at for at, pair in enumerate(zip(lines, told.lines, strict=False)) if pair[0] != pair[1]),
                min(len(lines), count),
            )
            if lost_is_known:
                self._loud["the journal's end was gone: it came back earlier, paused"] += 1
            else:
                self._wrong.append(f"told, and not in the journal: {told.lines[same]}")
            self._people.truth = told.truth_after(same)
            lost = [Entry(round(line["at"] * US_PER_S), "observation", line) for line in told.lines[same:]]
            del told.lines[same:], told.truths[same:]
            self._people._before = judged[same - 1].table if same else table
            count = same
        for each in judged[count:]:
            self._loud["told only when it came back"] += 1
            self.on_decision(each)
        return lost


def _mistake(judged: Decision, truth: Any) -> str:
    """Return what people see that the table may have mistaken, by the places of the cards before, or ""."""
    match judged:
        case Decision(TableCorrected(), Accepted()):
            return CHECKED_WRONG
        case Decision(CardTapped(card=card) | CardHeld(card=card), Accepted(announcements=said)):
            if card in truth.pile:
                return "a card of the pile was taken for one of a hand"
            of = next((seat for seat, hand in enumerate(truth.hands, 1) if card in hand), None)
            if of is not None and any(isinstance(each, DemandLaid) for each in said):
                return "a card of a hand was taken for one of the pile"
            of_card = [each for each in said if getattr(each, "card", "") == card] or said
            seats = {getattr(each, "seat", of) for each in of_card}
            return FOR_ANOTHER if of is not None and of not in seats else ""
        case _:
            return ""


def last_game(journal: JournalReader) -> GameSummary:
    last = journal.last_game()
    assert last is not None
    return last


def _line(observation: Observation) -> Any:
    return json.loads(json.dumps(observation_line(observation)))
