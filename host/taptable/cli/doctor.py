"""``taptable doctor``: everything a table stands on, part by part, with what to do about what is wrong."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import sys
from pathlib import Path

from taptable.cli.kept import DEFAULT
from taptable.core.errors import ConfigError
from taptable.daemon.devices import Openers
from taptable.doctor.computer import Computer
from taptable.doctor.examination import CHECKS, Patient, examine
from taptable.doctor.finding import Finding
from taptable.doctor.report import Lines, as_json, in_order, summary


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "doctor",
        help="look at every part of a table, and say what to do about it",
        description="Looks at the computer, the configuration and every part it names, and says what is wrong and what"
        " to do about it. Nothing of the table's is changed. Status 1 if there is a fault.",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="the table's configuration (else: table.toml in this folder, or the installed one)",
    )
    parser.add_argument(
        "--only", metavar="GROUPS", help=f"look at these only, with commas between them: {', '.join(CHECKS)}"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document, for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Examine the table; 1 if there is a fault."""
    logging.basicConfig(level=logging.CRITICAL)  # what devices log is found and said here
    named = args.config or (DEFAULT if DEFAULT.exists() else None)
    patient = Patient(Computer(), Openers(), named)
    findings = asyncio.run(_examine(patient, _groups(args.only), quiet=args.json))
    print(as_json(findings) if args.json else f"\n{summary(findings)}")
    return 0 if in_order(findings) else 1


async def _examine(patient: Patient, groups: list[str], *, quiet: bool) -> list[Finding]:
    findings: list[Finding] = []
    lines = Lines(colours=_has_colours(), encoding=sys.stdout.encoding)
    async for group, finding in examine(patient, groups):
        findings.append(finding)
        if not quiet:
            print("\n".join(lines.of(group, finding)), flush=True)
    return findings


def _groups(only: str | None) -> list[str]:
    if only is None:
        return list(CHECKS)
    groups = [name.strip() for name in only.split(",")]
    unknown = [name for name in groups if name not in CHECKS]
    if unknown:
        raise ConfigError(f"--only takes {', '.join(CHECKS)}, not {', '.join(unknown)}.")
    return groups


def _has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
