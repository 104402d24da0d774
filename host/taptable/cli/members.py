"""``taptable members``: lists, exports and deletes the members with cards of their own, for a table without a page. A
table makes all changes: the running one, or one without a game."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from taptable.api.client import Client
from taptable.api.errors import RequestError
from taptable.api.requests import BlotNames, DeleteMember, PlayAway, Request, ShowAwayCode
from taptable.cli.at_table import TableBusy, ensure_table, find_running_table
from taptable.cli.options import add_journal_options, add_language_option, config_file_of, in_columns, journal_from
from taptable.core.errors import JournalError, MembersError
from taptable.history.attendance import seats_in
from taptable.memory.journal_reader import JournalReader
from taptable.memory.members import Member, MemberStore, members_file_of, public_name
from taptable.words import Words

PATIENCE_S = 600.0
"""Seconds to wait for the table's response: to redact names it writes the whole journal again."""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Register the command."""
    parser = commands.add_parser(
        "members", help="list the members, who have cards of their own; export or delete their data"
    )
    verbs = parser.add_subparsers(metavar="VERB", required=True)
    listing = verbs.add_parser("list", help="list the members with their ids")
    listing.set_defaults(run=list_members)
    export = verbs.add_parser("export", help="print all data that is stored about a member, as JSON")
    export.add_argument("member", metavar="ID|NAME")
    export.set_defaults(run=export_member)
    delete = verbs.add_parser(
        "delete", help="delete a member's data: the journal keeps only a random id without a name"
    )
    delete.add_argument("member", metavar="ID|NAME")
    delete.set_defaults(run=delete_member)
    away = verbs.add_parser("away", help="let a member play at the table of another club that shows this code")
    away.add_argument("member", metavar="ID|NAME")
    away.add_argument("code", metavar="CODE")
    away.set_defaults(run=play_away)
    code = verbs.add_parser(
        "away-code", help="show a code with which one member of another club can play at this table"
    )
    code.set_defaults(run=show_away_code)
    blot = verbs.add_parser("blot", help="erase names that were typed in from the journal, for good")
    blot.add_argument("names", nargs="*", metavar="NAME", help="only these names (default: all)")
    blot.set_defaults(run=redact_names)
    for verb in (listing, export, delete, away, code, blot):
        add_journal_options(verb)
        add_language_option(verb)


def list_members(args: argparse.Namespace) -> int:
    """Print a line for each member."""
    words = Words(args.language)
    members = _members(journal_from(args)).all
    if not members:
        print(words.text("cli", "no-members"))
        return 0
    rows = [
        [each.id, each.name, each.colour, public_name(each.name, each.shown), str(len(each.tags))] for each in members
    ]
    print("\n".join(in_columns([words.text("cli", "members").split(","), *rows])))
    return 0


def export_member(args: argparse.Namespace) -> int:
    """Print all that is stored of a member."""
    journal = journal_from(args)
    member = _find(_members(journal), args.member)
    stored = {"member": msgspec.to_builtins(member), "games": list(_games(journal, member))}
    print(json.dumps(stored, indent=1, ensure_ascii=False))
    return 0


def delete_member(args: argparse.Namespace) -> int:
    """Delete a member."""
    journal = journal_from(args)
    member = _find(_members(journal), args.member)
    _ask(args, journal, DeleteMember(member=member.id))
    print(Words(args.language).text("cli", "member-deleted", {"name": member.name}))
    return 0


def play_away(args: argparse.Namespace) -> int:
    """Let a member play at another club's table."""
    journal = journal_from(args)
    member = _find(_members(journal), args.member)
    _ask_running(args, journal, PlayAway(member=member.id, code=args.code))
    print(Words(args.language).text("cli", "plays-away", {"name": member.name}))
    return 0


def show_away_code(args: argparse.Namespace) -> int:
    """Show a code for a member of another club."""
    answer = _ask_running(args, journal_from(args), ShowAwayCode())
    print(Words(args.language).text("cli", "away-code", {"code": answer["code"]}))
    return 0


def redact_names(args: argparse.Namespace) -> int:
    """Redact names in the journal."""
    journal = journal_from(args)
    if not journal.exists():
        raise JournalError(f"there is no journal {journal}")
    answer = _ask(args, journal, BlotNames(names=tuple(args.names) or None))
    print(Words(args.language).text("cli", "blotted", {"number": answer["blotted"]}))
    return 0


def _ask(args: argparse.Namespace, journal: Path, request: Request) -> dict[str, Any]:
    """Return the response of the running table, or of one without a game; raise MembersError if a table runs and can't
    be reached."""
    options = ["--journal", str(journal)] if args.journal is not None else ["--config", str(config_file_of(args))]
    try:
        with ensure_table(journal, options) as socket:
            return _call_table(socket, request, args.language)
    except TableBusy as error:
        raise MembersError(f"the table runs, and can't be asked: {error}") from error


def _ask_running(args: argparse.Namespace, journal: Path, request: Request) -> dict[str, Any]:
    """Return the response of the running table; raise `MembersError` also if none runs."""
    try:
        socket = find_running_table(journal)
    except TableBusy as error:
        raise MembersError(f"the table runs, and can't be asked: {error}") from error
    if socket is None:
        raise MembersError(Words(args.language).text("cli", "away-not-running"))
    return _call_table(socket, request, args.language)


def _call_table(socket: Path, request: Request, language: str) -> dict[str, Any]:
    try:
        with Client(socket, PATIENCE_S) as client:
            return client.call(request)
    except RequestError as error:
        raise MembersError(error.text(Words(language))) from error


def _members(journal: Path) -> MemberStore:
    """Return the members of the table with this journal; raise `MembersError` if they can't be read."""
    members = MemberStore(members_file_of(journal), read_only=True)
    if members.fault is not None:
        raise members.fault
    return members


def _find(members: MemberStore, id_or_name: str) -> Member:
    """Return a member by id or by name."""
    found = members.find(id_or_name) or next((each for each in members.all if each.name == id_or_name), None)
    if found is None:
        raise MembersError(
            f"there is no member {id_or_name!r:.60} in {members.path}: `taptable members list` names them"
        )
    return found


def _games(journal: Path, member: Member) -> Iterator[dict[str, Any]]:
    """Yield the games in which a member sat, the latest first."""
    if not journal.exists():
        return
    with JournalReader.open(journal) as reader:
        for game_id in reader.game_ids():
            if (found := seats_in(reader, game_id, member.id)) is not None:
                yield found
