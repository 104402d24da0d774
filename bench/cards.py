"""Who is first where cards at readers without stamps race with presses on pins and controllers (R7.5): the real filter
of taps, window and arbiter, over readers that notice a card at any time within half a second. That time is an
assumption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from taptable.api.choices import SETTLE_WITH_BOARDS_S
from taptable.core import windows
from taptable.core.arbiter import Press, PressArbiter, first_press
from taptable.core.device_events import TagCame
from taptable.core.observations import CardTapped
from taptable.core.settings import US_PER_S
from taptable.core.windows import BuzzWindow, ClaimWon
from taptable.referee.taps import Taps, handle_tag_came

from bench.bus import KERNEL_US
from bench.controllers import MAKES, SimulatedController

STATED_US = 500_000
"""The uncertainty of a reader: a card came at most so long before the reader reports it."""
SETTLE_US = round(float(SETTLE_WITH_BOARDS_S) * US_PER_S)
_PIN_KNOWN_US = 5_000
_WINDOW_US = 5 * US_PER_S

TABLES: dict[str, Sequence[str]] = {
    "cards alone": ["card"] * 4,
    "cards and pins": ["card", "card", "pin", "pin"],
    "cards, a pin and a Buzz!": ["card", "card", "pin", "buzz"],
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's answer to a window: when it was made and when the table knows it, and the press that it is."""

    made_us: int
    known_us: int
    press: Press

    @property
    def span_us(self) -> tuple[int, int]:
        """The time in which it was made, as the table knows it."""
        return (
            self.press.pressed_at_us - self.press.uncertainty_us,
            self.press.pressed_at_us + self.press.uncertainty_us,
        )


@dataclass(slots=True)
class CardRaces:
    """The results of races. In `wrong` ones another of those who answered had certainly beaten the winner, and
    `outside` answers were made outside the time that the table knows. In `to_later` races the winner wasn't the first,
    by `latest_us` at most: it tied, or was named before the first card was known."""

    races: int = 0
    ties: int = 0
    wrong: int = 0
    outside: int = 0
    to_later: int = 0
    latest_us: int = 0


def race(
    races: int, seed: int, places: Sequence[str], noticed_us: int = STATED_US, rule_on: PressArbiter = first_press
) -> CardRaces:
    """Run races of three of a table's seats, each up to a second after the one before. A card is really noticed within
    `noticed_us`."""
    random, result = Random(seed), CardRaces()
    controller = SimulatedController(MAKES["Buzz!, 10 ms, asked every 8"], random)
    opened_us = US_PER_S
    for _ in range(races):
        opened_us += 2 * _WINDOW_US
        window = BuzzWindow(
            owner=1,
            seats=len(places) + 1,
            opened_at_us=opened_us,
            closes_at_us=opened_us + _WINDOW_US,
            settle_us=SETTLE_US,
            claim_us=US_PER_S,
            arbiter=rule_on,
        )
        at_us, answers = opened_us + random.randrange(US_PER_S), list[Answer]()
        for index in random.sample(range(len(places)), 3):
            if places[index] == "card":
                answer = _show_card(window, index + 2, at_us, at_us + random.randrange(noticed_us))
            elif places[index] == "pin":
                press = Press(index + 2, at_us + random.randrange(KERNEL_US), KERNEL_US)
                answer = Answer(at_us, at_us + _PIN_KNOWN_US, press)
            else:
                edge = controller.press(index + 2, at_us * 1000)
                press = Press(index + 2, edge.at_us, edge.uncertainty_us)
                answer = Answer(at_us, edge.at_us + edge.settle_us, press)
            answers.append(answer)
            at_us += random.randrange(1, random.choice((30_000, 300_000, US_PER_S)))
        _judge(result, answers, window)
    return result


def _show_card(window: BuzzWindow, seat: int, at_us: int, known_us: int) -> Answer:
    """Show a card at a reader that reports it when it has noticed it."""
    card, half_us = f"cyber-patrol#{seat}", STATED_US // 2
    came = TagCame(known_us - half_us, seat, f"04{seat:06x}", identity=card, uncertainty_us=half_us)
    _, (tap,) = handle_tag_came(Taps(), came, known_us)
    assert isinstance(tap, CardTapped)
    press = windows.press_by_card(window, seat, card, tap.at_us, tap.uncertainty_us)
    assert press is not None
    return Answer(at_us, known_us, press)


def _judge(result: CardRaces, answers: Sequence[Answer], window: BuzzWindow) -> None:
    """Let the window hear of the answers, in their true order, as they become known, until one is named; compare that
    with the truth."""
    waiting, event = sorted(answers, key=lambda answer: answer.known_us), None
    while not isinstance(event, ClaimWon):
        if waiting and waiting[0].known_us < window.due_us:
            answer = waiting.pop(0)
            window = windows.add_press(window, answer.press, answer.known_us)
        else:
            window, event = windows.pass_deadline(window)
    first, winner = answers[0], next(each for each in answers if each.press.seat == event.ruling.press.seat)
    result.races += 1
    result.ties += bool(event.ruling.tied)
    result.wrong += any(other.span_us[1] <= winner.span_us[0] and other is not winner for other in answers)
    result.outside += sum(not each.span_us[0] - 1 <= each.made_us <= each.span_us[1] for each in answers)
    if winner is not first:
        result.to_later += 1
        result.latest_us = max(result.latest_us, winner.made_us - first.made_us)
