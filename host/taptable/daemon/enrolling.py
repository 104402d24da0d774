"""The dialogue of enrolment: one kind after the other, then control cards; or certain cards only, such as lost ones,
each by its name. The deck is saved before anything is said of a card, so that whoever stops, or is stopped, goes on
where it was."""

from __future__ import annotations

from collections.abc import Sequence

from taptable.daemon.desk import Progress, Say
from taptable.memory import enrol
from taptable.memory.deck import CardSet, Deck, Lack, is_card, lacking
from taptable.memory.decks import Decks
from taptable.memory.enrol import Answer, CardWanted, Code, ControlWanted, Enrolment


class Enrolling:
    """Enrolment into `deck`, one of `decks`. With `only` it is about new cards for these cards and controls; `kind` is
    done before the others."""

    def __init__(
        self,
        decks: Decks,
        deck: Deck,
        card_set: CardSet,
        say: Say,
        *,
        only: Sequence[str] = (),
        kind: str | None = None,
    ) -> None:
        self._decks = decks
        self._say = say
        self._card_set = card_set
        self._enrolment = enrol.begin(deck, card_set)
        if kind is not None:
            self._enrolment = enrol.ask_kind(self._enrolment, kind)
        self._only_some = bool(only)
        self._only = list(only)
        self._declined: set[str] = set()  # controls that nobody wants a card for
        self._told: str | None = None  # the kind that was asked for last
        self._all_told = False  # that every card is enrolled
        self.over = False

    @property
    def progress(self) -> Progress:
        """What the next tag becomes."""
        match enrol.wanted(self._enrolment):
            case CardWanted(card, kind, have, need):
                return Progress(kind if self._enrolment.asked is None else card, have, need)
            case ControlWanted(control):
                there = set(self._enrolment.deck.controls.values())
                return Progress(control, len(there), len(self._card_set.controls))
            case None:
                return Progress("", **self._counts())

    @property
    def lacks(self) -> tuple[Lack, ...]:
        """Which cards of each kind have no tag yet."""
        return lacking(self._card_set, set(self._enrolment.deck.cards.values()))

    @property
    def only(self) -> tuple[str, ...]:
        """Those of the only ones that are still to come."""
        asked = self._enrolment.asked
        return tuple(self._only) if not self._only_some or asked is None else (asked, *self._only)

    @property
    def undoable(self) -> bool:
        """Is there a tag to go back by?"""
        return bool(self._enrolment.steps)

    def begin(self) -> None:
        """Say how far the deck is, which keys there are, and what is wanted."""
        self._say("begin", {"deck": self._enrolment.deck.name, **self._counts()})
        self._say("keys", {})
        self._ask()

    def knows(self, uid: str) -> bool:
        """Is the tag in some deck?"""
        return self._decks.find(uid) is not None

    def tap(self, uid: str) -> None:
        """Enrol a tag, or say why not."""
        before, wanted = self._enrolment, enrol.wanted(self._enrolment)
        after, answer = enrol.take(before, uid, self._decks.find)
        if answer.code is not Code.ENROLLED:
            self._refuse(answer)
            return
        self._set(after)
        match wanted:
            case CardWanted(card) if card in before.deck.cards.values():
                self._say("replaced", {"card_id": card})
            case CardWanted(_, kind, have, need):
                self._say("enrolled", {"card": kind, "have": have + 1, "need": need})
            case ControlWanted(control):
                self._say("enrolled-control", {"control": control})
            case None:
                pass
        self._ask()

    def tap_together(self, uids: tuple[str, ...]) -> None:
        """Nothing of cards that came together counts."""
        while self._enrolment.steps and self._enrolment.steps[-1].uid in uids:
            self._undo()
        self._say("together", {})
        self._ask(again=True)

    def press(self, key: str) -> None:
        """``u``, ``s`` or ``q``."""
        match key.lower():
            case "u":
                self.undo()
            case "s":
                self.skip()
            case "q":
                self.stop()
            case _:
                if key:
                    self._say("no-key", {"key": key})
                self._say("keys", {})

    def undo(self) -> None:
        """The last tag counts no more; what it was is wanted again."""
        step = self._undo()
        if step is None:
            self._say("nothing-to-undo", {})
        else:
            self._say(*_named("undone", step.what))
            self._ask(again=True)

    def skip(self) -> None:
        """Put off what is wanted."""
        before = enrol.wanted(self._enrolment)
        if isinstance(before, ControlWanted):
            self._declined.add(before.control)
        self._enrolment = enrol.skip(self._enrolment)
        if enrol.wanted(self._enrolment) == before:
            self._say("nothing-else", {})
        self._ask()

    def do_kind(self, kind: str) -> None:
        """Do a kind now; `DeckError` if the game hasn't got it."""
        self._enrolment = enrol.ask_kind(self._enrolment, kind)
        self._ask(again=True)

    def stop(self) -> None:
        """Leave the rest for later."""
        self.over = True
        self._say("stopped", self._counts())

    def _set(self, enrolment: Enrolment) -> None:
        """Save a change of the deck, and only then go by it."""
        self._decks.save(enrolment.deck)
        self._enrolment = enrolment

    def _undo(self) -> enrol.Step | None:
        """Go back by one tag, if there is one."""
        asked = self._enrolment.asked
        undone, step = enrol.undo(self._enrolment)
        if step is not None:
            self._set(undone)
            self._all_told &= step.what in self._card_set.controls
            if self._only_some and asked is not None:
                self._only.insert(0, asked)  # it is asked for again after the one that was undone
        return step

    def _ask(self, *, again: bool = False) -> None:
        """Say what the next tag becomes, or that all is done; a kind only when it is another one, or `again`."""
        if self._enrolment.asked is None:
            self._ask_for_next()
        match enrol.wanted(self._enrolment):
            case _ if self.over:
                pass
            case CardWanted(card) if self._enrolment.asked is not None:
                self._say("now-card", {"card_id": card})
            case CardWanted(_, kind, have, need) if again or kind != self._told:
                self._told = kind
                self._say("now-kind", {"card": kind, "have": have, "need": need})
            case ControlWanted(control):
                self._say("now-control", {"control": control})
            case _:
                pass

    def _ask_for_next(self) -> None:
        """Ask for the next of the only ones; or, with every card enrolled, for the next control."""
        deck = self._enrolment.deck
        if self._only_some:
            self.over = not self._only
            if self._only:
                what = self._only.pop(0)
                ask = enrol.ask_control if what in self._card_set.controls else enrol.ask_card
                self._enrolment = ask(self._enrolment, what)
        elif enrol.wanted(self._enrolment) is None:
            if not self._all_told:
                self._say("complete", self._counts())
                self._all_told = True
            done = {*deck.controls.values(), *self._declined}
            control = next((control for control in self._card_set.controls if control not in done), None)
            self.over = control is None
            if control is None:
                self._say("whole", {"deck": deck.name, "need": len(deck.cards), "controls": len(deck.controls)})
            else:
                self._enrolment = enrol.ask_control(self._enrolment, control)

    def _counts(self) -> dict[str, int]:
        """How many cards are enrolled, and of how many."""
        cards = tuple(self._card_set)
        there = set(self._enrolment.deck.cards.values())
        return {"have": sum(card in there for card in cards), "need": len(cards)}

    def _refuse(self, answer: Answer) -> None:
        """Say what a tag is that can't be enrolled."""
        key, facts = _named(answer.code.value, answer.what)
        self._say(key, {**facts, "deck": answer.deck})


def _named(key: str, what: str | None) -> tuple[str, dict[str, object]]:
    """A sentence about a card, or the one about a control; the key `Code.CONTROL` itself is about one already."""
    if what is None or is_card(what):
        return key, {"card_id": what}
    return key if key == Code.CONTROL else f"{key}-control", {"control": what}
