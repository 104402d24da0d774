"""The members of a table, who have cards of their own: a file beside the journal, written whole at every change. Only
here do a member's id, name, colour and tags stand together; journal, messages and a league know the id alone. An id is
made of a secret, which shows a league whose member it is. A damaged file is named and kept aside, and the table plays
on without it. Knows no seat and no browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from secrets import choice, token_hex
from typing import Annotated, Literal, Protocol, TypeAlias

from msgspec import Meta

from taptable.core.device_events import MEMBER_PREFIX
from taptable.core.errors import MembersError
from taptable.memory.json_store import JsonStore
from taptable.memory.presets import LONGEST_PLAYER, is_printable_name

MOST_MEMBERS = 200
"""So many members a table has; a card each is no burden, and a file has an end."""
MOST_DELETED = 1000
MOST_TAGS = 4
"""Of one member: who has lost a card and found it again has two."""
CODE_LETTERS, CODE_LENGTH, CODE_S = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 10, 3600
"""Letters, length and validity in seconds of a code by which a member of another club plays here."""
COLOURS = ("#ff9d8f", "#8ec1ff", "#86e3a8", "#cdb0ff", "#f2d06b", "#85dfe6", "#ffbe5c", "#ff9dbd")
"""Those that are offered first, in their order."""

NameVisibility: TypeAlias = Literal["name", "initial", "nothing"]
"""How a member is called where people see it who aren't at the table."""
MemberId: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
Colour: TypeAlias = Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")]
Secret: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Tag: TypeAlias = Annotated[str, Meta(pattern="^([0-9a-f]{2}){4,10}$")]


@dataclass(frozen=True, slots=True)
class Member:
    """One who has a card, or will have."""

    id: MemberId
    name: str
    colour: Colour
    shown: NameVisibility
    tags: tuple[Tag, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptMembers:
    """What stands in the file: the members, the ids of those who were deleted, and by id the secrets of both. Ids from
    before there were secrets have none."""

    members: tuple[Member, ...] = ()
    deleted: tuple[MemberId, ...] = ()
    secrets: Mapping[MemberId, Secret] = field(default_factory=dict[str, str])


class SomebodyElse(MembersError):
    """Another member is called so, or has this tag."""


class MemberStore(JsonStore[KeptMembers]):
    """Those of one table, kept in the file at `path`. `names` are their names by their ids, the same mapping for good,
    and `deleted` the ids of those who are to be forgotten wherever they are known: a file that is damaged deletes
    nobody. `secrets` are by id, and for a league alone."""

    error = MembersError
    empty = KeptMembers()
    unreadable_message = "members {path} can't be read, so nobody is known: {why}"
    damaged_message = "members {path} is damaged, so nobody is known"
    unwritable_message = "members {path} can't be written: {why}"
    moved_message = "it was kept as {kept}; put it right and back, or enrol anew"

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.names: dict[str, str] = {}
        self.identities: dict[str, str] = {}
        """What each member's tag is, as `Identify` gives it: the same mapping for good."""
        super().__init__(path, read_only=read_only)

    @classmethod
    def decode(cls, content: bytes) -> tuple[KeptMembers, str]:
        """As for every store; ids and tags are each one member's only, and names can be read."""
        kept, why = super().decode(content)
        members = kept.members
        tags = [uid for member in members for uid in member.tags]
        named = all(is_printable_name(member.name, LONGEST_PLAYER) for member in members)
        if not named or len({member.id for member in members}) < len(members) or len(set(tags)) < len(tags):
            return cls.empty, "a name, an id or a tag"
        return kept, why

    @property
    def all(self) -> tuple[Member, ...]:
        """All of them, by their names."""
        return tuple(sorted(self._all, key=lambda member: member.name.casefold()))

    def find(self, member: str) -> Member | None:
        """The member with this id."""
        return next((each for each in self._all if each.id == member), None)

    def find_by_tag(self, uid: str) -> Member | None:
        """The member with this tag."""
        return next((each for each in self._all if uid in each.tags), None)

    def add(self, name: str, colour: str, shown: NameVisibility) -> Member:
        """A new member, without a tag yet; on the disk when this returns. After a `MembersError` of the disk the file
        may have them all the same, and then so has this; the same once more succeeds with that member."""
        if (member := self._unconfirmed) is not None and member == replace(
            member, name=name, colour=colour, shown=shown
        ):
            self._write(self._all, self.deleted, self.secrets)
            return member
        if len(self._all) >= MOST_MEMBERS:
            raise MembersError(f"there are {MOST_MEMBERS} members already")
        self._refuse_name(name, "")
        secret = token_hex(16)
        member = Member(id_of(secret), name, colour, shown)
        try:
            self._write((*self._all, member), self.deleted, {**self.secrets, member.id: secret})
        except MembersError:
            self._unconfirmed = self.find(member.id)
            raise
        return member

    def change(
        self,
        member: str,
        *,
        name: str | None = None,
        colour: str | None = None,
        shown: NameVisibility | None = None,
        tags: tuple[str, ...] | None = None,
    ) -> Member:
        """The member with these things otherwise; `MembersError` also where there is none. After one of the disk this
        is as the file has it, and the same once more is right."""
        known = self.find(member)
        if known is None:
            raise MembersError(f"there is no member {member!r:.40}")
        if name is not None:
            self._refuse_name(name, member)
        for uid in tags or ():
            other = self.find_by_tag(uid)
            if other is not None and other.id != member:
                raise SomebodyElse(f"tag {uid} is {other.name}'s")
        given = {"name": name, "colour": colour, "shown": shown, "tags": tags}
        changed = replace(known, **{key: value for key, value in given.items() if value is not None})  # pyright: ignore[reportArgumentType]
        everybody = tuple(changed if each.id == member else each for each in self._all)
        self._write(everybody, self.deleted, self.secrets)
        return changed

    def delete(self, member: str) -> None:
        """Forget a member, tags and all; after a `MembersError` this is as the file has it."""
        left = tuple(each for each in self._all if each.id != member)
        if left != self._all:
            self._write(left, (*self.deleted, member)[-MOST_DELETED:], self.secrets)

    def _refuse_name(self, name: str, own: str) -> None:
        if not is_printable_name(name, LONGEST_PLAYER):
            raise MembersError(f"{name!r:.60} is no name: {LONGEST_PLAYER} characters at most")
        if any(each.name.casefold() == name.casefold() and each.id != own for each in self._all):
            raise SomebodyElse(f"somebody is called {name} already")

    def _write(
        self, members: tuple[Member, ...], deleted: tuple[MemberId, ...], secrets: Mapping[MemberId, Secret]
    ) -> None:
        known = {*deleted, *(member.id for member in members)}
        self.write(KeptMembers(members, deleted, {each: secret for each, secret in secrets.items() if each in known}))

    def _adopt(self, value: KeptMembers) -> None:
        super()._adopt(value)
        self._all, self.deleted, self.secrets = value.members, value.deleted, value.secrets
        self._unconfirmed: Member | None = None  # who was added, in a write of which only the last step failed
        self.names.clear()
        self.names.update(names_of(value.members))
        self.identities.clear()
        self.identities.update({uid: MEMBER_PREFIX + member.id for member in value.members for uid in member.tags})


def id_of(secret: Secret) -> MemberId:
    """The id of a new member: who has the secret can show that it is theirs, and nobody else."""
    return sha256(secret.encode()).hexdigest()[:16]


def new_code() -> str:
    """A code by which a member of another club may play at this table."""
    return "".join(choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def code_in(typed: str) -> str:
    """Such a code as it is meant by who typed it in: without gaps, in capitals, with the letters that codes have for
    those that look like them; "" for what is none."""
    meant = typed.upper().translate(str.maketrans("OILU", "011V", " -\t"))
    return meant if len(meant) == CODE_LENGTH and set(meant) <= set(CODE_LETTERS) else ""


def public_name(name: str, shown: str) -> str:
    """What people read who aren't at the table; "" for nothing."""
    return name if shown == "name" else f"{name[:1].upper()}." if shown == "initial" and name else ""


class _NamedRecord(Protocol):
    """Whoever has an id and a name."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


def names_of(members: Iterable[_NamedRecord]) -> Mapping[str, str]:
    """The members' names by their ids."""
    return {member.id: member.name for member in members}


def members_file_of(journal: Path) -> Path:
    """The file beside a journal, whose name tells tables in one folder apart."""
    return journal.with_suffix(".members.json")


read_members = MemberStore.read
"""Return what is in the file of members, which stays as it is; nobody if there is none. Raises `MembersError`."""
