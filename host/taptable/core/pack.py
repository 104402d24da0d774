"""The cards of a game as enrolment, printing and the page need them: their kinds, the number of each, and their texts.
Some games have fixed cards; others make them from a manifest, which people write for the cards they own. Must not know
what a card does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True, slots=True)
class PackKind:
    """Cards that are alike: ``count`` cards ``id#1``, ``id#2``… `symbol` is their face and its word in the catalogues
    (context ``card``), "" if it has the kind's name; `label` is the short text drawn on the face, `title` the name
    printed on the card, where a manifest gives it, and `explanation` its meaning in the world. `needs` are the kinds
    that must come together for it. `effect` has the facts of the sentence that explains its effect in the game (context
    ``effect``), the key first; without any the sentence has the face's name. `back` is the name of its back, "" if the
    game has only one."""

    id: str
    count: int
    symbol: str = ""
    label: str = ""
    title: str = ""
    explanation: str = ""
    needs: tuple[str, ...] = ()
    effect: tuple[tuple[str, object], ...] = ()
    back: str = ""

    @property
    def face(self) -> str:
        """The name of its face."""
        return self.symbol or self.id


@dataclass(frozen=True)
class Pack:
    """All the cards, in the order in which they are enrolled. A `sample` stands in for cards that nobody has described
    yet."""

    name: str
    kinds: tuple[PackKind, ...]
    sample: bool = False

    @cached_property
    def by_id(self) -> dict[str, PackKind]:
        """The kinds by their ids."""
        return {kind.id: kind for kind in self.kinds}

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """Every card's id, kind by kind."""
        return tuple(f"{kind.id}#{number}" for kind in self.kinds for number in range(1, kind.count + 1))

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """Each kind's id and number of cards."""
        return tuple((kind.id, kind.count) for kind in self.kinds)
