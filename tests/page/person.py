"""A person who plays a seat at the page: with mouse, finger or keys, on what is visible there. The game's own virtual
player says *what* to do; the page shows whether it could be done, and its result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from playwright.sync_api import Locator
from taptable.core.controls import Fields, control_cards
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.player import HoldCard, PlayerAction, Push, Tap, TapControl
from taptable.games.registry import GAMES

from page.evening import DemoEvening
from page.visitor import Visitor

DRAG_STEPS = 4
KEYS_OF_CONTROLS = {"take-back": "t", "pause": "p", "reshuffle": "r", "check": "c", "new-game": "n"}


@dataclass(frozen=True, slots=True)
class Answer:
    """The page's answer to an action: `kind` is announced, refused, ignored, fault or notice; `when` is the time at
    which it would count, "" if the text says so."""

    kind: str
    text: str
    rule: str
    when: str


class Person:
    """The person who plays `seat`; `ways` of doing things take turns."""

    def __init__(
        self,
        evening: DemoEvening,
        visitor: Visitor,
        seat: int = 1,
        ways: tuple[str, ...] = ("click", "drag", "button", "key"),
    ) -> None:
        self.evening = evening
        self.visitor = visitor
        self.seat = seat
        self.answers: list[tuple[PlayerAction, Answer]] = []
        self._page = visitor.page
        self._ways = cycle(ways)

    @property
    def hand(self) -> list[str]:
        """The cards in the hand, as the page shows them."""
        cards = self._page.locator(f'[data-hand="{self.seat}"] button[data-place="hand"]')
        return cards.evaluate_all("cards => cards.map((card) => card.dataset.card)")

    @property
    def meaning(self) -> str:
        """The present meaning of the own button; empty if it has none."""
        return self._dock('[data-do="press"]').get_attribute("data-meaning") or ""

    def does(self, action: PlayerAction, way: str | None = None) -> Answer:
        """Perform the action, and return the page's answer."""
        way = next(self._ways) if way is None else way
        self._sits_here()
        self._is_free()
        before = self._answers()
        match action:
            case Tap(_, card, pad):
                self._tap(card, pad, way)
            case HoldCard(_, card, pad) if way == "drag":
                let_go = self.drags(card, pad)
                self.evening.holds(pad)
                self.visitor.is_heard()
                before = self._answers()
                let_go()
            case HoldCard(_, card, pad):
                self._hold(card, way)
                self.evening.holds(pad)
            case Push():
                self._push(way)
            case TapControl(_, control, fields):
                self._use_control(control, fields, way)
        self.visitor.is_heard()
        self.evening.judges()
        answer = self._answer_after(before, str(action))
        self._is_free()
        self.answers.append((action, answer))
        return answer

    def takes(self, card: str) -> None:
        """Choose a card by a click."""
        button = self.card(card)
        if button.get_attribute("aria-pressed") != "true":
            button.click()
        self.visitor.sees(f'[data-hand="{self.seat}"] [data-card="{card}"][aria-pressed="true"]')

    def card(self, card: str) -> Locator:
        """A card in reach."""
        return self._dock(f'button[data-card="{card}"]')

    def pad(self, pad: Pad) -> Locator:
        """A pad on the table."""
        return self._page.locator(f'button[data-pad="{pad}"]')

    def drags(self, card: str, pad: Pad) -> Callable[[], None]:
        """Drag a card onto a pad; call the returned function to drop it there."""
        self.card(card).hover()  # when it lies still
        mouse = self._page.mouse
        mouse.down()
        mouse.move(*middle(self.pad(pad)), steps=DRAG_STEPS)
        return mouse.up

    def _tap(self, card: str, pad: Pad, way: str) -> None:
        self.card(card).wait_for()
        match way:
            case "drag":
                self.drags(card, pad)()
            case "button" if pad == DISCARD_PAD or self._is_offered(card, pad):
                self.takes(card)
                self._dock('[data-do="discard"]' if pad == DISCARD_PAD else f'[data-do="tap"][data-at="{pad}"]').click()
            case "key":
                self._tap_by_keys(card, pad)
            case _:
                self.takes(card)
                self.pad(pad).click()

    def _tap_by_keys(self, card: str, pad: Pad) -> None:
        """Digits or arrows choose the card; x discards it, Enter taps it or goes to the pads, which have digits too."""
        keys = self._page.keyboard
        cards = self._dock("button[data-card]").evaluate_all("cards => cards.map((card) => card.dataset.card)")
        at = cards.index(card)
        keys.press(str(min(at, 8) + 1))
        for _ in range(at - 8):
            keys.press("ArrowRight")
        self.visitor.sees(f'[data-hand="{self.seat}"] [data-card="{card}"][aria-pressed="true"]')
        if pad == DISCARD_PAD:
            keys.press("x")
            return
        targets = self._targets()
        keys.press("Enter")
        if len(targets) > 1:
            self.visitor.sees("button[data-pad]:focus")
            keys.press(str(pad))

    def _hold(self, card: str, way: str) -> None:
        self.takes(card)
        if way == "key":
            self._page.keyboard.press("h")
        else:
            self._dock('[data-do="hold"]').click()

    def _push(self, way: str) -> None:
        match way:
            case "drag":
                self._page.locator(f'button[data-button="{self.seat}"]').click()
            case "key":
                self._page.keyboard.press("b")
            case _:
                self._dock('[data-do="press"]').click()

    def _use_control(self, control: str, fields: Fields, way: str) -> None:
        if control not in KEYS_OF_CONTROLS:
            self._use_card(control, fields, way)
        elif way == "key":
            self._page.keyboard.press(KEYS_OF_CONTROLS[control])
        else:
            self._dock("summary").click()
            self._dock(f'[data-control="{control}"]').click()

    def _use_card(self, control: str, fields: Fields, way: str) -> None:
        """Use one of the game's own control cards, by a click or by the keyboard."""
        cards = {known: card for game in GAMES.values() for card, known in control_cards(game.controls).items()}
        button = self._dock(f'[data-control-card="{cards[control, fields]}"]')
        if way == "key":
            button.focus()
            self._page.keyboard.press("Enter")
        else:
            button.click()

    def _dock(self, hook: str) -> Locator:
        return self._page.locator(f'[data-hand="{self.seat}"] {hook}')

    def _is_offered(self, card: str, pad: Pad) -> bool:
        self.takes(card)
        return self._dock(f'[data-do="tap"][data-at="{pad}"]').count() > 0

    def _targets(self) -> list[str]:
        """The pads that are marked for the chosen card, but for the discard pad."""
        pads = self._page.locator('button[data-pad][data-target="true"]:not([data-pad="discard"])')
        return pads.evaluate_all("pads => pads.map((pad) => pad.dataset.pad)")

    def _sits_here(self) -> None:
        """Of several hands at one page, show this one."""
        other = f'[data-hand-tab="{self.seat}"][aria-pressed="false"]'
        if self.visitor.is_seen(other):
            self.visitor.clicks(other)

    def _is_free(self) -> None:
        self._page.locator(f'[data-hand="{self.seat}"]:not([data-busy="true"])').wait_for(state="attached")

    def _answers(self) -> int:
        return self.visitor.watched("answers.length")

    def _answer_after(self, before: int, action: str) -> Answer:
        self.visitor.until(
            f"an answer to {action}",
            "([before, seat]) => watched.answers.slice(before).some((each) => each.seat === seat)",
            [before, self.seat],
        )
        said: list[dict[str, Any]] = self.visitor.watched(f"answers.slice({before})")
        last = [each for each in said if each["seat"] == self.seat][-1]
        return Answer(*(" ".join(last[part].split()) for part in ("kind", "text", "rule", "when")))


def middle(of: Locator) -> tuple[float, float]:
    """The middle of an element in the window, in px."""
    box = of.bounding_box()
    assert box is not None, "it isn't there"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
