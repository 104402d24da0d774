"""The dialogues with a person who holds a stack of cards at the discard pad. Enrolment assigns a card to each tag: kind
by kind, then control cards, or only certain cards by name. A check has every card tapped once and names missing and
foreign ones. A deck is saved before anything is said about a card, so a person who stops can resume at the same place.
Messages are keys of the catalogues' context ``deck``. This module must not know who shows or speaks them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, TagCame, TagUnreadable, TagWent
from taptable.core.errors import DeckError
from taptable.core.notices import PhoneSeen
from taptable.core.observations import CardsTogether, CardTapped
from taptable.core.tag_notices import EnrolmentBegan
from taptable.memory.deck import Deck, Lack, card_set_for, is_card, missing_by_kind
from taptable.memory.decks import Decks
from taptable.referee import taps
from taptable.referee.taps import CardFound, Taps, is_random

BACKLOG_US = 2_000_000
"""Time after a board's return, or the table's start, within which the board has sent all events that it had stored.
Their stamps don't show that they are old: a board's time wraps after 18 minutes."""

Say: TypeAlias = Callable[[str, Mapping[str, object]], None]
"""Says a sentence, given its key and its facts."""


class Progress(NamedTuple):
    """The target of the next tag (a kind, a card or a control; "" for nothing); `have` of `need` are done."""

    target: str
    have: int
    need: int


class Dialogue(ABC):
    """One dialogue about a `deck`, until `over` is set. It gets each tap at the pad, of one tag alone or of several
    together.

    `steps` can be undone: each has the tag, the card or control that it became, and the deck before. `foreign_tags`
    don't belong to the deck. If a method raises DeckError, which any may do, nothing has changed."""

    def __init__(self, decks: Decks, deck: Deck, say: Say) -> None:
        self.over = False
        self.deck = deck
        self.steps: list[tuple[str, str, Deck]] = []
        self.foreign_tags: dict[str, None] = {}
        self._decks = decks
        self._say = say
        self._taps = Taps()
        self._listening_since_us = self._backlog_until_us = 0

    def begin(self, now_us: int, backlog_until_us: int, *, restarted: bool = False) -> None:
        """Say what to do. `restarted` adds that the table was restarted during the dialogue. Until `backlog_until_us`
        boards may still send events that they had stored before."""
        self._listening_since_us, self._backlog_until_us = now_us, backlog_until_us
        self._introduce()
        if restarted:
            self._say("goes-on", {})

    def handle_device_event(self, device_event: DeviceEvent, now_us: int) -> None:
        """Take in an event of the reader. The filter of taps treats every tag as a card of its own, except random UIDs.
        An event that a board had stored from before the dialogue began does not answer the present question."""
        match device_event:
            case TagCame(at_us=at_us, uid=uid):
                is_old = at_us < self._listening_since_us or (
                    device_event.origin is not None and now_us < self._backlog_until_us
                )
                identity, already_present = None if is_random(uid) else uid, device_event.already_present or is_old
                device_event = replace(device_event, already_present=already_present, identity=identity)
                self._taps, gestures = taps.handle_tag_came(self._taps, device_event, now_us)
                for gesture in gestures:
                    self._handle_gesture(gesture)
            case TagUnreadable():
                self._say("unreadable", {})
            case TagWent():
                self._taps, _ = taps.handle_tag_went(self._taps, device_event, now_us)
            case PartFailed(_, part, reason):
                self._taps = replace(self._taps, pads={})
                self._say("reader-lost", {"part": part, "reason": reason})
            case PartReturned(at_us, part):
                self._listening_since_us, self._backlog_until_us = at_us, at_us + BACKLOG_US
                self._say("reader-back", {"part": part})
            case _:
                pass

    def _handle_gesture(self, gesture: taps.TapOutcome) -> None:
        match gesture:
            case CardTapped(_, uid):
                self._tap(uid)
            case CardsTogether(_, uids):
                self._tap_together(uids)
            case CardFound():
                self._say("lying", {})
            case PhoneSeen():
                self._say("random-uid", {})
            case _:
                pass

    @property
    @abstractmethod
    def progress(self) -> Progress:
        """The progress of this dialogue."""

    @property
    @abstractmethod
    def missing_cards(self) -> tuple[Lack, ...]:
        """The missing cards of each kind."""

    def restart_notice(self, began: EnrolmentBegan) -> EnrolmentBegan:
        """Return the notice that a restart needs to resume this dialogue, given `began` and the work done since."""
        return began

    @abstractmethod
    def stop(self) -> None:
        """End the dialogue and say what is left."""

    @abstractmethod
    def _introduce(self) -> None:
        """Say what to do."""

    @abstractmethod
    def _tap(self, uid: str) -> None:
        """Take in a tag that came alone."""

    @abstractmethod
    def _tap_together(self, uids: tuple[str, ...]) -> None:
        """Take in the last of these tags, which came together with the others or shortly after them."""


class NextTag(NamedTuple):
    """The next tag becomes the card `target` of this `kind`, or a card for the control `target` if `kind` is "".
    `have` of the `need` cards of the kind, or of the controls, have their tags."""

    target: str
    kind: str
    have: int
    need: int


class Enrolling(Dialogue):
    """Enrolment into `deck`, one of `decks`: each tag becomes the first card or control of `remaining`.

    A tag for which `is_members` is true stays the member's. `only` names cards and controls that get new tags, such as
    lost ones; the old tags count until the new ones came. Raises `DeckError` if the game doesn't have one of them."""

    def __init__(
        self, decks: Decks, deck: Deck, say: Say, is_members: Callable[[str], bool], only: Sequence[str] = ()
    ) -> None:
        super().__init__(decks, deck, say)
        self._is_members = is_members
        self._by_name = bool(only)
        self._cards = card_set_for(deck)
        all_targets, present = (*self._cards, *self._cards.controls), {*deck.cards.values(), *deck.controls.values()}
        if unknown := [target for target in only if target not in all_targets]:
            raise DeckError(f"{deck.game} has no card {unknown[0]!r}")
        self.remaining = tuple(only) or tuple(target for target in all_targets if target not in present)
        self._last_prompt: NextTag | None = None

    @property
    def next_tag(self) -> NextTag | None:
        """The card or control that the next tag becomes; None if nothing is left."""
        if not self.remaining:
            return None
        kind = self._kind_of(self.remaining[0])
        targets = self._cards.cards(kind) if kind else self._cards.controls
        present = {*self.deck.cards.values(), *self.deck.controls.values()}
        return NextTag(self.remaining[0], kind, len(present.intersection(targets)), len(targets))

    @property
    def progress(self) -> Progress:
        """The target of the next tag, and how many of its kind are done."""
        if (next_tag := self.next_tag) is None:
            return Progress("", **self._counts())
        return Progress(
            next_tag.target if self._by_name or not next_tag.kind else next_tag.kind, next_tag.have, next_tag.need
        )

    @property
    def missing_cards(self) -> tuple[Lack, ...]:
        """The cards of each kind that have no tag yet."""
        return missing_by_kind(self._cards, set(self.deck.cards.values()))

    def restart_notice(self, began: EnrolmentBegan) -> EnrolmentBegan:
        """Return `began` with the remaining cards if they were named, otherwise with the kind if somebody chose it or
        it is out of turn."""
        if self._by_name:
            return replace(began, only=self.remaining)
        kind = "" if (next_tag := self.next_tag) is None else next_tag.kind
        in_turn = next((lack.kind for lack in self.missing_cards if lack.missing), "")
        return replace(began, kind=kind if kind in (began.kind, "") or kind != in_turn else "")

    def _introduce(self) -> None:
        self._say("begin", {"deck": self.deck.name, **self._counts()})
        self._say("keys", {})
        self._ask()

    def _tap(self, uid: str) -> None:
        """Enrol an unknown tag, or say why not."""
        next_tag, known = self.next_tag, self._decks.find(uid)
        if self._is_members(uid):
            self._say("members-card", {})
        elif target := self.deck.lookup(uid):
            self._say(*_sentence_about("double" if uid in self.deck.cards else "control", target, deck=self.deck.name))
        elif known is not None and known[0] != self.deck.name:
            self._say(*_sentence_about("foreign", known[1], deck=known[0]))
        elif next_tag is None:
            self._say("not-wanted", {})
        else:
            self._enrol(uid, next_tag)

    def _enrol(self, uid: str, next_tag: NextTag) -> None:
        before, target = self.deck, next_tag.target
        self._save(
            before.with_card(uid, target) if next_tag.kind else before.with_control(uid, target), self.remaining[1:]
        )
        self.steps.append((uid, target, before))
        if not next_tag.kind:
            self._say("enrolled-control", {"control": target})
        elif target in before.cards.values():
            self._say("replaced", {"card_id": target})
        else:
            self._say("enrolled", {"card": next_tag.kind, "have": next_tag.have + 1, "need": next_tag.need})
        self._ask()

    def _tap_together(self, uids: tuple[str, ...]) -> None:
        """Undo every card of the group that was just enrolled: cards that came together don't count."""
        while self.steps and self.steps[-1][0] in uids:
            self._go_back()
        self._say("together", {})
        self._ask(again=True)

    def undo(self) -> None:
        """Undo the last tag. Its card is asked for again."""
        if not self.steps:
            self._say("nothing-to-undo", {})
        else:
            self._say(*_sentence_about("undone", self._go_back()))
            self._ask(again=True)

    def skip(self) -> None:
        """Put a kind behind the others, or drop a card that was asked for by name."""
        kind, before = self._kind_of(self.remaining[0]), self.remaining
        if self._by_name or not kind:
            self.remaining = self.remaining[1:]
        else:  # order: cards of other kinds, then this kind, then controls; each group keeps its own order
            place = {kind: 1, "": 2}
            self.remaining = tuple(sorted(self.remaining, key=lambda target: place.get(self._kind_of(target), 0)))
        if self.remaining == before:
            self._say("nothing-else", {})
        self._ask()

    def put_kind_first(self, kind: str, *, ask: bool = True) -> None:
        """Ask for the cards of this kind before the others. Raises `DeckError` if the game doesn't have the kind."""
        if not self._cards.cards(kind):
            kinds = ", ".join(known for known, _ in self._cards.kinds)
            raise DeckError(f"{self._cards.game} has no kind {kind!r}, but {kinds}")
        self.remaining = tuple(sorted(self.remaining, key=lambda target: self._kind_of(target) != kind))
        if ask:
            self._ask(again=True)

    def stop(self) -> None:
        """End the dialogue. The remaining cards can be enrolled later."""
        self.over = True
        self._say("stopped", self._counts())

    def _save(self, deck: Deck, remaining: tuple[str, ...]) -> None:
        """Save a changed deck first, then use it."""
        self._decks.save(deck)
        self.deck, self.remaining = deck, remaining

    def _go_back(self) -> str:
        """Undo one tag and return the card or control that it had become."""
        _, target, before = self.steps[-1]
        self._save(before, (target, *self.remaining))
        self.steps.pop()
        return target

    def _ask(self, *, again: bool = False) -> None:
        """Ask for the next tag, or say that all is done. A kind is named only if it has changed, or with `again`."""
        last, self._last_prompt = self._last_prompt, self.next_tag
        kind = "" if self._last_prompt is None else self._last_prompt.kind
        if not (self._by_name or kind) and (last is None or last.kind):
            self._say("complete", self._counts())
        if self._last_prompt is None:
            self.over = True
            if not self._by_name:
                self._say("whole", completion_facts(self.deck))
        elif not kind:
            self._say("now-control", {"control": self._last_prompt.target})
        elif self._by_name:
            self._say("now-card", {"card_id": self._last_prompt.target})
        elif again or last is None or kind != last.kind:
            self._say("now-kind", {"card": kind, "have": self._last_prompt.have, "need": self._last_prompt.need})

    def _kind_of(self, target: str) -> str:
        """Return the kind of a card; "" for a control."""
        return "" if target in self._cards.controls else target.partition("#")[0]

    def _counts(self) -> dict[str, int]:
        """Return how many cards are enrolled, and how many there are."""
        need = len(tuple(self._cards))
        return {"have": need - sum(len(lack.missing) for lack in self.missing_cards), "need": need}


def _sentence_about(key: str, target: str, **facts: object) -> tuple[str, dict[str, object]]:
    """Return the key of a sentence about a card, or of its variant about a control. The key ``control`` is about a
    control already."""
    if is_card(target):
        return key, {"card_id": target, **facts}
    return key if key == "control" else f"{key}-control", {"control": target, **facts}


def completion_facts(deck: Deck) -> dict[str, object]:
    """Return the facts of the sentence that a deck is complete."""
    return {"deck": deck.name, "need": len(deck.cards), "controls": len(deck.controls)}


class DeckCheck(Dialogue):
    """Checks that all cards of a deck are there and that no others are."""

    def __init__(self, decks: Decks, deck: Deck, say: Say) -> None:
        super().__init__(decks, deck, say)
        self._missing = dict.fromkeys(deck.cards.values())  # in the deck's order

    @property
    def progress(self) -> Progress:
        """The number of cards that were tapped."""
        need = len(self.deck.cards)
        return Progress("", need - len(self._missing), need)

    @property
    def missing_cards(self) -> tuple[Lack, ...]:
        """The cards of each kind that have not been tapped yet."""
        kinds: dict[str, list[str]] = {}
        for card in self.deck.cards.values():
            kinds.setdefault(card.partition("#")[0], []).append(card)
        return tuple(
            Lack(kind, len(cards), tuple(card for card in self._missing if card in cards))
            for kind, cards in kinds.items()
        )

    def _introduce(self) -> None:
        self._say("tap-all", {"deck": self.deck.name})
        self._say("check-keys", {})

    def _tap(self, uid: str) -> None:
        """Count a card as seen, or say what else it is."""
        card = self.deck.cards.get(uid)
        if card in self._missing:
            del self._missing[card]
            _, have, need = self.progress
            self._say("seen", {"card_id": card, "have": have, "need": need})
            if not self._missing:
                self._say("all-here", {"need": need})
        elif card is not None:
            self._say("seen-again", {"card_id": card})
        elif uid in self.deck.controls:
            self._say("seen-control", {"control": self.deck.controls[uid]})
        else:
            self.foreign_tags[uid] = None
            known = self._decks.find(uid)
            self._say(
                *(("unknown", {"uid": uid}) if known is None else _sentence_about("foreign", known[1], deck=known[0]))
            )

    def _tap_together(self, uids: tuple[str, ...]) -> None:
        """Count the last tag: each identifies itself, so it counts beside those that came before it."""
        self._tap(uids[-1])

    def stop(self) -> None:
        """End the check. Name the missing cards and the tags that don't belong."""
        self.over = True
        if self._missing:
            self._say("missing", {"card_ids": tuple(self._missing)})
            self._say("how-to-replace", {"lost": f"{self.deck.name} {next(iter(self._missing))}"})
        if self.foreign_tags:
            self._say("strangers", {"uids": ", ".join(self.foreign_tags)})
