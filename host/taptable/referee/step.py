"""The referee's step: takes an observation and the table before it, and returns the table after it and the verdict. It
handles what every game shares: deadlines that have passed, pause, take-back, a new game, two cards at once. The game
plays the rest. Pure: the time is that of the observation. Must not know a rule of a game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from taptable.core.announcements import Announcement, CardsParted, MoveTakenBack, Paused, Resumed
from taptable.core.controls import Fields
from taptable.core.drafts import is_same
from taptable.core.errors import ConfigError, RefereeError
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    DISCARD_PAD,
    Arrangement,
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    Pad,
    TimePassed,
    is_final,
)
from taptable.core.scoreboard import Scoreboard
from taptable.core.verdicts import Accepted, Verdict
from taptable.games.registry import find_game
from taptable.referee.codes import TABLE_CODES


@dataclass(slots=True)
class UndoEntry:
    """One move that can be taken back: its observation, the state before it, and the entry of the move before. It never
    changes."""

    observation: Observation
    state: Any
    total_paused_us: int
    has_moves: bool
    previous: UndoEntry | None


@dataclass
class Table:
    """The table between two observations. It never changes: a step returns another one.

    `total_paused_us` is the time spent in pauses until now; a state from before them has to be shifted by it.
    `paused_at_us` is set while the table is paused. At `due_us` the game acts by itself, except in a pause. `has_moves`
    is True once a move was made in this game, even if none can be taken back any more."""

    game: Game[Any]
    game_options: GameOptions
    state: Any
    at_us: int = 0
    undo_entry: UndoEntry | None = None
    total_paused_us: int = 0
    paused_at_us: int | None = None
    has_moves: bool = False
    due_us: int | None = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.due_us = self.game.deadline(self.state)

    def with_state(self, state: Any, at_us: int) -> Table:
        """Return the table with another state at a later time; everything else stays."""
        undo_entry, paused_at_us = self.undo_entry, self.paused_at_us
        return Table(
            self.game, self.game_options, state, at_us, undo_entry, self.total_paused_us, paused_at_us, self.has_moves
        )

    def uses(self, pad: Pad) -> bool:
        """Return whether the game uses this pad. Each game uses those of its seats, and the discard pad."""
        if isinstance(pad, int):
            return pad <= self.game_options.players
        return pad == DISCARD_PAD or pad in self.game.pads(self.state)

    def has_card_at(self, card: str, pad: Pad) -> bool:
        """Return whether this card belongs on this pad by the game's state."""
        place = self.game.where(self.state, card)
        return place == pad if isinstance(pad, str) or not isinstance(place, tuple) else pad in place

    @cached_property
    def scoreboard(self) -> Scoreboard:
        """The game's scoreboard; cached because several readers need it after each event."""
        return self.game.scoreboard(self.state)


def open_table(
    game: Game[Any], game_options: GameOptions, at_us: int = 0, next_starter: int | None = None
) -> tuple[Table, tuple[Announcement, ...]]:
    """Return a table with a new game, and its announcements; ConfigError says which option can't be agreed on."""
    state, announcements = game.new_game(game_options, at_us, next_starter)
    return Table(game, game_options, state, at_us), tuple(announcements)


def step(table: Table, observation: Observation) -> tuple[Table, Verdict]:
    """Return the table after one observation, and the verdict on it; announcements of deadlines that passed before come
    first.

    Raises RefereeError if the observation is older than the last one."""
    at_us = observation.at_us
    if at_us < table.at_us:
        raise RefereeError(f"An observation at {at_us} µs came after one at {table.at_us} µs: time never falls.")
    if isinstance(observation, GameSetUp) or (
        isinstance(observation, ControlUsed) and observation.control != "reshuffle"
    ):
        return _control(table, observation)
    if table.paused_at_us is not None:
        return _step_in_pause(table, observation)
    table, announcements = _pass_deadlines(table, at_us)
    if isinstance(observation, TimePassed):
        return table.with_state(table.state, at_us), Accepted(tuple(announcements))
    if isinstance(observation, CardsTogether):
        return _reject_simultaneous(table.with_state(table.state, at_us), observation, announcements)
    return _play(table, observation, announcements)


def starts_new_game(observation: Observation, verdict: Verdict) -> bool:
    """Return whether this observation began the next game."""
    renews = isinstance(observation, GameSetUp) or (
        isinstance(observation, ControlUsed) and observation.control == "new-game"
    )
    return renews and isinstance(verdict, Accepted)


def find_next_starter(table: Table, observation: Observation) -> int | None:
    """Return the next starter for the game that this observation begins, by an earlier winner; None if the last game
    decided nothing."""
    starter = table.game.next_starter(table.state)
    if isinstance(observation, GameSetUp) and starter is not None:
        return starter if observation.keep_next_starter and starter <= observation.game_options.players else None
    return starter


def legal_taps(table: Table) -> list[tuple[str, int | str]]:
    """Return exactly the taps that would now be accepted, by card and pad as text; none in a pause."""
    if table.paused_at_us is not None:
        return []
    return sorted(table.game.legal_taps(table.state), key=lambda tap: (tap[0], str(tap[1])))


def legal_controls(table: Table) -> list[tuple[str, Fields]]:
    """Return the game's own controls that it would accept now (`Game.legal_controls`); in a pause too."""
    return table.game.legal_controls(table.state)


def next_deadline(table: Table) -> int | None:
    """Return when the table acts by itself, in table time; None in a pause."""
    return None if table.paused_at_us is not None else table.due_us


def _play(table: Table, observation: Observation, announcements: list[Announcement]) -> tuple[Table, Verdict]:
    """Let the game play an observation; in a pause no time has passed for it."""
    game, state, at_us = table.game, table.state, observation.at_us
    if isinstance(observation, Arrangement) and type(observation) not in game.arrangements:
        return table.with_state(state, at_us), TABLE_CODES.refuse("not-in-this-game", {}, tuple(announcements))
    played = game.play(
        state, observation if table.paused_at_us is None else replace(observation, at_us=table.paused_at_us)
    )
    if not isinstance(played, tuple):
        if announcements:
            played = replace(played, announcements=tuple(announcements))
        return table.with_state(state, at_us), played
    after, more = played
    has_moves = table.has_moves
    if is_final(observation):
        undo_entry = None
    elif is_same(after, state):
        undo_entry = table.undo_entry  # an observation that changed nothing is no move to be taken back
    else:
        undo_entry = UndoEntry(observation, state, table.total_paused_us, table.has_moves, table.undo_entry)
        has_moves = True
    table = Table(
        game, table.game_options, after, at_us, undo_entry, table.total_paused_us, table.paused_at_us, has_moves
    )
    if table.paused_at_us is None:
        table, due = _pass_deadlines(table, at_us)  # a settling time of 0 is over at once
        more += due
    return table, Accepted((*announcements, *more))


def _step_in_pause(table: Table, observation: Observation) -> tuple[Table, Verdict]:
    """Step in a pause: only controls and arrangements count, and no deadline passes."""
    waiting = table.with_state(table.state, observation.at_us)
    match observation:
        case TimePassed():
            return waiting, Accepted()
        case CardTapped() | CardHeld():
            return waiting, TABLE_CODES.refuse("paused", {"card": observation.card, "pad": observation.pad})
        case CardsTogether():
            return waiting, TABLE_CODES.refuse("paused", {"cards": observation.cards, "pad": observation.pad})
        case ButtonPressed():
            return waiting, TABLE_CODES.refuse("paused", {"pad": observation.seat})
        case _:
            return _play(waiting, observation, [])


def _control(table: Table, observation: ControlUsed | GameSetUp) -> tuple[Table, Verdict]:
    """Handle a new game as set up, and the controls; the game plays those that it doesn't share."""
    at_us = observation.at_us
    announcements: list[Announcement] = []
    if table.paused_at_us is None:
        table, announcements = _pass_deadlines(table, at_us)
    table = table.with_state(table.state, at_us)
    if isinstance(observation, GameSetUp):
        return _set_up(table, observation, announcements)
    match observation.control:
        case "take-back":
            return _take_back(table, announcements)
        case "new-game":
            return _new_game(
                table, table.game.name, table.game_options, find_next_starter(table, observation), announcements
            )
        case "pause" if table.paused_at_us is None:
            return replace(table, paused_at_us=at_us), Accepted((*announcements, Paused()))
        case "pause":
            return table, TABLE_CODES.ignore("paused-already")
        case "resume" if table.paused_at_us is not None:
            return _resume(table, table.paused_at_us)
        case "resume":
            return table, TABLE_CODES.ignore("not-paused", announcements=tuple(announcements))
        case _:
            return _play(table, observation, announcements)


def _take_back(table: Table, announcements: list[Announcement]) -> tuple[Table, Verdict]:
    """Undo the last move; deadlines that have become due meanwhile take effect at once. A pause stays a pause (X5.7
    says so too)."""
    if table.undo_entry is None:
        return table, TABLE_CODES.ignore("nothing-to-take-back", announcements=tuple(announcements))
    restored, more = _restore(table, table.undo_entry)
    return restored, Accepted((*announcements, MoveTakenBack(), *more))


def _restore(table: Table, entry: UndoEntry) -> tuple[Table, list[Announcement]]:
    """Return the table from before a move, at the current time or the time of the pause."""
    now_us = table.at_us if table.paused_at_us is None else table.paused_at_us
    state = table.game.restored(entry.state, table.total_paused_us - entry.total_paused_us, now_us)
    return _pass_deadlines(replace(table, state=state, undo_entry=entry.previous, has_moves=entry.has_moves), now_us)


def _reject_simultaneous(
    table: Table, together: CardsTogether, announcements: list[Announcement]
) -> tuple[Table, Verdict]:
    """Refuse two cards at once: undo the effects of the first of them, so that neither counts."""
    entry = table.undo_entry
    while entry is not None and entry.observation.at_us >= together.since_us:
        tap = entry.observation
        if isinstance(tap, CardTapped) and tap.pad == together.pad and tap.card in together.cards:
            table, more = _restore(table, entry)
            announcements = [*announcements, CardsParted(together.pad, together.cards), *more]
            break
        entry = entry.previous
    facts = {"cards": together.cards, "pad": together.pad}
    return table, TABLE_CODES.refuse("one-at-a-time", facts, tuple(announcements))


def _set_up(table: Table, observation: GameSetUp, announcements: list[Announcement]) -> tuple[Table, Verdict]:
    """Begin a new game as set up; options that can't be agreed on are refused and change nothing."""
    try:
        return _new_game(
            table, observation.game, observation.game_options, find_next_starter(table, observation), announcements
        )
    except ConfigError as error:
        return table, TABLE_CODES.refuse("cant-be-agreed", {"why": str(error)}, tuple(announcements))


def _new_game(
    table: Table, name: str, game_options: GameOptions, next_starter: int | None, announcements: list[Announcement]
) -> tuple[Table, Verdict]:
    """Begin a new game by the rules of today, whichever options the last one had; in a pause it begins when the pause
    ends."""
    game = find_game(name)
    state, more = game.new_game(game_options, table.at_us, next_starter)
    # the pauses of the old game don't concern the new one, which is replayed without it
    paused_at_us = None if table.paused_at_us is None else table.at_us
    renewed = Table(game, game_options, state, table.at_us, None, table.total_paused_us, paused_at_us)
    return renewed, Accepted((*announcements, *more))


def _resume(table: Table, paused_at_us: int) -> tuple[Table, Verdict]:
    """Return the table after a pause, with all deadlines shifted by its length."""
    paused_us = table.at_us - paused_at_us
    state = table.game.shift(table.state, paused_us)
    resumed = replace(table, state=state, total_paused_us=table.total_paused_us + paused_us, paused_at_us=None)
    return resumed, Accepted((Resumed(paused_us),))


def _pass_deadlines(table: Table, at_us: int) -> tuple[Table, list[Announcement]]:
    """Return the table after every deadline up to `at_us`, in their order, and their announcements."""
    announcements: list[Announcement] = []
    while table.due_us is not None and table.due_us <= at_us:
        played = table.game.play(table.state, TimePassed(table.due_us))
        assert isinstance(played, tuple), played  # nobody can refuse that time passes
        state, more = played
        table = table.with_state(state, table.at_us)
        announcements += more
    return table, announcements
