"""What serves a league's page, and makes its administrator's account: subcommands of ``taptable league``."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import time
from getpass import getpass

from taptable.core.errors import LeagueError


def add_web(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:  # pyright: ignore[reportPrivateUsage]
    """Register ``league web``."""
    parser = commands.add_parser(
        "web",
        help="serve the league's page alone",
        description="Serves the league's page, until SIGTERM or SIGINT, from the database that workers fill: for"
        " several processes; `taptable league run` does both in one.",
    )
    parser.set_defaults(run=run_web)
    return parser


def add_admin(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> argparse.ArgumentParser:  # pyright: ignore[reportPrivateUsage]
    """Register ``league admin``."""
    parser = commands.add_parser(
        "admin",
        help="make the administrator's account",
        description="Makes the one account by which somebody signs in at the page's desk, in place of an older one;"
        " whoever is signed in there isn't any more. The password is asked for, or read as a line where standard input"
        " is no terminal.",
    )
    parser.add_argument("name", help="who signs in")
    parser.set_defaults(run=run_admin)
    return parser
