"""X.net as a game of the table: the verbs that every game implements, most of them from the other modules of this
folder, and the action of each button. Must not decide about a move: `play` does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from taptable.core.announcements import GameBegan
from taptable.core.controls import Fields
from taptable.core.game import Game, Transition, accepted_taps
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD, ControlUsed, Pad, TableCorrected
from taptable.core.pack import Pack
from taptable.core.player import Zone
from taptable.games.xnet import controls, public
from taptable.games.xnet.actions import general_objection
from taptable.games.xnet.announcements import ANNOUNCEMENTS, FIGURES, MILESTONES
from taptable.games.xnet.cards import SAMPLE, read_manifest
from taptable.games.xnet.controls import CONTROLS, DEMAND_PAD, as_text, open_choice
from taptable.games.xnet.options import SETTINGS, make_options
from taptable.games.xnet.play import play
from taptable.games.xnet.policy import XnetPlayers
from taptable.games.xnet.rules import CODES
from taptable.games.xnet.state import Provider, State
from taptable.games.xnet.turns import Announcements, set_starter_and_deal


class Xnet(Game[State]):
    """X.net. It has no data of its own; every answer depends on the state alone. It has no deadlines, and each new game
    names its starter (X1.2)."""

    name = "xnet"
    rules_version = "xnet/1"
    sample = SAMPLE
    settings = SETTINGS
    controls = CONTROLS
    arrangements = frozenset({TableCorrected})
    announcements = ANNOUNCEMENTS
    codes = CODES
    figures = FIGURES
    milestones = MILESTONES
    guide = (
        ("art", "business", "cooking", "games", "health", "hobbies"),  # the aim: topics
        (),  # the beginning
        ("music", "nature", "news", "science", "sports", "travel"),  # the pyramid
        (),  # a turn
        (),  # servers and users
        (),  # actions by control
        (),  # changing the demand
        (),  # what can be bought
        (),  # the streamer, and back to the hand
        (),  # own cards, reshuffle
    )
    players = XnetPlayers(play)

    play = staticmethod(play)
    scoreboard = staticmethod(public.scoreboard)
    public_state = staticmethod(public.public_state)

    def pack(self, manifest: str) -> Pack:
        """Return the cards of a manifest, "" for the sample. Raises ConfigError with what is wrong in it."""
        return read_manifest(manifest).pack

    def pads(self, state: State) -> tuple[Pad, ...]:
        """Return every seat's pad, the discard pile's and the pyramid's (X5.4)."""
        return (*range(1, state.options.players + 1), DISCARD_PAD, DEMAND_PAD)

    def new_game(self, game_options: GameOptions, at_us: int, next_starter: int | None) -> Transition[State]:
        """Return a new game with everything as at the start (X1.1). The agreed starter begins, else the first press; an
        earlier game gives nobody the right to begin (X1.2)."""
        del at_us, next_starter
        options = make_options(game_options)
        providers = tuple(Provider() for _ in range(options.players))
        state = State(options, providers, len(options.topic_cards.cards) - sum(provider.hand for provider in providers))
        announcements: Announcements = [GameBegan(options.starter)]
        if options.starter is not None:
            set_starter_and_deal(state, options.starter, announcements)
        return state, announcements

    def legal_taps(self, state: State) -> list[tuple[str, Pad]]:
        """Ask `play` about open cards only for a choice (X5.2), and about hidden cards of a topic once: no number
        decides whether a card is accepted."""
        if state.outcome is not None or state.turn is None:
            return []
        open_cards = frozenset(_open_cards(state))
        if state.pending is not None and open_choice(state.pending) is not None:
            alike: Iterable[Iterable[str]] = ([card] for card in open_cards)
        else:
            hidden = (
                [card for card in cards if card not in open_cards]
                for cards in state.options.topic_cards.by_topic.values()
            )
            alike = filter(None, hidden)
        return accepted_taps(play, state, alike, self.pads(state))

    def legal_controls(self, state: State) -> list[tuple[str, Fields]]:
        """Return every control that would be accepted, with all its fields, in the order of their texts."""
        if general_objection(state) is not None:
            return []
        legal = [each for each in _candidate_controls(state) if isinstance(play(state, ControlUsed(0, *each)), tuple)]
        return sorted(legal, key=lambda each: as_text(*each))

    def button_actions(self, state: State) -> tuple[str | None, ...]:
        """Return ``youngest``, ``break-off`` or ``stop`` for each seat; None for no action (X5.6)."""
        return tuple([_button_action(state, seat) for seat in range(1, state.options.players + 1)])

    def who_taps(self, state: State, card: str, pad: Pad) -> int | None:
        """Return the seat of a seat's pad, and the player on turn for the pads in the middle (X2.1); None for those at
        the opening, which anybody may tap (X1.4)."""
        if state.opening and not isinstance(pad, int):
            return None
        return super().who_taps(state, card, pad)

    def cards_of(self, state: State, seats: tuple[int, ...]) -> tuple[str, ...]:
        """Return the cards before a player."""
        return tuple(state.provider(seats[0]).cards)

    def where(self, state: State, card: str) -> tuple[int, ...] | str | None:
        """Return where a card lies: before a seat, on the pile ``discard`` or in the pyramid ``demand``. A card tapped
        for an action is still in somebody's hand."""
        place = state.locate(card)
        if isinstance(place, int):
            return (place,)
        return None if place == "pending" else place

    def layout(self, state: State) -> tuple[Zone, ...]:
        """Return each player's servers and streamers, the pyramid, the cards tapped for an action, the discard pile."""
        laid = (
            zone
            for seat, provider in enumerate(state.providers, 1)
            for zone in public.provider_zones(seat, provider.offers, provider.servers, provider.streamers)
        )
        paid = state.pending.cards if state.pending else ()
        return (*laid, *public.middle_zones(state.demand, paid, state.discard))


def _button_action(state: State, seat: int) -> str | None:
    if state.outcome is not None:
        return None
    turn = state.turn
    if turn is None:
        return "youngest"
    if seat != turn.seat or state.opening or turn.owed:
        return None
    return "stop" if state.pending is None else "break-off"


def _candidate_controls(state: State) -> Iterator[tuple[str, Fields]]:
    """Yield all controls with fields that may make sense."""
    assert state.turn is not None
    demanded = [state.topic_of(demand.card) for demand in state.demand]
    own = [offer.topic for offer in state.provider(state.turn.seat).offers]
    yield from ((controls.DEMAND_NEW, (("level", level),)) for level in (1, 2, 3))
    yield from ((controls.DEMAND_REPLACE, (("topic", topic),)) for topic in demanded)
    yield from ((controls.SWAP, (("lower", lower), ("upper", upper))) for lower in demanded for upper in demanded)
    for control in (controls.TO_STREAMER, controls.HIRE_SPECIALIST, controls.TO_HAND):
        yield from ((control, (("topic", topic),)) for topic in own)
    yield from ((controls.BUY_USERS, (("users", users),)) for users in (1, 2))
    yield from ((control, ()) for control in (controls.BUY_SERVER, controls.BUY_STREAMER, controls.BUY_NET))


def _open_cards(state: State) -> Iterator[str]:
    """Yield every card that isn't hidden."""
    yield from state.discard
    yield from (demand.card for demand in state.demand)
    for provider in state.providers:
        yield from provider.cards
    if state.pending is not None:
        yield from state.pending.cards
