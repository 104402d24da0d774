"""Recorded games as a browser gets them: a line in the list, the course of a game, its steps, and the table after a
step, in the shapes of the running table's parts. Pure; must not know who asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from taptable.core.announcements import GameEnded, type_name
from taptable.history.course import Course
from taptable.history.tally import REFUSALS, TURNS
from taptable.memory.records import GameSummary
from taptable.page.view import LogItem, decisive_count, parts_of
from taptable.referee.session import open_session
from taptable.words import Words, player_names

Json = dict[str, Any]


def line_of(
    game_id: int, summary: GameSummary | None, names: tuple[str, ...], last_id: int, trouble: str | None
) -> Json:
    """Return a game's line in the list; without a summary nothing is known of it. `last_id` is the game begun last,
    `trouble` the sentence why it can't be replayed."""
    line = {"id": game_id, "names": list(names), "trouble": trouble}
    return line if summary is None else {**line, **_heading(summary, last_id)}


def course_of(summary: GameSummary, course: Course | None, last_id: int, words: Words, trouble: str | None) -> Json:
    """Return a game without its steps: its end or present state, the course of scores and places, and each player's
    figures."""
    heading = {"id": summary.id, "trouble": trouble, **_heading(summary, last_id)}
    if course is None:
        return {**heading, "names": [], "teams": _ranking(summary), "steps": 0}
    words = words.with_names(course.names, course.members)
    return {
        **heading,
        "names": list(words.vocabulary.names),
        "played_us": course.played_us,
        "end": next(
            (
                words.announcement(milestone.announcement, "told")
                for milestone in reversed(course.tally.milestones)
                if isinstance(milestone.announcement, GameEnded)
            ),
            None,
        ),
        "teams": _teams(course),
        "standings": [[each.played_us, list(each.scores), list(each.places)] for each in course.standings],
        "milestones": [
            {
                "at_us": milestone.played_us,
                "step": milestone.step,
                "type": type_name(type(milestone.announcement)),
                "text": words.announcement(milestone.announcement, "told"),
            }
            for milestone in course.tally.milestones
        ],
        "figures": _figures(course, words),
        "steps": len(course.steps),
    }


def step_of(course: Course, number: int, words: Words) -> Json:
    """Return one step, in sentences."""
    step = course.steps[number]
    items = [LogItem(each)(words.with_names(course.names, course.members)) for each in step.narrate()]
    return {
        "n": number,
        "at_us": step.played_us,
        "text": " ".join(item["text"] for item in items),
        **{field: items[0][field] for field in ("kind", "mood", "type", "seat", "card")},
    }


def position_of(course: Course, number: int, name: str, words: Words) -> Json:
    """Return the parts of the table, which has this name, as it was after a step."""
    table = course.steps[number].table
    names = player_names(course.names, course.members, words.vocabulary.member_names)
    session = open_session(table, table.game_options.players, 0, table.at_us, names)
    parts = parts_of(session, name)
    return {key: value(words) if callable(value) else value for key, value in parts.items()}


def _heading(summary: GameSummary, last_id: int | None) -> Json:
    header = summary.header
    return {
        "begun_utc": header.begun_utc,
        "game": header.game,
        "edition": header.edition,
        "players": header.players,
        "settings": dict(header.settings),
        "length_us": summary.length_us,
        "winner": None if summary.winner is None else list(summary.winner),
        "running": summary.outcome is None and summary.id == last_id,
    }


def _teams(course: Course) -> list[Json]:
    places = course.standings[-1].places
    return [
        {
            "seats": list(team.seats),
            "score": team.score,
            "unit": course.board.unit,
            "place": place,
            "decisive": decisive_count(team),
            "marks": [
                {"name": mark.name, "have": mark.have, "need": mark.need, "secured": mark.secured}
                for mark in team.marks
            ],
        }
        for team, place in zip(course.board.teams, places, strict=True)
    ]


def _ranking(summary: GameSummary) -> list[Json]:
    """Return the teams of a game of which only the outcome is known."""
    ranking: list[Mapping[str, Any]] = [] if summary.outcome is None else summary.outcome.get("ranking", [])
    return [{"seats": list(team["seats"]), "place": team["place"]} for team in ranking]


def _figures(course: Course, words: Words) -> list[Json]:
    """Return each player's figures, seat 1 first: a count, a time in µs, or a press in a window."""
    tally = course.tally
    seats = range(1, course.header.players + 1)
    own = dict.fromkeys(figure.key for figure in tally.figures)
    counts = {key: [tally.counts[key, seat] for seat in seats] for key in (TURNS, *own, REFUSALS)}
    buzzes = [tally.fastest.get(seat) for seat in seats]
    presses = [None if buzz is None else [buzz.after_us, buzz.uncertainty_us] for buzz in buzzes]
    figures: list[tuple[str, str, Sequence[Any]]] = [(key, "count", values) for key, values in counts.items()]
    figures.insert(1, ("turn-time", "time", [tally.mean_turn_us(seat) for seat in seats]))
    figures.insert(1, ("best-turn", "gain", [tally.best_turn(seat) for seat in seats]))
    figures.append(("fastest-buzz", "press", presses))
    unit = course.board.unit
    return [
        {"key": key, "kind": kind, "name": words.text("figure", key, {"unit": unit}), "values": values}
        for key, kind, values in figures
    ]
