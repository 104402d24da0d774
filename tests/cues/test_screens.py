"""On the screens: all inside, nothing over something else, scores first; in every language and size."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
import taptable
from babel.messages.pofile import read_po
from boards import (
    FIVE_PLAYERS,
    FOUR_SOLO,
    THREE_TEAMS,
    TWO_TEAMS,
    board,
    team_score,
)
from display_rig import look, same_pixels
from games.samples import NOW_US
from scenes import samples_of, scenes
from taptable.core.scoreboard import DRAW_PILE, Count, Scoreboard
from taptable.core.settings import US_PER_S
from taptable.cues import screens
from taptable.cues.canvas import Canvas
from taptable.cues.counts import count_text
from taptable.cues.scene import select_screen
from taptable.cues.screens import (
    Countdown,
    hint_of,
    paint_boot,
    paint_over,
    paint_paused,
    paint_play,
    paint_refusal,
    paint_window,
)
from taptable.cues.text import TEXT, font
from taptable.games.registry import GAMES, find_game
from taptable.words import LANGUAGES

REFERENCE = (124, 62)  # 128 × 64 less the room to wander
SIZES = [(128, 64), (128, 32), (256, 64), (64, 48), (64, 32), (96, 16), (128, 128), (64, 128), (96, 64), (128, 96)]
SIZES += [(80, 128), (96, 96), (256, 32), (256, 128), (64, 64), (128, 48), (256, 48), (64, 16)]
LONGEST = ("de", "fr")
"""The languages with the longest words."""
SPOKEN = [(game, code) for game in GAMES for code in (LANGUAGES if game == "online" else LONGEST)]
TEAMS = {"two": TWO_TEAMS, "three": THREE_TEAMS, "five players": FIVE_PLAYERS, "four solo": FOUR_SOLO}


def canvas_of(screen, size=REFERENCE, language="en", game="online"):
    canvas = Canvas(size)
    screen(canvas, look(language, game))
    return canvas


def screen(paint, *what):
    """A screen with this on it, as `choose` gives it."""
    return lambda canvas, look: paint(canvas, look, *what)


def picture_of(paint, *what):
    return canvas_of(screen(paint, *what)).image


def shown(name, language, game="online"):
    return select_screen(scenes(game, look(language, game).words)[name], NOW_US)


def texts(canvas):
    return [drawn.label for drawn in canvas.drawn]


def meet(one, other):
    return (
        one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom
    )  # touching is allowed


def samples(wanted):
    """Game, name and scoreboard of each sample that is wanted, of which there are some."""
    found = [(game, name, each) for game in GAMES for name, each in samples_of(game).boards.items() if wanted(each)]
    assert found
    return found


def check_places(screen, language, game, name):
    """Nothing stands outside, or over something else, in any size."""
    for width, height in SIZES:
        canvas = canvas_of(screen, (width - 2, height - 2), language, game)
        where = f"{name} on {width}×{height}"
        assert canvas.image.getbbox(), f"nothing of {where}"
        for drawn in canvas.drawn:
            box = drawn.box
            inside = box.x >= 0 and box.y >= 0 and box.right <= width - 2 and box.bottom <= height - 2
            assert inside, f"{drawn} of {where}"
        figures = [drawn for drawn in canvas.drawn if not drawn.is_background]
        for one, other in combinations(figures, 2):
            assert one.label == other.label or not meet(one.box, other.box), f"{one} and {other} of {where}"


@pytest.mark.parametrize(("game", "language"), SPOKEN)
def test_something_is_on_it_and_nothing_outside_or_over_something_else_in_any_size(game, language):
    # all screens of one game, and of every other those that are its own
    for name in scenes(game, look(language, game).words) if game == "online" else samples_of(game).boards:
        check_places(shown(name, language, game), language, game, name)


def test_in_a_pause_nothing_stands_outside_or_over_something_else_in_any_size():
    for game, name, sample in samples(lambda _: True):
        check_places(screen(paint_paused, sample), "fr", game, name)


@pytest.mark.parametrize("game", GAMES)
def test_the_samples_of_an_enrolment_count_the_cards_of_its_deck(game):
    counts = [count for _, count in find_game(game).pack("").counts]
    shown_as = scenes(game, look("en", game).words)
    needs = {name: scene.enrolment.need for name, scene in shown_as.items() if scene.enrolment is not None}
    assert needs["enrolment"] == counts[0]
    assert needs["enrolment-refused"] in counts
    assert needs["enrolment-check"] == sum(counts)


def test_every_score_or_what_decided_instead_stands_on_the_reference_display_once_somebody_plays():
    for game, name, sample in samples(lambda sample: sample.seat is not None):
        on_screen = texts(canvas_of(shown(name, "de", game), game=game, language="de"))
        figures = (team.score if team.decisive is None else team.decisive.have for team in sample.teams)
        assert set(map(str, figures)) <= set(on_screen), name


def test_what_is_counted_for_the_team_on_turn_stands_there_unless_it_has_marks():
    for game, name, sample in samples(lambda sample: sample.seat is not None):
        if shown(name, "en", game).func is paint_play:
            on_turn = next(team for team in sample.teams if sample.seat in team.seats)
            on_screen = set(texts(canvas_of(shown(name, "en", game), game=game)))
            wanted = {*on_turn.counts, *(sample.hands[sample.seat - 1] if not on_turn.marks else ())}
            assert {count.name for count in wanted} <= on_screen, name
            assert {count_text(count) for count in wanted} <= on_screen, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_pending_and_used_up_things_are_shown_whole_on_the_reference_display(language):
    for game, name, sample in samples(lambda sample: sample.pending or sample.empty_stock):
        shows = shown(name, language, game)
        if shows.func is paint_play:
            hint = hint_of(sample, look(language, game).words)
            assert hint is not None, name
            on_screen = canvas_of(shows, language=language, game=game)
            assert hint in " ".join(texts(on_screen)), name
            line = next(drawn.box for drawn in on_screen.drawn if hint.startswith(drawn.label))
            named = {name for name, _ in sample.pending_facts} & {"topic", "lower"}  # the words of a deck may be long
            assert line.height >= TEXT[0].height or named or len(sample.teams) > 4, (name, hint)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_window_is_named_by_its_kind_with_who_may_answer(language):
    for game, name, sample in samples(lambda sample: sample.window is not None):
        on_screen = texts(canvas_of(shown(name, language, game), language=language, game=game))
        seat = sample.window.claim_seat or sample.window.answerer or sample.window.seat
        title, more = on_screen[on_screen.index(f"plate {seat}") + 2 :][:2]
        assert title, name
        assert more, name
        assert "…" not in title + more
        assert "window" not in on_screen, name


@pytest.mark.parametrize("teams", TEAMS.values(), ids=TEAMS)
def test_the_team_on_turn_stands_largest(teams):
    for turn in range(1, 1 + sum(len(team.seats) for team in teams)):
        canvas = canvas_of(screen(paint_play, board(teams, turn, 1)))
        heights = {drawn.label: drawn.box.height for drawn in canvas.drawn if drawn.label.isdigit()}
        on_turn = next(team for team in teams if turn in team.seats)
        others = [str(team.score) for team in teams if team is not on_turn]
        assert all(heights[str(on_turn.score)] > 1.5 * heights[score] for score in others)
        assert heights[str(turn)] > 7


@pytest.mark.parametrize(
    ("scene", "language", "line"),
    [
        ("claim", "en", "+4.2 ± 0.1 ms"),
        ("claim", "de", "+4,2 ± 0,1 ms"),
        ("claim-tie", "en", "1 = 4"),
    ],
)
def test_r7_2_a_claim_shows_by_how_much_its_seat_was_first_or_who_tied(scene, language, line):
    assert line in texts(canvas_of(shown(scene, language), language=language))


def test_the_draw_pile_is_counted_whenever_the_scores_are_shown():
    for game, name, sample in samples(lambda sample: DRAW_PILE in {count.name for count in sample.stock}):
        if shown(name, "en", game).func is paint_play and game == "online":
            on_screen = texts(canvas_of(shown(name, "en")))
            assert on_screen[on_screen.index(DRAW_PILE) + 1] == str(sample.stock[0].have), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_r10_3_where_cards_will_decide_they_stand_before_the_megabytes(language):
    canvas = canvas_of(shown("play-by-cards", language), language=language)
    words, board = look(language).words, samples_of("online").boards["play-by-cards"]
    height = {drawn.label: drawn.box.height for drawn in canvas.drawn}
    assert height["5"] == font("digits22").height
    assert f"350 {words.text('unit', 'MB')}" in height
    assert words.text("unit", "category-cards", {"number": 5}) in height
    assert {str(team.decisive.have) for team in board.teams} <= set(height)
    assert not {str(team.score) for team in board.teams} & set(height)


@pytest.mark.parametrize("language", LANGUAGES)
def test_r10_3_the_time_left_is_shown_in_minutes_then_in_seconds_and_stops_in_a_pause(language):
    words = look(language).words
    for name, said in [
        ("play-4-solo", words.text("screen", "minutes-left", {"minutes": 40})),
        ("play-last-minute", "0:42"),
        ("play-last-turn", words.text("screen", "last-turn")),
    ]:
        assert said in texts(canvas_of(shown(name, language), language=language)), name
        paused = replace(scenes("online", words)[name], paused=True)
        for later_us in (0, 1_000 * US_PER_S):
            assert said in texts(canvas_of(select_screen(paused, NOW_US + later_us), language=language)), name
    assert "clock" not in texts(canvas_of(shown("play-3-teams", language), language=language))


@pytest.mark.parametrize(
    ("left_us", "said"),
    [
        (3_600_000_000, "60 min"),
        (300_000_001, "6 min"),
        (300_000_000, "5 min"),
        (60_000_001, "2 min"),
        (60_000_000, "1:00"),
        (59_000_001, "1:00"),
        (1, "0:01"),
        (0, "Last turn"),
    ],
)
def test_r10_3_a_time_left_is_rounded_up_so_that_the_last_of_it_is_never_0(left_us, said):
    assert screens.time_text(left_us, look("en").words) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_r7_3_who_misses_the_next_turn_is_shown_by_the_seats(language):
    on_screen = texts(canvas_of(shown("skips", language), language=language))
    at = on_screen.index(look(language).words.text("screen", "skips", {"number": 1}))
    assert on_screen[at - 2 : at] == ["plate 5", "5"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_way_out_of_a_pause_is_shown_in_large_letters(language):
    canvas = canvas_of(screen(paint_paused, board(FOUR_SOLO, 2)), language=language)
    said = look(language).words.text("screen", "go-on")
    assert next(drawn.box.height for drawn in canvas.drawn if drawn.label == said) >= TEXT[0].height


@pytest.mark.parametrize("language", LANGUAGES)
def test_r9_2_an_empty_draw_pile_is_announced_for_as_long_as_it_is(language):
    said = look(language).words.text("screen", "draw-pile-empty")
    assert said in texts(canvas_of(shown("pile-empty", language), language=language))
    assert said not in texts(canvas_of(screen(paint_play, board(FOUR_SOLO, 2, 1)), language=language))


def test_the_score_comes_before_everything_else_on_the_smallest_display():
    assert "350" in texts(canvas_of(screen(paint_play, board(FOUR_SOLO, 2, 1)), (62, 14)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_about_a_verdict_fits_whole_beside_what_was_refused(language):
    facts = {
        "card": "Password OK",
        "cards": "Password OK, Under construction",
        "pad": "Papierkorb",
        "onto": "Papierkorb",
    }
    for sentence in sentences("verdict", language):
        why = sentence.format_map(_Facts(facts))
        shown = texts(canvas_of(screen(paint_refusal, "Password OK, Papierkorb", why), language=language))
        assert shown[:2] == ["refused", "what"]
        assert "".join("".join(shown[3:]).split()) == "".join(why.split())


class _Facts(dict):
    def __missing__(self, key):
        return "3"


def sentences(context, language):
    root = Path(taptable.__file__).parent
    for folder in (root, root / "games" / "online"):
        with (folder / "catalogues" / f"{language}.po").open("rb") as file:
            yield from (str(message.string) for message in read_po(file) if message.context == context)


def test_a_backed_up_row_looks_unlike_a_full_one():
    full = team_score((1,), (6, 4, 2, 2), "up")
    rest = (team_score((2,), (0, 0, 0, 0), "up"),)
    pictures = [
        picture_of(paint_play, board((team_score((1,), (6, 4, 2, 2), "up", backed_up=rows), *rest), seat))
        for seat in (1, 2)
        for rows in ((), ("email",), ("movie",))
    ]
    assert full.marks[0].have == full.marks[0].need
    assert all(not same_pixels(one, other) for one, other in combinations(pictures, 2))


@pytest.mark.parametrize("seat", [1, 2])
def test_each_state_of_the_line_has_its_own_picture(seat):
    pictures = [
        picture_of(paint_play, board((team_score((1,), (1, 1, 0, 0), line, rate=0), TWO_TEAMS[1]), seat))
        for line in ("up", "offline", "blocked", "cleared")
    ]
    assert all(not same_pixels(one, other) for one, other in combinations(pictures, 2))


def test_what_is_left_of_the_rate_is_seen():
    pictures = [picture_of(paint_play, board(TWO_TEAMS, 1, left)) for left in (0, 1, 2)]
    assert all(not same_pixels(one, other) for one, other in combinations(pictures, 2))


def test_a_state_another_game_invents_is_left_out_rather_than_failing():
    strange = (team_score((1,), (1, 0, 0, 0), "besieged"), team_score((2,), (0, 0, 0, 0), "calm"))
    assert picture_of(paint_play, board(strange, 1)).getbbox()


def test_marks_of_another_game_have_their_initial():
    mark = replace(TWO_TEAMS[0].marks[0], name="firewall")
    teams = tuple(replace(team, marks=(mark,)) for team in TWO_TEAMS)
    assert "firewall" in texts(canvas_of(screen(paint_play, board(teams, 1))))


@pytest.mark.parametrize("quotas", [(0, 0, 1, 0), (22, 14, 8, 8), (6, 4, 0, 2)])
def test_other_quotas_stay_inside(quotas):
    teams = tuple(
        replace(team, marks=tuple(replace(m, need=need) for m, need in zip(team.marks, quotas, strict=True)))
        for team in FOUR_SOLO
    )
    for drawn in canvas_of(screen(paint_play, board(teams, 1))).drawn:
        assert drawn.box.x >= 0
        assert drawn.box.right <= REFERENCE[0]


def test_boot_names_version_and_what_is_missing():
    shown = texts(canvas_of(screen(paint_boot, "1.2.3", ("seat board 3", "discard pad"))))
    assert shown[0] == "taptable"
    assert "1.2.3" in shown
    assert "discard pad" in " ".join(shown)


def test_window_shows_whose_card_and_how_much_time():
    canvas = canvas_of(screen(paint_window, board(TWO_TEAMS, 3), 3, Countdown(3_400_000, 5_000_000)))
    assert {"plate 3", "4", "bar", "Hacker!", "Cyber Patrol?"} <= set(texts(canvas))


def test_the_bar_grows_shorter_with_every_step():
    def lit(left_us):
        picture = picture_of(paint_window, board(TWO_TEAMS, 3), 3, Countdown(left_us, 5_000_000))
        return sum(picture.crop((0, 25, 124, 35)).tobytes().translate(bytes(byte.bit_count() for byte in range(256))))

    widths = [lit(left_us) for left_us in range(0, 5_000_001, 100_000)]
    assert widths == sorted(set(widths))


@pytest.mark.parametrize("size", [REFERENCE, (124, 30), (254, 126)])
def test_while_the_bar_runs_every_picture_is_what_the_whole_screen_would_be(size):
    for notice, claim in [(None, False), ("seat 2: gone", False), ("seat 2: gone", True)]:
        for left_us in range(5_000_000, -1, -100_000):
            window = screen(paint_window, board(TWO_TEAMS, 3), 3, Countdown(left_us, 5_000_000), claim, notice)
            drawn = canvas_of(window, size).image
            screens._draw_window.cache_clear()
            assert same_pixels(drawn, canvas_of(window, size).image)


def test_claim_names_who_must_show_a_card():
    canvas = canvas_of(screen(paint_window, board(TWO_TEAMS, 3), 2, Countdown(7_200_000, 10_000_000), True))
    assert {"plate 2", "8", "Show it!"} <= set(texts(canvas))


def test_over_gives_the_places():
    shown = texts(canvas_of(screen(paint_over, over(FOUR_SOLO, (4, 3, 2, 1)))))
    assert shown.index("975") < shown.index("2.") < shown.index("3.") < shown.index("4.")
    assert {"650", "350", "75", "Time is up"} <= set(shown)


def test_over_says_what_decided_where_that_is_not_the_score():
    shown_as = texts(canvas_of(shown("over-by-cards", "en")))
    assert shown_as.index("11") < shown_as.index("cards") < shown_as.index("Time is up: cards decide")
    assert shown_as.index("2.") < shown_as.index("9")


def test_a_single_card_that_decided_is_no_cards():
    one = replace(team_score((1,), (1, 0, 0, 0), "up", place=1), decisive=Count("category-cards", 1))
    none = replace(team_score((2,), (0, 0, 0, 0), "up", place=2), decisive=Count("category-cards", 0))
    assert "card" in texts(canvas_of(screen(paint_over, replace(board((one, none), 1), over=True, by="agreement"))))


def test_paused_keeps_the_scores():
    shown = texts(canvas_of(screen(paint_paused, board(FOUR_SOLO, 2))))
    assert {"Paused", "75", "350", "650", "975"} <= set(shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notice_leaves_every_score_standing(language):
    facts = _Facts({"part": "Papierkorb", "pad": "Platz 3", "card": "Password OK"})
    for sentence in sentences("notice", language):
        for teams in TEAMS.values():
            canvas = canvas_of(screen(paint_play, board(teams, 1), sentence.format_map(facts)), language=language)
            assert {str(team.score) for team in teams} <= set(texts(canvas))


def over(teams, places) -> Scoreboard:
    ranked = tuple(replace(team, place=place) for team, place in zip(teams, places, strict=True))
    return replace(board(ranked, 1), over=True, by="time")


@pytest.mark.parametrize("name", ["play-3-teams", "window", "refusal", "over-4-solo"])
def test_the_picture_is_as_it_was_drawn_when_somebody_last_looked(name):
    # after a change that is meant, look at docs/pictures and write the new text: python tests/cues/test_screens.py
    assert text_art(name) == (ART / f"{name}.txt").read_text(encoding="utf-8")


ART = Path(__file__).parent / "art"


def text_art(name: str) -> str:
    image = canvas_of(shown(name, "en")).image
    lit = [[bool(image.getpixel((x, y))) for x in range(image.width)] for y in range(image.height)]
    lines = [
        "".join(" ▀▄█"[upper + 2 * lower] for upper, lower in zip(*rows, strict=True))
        for rows in zip(lit[::2], lit[1::2], strict=True)
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for path in ART.glob("*.txt"):
        path.write_text(text_art(path.stem), encoding="utf-8")
