"""ONLINE as a game of the table: the verbs that every game implements, most of them from the other modules of this
folder, and the action of each button. Must not decide about a move: `play` does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from taptable.core import windows
from taptable.core.announcements import GameBegan
from taptable.core.drafts import draft
from taptable.core.errors import ConfigError
from taptable.core.game import Game, Transition, accepted_taps
from taptable.core.game_options import GameOptions
from taptable.core.observations import (
    CardLost,
    CardRecovered,
    Pad,
    SeatVacated,
    TableCorrected,
)
from taptable.core.pack import Pack, PackKind
from taptable.core.player import Zone
from taptable.games.online import public, turns
from taptable.games.online.announcements import ANNOUNCEMENTS, FIGURES, MILESTONES
from taptable.games.online.cards import CYBER_PATROL, KIND_OF, KINDS, Group
from taptable.games.online.options import EDITIONS, MORE_FILES, SETTINGS, Edition, make_options
from taptable.games.online.play import play
from taptable.games.online.policy import OnlinePlayers
from taptable.games.online.rules import CODES
from taptable.games.online.state import Hack, Search, State, Team

PACK = Pack("online", tuple(PackKind(kind.id, kind.count) for kind in KINDS))

GUIDE: tuple[tuple[str, ...], ...] = (
    ("email", "music", "game", "movie"),  # the aim
    (),  # before the first game, and who plays together
    (),  # a turn
    ("online", "turbo-line"),  # going online
    ("extra-memory", "game", "movie"),  # downloading
    # attacks, each before its cure
    (
        "virus",
        "antivirus",
        "password-error",
        "password-ok",
        "under-construction",
        "online",
        "memory-full",
        "extra-memory",
    ),
    (),  # what the blocked may do
    ("hacker", "cyber-patrol"),
    (),  # backing up
    ("search",),
    (),  # the empty draw pile, the end
    (),  # tips
    (),  # what the words mean
)
"""The faces of each section. The words in the catalogues may name the quotas as fields."""


class Online(Game[State]):
    """ONLINE by one version of its rules. Versions differ in their editions; every answer depends on the state
    alone."""

    name = "online"
    settings = SETTINGS
    advice = (MORE_FILES,)
    arrangements = frozenset({TableCorrected, SeatVacated, CardLost, CardRecovered})
    announcements = ANNOUNCEMENTS
    codes = CODES
    figures = FIGURES
    milestones = MILESTONES
    guide = GUIDE
    players = OnlinePlayers(play)

    play = staticmethod(play)
    deadline = staticmethod(turns.deadline)
    next_starter = staticmethod(turns.next_starter)
    scoreboard = staticmethod(public.scoreboard)
    public_state = staticmethod(public.public_state)
    tally = staticmethod(turns.tally)

    def __init__(self, rules_version: str = "online/3", editions: Mapping[str, Edition] = EDITIONS) -> None:
        self.rules_version = rules_version
        self.editions = tuple(editions)
        self._by_name = editions

    def pack(self, manifest: str) -> Pack:
        """Return all cards of the game (R1). Raises ConfigError if there is a manifest."""
        if manifest:
            raise ConfigError("ONLINE has cards of its own: it takes no manifest.")
        return PACK

    def new_game(self, game_options: GameOptions, at_us: int, next_starter: int | None) -> Transition[State]:
        """Return a new game of 7 cards for each seat (R2.4). `next_starter` begins, else the agreed starter, else the
        youngest (R2.3)."""
        self.pack(game_options.manifest)
        options = make_options(game_options, self._by_name)
        state = State(
            options=options,
            teams=tuple(Team() for _ in options.teams),
            hands=(turns.HAND_SIZE,) * options.players,
            draw_pile=len(KIND_OF) - turns.HAND_SIZE * options.players,
            next_starter=next_starter,
        )
        starter = next_starter or options.starter
        announcements: turns.Announcements = [GameBegan(starter)]
        if starter is not None:
            turns.start(state, starter, at_us, announcements)
        return state, announcements

    def shift(self, state: State, by_us: int) -> State:
        """Return the state with its window and time limit moved later, after a pause."""
        if state.window is None and state.ends_at_us is None:
            return state
        later = draft(state)
        later.window = windows.shift(state.window, by_us) if state.window else None
        later.ends_at_us = None if state.ends_at_us is None else state.ends_at_us + by_us
        return later

    def legal_taps(self, state: State) -> list[tuple[str, Pad]]:
        """Ask `play` about every card on every pad: of hidden cards one of each kind, and open cards only in a hack."""
        if state.outcome is not None or state.turn is None:
            return []
        laid = {card for team in state.teams for row in team.rows for card in row}
        laid.update(state.discard)
        kinds = ([card for card in cards if card not in laid and card not in state.lost] for cards in CARDS_OF_KIND)
        alike: Iterable[Iterable[str]] = [cards for cards in kinds if cards]
        if isinstance(state.pending, Hack):
            alike = [*alike, *([card] for card in laid)]
        window = state.window
        # no deadline lies between the state and this question, so any time before the next one is right
        at_us = window.opened_at_us if window and window.listening else (turns.deadline(state) or 0)
        return accepted_taps(play, state, alike, self.pads(state), at_us)

    def button_actions(self, state: State) -> tuple[str | None, ...]:
        """Return ``youngest``, ``buzz``, ``waive-hack``, ``waive-search`` or ``stop`` for each seat; None for no
        action."""
        return tuple([_button_action(state, seat) for seat in range(1, state.options.players + 1)])

    def who_taps(self, state: State, card: str, pad: Pad) -> int | None:
        """Return the player on turn (R3.6), unless a hidden card is tapped out of turn: a Cyber Patrol in the window
        (R7.5), or an access card where an attack was laid (R6.2)."""
        assert state.turn is not None
        kind = KIND_OF.get(card)
        if kind is None or not isinstance(pad, int) or state.locate(card, kind) is not None:
            return state.turn.seat
        patrols = kind is CYBER_PATROL and state.window is not None
        reacts = kind.group is Group.ACCESS and state.was_attacked(state.options.team_of(pad))
        return state.player_at(pad) if patrols or reacts else state.turn.seat

    def teams(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each team (R2.2)."""
        return state.options.teams

    def where(self, state: State, card: str) -> tuple[int, ...] | str | None:
        """Return where a card lies."""
        kind = KIND_OF.get(card)
        place = state.locate(card, kind) if kind else None
        return state.options.teams[place] if isinstance(place, int) else place

    def layout(self, state: State) -> tuple[Zone, ...]:
        """Return each team's rows, then the discard pile."""
        return public.zones(state.options.teams, (team.rows for team in state.teams), state.discard)


CARDS_OF_KIND = tuple(tuple(f"{kind.id}#{number}" for number in range(1, kind.count + 1)) for kind in KINDS)


def _button_action(state: State, seat: int) -> str | None:
    if state.outcome is not None or seat in state.vacated:
        return None
    if state.turn is None:
        return "youngest"
    window = state.window
    if window is not None:
        accepts = (
            window.listening and windows.press_objection(window, seat, window.opened_at_us, window.opened_at_us) is None
        )
        return "buzz" if accepts and state.may_patrol(window.owner, seat) else None
    if seat != state.turn.seat:
        return None
    if state.pending is None:
        return "stop"
    return "waive-search" if isinstance(state.pending, Search) else "waive-hack"
