"""The unit files: in order by systemd's own judgement, as closed as was promised, and of one mind with the daemon and
with each other."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from taptable.api import socket_paths
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.cli.updates import PATIENCE_S
from taptable.daemon.power_off import REQUEST_FILE, REQUEST_TIMEOUT_S
from taptable.daemon.supervision import PETS_PER_PERIOD
from taptable.drivers.gpio.buttons import HOLD_S
from taptable.memory import update_check

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "system"
SERVICE, PAGE, BRIDGE = "taptable.service", "taptable-page.service", "taptable-bridge.service"
WATCHER, SWITCH = "taptable-power-off.path", "taptable-power-off.service"
UPDATES, TIMER = "taptable-updates.service", "taptable-updates.timer"
OF_A_LEAGUE = sorted(path for path in (ROOT / "examples" / "league").iterdir() if path.suffix in {".service", ".path"})
KIOSK = "taptable-kiosk.service"
SPEECH = "speech.conf"
"""The addition to the service of a table that speaks."""
SYSTEM = Path("/usr/lib/systemd/system")
FOLDERS = "taptable.tmpfiles.conf"
EXPOSURE = {SERVICE: 9, PAGE: 14, BRIDGE: 14, UPDATES: 14, SWITCH: 25}
"""The most that is allowed, in tenths."""

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze: scripts/packages gets it"
)


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )


def settings(unit: str, key: str) -> list[str]:
    """The values to which a unit sets a key, in order."""
    return re.findall(rf"^{key}=(.*)$", (UNITS / unit).read_text(), re.MULTILINE)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The root of a system in which the units are installed."""
    own = tmp_path / "etc/systemd/system"
    own.mkdir(parents=True)
    for unit in (SERVICE, PAGE, BRIDGE, UPDATES, TIMER, WATCHER, SWITCH):
        shutil.copy(UNITS / unit, own)
    shutil.copytree(SYSTEM, tmp_path / SYSTEM.relative_to("/"), symlinks=True)
    for unit in (SERVICE, PAGE, BRIDGE, UPDATES, SWITCH):
        for command in (*settings(unit, "ExecCondition"), *settings(unit, "ExecStart")):
            program = tmp_path / command.split()[0].removeprefix("/")
            program.parent.mkdir(parents=True, exist_ok=True)
            program.touch(0o755)
    return tmp_path


@pytest.fixture
def with_a_loudspeaker(installed: Path) -> Path:
    """The same with what a table that speaks needs."""
    own = installed / f"etc/systemd/system/{SERVICE}.d"
    own.mkdir()
    shutil.copy(UNITS / SPEECH, own)
    return installed


@pytest.mark.parametrize("unit", [SERVICE, PAGE, BRIDGE, UPDATES, TIMER, WATCHER, SWITCH])
def test_systemd_finds_nothing_wrong_with_a_unit(installed: Path, unit: str) -> None:
    checked = analyze("verify", "--man=no", f"--root={installed}", unit)
    assert (checked.returncode, checked.stdout) == (0, "")


@pytest.mark.parametrize("unit", OF_A_LEAGUE, ids=lambda path: path.name)
def test_systemd_finds_nothing_wrong_with_a_unit_of_a_league(installed: Path, unit: Path) -> None:
    for path in OF_A_LEAGUE:
        shutil.copy(path, installed / "etc/systemd/system")
    for name in ("opt/taptable-league/bin/taptable", "usr/bin/systemctl"):
        (installed / name).parent.mkdir(parents=True, exist_ok=True)
        (installed / name).touch(0o755)
    checked = analyze("verify", "--man=no", f"--root={installed}", unit.name)
    assert (checked.returncode, checked.stdout) == (0, "")


def test_systemd_finds_nothing_wrong_with_the_unit_of_a_screen(installed: Path) -> None:
    shutil.copy(ROOT / "examples" / "kiosk" / KIOSK, installed / "etc/systemd/system")
    (installed / "usr/bin").mkdir(parents=True, exist_ok=True)
    (installed / "usr/bin/cage").touch(0o755)
    checked = analyze("verify", "--man=no", f"--root={installed}", KIOSK)
    assert (checked.returncode, checked.stdout) == (0, "")


def test_systemd_would_find_something(installed: Path) -> None:
    with (installed / "etc/systemd/system" / SERVICE).open("a") as unit:
        unit.write("[Service]\nWatchdogSek=3\n")
    assert "WatchdogSek" in analyze("verify", "--man=no", f"--root={installed}", SERVICE).stdout


def judged(root: Path, unit: str) -> str:
    """Systemd's verdict on a service's hardening, which must be as promised."""
    most = EXPOSURE[unit]
    said = analyze("security", "--offline=true", f"--threshold={most}", f"--root={root}", "--no-pager", unit)
    assert said.returncode == 0, said.stdout
    (exposure,) = re.findall(r"Overall exposure level for .*: ([\d.]+)", said.stdout)
    assert float(exposure) <= most / 10
    return said.stdout


@pytest.mark.parametrize("unit", EXPOSURE)
def test_a_service_is_as_closed_as_was_promised(installed: Path, unit: str) -> None:
    judged(installed, unit)


def test_a_table_that_speaks_is_in_order_and_as_closed(with_a_loudspeaker: Path) -> None:
    checked = analyze("verify", "--man=no", f"--root={with_a_loudspeaker}", SERVICE)
    assert (checked.returncode, checked.stdout) == (0, "")
    assert "char-alsa:rw" in judged(with_a_loudspeaker, SERVICE)


def test_only_a_table_that_speaks_gets_the_loudspeaker() -> None:
    assert settings(SPEECH, "DeviceAllow") == ["char-alsa rw"]
    assert settings(SPEECH, "SupplementaryGroups") == ["audio"]
    assert "modprobe@snd.service" in settings(SPEECH, "Wants")


def may_speak_to(address: str) -> bool:
    """By the words of systemd.resource-control: what is allowed counts before what is denied."""
    words = {"localhost": ["127.0.0.0/8", "::1/128"], "link-local": ["169.254.0.0/16", "fe80::/64"]}
    (allowed,) = settings(PAGE, "IPAddressAllow")
    networks = [ip_network(net) for word in allowed.split() for net in words.get(word, [word])]
    assert settings(PAGE, "IPAddressDeny") == ["any"]
    return any(ip_address(address) in network for network in networks)


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "::1", "10.42.0.17", "192.168.178.20", "172.16.4.1", "169.254.7.7", "fe80::1", "fd12::7"]
)
def test_the_networks_around_the_page_are_let_in_without_a_hand_on_the_unit(address: str) -> None:
    assert may_speak_to(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "172.32.0.1", "192.169.0.1", "100.64.0.1", "2001:db8::1", "ff02::fb"])
def test_the_internet_is_not(address: str) -> None:
    assert not may_speak_to(address)


def test_the_page_may_ask_for_its_addresses() -> None:
    (families,) = settings(PAGE, "RestrictAddressFamilies")
    assert set(families.split()) == {"AF_UNIX", "AF_INET", "AF_INET6", "AF_NETLINK"}


def test_the_table_has_no_network() -> None:
    assert settings(SERVICE, "PrivateNetwork") == ["yes"]
    assert settings(SERVICE, "RestrictAddressFamilies") == ["AF_UNIX"]
    assert settings(SERVICE, "IPAddressAllow") == []


def test_nobody_comes_to_the_bridge() -> None:
    assert settings(BRIDGE, "SocketBindDeny") == ["any"]
    (families,) = settings(BRIDGE, "RestrictAddressFamilies")
    assert set(families.split()) == {"AF_UNIX", "AF_INET", "AF_INET6"}


def test_what_looks_for_a_newer_version_keeps_that_where_the_page_reads_it_and_has_its_time() -> None:
    assert settings(UPDATES, "User") == settings(PAGE, "User")
    assert settings(UPDATES, "StateDirectory") == [update_check.UPDATE_FILE.parent.name]
    assert settings(UPDATES, "SocketBindDeny") == ["any"]
    assert int(*settings(UPDATES, "TimeoutStartSec")) > PATIENCE_S


def test_no_service_takes_another_with_it() -> None:
    for unit in (SERVICE, PAGE, BRIDGE):
        assert not any(settings(unit, key) for key in ("Requires", "BindsTo", "PartOf", "Requisite"))
    assert settings(PAGE, "After") == [SERVICE]
    assert SERVICE in settings(BRIDGE, "After")[0].split()


def test_what_is_done_to_the_page_and_the_bridge_has_an_end() -> None:
    for unit, most in ((PAGE, "250M"), (BRIDGE, "150M")):
        assert settings(unit, "MemoryMax") == [most]
        assert int(*settings(unit, "CPUWeight")) < 100  # which is a service's without that
        assert int(*settings(unit, "OOMScoreAdjust")) > 0 > int(*settings(SERVICE, "OOMScoreAdjust"))
    assert settings(PAGE, "OOMPolicy") == ["continue"]  # what draws cards to print ends alone


@pytest.mark.parametrize("role", Role)
def test_a_role_has_a_folder_for_its_socket_whose_group_the_socket_gets(role: Role) -> None:
    root, *folders = (line.split() for line in (UNITS / FOLDERS).read_text().splitlines() if line[0] != "#")
    for unit in (SERVICE, PAGE, BRIDGE):
        assert f"{socket_paths.FOLDER_VARIABLE}={root[1]}" in settings(unit, "Environment")
    assert settings(SERVICE, "ReadWritePaths")[0] == f"-{root[1]}"
    group = {Role.PAGE: settings(PAGE, "Group")[0], Role.BRIDGE: settings(BRIDGE, "Group")[0], Role.ADMIN: "taptable"}[
        role
    ]
    folder = str(socket_path(Path(root[1]), role).parent)
    assert ["d", folder, "2750", *settings(SERVICE, "User"), group] in folders


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give folders to others")
def test_systemd_makes_the_folders(tmp_path: Path) -> None:
    ids = {"taptable": 601, "taptable-page": 602, "taptable-bridge": 603}
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("root:x:0:0::/:/bin/sh\ntaptable:x:601:601::/:/bin/false\n")
    (tmp_path / "etc/group").write_text("".join(f"{name}:x:{gid}:\n" for name, gid in {"root": 0, **ids}.items()))
    subprocess.run(["systemd-tmpfiles", "--create", f"--root={tmp_path}", UNITS / FOLDERS], check=True)
    found = [(tmp_path / "run/taptable-api" / role.value).stat() for role in Role]
    assert [(each.st_mode & 0o7777, each.st_uid, each.st_gid) for each in found] == [
        (0o2750, 601, gid) for gid in (602, 603, 601)
    ]


def test_the_daemon_gets_the_devices_of_a_table_and_no_others() -> None:
    assert settings(SERVICE, "DevicePolicy") == ["closed"]
    assert settings(SERVICE, "DeviceAllow") == [
        "char-gpiochip rw",
        "char-spi rw",
        "char-i2c rw",
        "char-ttyACM rw",
        "char-input r",
    ]
    assert settings(SERVICE, "SupplementaryGroups") == ["gpio spi i2c dialout"]


def test_a_kind_of_device_is_known_before_the_first_of_it_comes() -> None:
    drivers = {f"modprobe@{driver}.service" for driver in ("cdc_acm", "spidev", "i2c_dev")}
    for key in ("Wants", "After"):
        assert {unit for line in settings(SERVICE, key) for unit in line.split()} >= drivers


def test_the_pin_factory_is_the_one_with_the_kernels_time_and_finds_a_folder_to_write_in() -> None:
    assert "GPIOZERO_PIN_FACTORY=lgpio" in settings(SERVICE, "Environment")
    (state,) = settings(SERVICE, "StateDirectory")
    assert settings(SERVICE, "WorkingDirectory") == [f"%S/{state}"]


def test_a_request_is_looked_for_where_the_daemon_makes_it_and_taken_before_it_is_met() -> None:
    (folder,) = settings(SERVICE, "RuntimeDirectory")
    request = f"/run/{folder}/{REQUEST_FILE}"
    assert settings(WATCHER, "PathExists") == [request]
    taken, met = settings(SWITCH, "ExecStart")
    assert taken == f"/usr/bin/rm {request}"
    assert met.endswith(" poweroff")


def test_the_page_about_the_service_has_its_names_and_numbers() -> None:
    page = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")
    said = " ".join(page.split())
    for unit in (SERVICE, PAGE, BRIDGE, UPDATES, TIMER, WATCHER, SWITCH, SPEECH, FOLDERS):
        assert f"| `{unit}` |" in said
        assert (UNITS / unit).exists()
    (period_s,) = map(int, settings(SERVICE, "WatchdogSec"))
    assert f"no report from the daemon for {period_s} seconds (`WatchdogSec`)" in said
    assert f"every {period_s // PETS_PER_PERIOD} seconds" in said
    assert f"hold it for {HOLD_S} seconds" in said
    assert "within ten seconds" in said
    assert REQUEST_TIMEOUT_S == 10
    assert settings(SERVICE, "RestartPreventExitStatus") == ["2"]
    assert "with status 2 and a sentence" in said
    (may,) = re.findall(r"^## What it may do\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    for key in re.findall(r"`(\w+)`", "".join(re.findall(r"^\|.*\| (.*) \|$", may, re.MULTILINE))):
        assert any(settings(unit, key) for unit in (SERVICE, PAGE, BRIDGE, UPDATES)), key
