"""Draws the summary of many games (`statistics`) as one figure of four panels, or of three for a game without windows.
Imported only where a plot is requested, because it needs matplotlib. All words in the figure are in the players'
language, and nothing depends on colour alone. Must not derive a figure from games: `statistics` does."""

# matplotlib's own types leave its keyword arguments open
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from taptable.core.errors import ConfigError
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.sim.report import interval, listed_fates, rules_line, title_line
from taptable.sim.statistics import GameFigures, Proportion, Summary
from taptable.words import Words

# the palette of Okabe and Ito, which people tell apart whatever their colour vision; hatches say the same without
# colour
SKY, BLUE, ORANGE, GREEN, RED = "#56b4e9", "#0072b2", "#e69f00", "#009e73", "#d55e00"
FILLS = (SKY, ORANGE, GREEN, "#cc79a7", "#f0e442", "#bbbbbb")
HATCHES = ("", "//", "..", "xx", "\\\\", "++")
INK, PALE = "#222222", "#9a9a9a"

BARS = 20
"""Maximum number of bars for the length of games. With more bars their heights would differ mainly by chance."""

STYLE: dict[Any, Any] = {
    "font.size": 11,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.axisbelow": True,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "taptable",  # names in an SVG would differ from run to run
}


def draw(
    games: Sequence[GameFigures],
    summary: Summary,
    game: Game[Any],
    game_options: GameOptions,
    seed: int,
    words: Words,
    paths: Sequence[Path],
) -> None:
    """Draw the figure into each file, a PNG or an SVG by its name; ConfigError if one can't be written."""
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(12.5, 9.5), layout="constrained", facecolor="white")
        heading = title_line(summary, game, game_options, seed, words)
        if game_options.settings:
            heading += "\n" + rules_line(game_options, words)
        figure.suptitle(heading, fontsize=12)
        fates = listed_fates(summary, words)  # the ways in which windows ended; empty if the game has no windows
        panels = figure.subplot_mosaic([["length", "scores"], ["wins", "fates" if fates else "wins"]])
        _draw_length(panels["length"], games, summary, words)
        _draw_scores(panels["scores"], games, summary, words)
        _draw_wins(panels["wins"], summary, words)
        if fates:
            _draw_fates(panels["fates"], fates, summary, words)
        for path in paths:
            # a date would make every SVG differ
            metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
            try:
                figure.savefig(path, dpi=150, metadata=metadata)
            except OSError as error:
                raise ConfigError(f"--plot can't write {path}: {error.strerror}.") from error


def length_edges(turns: Sequence[int]) -> list[float]:
    """Return the edges between the bars for these lengths of games: at most `BARS` bars, each for the same number of
    turns."""
    step = ceil((max(turns) - min(turns) + 1) / BARS)
    return [least - 0.5 for least in range(min(turns), max(turns) + step + 1, step)]


def _draw_length(axes: Axes, games: Sequence[GameFigures], summary: Summary, words: Words) -> None:
    """Draw how many games took how many turns; the median as a line, eight of ten games as a band."""
    turns = [game.turns for game in games]
    spread = summary.turns
    axes.axvspan(
        spread.low - 0.5, spread.high + 0.5, color=PALE, alpha=0.25, label=words.text("simulate", "middle-plot")
    )
    counts, *_ = axes.hist(turns, bins=length_edges(turns), color=SKY, edgecolor=INK, linewidth=0.6)
    axes.set_ylim(0, 1.25 * max(map(float, counts)))
    median = words.text("simulate", "median-plot", {"median": f"{spread.median:.0f}"})
    axes.axvline(spread.median, color=RED, linewidth=2, linestyle="--", label=median)
    axes.set_title(words.text("simulate", "length-plot"))
    axes.set_xlabel(words.text("simulate", "turns-axis"))
    axes.set_ylabel(words.text("simulate", "games-axis"))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False, loc="upper right")


def _draw_scores(axes: Axes, games: Sequence[GameFigures], summary: Summary, words: Words) -> None:
    """Draw a box for each team: the middle half of its scores, whiskers to 10 and 90 %, a diamond for the mean."""
    scores = [[game.scores[index] for game in games] for index in range(len(summary.teams))]
    boxes = axes.boxplot(
        scores,
        whis=(10, 90),
        widths=0.55,
        showmeans=True,
        patch_artist=True,
        medianprops={"color": INK, "linewidth": 2},
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": INK, "markersize": 8},
        flierprops={"marker": ".", "markersize": 4, "markeredgecolor": PALE},
    )
    for box, fill, hatch in zip(boxes["boxes"], FILLS, HATCHES, strict=False):
        box.set(facecolor=fill, hatch=hatch, edgecolor=INK)
    top = max(map(max, scores)) or 1
    for place, team in enumerate(summary.teams, 1):
        axes.text(place, 1.04 * top, f"{team.mean:.0f} ± {team.deviation:.0f}", ha="center", va="bottom", fontsize=10)
    axes.plot([], [], "D", color="white", markeredgecolor=INK, markersize=8, label=words.text("simulate", "mean-plot"))
    axes.set_xticks(range(1, len(scores) + 1), [_name(team.seats, words) for team in summary.teams])
    axes.set_title(words.text("simulate", "score-plot"))
    axes.set_ylabel(words.text("simulate", "score-axis"))
    axes.set_ylim(0, 1.25 * top)
    axes.legend(frameon=False, loc="upper right", fontsize=10)
    axes.grid(axis="y", color=PALE, alpha=0.4, linewidth=0.6)


def _draw_wins(axes: Axes, summary: Summary, words: Words) -> None:
    """Draw the share of wins of each team, and of each place in the order of play, with 95 % intervals."""
    teams = [(_name(team.seats, words), team.wins) for team in summary.teams]
    positions = [(f"{place}.", proportion) for place, proportion in enumerate(summary.wins_by_order, 1)]
    gap = len(teams) + 1
    highest = min(1.0, 1.3 * max(proportion.high for _, proportion in (*teams, *positions)))
    for first, group, marker, colour, label in (
        (1, teams, "o", BLUE, words.text("simulate", "by-team")),
        (gap + 1, positions, "s", RED, words.text("simulate", "by-order")),
    ):
        _draw_shares(axes, first, [proportion for _, proportion in group], marker, colour)
        axes.text(first + (len(group) - 1) / 2, 0.94 * highest, label, ha="center", va="top", color=colour)
    axes.axhline(summary.even, color=INK, linestyle=":", linewidth=1.5, label=words.text("simulate", "even-plot"))
    axes.axvline(gap, color=PALE, linewidth=0.8)
    ticks = [*range(1, gap), *range(gap + 1, gap + 1 + len(positions))]
    axes.set_xticks(ticks, [name for name, _ in (*teams, *positions)])
    axes.set_xlim(0.4, ticks[-1] + 0.6)
    axes.set_ylim(0, highest)
    axes.yaxis.set_major_formatter(FuncFormatter(_whole_percent))
    axes.set_title(words.text("simulate", "wins-plot"))
    axes.set_ylabel(words.text("simulate", "wins-axis"))
    axes.grid(axis="y", color=PALE, alpha=0.4, linewidth=0.6)
    axes.legend(frameon=False, loc="lower right", fontsize=10)


def _draw_shares(axes: Axes, first: int, proportions: Sequence[Proportion], marker: str, colour: str) -> None:
    positions = [first + index for index in range(len(proportions))]
    below = [each.share - each.low for each in proportions]
    above = [each.high - each.share for each in proportions]
    axes.errorbar(
        positions, [each.share for each in proportions], yerr=(below, above),
        fmt=marker, color=colour, markersize=9, capsize=6, linewidth=2,
    )  # fmt: skip


def _draw_fates(axes: Axes, fates: Mapping[str, Proportion], summary: Summary, words: Words) -> None:
    """Draw how many windows ended in each way, as shares of all windows: one bar for each way."""
    axes.set_title(words.text("simulate", "windows-plot"))
    if summary.windows == 0:
        axes.set_axis_off()
        axes.text(0.5, 0.5, words.text("simulate", "no-windows"), ha="center", va="center", transform=axes.transAxes)
        return
    names = [_wrapped(words.text("simulate", fate)) for fate in fates]
    proportions = list(fates.values())
    bars = axes.barh(
        names, [each.share for each in proportions], color=FILLS[: len(proportions)], edgecolor=INK, height=0.65
    )
    for place, (bar, hatch, proportion) in enumerate(zip(bars.patches, HATCHES, proportions, strict=False)):
        bar.set_hatch(hatch)
        axes.text(proportion.share + 0.01, place, interval(proportion, words), va="center", fontsize=10)
    axes.invert_yaxis()
    axes.set_xlim(0, min(1.35, max(each.share for each in proportions) + 0.38))
    axes.xaxis.set_major_formatter(FuncFormatter(_whole_percent))
    axes.set_xlabel(words.text("simulate", "fates-axis"))


def _whole_percent(share: float, _: int) -> str:
    """Return the label of a tick on an axis of shares; "" beyond 100 %."""
    return f"{100 * share:.0f} %" if share <= 1 else ""


def _name(seats: tuple[int, ...], words: Words) -> str:
    return _wrapped(words.seats(seats))


def _wrapped(text: str) -> str:
    """Return a label in two lines, broken after the comma or at the space nearest the middle."""
    head, comma, tail = text.partition(", ")
    if comma:
        return f"{head},\n{tail}"
    spaces = [place for place, letter in enumerate(text) if letter == " "]
    cut = min(spaces, key=lambda place: abs(place - len(text) / 2), default=len(text))
    return f"{text[:cut]}\n{text[cut + 1 :]}" if spaces else text
