"""``league.toml``: the league's name, the addresses of its database and broker, and how its page is served. The file is
read and checked as a whole, by the same means as ``table.toml``, and returned as values. Must not know who uses
them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from taptable.config import Account
from taptable.config.loading import parse_toml, read_text, resolve_paths
from taptable.config.model import PageSettings, account_keys, build_account
from taptable.config.passwords import read_password
from taptable.schema import checks
from taptable.schema.keys import Keys, Setting, check_keys, keys_of, section
from taptable.schema.problems import invalid_config, unfit_value_error
from taptable.words import LANGUAGES

PORT = 8138
"""The default port of a league's page: the next after a table's."""
MONTHS = (1, 2, 3, 4, 6, 12)
"""Allowed lengths of a season in months, so that a year has a whole number of them."""
DATABASE_DRIVERS = ("sqlite", "postgresql+psycopg")
"""The kinds of databases, by SQLAlchemy's names of their drivers."""


@dataclass(frozen=True, slots=True)
class Broker:
    """[mqtt]: the league's account at the broker, with a `user` only if there is a password. `accounts` and `access`
    are the files of a Mosquitto on this computer that ``table add`` writes, `nats_users` that of NATS servers; None
    where somebody else maintains them."""

    account: Account
    user: str = "league"
    accounts: Path | None = None
    access: Path | None = None
    nats_users: Path | None = None

    @property
    def password(self) -> str | None:
        """The account's password; `ConfigError` if its file can't be used."""
        file = self.account.password_file
        return None if file is None else read_password(file)


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """All of ``league.toml``. `database` is its SQLAlchemy address, with the password; `season_months` the length of a
    season."""

    file: Path
    name: str
    language: str
    season_months: int
    database: str
    broker: Broker
    page: PageSettings


def load_settings(path: Path) -> LeagueSettings:
    """Return the settings in a file. Raises `InvalidConfig` with everything that is wrong with it."""
    return read_settings(read_text(path, "copy examples/league.toml to it"), path)


def read_settings(text: str, path: Path) -> LeagueSettings:
    """Return the settings in the text of the file at `path`; the paths in it are relative to its folder."""
    found, wrong = check_keys(_FILE, parse_toml(text, path), "section", "[{}]".format)
    if wrong:
        raise invalid_config(path, text, wrong)
    return LeagueSettings(
        file=path,
        database=_address(found["database"], path.parent),
        broker=_broker(found["mqtt"], path.parent),
        page=found["web"],
        **found["league"],
    )


def _address(database: Mapping[str, Any], folder: Path) -> str:
    url = make_url(database["url"])
    if url.drivername == "sqlite" and url.database:
        url = url.set(database=str(folder / url.database))
    if database["password_file"]:
        url = url.set(password=read_password(folder / database["password_file"]))
    return url.render_as_string(hide_password=False)


def _broker(mqtt: Mapping[str, Any], folder: Path) -> Broker:
    password = mqtt["password_file"]
    account = build_account(mqtt, mqtt["user"] if password else None, password)
    own = {name: mqtt[name] for name in ("user", "accounts", "access", "nats_users")}
    broker: Broker = resolve_paths(Broker(account, **own), folder)
    _ = broker.password  # raises now if its file can't be used
    return broker


def _database(value: Any) -> str:
    try:
        url = make_url(value) if isinstance(value, str) else None
    except ArgumentError:
        url = None
    if url is None or url.drivername not in DATABASE_DRIVERS:
        raise unfit_value_error(
            value, 'an address such as "sqlite:///league.sqlite" or "postgresql+psycopg://league@localhost/league"'
        )
    return url.render_as_string(hide_password=False)


_SECTIONS: Mapping[str, Keys] = {
    "league": {
        "name": Setting(checks.name, default="taptable"),
        "language": Setting(checks.one_of(*LANGUAGES), default="en"),
        "season_months": Setting(checks.one_number_of(MONTHS, " months"), default=12),
    },
    "database": {
        "url": Setting(_database, default="sqlite:///league.sqlite"),
        "password_file": Setting(checks.file),
    },
    "mqtt": {
        **account_keys(Setting(checks.text, default="localhost"), tls=False),
        "user": Setting(checks.text, default="league"),
        "password_file": Setting(checks.file),
        "accounts": Setting(checks.file),
        "nats_users": Setting(checks.file),
        "access": Setting(checks.file),
    },
    "web": {
        **{name: key for name, key in keys_of(PageSettings).items() if name != "port"},
        "port": replace(keys_of(PageSettings)["port"], default=PORT),
    },
}
"""The keys of each section, with their checks and defaults."""
_CHECKS = {name: section(name, keys, PageSettings if name == "web" else dict) for name, keys in _SECTIONS.items()}
_FILE: Keys = {name: Setting(check, default=check({})) for name, check in _CHECKS.items()}
"""The sections of the file, each with the check of its keys."""
