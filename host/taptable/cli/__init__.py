"""The command line: one module per command, each with `add(commands)`, which registers the function that runs it.
Drivers add commands of their own. Must not know what a command does."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

from taptable import __version__
from taptable.cli.output import plain_output
from taptable.core.errors import TaptableError
from taptable.drivers.registry import installed_drivers, module_of

COMMANDS = (
    "run",
    "page",
    "bridge",
    "league",
    "status",
    "seats",
    "doctor",
    "demo",
    "deck",
    "cards",
    "sdcard",
    "updates",
    "games",
    "members",
    "replay",
    "simulate",
    "referee",
)
"""The commands' modules, in the order of the help."""


class _Parser(argparse.ArgumentParser):
    """Reports a mistake in one line, without the usage, which ``--help`` shows."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status. A mistake in the input gives a sentence on standard error and status
    2."""
    argv = sys.argv[1:] if arguments is None else list(arguments)
    parser = _Parser(prog="taptable", description="A referee for card games on a real table.")
    parser.add_argument("--version", action="version", version=f"taptable {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    modules = _modules()
    # for one command, only what that command imports is loaded
    names = argv[:1] if argv and argv[0] in modules else modules
    for module in dict.fromkeys(modules[name]() for name in names):
        module.add(commands)
    _replace_unencodable_letters()
    with plain_output():
        return _run(parser, argv)


def _modules() -> dict[str, Callable[[], Any]]:
    """Return the loader of each command's module, in the order of the help: drivers' commands come after the
    doctor's."""
    modules: dict[str, Callable[[], Any]] = {}
    for name in COMMANDS:
        modules[name] = partial(import_module, f"taptable.cli.{name}")
        if name == "doctor":
            for driver in installed_drivers():
                modules |= dict.fromkeys(driver.commands, partial(module_of, driver, "commands"))
    return modules


def _run(parser: argparse.ArgumentParser, argv: Sequence[str]) -> int:
    args = parser.parse_args(argv)
    try:
        status = args.run(args)
        sys.stdout.flush()
    except TaptableError as error:
        for sentence in str(error).splitlines():
            print(f"taptable {args.command}: {sentence}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # the reader of our output has gone; without this Python would complain once more when it exits
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _replace_unencodable_letters() -> None:
    """Print a question mark for a letter that the terminal lacks, instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
