"""``league.toml`` is read whole, or all that is wrong with it is said; and what a year's seasons are."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from taptable.config import InvalidConfig
from taptable.core.errors import ConfigError, LeagueError
from taptable.league.database import check_version, open_database
from taptable.league.seasons import season_of
from taptable.league.settings import load_settings, read_settings
from taptable.uplink.messages import LONGEST

ROOT = Path(__file__).parents[2]
FILE = Path("/etc/taptable/league.toml")
MAX_OF_A_HEADER = 1024
"""MQTT's own bytes, the topic and the properties of a message, at most."""


def test_nothing_needs_to_be_set() -> None:
    found = read_settings("", FILE)
    assert (found.name, found.language, found.season_months) == ("taptable", "en", 12)
    assert found.database == "sqlite:////etc/taptable/league.sqlite"
    assert (found.broker.account.host, found.broker.account.port, found.broker.password) == ("localhost", 1883, None)
    assert (found.page.port, found.page.network) == (8138, False)


def test_the_example_is_one(tmp_path: Path) -> None:
    (tmp_path / "broker.password").write_text("s3cret\n")
    (tmp_path / "broker.password").chmod(0o600)
    found = read_settings((ROOT / "examples" / "league.toml").read_text(encoding="utf-8"), tmp_path / "league.toml")
    assert (found.name, found.broker.password) == ("The club", "s3cret")
    assert found.broker.accounts == Path("/etc/mosquitto/taptable/passwords")


def test_the_example_s_broker_takes_the_longest_message_and_reads_what_the_league_writes() -> None:
    text = (ROOT / "examples" / "mosquitto" / "taptable.conf").read_text(encoding="utf-8")
    [size] = re.findall(r"^max_packet_size (\d+)$", text, re.MULTILINE)
    assert int(size) >= LONGEST + MAX_OF_A_HEADER
    paths = dict(re.findall(r"^(password_file|acl_file) (.+)$", text, re.MULTILINE))
    example = tomllib.loads((ROOT / "examples" / "league.toml").read_text(encoding="utf-8"))["mqtt"]
    assert (paths["password_file"], paths["acl_file"]) == (example["accounts"], example["access"])


def test_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret\n")
    (tmp_path / "secret").chmod(0o600)
    (tmp_path / "league.toml").write_text(
        '[league]\nname = "Club"\nseason_months = 6\n'
        '[database]\nurl = "postgresql+psycopg://league@db/league"\npassword_file = "secret"\n'
        '[mqtt]\nhost = "broker"\ntls = true\nca = "ca.pem"\nuser = "l"\npassword_file = "secret"\n'
        'accounts = "passwords"\naccess = "acl"\n[web]\nport = 9000\nnetwork = true\n'
    )
    found = load_settings(tmp_path / "league.toml")
    assert found.database == "postgresql+psycopg://league:s3cret@db/league"
    account = found.broker.account
    assert (account.port, account.user, account.ca) == (8883, "l", tmp_path / "ca.pem")
    assert found.broker.password == "s3cret"
    assert (found.broker.accounts, found.broker.access) == (tmp_path / "passwords", tmp_path / "acl")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[mqt]\n", "did you mean [mqtt]?"),
        ("[league]\nseason_months = 5\n", "it takes 1, 2, 3, 4, 6 or 12 months"),
        ('[database]\nurl = "mysql://x/y"\n', "it takes an address such as"),
        ("[database]\nurl = 3\n", "it takes an address such as"),
        ('[mqtt]\npassword_file = "gone"\n', "isn't there"),
        ("[mqtt\n", "this is no TOML"),
    ],
)
def test_a_mistake_is_reported(text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=r"league\.toml:|gone") as error:
        read_settings(text, FILE)
    assert says in str(error.value)


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfig, match=r"copy examples/league\.toml to it"):
        load_settings(tmp_path / "league.toml")


def test_an_address_that_cannot_be(tmp_path: Path) -> None:
    for url in ("", "mysql://x/y"):
        with pytest.raises(ConfigError):
            open_database(url)
    with pytest.raises(LeagueError, match="taptable league migrate"):
        check_version(open_database(f"sqlite:///{tmp_path}/empty.sqlite"))


@pytest.mark.parametrize(
    ("day", "months", "season"),
    [
        ("2026-05-05", 12, ("2026", "2026-01-01", "2027-01-01")),
        ("2026-12-31", 6, ("2026-07/12", "2026-07-01", "2027-01-01")),
        ("2026-02-28", 3, ("2026-01/03", "2026-01-01", "2026-04-01")),
        ("2026-12-01", 1, ("2026-12", "2026-12-01", "2027-01-01")),
    ],
)
def test_seasons(day: str, months: int, season: tuple[str, str, str]) -> None:
    name, *bounds = season_of(seconds(day), months)
    assert (name, *bounds) == (season[0], seconds(season[1]), seconds(season[2]))


def seconds(day: str) -> int:
    return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())
