"""Sets up a simulated table as its owner would: a folder with a configuration, a deck with tags, and a place for the
journal. Another table in the same folder has the same journal. Must not run anything: `harness` does."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

from taptable.config import Config, load_config
from taptable.core.errors import ConfigError
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD
from taptable.daemon.game_options import check_game
from taptable.drivers.interface import PartRole
from taptable.drivers.registry import installed_drivers
from taptable.games.registry import find_game
from taptable.memory.deck import CardSet, Deck, card_set_of
from taptable.memory.decks import Decks
from taptable.memory.durable import write_atomically
from taptable.referee.step import open_table

CONFIGURATION = "table.toml"
DECKS = "decks"
"""The configuration and the folder of decks in the table's folder."""
DECK = "sample"
"""The name of the first game's deck."""
PART_ADDRESSES: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("builds.toml").read_text(encoding="utf-8"))
"""Addresses of the parts, by the build."""
BUILDS = tuple(PART_ADDRESSES)
FULL_BUILD, COMPACT_BUILD = BUILDS[:2]


def set_up(
    folder: Path,
    game: str,
    game_options: GameOptions,
    language: str,
    *,
    build: str = FULL_BUILD,
    seats: int | None = None,
    seed: int = 0,
    page: int | None = None,
) -> Config:
    """Write the files of a table, of one of the `BUILDS`, into `folder`, and load them as the daemon does; ConfigError
    says what isn't possible."""
    folder.joinpath(DECKS).mkdir(exist_ok=True)
    decks = Decks(folder / DECKS)
    # the first game's deck is the sample; those of others have their game's name too
    deck = DECK if DECK not in decks.names() or decks.deck(DECK).game == game else f"{DECK}-{game}"
    text = table_toml(game, game_options, language, deck=deck, build=build, seats=seats, page=page)
    path = folder / CONFIGURATION
    write_atomically(path, text.encode())
    if deck not in decks.names():
        decks.save(tagged_deck(deck, card_set_of(game, game_options.manifest), seed, game_options.manifest))
    return load_config(path, check_game)


def load_existing_table(folder: Path) -> Config | None:
    """Load the table that was last set up in `folder`, None if there is none; ConfigError if the folder has another
    configuration."""
    path = folder / CONFIGURATION
    if not path.exists():
        return None
    other = ConfigError(f"{path} belongs to another table, or was changed by hand: name another folder.")
    try:
        config = load_config(path, check_game)
        text = table_toml(
            config.game.name,
            config.game.game_options,
            config.table.language,
            deck=config.table.deck,
            build=build_of(config),
            seats=len(config.seats),
        )
    except ConfigError as error:
        raise other from error
    if path.read_text(encoding="utf-8") != text:
        raise other
    return config


def most_seats(build: str) -> int:
    """Return the most seats of a build."""
    return len(PART_ADDRESSES[build]["pads"])


def build_of(config: Config) -> str:
    """Return the build of a simulated table, by the pad of seat 1."""
    first = str(config.seats[0].pad)
    return next((build for build, addresses in PART_ADDRESSES.items() if addresses["pads"][0] == first), FULL_BUILD)


def count_start(folder: Path) -> int:
    """Count a start of the table in `folder`, and return how many came before. Real boards keep that count in flash:
    the journal identifies their events by it."""
    file = folder / "starts.txt"
    starts = int(file.read_text(encoding="ascii")) if file.exists() else 0
    file.write_text(f"{starts + 1}\n", encoding="ascii")
    return starts


def table_toml(
    game: str,
    game_options: GameOptions,
    language: str,
    *,
    deck: str = DECK,
    build: str,
    seats: int | None = None,
    page: int | None = None,
) -> str:
    """Return the configuration of a table with this many seats (None: one for each player), of one of the `BUILDS`,
    with a page at a port or without one; ConfigError if the build has fewer seats."""
    seats = game_options.players if seats is None else seats
    addresses = PART_ADDRESSES[build]
    if seats > most_seats(build):
        raise ConfigError(f"The {build} build seats {most_seats(build)} players at most, not {seats}.")
    lines = ["[table]", 'name = "Simulated table"', f'language = "{language}"', f'deck = "{deck}"']
    lines += ["[game]", f'name = "{game}"', f'edition = "{game_options.edition}"', f"players = {game_options.players}"]
    if game_options.starter is not None:
        lines.append(f"starter = {game_options.starter}")
    lines += ["[game.house_rules]", *_house_rules(game_options.settings)]
    for seat in range(seats):
        pad, button, lamp = (addresses[name][seat] for name in ("pads", "buttons", "lamps"))
        lines += ["[[seats]]", *_pad(pad, addresses), f'button = "{button}"', f'lamp = "{lamp}"']
    lines += ["[discard]", *_pad(addresses["discard"], addresses)]
    beside = addresses.get("beside", addresses["pads"][seats:])
    for name, place in zip(_extra_pads(game, game_options), beside, strict=False):
        lines += [f"[pads.{name}]", *_pad(place, addresses)]
    lines += ["[scoreboard]", 'options = ["--display", "ssd1309", "--interface", "i2c", "--i2c-address", "0x3C"]']
    if "sounder" in addresses:
        lines += ["[sounder]", f'pin = "{addresses["sounder"]}"']
    lines += ["[reminder]", "stop_s = 20"]
    if page is not None:
        lines += ["[page]", f"port = {page}"]
    return "\n".join(lines) + "\n"


def _pad(place: str, addresses: Mapping[str, Any]) -> list[str]:
    """Return the lines of a pad at a place."""
    drivers = installed_drivers()
    address = drivers.parse_address(place, PartRole.PAD)
    has_reset = address is not None and "reset" in drivers[address.kind].pad_keys
    return [f'pad = "{place}"', *([f'reset = "{addresses["reset"]}"'] if has_reset else [])]


def _extra_pads(game: str, game_options: GameOptions) -> list[str]:
    """Return the pads that a game has beside those of the seats and the discard pad; a table without them plays too."""
    table, _ = open_table(find_game(game), game_options)
    return [pad for pad in table.game.pads(table.state) if isinstance(pad, str) and pad != DISCARD_PAD]


def _house_rules(settings: Mapping[str, str]) -> list[str]:
    return [f'{key} = "{value}"' for key, value in settings.items()]


SHORT_EVERY = 9
"""Every n-th card carries a MIFARE sticker with 4 bytes instead of an NTAG213 with 7."""


def tagged_deck(name: str, card_set: CardSet, seed: int = 0, manifest: str = "") -> Deck:
    """Return a whole deck, with every control card of its game; the same tags for the same name and seed."""
    chance = Random(f"tags {name} {seed}")
    numbers = iter(_random_uids(chance))
    cards = {next(numbers): card for card in card_set}
    controls = {next(numbers): control for control in card_set.controls}
    return Deck(name, card_set.game, MappingProxyType(cards), MappingProxyType(controls), manifest)


def _random_uids(chance: Random) -> Iterator[str]:
    used: set[str] = set()
    count = 0
    while True:
        short = count % SHORT_EVERY == SHORT_EVERY - 1
        # 04 is NXP's number; a first byte of 08 would mean a random number
        uid = ("5a" + chance.randbytes(3).hex()) if short else ("04" + chance.randbytes(6).hex())
        # a second cascade level must not begin with 88, which announces a third (ISO 14443-3, 6.5.4)
        if uid not in used and uid[6:8] != "88":
            used.add(uid)
            count += 1
            yield uid
