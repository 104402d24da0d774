"""The screens of a game. Each is a function that draws its arguments, in as much detail as the size of the canvas
allows. `scene` selects the screen. Pure. Must not know how long it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from taptable.core.scoreboard import RunningWindow, Scoreboard, TeamScore
from taptable.core.settings import US_PER_S
from taptable.cues.canvas import LINE, TALL, WIDE, Box, Canvas
from taptable.cues.scores import (
    FIGURES_HEIGHT,
    HERO_HEIGHT,
    TALL_PANEL,
    draw_hero,
    draw_others,
    draw_seat,
    draw_tag,
    figures_for,
    in_turn_order,
    seats_text,
    shown_score,
    tag_width,
)
from taptable.cues.text import SMALL, TEXT, ScreenStyle, layout_text, scale2x, shorten
from taptable.words import Words

_DOUBLE = 200  # columns from which two large panels fit side by side
_STRIP = 5 / 2  # width by height from which the other teams are beside the one on turn, not under it
_MANY = 4  # number of other teams from which they need more room than one line or column
_HEADING = 11  # rows of the plate over a refusal
_TITLE = 14  # rows of a large word, descenders included
_NAME = "taptable"
_LARGE_NAME = scale2x(TEXT[0].render(_NAME))
_SEAT_PLATE = 13  # rows of a seat's number below the question for the youngest
_PLACES = 18  # least rows for the places


class Countdown(NamedTuple):
    """The time left, and the time of a full bar."""

    left_us: int
    whole_us: int

    @property
    def share(self) -> float:
        """The share of the bar that is left."""
        return min(1.0, self.left_us / self.whole_us)

    @property
    def seconds(self) -> int:
        """The time left in whole seconds, rounded up."""
        return -(-self.left_us // US_PER_S)


def paint_boot(canvas: Canvas, style: ScreenStyle, version: str, missing: Sequence[str] = ()) -> None:
    """Draw the start: name, version, and the names of the parts that don't answer."""
    box = canvas.box
    status = style.words.text("screen", "missing" if missing else "starting", {"parts": ", ".join(missing)})
    if box.height >= TALL or not missing:
        name = TEXT[box.height <= FIGURES_HEIGHT].render(_NAME)
        if box.height >= TALL and box.width >= _LARGE_NAME.width:
            name = _LARGE_NAME
        title = canvas.stamp(0, 0, name.crop(name.getbbox()), _NAME)
        box = box.without_top(title.bottom + 3)
    if box.height > FIGURES_HEIGHT:
        y = box.bottom - SMALL.height
        canvas.write_line(box.right - SMALL.width(version), y, version, SMALL)
        box = Box(box.x, box.y, box.width, y - 3 - box.y)
    canvas.write_layout(box, layout_text(status, TEXT, box.width, box.height), middle=True)


def paint_youngest(canvas: Canvas, style: ScreenStyle, board: Scoreboard, notice: str | None = None) -> None:
    """Draw the question for the youngest, a button, and the seats that may press theirs."""
    box = _draw_notice(canvas, notice)
    seats = sorted(seat for team in board.teams for seat in team.seats)
    tall = box.height >= TALL
    text = Box(box.x, box.y, box.width, box.height - _SEAT_PLATE - 3) if tall else box
    button = style.icons["button"]
    if box.width >= WIDE and box.height >= button.height:
        canvas.stamp(0, box.y + (4 if tall else (box.height - button.height) // 2), button, "button")
        text = text.without_left(button.width + 5)
    question = style.words.text("screen", "youngest")
    canvas.write_layout(text, layout_text(question, TEXT, text.width, text.height), middle=True)
    if tall:
        pitch = min(16, (box.width + 2) // len(seats))
        plate = min(12, pitch - 2)
        x = (box.width - pitch * (len(seats) - 1) - plate) // 2
        for n, seat in enumerate(seats):
            draw_seat(canvas, Box(x + pitch * n, box.bottom - _SEAT_PLATE, plate, _SEAT_PLATE), str(seat))


def paint_play(
    canvas: Canvas, style: ScreenStyle, board: Scoreboard, notice: str | None = None, left_us: int | None = None
) -> None:
    """Draw the scores: the team on turn, and the others under it or, on a strip, beside it. Below them are the player's
    hint, as large as fits, the seats that miss a turn, and `left_us` of the game's time, in the steps in which it is
    shown."""
    box, hint = _draw_notice(canvas, notice), hint_of(board, style.words)
    hero, *others = in_turn_order(board)
    if box.height < FIGURES_HEIGHT:
        draw_hero(canvas, box, hero, board, style)
        return
    box = _draw_status(canvas, box, board, style, left_us)
    if canvas.box.width > _STRIP * canvas.box.height:
        # a high display has room for a sentence
        gap = 8 if box.width >= _DOUBLE else 2
        left = (box.width - gap) // 2 if box.width >= _DOUBLE else 82 if len(others) < _MANY else 60
        draw_hero(canvas, Box(box.x, box.y, left, min(HERO_HEIGHT, box.height)), hero, board, style)
        draw_others(canvas, box.without_left(left + gap), others, style)
        under = Box(box.x, box.y + HERO_HEIGHT + 6, left, box.height - HERO_HEIGHT - 6)
        hint_text = hint or style.words.text("screen", "turn", {"seat": board.seat})
        canvas.write_layout(under, layout_text(hint_text, TEXT, under.width, under.height))
        return
    # the others' scores precede the marks of the team on turn, but not its counts
    below = 24 if len(others) >= _MANY and box.width < WIDE else 14
    least = FIGURES_HEIGHT + 12 if hero.marks else HERO_HEIGHT + below
    if hint and notice is None and canvas.box.height >= TALL:
        box = _draw_hint(canvas, box, hint, least)
    height = HERO_HEIGHT
    if FIGURES_HEIGHT + 12 <= box.height < HERO_HEIGHT + below:
        height = FIGURES_HEIGHT
    gap = 5 if box.height - height - 5 >= TALL_PANEL else 3
    draw_hero(canvas, Box(box.x, box.y, box.width, min(height, box.height)), hero, board, style)
    draw_others(canvas, box.without_top(height + gap), others, style, marked=True)


def _draw_hint(canvas: Canvas, box: Box, hint: str, least: int) -> Box:
    """Write the hint along the bottom of `box`, in the largest font that leaves `least` rows above it, and return these
    rows. There is always room for a line of small text."""
    room = max(box.height - least - 2, SMALL.rows)
    layout = layout_text(hint, TEXT, box.width, room)
    canvas.write_layout(Box(box.x, box.bottom - layout.height, box.width, layout.height), layout)
    return Box(box.x, box.y, box.width, box.height - layout.height - 2)


def _draw_status(canvas: Canvas, box: Box, board: Scoreboard, style: ScreenStyle, left_us: int | None) -> Box:
    """Draw the time left and the seats that miss a turn in a line along the bottom of `box`, if there are any and they
    fit. Return the box above."""
    if (left_us is None and not board.skips) or box.height - LINE < FIGURES_HEIGHT + 12:
        return box
    y, x = box.bottom - SMALL.height - SMALL.below, box.x
    if left_us is not None:
        clock = canvas.stamp(x, y, style.icons["clock"], "clock")
        time = shorten(time_text(left_us, style.words), SMALL, box.right - clock.right - 2)
        x = canvas.write_line(clock.right + 2, y, time, SMALL).right + 4
    skips_text = style.words.text("screen", "skips", {"number": len(board.skips)})
    width = tag_width(board.skips) + 3 + SMALL.width(skips_text)
    if board.skips and x + width <= box.right:
        tag = draw_tag(canvas, box.right - width, y - 1, board.skips)
        canvas.write_line(tag.right + 3, y, skips_text, SMALL)
    return Box(box.x, box.y, box.width, box.height - LINE)


def time_text(left_us: int, words: Words) -> str:
    """Return the time left: in minutes, in the last one as ``0:42``, and then that this is the last turn."""
    if left_us == 0:
        return words.text("screen", "last-turn")
    minutes, seconds = divmod(-(-left_us // US_PER_S), 60)
    if minutes > 1 or (minutes == 1 and seconds):
        return words.text("screen", "minutes-left", {"minutes": minutes + (seconds > 0)})
    return f"{minutes}:{seconds:02}"


def hint_of(board: Scoreboard, words: Words) -> str | None:
    """Return what the player on turn still has to do, or that the draw pile is empty, if the game has words for it."""
    if board.pending:
        key = f"pending-{board.pending}"
        pending = words.text("screen", key, dict(board.pending_facts))
        return None if pending == key else pending
    hints = (words.message("screen", f"{name}-empty") for name in board.empty_stock)
    return next((hint for hint in hints if hint is not None), None)


def paint_window(
    canvas: Canvas,
    style: ScreenStyle,
    board: Scoreboard,
    seat: int,
    countdown: Countdown,
    claim: bool = False,
    notice: str | None = None,
) -> None:
    """Draw a running window with the bar of its time. `seat` is the seat that may answer, or the seat whose card opened
    the window if several may answer; in a `claim`, it is the seat that has to show a card now. The bar changes several
    times a second, so everything else comes from the cache of `_draw_window`."""
    around, bar = _draw_window(canvas.box[2:], style, board, seat, countdown.seconds, claim, notice)
    canvas.image, canvas.drawn = around.image.copy(), [*around.drawn]
    canvas.bar(bar, countdown.share)


@lru_cache(maxsize=1)
def _draw_window(
    size: tuple[int, int],
    style: ScreenStyle,
    board: Scoreboard,
    seat: int,
    seconds: int,
    claim: bool,
    notice: str | None,
) -> tuple[Canvas, Box]:
    """Draw what stays the same for a second: the seat, the request and the seconds, and under them the scores. Return
    the canvas, and the box that is left for the bar."""
    canvas = Canvas(size)
    box = _draw_notice(canvas, notice)
    bar_height, gap = 10 if box.width >= WIDE else 6, 3
    if box.height < FIGURES_HEIGHT + 12:
        bar_height, gap = (6, 2) if box.height >= FIGURES_HEIGHT else (4, 1)
    top = Box(box.x, box.y, box.width, min(FIGURES_HEIGHT, box.height - bar_height - gap))
    figures = figures_for((str(seconds),), box.width // 3, top.height, "digits22")
    seconds_width = figures.width(str(seconds))
    canvas.write_line(top.right - seconds_width, top.y, str(seconds), figures)
    if top.height < 12:
        plate = draw_tag(canvas, top.x, top.y, (seat,))
    else:
        plate = Box(top.x, top.y, 17 if box.width >= WIDE else 12, top.height)
        draw_seat(canvas, plate, str(seat))
    title = Box(plate.right + 4, top.y, top.width - plate.width - seconds_width - 8, top.height)
    under = box.without_top(top.height + bar_height + 2 * gap + 1)
    name, more = _window_words(board.window, claim, style)
    if title.width >= 40:
        large = layout_text(name, TEXT, title.width, min(_TITLE, title.height))
        canvas.write_layout(title, large)
        y = title.bottom - SMALL.height
        if y >= title.y + large.height:
            canvas.write_line(title.x, y, shorten(more, SMALL, title.width), SMALL)
    elif under.height >= SMALL.height:
        canvas.write_line(under.x, under.y, shorten(name, SMALL, under.width), SMALL)
        under = under.without_top(LINE + 3)
    draw_others(canvas, under, board.teams, style)
    return canvas, Box(box.x, top.bottom + gap, box.width, bar_height)


def _window_words(window: RunningWindow | None, claim: bool, style: ScreenStyle) -> tuple[str, str]:
    """Return a window's name in a word or two, and the line below: by how much the claiming seat was first or which
    seats tied, or else the game's words about the card."""
    words, key = style.words, "claim" if claim else "window"
    facts = {} if window is None else {"kind": window.kind, "seat": window.seat}
    more = words.text("screen", f"{key}-card", facts)
    if window is not None and window.claim_seat is not None:
        if window.tied:
            more = " = ".join(map(str, window.tied))
        elif window.margin_us is not None:
            more = f"+{words.ms(window.margin_us)} ± {words.ms(window.uncertainty_us)} ms"
    return words.text("screen", key, facts), "" if more == f"{key}-card" else more


def paint_refusal(
    canvas: Canvas,
    style: ScreenStyle,
    title: str,
    reason: str,
    countdown: Countdown | None = None,
    icon: str = "refused",
) -> None:
    """Draw a refusal as a heading beside an `icon`, and its reason; only the reason if there isn't room for both. A
    window continues to run beneath it."""
    box = canvas.box
    if countdown is not None and box.height > FIGURES_HEIGHT:
        canvas.bar(Box(0, box.height - 6, box.width, 6), countdown.share)
        box = Box(0, 0, box.width, box.height - 8)
    body = box.without_top(_HEADING + 2)
    layout = layout_text(reason, TEXT, body.width, body.height)
    if box.height < TALL or not layout.is_complete:
        canvas.write_layout(box, layout_text(reason, TEXT, box.width, box.height), middle=True)
        return
    sign = canvas.stamp(0, 0, style.icons[icon], icon)
    plate = canvas.plate(Box(sign.width + 3, 0, box.width - sign.width - 3, _HEADING), "what")
    canvas.write_line(plate.x + 3, 2, shorten(title, SMALL, plate.width - 6), SMALL, black=True)
    canvas.write_layout(body, layout, middle=True)


def paint_paused(
    canvas: Canvas, style: ScreenStyle, board: Scoreboard, notice: str | None = None, left_us: int | None = None
) -> None:
    """Draw that the table waits, how to resume, and the scores, with the time of the game, which stands still."""
    title = box = _draw_notice(canvas, notice)
    icon = style.icons["paused"]
    if box.height >= icon.height:
        canvas.stamp(box.x, box.y, icon, "paused")
        title = Box(icon.width + 6, box.y, box.width - icon.width - 6, icon.height)
    layout = layout_text(style.words.text("screen", "paused"), TEXT, title.width, title.height)
    canvas.write_layout(title, layout, middle=True)
    if left_us is not None:
        time = time_text(left_us, style.words)
        x, y = title.right - SMALL.width(time), title.y + (title.height - SMALL.height) // 2
        if x - 9 >= title.x + max(map(layout.font.width, layout.lines), default=0) + 4:
            canvas.stamp(x - 9, y, style.icons["clock"], "clock")
            canvas.write_line(x, y, time, SMALL)
    rest = box.without_top(icon.height + 4)
    if rest.height >= SMALL.rows:
        # the scores need a tag and figures one under the other
        hint = layout_text(
            style.words.text("screen", "go-on"), TEXT, rest.width, max(2 * LINE, rest.height - 2 * LINE - 4)
        )
        canvas.write_layout(rest, hint)
        rest = rest.without_top(hint.height + 4)
        rows = rest.height if canvas.box.height > 2 * TALL else min(rest.height, FIGURES_HEIGHT)
        draw_others(canvas, Box(rest.x, rest.y, rest.width, rows), board.teams, style)
    elif box.width >= WIDE:
        draw_others(canvas, box.without_left(box.width - 44), board.teams, style)


def paint_over(canvas: Canvas, style: ScreenStyle, board: Scoreboard, notice: str | None = None) -> None:
    """Draw the winner in large figures, how the game ended, and the other teams with their places, by the deciding
    count if that isn't the score."""
    box = _draw_notice(canvas, notice)
    first, *others = sorted(board.teams, key=lambda team: (team.place or len(board.teams), team.seats))
    decisive = None if first.decisive is None else first.decisive.name
    top = Box(box.x, box.y, box.width, min(FIGURES_HEIGHT, box.height))
    rest = box.without_top(FIGURES_HEIGHT + 3)
    low = rest.height < _PLACES
    icon = style.icons["winner"]
    if box.width >= WIDE and not low:
        canvas.stamp(top.x, top.y + (top.height - icon.height) // 2, icon, "winner")
        top = top.without_left(icon.width + 4)
    seats = seats_text(first.seats)
    plate = Box(top.x, top.y, max(12 if box.width < WIDE else 17, TEXT[0].width(seats) + 6), top.height)
    draw_seat(canvas, plate, seats)
    top = top.without_left(plate.width + 4)
    text = str(shown_score(first))
    score = canvas.write_line(top.x, top.y, text, figures_for((text,), top.width, top.height, "digits22"))
    if low:
        draw_others(canvas, box.without_left(score.right + 4 - box.x), others, style)
        return
    unit = style.words.text("unit", decisive or board.unit, {"number": shown_score(first)})
    if score.right + 3 + SMALL.width(unit) <= box.right:
        canvas.write_line(score.right + 3, score.bottom - SMALL.height, unit, SMALL)
    if board.by is not None and rest.height >= LINE + 1 + _PLACES:
        ending = shorten(style.words.text("screen", f"over-{board.by}", {"decisive": decisive}), SMALL, rest.width)
        canvas.write_line(rest.x, rest.y, ending, SMALL)
        rest = rest.without_top(LINE + 1)
    if others:
        _draw_places(canvas, rest, others, style)


def _draw_places(canvas: Canvas, box: Box, teams: Sequence[TeamScore], style: ScreenStyle) -> None:
    """Draw teams with place, seats and score, one under the other or, if they don't fit, side by side; without places
    if there isn't room for that either."""
    scores = [str(shown_score(team)) for team in teams]
    if box.height >= 16 * len(teams) - 2:
        face = figures_for(scores, box.width // 2, 14)
        for row, team, text in zip(box.lines(len(teams), 2), teams, scores, strict=True):
            _draw_place(canvas, row.without_top(2), team)
            canvas.write_line(row.x + 42 if box.width >= WIDE else row.right - face.width(text), row.y, text, face)
        return
    boxes = box.columns(len(teams), 6)
    face = figures_for(scores, boxes[0].width, box.height - LINE - 1)
    if max(map(face.width, scores)) > boxes[0].width + 4:
        draw_others(canvas, box, teams, style)
        return
    for column, team, text in zip(boxes, teams, scores, strict=True):
        _draw_place(canvas, column, team)
        canvas.write_line(column.x, column.y + LINE + 1, text, face)


def _draw_place(canvas: Canvas, box: Box, team: TeamScore) -> None:
    """Draw a team's place, if it fits, and its seats."""
    place = f"{team.place}."
    x = box.x + SMALL.width(place) + 3
    if x + tag_width(team.seats) <= box.right:
        canvas.write_line(box.x, box.y + 1, place, SMALL)
    else:
        x = box.x
    draw_tag(canvas, x, box.y, team.seats)


def _draw_notice(canvas: Canvas, notice: str | None) -> Box:
    """Write a notice in one or two lines along the bottom if the display is high enough. Return the box above it."""
    box = canvas.box
    if notice is None or box.height < FIGURES_HEIGHT + 2:
        return box
    text = layout_text(notice, (SMALL,), box.width - 4, 2 * LINE + 1 if box.height >= TALL else LINE - 1)
    return Box(0, 0, box.width, canvas.notice(box, text).y - 2)
