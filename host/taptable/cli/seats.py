"""``taptable seats``: assigns the seats of a table by touching its parts, as a client of the running table, or of an
assignment that the command starts and ends. Must not know the steps: the table decides what is asked next."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from taptable.api.client import Client, TableAway
from taptable.api.errors import RequestError
from taptable.api.facts import AssigningFacts, PartFacts, PartsFacts
from taptable.api.requests import AssignmentStep, AssignSeats, AssignStep, Request, Subscribe
from taptable.cli.at_table import (
    POLL_INTERVAL_S,
    START_TIMEOUT_S,
    TableBusy,
    TableConnection,
    ensure_table,
    find_running_table,
)
from taptable.cli.options import add_config_option, add_language_option, config_from, in_columns, say_defaults
from taptable.cli.output import ring_bell
from taptable.config import Config, InvalidParts
from taptable.config.model import MAX_SEATS
from taptable.config.parts_file import AssignedParts, AssignedSeat, table_lines, twin_devices
from taptable.core.errors import ConfigError, DeviceError
from taptable.core.observations import DISCARD_PAD
from taptable.doctor.computer import Computer
from taptable.doctor.rules import PRINT_COMMAND, closed_parts, files_for, root_command, script_of, write_rules
from taptable.drivers.interface import PartRole
from taptable.drivers.registry import installed_drivers
from taptable.keyboard import TypedLines
from taptable.words import Words

CONTEXT = "seats"
STDIN = 0
STEPS: Mapping[str, AssignmentStep] = {"": "finish", "b": "back", "l": "leave-out", "e": "enough", "q": "stop"}
FROM_BEGINNING = "a"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "seats",
        help="assign the seats by touching the parts",
        description="Asks for a card on the reader of each seat, for a press of its button, and for a card in the"
        " middle. Then the table knows which part is where, and stores that in parts.toml. Sections of table.toml win"
        " over it. Exits with status 1 if nothing was changed.",
    )
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--list", action="store_true", help="only list the parts that are plugged in")
    instead.add_argument(
        "--rules",
        action="store_true",
        help="only print the script with which root opens the parts to you that are plugged in and closed, where"
        " taptable was installed without its package",
    )
    instead.add_argument("--print", action="store_true", help="only print the assigned parts as lines for table.toml")
    parser.add_argument(
        "--seats",
        type=int,
        choices=range(2, MAX_SEATS + 1),
        metavar="N",
        help="the number of seats (default: as many as there are parts for)",
    )
    add_config_option(parser)
    add_language_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Assign the seats; return 1 if nothing was changed."""
    if args.rules:
        return _print_rules()
    try:
        config = config_from(args)
    except InvalidParts as error:
        if args.print:
            raise
        print(f"taptable seats: {error}", file=sys.stderr)
        config = config_from(args, with_parts=False)
    words = Words(args.language)
    if args.print:
        _print_lines(config)
        return 0
    if args.list:
        print("\n".join(listed_parts(_parts_now(config), words)))
        return 0
    if not sys.stdin.isatty():
        raise DeviceError(
            "it asks questions, and needs a terminal: run it in one, or open Parts on the page; --list and --print need"
            " none"
        )
    say_defaults(config, words)
    if Computer().model is None:
        print(words.text(CONTEXT, "no-pi"))
    _offer_rules(words)
    return _assign(args, config, words)


def _print_rules() -> int:
    """Print the script that root runs; return 1 if there is nothing for it to do."""
    person = Computer().current_user
    files = files_for(closed_parts(Computer(), installed_drivers()), person)
    if not files:
        print(f"taptable seats: nothing that is plugged in is closed to {person.name}", file=sys.stderr)
        return 1
    print(script_of(files), end="")
    return 0


def _offer_rules(words: Words) -> None:
    """Offer to write the rules that open what is plugged in and closed to the user. Whatever comes of it, the seats can
    be assigned afterwards with the parts that are open."""
    computer, drivers = Computer(), installed_drivers()
    person, closed = computer.current_user, closed_parts(computer, drivers)
    if not closed:
        return
    files, command = files_for(closed, person), root_command(person)
    parts = ", ".join(part.label for part in closed)
    print(words.text(CONTEXT, "rules-closed", {"parts": parts, "user": person.name}))
    for file in files:
        print(words.text(CONTEXT, "rules-file", {"file": file.path}))
        print("".join(f"    {line}\n" for line in file.text.splitlines()), end="")
    facts: dict[str, object] = {"by_hand": f"{PRINT_COMMAND} | sudo sh", "command": " ".join(command or ())}
    if command is None:
        print(words.text(CONTEXT, "rules-no-command", facts))
        return
    try:
        answer = input(words.text(CONTEXT, "rules-ask", facts) + " ")
    except EOFError:
        answer = ""
    if answer.strip().lower() != "y":
        print(words.text(CONTEXT, "rules-refused", facts))
    elif (status := write_rules(files, command)) != 0:
        facts["status"] = "–" if status is None else str(status)
        print(words.text(CONTEXT, "rules-failed", facts))
    elif still := closed_parts(computer, drivers):
        print(words.text(CONTEXT, "rules-still-closed", {"parts": ", ".join(part.label for part in still)}))
    else:
        print(words.text(CONTEXT, "rules-written"))


def _print_lines(config: Config) -> None:
    """Print the parts of the table as lines for ``table.toml``."""
    if not config.seats:
        raise ConfigError("there are no seats yet: assign them with `taptable seats`.")
    seats = tuple(
        AssignedSeat(str(seat.pad), str(seat.button), "" if seat.lamp is None else str(seat.lamp))
        for seat in config.seats
    )
    print("\n".join(table_lines(AssignedParts(seats, str(config.discard.pad), {}))).rstrip())


def _parts_now(config: Config) -> PartsFacts:
    """Return the parts, of the running table or as the drivers find them."""
    running = find_running_table(config.table.journal)
    if running is not None:
        with Client(running) as client:
            return next(client.subscribe("parts"))["parts"]
    places = {str(part.address): str(part.pad) for part in config.parts if part.pad is not None}
    plugged_in = installed_drivers().find()
    found = [
        PartFacts(
            str(part.address),
            part.label,
            tuple(role.value for role in PartRole if role in part.roles),
            places.get(str(part.address), ""),
        )
        for part in plugged_in
    ]
    return PartsFacts("", False, "", False, tuple(found), None, twins=twin_devices(plugged_in))


def listed_parts(facts: PartsFacts, words: Words) -> list[str]:
    """Return a line for each part: what it is, where it is, and its place; and one for devices that can't be
    distinguished."""
    rows = [
        (
            ", ".join(words.text(CONTEXT, f"role-{role}") for role in part.roles),
            part.label or part.address,
            part.address,
            _place(part, words) or words.text(CONTEXT, "place-none"),
            words.text(CONTEXT, "missing") if part.trouble == "missing" else part.trouble,
        )
        for part in facts.parts
    ]
    twins = [words.text(CONTEXT, "twins", {"ports": ", ".join(ports)}) for ports in facts.twins]
    return [*in_columns(rows), *twins] if rows else [words.text(CONTEXT, "nothing-found")]


def _place(part: PartFacts, words: Words) -> str:
    if part.place == DISCARD_PAD:
        return words.text(CONTEXT, "place-middle")
    return words.text(CONTEXT, "place", {"seat": part.place}) if part.place else ""


def _assign(args: argparse.Namespace, config: Config, words: Words) -> int:
    """Lead through the steps at the running table, or at an assignment of our own; return 1 if nothing was changed."""
    before = _stamp(config.parts_file)
    try:
        running = find_running_table(config.table.journal)
        with ensure_table(config.table.journal, ("--config", str(config.file)), "--assign") as socket:
            has_begun = _begin(socket, args.seats)
            asyncio.run(SeatsDialogue(words).run(socket, stops=has_begun or running is None))
    except TableBusy as error:
        raise DeviceError(f"the parts belong to the table while that runs: stop it first ({error})") from error
    if _stamp(config.parts_file) == before:
        print(words.text(CONTEXT, "stopped"))
        return 1
    print(words.text(CONTEXT, "stored", {"file": str(config.parts_file)}))
    if config.seats and (config.assigned is None or not config.assigned.seats):
        print(words.text(CONTEXT, "overruled"))
    print(words.text(CONTEXT, "start-table" if running is None else "table-again"))
    return 0


def _stamp(file: Path) -> object:
    """Return what changes whenever a file is written."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_ino, stat.st_mtime_ns


def _begin(socket: Path, seats: int | None) -> bool:
    """Make the table assign its seats. Return whether it did something else before."""
    with Client(socket) as client:
        if client.facts.assigning:
            if seats is not None:
                client.call(AssignSeats(seats=seats))
            return False
        client.call(AssignSeats(seats=seats))
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        with suppress(TableAway), Client(socket) as client:
            if client.facts.assigning:
                return True
        if time.monotonic() > deadline:
            raise TableAway(socket, "it doesn't come back")
        time.sleep(POLL_INTERVAL_S)


class SeatsDialogue:
    """The steps on a terminal, in the language of `words`."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._places: dict[str, str] = {}
        self._addresses: set[str] = set()
        self._asked: AssigningFacts | None = None

    async def run(self, socket: Path, *, stops: bool) -> None:
        """Lead through the steps until the table ends them. With `stops`, Ctrl-C ends them at the table, too."""
        lines = TypedLines(STDIN, self._lines.put_nowait, lambda: self._lines.put_nowait(None))
        async with TableConnection(socket, self._on_topics_changed) as table:
            print(self._words.text(CONTEXT, "keys"), flush=True)
            typing = asyncio.create_task(self._handle_keys(table), name="keys")
            try:
                await table.call(Subscribe(("parts",)))
                lines.open()
                await asyncio.wait({typing, table.listener}, return_when=asyncio.FIRST_COMPLETED)
                if typing.done():
                    await typing
                    # the table ends the connection after its answer
                    await asyncio.wait({table.listener}, timeout=START_TIMEOUT_S)
            except asyncio.CancelledError:
                if stops:
                    with suppress(RequestError, TableAway):
                        await table.call(AssignStep(step="stop"))
                raise
            finally:
                lines.close()
                typing.cancel()

    async def _handle_keys(self, table: TableConnection) -> None:
        """Request the steps that the keys stand for, until the table carries out one that ends them."""
        while True:
            line = await self._lines.get()
            key = "q" if line is None else line.lower()
            if key == "" and self._asked is not None and self._asked.asked != "nothing":
                self._show_step(self._asked)
                continue
            if key not in (*STEPS, FROM_BEGINNING):
                print(self._words.text("deck", "no-key", {"key": key}), self._words.text(CONTEXT, "keys"), flush=True)
                continue
            request: Request = AssignSeats() if key == FROM_BEGINNING else AssignStep(step=STEPS[key])
            try:
                await table.call(request)
            except RequestError as error:
                if key == "q":  # a table without seats goes on asking
                    return self._leave(table)
                print(error.text(self._words), flush=True)
            except TableAway:
                return None
            else:
                if key in ("", "q"):
                    return None

    def _leave(self, table: TableConnection) -> None:
        table.listener.cancel()

    def _on_topics_changed(self, topics: Mapping[str, Any]) -> None:
        facts: PartsFacts | None = topics.get("parts")
        if facts is None or facts.assigning is None or not facts.assigning.looked:
            return
        addresses = {part.address for part in facts.parts if part.trouble != "missing"}
        if addresses != self._addresses:
            self._addresses = addresses
            print("\n".join(listed_parts(facts, self._words)), flush=True)
        for line in self._new_places(facts.parts):
            print(line, flush=True)
        step = facts.assigning
        if step != self._asked:
            before, self._asked = self._asked, step
            if step.answer is not None and (before is None or step.answer != before.answer or not step.hint):
                ring_bell()
                print(self._words.text(CONTEXT, step.answer.key, dict(step.answer.facts)), flush=True)
            if step.hint and (before is None or not before.hint):
                print(self._words.text(CONTEXT, "hint", {"asked": step.asked}), flush=True)
            self._show_step(step)

    def _new_places(self, parts: Sequence[PartFacts]) -> Iterator[str]:
        """Yield a line for each part that has a place now and had none before."""
        places = {part.address: _place(part, self._words) for part in parts if part.place}
        for part in parts:
            if part.place and self._places.get(part.address) != places[part.address]:
                facts = {"place": places[part.address], "part": part.label or part.address}
                yield self._words.text(CONTEXT, "has-place", facts)
        self._places = places

    def _show_step(self, step: AssigningFacts) -> None:
        if step.lacks is not None:
            print(self._words.text(CONTEXT, step.lacks.key, dict(step.lacks.facts)), flush=True)
        facts = {"seat": step.seat or 0, "board": "yes" if step.board else "no"}
        print(self._words.text(CONTEXT, f"ask-{step.asked}", facts), flush=True)
