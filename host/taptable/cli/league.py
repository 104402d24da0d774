"""``taptable league``: a league of many tables: its worker, its web page, its tables, its database and its demo. It
imports `league` only once a verb needs it, since a league's packages aren't installed everywhere."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from functools import partial
from getpass import getpass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from taptable.cli.demo import FASTEST, open_listener, show_in_browser
from taptable.cli.options import add_language_option, in_columns
from taptable.core.errors import ConfigError
from taptable.logs import SERVICE_STYLE, log_to_stderr
from taptable.page.network import local_name
from taptable.words import Words

if TYPE_CHECKING:
    from socket import socket

    from sqlalchemy import Engine

    from taptable.league.settings import LeagueSettings
    from taptable.sim.league.demo import LeagueDemo

DEFAULT = Path(os.environ.get("TAPTABLE_LEAGUE", "league.toml"))
"""The league's settings: the file that the environment names for an installed league, else one in the current
folder."""
TABLES = 8
SPEED = 10.0
"""The default number of the demo's tables, and the default speed of their time."""
_MISSING = (
    "a league needs more packages than are installed here: in a clone of taptable `scripts/setup league` installs them"
    " (docs/running-a-league.md)"
)
EXPORTS = ("standings", "games", "ratings")
"""The kinds of exports, as `exports.export_rows` takes them."""

THIS_COMPUTER = ("localhost", "::1", "ip6-localhost")
"""Names of this computer that mean nothing on another."""

Verb = Callable[[argparse.Namespace, "LeagueSettings", "Engine"], int]


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "league",
        help="keep a league of many tables",
        description="Stores, verifies and counts the games of many tables, which send them over MQTT: docs/league.md.",
    )
    parser.add_argument(
        "--settings", type=Path, default=DEFAULT, metavar="FILE", help=f"the league's settings (default: {DEFAULT})"
    )
    add_language_option(parser)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    _add_demo(verbs)
    _add(verbs, "run", _run, "run the worker and the page in one process")
    _add(verbs, "worker", _work, "store and verify the games that tables send")
    _add(verbs, "web", _web, "serve the league's page")
    admin = _add(verbs, "admin", _admin, "set the one account that can sign in at the page; replaces an older one")
    admin.add_argument(
        "name", help="the account's name; the command asks for its password, or reads it from standard input"
    )
    _add(verbs, "migrate", _migrate, "create the database, or bring it up to date")
    _add(verbs, "recompute", _recompute, "recompute all results from the entries, and print differences")
    export = _add(verbs, "export", _export, "write standings, games or ratings as CSV or JSON")
    export.add_argument("what", choices=EXPORTS)
    export.add_argument("--season", metavar="NAME", help="only this season")
    export.add_argument("--json", action="store_true", help="JSON instead of CSV")
    tables = verbs.add_parser("table", help="add, list or revoke the tables of the league")
    of_table = tables.add_subparsers(dest="what", metavar="VERB", required=True)
    adding = _add(of_table, "add", _add_table, "add a table, and print its id and key")
    adding.add_argument("name", help="the table's name")
    adding.add_argument("--club", default="club", help="the club it belongs to (default: %(default)s)")
    adding.add_argument(
        "--host",
        help="the host at which the table reaches the broker (default: the league's, by a name for other computers)",
    )
    _add(of_table, "list", _list_tables, "list the tables")
    revoking = _add(
        of_table, "revoke", _revoke_table, "revoke a table's key: the league accepts nothing from it any more"
    )
    revoking.add_argument("id")


def _add(
    verbs: argparse._SubParsersAction[argparse.ArgumentParser],  # pyright: ignore[reportPrivateUsage]
    name: str,
    verb: Verb,
    help_text: str,
) -> argparse.ArgumentParser:
    parser = verbs.add_parser(name, help=help_text)
    parser.set_defaults(run=partial(_with_database, verb))
    return parser


def _with_database(verb: Verb, args: argparse.Namespace) -> int:
    """Run a verb with the settings and the database; report the database's errors as sentences."""
    if find_spec("sqlalchemy") is None:
        raise ConfigError(_MISSING)
    from sqlalchemy.exc import DBAPIError

    from taptable.core.errors import LeagueError
    from taptable.league.database import open_database
    from taptable.league.settings import load_settings

    settings = load_settings(args.settings)
    engine = open_database(settings.database)
    try:
        return verb(args, settings, engine)
    except DBAPIError as error:
        says = str(error.orig).strip().partition("\n")[0]
        raise LeagueError(f"the league's database {engine.url!r} can't be used: {says}") from error
    finally:
        engine.dispose()


def _run(_: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import migrate
    from taptable.league.worker import Worker, run_until_signal, tune_garbage_collector

    migrate(engine)
    log_to_stderr(logging.INFO, SERVICE_STYLE)
    tune_garbage_collector()
    asyncio.run(run_until_signal(lambda: _serve_page_while(Worker(settings, engine).run(), settings, engine)))
    return 0


def _web(_: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import check_version
    from taptable.league.worker import run_until_signal

    check_version(engine)
    log_to_stderr(logging.INFO, SERVICE_STYLE)
    asyncio.run(run_until_signal(lambda: _serve_page_while(asyncio.Event().wait(), settings, engine)))
    return 0


async def _serve_page_while(doing: Coroutine[Any, Any, object], settings: LeagueSettings, engine: Engine) -> None:
    """Serve the page while a coroutine runs."""
    from taptable.league.web.site import serve_league

    async with serve_league(engine, settings.name, settings.language, settings.page, settings.broker):
        await doing


def _admin(args: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import migrate, write_transaction
    from taptable.league.web.accounts import set_administrator

    del settings
    migrate(engine)
    words = Words(args.language)
    if sys.stdin.isatty():
        password = getpass(f"{words.text('league', 'sign-in-password')}: ")
        if getpass(f"{words.text('league', 'sign-in-again')}: ") != password:
            raise ConfigError("these are two different passwords")
    else:
        password = sys.stdin.readline().rstrip("\n")
    with write_transaction(engine) as connection:
        set_administrator(connection, args.name, password, int(time.time()))
    print(words.text("league", "admin-made", {"name": args.name}))
    return 0


def _work(_: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import check_version
    from taptable.league.worker import Worker, run_until_signal, tune_garbage_collector

    check_version(engine)
    log_to_stderr(logging.INFO, SERVICE_STYLE)
    tune_garbage_collector()
    asyncio.run(run_until_signal(lambda: Worker(settings, engine).run()))
    return 0


def _migrate(_: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import migrate

    migrate(engine)
    del settings
    return 0


def _recompute(args: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import check_version, read_transaction
    from taptable.league.recomputing import recompute

    del settings
    check_version(engine)
    words = Words(args.language)
    with read_transaction(engine) as connection:
        found = recompute(connection)
    for difference in found.differences:
        print(difference)
    facts = {"games": found.games, "entries": found.entries, "differences": len(found.differences)}
    print(words.text("league-cli", "recomputed", facts))
    return 1 if found.differences else 0


def _export(args: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import check_version, read_transaction
    from taptable.league.exports import csv_of, export_rows
    from taptable.league.standings import seasons

    del settings
    check_version(engine)
    with read_transaction(engine) as connection:
        season = None
        if args.season is not None:
            names = {each.name: each.id for each in seasons(connection)}
            if args.season not in names:
                raise ConfigError(f"there is no season {args.season!r}: there are {', '.join(names) or 'none yet'}")
            season = names[args.season]
        heading, rows = export_rows(connection, args.what, season)
    if args.json:
        print(json.dumps([dict(zip(heading, row, strict=True)) for row in rows], ensure_ascii=False, indent=1))
        return 0
    print(csv_of(heading, rows), end="")
    return 0


def _add_table(args: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import migrate, write_transaction
    from taptable.league.tables import add_table

    migrate(engine)
    with write_transaction(engine) as connection:
        table = add_table(connection, args.name, args.club, int(time.time()))
    words = Words(args.language)
    broker = settings.broker
    print(words.text("league-cli", "table-added", {"name": table.name, "id": table.id}), file=sys.stderr)
    print("[league]")
    print(f"host = {json.dumps(args.host or _host_for_others(broker.account.host))}")
    print(f"port = {broker.account.port}")
    print(f"tls = {'true' if broker.account.tls else 'false'}")
    print(f"table = {json.dumps(table.id)}")
    print('key_file = "league.key"')
    print(words.text("league-cli", "table-key"), file=sys.stderr)
    print(f"# {table.key}")
    return _write_accounts(args, settings, engine)


def _host_for_others(host: str) -> str:
    """Return the address by which another computer finds the broker that this one finds at `host`."""
    return local_name() if host in THIS_COMPUTER or host.startswith("127.") else host


def _list_tables(args: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import check_version, read_transaction
    from taptable.league.live_tables import table_list

    del settings
    check_version(engine)
    words = Words(args.language)
    with read_transaction(engine) as connection:
        tables = table_list(connection)
    rows = [words.text("league-cli", "tables").split(",")]
    for table in tables:
        last_heard = (
            "–" if table.last_heard is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(table.last_heard))
        )
        state = words.text("league-cli", "table-revoked" if table.revoked else "table-takes-part")
        rows.append([table.id, table.name, table.club, state, last_heard])
    print("\n".join(in_columns(rows)))
    for table in tables:
        for remark in table.remarks:
            last = time.strftime("%Y-%m-%d %H:%M", time.localtime(remark.last))
            says = words.text("league-remark", remark.key)
            facts = {"name": table.name, "times": remark.times, "last": last, "says": says}
            print(words.text("league-cli", "remark", facts))
    return 0


def _revoke_table(args: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    from taptable.league.database import check_version, write_transaction
    from taptable.league.tables import revoke_table

    check_version(engine)
    with write_transaction(engine) as connection:
        revoke_table(connection, args.id, int(time.time()))
    return _write_accounts(args, settings, engine)


def _write_accounts(args: argparse.Namespace, settings: LeagueSettings, engine: Engine) -> int:
    """Write the brokers' account files on this computer, if the settings name them."""
    from taptable.league.broker_accounts import write_broker_accounts
    from taptable.league.database import read_transaction
    from taptable.league.tables import all_tables

    with read_transaction(engine) as connection:
        tables = all_tables(connection)
    words = Words(args.language)
    for kind, file in write_broker_accounts(settings.broker, tables).items():
        print(words.text("league-cli", kind, {"file": file}), file=sys.stderr)
    return 0


def _add_demo(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    parser = verbs.add_parser(
        "demo",
        help="run a league of simulated tables, on a page to watch",
        description="Runs a league on this computer with simulated tables that play one game after the other: a"
        " Mosquitto, which has to be installed, and the daemon, the bridge and the league as in a real one.",
    )
    parser.add_argument(
        "--tables", type=int, default=TABLES, metavar="N", help="the number of tables (default: %(default)s)"
    )
    parser.add_argument(
        "--speed",
        type=float,
        default=SPEED,
        metavar="X",
        help="how fast the tables' time passes (default: %(default)g)",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the same seed gives the same players")
    parser.add_argument(
        "--port", type=int, metavar="N", help="the page's port (default: the first free one from 8137 on)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the page's address without opening a browser")
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep the league in this folder, and continue with the one that is there",
    )
    parser.set_defaults(run=_demo)


def _demo(args: argparse.Namespace) -> int:
    """Run the demo until a signal."""
    if find_spec("sqlalchemy") is None:
        raise ConfigError(_MISSING)
    from taptable.sim.league.demo import MAX_TABLES, LeagueDemo

    if not 1 <= args.tables <= MAX_TABLES:
        raise ConfigError(f"--tables takes a whole number from 1 to {MAX_TABLES}, not {args.tables}.")
    if not 0 < args.speed <= FASTEST:
        raise ConfigError(f"--speed takes a number up to {FASTEST:g}, not {args.speed:g}.")
    log_to_stderr(logging.ERROR)
    words = Words(args.language)
    demo = LeagueDemo(
        args.tables,
        args.speed,
        args.seed,
        args.language,
        words.text("league-cli", "demo"),
        lambda number: words.text("league-cli", "demo-table", {"number": number}),
    )
    with open_listener(args.port) as listener, ExitStack() as stack:
        if args.keep is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="taptable-league-")))
        else:
            folder = args.keep
            folder.mkdir(parents=True, exist_ok=True)
        return asyncio.run(_show_demo(demo, folder, listener, words, browser=not args.no_browser))


async def _show_demo(demo: LeagueDemo, folder: Path, listener: socket, words: Words, *, browser: bool) -> int:
    from taptable.sim.league.demo import running_league
    from taptable.sim.page.demo import catch_signals, wait_for_signal

    with catch_signals() as signals:
        async with running_league(demo, folder.absolute(), listener) as running:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            print(words.text("league-cli", "demo-at", {"address": address, "tables": demo.tables}), flush=True)
            if browser:
                show_in_browser(address)
            return await wait_for_signal(signals, running)
