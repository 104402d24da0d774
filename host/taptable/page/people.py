"""Who sits here, as every browser may know it: the members at the seats, and what became of a card that is waited for.
The list of all members is only for who is paired, who asks for it. Pure."""

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
    """The members' names by their ids, the same two mappings for good: as they are called at the table, and in
    public."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.public_names: dict[str, str] = {}

    def update(self, members: Sequence[MemberFacts]) -> bool:
        """These are the members now; is anybody called otherwise than before, or not known any more?"""
        renamed = False
        in_public = {member.id: member.public_name for member in members}
        for known, now in ((self.names, names_of(members)), (self.public_names, in_public)):
            renamed |= any(now.get(member) != name for member, name in known.items())
            known.clear()
            known.update(now)
        return renamed


@dataclass(frozen=True, slots=True)
class NamesPart:
    """What the `players` are called: guests by the names that were typed in, members as whoever is told may know them;
    `told` as in `PeoplePart`."""

    names: tuple[str, ...]
    members: tuple[str, ...]
    players: int
    members_revision: int

    def __call__(self, words: Words) -> list[str]:
        """A name a player, "" for none."""
        return list(names_per_player(words.with_names(self.names, self.members).vocabulary.names, self.players))


@dataclass(frozen=True, slots=True)
class PeoplePart:
    """`seated` are the ids of those at the seats, seat 1 first, "" for nobody known; `told` is another number whenever
    a member has changed, and the list is to be asked for again, `renamed` whenever somebody isn't called so any more
    who was named in anything, and that is. The table may belong to a `league`."""

    members: tuple[MemberFacts, ...]
    seat_members: tuple[str, ...]
    card: MemberCardSays | None
    members_revision: int
    names_revision: int
    league: bool

    def __call__(self, words: Words) -> dict[str, Any]:
        """``seats``: who sits there, None for nobody known, each with `id`, `name`, `colour` and what they are called
        `in_public`, which is the `name`, too, for who is told what is public; ``card``: whose card is waited for, or
        was last, and what was said of it."""
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

    def _card(self, said: MemberCardSays, words: Words) -> dict[str, Any]:
        return {
            "member": said.member,
            "waits": said.until_us > 0,
            "at_us": said.at_us,
            "key": said.key,
            "mood": said.mood,
            "said": words.notice(said),
        }
