"""What the hands of people hold and may do, as a part of the page with its sentences. Worked out anew only when the
session, the hands or what they are at have changed. Pure but for that; must not know who looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from taptable.core.controls import cards_of
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

MOST_NAMED = 2
"""So many cards are named; of more the rim says which are meant."""


@dataclass(frozen=True, slots=True)
class HandView:
    """One person's hands: zones in reach, the taps and holds that would count and are theirs, those of them to be
    proposed first (`fits`), the discards where these are a choice, what else may be done in place of them (`may`),
    whether a card may be drawn, what is owed before the button, whether they are busy, what the button means, what is
    waited for, and its facts."""

    seat: int
    zones: tuple[Zone, ...]
    fair: Taps
    holds: Taps
    fits: Taps
    discards: Taps
    may: str
    may_draw: bool
    owed: str | None
    busy: bool
    meaning: str | None
    waited_for: str
    on_turn: int | None
    about: tuple[tuple[str, object], ...]
    pads: tuple[Pad, ...]
    pack: Pack

    def said(self, words: Words) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "zones": [
                {"place": zone.place, "seats": list(zone.seats), "cards": list(zone.cards)} for zone in self.zones
            ],
            "fair": [list(tap) for tap in self.fair],
            "holds": [list(hold) for hold in self.holds],
            "raised": self.raised,
            "lit": self.lit,
            "may_draw": self.may_draw,
            "owed": None if self.owed is None else words.text("hands", self.owed),
            "busy": self.busy,
            "hint": self.hint(words),
            "now": words.text("hands", f"now-{self.waited_for}", {"seat": self.on_turn, **dict(self.about)}),
            "meaning": self.meaning,
        }

    @property
    def raised(self) -> list[str]:
        """The cards to choose among: those that fit, else those that can be discarded; and what counts of other
        zones."""
        hand = self._hand
        mine = [card for card, _ in self.fits if card in hand] or [card for card, _ in self.discards]
        others = [card for card, _ in (*self.fair, *self.holds) if card not in hand]
        return list(dict.fromkeys([*mine, *others]))

    @property
    def lit(self) -> list[Pad]:
        """The pads that the hint is about."""
        return list(dict.fromkeys(pad for _, pad in (*self.fits, *self.discards, *self.holds)))

    def hint(self, words: Words) -> str:
        """One sentence on what can be done now."""
        return guidance.sentence(self._steps(words), self.meaning, words) or words.text("hands", "nothing-counts")

    @property
    def _hand(self) -> tuple[str, ...]:
        return self.zones[0].cards if self.zones else ()

    def _steps(self, words: Words) -> list[str]:
        if not self.fits and not self.holds:
            nothing = not self.discards and not self.may
            return [] if nothing else [words.text("guided", "none-fits", {"may": self.may or None})]
        fitting = [
            (way.named(words, MOST_NAMED) or way.every(words), self._where(way, words)) for way in self._ways(self.fits)
        ]
        if len(fitting) > MOST_NAMED or any(cards is None for cards, _ in fitting):
            at = fitting[0][1] if len(fitting) == 1 else words.text("guided", "where-shown")
            fitting = [(words.text("guided", "rimmed"), at)]
        taps = [(cards or "", at) for cards, at in fitting]
        for way in self._ways(self.discards):
            cards = way.every(words) or way.named(words, MOST_NAMED) or words.text("guided", "some")
            taps.append((cards, self._where(way, words)))
        steps = [f"{cards} {at}" for cards, at in taps]
        if taps:
            steps[0] = guidance.tapping(*taps[0], words)
        held = list(dict.fromkeys(words.kind(card) for card, _ in self.holds))
        if held:
            steps.append(words.text("guided", "hold", {"cards": guidance.one_of(held, words)}))
        action = words.message("guided", "action") if "action" in self.may else None
        return [*steps, *([] if action is None else [action])]

    def _ways(self, taps: Taps) -> list[Way]:
        """These taps by what they share; the own pad stands for all on which a card counts."""
        own = {card for card, pad in taps if pad == self.seat}
        seen = [(card, pad) for card, pad in taps if pad == self.seat or card not in own]
        zones = self.zones[:1] if any(card in self._hand for card, _ in taps) else self.zones[1:]
        kinds = [card.partition("#")[0] for zone in zones for card in zone.cards]
        return guidance.ways_of(seen, kinds, self.pads, self.pack)

    def _where(self, way: Way, words: Words) -> str:
        return guidance.where(way.pads, self.seat, "where-own", words)


class Handfuls:
    """Makes them, as often as they are asked for."""

    def __init__(self, people: People, session: Callable[[], Session]) -> None:
        self._people = people
        self._session = session
        self._made: tuple[tuple[object, object, object], tuple[HandView, ...]] | None = None

    def all(self, persons: Mapping[int, Person]) -> tuple[HandView, ...]:
        """The hands of these persons now; the same object as long as nothing has changed."""
        seats = sorted(persons)
        seen = self._session(), self._people.truth, [(seat, persons[seat].busy) for seat in seats]
        # sessions and ground truth are values that are never changed, but costly to compare
        if self._made is not None:
            (session, truth, busy), made = self._made
            if session is seen[0] and truth is seen[1] and busy == seen[2]:
                return made
        made = tuple(self.of(persons[seat]) for seat in seats)
        self._made = seen, made
        return made

    def of(self, person: Person) -> HandView:
        """One person's hands now."""
        session, seat, zones = self._session(), person.seat, person.zones()
        table, pads = session.table, self._people.table.fields
        cards = [card for zone in zones for card in zone.cards] if table.paused_at_us is None else []
        fair = tuple(tap for tap in person.fair() if isinstance(tap[1], int) or tap[1] in pads)
        fits, discards = _divided(table, zones, self._people.fitting(seat, fair), fair)
        may_draw = self._people.may_draw(seat)
        return HandView(
            seat=seat,
            zones=zones,
            fair=fair,
            holds=tuple((card, seat) for card in cards if _counts(table, CardHeld(session.at_us, card, seat))),
            fits=fits,
            discards=discards,
            may="-".join(_alternatives(session, seat, person.meaning, may_draw, discards)),
            may_draw=may_draw,
            owed=person.owes(),
            busy=person.busy,
            meaning=person.meaning,
            waited_for=_waited_for(seat, person.meaning, session),
            on_turn=table.scoreboard.seat,
            about=table.scoreboard.about,
            pads=table.game.pads(table.state),
            pack=table.game.pack(table.game_options.manifest),
        )


def _divided(table: Table, zones: tuple[Zone, ...], fitting: Taps, fair: Taps) -> tuple[Taps, Taps]:
    """What is to be proposed first, and the discards in place of that: where nothing is asked for, a card of the hand
    that goes to the discard pad is given up. Cards of other zones only where the hand has none that counts."""
    hand = zones[0].cards if zones else ()
    asked_for = table.scoreboard.pending is not None or table.scoreboard.window is not None
    of_hand = [tap for tap in fair if tap[0] in hand]
    discards = tuple(tap for tap in of_hand if tap[1] == DISCARD_PAD and not asked_for)
    fits = tuple(tap for tap in fitting if tap not in discards and (tap[0] in hand or not of_hand))
    return fits, discards


def _alternatives(session: Session, seat: int, meaning: str | None, may_draw: bool, discards: Taps) -> Iterator[str]:
    """What else a person on turn may do where no card fits, in this order."""
    table = session.table
    if may_draw:
        yield "draw"
    if discards:
        yield "discard"
    own = {control for control, _ in cards_of(table.game.controls).values()}
    acting = meaning == "stop" and table.scoreboard.seat == seat
    if acting and any(control in own for control, _ in table.game.legal_controls(table.state)):
        yield "action"


def _waited_for(seat: int, meaning: str | None, session: Session) -> str:
    """What a person at `seat` is waited for, or waits for, as a key: by what the button `meaning` is, and how the game
    stands."""
    board, window = session.table.scoreboard, cueing.running_window(session)
    if board.over:
        return "over"
    if window is not None and meaning is None:
        return "claim" if window.claim_seat == seat else "window"
    if meaning not in ("stop", None):
        return meaning
    if board.seat != seat:
        return "wait"
    reshuffles = board.used_up and _counts(session.table, ControlUsed(session.at_us, "reshuffle"))
    return "reshuffle" if reshuffles else "turn"


def _counts(table: Table, observation: Observation) -> bool:
    """Would the game take it?"""
    return isinstance(table.game.play(table.state, observation), tuple)
