"""Members as their tables tell of them: who they are by the random id that journals have, and what of it the public may
see. Forgetting is for good: what comes late can't bring a name back."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sqlalchemy import Connection, select

from taptable.league.database import insert_into
from taptable.league.limits import MOST_MEMBERS
from taptable.league.schema import members
from taptable.uplink.messages import MemberSaid

LONGEST_NAME = 60
_ID = re.compile(r"[0-9a-f]{16}")
_COLOUR = re.compile(r"#[0-9a-f]{6}", re.IGNORECASE)


def take_in_member(connection: Connection, club: str, table: str, said: MemberSaid, now: int) -> str:
    """Store what a table of a club says of a member, unless that is another club's, or was deleted. A remark, or ""."""
    if not _ID.fullmatch(said.id):
        return "damaged"
    if connection.execute(select(members.c.id).where(members.c.id == said.id)).first() is None:
        reported = select(members.c.id).where(members.c.reported_by == table).limit(MOST_MEMBERS)
        if len(connection.execute(reported).all()) >= MOST_MEMBERS:
            return "too-many-members"
    name = "".join(letter for letter in said.name if letter.isprintable()).strip()[:LONGEST_NAME]
    colour = said.colour if _COLOUR.fullmatch(said.colour) else ""
    kept = {"name": name, "colour": colour, "shown": said.shown, "deleted": None}
    _put(connection, club, table, said.id, {**kept, **_FORGOTTEN, "deleted": now} if said.deleted else kept)
    return ""


def forget_member(connection: Connection, club: str, member: str, now: int) -> None:
    """Delete the name and colour of a member of a club; what they played stays, by an id that says nothing."""
    _put(connection, club, None, member, {**_FORGOTTEN, "deleted": now})


_FORGOTTEN = {"name": "", "colour": "", "shown": "nothing"}


def _put(connection: Connection, club: str, table: str | None, member: str, kept: Mapping[str, object]) -> None:
    put = insert_into(connection, members).values(id=member, club=club, reported_by=table, **kept)
    mine = (members.c.club == club) & members.c.deleted.is_(None)
    connection.execute(put.on_conflict_do_update(index_elements=[members.c.id], set_=dict(kept), where=mine))
