"""Colours as a game of the table: the verbs that every game implements."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from taptable.core.announcements import Announcement, GameBegan
from taptable.core.errors import ConfigError
from taptable.core.figures import Figure
from taptable.core.game import Game, Transition, accepted_taps
from taptable.core.game_options import GameOptions, check_players, int_value, parse_settings
from taptable.core.observations import Pad
from taptable.core.pack import Pack
from taptable.core.player import Zone
from taptable.core.scoreboard import DRAW_PILE, HAND, Count, Scoreboard, TeamScore
from taptable.core.settings import IntSetting, InvalidGameOptions

from tiny.players import TinyPlayers
from tiny.rules import CODES, DEALT, PACK, CardLaid, State, TurnPassed, begin_turn, play

CARDS_TO_WIN = IntSetting("cards_to_win", 2, 6, 3)


class Tiny(Game[State]):
    """Colours. It has no data of its own; every answer depends on the state alone."""

    name = "tiny"
    rules_version = "tiny/1"
    settings = MappingProxyType({CARDS_TO_WIN.key: CARDS_TO_WIN})
    announcements = (CardLaid, TurnPassed)
    figures = (Figure("laid", CardLaid), Figure("passed", TurnPassed))
    milestones = (TurnPassed,)
    players = TinyPlayers(play)
    guide = (("red", "yellow", "green", "blue"), ())
    codes = CODES

    play = staticmethod(play)

    def pack(self, manifest: str) -> Pack:
        """Return the 12 cards (C1). Raises ConfigError if there is a manifest."""
        if manifest:
            raise ConfigError("Colours has cards of its own: it takes no manifest.")
        return PACK

    def new_game(self, game_options: GameOptions, at_us: int, next_starter: int | None) -> Transition[State]:
        """Return a new game (C1). The last winner begins, else the agreed starter, else the youngest."""
        self.pack(game_options.manifest)
        check_players(game_options, "Colours", 2, 4, self.editions)
        seats, to_win = (
            game_options.players,
            int_value(parse_settings(self.settings, game_options.settings), CARDS_TO_WIN),
        )
        most = len(PACK.cards) // seats
        if to_win > most:
            raise InvalidGameOptions(f"{seats} players can lay {most} cards each, not {to_win}.", "too-many", most=most)
        state = State(to_win, ((),) * seats, (DEALT,) * seats, len(PACK.cards) - DEALT * seats)
        starter = next_starter or game_options.starter
        announcements: list[Announcement] = [GameBegan(starter)]
        if starter is not None:
            begin_turn(state, starter, announcements)
        return state, announcements

    def legal_taps(self, state: State) -> list[tuple[str, Pad]]:
        """Return the taps that `play` accepts."""
        return accepted_taps(play, state, [[card] for card in PACK.cards], self.pads(state))

    @staticmethod
    def next_starter(state: State) -> int | None:
        """Return the winner, who begins the next game; None if there are several."""
        return state.outcome.winners[0] if state.outcome and len(state.outcome.winners) == 1 else None

    def button_actions(self, state: State) -> tuple[str | None, ...]:
        """Return ``youngest`` before the first turn, and ``stop`` for the seat on turn."""
        if state.turn is None:
            return ("youngest",) * len(state.rows)
        on_turn = state.turn if state.outcome is None else None
        return tuple("stop" if seat == on_turn else None for seat in range(1, len(state.rows) + 1))

    def layout(self, state: State) -> tuple[Zone, ...]:
        """Return a row for each seat."""
        return tuple(Zone("row", (seat,), row) for seat, row in enumerate(state.rows, 1))

    @staticmethod
    def scoreboard(state: State) -> Scoreboard:
        """Return the scoreboard; the number of cards in a row is the score."""
        places = dict(state.outcome.ranking) if state.outcome else {}
        return Scoreboard(
            unit="cards",
            teams=tuple(TeamScore((seat,), len(row), place=places.get(seat)) for seat, row in enumerate(state.rows, 1)),
            seat=state.turn,
            stock=(Count(DRAW_PILE, state.pile),),
            hands=tuple((Count(HAND, count),) for count in state.hands),
            over=state.outcome is not None,
            by=state.outcome.by if state.outcome else None,
        )

    @staticmethod
    def public_state(state: State) -> dict[str, Any]:
        """Return the keys that every game has, and this game's own."""
        rows = zip(state.rows, state.hands, strict=True)
        return {
            "turn": {"seat": state.turn, "colour": state.colour},
            "teams": [{"seats": [seat], "row": list(row), "hand": hand} for seat, (row, hand) in enumerate(rows, 1)],
            "discard": [],
            "draw_pile": state.pile,
            "window": None,
            "pending": None,
            "outcome": Tiny.scoreboard(state).outcome,
        }
