"""``taptable sdcard``: prepares, on any computer, an SD card for a table's Pi, so that the Pi installs the table by
itself. It asks for the settings; `sdcard` checks and writes them."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from taptable.core.errors import ConfigError
from taptable.sdcard.bundle import Bundle, read_bundle
from taptable.sdcard.card import BootPartition, read_boot_partition
from taptable.sdcard.settings import BUILDS, NAME, Settings, check
from taptable.sdcard.wifi import Wifi, validate_wifi
from taptable.sdcard.writing import write_card, write_zip
from taptable.words import LANGUAGES

Answer = TypeVar("Answer")

_FLAGS = {"y": True, "yes": True, "n": False, "no": False}
"""The answers to a question that takes yes or no."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "sdcard",
        help="prepare an SD card from which the Pi installs the table at its first start",
        description="Puts the table's package on an SD card that Raspberry Pi Imager has prepared and that was in no Pi"
        " yet. The Pi installs it at its first start, without keyboard or network. Imager's settings are kept. At a"
        " terminal, the command asks for settings that no option gives.",
    )
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument(
        "folder", type=Path, nargs="?", metavar="FOLDER", help="the card's drive, which is called bootfs"
    )
    target.add_argument(
        "--zip", type=Path, metavar="FILE", help="write a zip instead, to copy onto such a card by hand"
    )
    parser.add_argument(
        "--package", type=Path, required=True, metavar="TAR", help="the bundle, as scripts/package --bundle makes it"
    )
    parser.add_argument("--name", help=f"the table's name (default: {NAME})")
    parser.add_argument("--language", choices=LANGUAGES, help="the table's language (default: en)")
    parser.add_argument(
        "--build",
        choices=BUILDS,
        help="full: seat boards; compact: all readers on the Pi; ready: parts that plug together (default: full)",
    )
    parser.add_argument(
        "--seats",
        type=int,
        metavar="N",
        help="the number of seats (default: as many as possible; a ready table has those that you give parts to)",
    )
    network = parser.add_mutually_exclusive_group()
    network.add_argument(
        "--network",
        action="store_true",
        default=None,
        help="open the page to phones in the network (default with --zip)",
    )
    network.add_argument(
        "--local", action="store_false", dest="network", help="open the page to the Pi only (default without --zip)"
    )
    parser.add_argument("--time-zone", metavar="ZONE", help="the time zone, such as Europe/Berlin (default: Imager's)")
    parser.add_argument("--country", metavar="XX", help="the Wi-Fi's country, such as DE (default: Imager's)")
    parser.add_argument(
        "--wifi", metavar="NAME", help="a Wi-Fi to join besides Imager's; asks for its password (default: none)"
    )
    parser.add_argument(
        "--wifi-password",
        type=Path,
        metavar="FILE",
        help="read the password from the first line of this file (-: standard input)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prepare the card, or write the zip."""
    bundle = read_bundle(args.package)
    if args.zip is not None:
        if args.wifi is not None:
            raise ConfigError(
                "A zip has no Wi-Fi, whose password everybody could read: it is set in Raspberry Pi Imager."
            )
        # open to the network by default: people who unpack the zip can read this in taptable.txt and change it,
        # before the Pi installs anything. A card asks instead.
        write_zip(args.zip, check(_settings(args, Settings(network=True))), bundle)
        print(f"{args.zip} is written: its contents go onto a card that Raspberry Pi Imager has just prepared.")
        return 0
    return _prepare(read_boot_partition(args.folder), bundle, args)


def _prepare(card: BootPartition, bundle: Bundle, args: argparse.Namespace) -> int:
    """Ask for settings that no option gives, write the card, and print what to do with it. Return 0."""
    print(f"The card has Raspberry Pi OS {card.release}, and was in no Pi yet.")
    settings = check(_settings(args, Settings()))
    wifi = _wifi(args)
    if sys.stdin.isatty() and sys.stdout.isatty():
        settings = _ask_settings(args, card, settings)
        if args.wifi is None and not card.has_wifi:
            wifi = _ask_wifi()
        if wifi is not None and settings.country is None:
            country = _ask(
                "The country it is in (two capital letters, such as DE)", "", _checked(settings, "country", str.upper)
            )
            settings = replace(settings, country=country)
    if wifi is not None and settings.country is None:
        raise ConfigError("--wifi takes --country XX too: without it the Pi may keep its radio off.")
    write_card(card, settings, bundle, wifi, _boot_lines(settings))
    print(f"{bundle.path.name}, what installs it, and taptable.txt are on the card.")
    if wifi is not None and wifi.password is not None:
        print("The password of the Wi-Fi is on it too, until the Pi has been started: keep the card to yourself.")
    if card.has_wifi:
        print("The Wi-Fi that Imager was told stays.")
    print(
        "Have the computer eject the card, put it into the Pi, and switch it on. In some minutes the scoreboard shows"
        " the table. If it doesn't, taptable-first-start.txt on the card says why."
    )
    return 0


def _settings(args: argparse.Namespace, usual: Settings) -> Settings:
    """Return the settings from the command line, and the defaults for the rest."""
    names = ("name", "language", "build", "seats", "network", "time_zone", "country")
    chosen = {name: getattr(args, name) for name in names if getattr(args, name) is not None}
    return replace(usual, **chosen)


def _boot_lines(settings: Settings) -> Sequence[str]:
    """Return the lines that ``config.txt`` needs for this table; none if that can't be found out (on Windows the
    packages of the table's drivers are missing). In that case the Pi adds them, and restarts once more."""
    try:
        from taptable.sdcard.buses import lines_for
    except ImportError:
        return ()
    return lines_for(settings)


def _wifi(args: argparse.Namespace) -> Wifi | None:
    if args.wifi is None:
        if args.wifi_password is not None:
            raise ConfigError("--wifi-password goes with --wifi NAME.")
        return None
    if args.wifi_password is not None:
        return validate_wifi(args.wifi, _first_line(args.wifi_password))
    if not sys.stdin.isatty():
        raise ConfigError(
            "--wifi NAME takes --wifi-password FILE where nobody can be asked: the file's first line is it."
        )
    return validate_wifi(args.wifi, getpass.getpass(f"The password of {args.wifi} (not shown): "))


def _first_line(path: Path) -> str:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} can't be read: {getattr(error, 'strerror', error)}.") from error
    return text.partition("\n")[0].rstrip("\r")


# --- questions ------------------------------------------------------------------------------------------------------


def _ask_settings(args: argparse.Namespace, card: BootPartition, settings: Settings) -> Settings:
    """Return the settings with the person's answers to all that no option has set. The time zone is not asked if Imager
    has set one. The country is not asked here: only a Wi-Fi needs it."""

    def ask(name: str, question: str, usual: str, read: Callable[[str], object] = str) -> None:
        nonlocal settings
        if getattr(args, name) is None:
            settings = replace(settings, **{name: _ask(question, usual, _checked(settings, name, read))})

    ask("name", "The table's name", settings.name)
    ask("language", "Its language (en, de, fr, nl)", settings.language, _one_of(LANGUAGES))
    builds = "Its build (full: seat boards; compact: all on the Pi; ready: parts that plug together)"
    ask("build", builds, settings.build, _one_of([*BUILDS]))
    if possible := BUILDS[settings.build]:
        ask("seats", "How many seats", str(possible[-1]), int)
    if args.network is None:
        print("Phones in your network can show the table's page: whoever is there may watch, and who is at the table")
        print("may change things, once they have paired their phone.")
    ask("network", "Open the page to your network (y, n)", "n", lambda text: _FLAGS[text.lower()])
    if not card.has_time_zone:
        ask("time_zone", "The Pi's time zone, such as Europe/Berlin (nothing: as it is)", "", lambda text: text or None)
    return settings


def _ask_wifi() -> Wifi | None:
    name = _ask("The Wi-Fi it joins (nothing: none)", "", lambda text: validate_wifi(text, "").name if text else "")
    while name:
        try:
            return validate_wifi(name, getpass.getpass("Its password (not shown): "))
        except ConfigError as error:
            print(error)
    return None


def _one_of(words: Sequence[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words:
            raise ValueError(text)
        return text

    return read


def _checked(settings: Settings, name: str, read: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Return a function that reads the answer for one setting and checks it, in a table with the other settings. It
    raises what `read` raises, or ConfigError."""

    def read_checked(text: str) -> Answer:
        answer = read(text)
        check(replace(settings, **{name: answer}))  # pyright: ignore[reportArgumentType]
        return answer

    return read_checked


def _ask(question: str, usual: str, read: Callable[[str], Answer]) -> Answer:
    """Return the answer to a question, asked again until it is valid; Enter takes the default."""
    while True:
        hint = f" [{usual}]" if usual else ""
        try:
            return read(input(f"{question}{hint}: ").strip() or usual)
        except (ValueError, KeyError):
            print("That is none of them.")
        except ConfigError as error:
            print(error)
        except EOFError:
            raise ConfigError("Nobody answers; nothing was changed on the card.") from None
