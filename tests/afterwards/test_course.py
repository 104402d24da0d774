"""The course of a game: its narration afterwards agrees with what happened."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cli.evenings import S, header_of, write_script
from taptable.core.announcements import GameEnded, type_name
from taptable.core.game_options import GameOptions
from taptable.core.notices import PlayersNamed
from taptable.core.observations import (
    ButtonPressed,
    CardHeld,
    CardsTogether,
    CardTapped,
    ControlUsed,
    Observation,
    Pad,
    SeatVacated,
    TimePassed,
)
from taptable.games.registry import GAMES
from taptable.history.course import Course, ScoresAtTime
from taptable.history.tally import Buzz
from taptable.referee.session import Decision
from taptable.referee.step import open_table, step

from afterwards.recorded_games import FOUR, course_in, play_a_game, play_any_game

TWO = GameOptions(2, "de", {"settle_s": "0"}, 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


def standing_at(course: Course, played_us: int) -> ScoresAtTime:
    """Return the last standing at a time."""
    return course.standings[bisect_right([each.played_us for each in course.standings], played_us) - 1]


def figures(course: Course, key: str) -> dict[int, int]:
    return {seat: count for (name, seat), count in course.tally.counts.items() if name == key and count}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(
    "game_options", [FOUR, GameOptions(2, "fr", {"time_limit_s": "600"}, 2), GameOptions(6, "en", {}, None)]
)
def test_scores_and_figures_are_those_of_the_cards_in_the_players_hands(
    path: Path, game_options: GameOptions, seed: int
) -> None:
    truth = play_a_game(path, game_options, seed)
    course = course_in(path)
    last: dict[int, tuple[int, ...]] = dict(truth.scores)
    assert {at_us: standing_at(course, at_us).scores for at_us in last} == last
    assert figures(course, "downloads") == dict(truth.downloads)
    assert figures(course, "hackers-stopped") == dict(truth.stopped)
    assert figures(course, "turns") == {seat: truth.turns.count(seat) for seat in set(truth.turns)}
    assert {seat: buzz.after_us for seat, buzz in course.tally.fastest.items()} == truth.fastest_us
    assert sum(course.tally.on_turn_us.values()) <= course.played_us


@pytest.mark.parametrize("name", GAMES)
def test_in_every_game_turns_scores_and_the_end_are_told(path: Path, name: str) -> None:
    game = GAMES[name]
    evening = play_any_game(path, game, GameOptions(3, game.editions[0], {}, None))
    course = course_in(path)
    board = game.scoreboard(evening.table.state)
    assert sum(figures(course, "turns").values()) == evening.turns
    assert standing_at(course, course.played_us).scores == tuple(team.score for team in board.teams)
    assert isinstance(course.tally.milestones[-1].announcement, GameEnded)
    assert any(figures(course, figure.key) for figure in game.figures)
    for team in board.teams:
        gained = [gain for (_, seat), gain in course.tally.gains.items() if seat in team.seats]
        assert sum(gained) + course.standings[0].scores[board.teams.index(team)] == team.score
        assert max(course.tally.best_turn(seat) or 0 for seat in team.seats) == max([0, *gained])


def test_each_step_has_the_table_after_it_and_each_standing_is_another(path: Path) -> None:
    play_a_game(path)
    course = course_in(path)
    for seen in course.steps:
        board = seen.table.game.scoreboard(seen.table.state)
        scores = tuple(team.score for team in board.teams)
        then = [each.scores for each in course.standings if each.played_us == seen.played_us]
        assert scores in [*then, standing_at(course, seen.played_us).scores]
        assert seen.narrate()
    assert all(
        (one.scores, one.places) != (next_one.scores, next_one.places)
        for one, next_one in zip(course.standings, course.standings[1:], strict=False)
    )
    assert course.steps[-1].table.state == course.table.state


def test_at_the_end_the_places_are_those_of_the_game(path: Path) -> None:
    play_a_game(path)
    course = course_in(path)
    assert course.board.over
    assert course.standings[-1].places == tuple(team.place for team in course.board.teams)


def test_a_pause_takes_no_time_of_the_game(path: Path) -> None:
    write_script(
        path,
        TWO,
        [
            CardTapped(3 * S, "online#1", 1),
            ControlUsed(5 * S, "pause"),
            TimePassed(60 * S),
            ControlUsed(100 * S, "resume"),
            CardTapped(101 * S, "email#1", 1),
            ButtonPressed(103 * S, 1, 103 * S),
            ControlUsed(105 * S, "pause"),
            TimePassed(200 * S),
        ],
    )
    course = course_in(path)
    assert [each.played_us for each in course.standings] == [0, 6 * S]
    assert course.played_us == 10 * S
    assert course.tally.on_turn_us == {1: 8 * S, 2: 2 * S}
    assert course.tally.mean_turn_us(1) == 8 * S


def test_what_was_taken_back_counts_for_nobody_but_is_seen(path: Path) -> None:
    write_script(
        path,
        TWO,
        [
            CardTapped(1 * S, "online#1", 1),
            CardTapped(2 * S, "email#1", 1),
            ControlUsed(3 * S, "take-back"),
            CardTapped(4 * S, "email#2", 1),
        ],
    )
    course = course_in(path)
    assert [each.scores for each in course.standings] == [(0, 0), (25, 0), (0, 0), (25, 0)]
    assert figures(course, "downloads") == {1: 1}
    assert figures(course, "access-cards") == {1: 1}
    assert (course.tally.best_turn(1), course.tally.best_turn(2)) == (25, None)


def test_a_first_move_that_was_taken_back_leaves_nothing(path: Path) -> None:
    write_script(path, TWO, [CardTapped(1 * S, "online#1", 1), ControlUsed(3 * S, "take-back")])
    course = course_in(path)
    assert figures(course, "access-cards") == {}
    assert figures(course, "turns") == {1: 1}


def test_a_card_that_was_parted_from_another_was_not_played(path: Path) -> None:
    write_script(
        path,
        TWO,
        [
            CardTapped(1 * S, "online#1", 1),
            CardsTogether(1 * S + 100_000, ("online#1", "email#1"), 1, 1 * S),
        ],
    )
    course = course_in(path)
    assert figures(course, "access-cards") == {}
    assert figures(course, "refusals") == {}


FIRST_EMAIL_WINS = GameOptions(
    2, "de", {"settle_s": "0", "quota_email": "1", "quota_music": "0", "quota_game": "0", "quota_movie": "0"}, 1
)
WON = (CardTapped(1 * S, "online#1", 1), CardTapped(2 * S, "email#1", 1))


def test_an_end_that_was_taken_back_is_no_milestone(path: Path) -> None:
    write_script(path, FIRST_EMAIL_WINS, [*WON, ControlUsed(3 * S, "take-back")])
    course = course_in(path)
    assert course.tally.milestones == []
    assert not course.board.over


def test_the_steps_and_the_time_end_with_the_game(path: Path) -> None:
    write_script(path, FIRST_EMAIL_WINS, [*WON, CardTapped(5 * S, "virus#1", 1), ControlUsed(6 * S, "pause")])
    course = course_in(path)
    assert [step.played_us for step in course.steps] == [0, 1 * S, 2 * S]
    assert course.played_us == 2 * S
    assert course.tally.milestones[-1].step == 2


def test_after_an_end_that_was_taken_back_the_steps_go_on(path: Path) -> None:
    refused, again = CardTapped(5 * S, "virus#1", 1), CardTapped(7 * S, "email#2", 1)
    write_script(path, FIRST_EMAIL_WINS, [*WON, refused, ControlUsed(6 * S, "take-back"), again])
    course = course_in(path)
    assert [step.played_us for step in course.steps] == [0, 1 * S, 2 * S, 5 * S, 6 * S, 7 * S]
    assert course.played_us == 7 * S
    assert [course.steps[each.step].decision.observation for each in course.tally.milestones] == [again]


def test_a_refusal_is_the_pressers_or_of_whose_turn_it_is_and_nobodys_in_a_pause(path: Path) -> None:
    write_script(
        path,
        TWO,
        [
            CardTapped(1 * S, "email#1", 1),  # the line isn't open
            CardTapped(2 * S, "virus#1", 2),  # nothing to attack
            CardTapped(3 * S, "email#2", 2),  # not that seat's turn
            CardHeld(5 * S, "email#2", 2),  # left lying
            ButtonPressed(6 * S, 1, 6 * S),
            ControlUsed(7 * S, "pause"),
            CardTapped(8 * S, "email#1", 1),
            ControlUsed(9 * S, "resume"),
            CardTapped(10 * S, "email#1", 2),
        ],
    )
    course = course_in(path)
    assert figures(course, "refusals") == {1: 3, 2: 1}


def test_the_fastest_press_is_by_when_it_was_pressed_and_the_opening(path: Path) -> None:
    write_script(
        path,
        GameOptions(3, "de", {"settle_s": "1"}, 1),
        [
            CardTapped(10 * S, "hacker#1", 1),
            ButtonPressed(12 * S, 2, 12 * S, 100),
            ButtonPressed(12 * S + 300_000, 3, 11 * S + 900_000, 2_500),
        ],
    )
    assert course_in(path).tally.fastest == {2: Buzz(2 * S, 100), 3: Buzz(1_900_000, 2_500)}


def test_a_card_at_a_reader_without_stamps_stops_a_hacker_and_is_no_fastest_press(path: Path) -> None:
    write_script(
        path,
        GameOptions(3, "de", {"settle_s": "1"}, 1),
        [
            CardTapped(10 * S, "hacker#1", 1),
            ButtonPressed(12 * S, 3, 12 * S),
            CardTapped(12 * S + 250_000, "cyber-patrol#1", 2, 500_000),
            TimePassed(13 * S),
        ],
    )
    course = course_in(path)
    assert figures(course, "hackers-stopped") == {2: 1}  # by the order of seats: it ties with the press
    assert course.tally.fastest == {3: Buzz(2 * S, 0)}


def test_what_had_come_of_a_move_that_was_taken_back_counts_for_nobody(path: Path) -> None:
    write_script(
        path,
        GameOptions(3, "de", {}, 1),
        [
            CardTapped(10 * S, "hacker#1", 1),
            ButtonPressed(12 * S, 2, 12 * S),
            ControlUsed(13 * S, "take-back"),  # seat 2 has been named meanwhile
        ],
    )
    course = course_in(path)
    assert "claim-given" in {type_name(type(each)) for each in course.steps[-1].decision.verdict.announcements}
    assert figures(course, "claims") == {}
    assert course.tally.fastest == {}


def test_a_card_that_is_left_lying_is_refused_once(path: Path) -> None:
    write_script(
        path,
        GameOptions(3, "de", {}, 1),
        [
            CardTapped(10 * S, "hacker#1", 1),
            CardTapped(11 * S, "email#1", 2),
            CardHeld(12 * S + 500_000, "email#1", 2),
        ],
    )
    assert figures(course_in(path), "refusals") == {1: 1}


def refusals(name: str, game_options: GameOptions, *script: Callable[[int], Observation]) -> dict[int, int]:
    """Return the number of refusals per seat, for a script with one second between its steps."""
    table, begun = open_table(GAMES[name], game_options)
    course = Course.begin(header_of(table), table, begun)
    for at_s, done in enumerate(script, 1):
        observation = done(at_s * S)
        table, verdict = step(table, observation)
        course.add_event(Decision(observation, verdict, table))
    return figures(course, "refusals")


def tap(card: str, pad: Pad) -> Callable[[int], Observation]:
    return lambda at_us: CardTapped(at_us, card, pad)


def press(seat: int) -> Callable[[int], Observation]:
    return lambda at_us: ButtonPressed(at_us, seat, at_us)


def leave(seat: int) -> Callable[[int], Observation]:
    return lambda at_us: SeatVacated(at_us, seat)


def end(at_us: int) -> Observation:
    return ControlUsed(at_us, "end-game")


ONLINE_3, ONLINE_4 = GameOptions(3, "de", {}, 1), GameOptions(4, "de", {}, 1)


@pytest.mark.parametrize(
    ("script", "counted"),
    [
        pytest.param((tap("online#1", 2),), {1: 1}, id="on the wrong pad"),
        pytest.param((tap("hacker#1", 1), tap("virus#1", 2)), {1: 1}, id="an attack in the hacker's own window"),
        pytest.param((tap("hacker#1", 1), tap("cyber-patrol#1", 1)), {1: 1}, id="a patrol by the hacker"),
        pytest.param((tap("hacker#1", 1), tap("cyber-patrol#1", "discard")), {1: 1}, id="a patrol on no seat's pad"),
        pytest.param((tap("cyber-patrol#1", 3),), {1: 1}, id="a patrol without a window"),
    ],
)
def test_what_is_refused_on_turn_counts_for_who_is_on_turn(
    script: tuple[Callable[[int], Observation], ...], counted: dict[int, int]
) -> None:
    assert refusals("online", ONLINE_3, *script) == counted


def test_a_patrol_that_is_refused_in_the_window_counts_for_who_tapped_it() -> None:
    locked_out = (tap("hacker#1", 1), press(2), *[TimePassed] * 11)  # seat 2 had 10 seconds to show it
    game_options = replace(ONLINE_3, settings={"patrol_window_s": "30"})
    assert refusals("online", game_options, *locked_out, tap("cyber-patrol#1", 2)) == {2: 1}
    opponents = replace(ONLINE_4, settings={"who_may_patrol": "opponents"})
    assert refusals("online", opponents, tap("hacker#1", 1), tap("cyber-patrol#1", 3)) == {3: 1}


def test_a_reaction_that_is_refused_counts_for_who_was_attacked() -> None:
    attack = (tap("online#1", 1), press(1), tap("online#2", 2), tap("virus#1", 1))
    assert refusals("online", ONLINE_4, *attack, tap("password-ok#1", 1)) == {1: 1}
    assert refusals("online", ONLINE_4, *attack, tap("password-ok#1", 3)) == {3: 1}
    assert refusals("online", ONLINE_4, *attack, tap("email#1", 1)) == {2: 1}
    assert refusals("online", ONLINE_4, *attack, tap("online#2", 1)) == {2: 1}  # it lies before seat 2
    assert refusals("online", ONLINE_4, *attack, leave(1), tap("password-ok#1", 1)) == {3: 1}


def test_where_every_pad_is_one_players_alone_a_refusal_is_that_players() -> None:
    siege = GameOptions(3, "standard", {"launch_s": "30", "defence_s": "30"}, 1)
    launched = (tap("1.1#1", "discard"), press(1))
    assert refusals("cyber-siege", siege, tap("1.1#1", 2)) == {2: 1}
    assert refusals("cyber-siege", siege, tap("set-1#1", "discard")) == {1: 1}
    assert refusals("cyber-siege", siege, *launched, tap("2.3#1", 2), tap("2.3#1", "discard")) == {1: 1, 2: 1}
    xnet = GameOptions(3, "standard", {}, 1)
    opened = (tap("art-1#1", "demand"), tap("music-5#1", "demand"), tap("news-9#1", "demand"))
    assert refusals("xnet", xnet, *opened, tap("art-2#1", 2), tap("sports-1#1", "discard")) == {1: 1, 2: 1}


def test_what_anybody_may_do_is_refused_to_nobody() -> None:
    same = (tap("art-1#1", "demand"), tap("art-2#1", "demand"))
    assert refusals("xnet", GameOptions(3, "standard", {}, 1), *same, tap("art-3#1", 3)) == {3: 1}


@pytest.mark.parametrize("name", GAMES)
def test_before_the_start_and_after_the_end_nobody_is_refused_anything(name: str) -> None:
    game = GAMES[name]
    card = f"{game.pack('').kinds[0].id}#1"
    unbegun = GameOptions(3, game.editions[0], {}, None)
    assert refusals(name, unbegun, tap(card, 2)) == {}
    assert refusals(name, replace(unbegun, starter=1), end, tap(card, 2), tap(card, "discard")) == {}


def test_at_the_end_the_games_own_places_hold(path: Path) -> None:
    write_script(
        path,
        GameOptions(2, "fr", {"time_limit_s": "60"}, 1),
        [
            *(CardTapped(at * S, card, 1) for at, card in enumerate(("online#1", "extra-memory#1", "movie#1"), 1)),
            ButtonPressed(4 * S, 1, 4 * S),
            *(CardTapped(at * S, card, 2) for at, card in enumerate(("turbo-line#1", "email#1", "email#2"), 5)),
            TimePassed(61 * S),
            ButtonPressed(62 * S, 2, 62 * S),
        ],
    )
    course = course_in(path)
    assert course.board.over
    assert [(each.scores, each.places) for each in course.standings[-2:]] == [
        ((200, 50), (1, 2)),
        ((200, 50), (2, 1)),  # cards decide here, not megabytes
    ]


def test_players_are_called_what_they_were_called_last(path: Path) -> None:
    write_script(path, TWO, [PlayersNamed(1 * S, ("Ada", "Bo")), PlayersNamed(2 * S, ("Ada", "Cy"))])
    assert course_in(path).names == ("Ada", "Cy")


def test_a_new_game_is_no_step_of_the_old_one(path: Path) -> None:
    write_script(path, TWO, [CardTapped(1 * S, "online#1", 1), ControlUsed(2 * S, "new-game")])
    assert [step.played_us for step in course_in(path).steps] == [0, 1 * S]
