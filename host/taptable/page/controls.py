"""Hints for the page: which kinds of cards would be accepted on which pads, and the game's own controls that people at
the page can use. Pure; asks the game what it accepts, and must not know any game by name."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from taptable.core.controls import Fields, Parameter
from taptable.core.game import Game
from taptable.core.observations import ControlUsed
from taptable.core.verdicts import Accepted
from taptable.narration import guidance
from taptable.narration.guidance import Way
from taptable.referee.session import Session
from taptable.referee.step import Table, legal_controls, legal_taps, step
from taptable.words import Words

RESHUFFLE = "reshuffle"
"""A control that is offered wherever it would be accepted, even if the game doesn't list it."""
MAX_NAMED = 2
"""How many kinds of cards the sentence names for the pad of the player on turn; for other pads it names one. On a phone
the prompt has room for four lines, and the panel *What counts* shows all kinds."""
CHOICE = "control-with"
"""The context of the catalogues with a control's name and its fields, which tell controls of the same name apart."""


class _StatePart:
    """A part that is computed once, when a client asks for it. It stays the same while the `table`'s state does; None
    if there is nothing to compute."""

    def __init__(self, table: Table | None) -> None:
        self._table = table

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._state is other._state

    @property
    def _state(self) -> object:
        return None if self._table is None else self._table.state


class LegalTapsPart(_StatePart):
    """The legal taps of a session, by what the table knows. The table knows no hand: a kind is listed if any card of it
    would be accepted."""

    def __init__(self, session: Session) -> None:
        super().__init__(None if _is_busy(session) or session.table.paused_at_us is not None else session.table)

    def __call__(self, words: Words) -> dict[str, Any]:
        """Return ``{"sentence", "groups"}``. The sentence says what can be done in a turn while nothing else is asked;
        otherwise it is "". Groups are pads on which the same kinds are legal, as ``{"pads", "kinds", "shown", "any"}``:
        `any` if every card is legal, `shown` with one face for the kinds that share it. Pads are in their order, kinds
        in the deck's. There are no groups while nobody plays."""
        groups = [
            {
                "pads": list(way.pads),
                "kinds": list(way.kinds),
                "shown": list(way.display_kinds),
                "any": way.is_every_kind,
            }
            for way in self._ways
        ]
        return {"sentence": self._sentence(words), "groups": groups}

    @cached_property
    def _ways(self) -> list[Way]:
        if self._table is None:
            return []
        table = self._table
        pack = table.game.pack(table.game_options.manifest)
        kinds = [kind.id for kind in pack.kinds]
        return guidance.ways_of(legal_taps(table), kinds, table.game.pads(table.state), pack)

    def _sentence(self, words: Words) -> str:
        if self._table is None or not self._ways:
            return ""
        board = self._table.scoreboard
        used_up = any(name.endswith("-pile") for name in board.empty_stock)
        if board.seat is None or board.pending or board.window or used_up:
            return ""
        where_to: dict[str, str] = {}
        for way in sorted(self._ways, key=lambda way: board.seat not in way.pads):
            at = guidance.place_text(way.pads, board.seat, "where-turn", words)
            most = MAX_NAMED if board.seat in way.pads else 1
            cards = way.any_card_text(words) or way.names_text(words, most) or way.some_cards_text(words, most)
            where_to.setdefault(at, cards)
        taps = [(cards, at) for at, cards in where_to.items()]
        steps = [guidance.tap_text(*taps[0], words), *(f"{cards} {at}" for cards, at in taps[1:])]
        meaning = self._table.game.button_actions(self._table.state)[board.seat - 1]
        action = words.message("guided", "action") if legal_controls(self._table) else None
        return guidance.guidance_text([*steps, *([] if action is None else [action])], meaning, words)


class ControlsPart(_StatePart):
    """The controls that can be used in a session, also during a pause."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.table if session.table.game.controls and not _is_busy(session) else None)

    def __call__(self, words: Words) -> list[dict[str, Any]]:
        """Return each as ``{"control", "fields", "name", "choice"}``: `name` is its name, `choice` tells it from others
        of the same name."""
        return [
            {
                "control": control,
                "fields": dict(fields),
                "name": words.text("control", control),
                "choice": choice_in(words, control, fields),
            }
            for control, fields in self._found
        ]

    @cached_property
    def _found(self) -> list[tuple[str, Fields]]:
        return [] if self._table is None else _available_controls(self._table)


def choice_in(words: Words, control: str, fields: Fields) -> str:
    """Return what the fields of a control choose, in words; "" if it has no fields."""
    if not fields:
        return ""
    if words.message(CHOICE, control) is not None:
        return words.text(CHOICE, control, dict(fields))
    return " · ".join(words.kind(value) if isinstance(value, str) else str(value) for _, value in fields)


def forms_of(game: Game[Any]) -> list[dict[str, Any]]:
    """Return the game's controls, with their fields, that neither a card nor a list can stand for because people enter
    numbers."""
    return [
        {
            "control": control.name,
            "needed": [_parameter(parameter) for parameter in control.needed],
            "optional": [_parameter(parameter) for parameter in control.optional],
        }
        for control in game.controls
        if not control.cards and (control.needed or control.optional)
    ]


def _parameter(parameter: Parameter) -> dict[str, Any]:
    return {"name": parameter.name, "kind": parameter.kind, "least": parameter.least, "most": parameter.most}


def _available_controls(table: Table) -> list[tuple[str, Fields]]:
    listed = legal_controls(table)
    if any(control == RESHUFFLE for control, _ in listed) or not _is_accepted(table, RESHUFFLE):
        return listed
    return [*listed, (RESHUFFLE, ())]


def _is_accepted(table: Table, control: str) -> bool:
    return isinstance(step(table, ControlUsed(table.at_us, control))[1], Accepted)


def _is_busy(session: Session) -> bool:
    return session.prompts.checking is not None or session.enrolment is not None
