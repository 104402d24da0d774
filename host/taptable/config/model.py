"""The configuration as the daemon uses it, by the sections of the file. Each key of the file is declared here and
nowhere else: its check, its default, and for one that is needed an example. Must not know the file's syntax."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from taptable.config.places import OnBoard, OnGpio, OnSpi, place
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.schema import checks
from taptable.schema.keys import Keys, Setting, keys_of
from taptable.words import LANGUAGES

MOST_SEATS = 6

GAINS_DB = (18, 23, 33, 38, 43, 48)
"""What a reader's receiver can be set to."""

GAIN_DB = 33
"""What it is set to where nothing is said."""

MQTT_PORT, MQTT_TLS_PORT = 1883, 8883
"""Where a broker is, where nothing is said."""

REFERENCE_DISPLAY = ("--display", "ssd1309", "--interface", "i2c")


def _pad(example: str) -> Setting:
    return Setting(place(OnBoard, OnSpi), f'pad = "board:e6616407e3496a28" or pad = "{example}"')


_Reset: TypeAlias = Annotated[OnGpio | None, Setting(place(OnGpio))]
_Gain: TypeAlias = Annotated[int, Setting(checks.one_number_of(GAINS_DB, ", the gains in dB that the MFRC522 has"))]
_Flag: TypeAlias = Annotated[bool, Setting(checks.flag)]
_File: TypeAlias = Annotated[Path, Setting(checks.file)]


@dataclass(frozen=True, slots=True)
class TableSettings:
    """[table]: `journal` and `decks` are found from the folder of the configuration."""

    name: Annotated[str, Setting(checks.name)] = "taptable"
    language: Annotated[str, Setting(checks.one_of(*LANGUAGES))] = "en"
    journal: _File = Path("journal.sqlite")
    decks: _File = Path("decks")
    deck: Annotated[str, Setting(checks.text, 'deck = "family"')] = field(kw_only=True)


GAME: Keys = {
    "name": Setting(checks.text, default="online"),
    "edition": Setting(checks.text),
    "players": Setting(checks.whole(2, MOST_SEATS)),
    "starter": Setting(checks.whole(1, MOST_SEATS)),
}
"""The keys of [game]: `GameSettings` has what is agreed by them."""


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

    pad: Annotated[OnBoard | OnSpi, _pad("spi:0.1")]
    reset: _Reset = None
    gain_db: _Gain = GAIN_DB
    button: Annotated[
        OnBoard | OnGpio,
        Setting(place(OnGpio, OnBoard), 'button = "board:e6616407e3496a28" or button = "gpio:17"'),
    ] = field(kw_only=True)
    lamp: Annotated[OnBoard | OnGpio | None, Setting(place(OnGpio, OnBoard))] = None


@dataclass(frozen=True, slots=True)
class DiscardParts:
    """[discard]: the pad in the centre. `reset` as for seats."""

    pad: Annotated[OnBoard | OnSpi, _pad("spi:0.0")]
    reset: _Reset = None
    gain_db: _Gain = GAIN_DB


@dataclass(frozen=True, slots=True)
class ExtraPad:
    """One of [pads]: a pad by the name that games have for it, beside those of the seats and the discard pile. `reset`
    as for seats."""

    name: str
    pad: Annotated[OnBoard | OnSpi, _pad("spi:1.0")]
    reset: _Reset = None
    gain_db: _Gain = GAIN_DB


@dataclass(frozen=True, slots=True)
class ScoreboardParts:
    """[scoreboard]: the options of luma.core's command line that make the display."""

    options: Annotated[tuple[str, ...], Setting(checks.words)] = REFERENCE_DISPLAY


@dataclass(frozen=True, slots=True)
class SounderParts:
    """[sounder]: `mute` is how it begins."""

    pin: Annotated[OnGpio, Setting(place(OnGpio), 'pin = "gpio:12"')]
    mute: _Flag = False


REMINDER: Keys = {"stop_s": Setting(checks.seconds_or_off(5, 3600), default=45_000_000)}
"""The key of [reminder], which is read in microseconds."""


@dataclass(frozen=True, slots=True)
class PageSettings:
    """[page]: the port on which the page is served; `network` if not only to this computer. `proxy` is the address of
    who passes on what is asked for at `https`, a name with or without a port; None if nobody does."""

    port: Annotated[int, Setting(checks.whole(1024, 65535))] = 8137
    network: _Flag = False
    proxy: Annotated[str | None, Setting(checks.ipv4)] = None
    https: Annotated[str | None, Setting(checks.host)] = None

    @property
    def open_port(self) -> bool:
        """Whether other computers reach the port itself: not past a proxy on this one."""
        return self.network and (self.proxy is None or not ip_address(self.proxy).is_loopback)


@dataclass(frozen=True, slots=True)
class SpeechParts:
    """[speech]: `device` is the ALSA output, None for the system's own; `explain` is whether cards are explained."""

    device: Annotated[str | None, Setting(checks.text)] = None
    words_per_minute: Annotated[int, Setting(checks.whole(80, 400))] = 160
    explain: _Flag = False


@dataclass(frozen=True, slots=True)
class PowerParts:
    """[power]: the button that switches the table off."""

    button: Annotated[OnGpio, Setting(place(OnGpio), 'button = "gpio:21"')]


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


def account_keys(host: Setting, *, tls: bool) -> Keys:
    """Return the keys that each section about a broker begins with."""
    return {
        "host": host,
        "port": Setting(checks.whole(1, 65535)),
        "tls": Setting(checks.flag, default=tls),
        "ca": Setting(checks.file),
    }


def account_in(given: Mapping[str, Any], user: str | None, password_file: Path | None) -> Account:
    """Return the account of a section with `account_keys`, with this user and password."""
    port = given["port"] or (MQTT_TLS_PORT if given["tls"] else MQTT_PORT)
    return Account(given["host"], port, given["tls"], given["ca"], user, password_file)


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """[mqtt]: what is said of the table below `base`, by the account; `discovery` is where Home Assistant looks for
    devices, "" for none; `commands` and `names` are whether commands are taken, and players named."""

    account: Account
    base: Annotated[str, Setting(checks.levels)] = "taptable"
    discovery: Annotated[str, Setting(checks.levels_or_off)] = "homeassistant"
    commands: _Flag = False
    names: _Flag = False


MQTT: Keys = {
    **account_keys(Setting(checks.machine, 'host = "localhost"'), tls=False),
    "user": Setting(checks.text),
    "password_file": Setting(checks.file),
    **keys_of(MqttSettings),
}


def mqtt_settings(**given: Any) -> MqttSettings:
    """Return what is built of the keys of [mqtt]."""
    own = {name: given[name] for name in keys_of(MqttSettings)}
    return MqttSettings(account_in(given, given["user"], given["password_file"]), **own)


@dataclass(frozen=True, slots=True)
class UplinkSettings:
    """[league]: `table` is what the league calls this one, which is its user at the broker; its key is the password."""

    account: Account
    table: str


LEAGUE: Keys = {
    **account_keys(Setting(checks.machine, 'host = "league.example.org"'), tls=True),
    "table": Setting(checks.word, 'table = "ab12cd34", as the league calls it'),
    "key_file": Setting(checks.file, 'key_file = "league.key"'),
}


def uplink_settings(**given: Any) -> UplinkSettings:
    """Return what is built of the keys of [league]."""
    return UplinkSettings(account_in(given, given["table"], given["key_file"]), given["table"])


UPDATES: Keys = {"from": Setting(checks.address_or_path, 'from = "https://example.org/taptable.json"')}


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
