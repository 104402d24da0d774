"""The parts of the feed that say what would be accepted now: ``counts``, the kinds of cards for each pad with a
sentence for learners (`LegalTapsPart`), and ``controls``, the game's own controls that people at the page can use
(`ControlsPart`). Also the forms for controls with numbers (`forms_of`). `view` has these parts in the feed. Pure; asks
the game what it accepts, and must not know any game by name."""

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
"""A control that is offered whenever it would be accepted, even if the game's `legal_controls` don't list it."""
MAX_NAMED = 2
"""The most kinds of cards that the sentence names for the pad of the player on turn. For any other pad it names at most
one. On a phone the prompt has room for four lines, and the panel *What counts* shows all kinds."""
CHOICE = "control-with"
"""The context of the catalogues for a control together with its fields. The page shows this text if several controls of
the same name can be used."""


class _StatePart:
    """A part of the feed that depends on the state of the game alone; with the table None it is empty. It is computed
    only when a client needs it. Two such parts are equal if they have the same state, so the feed sends nothing and
    computes nothing while the state stays the same."""

    def __init__(self, table: Table | None) -> None:
        self._table = table

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._state is other._state

    @property
    def _state(self) -> object:
        return None if self._table is None else self._table.state


class LegalTapsPart(_StatePart):
    """The part ``counts``: the legal taps of a session. The table doesn't know the hands, so a kind is listed if any
    card of it would be accepted, in any hand. The part is empty during a pause, a check or an enrolment."""

    def __init__(self, session: Session) -> None:
        super().__init__(None if _is_busy(session) or session.table.paused_at_us is not None else session.table)

    def __call__(self, words: Words) -> dict[str, Any]:
        """Return ``{"sentence", "groups"}``.

        The sentence says what the player on turn can do; it is "" if there is none, a window is open, something is
        pending, or a pile is used up. Each group has pads on which the same kinds are legal, as ``{"pads", "kinds",
        "shown", "any"}``: `any` says that every kind is legal, and `shown` are the kinds without those whose face
        another one has, too. Pads are in the order of `Game.pads`, kinds in the order of the pack."""
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
        # the catalogues' names of piles end with "-pile"; an empty one has to be reshuffled before the turn goes on
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
    """The part ``controls``: the game's controls that can be used in a session, also during a pause. It is empty during
    a check or an enrolment."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.table if session.table.game.controls and not _is_busy(session) else None)

    def __call__(self, words: Words) -> list[dict[str, Any]]:
        """Return each control as ``{"control", "fields", "name", "choice"}``. `name` is the control's name in words,
        and `choice` its fields in words, which distinguish controls of the same name."""
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
    """Return the game's controls that need a form, each with its fields: controls that no card stands for, and in which
    people enter numbers, so that no list could offer each possible choice."""
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
