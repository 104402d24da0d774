"""Members as their tables report them, by the random id that journals have: stores their names and what of them may be
public. Deletion is final: a late message can't bring a name back. Must not know their games."""

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
"""Characters of a member's name that are stored."""
_ID = re.compile(r"[0-9a-f]{16}")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


def store_member(connection: Connection, club: str, table: str, message: MemberSaid, now: int) -> tuple[str, bool]:
    """Store what a table of a club reports about a member. Returns a remark, or "", and whether the member's club has
    become known by this, or has changed. A club that shows the secret of an id owns it, even if another had claimed or
    deleted it without. An id from before there were secrets belongs to its first club."""
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
        return "", connection.execute(
            new
        ).first() is not None  # another's was stored meanwhile: the table publishes this one again later
    if not (has_secret and not row.secret_shown):
        if row.club != club or (row.secret_shown and not has_secret):
            return "member-claimed", False
        if row.deleted is not None:
            return "", False
    else:
        values["reported_by"] = table
    connection.execute(update(members).where(members.c.id == message.id).values(**values))
    return "", row.club != club


def forget_member(connection: Connection, member: str, now: int) -> None:
    """Delete the name and colour of a member for good, even if one is reported later. Their games stay, under an id
    that says nothing."""
    change = update(members).where(members.c.id == member)
    connection.execute(change.values(**_deleted_values(now), secret_shown=True))


def _deleted_values(now: int) -> Mapping[str, object]:
    return {"name": "", "colour": "", "shown": "nothing", "deleted": now}
