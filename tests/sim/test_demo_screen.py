"""The demo's screen as a pure function: every view at every size and in every language, nothing too wide and nothing
missing."""

from __future__ import annotations

from itertools import product

import pytest
from demo_views import ACTIONS, HAND, SOLO, own, seat_view, view, view_of, views, views_of_others
from prompt_toolkit.utils import get_cwidth
from tapshared.lights import PATTERNS
from taptable.core.player import Heap
from taptable.edges.cues.outputs import TUNES
from taptable.games.online.game import Online
from taptable.games.online.ground_truth import DRAW_PILE
from taptable.games.online.public import DISCARD_PILE
from taptable.narration.lamps import PATTERNS as LAMP_PATTERNS
from taptable.sim.demo.helping import KEYS, help_lines
from taptable.sim.demo.layout import LEAST, screen
from taptable.sim.demo.lines import bar, fit, flowing, framed, line, text_of, wrapped
from taptable.sim.demo.views import View, WindowView
from taptable.sim.scenes import look_of, moments_of
from taptable.words import LANGUAGES, Words

SIZES = [(80, 24), (80, 50), (100, 30), (116, 36), (120, 40), (150, 30), (200, 60)]
WORDS = {language: look_of("online", language).words for language in LANGUAGES}
EN = WORDS["en"]
LAMPS = [lamp for lamp, pattern in LAMP_PATTERNS.items() if not pattern.passing]
"""Those that last."""
OF_OTHERS = ("help-extra-pad", "help-menu")
"""Keys for which this game has no use."""
SIGN_OF_SEAT_1 = slice(68, 69)
"""Where a ring's sign stands in the line of a seat on the smallest screen."""


def text(shown: View, columns: int = 120, rows: int = 40, words: Words | None = None) -> str:
    words = words or look_of(shown.show.game, "en").words
    return "\n".join(text_of(each) for each in screen(shown, columns, rows, words))


def sign_of(shown: View) -> str:
    return text(shown, *LEAST).split("\n")[1][SIGN_OF_SEAT_1]


@pytest.mark.parametrize(("name", "language"), list(product(views(), LANGUAGES)))
def test_every_screen_fills_its_terminal_exactly(name: str, language: str):
    for columns, rows in SIZES:
        lines = screen(views()[name], columns, rows, WORDS[language])
        assert len(lines) == rows, (columns, rows)
        assert {get_cwidth(text_of(each)) for each in lines} == {columns}, (columns, rows)


@pytest.mark.parametrize(("name", "language"), list(product(views_of_others(), ("de", "fr"))))
def test_every_screen_of_another_game_fills_its_terminal_exactly(name: str, language: str):
    shown = views_of_others()[name]
    for columns, rows in SIZES:
        lines = screen(shown, columns, rows, look_of(shown.show.game, language).words)
        assert len(lines) == rows, (columns, rows)
        assert {get_cwidth(text_of(each)) for each in lines} == {columns}, (columns, rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_on_a_screen_is_a_key_without_words(language: str):
    words = WORDS[language]
    keys = [f"ring-{pattern}" for pattern in PATTERNS] + [f"lamp-{lamp}" for lamp in LAMPS]
    keys += (
        [f"sound-{sound}" for sound in TUNES]
        + [what for _, what in KEYS if what not in OF_OTHERS]
        + ["again-n", "again-q"]
    )
    for meaning in ("stop", "buzz", "youngest", "waive-hack", "waive-search", "grant", "resume", "check"):
        keys += [f"button-{meaning}"] + ([f"now-{meaning}"] if meaning != "stop" else [])
    keys += [f"now-{now}" for now in ("doing", "over", "pad", "claim", "window", "wait", "turn", "reshuffle")]
    keys += [f"line-{state}" for state in ("offline", "up", "blocked", "cleared")]
    keys += [f"place-{place}" for place in ("hand", "connection", "memory", DRAW_PILE, DISCARD_PILE)]
    assert [key for key in keys if words.message("demo", key) is None] == []
    assert {"connection", "memory"} <= {"connection", "memory", *(kind for kind, _ in Online().pack("").counts)}


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_whose_turn_it_is_and_what_every_seat_shows_is_seen_at_any_size(columns: int, rows: int):
    shown = text(view(6), columns, rows)
    assert shown.count("▶") == 1
    assert shown.count("○") >= 5
    assert shown.count("●") == 1
    assert all(f" {seat} " in shown or f"▶{seat} " in shown for seat in range(1, 7))


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_rows_piles_and_the_display_are_seen_at_any_size(columns: int, rows: int):
    shown = text(view(4, SOLO), columns, rows)
    assert "Draw pile: 63" in shown
    assert "Discard: Under" in shown
    assert shown.count("online ×2") == 4
    assert shown.count("⣿" * 64) >= 16 or shown.count("█" * 128) >= 32


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_window_is_counted_down_at_any_size(columns: int, rows: int):
    shown = text(views()["window"], columns, rows)
    assert "Hacker! Seat 2" in shown
    assert "3.4 s" in shown
    assert "█░" in shown


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_persons_cards_stand_numbered_at_any_size(columns: int, rows: int):
    shown = text(views()["a person"], columns, rows)
    for number, card in enumerate(HAND, 1):
        assert f"{number} {EN.kind(card)}" in shown
    assert "[2 Under Construction]" in shown
    assert "Hand (1/2):" in shown
    assert "You are seat 2." in shown
    assert "? help" in shown
    assert "q quit" in shown


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_refusal_is_read_once_and_whole(columns: int, rows: int):
    shown = text(views()["a person was refused"], columns, rows)
    assert shown.count("Refused (R4.1)") == 1
    assert "Your turn" in shown


def test_a_ring_has_a_shape_for_each_state_and_a_word():
    rings = {pattern: view(2, seats=(seat_view(1, ring=pattern), seat_view(2, ring=None))) for pattern in PATTERNS}
    signs = {pattern: sign_of(shown) for pattern, shown in rings.items() if not PATTERNS[pattern].runs}
    assert len(set(signs.values())) == len(signs)
    assert all(EN.text("demo", f"ring-{pattern}") in text(shown) for pattern, shown in rings.items())


def test_a_ring_that_runs_empties_and_a_hold_fills():
    def sign(pattern: str, left: float) -> str:
        seats = (seat_view(1, ring=pattern, ring_left=left), seat_view(2))
        return sign_of(view(2, seats=seats))

    assert [sign("window", left) for left in (1.0, 0.75, 0.5, 0.25, 0.0)] == list("●◕◑◔○")
    assert [sign("holding", left) for left in (1.0, 0.75, 0.5, 0.25, 0.0)] == list("○◔◑◕●")


def test_the_prompt_says_what_the_person_is_waited_for():
    def prompt(meaning: str | None = None, **changed: object) -> str:
        return text(view(own=own(1), seats=(seat_view(1, meaning=meaning), seat_view(2)), **changed))

    assert "Seat 2 is on turn." in prompt()
    assert "If you hold Cyber Patrol, press your button at once." in prompt(
        meaning="buzz", window=WindowView(2, None, 3, 5)
    )
    assert "You were first: show Cyber Patrol on your pad!" in prompt(window=WindowView(2, 1, 3, 10))
    assert "Wait: perhaps a Cyber Patrol stops the hacker." in prompt(window=WindowView(2, 3, 3, 10))
    assert "your button says yes" in prompt(meaning="grant")
    assert "your button goes on" in prompt(meaning="resume", paused=True)
    assert "The game is over: n begins another." in prompt(over=True)
    assert "The draw pile is empty: r reshuffles." in text(view(own=own(2), reshuffles=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_fits_the_smallest_terminal_whole(language: str):
    marks = view().teams[0].score.marks
    whole = [text_of(each) for each in help_lines(view().show, marks, WORDS[language], LEAST[0], 200)]
    shown = [text_of(each) for each in help_lines(view().show, marks, WORDS[language], *LEAST)]
    assert len(shown) == LEAST[1]
    assert [each for each in whole if each] == [each for each in shown if each]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_terminal_that_is_too_small_says_so(language: str):
    for columns, rows in ((79, 24), (80, 23), (20, 5), (1, 1)):
        lines = screen(view(), columns, rows, WORDS[language])
        assert [get_cwidth(text_of(each)) for each in lines] == [columns] * rows
    assert "80×24" in text(view(), 79, 24, WORDS[language])


def test_what_decided_a_game_stands_with_the_places():
    shown = text(views()["over by cards"])
    assert "2. 1·3  0 MB  online ×2  category cards 9" in shown
    assert "1. 2·4  125 MB  online ×2  category cards 11" in shown


def test_a_heap_of_the_table_is_named_by_place_and_seats():
    shown = own(chosen="online#1", heaps=(Heap("hand", (2,), HAND), Heap("connection", (1, 3), ("online#1",))))
    assert "Line 1·3 (2/2): [1 Online]" in text(view(own=shown))


def test_the_demand_stands_as_a_pyramid_with_its_markers():
    shown = text(views_of_others()["xnet 6 players"])
    assert shown.index("Demand 3: Science 4") < shown.index("Demand 2: Music 7 [X3] · –")
    assert shown.index("Demand 2:") < shown.index("Demand 1: Art 1 · – · News 9")
    assert "Discard: Games 4" in shown
    assert "Draw pile: 131" in shown
    assert "Specialists: 11/16" in shown


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_what_is_counted_stands_with_each_team_that_has_no_marks(columns: int, rows: int):
    shown = text(view_of("cyber-siege", "play-3"), columns, rows)
    assert "15 points" in shown or " 15 3 3" in shown


def test_hands_that_are_told_apart_have_two_numbers_and_rows_their_cards():
    shown = text(views_of_others()["siege"])
    assert "10+0" in shown
    assert "sets 3  one-point cards 3" in shown
    assert "Laid sets: Set card 3 · Set card 1" in shown
    assert "Red pile: 38" in shown


def test_a_window_of_another_game_has_that_games_words():
    assert "Attack by seat 2" in text(views_of_others()["siege defence"])


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_list_of_actions_names_them_with_numbers(columns: int, rows: int):
    shown = text(views_of_others()["xnet actions"], columns, rows)
    words = look_of("xnet", "en").words
    assert f"[{ACTIONS.index('buy-server') + 1} {words.kind('buy-server')}]" in shown
    assert "Which action?" in shown
    assert "Esc back" in shown


@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_the_chosen_card_of_a_large_hand_is_always_seen(columns: int, rows: int):
    shown = text(views_of_others()["xnet paying"], columns, rows)
    assert "[10 Sports 9]" in shown
    assert "Server: 3 more cards" in shown


def test_another_pad_has_a_key():
    assert "e demand pyramid" in text(views_of_others()["xnet asked for a pad"], 80, 24)
    assert "m actions" in text(views_of_others()["xnet paying"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["xnet", "cyber-siege"])
def test_help_with_another_game_fits_the_smallest_terminal_whole(game: str, language: str):
    show, words = view_of(game, moments_of(game).usual).show, look_of(game, language).words
    whole = [text_of(each) for each in help_lines(show, (), words, LEAST[0], 200)]
    shown = [text_of(each) for each in help_lines(show, (), words, *LEAST)]
    assert [each for each in whole if each] == [each for each in shown if each]
    assert "{" not in "".join(whole)


def test_lines_are_cut_and_filled_to_the_column():
    assert text_of(fit(line("abcdef"), 4)) == "abc…"
    assert text_of(fit(line("日本語"), 4)) == "日… "
    assert text_of(fit(line(("x", "ab")), 4)) == "ab  "
    assert text_of(fit(line("ab"), 0)) == ""


def test_a_text_is_wrapped_between_words():
    assert [text_of(each) for each in wrapped("one two three", 7)] == ["one two", "three"]
    assert [text_of(each) for each in wrapped("one two", 5, after="  ")] == ["one", "  two"]
    assert [text_of(each) for each in wrapped("unbreakable", 5)] == ["unbreakable"]


def test_short_lines_flow_and_bars_fill():
    assert [text_of(each) for each in flowing([line("aa"), line("bb"), line("cc")], 6)] == ["aa  bb", "cc"]
    assert (bar(0.0, 4), bar(0.5, 4), bar(1.0, 4), bar(9.0, 4)) == ("░░░░", "██░░", "████", "████")


def test_a_frame_is_closed_whatever_its_title():
    assert [text_of(each) for each in framed([line("x")], 6, "ab")] == ["┌─ ab ──┐"[:7] + "┐", "│x     │", "└──────┘"]
    assert text_of(framed([], 4, "too long")[0]) == "┌────┐"


def test_a_row_names_its_top_card_first_and_is_cut_below_it():
    assert "Line: Turbo-Line · Under Con…  Memory: Turbo-Line" in text(view(), 120, 40)
