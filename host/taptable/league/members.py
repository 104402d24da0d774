"""Stores what tables report about their members in the league's database, by the random id that journals have: name,
colour, and how much of the name may be public. `ingest` calls it for each such message. A late message can't bring back
the name of a deleted member, with one exception: if the id was deleted without the member's secret, a message with the
secret counts more. Must not know the members' games."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlalchemy import Connection, select, update

from taptable.core.spelling import is_visible
from taptable.league.database import insert_into
from taptable.league.limits import MAX_MEMBERS
from taptable.league.schema import members
from taptable.memory.members import id_of
from taptable.uplink.messages import MemberSaid

LONGEST_NAME = 60
"""Characters of a member's name that are stored; the rest is cut off. Tables allow shorter names only
(`memory.presets.LONGEST_PLAYER`); a message from elsewhere may have longer ones."""
_ID = re.compile(r"[0-9a-f]{16}")
"""The form of a member's id, as `memory.members.id_of` makes it."""
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)
"""The form of a colour. Another text is stored as "", no colour."""


def store_member(connection: Connection, club: str, table: str, message: MemberSaid, now: int) -> tuple[str, bool]:
    """Store what a table of a club reports about a member. Return the key of a remark to the table, or "", and whether
    the member is new here or has come to another club.

    An id belongs to one club. A message with the secret of the id proves that the member is this club's: it overrides
    what any club has reported without the secret, a deletion included. Until a secret was sent, an id belongs to the
    club that reported it first."""
    if not _ID.fullmatch(message.id) or (message.secret and id_of(message.secret) != message.id):
        return "damaged", False
    has_secret = bool(message.secret)
    row = connection.execute(select(members).where(members.c.id == message.id).with_for_update()).one_or_none()
    name = "".join(letter for letter in message.name if letter.isprintable()).strip()[:LONGEST_NAME]
    name = name if is_visible(name) else ""
    colour = message.colour if _COLOUR.fullmatch(message.colour) else ""
    details = {"name": name, "colour": colour, "shown": message.shown, "deleted": None}
    values = {**details, **(_deleted_values(now) if message.deleted else {}), "club": club, "secret_shown": has_secret}
    if row is None:
        reported = select(members.c.id).where(members.c.reported_by == table).limit(MAX_MEMBERS)
        if len(connection.execute(reported).all()) >= MAX_MEMBERS:
            return "too-many-members", False
        new = insert_into(connection, members).values(id=message.id, reported_by=table, **values)
        new = new.on_conflict_do_nothing().returning(members.c.id)
        # if another transaction has stored this id meanwhile, nothing is stored: the table publishes the member again
        return "", connection.execute(new).first() is not None
    if not (has_secret and not row.secret_shown):
        if row.club != club or (row.secret_shown and not has_secret):
            return "member-claimed", False
        if row.deleted is not None:
            return "", False
    else:  # this message has the secret, as the first about this id
        values["reported_by"] = table
    connection.execute(update(members).where(members.c.id == message.id).values(**values))
    return "", row.club != club


def forget_member(connection: Connection, member: str, now: int) -> None:
    """Delete a member's name and colour for good, by an administrator's order: no later message can change that. The
    member's games stay, under the id, which tells nobody who it was."""
    change = update(members).where(members.c.id == member)
    connection.execute(change.values(**_deleted_values(now), secret_shown=True))


def _deleted_values(now: int) -> Mapping[str, object]:
    return {"name": "", "colour": "", "shown": "nothing", "deleted": now}
