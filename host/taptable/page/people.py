"""The people at the table, as every browser may know them: the members at the seats, and the state of an enrolment of a
member's card. Pure. The list of all members is not here: only paired clients get it, on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from taptable.api.choices import names_per_player
from taptable.api.facts import MemberFacts
from taptable.core.tag_notices import MemberCardSays
from taptable.memory.members import names_of
from taptable.words import Words


class KnownPeople:
    """The members' names by their ids, in two mappings that stay the same objects: `names` for the table, and
    `public_names`."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.public_names: dict[str, str] = {}

    def update(self, members: Sequence[MemberFacts]) -> bool:
        """Take over the present members; return whether any is named otherwise than before, or no longer known."""
        renamed = False
        in_public = {member.id: member.public_name for member in members}
        for known, now in ((self.names, names_of(members)), (self.public_names, in_public)):
            renamed |= any(now.get(member) != name for member, name in known.items())
            known.clear()
            known.update(now)
        return renamed


@dataclass(frozen=True, slots=True)
class NamesPart:
    """The names of the `players`: guests' as typed in, members' as the client may know them; `members_revision` as in
    `PeoplePart`."""

    names: tuple[str, ...]
    members: tuple[str, ...]
    players: int
    members_revision: int

    def __call__(self, words: Words) -> list[str]:
        """Return a name for each player, "" for none."""
        return list(names_per_player(words.with_names(self.names, self.members).vocabulary.names, self.players))


@dataclass(frozen=True, slots=True)
class PeoplePart:
    """The people at the seats. `seat_members` are their ids, seat 1 first, "" if unknown. `members_revision` changes
    with every change of a member, after which clients request the list again; `names_revision` changes whenever a name
    that was shown may no longer be used. `league`: the table belongs to one."""

    members: tuple[MemberFacts, ...]
    seat_members: tuple[str, ...]
    card: MemberCardSays | None
    members_revision: int
    names_revision: int
    league: bool

    def __call__(self, words: Words) -> dict[str, Any]:
        """Return ``seats``, each None or the member's `id`, `name`, `colour` and public name `in_public`, which is also
        the `name` for clients that get only what is public; ``card``, whose card the table waits for or did last, with
        its last sentence; and the revisions."""
        known: Mapping[str, MemberFacts] = {member.id: member for member in self.members}
        seats = [known.get(member) for member in self.seat_members]
        return {
            "seats": [
                None
                if each is None
                else {
                    "id": each.id,
                    "name": each.public_name if words.vocabulary.in_public else each.name,
                    "colour": each.colour,
                    "in_public": each.public_name,
                }
                for each in seats
            ],
            "card": None if self.card is None else self._card(self.card, words),
            "told": self.members_revision,
            "renamed": self.names_revision,
            "league": self.league,
        }

    def _card(self, notice: MemberCardSays, words: Words) -> dict[str, Any]:
        return {
            "member": notice.member,
            "waits": notice.until_us > 0,
            "at_us": notice.at_us,
            "key": notice.key,
            "mood": notice.mood,
            "said": words.notice(notice),
        }
