"""The dialogue of checking a deck: every card is tapped once, and what is missing or doesn't belong is named. Changes
nothing."""

from __future__ import annotations

from taptable.daemon.desk import Progress, Say
from taptable.memory.deck import CardSet, Deck, Lack, completeness, is_card
from taptable.memory.decks import Decks


def report(deck: Deck, card_set: CardSet, say: Say) -> bool:
    """Say what the deck itself lacks, and what it has that the game doesn't; True if it is whole."""
    found = completeness(deck, card_set)
    if found.missing:
        say("missing", {"card_ids": found.missing})
    if found.extra:
        say("extra", {"card_ids": found.extra})
    if found.missing or found.extra:
        return False
    say("whole", {"deck": deck.name, "need": len(deck.cards), "controls": len(deck.controls)})
    return True


class Counting:
    """Checks one of `decks` by its cards; `all_here` once every card of it was tapped, and nothing but its cards."""

    def __init__(self, decks: Decks, deck: Deck, say: Say) -> None:
        self._decks = decks
        self._deck = deck
        self._say = say
        self._missing = dict.fromkeys(deck.cards.values())  # in their order
        self._strangers: dict[str, None] = {}
        self.over = False

    @property
    def progress(self) -> Progress:
        """How many cards were tapped."""
        need = len(self._deck.cards)
        return Progress("", need - len(self._missing), need)

    @property
    def lacks(self) -> tuple[Lack, ...]:
        """Which cards of each kind were not tapped yet."""
        cards = tuple(self._deck.cards.values())
        of_kind = {card: card.partition("#")[0] for card in cards}
        return tuple(
            Lack(kind, sum(each == kind for each in of_kind.values()), missing)
            for kind in dict.fromkeys(of_kind.values())
            for missing in [tuple(card for card in self._missing if of_kind[card] == kind)]
        )

    @property
    def strangers(self) -> int:
        """How many tags don't belong."""
        return len(self._strangers)

    @property
    def all_here(self) -> bool:
        """Nothing missing, nothing too much."""
        return not self._missing and not self._strangers

    def begin(self) -> None:
        """Say what to do."""
        self._say("tap-all", {"deck": self._deck.name})
        self._say("check-keys", {})

    def knows(self, uid: str) -> bool:
        """Is the tag in some deck?"""
        return self._decks.find(uid) is not None

    def tap(self, uid: str) -> None:
        """Count a card off, or say what it is."""
        card = self._deck.cards.get(uid)
        if card in self._missing:
            del self._missing[card]
            need = len(self._deck.cards)
            self._say("seen", {"card_id": card, "have": need - len(self._missing), "need": need})
            if not self._missing:
                self._say("all-here", {"need": need})
        elif card is not None:
            self._say("seen-again", {"card_id": card})
        elif uid in self._deck.controls:
            self._say("seen-control", {"control": self._deck.controls[uid]})
        else:
            self._strangers[uid] = None
            self._name_stranger(uid)

    def tap_together(self, uids: tuple[str, ...]) -> None:
        """Each says who it is, so the last one counts beside those that came before it."""
        self.tap(uids[-1])

    def press(self, key: str) -> None:
        """``q``."""
        if key.lower() == "q":
            self.stop()
            return
        if key:
            self._say("no-key", {"key": key})
        self._say("check-keys", {})

    def stop(self) -> None:
        """Say what is missing, and what doesn't belong."""
        self.over = True
        if self._missing:
            self._say("missing", {"card_ids": tuple(self._missing)})
            first = next(iter(self._missing))
            self._say("how-to-replace", {"lost": f"{self._deck.name} {first}"})
        if self._strangers:
            self._say("strangers", {"uids": ", ".join(self._strangers)})

    def _name_stranger(self, uid: str) -> None:
        found = self._decks.find(uid)
        if found is None:
            self._say("unknown", {"uid": uid})
            return
        deck, what = found
        if is_card(what):
            self._say("foreign", {"card_id": what, "deck": deck})
        else:
            self._say("foreign-control", {"control": what, "deck": deck})
