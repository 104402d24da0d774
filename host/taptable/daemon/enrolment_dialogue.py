"""The dialogues with a person who holds a stack of cards at the discard pad: enrolment gives each tag its card, one
kind after the other, then control cards, or certain cards only, such as lost ones, each by its name; a check has every
card tapped once, and names what is missing or doesn't belong. A deck is saved before anything is said of a card, so
that whoever stops, or is stopped, goes on where it was. What is said are keys of sentences; who shows or speaks them is
not known here."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, TagCame, TagUnreadable, TagWent
from taptable.core.notices import PhoneSeen
from taptable.core.observations import CardsTogether, CardTapped
from taptable.memory import tag_assignment
from taptable.memory.deck import CardSet, Deck, Lack, completeness, is_card, lacking
from taptable.memory.decks import Decks
from taptable.memory.tag_assignment import Answer, CardWanted, Code, ControlWanted, Enrolment
from taptable.referee import taps
from taptable.referee.taps import CardFound, Taps, is_random

KEPT_US = 2_000_000
"""Within this a board that is listened to again has said all it kept. By its stamps alone that can't be told: they wrap
after 18 minutes."""

Say: TypeAlias = Callable[[str, Mapping[str, object]], None]
"""Says a sentence of the catalogues' context ``deck``, by its key and facts."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What the next tag becomes, a kind, one card or a control ("" where nothing is asked for), and that `have` of
    `need` are done."""

    wanted: str
    have: int
    need: int


class _AtPad(ABC):
    """Which tag was tapped at the pad, alone or not. Anything that is done there may raise DeckError: nothing has
    changed then, and at a terminal that is the end."""

    def __init__(self, decks: Decks, say: Say) -> None:
        self.over = False
        self._decks = decks
        self._say = say
        self._taps = Taps()
        self._since_us = self._settled_us = 0

    def begin(self, now_us: int, *, listening: bool) -> None:
        """Say what is to be done. Is somebody `listening` to the pad already?"""
        self._since_us = self._settled_us = now_us
        if not listening:
            self._settled_us += KEPT_US
        self._say_beginning()

    def see(self, device_event: DeviceEvent, now_us: int) -> None:
        """Take in what the reader reports. To the filter of taps every tag is a card of its own, but for those that
        make up their numbers. What a board kept from before it was listened to is no answer to what is asked now."""
        match device_event:
            case TagCame(at_us=at_us):
                kept = at_us < self._since_us or (device_event.origin is not None and now_us < self._settled_us)
                uid, lying = device_event.uid, device_event.lying or kept
                device_event = replace(device_event, lying=lying, identity=None if is_random(uid) else uid)
                self._taps, gestures = taps.came(self._taps, device_event, now_us)
                for gesture in gestures:
                    self._take(gesture)
            case TagUnreadable():
                self._say("unreadable", {})
            case TagWent():
                self._taps, _ = taps.went(self._taps, device_event, now_us)
            case PartFailed(_, part, reason):
                self._taps = replace(self._taps, pads={})
                self._say("reader-lost", {"part": part, "reason": reason})
            case PartReturned(at_us, part):
                self._since_us, self._settled_us = at_us, at_us + KEPT_US
                self._say("reader-back", {"part": part})
            case _:
                pass

    def _take(self, gesture: taps.Gesture) -> None:
        match gesture:
            case CardTapped(_, uid):
                self.tap(uid)
            case CardsTogether(_, uids):
                self.tap_together(uids)
            case CardFound():
                self._say("lying", {})
            case PhoneSeen():
                self._say("random-uid", {})
            case _:
                pass

    def knows(self, uid: str) -> bool:
        """Is this a tag of some deck, so that a single read of it can be trusted?"""
        return self._decks.find(uid) is not None

    @abstractmethod
    def _say_beginning(self) -> None:
        """Say what is to be done, and which keys there are."""

    @abstractmethod
    def tap(self, uid: str) -> None:
        """A tag came, alone."""

    @abstractmethod
    def tap_together(self, uids: tuple[str, ...]) -> None:
        """The last of these tags came together with the others, which had come, or been tapped, just before."""


class Enrolling(_AtPad):
    """Enrolment into `deck`, one of `decks`; a tag that `is_members` stays the member's. With `only` it is about new
    cards for these cards and controls; `kind` is done before the others."""

    def __init__(
        self,
        decks: Decks,
        deck: Deck,
        card_set: CardSet,
        say: Say,
        is_members: Callable[[str], bool] = lambda _: False,
        *,
        only: Sequence[str] = (),
        kind: str | None = None,
    ) -> None:
        super().__init__(decks, say)
        self._is_members = is_members
        self._card_set = card_set
        self._enrolment = tag_assignment.begin(deck, card_set)
        if kind is not None:
            self._enrolment = tag_assignment.ask_kind(self._enrolment, kind)
        self._only_some = bool(only)
        self._only = list(only)
        self._declined: set[str] = set()  # controls that nobody wants a card for
        self._told: str | None = None  # the kind that was asked for last
        self._all_told = False  # that every card is enrolled

    @property
    def progress(self) -> Progress:
        """What the next tag becomes."""
        match tag_assignment.wanted(self._enrolment):
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

    def kind_after(self, chosen: str) -> str:
        """The kind that is asked for now, if somebody has `chosen` it or it is out of its turn; "" for the one whose
        turn it is, or where no kind is asked for."""
        wanted = tag_assignment.wanted(self._enrolment)
        if self._only_some or not isinstance(wanted, CardWanted) or self._enrolment.asked is not None:
            return ""
        in_turn = next((lack.kind for lack in self.lacks if lack.missing), "")
        return wanted.kind if wanted.kind == chosen or wanted.kind != in_turn else ""

    @property
    def undoable(self) -> bool:
        """Is there a tag to go back by?"""
        return bool(self._enrolment.steps)

    def _say_beginning(self) -> None:
        """Say how far the deck is, which keys there are, and what is wanted."""
        self._say("begin", {"deck": self._enrolment.deck.name, **self._counts()})
        self._say("keys", {})
        self._ask()

    def tap(self, uid: str) -> None:
        """Enrol a tag, or say why not."""
        if self._is_members(uid):
            self._say("members-card", {})
            return
        before, wanted = self._enrolment, tag_assignment.wanted(self._enrolment)
        after, answer = tag_assignment.take(before, uid, self._decks.find)
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
        before = tag_assignment.wanted(self._enrolment)
        if isinstance(before, ControlWanted):
            self._declined.add(before.control)
        self._enrolment = tag_assignment.skip(self._enrolment)
        if tag_assignment.wanted(self._enrolment) == before:
            self._say("nothing-else", {})
        self._ask()

    def do_kind(self, kind: str) -> None:
        """Do a kind now; `DeckError` if the game hasn't got it."""
        self._enrolment = tag_assignment.ask_kind(self._enrolment, kind)
        self._ask(again=True)

    def stop(self) -> None:
        """Leave the rest for later."""
        self.over = True
        self._say("stopped", self._counts())

    def _set(self, enrolment: Enrolment) -> None:
        """Save a change of the deck, and only then go by it."""
        self._decks.save(enrolment.deck)
        self._enrolment = enrolment

    def _undo(self) -> tag_assignment.Step | None:
        """Go back by one tag, if there is one."""
        asked = self._enrolment.asked
        undone, step = tag_assignment.undo(self._enrolment)
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
        match tag_assignment.wanted(self._enrolment):
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
                ask = tag_assignment.ask_control if what in self._card_set.controls else tag_assignment.ask_card
                self._enrolment = ask(self._enrolment, what)
        elif tag_assignment.wanted(self._enrolment) is None:
            if not self._all_told:
                self._say("complete", self._counts())
                self._all_told = True
            done = {*deck.controls.values(), *self._declined}
            control = next((control for control in self._card_set.controls if control not in done), None)
            self.over = control is None
            if control is None:
                self._say("whole", {"deck": deck.name, "need": len(deck.cards), "controls": len(deck.controls)})
            else:
                self._enrolment = tag_assignment.ask_control(self._enrolment, control)

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


class Counting(_AtPad):
    """Checks one of `decks` by its cards; `all_here` once every card of it was tapped, and nothing but its cards."""

    def __init__(self, decks: Decks, deck: Deck, say: Say) -> None:
        super().__init__(decks, say)
        self._deck = deck
        self._missing = dict.fromkeys(deck.cards.values())  # in their order
        self._strangers: dict[str, None] = {}

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

    def _say_beginning(self) -> None:
        """Say what to do."""
        self._say("tap-all", {"deck": self._deck.name})
        self._say("check-keys", {})

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


Dialogue: TypeAlias = Enrolling | Counting
