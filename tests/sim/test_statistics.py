"""Statistics of many games."""

from __future__ import annotations

from dataclasses import replace

import pytest
from taptable.core.announcements import SHARED_ANNOUNCEMENTS, TurnAnnounced, WindowOpened, type_name
from taptable.core.game_options import GameOptions
from taptable.games.registry import GAMES
from taptable.sim.simulation import play_one, seed_of
from taptable.sim.statistics import GameFigures, proportion, spread, summarise


def game(winners: tuple[int, ...] = (0,), **changed: object) -> GameFigures:
    """A game of two teams, decided by quotas unless told otherwise."""
    figures = GameFigures(
        seed=1, starter=1, teams=((1, 3), (2, 4)), order=(0, 1), turns=20, table_us=600_000_000, by="quotas",
        winners=winners, scores=(900, 300), announcement_counts={"claim-given": 2},
        fates={"stopped": 1, "unheard": 3}, ties=0,
    )  # fmt: skip
    return replace(figures, **changed)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (500, 1000, 0.4691, 0.5309)],
)
def test_a_share_has_the_interval_of_wilson(count, of, low, high):
    part = proportion(count, of)
    assert (part.share, part.low, part.high) == pytest.approx((count / of, low, high), abs=1e-4)


def test_a_share_of_nothing_may_be_anything():
    assert (proportion(0, 0).low, proportion(0, 0).high) == (0.0, 1.0)


def test_the_median_and_the_outer_tenths_are_values_that_occurred():
    values = spread(range(1, 11))
    assert (values.median, values.low, values.high) == (5, 1, 9)
    assert spread([7]) == replace(values, median=7, low=7, high=7)


def test_a_shared_first_place_is_a_part_of_a_win_for_each():
    summary = summarise([game(), game((0, 1))], "MB")
    assert [team.wins.share for team in summary.teams] == [0.75, 0.25]
    assert summary.shared_wins == 1


def test_wins_are_counted_by_who_was_on_turn_first():
    summary = summarise([game((1,), order=(1, 0)), game((0,)), game((1,))], "MB")
    assert [part.count for part in summary.wins_by_order] == [2, 1]


def test_a_game_that_was_broken_off_has_no_winner_and_is_told():
    summary = summarise([game(), game((), by="broken-off")], "MB")
    assert {way: part.share for way, part in summary.by.items()} == {"quotas": 0.5, "broken-off": 0.5}
    assert summary.teams[0].wins.of == 1


def test_the_fates_of_windows_add_up_to_all_of_them():
    summary = summarise([game(), game(fates={"stopped-after-alarm": 1, "alarm": 1})], "MB")
    assert summary.windows == 6 == sum(part.count for part in summary.fates.values())
    assert summary.stopped.share == pytest.approx(2 / 6)


@pytest.mark.parametrize("name", GAMES)
def test_what_a_simulated_game_says_and_what_is_counted_agree(name):
    game = GAMES[name]
    figures = play_one(name, GameOptions(4, game.editions[0], {}, None), 5)
    said = (*SHARED_ANNOUNCEMENTS, *game.announcements)
    turns = {type_name(kind) for kind in said if issubclass(kind, TurnAnnounced)}
    unanswered = {type_name(kind) for kind in said if kind.unanswered}
    opened = {type_name(kind) for kind in said if issubclass(kind, WindowOpened)}
    assert sum(figures.announcement_counts.get(kind, 0) for kind in turns) == figures.turns
    assert sum(figures.announcement_counts.get(kind, 0) for kind in opened) == sum(figures.fates.values())
    assert sum(figures.announcement_counts.get(kind, 0) for kind in unanswered) == sum(
        figures.fates.get(fate, 0) for fate in ("alarm", "unheard")
    )


def test_the_seats_begin_in_turn_and_any_game_can_be_played_again_alone():
    seeds = [seed_of(77, number, 5) for number in range(10)]
    assert seeds[0] == 77
    assert len(set(seeds)) == 10
    assert [seed % 5 for seed in seeds] == [(77 + number) % 5 for number in range(10)]
    assert seed_of(seeds[3], 0, 5) == seeds[3]


def test_two_series_have_no_game_in_common():
    one, other = ({seed_of(series, number, 4) for number in range(200)} for series in (1, 2))
    assert not one & other
