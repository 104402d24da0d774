"""The rules by which the system opens a table's parts to the person at the computer, if the program was installed
without the package: those that are missing, their text, and the script with which root writes them. The texts are the
files that the package installs for its service. Writes nothing itself."""

from __future__ import annotations

import grp
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType

from taptable.config.home import packaged_file
from taptable.doctor.computer import Computer, SystemUser
from taptable.doctor.findings import Finding, fault
from taptable.drivers.interface import ClosedPart, SystemRule
from taptable.drivers.registry import Drivers

PRINT_COMMAND = "taptable seats --rules"
"""The command that prints the script."""
_PART = "computer"
_END = "END-OF-RULE"
_NEW = ".new"
_ADMINISTRATORS = frozenset({"sudo", "wheel", "admin"})
"""The groups whose members may use sudo, on Debian, Fedora and Ubuntu."""
_TRIGGER = "udevadm trigger --action=change --subsystem-match=tty --subsystem-match=input --subsystem-match=leds"


@dataclass(frozen=True, slots=True)
class RuleFile:
    """A rule as a file: its `path`, its `text`, and what has to be run afterwards (a line of shell, "" for nothing)."""

    path: str
    text: str
    then: str = ""


def rule_file(rule: SystemRule, person: SystemUser) -> RuleFile:
    """Return the file of a rule for one person. Raises ValueError if the package's file isn't as it has to be."""
    match rule:
        case SystemRule.DEVICES:
            text = packaged_file("system/taptable.rules").read_text(encoding="utf-8")
            for pattern, replacement in _FOR_A_PERSON.items():
                text = _replace(text, pattern, replacement.format(uid=person.uid))
            then = f"udevadm control --reload && {_TRIGGER} && udevadm settle || true"
            return RuleFile("/etc/udev/rules.d/60-taptable.rules", text, then)
        case SystemRule.READERS:
            text = packaged_file("system/taptable.polkit.rules").read_text(encoding="utf-8")
            text = _replace(text, '"taptable"', json.dumps(person.name).replace("\\", r"\\"))
            return RuleFile("/etc/polkit-1/rules.d/50-taptable.rules", text)


_FOR_A_PERSON: Mapping[str, str] = MappingProxyType(
    {
        r"(?ms)^# The Pi's pins.*?\n\n": "",
        r'GROUP="dialout", MODE="0660"': 'TAG+="uaccess"',
        r'GROUP="taptable", MODE="0660", ': "",
        r"/bin/chgrp taptable ": "/bin/chown {uid} ",
        r"/bin/chmod 664 ": "/bin/chmod 644 ",
        r"to the table and to who sits at the computer:": "to who sits at the computer:",
    }
)
"""Changes to the package's rules for a person, as patterns and their replacements. logind opens devices with the tag
``uaccess`` to the person at the screen, and to nobody else; files of sysfs can't have it, so the lamps get an owner."""


def _replace(text: str, pattern: str, replacement: str) -> str:
    changed, count = re.subn(pattern, replacement, text)
    if not count:
        raise ValueError(f"the rule has no {pattern}")
    return changed


def script_of(files: Sequence[RuleFile]) -> str:
    """Return a shell script that writes all these files, or none if one of them can't be written."""
    new = " ".join(file.path + _NEW for file in files)
    lines = ["set -eu", "umask 022", f"trap 'rm -f {new}' EXIT"]
    for file in files:
        lines += [f"mkdir -p {PurePosixPath(file.path).parent}", f"cat >{file.path}{_NEW} <<'{_END}'"]
        lines += [file.text.rstrip("\n"), _END]
    lines += [f"mv -f {file.path}{_NEW} {file.path}" for file in files]
    return "\n".join([*lines, *(file.then for file in files if file.then)]) + "\n"


def files_for(closed: Sequence[ClosedPart], person: SystemUser) -> list[RuleFile]:
    """Return the files that open these parts."""
    return [rule_file(rule, person) for rule in SystemRule if any(part.rule is rule for part in closed)]


def closed_parts(computer: Computer, drivers: Drivers) -> list[ClosedPart]:
    """Return the parts that are closed to the user of this process; none at an installed table, whose service has a
    user of its own."""
    return drivers.find_closed() if computer.current_user == computer.table_user else []


def root_command(person: SystemUser) -> Sequence[str] | None:
    """Return the command that runs another one as root, after a password; None if there is none."""
    known = [name for name in ("sudo", "pkexec") if shutil.which(name)]
    names = {group.gr_name for group in grp.getgrall() if group.gr_gid in person.gids}
    if "pkexec" in known and not _ADMINISTRATORS & names:
        return ["pkexec"]
    return known[:1] or None


def write_rules(files: Sequence[RuleFile], command: Sequence[str]) -> int | None:
    """Write the files as root; return the status of `command`, None if it can't be run."""
    try:
        return subprocess.run([*command, "/bin/sh", "-c", script_of(files)], check=False).returncode
    except OSError:
        return None


def examine_rules(computer: Computer, drivers: Drivers) -> Iterator[Finding]:
    """Yield which rules are missing for a user who runs the table without its package."""
    person = computer.current_user
    closed = closed_parts(computer, drivers)
    for rule in dict.fromkeys(part.rule for part in closed):
        labels = ", ".join(part.label for part in closed if part.rule is rule)
        path = rule_file(rule, person).path
        todo = f"`taptable seats` offers to write {path}. By hand: `{PRINT_COMMAND} | sudo sh`."
        yield fault("rules", _PART, f"closed to {person.name}: {labels}", todo)
