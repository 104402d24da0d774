"""A whole game of Cyber Siege and of X.net, one seat played at the page by clicks, drags, buttons and keys, the others
by virtual players; and what the page shows then is what lies on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_server.test_controls import an_xnet_turn, words_of
from taptable.core.player import PlayerAction, Push, Tap, UseControl
from taptable.page.view import parts_of

from page.evening import AnEvening, an_evening
from page.layout import DESK, PHONE, layout_faults
from page.person import Person
from page.rooms import Rooms
from page.visitor import Visitor

SEAT = 1
MOST_ACTIONS = 400


def plays_to_the_end(
    evening: AnEvening, person: Person, before: Callable[[PlayerAction], bool] = lambda _: False
) -> Counter[str]:
    """Play as the game's own player would; what the person did, by kind. `before` each action something else may be
    done, which gives whether it was."""
    done: Counter[str] = Counter()
    for _ in range(MOST_ACTIONS):
        action = evening.next_wish(SEAT)
        if action is None:
            return done
        if before(action):
            continue
        if isinstance(action, Tap) and person.card(action.card).count() == 0:
            person.visitor.clicks(f'[data-hand="{SEAT}"] [data-do="draw"]')  # the card that is drawn for this turn
            done["draw"] += 1
        answer = person.does(action)
        match action:
            case UseControl(_, control):
                done[control] += answer.kind == "announced"
            case Tap(_, _, pad):
                done[f"pad {pad}"] += answer.kind == "announced"
            case Push():
                done["button"] += 1
            case _:
                pass
    raise AssertionError("it never ends")


def sees_what_lies_there(evening: AnEvening, visitor: Visitor) -> None:
    """The page shows the end, every row and every zone as the table has them."""
    visitor.sees('[data-table][data-over="true"]')
    assert evening.ask(lambda: evening.people.disagreements) == []
    lying = evening.ask(evening.people.lying)
    players = evening.ask(lambda: evening.session.table.game_options.players)
    rows = [[list(zone.cards) for zone in lying if zone.seats == (seat,)] for seat in range(1, players + 1)]
    assert visitor.rows == rows


def looks_it_over(visitor: Visitor) -> list[str]:
    """What overflows or overlaps, at a desk and on a phone."""
    found: list[str] = []
    for size in (DESK, PHONE):
        visitor.page.set_viewport_size(size)
        visitor.next_frame()
        found += layout_faults(visitor.page)
    visitor.page.set_viewport_size(DESK)
    return found


def deals(evening: AnEvening, *cards: str) -> None:
    """Let the person hold these cards, which are hidden somewhere: each changes places with one of the hand."""

    def deal() -> None:
        truth: Any = evening.people.truth
        for card in cards:
            hands = truth.hands
            given = next(each for each in hands[SEAT - 1] if each not in cards)
            changed = {card: given, given: card}
            if card not in hands[SEAT - 1]:
                moved = [tuple(changed.get(each, each) for each in hand) for hand in (*hands, truth.pile)]
                truth = replace(truth, hands=tuple(moved[:-1]), pile=moved[-1])
        evening.people.truth = truth

    evening.ask(deal)


def lies_hidden(evening: AnEvening, card: str) -> bool:
    """Is the card in a hand or in the draw pile?"""
    truth: Any = evening.people.truth
    return card in truth.pile or any(card in hand for hand in truth.hands)


class Replacing:
    """Once in a game of X.net: the person offers a topic that is in demand, and puts a higher card of it into the
    pyramid, begun in the panel of actions by the keyboard."""

    def __init__(self, evening: AnEvening, person: Person) -> None:
        self._evening, self._person = evening, person
        self.done = False

    def __call__(self, action: PlayerAction) -> bool:
        if self.done or not isinstance(action, Tap) or action.pad != SEAT:
            return False
        state: Any = self._evening.ask(lambda: self._evening.state)
        demand = min(state.demand, key=lambda each: state.number_of(each.card))
        topic = state.topic_of(demand.card)
        if state.number_of(demand.card) == 9 or state.provider(SEAT).offers:
            return False
        wanted = [f"{topic}-{number}#{copy}" for number in (9, 8) for copy in (1, 2)]
        high, low, *_ = self._evening.ask(lambda: [card for card in wanted if lies_hidden(self._evening, card)])
        deals(self._evening, high, low)
        self._person.does(Tap(SEAT, low, SEAT))
        self._asks(topic)
        self._person.does(Tap(SEAT, high, self._evening.ask(lambda: self._evening.room.table.nearest("demand"))))
        self._person.visitor.until_logged("demand-replaced")
        self.done = True
        return True

    def _asks(self, topic: str) -> None:
        visitor = self._person.visitor
        visitor.opens("actions")
        button = visitor.page.locator('[data-actions] [data-control="demand-replace"]', has_text=topic.capitalize())
        button.first.focus()
        visitor.page.keyboard.press("Enter")
        visitor.until_logged("action-begun")
        assert visitor.is_seen("[data-break-off]")
        visitor.opens("log")


@pytest.mark.long
def test_a_person_at_the_page_plays_a_whole_game_of_cyber_siege(rooms: Rooms, tmp_path: Path) -> None:
    few = {"target_points": "6"}
    with rooms.other(an_evening(tmp_path, game="cyber-siege", settings=few, seed=3)) as (evening, visitor):
        done = plays_to_the_end(evening, Person(evening, visitor, SEAT))
        assert [each for each in ("pad 1", "pad discard", "button", "draw") if not done[each]] == []
        assert [kind for kind in ("defended", "hit") if not visitor.logged(kind)] == []
        sees_what_lies_there(evening, visitor)
        assert looks_it_over(visitor) == []


@pytest.mark.long
def test_a_person_at_the_page_plays_a_whole_game_of_xnet(rooms: Rooms, tmp_path: Path) -> None:
    few = {"target_points": "10"}
    with rooms.other(an_evening(tmp_path, game="xnet", players=3, settings=few)) as (evening, visitor):
        person = Person(evening, visitor, SEAT)
        replacing = Replacing(evening, person)
        done = plays_to_the_end(evening, person, replacing)
        assert replacing.done
        assert [each for each in ("buy-users", "button") if not done[each]] == []
        assert [kind for kind in ("scored", "users-bought", "server-bought") if not visitor.logged(kind)] == []
        sees_what_lies_there(evening, visitor)
        assert looks_it_over(visitor) == []


SHOWN_AGAIN = """async (parts) => {
  const [{ makeStages }, { makeWords }] = await Promise.all([
    import("/static/views/games/replay.js"), import("/static/words.js"),
  ]);
  const about = await (await fetch("/about.json")).json();
  const words = makeWords();
  await words.use("en");
  const stage = makeStages({ about, words })("xnet");
  document.body.append(stage.cloth);
  await stage.ready;
  stage.store.apply({ boot: "game 1", revision: 1, at_us: 0, speed: 0, parts });
  await watched.until((cloth) => cloth.querySelector("[data-pyramid] .card"), stage.cloth, 10000);
  const faces = [...stage.cloth.querySelectorAll("[data-pyramid] .card")];
  return faces.map((face) => {
    const symbol = face.querySelector("use").getAttribute("href");
    return [face.dataset.card, face.querySelector(".card-name").textContent, symbol, symbol !== null
      && document.querySelector(symbol) !== null, face.querySelector(".card-label").textContent];
  });
}"""


def test_a_game_of_another_kind_is_shown_again_with_its_own_faces_and_words(rooms: Rooms) -> None:
    words = words_of("xnet")
    parts = parts_of(an_xnet_turn(), "Kitchen")
    said = {name: value(words) if callable(value) else value for name, value in parts.items()}
    with rooms.table() as (_, visitor):
        assert visitor.page.evaluate(SHOWN_AGAIN, said) == [
            ["news-9#1", "News 9", "#xnet-face-news", True, "9"],
            ["music-5#1", "Music 5", "#xnet-face-music", True, "5"],
            ["art-1#1", "Art 1", "#xnet-face-art", True, "1"],
        ]


@pytest.mark.long
@pytest.mark.parametrize("game", ["cyber-siege", "xnet"])
def test_large_letters_fit_on_a_phone(rooms: Rooms, tmp_path: Path, game: str) -> None:
    with rooms.other(an_evening(tmp_path, game=game, players=3)) as (evening, visitor):
        visitor.speaks("de")
        evening.next_wish(SEAT)
        visitor.page.set_viewport_size(PHONE)
        with visitor.with_letters(2):
            visitor.next_frame()
            assert layout_faults(visitor.page) == []
