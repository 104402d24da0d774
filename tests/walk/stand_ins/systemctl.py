#!/usr/bin/env python3
"""Stands in for systemctl where no systemd runs: it starts what a unit's file names and waits until that is ready. Of a
unit's settings it follows those that say what runs, as which user and where; what confines a service it passes over."""

from __future__ import annotations

import os
import pwd
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

Settings = Mapping[str, Sequence[str]]

PLACES = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")
STATE = "/var/lib"
RUNNING = Path("/run/stand-in-systemctl")
READY_S = 60.0
POLL_S = 0.02


def main() -> int:
    """Do with each unit what the verb says; every other verb that systemctl knows succeeds without effect."""
    options = [word for word in sys.argv[1:] if word.startswith("-")]
    verb, *names = (word for word in sys.argv[1:] if not word.startswith("-"))
    RUNNING.mkdir(exist_ok=True)
    for name in names:
        unit = name if "." in name else f"{name}.service"
        settings = settings_of(unit)
        if verb in ("stop", "restart"):
            stop(unit)
        if verb in ("start", "restart") or (verb == "enable" and "--now" in options):
            start(unit, settings)
        if verb == "try-reload-or-restart" and (pid := pid_of(unit)) is not None:
            os.kill(pid, signal.SIGHUP)
    return 0


def settings_of(unit: str) -> Settings:
    """The values of each setting of a unit's file."""
    for place in PLACES:
        if (path := Path(place, unit)).exists():
            found: dict[str, list[str]] = defaultdict(list)
            for line in path.read_text(encoding="utf-8").splitlines():
                key, equals, value = line.partition("=")
                if equals and not line.startswith("#"):
                    found[key.strip()].append(value.strip().replace("%S", STATE))
            return found
    sys.exit(f"Unit {unit} not found.")


def last(settings: Settings, key: str, otherwise: str) -> str:
    """The value that counts of a setting."""
    return settings.get(key, [otherwise])[-1]


def pid_file(unit: str) -> Path:
    """The file with the process id of a unit."""
    return RUNNING / f"{unit}.pid"


def pid_of(unit: str) -> int | None:
    """The process of a unit; None if it does not run."""
    try:
        pid = int(pid_file(unit).read_text(encoding="ascii"))
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(") ")[2][:1]
    except (OSError, ValueError):
        return None
    return None if state == "Z" else pid  # nobody may have asked yet how it ended


def stop(unit: str) -> None:
    """End a unit's process and wait for that."""
    if (pid := pid_of(unit)) is not None:
        os.kill(pid, signal.SIGTERM)
        wait_until(lambda: pid_of(unit) is None, f"{unit} doesn't end")


def start(unit: str, settings: Settings) -> None:
    """Start a unit that does not run, and wait until it is ready."""
    if pid_of(unit) is not None:
        return
    if unit.endswith(".path"):
        watch(unit, Path(last(settings, "PathChanged", "")))
        return
    for line in settings.get("ExecStartPre", ()):
        subprocess.run(shlex.split(line.lstrip("-")), check=False)
    line, kind = last(settings, "ExecStart", "false"), last(settings, "Type", "simple")
    if kind in ("oneshot", "forking"):
        if subprocess.run(shlex.split(line), check=False).returncode:
            sys.exit(f"{unit} has failed: {line}")
        return
    run(unit, settings, shlex.split(line), notifies=kind == "notify")


def run(unit: str, settings: Settings, command: Sequence[str], *, notifies: bool) -> None:
    """Start the process of a service, and wait until it reports that it is ready, if it does that."""
    user = pwd.getpwnam(last(settings, "User", "root"))
    for name in settings.get("StateDirectory", ()):
        Path(STATE, name).mkdir(exist_ok=True)
        os.chown(Path(STATE, name), user.pw_uid, user.pw_gid)
    groups = [word for words in settings.get("SupplementaryGroups", ()) for word in words.split()]
    environment = dict(each.split("=", 1) for each in settings.get("Environment", ()))
    address, log = RUNNING / f"{unit}.notify", RUNNING / f"{unit}.log"
    address.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready, log.open("wb") as printed:
        ready.bind(str(address))
        ready.settimeout(POLL_S)
        address.chmod(0o666)
        process = subprocess.Popen(
            command,
            cwd=last(settings, "WorkingDirectory", "/"),
            env={"PATH": os.environ["PATH"], **environment} | ({"NOTIFY_SOCKET": str(address)} if notifies else {}),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=printed,
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=groups,
            start_new_session=True,
        )
        pid_file(unit).write_text(str(process.pid), encoding="ascii")

        def is_ready() -> bool:
            if process.poll() is not None:
                sys.exit(f"{unit} has ended with {process.returncode}: {log.read_text(errors='replace')}")
            try:
                return not notifies or b"READY=1" in ready.recv(4096)
            except TimeoutError:
                return False

        wait_until(is_ready, f"{unit} isn't ready")


def watch(unit: str, path: Path) -> None:
    """From now on start the service of this name whenever the path changes."""
    before = changed(path)
    if (pid := os.fork()) != 0:
        pid_file(unit).write_text(str(pid), encoding="ascii")
        return
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    while True:
        time.sleep(POLL_S)
        if before != (before := changed(path)):
            subprocess.run(["systemctl", "start", unit.replace(".path", ".service")], check=False)


def changed(path: Path) -> tuple[int, int] | None:
    """The identity and time of the file; None if there is none."""
    return (path.stat().st_ino, path.stat().st_mtime_ns) if path.exists() else None


def wait_until(seen: Callable[[], bool], otherwise: str) -> None:
    """Wait until something is so; end with a sentence if it takes too long."""
    end_s = time.monotonic() + READY_S
    while not seen():
        if time.monotonic() > end_s:
            sys.exit(otherwise)
        time.sleep(POLL_S)


if __name__ == "__main__":
    sys.exit(main())
