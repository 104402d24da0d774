"""One suite that every game must pass, with the tiny one as the model of future games."""

from __future__ import annotations

import json
from importlib import resources
from itertools import product
from random import Random
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from taptable.core.controls import control_cards
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.core.observations import CardLost, CardRecovered, SeatVacated, TableCorrected
from taptable.core.settings import IntSetting
from taptable.core.verdicts import Fault, Refused
from taptable.games.registry import GAMES, package_of
from taptable.memory.deck import is_card
from taptable.referee.lines import observation_line, parse_recorded
from taptable.referee.step import open_table, step
from taptable.sim import simulation
from tiny.game import Tiny
from tiny.registered import TINY

from properties.every_game import can_be, every_game, manifests_of, players_of
from properties.gestures import THOROUGH, agreements, deck_of
from properties.interfering import interfere
from properties.lines import observations
from properties.true_reasons import CLAIMING_NOTHING, CLAIMS
from properties.wandering import Wandering, no_one

QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
WALKS = {"online": 12}
"""The number of walks for each game; the rules of the first are the most extensive."""


@given(st.data())
@settings(max_examples=5)
def test_a_game_without_house_rules_can_be_agreed_on(data: st.DataObject):
    class Plain(Tiny):
        settings = MappingProxyType[str, IntSetting]({})
        new_game = staticmethod(TINY.new_game)

    assert data.draw(agreements(Plain())).settings == {}


@every_game
def test_whatever_happens_a_game_keeps_what_every_game_must_keep(game: Game[Any]):
    machine = type("WanderingOf" + game.name.title(), (Wandering,), {"game": game})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=WALKS.get(game.name, 5) * THOROUGH,
            stateful_step_count=25,
            suppress_health_check=QUIET,
        ),
    )


@every_game
@given(data=st.data())
@settings(max_examples=12 * THOROUGH)
def test_every_observation_is_the_same_after_it_was_a_line(game: Game[Any], data: st.DataObject):
    table = open_table(game, data.draw(agreements(game)))[0]
    observation = data.draw(observations(table))
    line = json.loads(json.dumps(observation_line(observation)))
    assert parse_recorded(line, game.pads(table.state), game.controls) == observation


@every_game
@given(data=st.data(), seed=st.integers(0, 10**6))
@settings(max_examples=2 * THOROUGH, suppress_health_check=QUIET)
def test_the_referee_believes_what_is_true_whatever_players_do_between_their_moves(
    game: Game[Any], data: st.DataObject, seed: int
):
    """Cards move as people move them; wrong taps, take-backs and pauses in between must not separate belief and truth
    (`observe` raises if they differ)."""
    rng = Random(seed)
    played = simulation.new_simulation(game, data.draw(agreements(game)), rng)
    for _ in range(400):
        if game.outcome(played.table.state) is not None and rng.random() < 0.3:
            break
        simulation.advance(played, no_one) if rng.random() < 0.85 else interfere(played, rng)
        assert played.truth.layout() == game.layout(played.table.state)


@every_game
def test_virtual_players_bring_a_game_to_its_end(game: Game[Any]):
    for manifest in manifests_of(game.name):
        for players, (number, edition) in product(players_of(game.name, manifest), enumerate(game.editions)):
            game_options = GameOptions(players, edition, {}, 1 + number % players, manifest)
            if can_be(game, game_options):
                played = simulation.new_simulation(game, game_options, Random(number))
                assert simulation.play(played, no_one) is simulation.End.DECIDED


@every_game
def test_what_a_game_makes_nothing_of_is_refused_as_such(game: Game[Any]):
    table = open_table(game, GameOptions(players_of(game.name)[0], game.editions[0], {}, 1))[0]
    card = deck_of(game)[0]
    told = (SeatVacated(0, 1), CardLost(0, card), CardRecovered(0, card), TableCorrected(0, (), (), ()))
    for arrangement in told:
        verdict = step(table, arrangement)[1]
        unknown = isinstance(verdict, Refused) and verdict.code == "not-in-this-game"
        assert unknown == (type(arrangement) not in game.arrangements)


@every_game
def test_what_a_game_says_of_itself_holds_together(game: Game[Any]):
    pack = game.pack(game.sample)
    assert pack == game.pack("")
    assert pack.sample == bool(game.sample)
    assert all(is_card(card) for card in deck_of(game))
    assert set(game.milestones) <= {*game.announcements, *(figure.announcement for figure in game.figures)}
    assert {face for section in game.guide for face in section} <= {kind.face for kind in pack.kinds}
    assert all(key == setting.key for key, setting in game.settings.items())
    for advice in game.advice:
        game.new_game(GameOptions(advice.players, game.editions[0], advice.settings, None), 0, None)
    seats = range(1, players_of(game.name)[-1] + 1)
    controls = {control.name: control for control in game.controls}
    for name, fields in control_cards(game.controls).values():
        assert controls[name].find_error(dict(fields), seats) is None


@every_game
@pytest.mark.parametrize("file", ["faces.svg", *(f"catalogues/{language}.mo" for language in ("de", "en", "fr", "nl"))])
def test_its_folder_has_its_faces_and_words(game: Game[Any], file: str):
    assert resources.files(package_of(game.name)).joinpath(file).is_file()


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_code_of_a_refusal_has_a_claim_or_none(game: Game[Any]):
    codes = {code for code, _, kind in game.codes if kind is not Fault}
    assert codes == CLAIMS[game.name].keys() | CLAIMING_NOTHING[game.name]
    assert not CLAIMS[game.name].keys() & CLAIMING_NOTHING[game.name]
