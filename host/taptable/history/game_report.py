"""Tells a recorded game move by move, with table times, as lines of text, for `taptable games show`. `playback` replays
it meanwhile. Must not know a game or a language: `narration.sentences` has the sentences."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from taptable.core.scoreboard import TeamScore
from taptable.history.playback import open_recorded_game, replay_events
from taptable.memory.game_export import Transcript
from taptable.memory.records import GameHeader
from taptable.narration.sentences import sentences_of
from taptable.referee.session import Decision
from taptable.referee.step import Table
from taptable.words import Words


def report_lines(transcript: Transcript, words: Words) -> Iterator[str]:
    """Yield the lines of a recorded game's report, up to its end. Raises `ReplayMismatch` where the replay differs from
    the record."""
    header = transcript.game.header
    table, opening_announcements = open_recorded_game(header)
    yield from _heading(transcript.game.id, header, words)
    for announcement in opening_announcements:
        yield f"{format_time(header.at_us)}  {words.announcement(announcement, 'told')}"
    afterwards: list[str] = []  # sentences after the end, held until the end is taken back
    for event in replay_events(transcript):
        ends = False
        if isinstance(event, Decision):
            at_us, table, ends = event.observation.at_us, event.table, event.ends_the_game
        else:
            at_us = event.at_us
        afterwards += [f"{format_time(at_us)}  {sentence}" for sentence in sentences_of(event, words)]
        if ends or table.game.outcome(table.state) is None:
            yield from afterwards
            afterwards.clear()
    yield from score_lines(table, words)


def format_time(at_us: int) -> str:
    """Return a table time, or a length of time, as hours, minutes, seconds and milliseconds."""
    seconds, us = divmod(at_us, 1_000_000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{us // 1000:03}"


def format_start(header: GameHeader) -> str | None:
    """Return the local date and time at which a game began; None if no clock knew it."""
    if header.begun_utc is None:
        return None
    try:
        return f"{datetime.fromisoformat(header.begun_utc).astimezone():%Y-%m-%d %H:%M}"
    except ValueError:
        return header.begun_utc


def _heading(game_id: int, header: GameHeader, words: Words) -> Iterator[str]:
    facts = {"id": game_id, "game": header.game, "edition": header.edition, "players": header.players}
    yield words.text("told", "heading", {**facts, "deck": header.deck, "rules": header.rules_version})
    started = format_start(header)
    if started is not None:
        yield words.text("told", "begun", {"begun": started})
    if header.settings:
        rules = ", ".join(f"{key}={value}" for key, value in sorted(header.settings.items()))
        yield words.text("told", "house-rules", {"rules": rules})
    yield ""


def _standing(team: TeamScore) -> tuple[int, int]:
    """Return a sort key of the ranking: by the places, or before the end by what will decide them."""
    return team.place or 0, -(team.score if team.decisive is None else team.decisive.have)


def score_lines(table: Table, words: Words) -> Iterator[str]:
    """Yield the teams by their places, or by their standing before the end."""
    scoreboard = table.scoreboard
    yield ""
    yield words.text("told", "end" if scoreboard.over else "so-far")
    for team in sorted(scoreboard.teams, key=_standing):
        facts = {"place": team.place, "seats": team.seats, "score": team.score, "unit": scoreboard.unit}
        if team.decisive is None:
            sentence = words.text("told", "place", facts)
        else:
            counted = {"counted": team.decisive.name, "have": team.decisive.have}
            sentence = words.text("told", "place-by", {**facts, **counted})
        yield f"  {sentence[:1].upper()}{sentence[1:]}"
