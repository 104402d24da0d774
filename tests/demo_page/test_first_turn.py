"""The first turn of a person at the demo, in every game: there is something to play in the hand, and one sentence says
what can be done, also where nothing fits. Pure: nobody waits for a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from page_server.test_controls import words_of
from taptable.core.game_options import GameOptions
from taptable.core.observations import ButtonPressed, CardTapped, ControlUsed, Observation
from taptable.core.player import Tap
from taptable.games.registry import GAMES, find_game
from taptable.referee.session import Session, open_session
from taptable.referee.step import Table, open_table, step
from taptable.sim.first_deal import first_deal
from taptable.sim.page.hand_view import HandViews
from taptable.sim.page.person import Person
from taptable.words import LANGUAGES

LONGEST = 115
"""Letters for which the prompt has room on a phone: two lines, three where names are long."""


@dataclass
class Seated:
    """A person at seat 1 of a table, on turn; in place of everybody at a simulated one."""

    session: Session
    truth: Any
    table: Any

    def is_seat_in_game(self, seat: int) -> bool:
        return seat <= self.session.table.game_options.players

    def reachable(self, seat: int) -> Any:
        return self._ask("reachable", seat)

    def fair(self, seat: int) -> Any:
        table = self.session.table
        return self._ask("fair", seat, table.game.legal_taps(table.state))

    def fitting(self, seat: int, fair: Any) -> Any:
        return self._ask("fitting", seat, fair)

    def may_draw(self, seat: int) -> bool:
        return self._ask("draw", seat) is not None

    def must_first(self, seat: int) -> str | None:
        return self._ask("must_first", seat)

    def does(self, observation: Observation) -> Seated:
        """Make an observation, which the table must accept, and move the cards."""
        before = self.session.table
        table, verdict = step(before, observation)
        assert table is not before, verdict
        settled = _players(table).settle(before.state, table.state, observation, True, self.truth, Random(0))
        truth = _players(table).prepare(table.state, settled)
        players = table.game_options.players
        return replace(self, session=open_session(table, players, 0, table.at_us), truth=truth)

    def holding(self, *cards: str) -> Seated:
        """These are the hand, and what was in it is wherever they were."""
        truth = replace(self.truth, hands=(cards, *self.truth.hands[1:]))
        return replace(self, truth=truth)

    def hand(self) -> dict[str, Any]:
        """The page's hand, in English."""
        return self.handful().to_json(words_of(self.session.table.game.name))

    def hint(self, language: str) -> str:
        return self.handful().hint(words_of(self.session.table.game.name, language))

    def handful(self) -> Any:
        person = Person(1, self, lambda: self.session, lambda _: None)  # type: ignore[arg-type]
        return HandViews(self, lambda: self.session).view_of(person)  # type: ignore[arg-type]

    def _ask(self, verb: str, seat: int, *more: object) -> Any:
        state = self.session.table.state
        return getattr(_players(self.session.table), verb)(state, self.truth, seat, *more)


def _players(table: Table) -> Any:
    return table.game.players


def new_table(game: str, players: int, starter: int | None = None) -> Table:
    return open_table(find_game(game), GameOptions(players, find_game(game).editions[0], {}, starter))[0]


def a_first_turn(game: str, players: int = 3, seed: int = 1) -> Seated:
    """Seat 1 has begun, with the hand it was dealt as a person's."""
    table = new_table(game, players)
    truth = first_deal(table, [1], Random(f"people {seed}"))
    fields = {**dict.fromkeys(table.game.pads(table.state))}
    seated = Seated(open_session(table, players, 0, 0), truth, SimpleNamespace(fields=fields))
    seated = seated.does(ButtonPressed(0, 1, 0))
    while True:
        wish = _players(table).decide(seated.session.table.state, seated.truth, 1)
        if not isinstance(wish, Tap) or wish.card in seated.truth.hand(1):
            return seated
        seated = seated.does(CardTapped(0, wish.card, wish.pad))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", GAMES)
def test_the_first_hand_of_a_person_has_something_that_counts_on_the_own_pad(game: str, seed: int) -> None:
    """In a game that takes no card there, on any pad."""
    seated = a_first_turn(game, seed=seed)
    told = seated.hand()
    held = seated.truth.hand(1)
    table = seated.session.table
    taken_at = {pad for _, pad in table.game.legal_taps(table.state)}
    pads = {1} & taken_at or taken_at
    assert any(card in held and [card, pad] in told["fair"] for card in told["raised"] for pad in pads)
    assert pads & set(told["lit"])


@pytest.mark.parametrize("game", GAMES)
def test_the_deal_is_the_seeds_and_all_cards_are_there(game: str) -> None:
    table = new_table(game, 3)
    one, same, other = (first_deal(table, [1], Random(seed)) for seed in (1, 1, 2))
    assert one == same
    assert one != other
    assert table.game.players.disagreement(table.state, one) is None
    assert one.youngest == 1


@pytest.mark.parametrize("game", GAMES)
def test_where_nobody_sits_it_is_the_first_deal(game: str) -> None:
    table = new_table(game, 3)
    players = table.game.players
    assert first_deal(table, [], Random(1)) == players.prepare(table.state, players.deal(table.state, Random(1)))


def test_where_another_was_agreed_to_begin_the_hand_is_good_all_the_same() -> None:
    assert first_deal(new_table("cyber-siege", 3, starter=2), [1, 2], Random(1)) is not None


def test_online_in_one_sentence() -> None:
    seated = a_first_turn("online").holding("online#1", "email#1", "virus#1")
    told = seated.hand()
    assert told["hint"] == "Tap Online on your pad, or any card on the discard pad; the button ends the turn."
    assert (told["raised"], told["lit"]) == (["online#1"], [1, "discard"])
    many = seated.holding("online#1", "turbo-line#1", "extra-memory#1", "email#1").hand()
    assert many["hint"].startswith("Tap a card with a yellow rim on your pad, or any card on the discard pad")


def test_online_where_nothing_fits() -> None:
    seated = a_first_turn("online").holding("email#1", "virus#1", "movie#1")
    told = seated.hand()
    assert told["hint"] == (
        "No card of yours fits: draw the 8th, or discard cards to exchange them; the button ends the turn."
    )
    assert (set(told["raised"]), told["lit"]) == ({"email#1", "virus#1", "movie#1"}, ["discard"])
    drawn = replace(seated, truth=replace(seated.truth, drew_eighth=True))
    assert drawn.hand()["hint"].startswith("No card of yours fits: you may still discard;")


def test_cyber_siege_a_set_card_fits_only_with_its_whole_set() -> None:
    seated = a_first_turn("cyber-siege")
    whole = seated.holding("set-1#1", "set-2#1", "1.1#1", "1.2#1", "1.3#1", "1.4#1").hand()
    assert whole["raised"] == ["set-1#1"]
    assert whole["hint"] == "Tap Set card 1 on your pad, or any red card on the discard pad."
    lacking = seated.holding("set-1#1", "1.1#1", "2.1#1").hand()
    assert ["set-1#1", 1] in lacking["fair"]
    assert lacking["raised"] == ["1.1#1", "2.1#1"]
    assert lacking["hint"] == "No set of yours is complete: draw a red card, then discard one."


def test_cyber_siege_what_is_still_missing_is_named() -> None:
    seated = a_first_turn("cyber-siege").holding("set-1#1", "1.1#1", "1.2#1", "1.3#1", "1.4#1")
    laying = seated.does(CardTapped(1, "set-1#1", 1)).holding("1.1#1", "2.1#1")
    assert laying.hand()["hint"] == "Tap Attack 1.1 on your pad; the button takes everything back."


def test_xnet_actions_are_offered_too_with_their_costs() -> None:
    seated = a_first_turn("xnet")
    assert "on your pad, or begin an action; the button ends the turn." in seated.hand()["hint"]
    demanded = {each.card.partition("-")[0] for each in seated.truth.demand}
    held = [card for card in seated.truth.hand(1) if card.partition("-")[0] not in demanded]
    none = seated.holding(*held).hand()
    assert none["hint"] == ("No card of yours fits: begin an action by its control card; the button ends the turn.")
    paying = seated.does(ControlUsed(1, "buy-server")).hand()
    assert paying["hint"] == "Tap any card on the discard pad; the button breaks the action off."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_first_sentence_is_whole_and_short_in_every_language(game: str, language: str) -> None:
    for seed in range(3):
        said = a_first_turn(game, seed=seed).hint(language)
        assert said[0].isupper()
        assert said.endswith(".")
        assert "{" not in said
        assert len(said) <= LONGEST


def test_to_who_is_not_on_turn_nothing_is_proposed() -> None:
    seated = a_first_turn("online").does(ButtonPressed(1, 1, 1)).hand()
    assert (seated["hint"], seated["raised"], seated["lit"]) == (
        "No card of yours counts now. Wait for your turn.", [], [],
    )  # fmt: skip
