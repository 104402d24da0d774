"""``taptable demo``: a simulated table, with the daemon and the drivers of a real one, on a page to watch and play at,
or printed as plain lines. It checks the options and prints addresses; `sim` runs the table."""

from __future__ import annotations

import argparse
import asyncio
import logging
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn

from taptable.cli.options import (
    USUAL_GAME,
    USUAL_PLAYERS,
    add_game_options,
    add_language_option,
    game_options_from,
)
from taptable.core.errors import ConfigError
from taptable.core.game_options import GameOptions
from taptable.games.registry import find_game, package_of
from taptable.logs import log_to_stderr
from taptable.page.listening import listen
from taptable.sim.setting_up import BUILDS, FULL_BUILD
from taptable.words import Vocabulary, Words

FIRST_PORT = 8137
PORTS_TRIED = 20
"""The first port that is tried if none is named, and how many are tried from there on."""
OPENERS = {"darwin": "open", "linux": "xdg-open"}
"""The program of each system that opens an address in the default browser."""


def open_listener(port: int | None) -> socket.socket:
    """Return a listening socket at a free port of this computer: the requested one, or the first free one from
    `FIRST_PORT` on; raise ConfigError if there is none."""
    if port is not None:
        if not 1 <= port <= 65535:
            raise ConfigError(f"--port takes a whole number from 1 to 65535, not {port}.")
        try:
            return listen(port, network=False)
        except OSError as error:
            raise ConfigError(f"--port {port} can't be had: {error.strerror or error}.") from error
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        with suppress(OSError):
            return listen(port, network=False)
    raise ConfigError(f"no port from {FIRST_PORT} to {FIRST_PORT + PORTS_TRIED - 1} is free: name one with --port.")


def show_in_browser(address: str) -> None:
    """Open an address in a browser with a window if possible; otherwise do nothing."""
    opener = OPENERS.get(sys.platform)
    has_windows = sys.platform == "darwin" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if opener is None or not has_windows or shutil.which(opener) is None:
        return
    # detached from the terminal, which a browser without a window would take over
    quiet = subprocess.DEVNULL
    subprocess.Popen([opener, address], stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


SPEED_TO_WATCH = 3.0
SPEED_TO_PLAY = 1.0
"""The default speeds, in the terminal and on the page: table time passes this many times as fast as ours."""
SLOWEST, FASTEST = 0.1, 1000.0
"""The speeds that ``--speed`` accepts."""
PAGE, TERMINAL, LINES = "page", "terminal", "lines"
"""The three forms of the demo: on its page, as lines at ``SPEED_TO_WATCH``, or as lines as fast as possible."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "demo",
        help="run a simulated table on a page, to watch and to play at",
        description="Runs a simulated table: the daemon, the referee and the drivers of a real one over models of its"
        " parts, with virtual players. Its page is for browsers on this computer.",
    )
    parser.set_defaults(where=PAGE)
    mode = parser.add_mutually_exclusive_group()
    for name, help_text in (
        (TERMINAL, "print what the table says as plain lines, without a page"),
        (LINES, "the same, as fast as possible"),
    ):
        mode.add_argument(f"--{name}", action="store_const", dest="where", const=name, help=help_text)
    parser.add_argument(
        "--port", type=int, metavar="N", help="the page's port (default: the first free one from 8137 on)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the page's address without opening a browser")
    add_game_options(parser)
    # None shows later that the option was left out
    parser.set_defaults(game=None, players=None)
    add_language_option(parser)
    parser.add_argument(
        "--humans", type=int, metavar="N", help="people play seats 1 to N (default: 1; only on the page)"
    )
    parser.add_argument(
        "--speed", type=float, metavar="X",
        help=f"how fast time passes (default: {SPEED_TO_PLAY:g}, in the terminal {SPEED_TO_WATCH:g})",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed gives the same players (default: random)")
    parser.add_argument(
        "--build",
        choices=BUILDS,
        help="full: seat boards (default); compact: readers on the Pi's SPI; ready: readers on I2C, buttons on USB;"
        " usb: readers and buttons on USB",
    )
    parser.add_argument("--compact", dest="build", action="store_const", const="compact", help=argparse.SUPPRESS)
    parser.add_argument(
        "--games",
        type=int,
        metavar="N",
        help="the number of games that begin by themselves (0: without end; default: 0 on the page, else 1)",
    )
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep the table and its games in this folder; continue with the table that is there, unless options"
        " ask for another",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the table until a signal, or until its games are over."""
    from taptable.sim.simulation import any_seed  # imported here, with everything that a running table needs

    with _folder(args.keep) as folder:
        game_options = _game_options(args, folder)
        args.humans = _or(args.humans, 1 if args.where == PAGE else 0)
        args.games = _or(args.games, 0 if args.where == PAGE else 1)
        _check(args, game_options)
        args.seed = any_seed() if args.seed is None else args.seed
        pack = find_game(args.game).pack(game_options.manifest)
        words = Words(args.language, Vocabulary((package_of(args.game),), pack))
        show = _serve_page if args.where == PAGE else _print_lines
        status = show(args, game_options, folder, words)
    print(words.text("demo", "again", {"seed": args.seed}))
    if args.keep is not None:
        print(words.text("demo", "kept", {"file": args.keep / "table.toml"}))
    return status


def _serve_page(args: argparse.Namespace, game_options: GameOptions, folder: Path, words: Words) -> int:
    """Serve the page until a signal; return the exit status that a shell expects after it."""
    from taptable.sim.loops import ScaledTimeLoop
    from taptable.sim.page.demo import TableRequest, catch_signals, running_demo, serve_page, wait_for_signal

    log_to_stderr(logging.ERROR)
    listener = open_listener(args.port)
    people = tuple(range(1, args.humans + 1))
    request = TableRequest(args.game, game_options, args.language, args.seed, people, args.build, args.edition_open)
    loop = ScaledTimeLoop(args.speed or SPEED_TO_PLAY)

    async def serve() -> int:
        with catch_signals() as signals:
            async with (
                running_demo(request, folder, sockets, loop, args.games) as evening,
                serve_page(listener, sockets, loop.wall_clock_sleep),
            ):
                assert evening.harness is not None
                await evening.harness.daemon.page_connected.wait()
                address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
                print(words.text("demo", "page-at", {"address": address}), flush=True)
                if not args.no_browser:
                    show_in_browser(address)
                return await wait_for_signal(signals, evening.running)

    # a socket's path has to be short, and the folder's may be long
    with listener, TemporaryDirectory(prefix="taptable-") as name, asyncio.Runner(loop_factory=lambda: loop) as runner:
        sockets = Path(name)
        return runner.run(serve())


def _print_lines(args: argparse.Namespace, game_options: GameOptions, folder: Path, words: Words) -> int:
    """Print a line for each sentence until the last game is over."""
    from taptable.sim.demo_lines import play_as_lines
    from taptable.sim.loops import ScaledTimeLoop
    from taptable.sim.setting_up import set_up

    log_to_stderr(logging.WARNING)
    config = set_up(folder, args.game, game_options, args.language, build=args.build, seed=args.seed)
    loop = ScaledTimeLoop(args.speed or (SPEED_TO_WATCH if args.where == TERMINAL else math.inf))
    with _exit_on_signals(), asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(
            play_as_lines(config, game_options, args.seed, args.games, words, lambda line: print(line, flush=True))
        )
        return 0


def _game_options(args: argparse.Namespace, folder: Path) -> GameOptions:
    """Return the game options: from the command line if it has any of them, else of the table in the folder, else the
    defaults. Raise ConfigError if the folder contains a table that isn't the demo's."""
    from taptable.sim.setting_up import build_of, load_existing_table

    existing = load_existing_table(folder)
    chosen = (args.game, args.edition, args.players, args.settings or None, args.starter, args.build)
    if existing is not None and not any(each is not None for each in chosen):
        args.game, args.build, args.edition_open = existing.game.name, build_of(existing), False
        return existing.game.game_options
    args.game, args.players = args.game or USUAL_GAME, _or(args.players, USUAL_PLAYERS)
    args.build = args.build or FULL_BUILD
    args.edition_open = args.edition is None
    return game_options_from(args)


@contextmanager
def _exit_on_signals() -> Generator[None]:
    """Exit on a signal as after Ctrl-C, so that temporary files are removed."""

    def leave(number: int, frame: object) -> NoReturn:
        del frame
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _check(args: argparse.Namespace, game_options: GameOptions) -> None:
    """Raise ConfigError for impossible options."""
    find_game(args.game).new_game(game_options, 0, None)
    if args.where != PAGE and args.humans:
        raise ConfigError("--humans needs the page.")
    if not 0 <= args.humans <= game_options.players:
        raise ConfigError(f"--humans takes a whole number from 0 to {game_options.players}, not {args.humans}.")
    if args.speed is not None and not SLOWEST <= args.speed <= FASTEST:
        raise ConfigError(f"--speed takes a number from {SLOWEST:g} to {FASTEST:g}, not {args.speed:g}.")
    for option, value in (("--games", args.games), ("--seed", args.seed)):
        if value is not None and value < 0:
            raise ConfigError(f"{option} takes a whole number from 0 on, not {value}.")


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


@contextmanager
def _folder(keep: Path | None) -> Generator[Path]:
    """Yield the folder for all files; without `keep` it is a temporary one."""
    if keep is None:
        with TemporaryDirectory(prefix="taptable-demo-") as folder:
            yield Path(folder)
        return
    try:
        keep.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"--keep can't have {keep}: {error.strerror}.") from error
    yield keep
