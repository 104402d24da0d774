"""The cards of Cyber Siege as a manifest describes them: kinds of set cards, attacks, defences and admins (S1). Knows
no JSON; that is read in `manifest`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from types import MappingProxyType

from taptable.core.pack import Pack, PackKind
from taptable.core.sentences import Sentences

ADMIN = "admin"


class Group(Enum):
    """What a card is for; all but set cards are red."""

    SET = auto()
    ATTACK = auto()
    DEFENCE = auto()
    ADMIN = auto()


class Effect(Enum):
    """What a successful attack does, by the name of its icon (S1.3)."""

    NONE = "none"
    SKIP = "skip"
    DRAW_FEWER = "draw-fewer"
    DISCARD = "discard"
    LOSE_POINTS = "lose-points"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Icon:
    """An attack's icon: its effect, how many cards or points it is about, or the sentence to be said."""

    effect: Effect
    n: int = 0
    say: Sentences | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of card. `set_number` is the set it belongs to ("" for an admin), `needs` the cards a set card asks for,
    `icon` an attack's."""

    id: str
    group: Group
    count: int
    set_number: str = ""
    needs: tuple[str, ...] = ()
    icon: Icon | None = None
    title: str = ""

    @property
    def is_red(self) -> bool:
        """Has it the red back (S1.1)?"""
        return self.group is not Group.SET


@dataclass(frozen=True, slots=True)
class Deck:
    """All cards: set cards first, then the red ones by number, the admins last. `kind_of` has every card id
    (``3.1#2``)."""

    name: str
    kinds: tuple[Kind, ...]
    sample: bool
    kind_of: Mapping[str, Kind] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cards = {f"{kind.id}#{number}": kind for kind in self.kinds for number in range(1, kind.count + 1)}
        object.__setattr__(self, "kind_of", MappingProxyType(cards))

    @property
    def red(self) -> int:
        """How many red cards there are."""
        return sum(kind.count for kind in self.kinds if kind.is_red)

    @property
    def purple(self) -> int:
        """How many set cards there are."""
        return sum(kind.count for kind in self.kinds if not kind.is_red)

    @property
    def pack(self) -> Pack:
        """The deck as whoever enrols or draws it needs it."""
        return Pack(self.name, tuple(_described(kind) for kind in self.kinds), self.sample)


def fits_attack(attack: Kind, kind: Kind) -> bool:
    """Does a card of this kind defend against the attack (S6.2)?"""
    return kind.group is Group.ADMIN or (kind.group is Group.DEFENCE and kind.set_number == attack.set_number)


def _described(kind: Kind) -> PackKind:
    match kind.group:
        case Group.SET:
            return PackKind(kind.id, kind.count, "set", kind.set_number)
        case Group.ADMIN:
            return PackKind(kind.id, kind.count)
        case Group.ATTACK | Group.DEFENCE:
            return PackKind(kind.id, kind.count, kind.group.name.lower(), kind.id, _titled(kind))


def _titled(kind: Kind) -> str:
    """The number and the name of a red card (S1.2), "" for one without a name; some write the number into the name."""
    if not kind.title or kind.title.split()[0] == kind.id:
        return kind.title
    return f"{kind.id} {kind.title}"
