"""A person at a seat: what keys come to. A card is chosen, then a pad; the hands do it as those of the virtual players
do, and what the table says of it is the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from taptable.core.controls import cards_of
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.player import Deed, Hold, Push, Tap, UseControl
from taptable.referee.session import Session
from taptable.sim.demo import choosing
from taptable.sim.demo.choosing import Choice
from taptable.sim.demo.sayings import BAD, FAINT, GOOD, sayings
from taptable.sim.demo.views import Own, Said
from taptable.sim.hands import Hands
from taptable.sim.hints import button_word, extra_pads, offered, what_counts
from taptable.sim.people import People
from taptable.sim.touching import GONE_S
from taptable.words import Words

Begin = Callable[[Coroutine[Any, Any, None]], None]
"""Begins something that takes its time."""


class Person:
    """Who plays `seat` at the keyboard."""

    def __init__(self, seat: int, people: People, session: Callable[[], Session], words: Words, begin: Begin) -> None:
        self.seat = seat
        self._people = people
        self._session = session
        self._hands = Hands(seat, people, session)
        self._words = words
        self._begin = begin
        self._choice = Choice()
        self._pending: str | None = None
        self._menu: str | None = None
        self._doing = False
        self._answer: tuple[Said, ...] = ()
        self._meant: str | None = None
        self._keys: dict[str, Callable[[], None]] = {
            "left": lambda: self._go(choosing.along, -1),
            "right": lambda: self._go(choosing.along, 1),
            "up": lambda: self._go(choosing.across, -1),
            "down": lambda: self._go(choosing.across, 1),
            "escape": self._step_back,
            "enter": lambda: self._tap(seat) if self._choice.asking_pad else self._ask_pad(),
            "d": lambda: self._tap(DISCARD_PAD),
            "e": lambda: self._tap_extra(0),
            "f": lambda: self._tap_extra(1),
            "m": self._open_menu,
            "b": self._hold,
            "x": self._draw,
            "a": self._tap_all,
            "h": self._hint,
            "space": self._press,
        }

    @property
    def meaning(self) -> str | None:
        """What the own button means now."""
        return self._hands.meaning

    def key(self, key: str) -> bool:
        """A key was pressed; False if it means nothing here."""
        self._settle()
        if self._menu is not None:
            return self._choose_control(key, self._menu)
        if key in self._keys:
            self._keys[key]()
            return True
        return key.isdecimal() and self._number(int(key))

    def own(self, asked: str | None = None) -> Own:
        """What the person sees now."""
        self._settle()
        if self._meant != self.meaning:
            self._answer = ()
        choice = self._choice
        may_draw = self._people.may_draw(self.seat)
        heaps = self._hands.heaps()
        return Own(
            self.seat, heaps, choice.card, choice.asking_pad, self._doing, self._answer, asked, may_draw,
            self._offers(), self._menu, self._extra_pads(),
        )  # fmt: skip

    def use_control(self, control: str) -> None:
        """Tap a control card on the own pad."""
        self._do(UseControl(self.seat, control))

    def _settle(self) -> None:
        """Follow what has changed meanwhile; where something is pending, the cursor goes to what it is about as soon as
        that begins, and whenever its card is gone."""
        heaps, chosen = self._hands.heaps(), self._choice.card
        self._choice = choosing.settle(self._choice, heaps)
        if self._menu is not None and self._menu not in (offers := self._offers()):
            self._menu = next(iter(offers), None)
        table = self._session().table
        pending = table.scoreboard.pending
        if pending == self._pending and (pending is None or self._choice.card == chosen):
            return
        self._pending = pending
        may = {card for card, _ in self._hands.fair()}
        about = next((index for index, heap in enumerate(heaps) if may & set(heap.cards)), 0)
        self._choice = choosing.settle(choosing.enter(heaps, about), heaps)

    def _offers(self) -> tuple[str, ...]:
        """The game's control cards that would count, if this is whom it waits for."""
        table = self._session().table
        return offered(table) if table.scoreboard.seat == self.seat else ()

    def _open_menu(self) -> None:
        self._choice = choosing.ask_pad(self._choice, False)
        self._menu = next(iter(self._offers()), None)
        if self._menu is None:
            self._say("no-control", FAINT, "–")

    def _choose_control(self, key: str, chosen: str) -> bool:
        """A key while the list of controls is open: another of them, this one, or none."""
        offers = self._offers()
        at = offers.index(chosen)
        steps = {"left": -1, "up": -1, "right": 1, "down": 1}
        if key in steps:
            self._menu = offers[(at + steps[key]) % len(offers)]
        elif key == "enter":
            self._use_card(chosen)
        elif key.isdecimal() and 1 <= int(key) <= len(offers):
            self._use_card(offers[int(key) - 1])
        elif key in ("escape", "m"):
            self._menu = None
        else:
            return False
        return True

    def _use_card(self, card: str) -> None:
        """Tap a control card of the game."""
        self._menu = None
        control, fields = cards_of(self._session().table.game.controls)[card]
        self._do(UseControl(self.seat, control, fields))

    def _tap_extra(self, index: int) -> None:
        """Tap the chosen card on one of the pads beside the seats' and the discard pile's, if there is one."""
        pads = self._extra_pads()
        if index < len(pads):
            self._tap(pads[index])

    def _extra_pads(self) -> tuple[str, ...]:
        """Those of the game that this table has."""
        return tuple(pad for pad in extra_pads(self._session().table) if pad in self._people.table.fields)

    def _go(self, how: Callable[..., Choice], by: int) -> None:
        self._choice = how(self._choice, self._hands.heaps(), by)

    def _step_back(self) -> None:
        self._choice = choosing.ask_pad(self._choice, False)
        self._answer = ()

    def _ask_pad(self) -> None:
        self._choice = choosing.ask_pad(self._choice)

    def _number(self, number: int) -> bool:
        """A number is a pad where one is asked for, else a card."""
        if self._choice.asking_pad:
            if not 1 <= number <= self._session().table.agreed.players:
                return False
            self._tap(number)
            return True
        chosen = choosing.numbered(self._choice, self._hands.heaps(), number)
        self._choice = chosen or self._choice
        return chosen is not None

    def _tap(self, pad: Pad) -> None:
        """Tap the chosen card."""
        card = self._choice.card
        if card is not None:
            self._do_fairly(Tap(self.seat, card, pad))

    def _hold(self) -> None:
        """Hold the chosen card on the own pad, which begins with a tap."""
        card = self._choice.card
        if card is not None:
            self._do_fairly(Hold(self.seat, card, self.seat))

    def _do_fairly(self, deed: Tap | Hold) -> None:
        """Do it, unless the table would take the tap for another's."""
        self._choice = choosing.ask_pad(self._choice, False)
        if self._hands.is_anothers(deed.card, deed.pad):
            self._say("not-yours", BAD, "✗")
        else:
            self._do(deed)

    def _draw(self) -> None:
        if not self._people.draw(self.seat):
            self._say("nothing-to-draw", FAINT, "–")

    def _press(self) -> None:
        owed = self._hands.owes()
        if owed is not None:
            self._say(owed, BAD, "✗")
        else:
            self._begin(self._hear(Push(self.seat)))

    def _hint(self) -> None:
        pads = (*self._people.table.fields, *range(1, self._session().table.agreed.players + 1))
        fair = [(card, pad) for card, pad in self._hands.fair() if pad in pads]
        sentences = what_counts(fair, self._hands.heaps(), self.seat, self._words)
        if self.meaning is not None:
            sentences.append(f"{self._words.text('demo', 'space')}: {button_word(self.meaning, self._words)}")
        self._answer_with(Said(" · ".join(sentences), GOOD, "?"))

    def _tap_all(self) -> None:
        """In a check of the table: tap the own rows, card by card."""
        if self.meaning == "check" and not self._doing:
            self._doing = True
            self._begin(self._tap_rows())
        else:
            self._say("only-in-check", FAINT, "–")

    async def _tap_rows(self) -> None:
        try:
            await self._hands.tap_rows()
        finally:
            self._doing = False

    def _do(self, deed: Deed) -> None:
        """Do it, unless the hands are busy."""
        if not self._doing:
            self._doing = True
            self._answer = ()
            self._begin(self._do_it(deed))

    async def _do_it(self, deed: Deed) -> None:
        try:
            await self._hear(deed)
            await asyncio.sleep(GONE_S)
        finally:
            self._doing = False

    async def _hear(self, deed: Deed) -> None:
        heard = await self._people.do(deed)
        if heard is not None:
            self._answer_with(*sayings(heard, self._words))
        else:
            self._say("nothing-said", FAINT, "–")

    def _say(self, key: str, style: str, sign: str) -> None:
        self._answer_with(Said(self._words.text("demo", key), style, sign))

    def _answer_with(self, *said: Said) -> None:
        """Let this stand until the next deed, or until the button means something else."""
        self._answer = said
        self._meant = self.meaning
