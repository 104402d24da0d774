"""The command line: one module a command, each with `add(commands)`, which registers the function that runs it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from taptable import __version__
from taptable.core.errors import TaptableError

COMMANDS = ("referee",)
"""The commands' modules, in the order of the help."""


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage: that is what ``--help`` is for."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit status. What is wrong with the input is one sentence on standard error and status 2."""
    parser = _Parser(prog="taptable", description="A referee for card games on a real table.")
    parser.add_argument("--version", action="version", version=f"taptable {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        import_module(f"taptable.cli.{name}").add(commands)
    args = parser.parse_args(arguments)
    try:
        return args.run(args)
    except TaptableError as error:
        print(f"taptable {args.command}: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # whoever read our output has gone; without this Python would complain once more at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
