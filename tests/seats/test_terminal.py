"""`taptable seats` at a terminal: with a table that runs and without one, in each language, and how nothing changes."""

from __future__ import annotations

import signal

import pytest
from choosing import long_params
from taptable.api.client import Client

from seats.rig import Maker, watching
from seats.test_process import ASSIGNING, PLAYING, assign_two

FIRST = "Lay any NFC card on the reader of seat 1"


def test_without_a_table_the_command_assigns_and_stores(maker: Maker) -> None:
    """A wrong part, the way back, and a key that there isn't."""
    maker.plug_in()
    with maker.running("seats", terminal=True) as seats:
        seats.read_until(
            "^Enter: finish", r"^reader\s+reader r1\s+file:\S+\s+no place yet$", "^A card lies on a reader", FIRST
        )
        seats.order("x")
        seats.read_until("^There is no key x")
        seats.order()
        maker.press("a-17", 1)
        seats.read_until(r"^This is a button\. First lay a card on the reader of seat 1\.$")
        maker.press("a-17", 1)
        seats.read_until("^It doesn’t work\\?")
        maker.lay("r1")
        seats.read_until("^Seat 1: reader r1$", r"^Press the button of seat 1\.$")
        maker.press("a-17", 1)
        seats.read_until("^Seat 1: controller a-17, button 1$", "^Lay any NFC card on the reader of seat 2")
        seats.order("b")
        maker.read_until_again(seats, r"^Press the button of seat 1\.$", 2)
        maker.press("a-17", 2)
        seats.read_until("^Seat 1: controller a-17, button 2$")
        maker.lay("r2", "04c0ffee04c0fe")
        seats.read_until(r"^Press the button of seat 2\.$")
        maker.press("b-18", 1)
        seats.read_until("^Lay a card on the reader in the middle")
        seats.order("e")
        maker.lay("r3", "04c0ffee04c0fd")
        seats.read_until("^All seats have their parts", "^Discard pad: reader r3$")
        seats.order()
        seats.read_until(r"^The parts are stored in .*parts\.toml\.$", "^Start the table now: taptable run")
        assert seats.wait() == 0
    with maker.running("seats", "--print") as printed:
        assert printed.wait() == 0
        printed.read_until('^button = "socket:.*/a-17/2.socket"$', r"^\[discard\]$")
        assert "found" not in printed.log
    with maker.running("seats", "--list") as listed:
        assert listed.wait() == 0
        listed.read_until(
            r"^button\s+controller b-18, button 2\s+socket:\S+\s+no place yet$", r"reader r3 .*Discard pad$"
        )


@pytest.mark.parametrize("way", long_params(["ctrl-c", "q", "end"], 1))
def test_nothing_changes_if_it_is_broken_off(maker: Maker, way: str) -> None:
    maker.plug_in()
    with maker.running("seats", terminal=True) as seats:
        seats.read_until("^A card lies on a reader")
        maker.lay("r1")
        seats.read_until("^Seat 1: reader r1$")
        if way == "ctrl-c":
            assert seats.stop(signal.SIGINT) == 130
        else:
            seats.order("q" if way == "q" else "\x04")
            seats.read_until("^Nothing was changed")
            assert seats.wait() == 1
    assert not maker.parts_file.exists()


def test_without_a_terminal_nothing_is_asked(maker: Maker) -> None:
    maker.plug_in()
    with maker.running("seats") as seats:
        seats.read_until("^taptable seats: it asks questions, and needs a terminal")
        assert seats.wait() == 2
    with maker.running("seats", "--print") as seats:
        seats.read_until("^taptable seats: there are no seats yet")
        assert seats.wait() == 2


def test_a_table_that_runs_is_asked_and_runs_again(maker: Maker) -> None:
    maker.plug_in()
    with maker.running("run") as table:
        table.read_until(ASSIGNING)
        with maker.running("seats", terminal=True) as seats:  # the table has no seats, and asks already
            seats.read_until(FIRST)
            with watching(maker) as at:
                assign_two(maker, at)
            seats.read_until("^All seats have their parts")
            maker.press("a-17", 1)
            seats.read_until("^The table runs again")
            assert seats.wait() == 0
        table.read_until(PLAYING)
        with maker.running("seats", terminal=True) as seats:
            seats.read_until(FIRST)
            assert seats.stop(signal.SIGINT) == 130
        maker.read_until_again(table, PLAYING, 2)
        with Client(maker.socket) as client:
            assert not client.facts.assigning
        with maker.running("seats", "--list") as listed:
            listed.read_until(r"^reader\s+reader r1\s+file:\S+/r1\s+Seat 1$")
            assert listed.wait() == 0
        assert table.stop() == 0


@pytest.mark.parametrize(
    ("language", "sentence"),
    long_params(
        [
            ("de", "^Lege irgendeine NFC-Karte auf das Lesegerät von Platz 1"),
            ("fr", "^Posez n’importe quelle carte NFC sur le lecteur de la place 1"),
            ("nl", "^Leg een willekeurige NFC-kaart op de lezer van plaats 1"),
        ],
        1,
    ),
)
def test_in_other_languages(maker: Maker, language: str, sentence: str) -> None:
    maker.plug_in()
    with maker.running("seats", "--language", language, terminal=True) as seats:
        seats.read_until(sentence)


def test_a_damaged_file_is_named(maker: Maker) -> None:
    maker.plug_in()
    maker.parts_file.write_text("[[seats]\n")
    with maker.running("seats", terminal=True) as seats:
        seats.read_until(r"^taptable seats: .*parts\.toml:1: column \d+: this is no TOML", FIRST)
    with maker.running("seats", "--print") as seats:
        assert seats.wait() == 2


def root_by(maker: Maker, script: str) -> None:
    """Make this script the only way to root: it is run in the place of sudo."""
    programs = maker.folder / "bin"
    programs.mkdir()
    (programs / "sudo").write_text(f"#!/bin/sh\n{script}\n")
    (programs / "sudo").chmod(0o755)
    maker.environment["PATH"] = str(programs)


CLOSED = r"^Plugged in, but closed to you \(.+\): reader r2\."


def test_a_rule_that_opens_a_part_is_shown_and_written(maker: Maker) -> None:
    maker.plug_in()
    reader = maker.plugs / "readers/r2"
    reader.chmod(0)
    root_by(maker, f'printf "%s" "$3" >{maker.folder}/script; /bin/chmod 600 {reader}')
    with maker.running("seats", terminal=True) as seats:
        seats.read_until(
            CLOSED, r"^This would be in /etc/udev/rules\.d/60-taptable\.rules:$", '^    .*TAG\\+="uaccess"'
        )
        seats.read_until(r"^Write it now, with sudo\?")
        seats.order("y")
        seats.read_until(r"Written, and the parts are open to you\.$", FIRST)
    with maker.running("seats", "--rules") as rules:  # nothing is closed any more
        rules.read_until("^taptable seats: nothing that is plugged in is closed to ")
        assert rules.wait() == 1
    reader.chmod(0)
    with maker.running("seats", "--rules") as rules:
        assert rules.wait() == 0
        rules.read_until("^udevadm control --reload")
    assert (maker.folder / "script").read_text() == rules.log


@pytest.mark.parametrize(
    ("answer", "script", "sentence"),
    [
        ("", "touch wrong", r"Nothing was written; these parts stay closed\. .* taptable seats --rules \| sudo sh$"),
        ("\x04", "touch wrong", r"Nothing was written; these parts stay closed\."),
        ("y", "exit 1", r"sudo has failed \(status 1\): nothing was written, and these parts stay closed\."),
        ("y", "exit 0", r"Written, but still closed: reader r2\. Pull it out and plug it in again\."),
        (None, "", r"^There is neither sudo nor pkexec here\. Run as root what taptable seats --rules prints"),
    ],
)
def test_a_rule_that_is_not_written_is_said_and_the_other_parts_are_asked_for(
    maker: Maker, answer: str | None, script: str, sentence: str
) -> None:
    maker.plug_in()
    (maker.plugs / "readers/r2").chmod(0)
    root_by(maker, script)
    if answer is None:
        maker.environment["PATH"] = str(maker.plugs)
    with maker.running("seats", terminal=True) as seats:
        seats.read_until(CLOSED)
        if answer is not None:
            seats.read_until(r"^Write it now, with sudo\?")
            seats.order(answer)
        seats.read_until(sentence, FIRST)
    assert not (maker.folder / "wrong").exists()


def test_without_table_toml_the_seats_are_those_of_the_user_s_own_table(maker: Maker) -> None:
    maker.plug_in()
    own = maker.folder / "data/taptable"
    maker.environment |= {"XDG_DATA_HOME": str(own.parent), "HOME": str(maker.folder)}
    (maker.folder / "table.toml").unlink()
    with maker.running("seats", terminal=True) as seats:
        seats.read_until(rf"^There is no table\.toml yet, .* are in {own}, its deck is “family”", FIRST)
        maker.lay("r1")
        seats.read_until(r"^Press the button of seat 1\.$")
        maker.press("a-17", 1)
        seats.read_until("^Lay any NFC card on the reader of seat 2")
        maker.lay("r2")
        seats.read_until(r"^Press the button of seat 2\.$")
        maker.press("b-18", 1)
        seats.read_until("^Lay a card on the reader in the middle")
        maker.lay("r3")
        seats.read_until("^All seats have their parts")
        seats.order()
        seats.read_until(rf"^The parts are stored in {own}/parts\.toml\.$")
        assert seats.wait() == 0
    assert own.stat().st_mode & 0o777 == 0o700
    with maker.running("run") as table:
        table.read_until(r"^There is no table\.toml yet", PLAYING.replace("taptable$", "Living room$"))
        assert table.stop() == 0
    assert not (own / "table.toml").exists()
