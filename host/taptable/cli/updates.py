"""``taptable updates``: checks once whether a newer version is out, at the place that the configuration names; without
one it fetches nothing. `memory.update_check` reads the announcement, and stores the result for page and doctor."""

from __future__ import annotations

import argparse
import http.client
import sys
import urllib.error
import urllib.request
from concurrent.futures import Future
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import IO

from taptable import __version__
from taptable.cli.options import add_config_option, config_from
from taptable.core.errors import ConfigError
from taptable.memory.update_check import (
    MAX_BYTES,
    UPDATE_FILE,
    ReleaseAnnouncement,
    UpdateCheck,
    announcement_in,
    save_check,
)

PATIENCE_S = 20.0
"""Seconds for the whole check: a server that sends a byte a second isn't read to its end."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "updates",
        help="check whether a newer version is out",
        description="Fetches the announcement that [updates] of the configuration names, once, and prints it. Without"
        " [updates] nothing is fetched. Exits with 1 if it could not be read.",
    )
    add_config_option(parser)
    parser.add_argument(
        "--keep",
        action="store_true",
        help=f"store the result in {UPDATE_FILE}, for page and doctor to show (the service does this)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check; return 1 if the announcement couldn't be read."""
    source = config_from(args, with_parts=False).updates
    today = None if source is None else check_for_update(source)
    if args.keep:
        try:
            save_check(today)
        except OSError as error:
            raise ConfigError(f"{UPDATE_FILE} can't be written: {error.strerror}.") from error
    if today is None:
        print("The configuration has no [updates]: nothing is checked.")
        return 0
    if today.announced is None:
        print(f"taptable updates: {today.trouble}", file=sys.stderr)
        return 1
    print(_describe(today.announced))
    return 0


def _describe(announced: ReleaseAnnouncement) -> str:
    if not announced.is_newer:
        return f"No newer version than {__version__} is out."
    return f"{announced.version} is out since {announced.date}: {announced.sentence} {announced.address}"


def check_for_update(source: str | Path, patience_s: float = PATIENCE_S) -> UpdateCheck:
    """Check the announcement at an https address or in a file; `trouble` says why it wasn't there in time or can't be
    used."""
    found = Future[ReleaseAnnouncement | str]()
    # a socket's own timeout is for each of its waits, and names, headers and redirects may cause any number of these
    Thread(target=lambda: found.set_result(_read_announcement(source)), daemon=True).start()
    try:
        announced = found.result(patience_s)
    except TimeoutError:
        announced = f"it isn't there in {patience_s:g} s"
    day = datetime.now(UTC).date().isoformat()
    if isinstance(announced, str):
        return UpdateCheck(day, trouble=f"The announcement at {source} can't be used: {announced}.")
    return UpdateCheck(day, announced)


def _read_announcement(source: str | Path) -> ReleaseAnnouncement | str:
    """Return the announcement, or why it can't be used."""
    try:
        return announcement_in(_fetch(source))
    except OSError as error:
        return str(error.reason if isinstance(error, urllib.error.URLError) else error.strerror or error)
    except (ValueError, http.client.HTTPException) as error:
        return str(error) or type(error).__name__


def _fetch(source: str | Path) -> bytes:
    """Return the whole content; one byte more than allowed if it is longer."""
    if isinstance(source, Path):
        with source.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    opener = urllib.request.build_opener(_OnlyHttps)
    request = urllib.request.Request(source, headers={"User-Agent": f"taptable/{__version__}"})
    with opener.open(request, timeout=PATIENCE_S) as answer:
        return answer.read(MAX_BYTES + 1)


class _OnlyHttps(urllib.request.HTTPRedirectHandler):
    """Follows redirects to https addresses only, where nobody can change the content on the way."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not newurl.startswith("https://"):
            raise ValueError(f"it leads to {newurl}, which isn't https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)
