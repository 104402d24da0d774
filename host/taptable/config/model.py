"""The configuration as the daemon uses it: checked values, by the sections of the file; and where a part of the table
is, by the names used everywhere (``board:<id>``, ``spi:<bus>.<device>``, ``gpio:<BCM number>``). Must not know the
file's syntax."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TypeAlias

from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD, Pad

SPI_DEVICES = ((0, 0), (0, 1), (1, 0), (1, 1), (1, 2))
"""The (bus, device) pairs that the Pi brings out on its header."""

PINS = range(2, 28)
"""The BCM numbers on the header; 0 and 1 belong to the memory of add-on boards."""


GAINS_DB = (18, 23, 33, 38, 43, 48)
"""What a reader's receiver can be set to."""

GAIN_DB = 33
"""What it is set to where nothing is said."""

MQTT_PORT, MQTT_TLS_PORT = 1883, 8883
"""Where a broker is, where nothing is said."""


@dataclass(frozen=True, slots=True)
class OnBoard:
    """On the seat board with this id, which may be at another pad than a seat's."""

    board: str

    def __str__(self) -> str:
        return f"board:{self.board}"


@dataclass(frozen=True, slots=True)
class OnSpi:
    """On an SPI bus of the Pi, with its own select line."""

    bus: int
    device: int

    def __str__(self) -> str:
        return f"spi:{self.bus}.{self.device}"


@dataclass(frozen=True, slots=True)
class OnGpio:
    """On a pin of the Pi."""

    bcm: int

    def __str__(self) -> str:
        return f"gpio:{self.bcm}"


Place: TypeAlias = OnBoard | OnSpi | OnGpio

# the id is what the wire to a seat board calls a name
_BOARD = re.compile(r"board:([A-Za-z0-9._-]{1,32})")
_SPI = re.compile(r"spi:([0-9])\.([0-9])")
_GPIO = re.compile(r"gpio:([1-9]?[0-9])")


def read_place(text: str) -> Place | None:
    """The place of that name, or None if there is none."""
    if found := _BOARD.fullmatch(text):
        return OnBoard(found[1])
    if (found := _SPI.fullmatch(text)) and (int(found[1]), int(found[2])) in SPI_DEVICES:
        return OnSpi(int(found[1]), int(found[2]))
    if (found := _GPIO.fullmatch(text)) and int(found[1]) in PINS:
        return OnGpio(int(found[1]))
    return None


@dataclass(frozen=True, slots=True)
class TableSettings:
    """[table]: `journal` and `decks` are found from the folder of the configuration."""

    name: str
    language: str
    journal: Path
    decks: Path
    deck: str


@dataclass(frozen=True, slots=True)
class GameSettings:
    """[game]: which game, and what is agreed, house rules included, by the edition "" if it is the game's usual one;
    and what [pads] there are for the games that need some."""

    name: str
    game_options: GameOptions
    pads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatParts:
    """One of [[seats]]: `reset` is the pin of a reader on SPI, None where that is wired to 3V3 or the pad is on a
    board. `gain_db` is that of the pad's reader.
    """

    pad: OnBoard | OnSpi
    button: OnBoard | OnGpio
    reset: OnGpio | None = None
    lamp: OnBoard | OnGpio | None = None
    gain_db: int = GAIN_DB


@dataclass(frozen=True, slots=True)
class DiscardParts:
    """[discard]: the pad in the centre. `reset` as for seats."""

    pad: OnBoard | OnSpi
    reset: OnGpio | None = None
    gain_db: int = GAIN_DB


@dataclass(frozen=True, slots=True)
class ExtraPad:
    """One of [pads]: a pad by the name that games have for it, beside those of the seats and the discard pile. `reset`
    as for seats."""

    name: str
    pad: OnBoard | OnSpi
    reset: OnGpio | None = None
    gain_db: int = GAIN_DB


@dataclass(frozen=True, slots=True)
class ScoreboardParts:
    """[scoreboard]: the options of luma.core's command line that make the display."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SounderParts:
    """[sounder]: `mute` is how it begins."""

    pin: OnGpio
    mute: bool


@dataclass(frozen=True, slots=True)
class PageSettings:
    """[page]: the port on which the page is served; `network` if not only to this computer. `proxy` is the address of
    who passes on what is asked for at `https`, a name with or without a port; None if nobody does."""

    port: int
    network: bool = False
    proxy: str | None = None
    https: str | None = None

    @property
    def open_port(self) -> bool:
        """Whether other computers reach the port itself: not past a proxy on this one."""
        return self.network and (self.proxy is None or not ip_address(self.proxy).is_loopback)


@dataclass(frozen=True, slots=True)
class SpeechParts:
    """[speech]: `device` is the ALSA output, None for the system's own; `explain` is whether cards are explained."""

    words_per_minute: int
    device: str | None = None
    explain: bool = False


@dataclass(frozen=True, slots=True)
class PowerParts:
    """[power]: the button that switches the table off."""

    button: OnGpio


@dataclass(frozen=True, slots=True)
class Account:
    """At a broker of MQTT: where it is, whether it is spoken to by TLS and by which certificates (None: the system's),
    the name there and the file with the password (None: without one)."""

    host: str
    port: int
    tls: bool = False
    ca: Path | None = None
    user: str | None = None
    password_file: Path | None = None


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """[mqtt]: what is said of the table below `base`, by the account; `discovery` is where Home Assistant looks for
    devices, "" for none; `commands` and `names` are whether commands are taken, and players named."""

    account: Account
    base: str = "taptable"
    discovery: str = "homeassistant"
    commands: bool = False
    names: bool = False


@dataclass(frozen=True, slots=True)
class UplinkSettings:
    """[league]: `table` is what the league calls this one, which is its user at the broker; its key is the password."""

    account: Account
    table: str


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration. `seats` are clockwise, seat 1 first; a part that isn't in the file is None."""

    file: Path
    table: TableSettings
    game: GameSettings
    seats: tuple[SeatParts, ...]
    discard: DiscardParts
    scoreboard: ScoreboardParts | None
    sounder: SounderParts | None
    stop_reminder_us: int | None
    page: PageSettings | None
    speech: SpeechParts | None
    power: PowerParts | None
    pads: tuple[ExtraPad, ...] = ()
    mqtt: MqttSettings | None = None
    league: UplinkSettings | None = None
    updates: str | Path | None = None
    """[updates]: where a newer version is announced, an address of https or a file; None: nobody looks."""

    @property
    def all_pads(self) -> Mapping[Pad, SeatParts | DiscardParts | ExtraPad]:
        """Where every pad is: those of the seats, the discard pad, and those that games have of their own."""
        seats: dict[Pad, SeatParts | DiscardParts | ExtraPad] = dict(enumerate(self.seats, 1))
        return {**seats, DISCARD_PAD: self.discard, **{extra.name: extra for extra in self.pads}}

    @property
    def boards(self) -> Mapping[Pad, str]:
        """The id of the seat board of each pad that is on one, seats first."""
        return {pad: parts.pad.board for pad, parts in self.all_pads.items() if isinstance(parts.pad, OnBoard)}

    @property
    def buttons_share_a_clock(self) -> bool:
        """Whether every button is on the Pi, so that presses compare without the clocks of boards."""
        return all(isinstance(seat.button, OnGpio) for seat in self.seats)
