"""Cyber Siege as a game of the table: the verbs that every game implements, most of them from the other modules of this
folder, and the action of each button. Must not decide about a move: `play` does."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from taptable.core import windows
from taptable.core.announcements import GameBegan
from taptable.core.controls import ControlSpec, Fields, Parameter
from taptable.core.drafts import draft
from taptable.core.game import Game, Transition, accepted_taps
from taptable.core.game_options import GameOptions
from taptable.core.observations import ControlUsed, Pad, TableCorrected
from taptable.core.pack import Pack
from taptable.core.player import Zone
from taptable.core.windows import Window
from taptable.games.cyber_siege import public
from taptable.games.cyber_siege.announcements import ANNOUNCEMENTS, FIGURES, MILESTONES
from taptable.games.cyber_siege.cards import SAMPLE, read_manifest
from taptable.games.cyber_siege.options import SETTINGS, make_options
from taptable.games.cyber_siege.play import play
from taptable.games.cyber_siege.policy import CyberSiegePlayers
from taptable.games.cyber_siege.rules import CODES
from taptable.games.cyber_siege.state import Player, State
from taptable.games.cyber_siege.turns import Announcements, begin_turn

COUNTS = tuple(Parameter(name, "whole") for name in ("red", "purple", "one_points"))


class CyberSiege(Game[State]):
    """Cyber Siege. It has no data of its own; every answer depends on the state alone."""

    name = "cyber-siege"
    rules_version = "cyber-siege/1"
    sample = SAMPLE
    settings = SETTINGS
    controls = (
        ControlSpec("spare", cards=(("spare", ()),)),
        ControlSpec("correct", needed=(Parameter("seat", "seat"),), optional=COUNTS, optional_as="some"),
    )
    arrangements = frozenset({TableCorrected})
    announcements = ANNOUNCEMENTS
    codes = CODES
    figures = FIGURES
    milestones = MILESTONES
    guide = (
        (),  # the aim
        ("attack", "defence", "admin", "set"),  # the cards
        (),  # a turn
        ("set", "attack", "defence"),  # laying a set
        ("attack",),  # launching an attack
        ("defence", "admin"),  # defending
        (),  # icons
        (),  # the empty red pile
        (),  # the end
    )
    players = CyberSiegePlayers(play)

    play = staticmethod(play)
    scoreboard = staticmethod(public.scoreboard)
    public_state = staticmethod(public.public_state)

    def pack(self, manifest: str) -> Pack:
        """Return the cards of a manifest (S1.1, *The sample deck*)."""
        return read_manifest(manifest).pack

    def new_game(self, game_options: GameOptions, at_us: int, next_starter: int | None) -> Transition[State]:
        """Return a new game of 5 red cards and 2 set cards for each seat (S2.3). The agreed starter begins, else the
        youngest (S2.2); an earlier winner doesn't count."""
        del next_starter
        options = make_options(game_options)
        players = (Player(),) * options.players
        state = State(
            options=options,
            players=players,
            red_pile=options.cards.red - sum(player.red for player in players),
            purple_pile=options.cards.purple - sum(player.purple for player in players),
        )
        announcements: Announcements = [GameBegan(options.starter)]
        if options.starter is not None:
            begin_turn(state, options.starter, at_us, announcements)
        return state, announcements

    @staticmethod
    def deadline(state: State) -> int | None:
        """Return the end of a launch or of a defence (S3.5)."""
        waiting = state.launch or state.attack
        return None if waiting is None else waiting.window.due_us

    def shift(self, state: State, by_us: int) -> State:
        """Return the state with all its beginnings and deadlines moved later, after a pause (S3.5)."""
        return _with_times(state, lambda began_at_us: began_at_us + by_us, lambda window: windows.shift(window, by_us))

    def restored(self, state: State, paused_us: int, at_us: int) -> State:
        """Return the state with every open step restarted at `at_us` (S8.5), regardless of the time between."""
        del paused_us
        return _with_times(state, lambda _: at_us, lambda window: windows.restart(window, at_us))

    def legal_taps(self, state: State) -> list[tuple[str, Pad]]:
        """Ask `play` about every hidden card on every pad, one of each kind; and about the top of the discard pile."""
        open_cards = {*state.discard, *state.laying_cards, *(card for each in state.players for card in each.sets)}
        hidden: dict[str, list[str]] = {}
        for card, kind in state.options.cards.kind_of.items():
            if card not in open_cards:
                hidden.setdefault(kind.id, []).append(card)
        alike: Iterable[Iterable[str]] = [*hidden.values(), *([card] for card in state.discard[-1:])]
        return accepted_taps(play, state, alike, self.pads(state))

    def legal_controls(self, state: State) -> list[tuple[str, Fields]]:
        """Return ``reshuffle`` or ``spare``, if it would be accepted."""
        return [(name, ()) for name in ("reshuffle", "spare") if isinstance(play(state, ControlUsed(0, name)), tuple)]

    def button_actions(self, state: State) -> tuple[str | None, ...]:
        """Return ``youngest``, ``launch``, ``take-hit``, ``break-off`` or ``stop`` for each seat; None for no
        action."""
        return tuple([_button_action(state, seat) for seat in range(1, state.options.players + 1)])

    def layout(self, state: State) -> tuple[Zone, ...]:
        """Return each seat's sets and the set it is laying, then the discard pile."""
        seat = state.turn.seat if state.turn else None
        return public.zones([player.sets for player in state.players], state.laying_cards, seat, state.discard)


def _with_times(state: State, began: Callable[[int], int], retime: Callable[[Window], Window]) -> State:
    """Return the state with other times for everything that has begun, and for its windows."""
    retimed = draft(state)
    if state.turn is not None:
        retimed.turn = draft(state.turn)
        retimed.turn.began_at_us = began(state.turn.began_at_us)
    if state.laying is not None:
        retimed.laying = draft(state.laying)
        retimed.laying.began_at_us = began(state.laying.began_at_us)
    if state.launch is not None:
        retimed.launch = draft(state.launch)
        retimed.launch.window = retime(state.launch.window)
    if state.attack is not None:
        retimed.attack = draft(state.attack)
        retimed.attack.window = retime(state.attack.window)
    return retimed


def _button_action(state: State, seat: int) -> str | None:
    if state.outcome is not None:
        return None
    turn = state.turn
    if turn is None:
        return "youngest"
    if state.attack is not None:
        return "take-hit" if seat == state.attack.defender else None
    if seat != turn.seat:
        return None
    if state.launch is not None:
        return "launch" if state.launch.window.listening else None
    if state.laying is not None:
        return "break-off"
    return "stop" if state.may_end_turn(turn) else None
