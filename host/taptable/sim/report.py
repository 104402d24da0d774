"""Writes the summary of many simulated games as lines of text, in the players' language: the output of ``taptable
simulate``. The figures come from `statistics`, and the game's own catalogue has its name, its ways to end, and the
labels of the figures. Must not derive a figure from games: it only divides totals by the number of games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from taptable.core.announcements import TurnSkipped, type_name
from taptable.core.game import Game
from taptable.core.game_options import GameOptions
from taptable.sim.simulation import MAX_TURNS
from taptable.sim.statistics import Proportion, Spread, Summary
from taptable.words import Words

Row = tuple[str, ...]
"""The texts of one line, a text for each column."""

SEEDS_NAMED = 5
"""If games got stuck, the report names the seeds of at most this many of them."""


def report(summary: Summary, game: Game[Any], game_options: GameOptions, seed: int, words: Words) -> Iterator[str]:
    """Yield the lines of the report about games that all had these `game_options`; `seed` is the seed of the first."""
    yield title_line(summary, game, game_options, seed, words)
    if game_options.settings:
        yield rules_line(game_options, words)
    yield ""
    yield from _aligned(_length_rows(summary, words))
    yield ""
    yield from _aligned(_win_rows(summary, words))
    yield words.text("simulate", "even", {"even": percent(summary.even, words)})
    if summary.shared_wins:
        yield words.text("simulate", "shared", {"count": summary.shared_wins})
    yield ""
    yield from _aligned([*_window_rows(summary, words), *_counted_rows(summary, game, words)])


def title_line(summary: Summary, game: Game[Any], game_options: GameOptions, seed: int, words: Words) -> str:
    """Return the line that says which games were played; with the edition only if the game has several."""
    facts = {
        "game": words.text("simulate", "game"),
        "edition": game_options.edition,
        "players": game_options.players,
        "games": summary.games,
        "seed": seed,
        "starter": game_options.starter,
    }
    return words.text("simulate", "title" if len(game.editions) > 1 else "title-plain", facts)


def rules_line(game_options: GameOptions, words: Words) -> str:
    """Return the line that lists the house rules."""
    return words.text(
        "simulate", "rules", {"rules": ", ".join(f"{key}={value}" for key, value in game_options.settings.items())}
    )


def speed_line(games: int, seconds: float, words: Words) -> str:
    """Return the line that says how fast the games were played."""
    facts = {"seconds": number(seconds, words), "rate": number(games / seconds, words)}
    return words.text("simulate", "speed", facts)


def percent(part: float, words: Words) -> str:
    """Return a share (0 to 1) as a percentage with one decimal: ``48.5%``."""
    return words.text("number", "percent", {"number": number(100 * part, words)})


def number(value: float, words: Words) -> str:
    """Return a number with one decimal, after the decimal mark of the language."""
    return f"{value:.1f}".replace(".", words.text("number", "decimal-mark"))


def interval(part: Proportion, words: Words) -> str:
    """Return a share and the bounds of its confidence interval: ``48.5% (41.7–55.4)``."""
    bounds = f"{number(100 * part.low, words)}–{number(100 * part.high, words)}"
    return f"{percent(part.share, words)} ({bounds})"


def listed_fates(summary: Summary, words: Words) -> Mapping[str, Proportion]:
    """Return the fates of windows (`statistics.FATES`) to list: those that occurred, and those for which the game's
    catalogue has a name, even if none occurred."""
    return {
        fate: part for fate, part in summary.fates.items() if part.count or words.message("simulate", fate) is not None
    }


def _length_rows(summary: Summary, words: Words) -> Iterator[Row]:
    def spread_texts(key: str, values: Spread) -> Row:
        spread = {"median": f"{values.median:.0f}", "low": f"{values.low:.0f}", "high": f"{values.high:.0f}"}
        return words.text("simulate", key, spread), words.text("simulate", "range", spread)

    yield words.text("simulate", "length"), *spread_texts("turns", summary.turns)
    yield "", *spread_texts("minutes", summary.minutes)
    label = words.text("simulate", "end")
    for way, games in summary.by.items():
        yield label, words.text("simulate", "ended", {"by": way, "turns": MAX_TURNS}), percent(games.share, words)
        label = ""
    if summary.stuck:
        seeds = ", ".join(map(str, summary.stuck[:SEEDS_NAMED]))
        yield "", words.text("simulate", "stuck", {"count": len(summary.stuck), "seeds": seeds}), ""


def _win_rows(summary: Summary, words: Words) -> Iterator[Row]:
    wins = words.text("simulate", "wins")
    yield words.text("simulate", "team"), wins, words.text("simulate", "score")
    for team in summary.teams:
        yield words.seats(team.seats), interval(team.wins, words), f"{team.mean:.0f} ± {team.deviation:.0f}"
    yield words.text("simulate", "order"), wins
    for place, part in enumerate(summary.wins_by_order, 1):
        yield words.text("simulate", "place", {"place": place}), interval(part, words)


def _window_rows(summary: Summary, words: Words) -> Iterator[Row]:
    if summary.windows == 0:
        return
    yield words.text("simulate", "windows"), _mean_text(summary.windows, summary, words)
    for fate, part in listed_fates(summary, words).items():
        yield f"  {words.text('simulate', fate)}", interval(part, words)
    if not summary.claims:
        return
    yield words.text("simulate", "false-alarms"), _mean_text(summary.false_alarms, summary, words)
    tied = {"ties": summary.ties, "claims": summary.claims}
    yield words.text("simulate", "ties"), words.text("simulate", "tied", tied)


def _counted_rows(summary: Summary, game: Game[Any], words: Words) -> Iterator[Row]:
    """Yield a row for each type of announcement that has a label in the catalogues: how many of them a game had, on
    average. Skipped turns are listed only if there were any."""
    for name in map(type_name, (*game.announcements, TurnSkipped)):
        label = words.message("simulate", name)
        if label is not None and (name != type_name(TurnSkipped) or name in summary.announcement_counts):
            yield label, _mean_text(summary.announcement_counts.get(name, 0), summary, words)


def _mean_text(count: int, summary: Summary, words: Words) -> str:
    """Return a total of all games as the mean of a game, in words."""
    return words.text("simulate", "a-game", {"count": number(count / summary.games, words)})


def _aligned(rows: Iterable[Row]) -> Iterator[str]:
    """Return rows as lines, each column as wide as its widest text."""
    rows = list(rows)
    columns = max(map(len, rows), default=0)
    widths = [max(len(row[column]) for row in rows if len(row) > column) for column in range(columns)]
    for row in rows:
        yield "   ".join(text.ljust(width) for text, width in zip(row, widths, strict=False)).rstrip()
