"""``league.toml``: what a league is called, where its database and its broker are, how its page is served. It is read
and checked whole, by the means by which ``table.toml`` is; what comes out is values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from voluptuous import Optional

from taptable.config import Account
from taptable.config.loading import account_in, parse_toml, problem_of, read_text
from taptable.config.model import PageSettings
from taptable.config.passwords import read_password
from taptable.config.problems import invalid
from taptable.config.schema import PAGE, Keys, check_of, flag, name, one_of, refuse, text, whole
from taptable.words import LANGUAGES

PORT = 8138
"""Where a league's page is, where nothing is said: the next after a table's."""
MONTHS = (1, 2, 3, 4, 6, 12)
"""How long a season can be, so that a year has whole ones."""
FILES = ("accounts", "access", "nats_users")
DRIVERS = ("sqlite", "postgresql+psycopg")


@dataclass(frozen=True, slots=True)
class Broker:
    """[mqtt]: the league's account at the broker, in which a `user` is only named with a password. `accounts` and
    `access` are the files of a Mosquitto on this computer that ``table add`` writes, `nats_users` that of NATS servers;
    None where somebody else looks after them."""

    account: Account
    user: str = "league"
    accounts: Path | None = None
    access: Path | None = None
    nats_users: Path | None = None

    @property
    def password(self) -> str | None:
        """The account's; `ConfigError` says what is wrong with its file."""
        file = self.account.password_file
        return None if file is None else read_password(file)


@dataclass(frozen=True, slots=True)
class LeagueSettings:
    """All of ``league.toml``. `database` is its address as SQLAlchemy has it, with the password; a season has
    `season_months`."""

    file: Path
    name: str
    language: str
    season_months: int
    database: str
    broker: Broker
    page: PageSettings


def load_settings(path: Path) -> LeagueSettings:
    """The settings in a file; `InvalidConfig` says all that is wrong with it."""
    return read_settings(read_text(path, "copy examples/league.toml to it"), path)


def read_settings(said: str, path: Path) -> LeagueSettings:
    """The settings in the text of the file at `path`; the files it names are found from its folder."""
    found, wrong = _check(parse_toml(said, path))
    if wrong:
        raise invalid(path, said, map(problem_of, wrong))
    return LeagueSettings(
        file=path,
        name=found["league"]["name"],
        language=found["league"]["language"],
        season_months=found["league"]["season_months"],
        database=_address(found["database"], path.parent),
        broker=_broker(found["mqtt"], path),
        page=PageSettings(**found["web"]),
    )


def _address(database: Mapping[str, Any], folder: Path) -> str:
    url = make_url(database["url"])
    if url.drivername == "sqlite" and url.database:
        url = url.set(database=str(folder / url.database))
    if "password_file" in database:
        url = url.set(password=read_password(folder / database["password_file"]))
    return url.render_as_string(hide_password=False)


def _broker(mqtt: Mapping[str, Any], path: Path) -> Broker:
    password = mqtt.get("password_file")
    account = account_in(mqtt, path, None if password is None else mqtt["user"], password)
    files = {name: path.parent / mqtt[name] for name in FILES if name in mqtt}
    broker = Broker(account, mqtt["user"], **files)
    _ = broker.password  # what is wrong with its file is said now
    return broker


def _months(value: Any) -> int:
    if type(value) is not int or value not in MONTHS:
        raise refuse(value, "1, 2, 3, 4, 6 or 12 months")
    return value


def _database(value: Any) -> str:
    try:
        url = make_url(value) if isinstance(value, str) else None
    except ArgumentError:
        url = None
    if url is None or url.drivername not in DRIVERS:
        raise refuse(
            value, 'an address such as "sqlite:///league.sqlite" or "postgresql+psycopg://league@localhost/league"'
        )
    return url.render_as_string(hide_password=False)


LEAGUE: Keys = {
    Optional("name", default="taptable"): name,
    Optional("language", default="en"): one_of(*LANGUAGES),
    Optional("season_months", default=12): _months,
}
DATABASE: Keys = {
    Optional("url", default="sqlite:///league.sqlite"): _database,
    Optional("password_file"): text,
}
MQTT: Keys = {
    Optional("host", default="localhost"): text,
    Optional("port"): whole(1, 65535),
    Optional("tls", default=False): flag,
    Optional("ca"): text,
    Optional("user", default="league"): text,
    Optional("password_file"): text,
    Optional("accounts"): text,
    Optional("nats_users"): text,
    Optional("access"): text,
}
WEB: Keys = {
    **{marker: check for marker, check in PAGE.items() if marker != "port"},
    Optional("port", default=PORT): whole(1024, 65535),
}

_check = check_of(
    {
        Optional("league", default=dict): LEAGUE,
        Optional("database", default=dict): DATABASE,
        Optional("mqtt", default=dict): MQTT,
        Optional("web", default=dict): WEB,
    }
)
