"""Cyber Siege as a game of the table: the verbs every game answers, and what each button means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from taptable.core import windows
from taptable.core.agreed import Agreed
from taptable.core.announcements import GameBegan
from taptable.core.controls import Control, Fields, Parameter
from taptable.core.observations import DISCARD_PAD, Arrangement, CardTapped, ControlUsed, Pad, TableCorrected
from taptable.core.pack import Pack
from taptable.core.scoreboard import Tallied
from taptable.core.settings import Choice, Seconds, Whole
from taptable.core.verdicts import Fault, Ignored, Refused
from taptable.games.cyber_siege.announcements import ANNOUNCEMENTS
from taptable.games.cyber_siege.applying import apply, deadline
from taptable.games.cyber_siege.figures import FIGURES, MILESTONES
from taptable.games.cyber_siege.guide import GUIDE
from taptable.games.cyber_siege.heaps import being_laid, lying
from taptable.games.cyber_siege.manifest import read_deck
from taptable.games.cyber_siege.moves import PickStarter
from taptable.games.cyber_siege.options import EDITIONS, SETTINGS, make_options
from taptable.games.cyber_siege.public import outcome, public_state, scoreboard
from taptable.games.cyber_siege.reading import may_end_turn, read
from taptable.games.cyber_siege.refusals import CODES
from taptable.games.cyber_siege.sample import SAMPLE
from taptable.games.cyber_siege.state import Player, State, locate
from taptable.games.cyber_siege.turns import Result
from taptable.games.cyber_siege.virtual import CyberSiegePlayers

COUNTS = tuple(Parameter(name, "whole") for name in ("red", "purple", "one_points"))


class CyberSiege:
    """Cyber Siege; holds nothing, every answer is made from the state."""

    name = "cyber-siege"
    rules_version = "cyber-siege/1"
    sample = SAMPLE
    settings: Mapping[str, Seconds | Whole | Choice] = SETTINGS
    editions = EDITIONS
    controls = (
        Control("spare", cards=(("spare", ()),)),
        Control("correct", needed=(Parameter("seat", "seat"),), optional=COUNTS, optional_as="some"),
    )
    arrangements: frozenset[type[Arrangement]] = frozenset({TableCorrected})
    players = CyberSiegePlayers()
    figures = FIGURES
    milestones = MILESTONES
    guide = GUIDE
    codes = CODES
    announcements = ANNOUNCEMENTS

    read = staticmethod(read)
    apply = staticmethod(apply)
    deadline = staticmethod(deadline)
    lying = staticmethod(lying)
    scoreboard = staticmethod(scoreboard)
    public_state = staticmethod(public_state)
    outcome = staticmethod(outcome)

    def pack(self, manifest: str) -> Pack:
        """The cards by a manifest (S1.1, *The sample deck*)."""
        return read_deck(manifest).pack

    def pads(self, state: State) -> tuple[Pad, ...]:
        """Every seat's pad, and the discard pile's."""
        return (*range(1, state.options.players + 1), DISCARD_PAD)

    def new_game(self, agreed: Agreed, at_us: int, heir: int | None) -> Result:
        """A new game: 5 red cards and 2 set cards for each (S2.3), begun by the agreed starter, else the youngest
        (S2.2); an earlier winner has no say."""
        del heir
        options = make_options(agreed)
        players = (Player(),) * options.players
        state = State(
            options=options,
            players=players,
            red_pile=options.deck.red - sum(player.red for player in players),
            purple_pile=options.deck.purple - sum(player.purple for player in players),
        )
        if options.starter is None:
            return state, [GameBegan(None)]
        begun, said = apply(state, PickStarter(at_us, options.starter))
        return begun, [GameBegan(options.starter), *said]

    def shift(self, state: State, by_us: int) -> State:
        """The state with all its beginnings and deadlines moved later, after a pause (S3.5)."""
        turn, laying, launch, attack = state.turn, state.laying, state.launch, state.attack
        return replace(
            state,
            turn=replace(turn, began_at_us=turn.began_at_us + by_us) if turn else None,
            laying=replace(laying, began_at_us=laying.began_at_us + by_us) if laying else None,
            launch=replace(launch, window=windows.shift(launch.window, by_us)) if launch else None,
            attack=replace(attack, window=windows.shift(attack.window, by_us)) if attack else None,
        )

    def restored(self, state: State, paused_us: int, at_us: int) -> State:
        """The state with all that is open begun anew (S8.5), whatever time there was between."""
        del paused_us
        turn, laying, launch, attack = state.turn, state.laying, state.launch, state.attack
        return replace(
            state,
            turn=replace(turn, began_at_us=at_us) if turn else None,
            laying=replace(laying, began_at_us=at_us) if laying else None,
            launch=replace(launch, window=windows.anew(launch.window, at_us)) if launch else None,
            attack=replace(attack, window=windows.anew(attack.window, at_us)) if attack else None,
        )

    def legal_taps(self, state: State) -> list[tuple[str, Pad]]:
        """Exactly the taps that would be accepted: every hidden card on every pad, those of a kind asked of once; and
        the top of the discard pile."""
        pads = self.pads(state)
        open_cards = {*state.discard, *being_laid(state.laying), *(card for p in state.players for card in p.sets)}
        pads_of_kind: dict[str, list[Pad]] = {}
        legal: list[tuple[str, Pad]] = [
            (card, pad) for card in state.discard[-1:] for pad in _accepted(state, card, pads)
        ]
        for card, kind in state.options.deck.kind_of.items():
            if card in open_cards:
                continue
            if kind.id not in pads_of_kind:
                pads_of_kind[kind.id] = _accepted(state, card, pads)
            legal.extend((card, pad) for pad in pads_of_kind[kind.id])
        return legal

    def legal_controls(self, state: State) -> list[tuple[str, Fields]]:
        """``reshuffle`` or ``spare``, if it would be accepted."""
        readings = {name: read(state, ControlUsed(0, name)) for name in ("reshuffle", "spare")}
        return [(name, ()) for name, reading in readings.items() if not isinstance(reading, Refused | Ignored | Fault)]

    def next_starter(self, state: State) -> int | None:
        """Nobody by an earlier winner (S2.2)."""
        del state
        return None

    def meanings(self, state: State) -> tuple[str | None, ...]:
        """``youngest``, ``launch``, ``take-hit``, ``break-off`` or ``stop`` for each seat."""
        return tuple(_meaning(state, seat) for seat in range(1, state.options.players + 1))

    def who_taps(self, state: State, card: str, pad: Pad) -> int | None:
        """A seat's pad is that player's alone, the defender's too (S3.1, S6.2); the discard pad that of the one on
        turn."""
        assert state.turn is not None
        return pad if isinstance(pad, int) else state.turn.seat

    def teams(self, state: State) -> tuple[tuple[int, ...], ...]:
        """Every player is a team of one seat (S2.1)."""
        return tuple((seat,) for seat in range(1, state.options.players + 1))

    def cards_of(self, state: State, seats: tuple[int, ...]) -> tuple[str, ...]:
        """The set cards a seat has laid, and what it is just laying."""
        laying = being_laid(state.laying) if state.turn and state.turn.seat in seats else ()
        return (*(card for seat in seats for card in state.player(seat).sets), *laying)

    def where(self, state: State, card: str) -> tuple[int, ...] | str | None:
        """Where a card lies."""
        place = locate(state, card)
        return (place,) if isinstance(place, int) else place

    def tally(self, state: State) -> tuple[Tallied, ...]:
        """No tally is kept."""
        del state
        return ()


def _accepted(state: State, card: str, pads: tuple[Pad, ...]) -> list[Pad]:
    # what a tap means depends on no time but that of the deadlines, none of which has passed
    readings = ((pad, read(state, CardTapped(0, card, pad))) for pad in pads)
    return [pad for pad, reading in readings if not isinstance(reading, Refused | Ignored | Fault)]


def _meaning(state: State, seat: int) -> str | None:
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
    return "stop" if may_end_turn(state, turn) else None
