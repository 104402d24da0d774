"""The first start of a Pi with a prepared card, and what it reports if it fails. scripts/test-install runs the whole of
it, with cloud-init and the real package."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from choosing import long_params
from taptable.config import load_config
from taptable.daemon.game_options import check_game
from taptable.sdcard.bundle import read_bundle
from taptable.sdcard.card import read_boot_partition
from taptable.sdcard.settings import Settings
from taptable.sdcard.wifi import validate_wifi
from taptable.sdcard.writing import write_card

from sdcard.a_pi import INSTALL, ROOT, Pi, a_pi
from sdcard.cards import a_bundle, a_card

SETTINGS = Settings(name="Küche 2", language="de", build="compact", seats=3, network=True)
BUSES = ("dtparam=spi=on",)


def started(tmp_path: Path, settings: Settings = SETTINGS, lines: tuple[str, ...] = BUSES) -> Pi:
    """A Pi with a card that was made ready for these settings."""
    card = a_card(tmp_path / "bootfs")
    write_card(
        read_boot_partition(card), settings, read_bundle(a_bundle(tmp_path)), validate_wifi("home", "a password"), lines
    )
    return a_pi(tmp_path / "pi", card)


@pytest.fixture(autouse=True)
def pi_folder(tmp_path: Path) -> None:
    (tmp_path / "pi").mkdir()


def change(pi: Pi, line: str, instead: str) -> None:
    """As somebody does in an editor."""
    file = pi.card / "taptable.txt"
    text = file.read_bytes().decode()
    assert f"\n{line}\r\n" in text
    file.write_bytes(text.replace(f"\n{line}\r\n", f"\n{instead}\r\n").encode())


def test_cloud_init_has_its_service_put_in_place_and_begun(tmp_path: Path) -> None:
    pi = started(tmp_path)
    assert pi.first_start("now") == 0
    assert f"ExecStart=/bin/sh {pi.card}/taptable/first-start work\n" in pi.unit.read_text()
    wanted = pi.unit.parent / "multi-user.target.wants" / pi.unit.name
    assert wanted.resolve() == pi.unit
    assert pi.calls() == ["systemctl daemon-reload", "systemctl start --no-block taptable-first-start.service"]


@pytest.mark.parametrize("has_room", [True, False])
def test_systemd_has_it_put_in_place_once_and_the_next_start_is_one_like_any_other(
    tmp_path: Path, has_room: bool
) -> None:
    card = a_card(tmp_path / "bootfs", "bookworm", configured=False)
    before = (card / "cmdline.txt").read_text()
    write_card(read_boot_partition(card), SETTINGS, read_bundle(a_bundle(tmp_path, "bookworm")), None, BUSES)
    pi = a_pi(tmp_path / "pi", card)
    if not has_room:
        (pi.etc / "systemd").touch()
    assert pi.first_start() == 0
    assert pi.unit.exists() == has_room
    assert (card / "cmdline.txt").read_text() == before
    assert has_room or "is there room on the card?" in pi.report
    assert not [*card.glob("cmdline*before*")]
    assert pi.calls() == []


def test_imagers_script_has_it_put_in_place_and_no_copy_of_what_it_knows_is_left(tmp_path: Path) -> None:
    card = a_card(tmp_path / "bootfs", "bookworm")
    write_card(read_boot_partition(card), SETTINGS, read_bundle(a_bundle(tmp_path, "bookworm")), None, BUSES)
    line = (card / "cmdline.txt").read_text()
    pi = a_pi(tmp_path / "pi", card)
    assert pi.first_start() == 0
    assert pi.unit.exists()
    assert not (card / "firstrun.sh.before-taptable").exists()
    assert (card / "cmdline.txt").read_text() == line  # that is Imager's to change


def test_it_installs_the_table_as_it_was_set_and_leaves_nothing_on_the_card_but_how_it_went(tmp_path: Path) -> None:
    pi = started(tmp_path)
    pi.first_start("now")
    assert pi.first_start("work") == 0
    assert pi.answers() == (
        "taptable taptable/build select compact\ntaptable taptable/language select de\n"
        "taptable taptable/network boolean true\ntaptable taptable/name string Küche 2\n"
    )
    assert len(load_config(pi.config, check_game).seats) == 3
    assert "systemctl start taptable.service" in pi.calls()
    assert "Done: the table runs (taptable-0.2.0-trixie-arm64)." in pi.report
    assert "http://raspberrypi.local:8137/" in pi.report
    assert not pi.unit.exists()
    assert not pi.unit.is_symlink()
    assert {path.name for path in pi.card.iterdir()} == {
        *("cmdline.txt", "config.txt", "config.txt.before-taptable", "issue.txt", "kernel8.img"),
        *("meta-data", "network-config", "user-data", "taptable-first-start.txt"),
    }
    (network,) = (pi.etc / "NetworkManager" / "system-connections").iterdir()
    assert network.stat().st_mode & 0o777 == 0o600
    assert not (pi.folder / "unpacked").exists()
    assert not (pi.folder / "kept").exists()


def test_nothing_of_the_wifis_password_stays_on_the_card(tmp_path: Path) -> None:
    pi = started(tmp_path)
    # what lies on the card where the file was
    (tmp_path / "sectors").hardlink_to(pi.card / "taptable" / "wifi")
    assert b"psk=a password\n" in (tmp_path / "sectors").read_bytes()
    assert pi.first_start("work") == 0
    assert set((tmp_path / "sectors").read_bytes()) == {0}
    profile = pi.etc / "NetworkManager" / "system-connections" / "taptable-wifi.nmconnection"
    assert "\npsk=a password\n" in profile.read_text()


NOT_JOINED = """\
case "$*" in
    *ssid*) echo home ;;
    *connection\\ up*) echo 'Error: Secrets were required, but not provided' >&2; exit 4 ;;
esac"""
NO_ADDRESS = {"nm-online": "exit 1", "ip": ""}


@pytest.mark.parametrize(
    ("programs", "says"),
    long_params(
        [
            ({}, "The Pi is in a network, at 192.168.1.7. It has joined the Wi-Fi home."),
            ({"nmcli": NOT_JOINED, **NO_ADDRESS}, "The Pi is in no network. It has not joined the Wi-Fi home (Error: "),
            (
                {"nmcli": NOT_JOINED},
                "The Pi is in a network, at 192.168.1.7. It has not joined the Wi-Fi home (Error: ",
            ),
            ({"nmcli": "exit 10", **NO_ADDRESS}, "in no network. It has not joined the Wi-Fi of this card"),
            ({"nmcli": 'case "$*" in *ssid*) echo home ;; esac'}, "at 192.168.1.7. It has joined the Wi-Fi home."),
            (
                {"ip": "printf '2: a    inet 10.0.0.2/8\\n3: b    inet 192.168.1.7/24\\n'"},
                "at 10.0.0.2 192.168.1.7. It",
            ),
        ]
    ),
)
def test_the_report_says_whether_a_network_was_joined(tmp_path: Path, programs: dict[str, str], says: str) -> None:
    pi = started(tmp_path)
    pi.programs |= programs
    assert pi.first_start("work") == 0
    assert says in pi.report
    assert ("http://192.168.1.7:8137/ http://raspberrypi.local:8137/" in pi.report) == bool(pi.programs["ip"])


def test_without_a_wifi_of_its_own_the_report_says_what_network_there_is(tmp_path: Path) -> None:
    pi = started(tmp_path)
    (pi.card / "taptable" / "wifi").unlink()
    pi.programs["nmcli"] = "exit 10"
    assert pi.first_start("work") == 0
    assert "\nThe Pi is in a network, at 192.168.1.7.\n" in pi.report


def test_the_pi_is_set_up_where_it_was_asked_for_and_only_there(tmp_path: Path) -> None:
    asked = replace(SETTINGS, time_zone="Europe/Berlin", country="DE", network=False)
    pi = started(tmp_path, asked)
    assert pi.first_start("work") == 0
    assert (pi.etc / "localtime").readlink() == pi.folder / "zoneinfo" / "Europe" / "Berlin"
    assert (pi.etc / "timezone").read_text() == "Europe/Berlin\n"
    assert "raspi-config nonint do_wifi_country DE" in pi.calls()
    assert "Its page is for this Pi only" in pi.report


def test_the_settings_of_imager_stay_without_another_word(tmp_path: Path) -> None:
    pi = started(tmp_path)
    assert pi.first_start("work") == 0
    assert not (pi.etc / "localtime").exists()
    assert not [call for call in pi.calls() if call.startswith("raspi-config")]


def test_a_country_that_cannot_be_set_is_remarked_and_the_table_runs(tmp_path: Path) -> None:
    pi = started(tmp_path, replace(SETTINGS, country="DE"))
    pi.programs["raspi-config"] = "exit 1"
    assert pi.first_start("work") == 0
    assert "Done: " in pi.report
    assert "could not be set to DE" in pi.report


def test_it_starts_the_pi_once_more_where_the_buses_are_switched_on_only_now(tmp_path: Path) -> None:
    pi = started(tmp_path, lines=())
    pi.first_start("now")
    assert pi.first_start("work") == 0
    assert pi.calls()[-1] == "systemctl reboot"
    assert "starts once more by itself" in pi.report
    assert pi.unit.exists()
    pi.has_installer("exit 1\n")  # what is installed isn't installed again, and needs no room
    _no_room(pi)
    change(pi, "network = yes", "network = no")  # too late: the report tells of what was installed
    assert pi.first_start("work") == 0
    assert "Done: " in pi.report
    assert "http://raspberrypi.local:8137/" in pi.report


def test_a_file_that_is_changed_by_others_does_not_have_it_start_again_and_again(tmp_path: Path) -> None:
    pi = started(tmp_path)
    pi.programs["taptable-buses"] = 'echo "# another" >>"$BOOT_CONFIG"'
    pi.first_start("work")
    assert pi.calls()[-1] == "systemctl reboot"
    pi.first_start("work")
    assert pi.calls().count("systemctl reboot") == 1
    assert "Done: " in pi.report


def test_a_power_cut_in_the_middle_goes_on_at_the_next_start(tmp_path: Path) -> None:
    pi = started(tmp_path)
    pi.has_installer(f"{INSTALL}kill -KILL $PPID\n")
    assert pi.first_start("work") < 0
    assert "is being installed" in pi.report
    pi.has_installer(INSTALL)
    assert pi.first_start("work") == 0
    assert "Done: " in pi.report
    assert len(load_config(pi.config, check_game).seats) == 3


def test_of_two_packages_the_one_that_was_put_there_last_is_installed(tmp_path: Path) -> None:
    pi = started(tmp_path)
    for version in ("0.1.9", "0.9.0"):
        (pi.card / "taptable" / f"taptable-{version}-trixie-arm64.tar").write_bytes(b"of before")
    assert pi.first_start("work") == 0
    assert "Done: the table runs (taptable-0.2.0-trixie-arm64)." in pi.report


def test_a_configuration_that_was_there_is_left_alone(tmp_path: Path) -> None:
    pi = started(tmp_path)
    pi.config.parent.mkdir()
    pi.config.write_text("# mine\n")
    assert pi.first_start("work") == 0
    assert pi.config.read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("line", "instead", "says"),
    long_params(
        [
            ("name = Küche 2", "name =", "name = wants a name"),
            ("language = de", "language = es", "language = can be en, de, fr or nl, not 'es'"),
            ("build = compact", "build = ful", "build = can be full, compact or ready, not 'ful'"),
            ("seats = 3", "seats = 5", "seats = can be 2 to 4 with build = compact, not '5'"),
            ("seats = 3", "seats = two", "seats = can be 2 to 4"),
            ("network = yes", "network = maybe", "network = can be yes or no, not 'maybe'"),
            ("time-zone =", "time-zone = Berlin", "time-zone = takes a name such as Europe/Berlin, not 'Berlin'"),
            ("time-zone =", "time-zone = ../../etc", "time-zone = takes a name such as Europe/Berlin, not '../../etc'"),
            ("country =", "country = Germany", "country = takes two capital letters such as DE, not 'Germany'"),
            ("seats = 3", "seat = 3", "seat = 3: this is no setting. There are name, language"),
            ("seats = 3", "three seats", "three seats: this is no setting"),
        ]
    ),
)
def test_a_mistake_in_the_settings_is_reported_and_once_it_is_right_it_goes_on(
    tmp_path: Path, line: str, instead: str, says: str
) -> None:
    pi = started(tmp_path)
    change(pi, line, instead)
    assert pi.first_start("work") == 1
    assert "NOT FINISHED. taptable.txt: " in pi.report
    assert says in pi.report
    assert "Put that right in taptable.txt on this card" in pi.report
    assert not (pi.folder / "answered").exists()
    change(pi, instead, line)
    assert pi.first_start("work") == 0
    assert "Done: " in pi.report


def test_the_settings_may_come_from_any_editor(tmp_path: Path) -> None:
    pi = started(tmp_path)
    file = pi.card / "taptable.txt"
    was = file.read_bytes().decode()
    for spoiled in (was.encode("utf-16"), was.encode("cp1252")):
        file.write_bytes(spoiled)
        assert pi.first_start("work") == 1
        assert "save it as UTF-8" in pi.report
    file.write_bytes(b"\xef\xbb\xbf" + was.replace("name = ", "name=").replace("\r\n", "\n").encode())
    assert pi.first_start("work") == 0
    assert "taptable/name string Küche 2\n" in pi.answers()


@pytest.mark.parametrize(
    ("line", "instead", "seen"),
    long_params(
        [
            ("build = compact", "build =\u00a0compact", "line 11: build =<U+00A0>compact"),
            ("seats = 3", "\ufeffseats\u202f= 3", "line 15: <U+FEFF>seats<U+202F>= 3"),
            ("seats = 3", "seats = 3\u200b", "line 15: seats = 3<U+200B>"),
            ("language = de", "language = d\u00ade\u0085", "line 8: language = d<U+00AD>e<U+0085>"),
            ("name = Küche 2", "name =\u3000Küche\u00a02\u200e", "line 5: name =<U+3000>Küche<U+00A0>2<U+200E>"),
        ]
    ),
)
def test_signs_that_nobody_sees_are_read_as_they_were_meant_and_reported(
    tmp_path: Path, line: str, instead: str, seen: str
) -> None:
    pi = started(tmp_path)
    change(pi, line, instead)
    change(pi, "country =", "country = Germany")
    # in the sentence that asks to put something else right, and in that it is done
    for status in (1, 0):
        assert pi.first_start("work") == status
        said = f"taptable.txt has signs that nobody sees, which were read as spaces or left out: {seen}\n"
        assert said in pi.report
        if status:
            change(pi, "country = Germany", "country =")
    assert "build select compact\ntaptable taptable/language select de\n" in pi.answers()
    assert pi.answers().endswith("string Küche 2\n")
    assert len(load_config(pi.config, check_game).seats) == 3


def test_capitals_that_a_phone_writes_are_read_as_they_were_meant(tmp_path: Path) -> None:
    pi = started(tmp_path)
    for line, instead in (("build = compact", "Build = Compact"), ("language = de", "Language = De")):
        change(pi, line, instead)
    change(pi, "country =", "Country = de")
    change(pi, "network = yes", "NETWORK = Yes")
    assert pi.first_start("work") == 0
    assert "build select compact\ntaptable taptable/language select de\ntaptable taptable/network boolean true" in (
        pi.answers()
    )
    assert "raspi-config nonint do_wifi_country DE" in pi.calls()


@pytest.mark.parametrize("seats", ["", "4"])
def test_a_ready_table_gets_no_seats_and_the_report_says_how_it_gets_them(tmp_path: Path, seats: str) -> None:
    pi = started(tmp_path, Settings(build="ready", network=True))
    (pi.folder / "example.toml").write_bytes((ROOT / "examples" / "ready.toml").read_bytes())
    change(pi, "seats =", f"seats = {seats}")
    assert pi.first_start("work") == 0
    assert "build select ready\n" in pi.answers()
    assert load_config(pi.config, check_game).seats == ()
    assert "Done: the table runs" in pi.report
    assert "It has no seats yet: open its page, or look at its scoreboard, and touch the parts" in pi.report
    assert ("seats = 4 was not used: with build = ready" in pi.report) == bool(seats)


def test_no_setting_is_taken_for_a_command(tmp_path: Path) -> None:
    name = "$(touch /tmp/x) `id` ' \" ; %s * = # \\"
    pi = started(tmp_path, replace(SETTINGS, name=name))
    assert pi.first_start("work") == 0
    # debconf takes what follows a backslash at a line's end as part of the line
    assert pi.answers().endswith(f"\ntaptable taptable/name string {name}\n")


def _cut_bundle(pi: Pi) -> None:
    (bundle,) = (pi.card / "taptable").glob("*.tar")
    bundle.write_bytes(bundle.read_bytes()[:-1000])


def _no_bundle(pi: Pi) -> None:
    (bundle,) = (pi.card / "taptable").glob("*.tar")
    bundle.unlink()


def _no_sums(pi: Pi) -> None:
    (pi.card / "taptable" / "SHA256SUMS").unlink()


def _no_settings(pi: Pi) -> None:
    (pi.card / "taptable.txt").unlink()


def _other_release(pi: Pi) -> None:
    (pi.etc / "os-release").write_text("VERSION_CODENAME=bookworm\n")


def _other_architecture(pi: Pi) -> None:
    pi.programs["dpkg"] = "echo armhf"


def _no_room(pi: Pi) -> None:
    pi.programs["df"] = "printf 'Filesystem 1024-blocks Used Available\\n/dev/root 900000 700000 200000\\n'"


def _failing_installer(pi: Pi) -> None:
    pi.has_installer("echo doing >&2\necho 'The disk is full: take another.' >&2\nexit 3\n")


def _no_buses(pi: Pi) -> None:
    pi.programs["taptable-buses"] = "echo 'config.txt is closed.' >&2; exit 1"


def _no_start(pi: Pi) -> None:
    pi.programs["systemctl"] = '[ "$1 $2" != "start taptable.service" ]'


def _surprise(pi: Pi) -> None:
    pi.programs["rm"] = "echo 'rm: what is that?' >&2; exit 1"


@pytest.mark.parametrize(
    ("spoil", "says"),
    long_params(
        [
            (_cut_bundle, "The package on this card is damaged or not all there."),
            (_no_bundle, "The table's package is not on this card. Copy the folder taptable onto the card again"),
            (_no_sums, "The table's package is not on this card."),
            (_no_settings, "taptable.txt is not on this card any more."),
            (_other_release, "is taptable-0.2.0-trixie-arm64, and this is Raspberry Pi OS bookworm on arm64."),
            (_other_architecture, "this is Raspberry Pi OS trixie on armhf."),
            (_no_room, "too little room on this card: 200 MB are free, 700 are needed."),
            (_failing_installer, "The package could not be installed: The disk is full: take another."),
            (_no_buses, "The Pi's buses could not be switched on: config.txt is closed."),
            (_no_start, "The table does not start. the journal is damaged"),
            (
                _surprise,
                "Something went wrong at this step: looking at the package. The last that was said: rm: what is that?",
            ),
        ]
    ),
)
def test_what_cannot_be_done_stands_on_the_card_with_what_to_do(tmp_path: Path, spoil: object, says: str) -> None:
    pi = started(tmp_path)
    pi.first_start("now")
    assert callable(spoil)
    spoil(pi)
    assert pi.first_start("work") == 1
    assert pi.report.startswith("taptable: the first start of this table\n\nNOT FINISHED. ")
    assert says in " ".join(pi.report.split())
    assert "Then put the card into the Pi and switch it on: it tries again." in pi.report
    assert pi.unit.exists()
