"""The hands of people and their options, as a part of the page with its sentences. Built again only when the session,
the hands or what they do have changed. Pure but for that cache; must not know who watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from taptable.core.controls import control_cards
from taptable.core.observations import DISCARD_PAD, CardHeld, ControlUsed, Observation, Pad
from taptable.core.pack import Pack
from taptable.core.player import Zone
from taptable.cues import cueing
from taptable.narration import guidance
from taptable.narration.guidance import Way
from taptable.referee.session import Session
from taptable.referee.step import Table
from taptable.sim.page.person import Person
from taptable.sim.people import People
from taptable.words import Words

Taps: TypeAlias = tuple[tuple[str, Pad], ...]
"""Cards, each with a pad."""

MAX_NAMED = 2
"""Maximum number of cards that a hint names; beyond it the rims of the cards show which are meant."""


@dataclass(frozen=True, slots=True)
class HandView:
    """One person's hands: zones in reach; `fair` and `holds`, the taps and holds that would count and are theirs;
    `suggested`, those of the fair taps that are proposed first; `discards`, where these are a choice; `alternatives`,
    what else they may do; `may_draw`, whether they may draw a card; `owed`, what they owe before they may press the
    button; whether they are `busy`; `button_action`; `waited_for`, the key of what the table waits for, with the facts
    `on_turn` and `about`."""

    seat: int
    zones: tuple[Zone, ...]
    fair: Taps
    holds: Taps
    suggested: Taps
    discards: Taps
    alternatives: str
    may_draw: bool
    owed: str | None
    busy: bool
    button_action: str | None
    waited_for: str
    on_turn: int | None
    about: tuple[tuple[str, object], ...]
    pads: tuple[Pad, ...]
    pack: Pack

    def to_json(self, words: Words) -> dict[str, Any]:
        """Return the view ready for JSON."""
        return {
            "zones": [
                {"place": zone.place, "seats": list(zone.seats), "cards": list(zone.cards)} for zone in self.zones
            ],
            "fair": [list(tap) for tap in self.fair],
            "holds": [list(hold) for hold in self.holds],
            "raised": self.raised,
            "lit": self.lit_pads,
            "may_draw": self.may_draw,
            "owed": None if self.owed is None else words.text("hands", self.owed),
            "busy": self.busy,
            "hint": self.hint(words),
            "now": words.text("hands", f"now-{self.waited_for}", {"seat": self.on_turn, **dict(self.about)}),
            "meaning": self.button_action,
        }

    @property
    def raised(self) -> list[str]:
        """The cards to choose among: those that are suggested, else those that can be discarded; and those of other
        zones that count."""
        hand = self._hand
        mine = [card for card, _ in self.suggested if card in hand] or [card for card, _ in self.discards]
        others = [card for card, _ in (*self.fair, *self.holds) if card not in hand]
        return list(dict.fromkeys([*mine, *others]))

    @property
    def lit_pads(self) -> list[Pad]:
        """The pads that the hint is about."""
        return list(dict.fromkeys(pad for _, pad in (*self.suggested, *self.discards, *self.holds)))

    def hint(self, words: Words) -> str:
        """Return one sentence about what can be done now."""
        return guidance.guidance_text(self._steps(words), self.button_action, words) or words.text(
            "hands", "nothing-counts"
        )

    @property
    def _hand(self) -> tuple[str, ...]:
        return self.zones[0].cards if self.zones else ()

    def _steps(self, words: Words) -> list[str]:
        if not self.suggested and not self.holds:
            nothing = not self.discards and not self.alternatives
            return [] if nothing else [words.text("guided", "none-fits", {"may": self.alternatives or None})]
        fitting = [
            (way.names_text(words, MAX_NAMED) or way.any_card_text(words), self._where(way, words))
            for way in self._ways(self.suggested)
        ]
        if len(fitting) > MAX_NAMED or any(cards is None for cards, _ in fitting):
            at = fitting[0][1] if len(fitting) == 1 else words.text("guided", "where-shown")
            fitting = [(words.text("guided", "rimmed"), at)]
        taps = [(cards or "", at) for cards, at in fitting]
        for way in self._ways(self.discards):
            cards = way.any_card_text(words) or way.names_text(words, MAX_NAMED) or words.text("guided", "some")
            taps.append((cards, self._where(way, words)))
        steps = [f"{cards} {at}" for cards, at in taps]
        if taps:
            steps[0] = guidance.tap_text(*taps[0], words)
        held = list(dict.fromkeys(words.kind(card) for card, _ in self.holds))
        if held:
            steps.append(words.text("guided", "hold", {"cards": guidance.alternatives_text(held, words)}))
        action = words.message("guided", "action") if "action" in self.alternatives else None
        return [*steps, *([] if action is None else [action])]

    def _ways(self, taps: Taps) -> list[Way]:
        """Group these taps by what they share; a card's own pad stands for all pads on which it counts."""
        own = {card for card, pad in taps if pad == self.seat}
        grouped = [(card, pad) for card, pad in taps if pad == self.seat or card not in own]
        zones = self.zones[:1] if any(card in self._hand for card, _ in taps) else self.zones[1:]
        kinds = [card.partition("#")[0] for zone in zones for card in zone.cards]
        return guidance.ways_of(grouped, kinds, self.pads, self.pack)

    def _where(self, way: Way, words: Words) -> str:
        return guidance.place_text(way.pads, self.seat, "where-own", words)


class HandViews:
    """Builds the hand views, and caches them."""

    def __init__(self, people: People, session: Callable[[], Session]) -> None:
        self._people = people
        self._session = session
        self._made: tuple[tuple[object, object, object], tuple[HandView, ...]] | None = None

    def all(self, persons: Mapping[int, Person]) -> tuple[HandView, ...]:
        """Return the hands of these persons now; the same object as long as nothing has changed."""
        seats = sorted(persons)
        key = self._session(), self._people.truth, [(seat, persons[seat].busy) for seat in seats]
        # sessions and ground truth are values that never change, but costly to compare
        if self._made is not None:
            (session, truth, busy), made = self._made
            if session is key[0] and truth is key[1] and busy == key[2]:
                return made
        made = tuple(self.view_of(persons[seat]) for seat in seats)
        self._made = key, made
        return made

    def view_of(self, person: Person) -> HandView:
        """Return one person's hands now."""
        session, seat, zones = self._session(), person.seat, person.zones()
        table, pads = session.table, self._people.table.fields
        cards = [card for zone in zones for card in zone.cards] if table.paused_at_us is None else []
        fair = tuple(tap for tap in person.fair() if isinstance(tap[1], int) or tap[1] in pads)
        fits, discards = _split_discards(table, zones, self._people.fitting(seat, fair), fair)
        may_draw = self._people.may_draw(seat)
        return HandView(
            seat=seat,
            zones=zones,
            fair=fair,
            holds=tuple((card, seat) for card in cards if _counts(table, CardHeld(session.at_us, card, seat))),
            suggested=fits,
            discards=discards,
            alternatives="-".join(_alternatives(session, seat, person.button_action, may_draw, discards)),
            may_draw=may_draw,
            owed=person.owed_action(),
            busy=person.busy,
            button_action=person.button_action,
            waited_for=_waited_for(seat, person.button_action, session),
            on_turn=table.scoreboard.seat,
            about=table.scoreboard.pending_facts,
            pads=table.game.pads(table.state),
            pack=table.game.pack(table.game_options.manifest),
        )


def _split_discards(table: Table, zones: tuple[Zone, ...], fitting: Taps, fair: Taps) -> tuple[Taps, Taps]:
    """Split the fair taps into those to propose first and the discards as their alternative: where nothing is asked
    for, a card of the hand that goes to the discard pad is given up. Cards of other zones are proposed only where no
    card of the hand counts."""
    hand = zones[0].cards if zones else ()
    asked_for = table.scoreboard.pending is not None or table.scoreboard.window is not None
    of_hand = [tap for tap in fair if tap[0] in hand]
    discards = tuple(tap for tap in of_hand if tap[1] == DISCARD_PAD and not asked_for)
    fits = tuple(tap for tap in fitting if tap not in discards and (tap[0] in hand or not of_hand))
    return fits, discards


def _alternatives(
    session: Session, seat: int, button_action: str | None, may_draw: bool, discards: Taps
) -> Iterator[str]:
    """Yield the alternatives of a person on turn where no card fits, in this order."""
    table = session.table
    if may_draw:
        yield "draw"
    if discards:
        yield "discard"
    own = {control for control, _ in control_cards(table.game.controls).values()}
    acting = button_action == "stop" and table.scoreboard.seat == seat
    if acting and any(control in own for control, _ in table.game.legal_controls(table.state)):
        yield "action"


def _waited_for(seat: int, button_action: str | None, session: Session) -> str:
    """Return the key of what the table waits for from a person at `seat`, or of what this person waits for, by the
    `button_action` and the game's state."""
    board, window = session.table.scoreboard, cueing.running_window(session)
    if board.over:
        return "over"
    if window is not None and button_action is None:
        return "claim" if window.claim_seat == seat else "window"
    if button_action not in ("stop", None):
        return button_action
    if board.seat != seat:
        return "wait"
    reshuffles = board.empty_stock and _counts(session.table, ControlUsed(session.at_us, "reshuffle"))
    return "reshuffle" if reshuffles else "turn"


def _counts(table: Table, observation: Observation) -> bool:
    """Return whether the game would accept the observation."""
    return isinstance(table.game.play(table.state, observation), tuple)
