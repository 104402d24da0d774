"""``taptable status``: prints, as a running table reports it by its local API, what it waits for, the score, and which
parts are missing."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec

from taptable.api.client import Client, TableAway
from taptable.api.facts import Alert, JournalFacts, MemberFacts, TableFacts, alerts_of
from taptable.api.replica import Replica
from taptable.api.requests import Request, Role
from taptable.api.socket_paths import socket_folder, socket_path
from taptable.cli.options import add_config_option, config_from
from taptable.cli.output import raw_stream
from taptable.core.part_notices import PartLost
from taptable.core.settings import US_PER_S
from taptable.games.registry import package_of
from taptable.history.game_report import score_lines
from taptable.memory.members import names_of
from taptable.narration.now import now_of
from taptable.referee.session import Session
from taptable.words import Vocabulary, Words, player_names

TOPICS = ("journal", "session", "alerts", "members")
"""The topics of the table that the status is made of."""
JSON_VERSION = 1
"""The version of the JSON output."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "status",
        help="show the state of the running table",
        description="Shows what the running table waits for, the score, and which parts are missing. Exits with 1 if no"
        " table runs.",
    )
    add_config_option(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object on a line, for programs")
    parser.add_argument("--follow", action="store_true", help="show it again at every change, until Ctrl-C")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the state; return 1 if the table isn't there, or has gone."""
    table = config_from(args, with_parts=False).table
    words = Words(table.language, Vocabulary())
    shown = ""
    try:
        with Client(socket_path(socket_folder(table.journal), Role.ADMIN)) as client:
            for state in watch_status(client):
                text = as_json(state) if args.json else as_text(state, words)
                if text != shown:
                    if shown and not args.json:
                        _start_new_screen()
                    print(text, flush=True)
                if not args.follow:
                    return 0
                shown = text
    except TableAway as error:
        print(words.text("cli", "table-away", {"path": str(error.path), "reason": error.reason}), file=sys.stderr)
    return 1


@dataclass(frozen=True, slots=True)
class TableStatus:
    """The state of a running table."""

    table: TableFacts
    journal: JournalFacts
    alerts: tuple[Alert, ...]
    session: Session
    members: tuple[MemberFacts, ...]


def watch_status(client: Client) -> Iterator[TableStatus]:
    """Yield the table's state now, and again after every change."""

    async def call(request: Request) -> dict[str, Any]:
        return client.call(request)

    replica = Replica(call, client.facts.seats, lambda _entry, _event: None)
    topics: dict[str, Any] = {}
    for changed in client.subscribe(*TOPICS):
        topics.update(changed)
        asyncio.run(replica.catch_up(topics["journal"]))
        session = replica.session(topics["session"], topics["time"].at_us)
        yield TableStatus(client.facts, topics["journal"], topics["alerts"], session, topics["members"])


def as_text(state: TableStatus, words: Words) -> str:
    """Return the state as a screen for people."""
    table = state.session.table
    words.vocabulary.set_game((package_of(table.game.name),), table.game.pack(table.game_options.manifest))
    alerts = alerts_of(state.alerts)
    now = now_of(state.session, table.scoreboard, alerts)
    notices = alerts.values()
    missing = [words.part(notice.part) for notice in notices if isinstance(notice, PartLost)]
    lines = [now.title(words), *filter(None, [now.detail(words)]), *_clock_lines(state.session, words)]
    lines += [*score_lines(table, words), ""]
    if missing:
        lines.append(words.text("screen", "missing", {"parts": ", ".join(missing)}))
    lines += [words.notice(notice) for notice in notices if not isinstance(notice, PartLost)]
    if state.journal.stuck:
        lines.append(words.text("notice", "journal-stuck"))
    if not lines[-1]:
        lines.append(words.text("cli", "nothing-missing"))
    return "\n".join(lines)


def _clock_lines(session: Session, words: Words) -> Iterator[str]:
    """Yield lines with the time that is left and with who misses the next turn, if the game has such."""
    board = session.table.scoreboard
    left_us = board.left_us(session.at_us, session.table.paused_at_us)
    if left_us is not None and left_us > 0:
        yield words.text("notice", "time-runs-out", {"minutes": -(-left_us // (60 * US_PER_S))})
    elif left_us is not None:
        yield words.text("cli", "time-is-up")
    if board.skips:
        yield words.text("cli", "skips", {"seats": board.skips})


def as_json(state: TableStatus) -> str:
    """Return the state as JSON for programs, in no language."""
    table = state.session.table
    board = table.scoreboard
    now = now_of(state.session, board, alerts_of(state.alerts))
    left_us = board.left_us(state.session.at_us, table.paused_at_us)
    document = {
        "status": JSON_VERSION,
        "taptable": state.table.version,
        "table": state.table.table,
        "id": state.journal.game,
        "game": table.game.name,
        "edition": table.game_options.edition,
        "players": table.game_options.players,
        "names": player_names(state.session.names, state.session.members, names_of(state.members)),
        "now": {"key": now.key, "facts": now.facts},
        "turn": board.seat,
        "paused": table.paused_at_us is not None,
        "over": board.over,
        "left_s": None if left_us is None else left_us / US_PER_S,
        "skips": board.skips,
        "unit": board.unit,
        "teams": [{"seats": team.seats, "score": team.score, "place": team.place} for team in board.teams],
        "alerts": state.alerts,
        "stuck": state.journal.stuck,
    }
    return msgspec.json.encode(document).decode()


def _start_new_screen() -> None:
    """Clear the terminal before the next screen, or else separate it by an empty line."""
    raw_stream(sys.stdout).write("\x1b[H\x1b[J" if sys.stdout.isatty() else "\n")
