"""The members of a table, who have cards of their own, in a file beside the journal that is written whole at every
change. A member's id, name, colour and tags are together only here; journal, messages and a league know the id alone.
An id is derived from a secret, with which a league can check whose member it is. A damaged file is named and moved
aside, and the table plays on without it. Must not know seats or browsers."""

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

MAX_MEMBERS = 200
"""The most members of a table: far more than a table needs, since a file must not grow without bound."""
MAX_DELETED = 1000
"""The most ids of deleted members that the file keeps."""
MAX_TAGS = 4
"""The most tags of one member: one who has lost a card and found it again has two."""
CODE_LETTERS, CODE_LENGTH, CODE_S = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 10, 3600
"""Letters, length and validity in seconds of a code by which a member of another club plays here. The code by which a
browser is paired is another one: see `daemon.api.pairing`."""
COLOURS = ("#ff9d8f", "#8ec1ff", "#86e3a8", "#cdb0ff", "#f2d06b", "#85dfe6", "#ffbe5c", "#ff9dbd")
"""The colours that are offered first, in order."""

NameVisibility: TypeAlias = Literal["name", "initial", "nothing"]
"""How a member's name is shown to people who aren't at the table."""
MemberId: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
Colour: TypeAlias = Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")]
Secret: TypeAlias = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Tag: TypeAlias = Annotated[str, Meta(pattern="^([0-9a-f]{2}){4,10}$")]


@dataclass(frozen=True, slots=True)
class Member:
    """A person who has a card, or will get one."""

    id: MemberId
    name: str
    colour: Colour
    shown: NameVisibility
    tags: tuple[Tag, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptMembers:
    """The content of the file: the members, the ids of deleted ones, and the secrets of both by id. Ids that are older
    than the secrets have none."""

    members: tuple[Member, ...] = ()
    deleted: tuple[MemberId, ...] = ()
    secrets: Mapping[MemberId, Secret] = field(default_factory=dict[str, str])


class SomebodyElse(MembersError):
    """Another member has this name or this tag."""


class MemberStore(JsonStore[KeptMembers]):
    """The members of one table, in the file at `path`.

    `names` maps ids to names and stays the same mapping. `deleted` holds the ids of people who have to be forgotten
    wherever they are known: a damaged file deletes nobody. `secrets` are by id, and for a league alone."""

    error = MembersError
    empty = KeptMembers()
    unreadable_message = "members {path} can't be read, so nobody is known: {why}"
    damaged_message = "members {path} is damaged, so nobody is known"
    unwritable_message = "members {path} can't be written: {why}"
    moved_message = "it was moved aside to {kept}; correct it and put it back, or enrol again"

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.names: dict[str, str] = {}
        self.identities: dict[str, str] = {}
        """The identity of each member's tag, in the form of `Identify`. It stays the same mapping."""
        super().__init__(path, read_only=read_only)

    @classmethod
    def decode(cls, content: bytes) -> tuple[KeptMembers, str]:
        """As for every store. In addition, ids and tags must be unique and names printable."""
        kept, fault = super().decode(content)
        members = kept.members
        tags = [uid for member in members for uid in member.tags]
        named = all(is_printable_name(member.name, LONGEST_PLAYER) for member in members)
        if not named or len({member.id for member in members}) < len(members) or len(set(tags)) < len(tags):
            return cls.empty, "a name, an id or a tag"
        return kept, fault

    @property
    def all(self) -> tuple[Member, ...]:
        """All members, sorted by name."""
        return tuple(sorted(self._all, key=lambda member: member.name.casefold()))

    def find(self, member: str) -> Member | None:
        """Return the member with this id."""
        return next((each for each in self._all if each.id == member), None)

    def find_by_tag(self, uid: str) -> Member | None:
        """Return the member with this tag."""
        return next((each for each in self._all if uid in each.tags), None)

    def add(self, name: str, colour: str, shown: NameVisibility) -> Member:
        """Add a member without a tag, and return when it is on the disk. After a `MembersError` of the disk the file,
        and so this store, may have the new member all the same; repeating the call then succeeds with that member."""
        if (member := self._unconfirmed) is not None and member == replace(
            member, name=name, colour=colour, shown=shown
        ):
            self._write(self._all, self.deleted, self.secrets)
            return member
        if len(self._all) >= MAX_MEMBERS:
            raise MembersError(f"there are {MAX_MEMBERS} members already")
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
        """Change these attributes of a member and return the new value. Raises `MembersError`, also if there is no such
        member. After one of the disk this store agrees with the file, and the call may be repeated."""
        known = self.find(member)
        if known is None:
            raise MembersError(f"there is no member {member!r:.40}")
        if name is not None:
            self._refuse_name(name, member)
        for uid in tags or ():
            other = self.find_by_tag(uid)
            if other is not None and other.id != member:
                raise SomebodyElse(f"tag {uid} is {other.name}'s")
        attributes = {"name": name, "colour": colour, "shown": shown, "tags": tags}
        changed = replace(known, **{key: value for key, value in attributes.items() if value is not None})  # pyright: ignore[reportArgumentType]
        everybody = tuple(changed if each.id == member else each for each in self._all)
        self._write(everybody, self.deleted, self.secrets)
        return changed

    def delete(self, member: str) -> None:
        """Delete a member with all tags. After a `MembersError` this store agrees with the file."""
        left = tuple(each for each in self._all if each.id != member)
        if left != self._all:
            self._write(left, (*self.deleted, member)[-MAX_DELETED:], self.secrets)

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
        self._unconfirmed: Member | None = None  # the member added by a write of which only the last step failed
        self.names.clear()
        self.names.update(names_of(value.members))
        self.identities.clear()
        self.identities.update({uid: MEMBER_PREFIX + member.id for member in value.members for uid in member.tags})


def id_of(secret: Secret) -> MemberId:
    """Return the id of a new member. Only the holder of the secret can prove that the id is theirs."""
    return sha256(secret.encode()).hexdigest()[:16]


def new_code() -> str:
    """Return a code by which a member of another club may play at this table."""
    return "".join(choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def code_in(typed: str) -> str:
    """Return a code as the person who typed it meant it: without gaps, in capitals, with look-alike letters replaced by
    those that codes have; "" if it isn't one."""
    code = typed.upper().translate(str.maketrans("OILU", "011V", " -\t"))
    return code if len(code) == CODE_LENGTH and set(code) <= set(CODE_LETTERS) else ""


def public_name(name: str, shown: str) -> str:
    """Return the name for people who aren't at the table; "" for none."""
    return name if shown == "name" else f"{name[:1].upper()}." if shown == "initial" and name else ""


class _NamedRecord(Protocol):
    """Anything that has an id and a name."""

    @property
    def id(self) -> str: ...

    @property
    def name(self) -> str: ...


def names_of(members: Iterable[_NamedRecord]) -> Mapping[str, str]:
    """Return the members' names by their ids."""
    return {member.id: member.name for member in members}


def members_file_of(journal: Path) -> Path:
    """Return the path of the file beside a journal. Its name tells tables in one folder apart."""
    return journal.with_suffix(".members.json")


read_members = MemberStore.read
"""Return the members in a file without changing it; empty if there is none. Raises `MembersError`."""
