"""The options that say which game is played and how, the same for every command that plays one."""

from __future__ import annotations

import argparse
import os

from taptable.core.agreed import Agreed
from taptable.core.errors import ConfigError
from taptable.games.registry import GAMES
from taptable.words import LANGUAGES


def add_game_options(parser: argparse.ArgumentParser, players: int = 4) -> None:
    """``--game``, ``--edition``, ``--players``, ``--set`` and ``--starter``."""
    parser.add_argument("--game", default="online", metavar="NAME", help=f"one of {', '.join(sorted(GAMES))}")
    parser.add_argument("--edition", metavar="ID", help="an edition, where there are several (ONLINE: de, en, fr, nl)")
    parser.add_argument("--players", type=int, default=players, metavar="N", help=f"how many play (default {players})")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", dest="settings", help="a house rule; may be repeated"
    )
    parser.add_argument("--starter", type=int, metavar="SEAT", help="the seat that begins (else: the youngest presses)")


def add_language_option(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """``--language``; without a default it follows the environment."""
    parser.add_argument(
        "--language", choices=LANGUAGES, default=default or environment_language(), help="of all sentences"
    )


def environment_language() -> str:
    """The language of the environment if there are words for it, else English."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(variable, "")[:2].lower()
        if language in LANGUAGES:
            return language
    return "en"


def agreed_from(args: argparse.Namespace) -> Agreed:
    """What the options agree on, as texts; the game checks them."""
    settings: dict[str, str] = {}
    for text in args.settings:
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--set takes KEY=VALUE, such as claim_s=8, and can't make anything of {text!r}.")
        if key in settings:
            raise ConfigError(f"--set {key} is given twice.")
        settings[key] = value
    edition = args.edition or GAMES[args.game].editions[0] if args.game in GAMES else ""
    return Agreed(args.players, edition, settings, args.starter)
