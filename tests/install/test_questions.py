"""What the installer makes of its question about the network, and of a table with a loudspeaker: its own steps, run
without root in folders of a test, with stand-ins for what would change the computer."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from taptable.config import Config, load_config
from taptable.daemon.game_options import check_game

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "scripts" / "install"
DEADLINE_S = 60
LATER = "The page is for this computer only"


@dataclass
class Pi:
    """A computer in a folder; `calls` is what the stand-ins were called with."""

    folder: Path

    @property
    def config(self) -> Path:
        return self.folder / "etc" / "table.toml"

    @property
    def drop_in(self) -> Path:
        return self.folder / "units" / "taptable.service.d" / "speech.conf"

    def calls(self) -> str:
        return (self.folder / "calls").read_text()

    def step(self, name: str, *options: str, typed: str | None = None) -> str:
        """What one of the installer's steps says; somebody types at its terminal, if anything is given."""
        text = INSTALL.read_text()
        steps, run = text[: text.index('read_options "$@"\n')], f'read_options "$@"\n{name}\n'
        places = {
            "config": self.config,
            "password": self.config.parent / "mqtt.password",
            "settings": self.config.parent,
            "venv": self.folder / "venv",
            "programs": self.folder / "programs",
            "restart_mark": self.folder / "programs" / "restart",
            "speech_unit": self.drop_in,
            "booted": self.folder / "booted",
            "command": "true",
            "memory": "/var/lib/taptable",
        }
        changed = "".join(f"{key}='{place}'\n" for key, place in places.items())
        script = self.folder / "install"
        # the checkout is where the script stands, and this one stands elsewhere
        script.write_text(re.sub(r"^here=.*$", f"here='{ROOT}'", steps, flags=re.MULTILINE) + changed + run)
        terminal, typist = (None, None) if typed is None else pty.openpty()[::-1]
        if typist is not None and typed is not None:
            os.write(typist, f"{typed}\n\n\n".encode())  # nothing is an answer to what is asked besides
        ran = subprocess.run(
            ["sh", script, *options],
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            capture_output=True,
            text=True,
            timeout=DEADLINE_S,
            check=False,
            env={**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}"},
        )
        for end in (terminal, typist):
            if end is not None:
                os.close(end)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    def loaded(self) -> Config:
        return load_config(self.config, check_game)


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    (tmp_path / "bin").mkdir()
    (tmp_path / "calls").touch()
    for name in ("usermod", "apt-get", "systemctl", "dpkg", "dpkg-query", "id"):
        program = tmp_path / "bin" / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>"{tmp_path}/calls"\n')
        program.chmod(0o755)
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    python = tmp_path / "venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return Pi(tmp_path)


@pytest.mark.parametrize(
    ("options", "typed", "network"),
    [
        (["--network"], None, True),
        (["--network", "--build=compact"], None, True),
        (["--local"], None, False),
        (["--local", "--yes"], None, False),
        (["--network", "--yes"], None, True),
        (["--yes"], None, False),
        ([], None, False),
        ([], "y", True),
        ([], "n", False),
        ([], "", False),
        (["--local"], "y", False),
    ],
)
def test_the_page_is_open_to_the_network_only_if_somebody_said_so(
    pi: Pi, options: list[str], typed: str | None, network: bool
) -> None:
    said = pi.step("have_config", *options, typed=typed)
    page = pi.loaded().page
    assert page is not None
    assert page.network == network
    assert (LATER in said) != network
    assert ("Open the page to your network?" in said) == (typed is not None and not options)


def test_all_else_in_the_configuration_is_the_examples(pi: Pi) -> None:
    pi.step("have_config", "--network")
    made = pi.config.read_text().splitlines()
    example = (ROOT / "examples" / "full.toml").read_text().splitlines()
    assert set(made) - set(example) == {
        'journal = "/var/lib/taptable/journal.sqlite"',
        'decks = "/var/lib/taptable/decks"',
        "network = true",
    }


@pytest.mark.parametrize(
    ("first", "then", "hint"),
    [
        ("--local", ["--network"], "below [page], the line: network = true"),
        ("--network", ["--local"], "below [page], the line: network = false"),
        ("--network", ["--network"], None),
        ("--local", ["--local"], None),
        ("--local", [], None),
    ],
)
def test_a_configuration_that_is_there_is_never_changed_and_what_to_write_is_said(
    pi: Pi, first: str, then: list[str], hint: str | None
) -> None:
    pi.step("have_config", first)
    before = pi.config.read_bytes()
    said = pi.step("have_config", *then, typed=None if then else "y")
    assert pi.config.read_bytes() == before
    assert "is kept as it is" in said
    assert ("the line:" in said) == (hint is not None)
    assert (hint or "") in said
    assert "Open the page" not in said


def test_the_page_is_a_service_only_where_the_configuration_has_one(pi: Pi) -> None:
    pi.step("have_config")
    (pi.folder / "booted").mkdir()
    assert "* taptable-page.service runs" in pi.step("want_restart; have_service")
    assert "systemctl restart taptable-page.service" in pi.calls()
    pi.config.write_text(re.sub(r"(?s)\[page\].*", "", pi.config.read_text()))
    (pi.folder / "calls").write_text("")
    said = pi.step("want_restart; have_service")
    assert "taptable-page.service doesn't start any more" in said
    assert "systemctl --quiet disable --now taptable-page.service" in pi.calls()
    assert "restart taptable-page" not in pi.calls()
    assert "systemctl restart taptable.service" in pi.calls()


def test_a_table_without_a_loudspeaker_gets_nothing_for_one(pi: Pi) -> None:
    pi.step("have_config")
    assert "no [speech]" in pi.step("have_speech")
    assert pi.calls() == ""
    assert not pi.drop_in.exists()


def test_a_table_with_a_loudspeaker_gets_program_group_and_device_and_loses_them_with_it(pi: Pi) -> None:
    pi.step("have_config")
    before = pi.config.read_text()
    pi.config.write_text(f"{before}\n[speech]\n")
    pi.step("have_speech")
    assert "install --no-install-recommends espeak-ng" in pi.calls()
    assert "usermod --append --groups audio taptable" in pi.calls()
    assert pi.drop_in.read_text() == (ROOT / "system" / "speech.conf").read_text()
    mark = pi.folder / "programs" / "restart"
    assert mark.exists()
    mark.unlink()
    assert f"  {pi.drop_in}" in pi.step("have_speech")
    assert not mark.exists()
    pi.config.write_text(before)
    assert "is taken away" in pi.step("have_speech")
    assert not pi.drop_in.parent.exists()
    assert mark.exists()


def test_a_configuration_with_a_mistake_is_left_for_later(pi: Pi) -> None:
    pi.step("have_config")
    pi.config.write_text("[nothing]\n")
    assert "when the configuration is in order" in pi.step("have_speech")
    assert "network = true" in pi.step("have_config", "--network")


def test_a_broker_that_somebody_names_is_in_the_configuration(pi: Pi) -> None:
    said = pi.step("have_config", "--local", typed="y\nbroker.local")
    assert "is the table to speak to it?" in said
    mqtt = pi.loaded().mqtt
    assert mqtt is not None
    assert (mqtt.account.host, mqtt.account.user) == ("broker.local", "table")
    assert mqtt.account.password_file == pi.config.parent / "mqtt.password"


def test_a_broker_is_named_by_an_option_too_and_else_there_is_none(pi: Pi) -> None:
    pi.step("have_config", "--local")
    assert pi.loaded().mqtt is None
    pi.config.unlink()
    pi.step("have_config", "--local", "--mqtt", "192.168.1.20")
    mqtt = pi.loaded().mqtt
    assert mqtt is not None
    assert mqtt.account.host == "192.168.1.20"


def test_the_bridge_is_a_service_only_where_the_configuration_has_a_broker(pi: Pi) -> None:
    pi.step("have_config", "--mqtt=localhost")
    assert "Write the password of the account" in pi.step("have_password")
    (pi.folder / "booted").mkdir()
    assert "* taptable-bridge.service runs" in pi.step("want_restart; have_service")
    pi.config.write_text(re.sub(r"(?s)\[mqtt\]\nhost.*", "", pi.config.read_text()))
    (pi.folder / "calls").write_text("")
    said = pi.step("want_restart; have_service")
    assert "taptable-bridge.service doesn't start any more" in said
    assert "restart taptable-bridge" not in pi.calls()
