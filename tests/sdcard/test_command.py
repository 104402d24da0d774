"""`taptable sdcard`: what it takes, what it asks at a terminal, and what it says."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
from choosing import long_params
from cli.commands import CommandResult, Terminal, command, process
from deadline import DEADLINE_S

from sdcard.cards import a_bundle, a_card, files_of

PASSWORD = "a password of ours"


@pytest.fixture
def terminal(capsys: pytest.CaptureFixture[str]) -> Terminal:
    return Terminal(capsys)


def settings_of(card: Path) -> dict[str, str]:
    lines = (card / "taptable.txt").read_text().splitlines()
    settings = [line.split("=") for line in lines if line and not line.startswith("#")]
    return {name.strip(): value.strip() for name, value in settings}


def test_the_options_are_on_the_card_and_the_next_step_is_printed(tmp_path: Path, terminal: Terminal) -> None:
    card = a_card(tmp_path / "bootfs")
    options = ["--name", "Küche", "--language", "nl", "--build", "compact", "--seats", 3, "--network"]
    ran = terminal.run("sdcard", card, "--package", a_bundle(tmp_path), *options)
    assert (ran.status, ran.err) == (0, "")
    assert settings_of(card) == {
        "name": "Küche",
        "language": "nl",
        "build": "compact",
        "seats": "3",
        "network": "yes",
        "time-zone": "",
        "country": "",
    }
    assert "dtoverlay=spi1-2cs" in (card / "config.txt").read_text()
    assert ran.lines[0] == "The card has Raspberry Pi OS trixie, and was in no Pi yet."
    assert "The Wi-Fi that Imager was told stays." in ran.lines
    assert "taptable-first-start.txt on the card says why" in ran.lines[-1]


def test_a_table_that_nobody_was_asked_about_keeps_its_page_to_itself(tmp_path: Path, terminal: Terminal) -> None:
    card = a_card(tmp_path / "bootfs")
    assert terminal.run("sdcard", card, "--package", a_bundle(tmp_path)).status == 0
    assert settings_of(card)["network"] == "no"
    assert not (card / "taptable" / "wifi").exists()


def test_a_wifi_comes_with_its_password_in_its_own_file_alone(tmp_path: Path) -> None:
    card = a_card(tmp_path / "bootfs", configured=False)
    wifi = ["--wifi", "home", "--wifi-password", "-", "--country", "DE"]
    package = ["--package", a_bundle(tmp_path)]
    ran = process("sdcard", card, *package, *wifi, folder=tmp_path, keys=f"{PASSWORD}\r\n".encode())
    assert (ran.status, ran.err) == (0, "")
    assert f"\npsk={PASSWORD}\n".encode() in (card / "taptable" / "wifi").read_bytes()
    (tmp_path / "secret").write_text(f"{PASSWORD}\nand more\n")
    was = files_of(card)
    wifi[3] = str(tmp_path / "secret")
    assert process("sdcard", card, *package, *wifi, folder=tmp_path).status == 0
    assert files_of(card) == was
    assert [name for name, content in was.items() if PASSWORD.encode() in content] == ["taptable/wifi"]


@pytest.mark.parametrize(
    ("options", "says"),
    long_params(
        [
            (["--seats", "9"], "A full build can't have 9 seats"),
            (["--wifi", "home", "--country", "DE"], "--wifi NAME takes --wifi-password FILE where nobody can be asked"),
            (["--wifi-password", "none"], "--wifi-password goes with --wifi NAME"),
            (["--wifi", "home", "--wifi-password", "none", "--country", "DE"], "none can't be read: No such file"),
            (["--wifi", "home", "--wifi-password", "-"], "--wifi takes --country XX too"),
            (["--build", "medium"], "invalid choice: 'medium'"),
        ]
    ),
)
def test_what_cannot_be_is_a_sentence_and_the_card_is_left(tmp_path: Path, options: list[str], says: str) -> None:
    card = a_card(tmp_path / "bootfs", configured=False)
    was = files_of(card)
    ran = process("sdcard", card, "--package", a_bundle(tmp_path), *options, folder=tmp_path, keys=b"a password\n")
    assert (ran.status, len(ran.err.splitlines())) == (2, 1)
    assert says in ran.err
    assert files_of(card) == was


def test_a_zip_opens_the_page_to_the_network_unless_an_option_forbids_it(tmp_path: Path, terminal: Terminal) -> None:
    file, package = tmp_path / "card.zip", ["--package", a_bundle(tmp_path)]
    for options, network in (([], b"network = yes\r\n"), (["--local"], b"network = no\r\n")):
        ran = terminal.run("sdcard", "--zip", file, *package, *options)
        assert (ran.status, ran.err) == (0, "")
        with zipfile.ZipFile(file) as packed:
            assert network in packed.read("taptable.txt")
    ran = terminal.run("sdcard", "--zip", file, *package, "--wifi", "home")
    assert (ran.status, "set in Raspberry Pi Imager" in ran.err) == (2, True)


def test_it_takes_a_card_or_a_zip(tmp_path: Path, terminal: Terminal) -> None:
    assert terminal.run("sdcard", "--package", a_bundle(tmp_path)).status == 2


def at_a_terminal(folder: Path, *arguments: object, answers: list[tuple[str, str]]) -> CommandResult:
    """The command at a terminal, where somebody answers each question as it comes."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        command("sdcard", *arguments), cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    seen = ""
    deadline = time.monotonic() + DEADLINE_S
    try:
        while select.select([ours], [], [], deadline - time.monotonic())[0]:
            try:
                seen += os.read(ours, 65536).decode()
            except OSError:  # Linux: nobody is at the other end any more
                break
            if answers and seen.rstrip(" ").endswith(":") and answers[0][0] in seen.splitlines()[-1]:
                os.write(ours, f"{answers.pop(0)[1]}\n".encode())
        return CommandResult(running.wait(DEADLINE_S), seen, "")
    finally:
        running.kill()
        running.wait()
        os.close(ours)


def test_at_a_terminal_the_rest_is_asked_and_asked_again_after_nonsense(tmp_path: Path) -> None:
    card = a_card(tmp_path / "bootfs", configured=False)
    answers = [
        ("The table's name [Living room]", ""),
        *[("Its language", "it"), ("Its language", "fr"), ("Its build", "full")],
        *[("How many seats [6]", each) for each in ("four", "7", "4")],
        ("Open the page", "y"),
        *[("The Pi's time zone", "Berlim"), ("The Pi's time zone", "Europe/Berlin")],
        ("The Wi-Fi it joins", "home"),
        *[("Its password (not shown)", "short"), ("Its password (not shown)", PASSWORD)],
        *[("The country", "d"), ("The country", "de")],
    ]
    ran = at_a_terminal(tmp_path, card, "--package", a_bundle(tmp_path), answers=answers)
    assert (ran.status, answers) == (0, [])
    assert PASSWORD not in ran.out
    assert settings_of(card) == {
        "name": "Living room",
        "language": "fr",
        "build": "full",
        "seats": "4",
        "network": "yes",
        "time-zone": "Europe/Berlin",
        "country": "DE",
    }
    assert (card / "taptable" / "wifi").exists()


def test_the_seats_of_a_ready_table_are_not_asked(tmp_path: Path) -> None:
    card = a_card(tmp_path / "bootfs")
    answers = [("Its build", "ready"), ("Open the page", "y")]
    options = ["--name", "x", "--language", "en", "--time-zone", "Europe/Berlin"]
    ran = at_a_terminal(tmp_path, card, "--package", a_bundle(tmp_path), *options, answers=answers)
    assert (ran.status, answers) == (0, [])
    settings = settings_of(card)
    assert (settings["build"], settings["seats"], settings["network"]) == ("ready", "", "yes")


@pytest.mark.long
def test_the_wifi_is_not_asked_where_imager_has_one_and_leaving_changes_nothing(tmp_path: Path) -> None:
    card, was = a_card(tmp_path / "bootfs"), files_of(tmp_path / "bootfs")
    options = ["--name", "x", "--language", "en", "--build", "full", "--seats", "2"]
    answers = [("Open the page", "\x04")]
    ran = at_a_terminal(tmp_path, card, "--package", a_bundle(tmp_path), *options, answers=answers)
    assert (ran.status, answers) == (2, [])
    assert "Nobody answers; nothing was changed on the card." in ran.out
    assert files_of(card) == was
    answers = [("Open the page", "")]
    assert at_a_terminal(tmp_path, card, "--package", a_bundle(tmp_path), *options, answers=answers).status == 0
    assert settings_of(card)["network"] == "no"


def test_it_does_without_what_windows_has_not(tmp_path: Path) -> None:
    card = a_card(tmp_path / "bootfs")
    missing = "fcntl termios pwd grp resource pty tty"
    script = f"import sys; sys.modules.update(dict.fromkeys('{missing}'.split()))\n"
    script += "from taptable.cli import main; sys.exit(main())"
    words = [sys.executable, "-c", script, "sdcard", card, "--package", a_bundle(tmp_path)]
    ran = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert (card / "vendor-data").exists()
