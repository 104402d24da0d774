"""``taptable doctor``: prints the findings of an examination of the table, and exits with 1 if one of them is a fault,
else with 0. `doctor.examination` examines; its groups of checks are in `CHECKS`. The group `LIVE` is the trial of the
parts with somebody's help: it runs with ``--live``, or if the person at the terminal accepts the offer of it. Must not
know what a check does: it knows only the names of the groups."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from taptable import keyboard
from taptable.config.home import default_config
from taptable.core.errors import ConfigError
from taptable.doctor.computer import Computer
from taptable.doctor.examination import CHECKS, LIVE, UNATTENDED_GROUPS, Patient, examine
from taptable.doctor.findings import Finding, FindingLines, as_json, is_healthy, summary
from taptable.doctor.report import TableReport, check_target, write_report
from taptable.drivers.registry import installed_drivers

_ANSWERS = {"y": True, "yes": True, "n": False, "no": False}
"""The words that answer a question with yes (True) or no (False)."""


class AtTerminal:
    """The person at the terminal, as the trial's `Somebody`: prints sentences and questions, and reads the answers."""

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        self._stdin = stdin
        self._stdout = stdout

    def tell(self, sentence: str) -> None:
        """Print a sentence."""
        print(sentence, file=self._stdout, flush=True)

    async def ask(self, question: str) -> bool | None:
        """Return yes or no, asked again after any other answer; None at the end of the input, or without a terminal."""
        if not self._stdin.isatty():
            return None
        print(f"{question} [y/n] ", end="", file=self._stdout, flush=True)
        answer: asyncio.Future[bool | None] = asyncio.get_running_loop().create_future()

        def on_line(line: str) -> None:
            word = line.lower()
            if word not in _ANSWERS:
                print("y or n? ", end="", file=self._stdout, flush=True)
            elif not answer.done():
                answer.set_result(_ANSWERS[word])

        def on_end() -> None:
            if not answer.done():
                answer.set_result(None)

        lines = keyboard.TypedLines(self._stdin.fileno(), on_line, on_end)
        lines.open()
        try:
            return await answer
        finally:
            lines.close()


_OFFER = "Try the parts with your help now (buttons, lamps, rings, sounder, cards, display)?"
"""The question that offers the trial after an examination, if no running table holds the devices."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "doctor",
        help="examine every part of a table, say what is wrong and what to do about it, and write a report for others",
        description="Examines the computer, the configuration and every part it names, and says what is wrong and what"
        " to do about it. It changes nothing of the table's. Exits with status 0 if there is no fault; with 1 if there"
        " is one, or if it could examine nothing; with 2 if an option or the file of --report is wrong.",
    )
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help="the table's configuration (default: table.toml in this folder, else the installed one, else that of your"
        " own table)",
    )
    parser.add_argument(
        "--only", metavar="GROUPS", help=f"examine only these, separated by commas: {', '.join(CHECKS)}"
    )
    parser.add_argument(
        "--live",
        action="store_true",
        help="also try the parts with your help: buttons, lamps, rings, sounder, cards, display (needs a terminal)",
    )
    parser.add_argument(
        "--report",
        metavar="FILE",
        help="also write results and figures to a new file that can be given to others: it has no names, and no numbers"
        " of cards or boards (-: print it)",
    )
    parser.add_argument("--force", action="store_true", help="replace the file of --report if it exists")
    parser.add_argument("--json", action="store_true", help="print one JSON document, for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Examine the table; return 1 if there is a fault."""
    logging.basicConfig(level=logging.CRITICAL)  # the findings already report what drivers log as errors
    named = args.config
    if named is None:
        with suppress(ConfigError):
            named = file if (file := default_config()).exists() else None
    # with --json, standard output contains only the findings
    somebody = AtTerminal(sys.stdin, sys.stderr if args.json else sys.stdout)
    patient = Patient(Computer(), installed_drivers(), named, somebody)
    groups = _groups(args)
    report = None if args.report is None else _ReportFile(args, TableReport(patient, datetime.date.today()))
    is_complete = False
    try:
        status = asyncio.run(
            run_examination(patient, groups, as_document=args.json, offer=_may_be_offered(args), report=report)
        )
        is_complete = True
    finally:
        if report is not None:
            report.write(is_complete=is_complete)
    return status


class _ReportFile:
    """The file of --report, or standard output. Raises ConfigError before the examination if the file can't be
    written."""

    def __init__(self, args: argparse.Namespace, report: TableReport) -> None:
        self.report = report
        self._file = None if args.report == "-" else Path(args.report)
        self._force = bool(args.force)
        if self._file is not None:
            check_target(self._file, force=self._force)
        elif args.json:
            raise ConfigError("--report - and --json both print to standard output: name a file for the report.")

    def write(self, *, is_complete: bool) -> None:
        """Write the report, or print it. Print it to standard error if it can't be written."""
        text = self.report.render(is_complete=is_complete)
        if self._file is None:
            print(f"\n{text}", end="")
            return
        try:
            write_report(self._file, text, force=self._force)
        except ConfigError:
            print(f"\n{text}", file=sys.stderr)
            raise
        what = "The report" if is_complete else "The report, which is incomplete,"
        print(f"{what} is in {self._file}. Read it before you give it to others.", file=sys.stderr)


async def run_examination(
    patient: Patient, groups: Sequence[str], *, as_document: bool, offer: bool, report: _ReportFile | None = None
) -> int:
    """Examine the groups, print the findings and add them to the report. With `offer`, ask then whether to try the
    parts with somebody's help too. Return 1 if there is a fault."""
    findings: list[Finding] = []
    lines = FindingLines(colours=_has_colours(), encoding=sys.stdout.encoding)

    async def print_findings(groups: Sequence[str]) -> None:
        async for group, finding in examine(patient, groups):
            findings.append(finding)
            if report is not None:
                report.report.add(group, finding)
            if not as_document:
                print("\n".join(lines.render(group, finding)), flush=True)

    await print_findings(groups)
    if offer and patient.can_be_tried and await patient.somebody.ask(_OFFER):
        await print_findings([LIVE])
    print(as_json(findings) if as_document else f"\n{summary(findings)}")
    return 0 if is_healthy(findings) else 1


def _groups(args: argparse.Namespace) -> list[str]:
    groups = list(UNATTENDED_GROUPS) if args.only is None else [name.strip() for name in args.only.split(",")]
    unknown = [name for name in groups if name not in CHECKS]
    if unknown:
        raise ConfigError(f"--only takes {', '.join(CHECKS)}, not {', '.join(unknown)}.")
    return [*groups, LIVE] if args.live else groups


def _may_be_offered(args: argparse.Namespace) -> bool:
    """Return whether the trial may be offered: input and output are a terminal, and neither --json, --live nor --only
    was given."""
    names_groups = args.live or args.only is not None
    return not (args.json or names_groups) and sys.stdin.isatty() and sys.stdout.isatty()


def _has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
