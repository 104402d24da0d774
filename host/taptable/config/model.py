"""The configuration as the daemon uses it, by the sections of the file. Declares each key of the file, here and nowhere
else: its check, its default, and an example if it is required. Must not know the file's syntax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from taptable.config.parts_file import AssignedParts, parts_file_of
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.drivers.interface import Address, Driver, Part, PartRole
from taptable.drivers.registry import address_check, installed_drivers
from taptable.schema import checks
from taptable.schema.keys import Keys, Setting, keys_of
from taptable.words import LANGUAGES

MAX_SEATS = 6
"""The most seats of a table, for any game."""
MQTT_PORT, MQTT_TLS_PORT = 1883, 8883
"""The default ports of a broker, without and with TLS."""

REFERENCE_DISPLAY = ("--display", "ssd1309", "--interface", "i2c")
"""luma.core's options for the display of the builds, the default of [scoreboard] options."""

_DRIVERS = installed_drivers()


def example_addresses(key: str) -> list[str]:
    """Return example addresses for a key of ``table.toml``, one for each kind of driver that can be there."""
    return [driver.examples[key] for driver in sorted(_DRIVERS, key=lambda each: each.kind) if key in driver.examples]


def _part(role: PartRole, key: str) -> Setting:
    """Return the setting of a required key whose value is a part's address."""
    name = key.rpartition(".")[2]
    return Setting(address_check(role), " or ".join(f'{name} = "{each}"' for each in example_addresses(key)))


def _pad_keys() -> Keys:
    """Return the keys that drivers define for their pads."""
    keys: dict[str, Setting] = {}
    for driver in _DRIVERS.with_role(PartRole.PAD):
        for name, key in driver.pad_keys.items():
            keys.setdefault(name, Setting(address_check(key)) if isinstance(key, PartRole) else key)
    # a key that names another part stands beside the pad, before those that only set it up
    return dict(sorted(keys.items(), key=lambda item: item[1].default is not None))


PAD_KEYS = _pad_keys()
"""The keys beside ``pad``. Each is for the drivers that define it."""


_Flag: TypeAlias = Annotated[bool, Setting(checks.flag)]
_File: TypeAlias = Annotated[Path, Setting(checks.file)]


@dataclass(frozen=True, slots=True)
class TableSettings:
    """[table]. `journal` and `decks` are relative to the folder of the configuration."""

    name: Annotated[str, Setting(checks.name)] = "taptable"
    language: Annotated[str, Setting(checks.one_of(*LANGUAGES))] = "en"
    journal: _File = Path("journal.sqlite")
    decks: _File = Path("decks")
    deck: Annotated[str, Setting(checks.text, 'deck = "family"')] = field(kw_only=True)


GAME: Keys = {
    "name": Setting(checks.text, default="online"),
    "edition": Setting(checks.text),
    "players": Setting(checks.integer(2, MAX_SEATS)),
    "starter": Setting(checks.integer(1, MAX_SEATS)),
}
"""The keys of [game]. Their values become `GameSettings`."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """[game]. `name` is the game; `game_options` include the house rules, with the edition "" for the game's usual one;
    `pads` are the names of [pads], for games that need some."""

    name: str
    game_options: GameOptions
    pads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PadParts:
    """A pad: its address, and the values of its driver's own keys."""

    pad: Address
    options: Mapping[str, Any]


NO_PAD = PadParts(Address("", ""), {})
"""A discard pad that isn't assigned yet, or of a table of which only the files are known."""


@dataclass(frozen=True, slots=True)
class SeatParts(PadParts):
    """One of [[seats]]. `lamp` is None if the seat has none."""

    button: Address
    lamp: Address | None


SEAT: Keys = {
    "pad": _part(PartRole.PAD, "seats.pad"),
    **PAD_KEYS,
    "button": _part(PartRole.BUTTON, "seats.button"),
    "lamp": Setting(address_check(PartRole.LAMP)),
}
DISCARD: Keys = {"pad": _part(PartRole.PAD, "discard.pad"), **PAD_KEYS}
EXTRA_PAD: Keys = {"pad": _part(PartRole.PAD, "pads.pad"), **PAD_KEYS}
"""The keys of [pads.<name>]: a pad of a game's own beside the seats' and the discard pad."""


def pad_parts(**values: Any) -> PadParts:
    """Build a pad from the values of its keys."""
    return PadParts(values["pad"], _options(values))


def seat_parts(**values: Any) -> SeatParts:
    """Build a seat from the values of its keys."""
    return SeatParts(values["pad"], _options(values), values["button"], values["lamp"])


def _options(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the values of the keys that the pad's driver defines."""
    return {name: values[name] for name in _DRIVERS[values["pad"].kind].pad_keys}


@dataclass(frozen=True, slots=True)
class ScoreboardParts:
    """[scoreboard]. `options` are luma.core's command-line options for the display. One that is `optional` may be
    missing, and is reported only if it has answered before."""

    options: Annotated[tuple[str, ...], Setting(checks.text_list)] = REFERENCE_DISPLAY
    optional: _Flag = False


@dataclass(frozen=True, slots=True)
class SounderParts:
    """[sounder]. `mute` is the state at the start."""

    pin: Annotated[Address, _part(PartRole.SOUNDER, "sounder.pin")]
    mute: _Flag = False


REMINDER: Keys = {"stop_s": Setting(checks.seconds_or_off(5, 3600), default=45_000_000)}
"""The key of [reminder], converted to microseconds."""


@dataclass(frozen=True, slots=True)
class PageSettings:
    """[page]. `port` serves the page, with `network` to other computers too. `proxy` is the IPv4 address of the proxy
    that passes on requests for `https`, a host name with or without a port; None if there is no proxy."""

    port: Annotated[int, Setting(checks.integer(1024, 65535))] = 8137
    network: _Flag = False
    proxy: Annotated[str | None, Setting(checks.ipv4)] = None
    https: Annotated[str | None, Setting(checks.host_and_port)] = None

    @property
    def is_port_public(self) -> bool:
        """Whether other computers reach the port itself, without a proxy on this computer."""
        return self.network and (self.proxy is None or not ip_address(self.proxy).is_loopback)


@dataclass(frozen=True, slots=True)
class SpeechParts:
    """[speech]. `device` is the ALSA output, None for the system's default; `explain` is whether cards are
    explained."""

    device: Annotated[str | None, Setting(checks.text)] = None
    words_per_minute: Annotated[int, Setting(checks.integer(80, 400))] = 160
    explain: _Flag = False


@dataclass(frozen=True, slots=True)
class PowerParts:
    """[power]. `button` switches the table off."""

    button: Annotated[Address, _part(PartRole.POWER, "power.button")]


@dataclass(frozen=True, slots=True)
class Account:
    """An account at an MQTT broker. `tls` is whether the connection uses TLS, `ca` the certificates that it trusts
    (None: the system's), `password_file` the file with the password (None: no password)."""

    host: str
    port: int
    tls: bool = False
    ca: Path | None = None
    user: str | None = None
    password_file: Path | None = None


def account_keys(host: Setting, *, tls: bool) -> Keys:
    """Return the keys that begin each section about a broker."""
    return {
        "host": host,
        "port": Setting(checks.integer(1, 65535)),
        "tls": Setting(checks.flag, default=tls),
        "ca": Setting(checks.file),
    }


def build_account(values: Mapping[str, Any], user: str | None, password_file: Path | None) -> Account:
    """Build the account of a section that has `account_keys`. Chooses the default port by `tls`."""
    port = values["port"] or (MQTT_TLS_PORT if values["tls"] else MQTT_PORT)
    return Account(values["host"], port, values["tls"], values["ca"], user, password_file)


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """[mqtt]. Topics are below `base`. `discovery` is the prefix under which Home Assistant looks for devices, "" for
    none; `commands` is whether commands are accepted, `names` whether players' names are published."""

    account: Account
    base: Annotated[str, Setting(checks.topic_prefix)] = "taptable"
    discovery: Annotated[str, Setting(checks.topic_prefix_or_off)] = "homeassistant"
    commands: _Flag = False
    names: _Flag = False


MQTT: Keys = {
    **account_keys(Setting(checks.hostname, 'host = "localhost"'), tls=False),
    "user": Setting(checks.text),
    "password_file": Setting(checks.file),
    **keys_of(MqttSettings),
}


def mqtt_settings(**values: Any) -> MqttSettings:
    """Build [mqtt] from the values of its keys."""
    own = {name: values[name] for name in keys_of(MqttSettings)}
    return MqttSettings(build_account(values, values["user"], values["password_file"]), **own)


@dataclass(frozen=True, slots=True)
class UplinkSettings:
    """[league]. `table` is the league's name for this table, and its user at the broker; its key is the password."""

    account: Account
    table: str


LEAGUE: Keys = {
    **account_keys(Setting(checks.hostname, 'host = "league.example.org"'), tls=True),
    "table": Setting(checks.topic_level, 'table = "ab12cd34", as the league calls it'),
    "key_file": Setting(checks.file, 'key_file = "league.key"'),
}


def uplink_settings(**values: Any) -> UplinkSettings:
    """Build [league] from the values of its keys."""
    return UplinkSettings(build_account(values, values["table"], values["key_file"]), values["table"])


UPDATES: Keys = {"from": Setting(checks.address_or_path, 'from = "https://example.org/taptable.json"')}


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration. `seats` are clockwise, seat 1 first, none if they aren't assigned yet; the discard pad
    is `NO_PAD` then. A part that isn't in the file is None."""

    file: Path
    table: TableSettings
    game: GameSettings
    seats: tuple[SeatParts, ...]
    discard: PadParts
    scoreboard: ScoreboardParts | None
    sounder: SounderParts | None
    stop_reminder_us: int | None
    page: PageSettings | None
    speech: SpeechParts | None
    power: PowerParts | None
    pads: Mapping[str, PadParts] = field(default_factory=dict[str, PadParts])
    mqtt: MqttSettings | None = None
    league: UplinkSettings | None = None
    updates: str | Path | None = None
    """[updates]: the https address or file that announces newer versions. None: no look-up."""
    assigned: AssignedParts | None = None
    """The contents of ``parts.toml``, if seats or discard pad are taken from there."""

    @property
    def parts_file(self) -> Path:
        """The path of ``parts.toml``, which need not exist."""
        return parts_file_of(self.table.journal)

    @property
    def all_pads(self) -> Mapping[Pad, PadParts]:
        """All pads by name: those of the seats, the discard pad, and those of a game's own."""
        return {**dict(enumerate(self.seats, 1)), DISCARD_PAD: self.discard, **self.pads}

    @property
    def parts(self) -> Sequence[Part]:
        """All parts that a driver opens, each pad before the other parts at it."""
        parts: list[Part] = []
        for pad, pad_section in self.all_pads.items():
            if not pad_section.pad.kind:
                continue  # `NO_PAD`
            key = ("seats", pad - 1) if isinstance(pad, int) else (pad,) if pad == DISCARD_PAD else ("pads", pad)
            parts.append(Part((*key, "pad"), PartRole.PAD, pad_section.pad, pad, pad_section.options))
            if isinstance(pad_section, SeatParts):
                parts.append(Part((*key, "button"), PartRole.BUTTON, pad_section.button, pad))
                if pad_section.lamp is not None:
                    parts.append(Part((*key, "lamp"), PartRole.LAMP, pad_section.lamp, pad))
        if self.scoreboard is not None:
            parts.append(display_part(self.scoreboard.options, is_optional=self.scoreboard.optional))
        if self.sounder is not None:
            parts.append(
                Part(("sounder", "pin"), PartRole.SOUNDER, self.sounder.pin, None, {"mute": self.sounder.mute})
            )
        if self.power is not None:
            parts.append(Part(("power", "button"), PartRole.POWER, self.power.button))
        return parts

    def parts_of(self, driver: Driver) -> list[Part]:
        """Return the parts that a driver opens."""
        return [part for part in self.parts if part.address.kind == driver.kind]

    def pads_on(self, kind: str) -> Mapping[Pad, PadParts]:
        """Return the pads of one kind of driver."""
        return {pad: parts for pad, parts in self.all_pads.items() if parts.pad.kind == kind}

    @property
    def buttons_share_a_clock(self) -> bool:
        """Whether the kernel stamps the presses of all buttons, so that they compare without another clock."""
        return all(_DRIVERS[seat.button.kind].kernel_stamps for seat in self.seats)


def display_part(options: Sequence[str], *, is_optional: bool = False) -> Part:
    """Return the display with these options of luma.core."""
    driver = _DRIVERS.with_role(PartRole.DISPLAY)[0]
    return Part(
        ("scoreboard", "options"),
        PartRole.DISPLAY,
        Address(driver.kind, ""),
        None,
        {"options": tuple(options), "optional": is_optional},
    )
