"""The controls that a game has of its own, as people at the page may use them: those that are open now, each with its
fields and in words, and those that are filled in like a form. Pure; knows no game, and whether a control counts is the
game's to say."""

from __future__ import annotations

from typing import Any

from taptable.core.controls import Fields, Parameter
from taptable.core.game import Game
from taptable.core.observations import ControlUsed
from taptable.core.verdicts import Accepted
from taptable.referee.session import Session
from taptable.referee.step import Table, legal_controls, step
from taptable.words import Words

RESHUFFLE = "reshuffle"
CHOICE = "control-with"
"""The context of what a control is called with its fields, beside others of the same name."""


class ControlsPart:
    """What can be asked for in a session; found out once, when somebody asks. The same for as long as the game's state
    is, and in a pause too."""

    def __init__(self, session: Session) -> None:
        busy = session.manners.checking is not None or session.desk is not None
        own = bool(session.table.game.controls)
        self._table = session.table if own and not busy else None
        self._found: list[tuple[str, Fields]] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ControlsPart) and self._state is other._state

    def __call__(self, words: Words) -> list[dict[str, Any]]:
        """Each as ``{"control", "fields", "name", "choice"}``: what it is called, and what tells it from others of its
        name."""
        if self._found is None:
            self._found = [] if self._table is None else _open(self._table)
        return [
            {
                "control": control,
                "fields": dict(fields),
                "name": words.text("control", control),
                "choice": choice_in(words, control, fields),
            }
            for control, fields in self._found
        ]

    @property
    def _state(self) -> object:
        return None if self._table is None else self._table.state


def choice_in(words: Words, control: str, fields: Fields) -> str:
    """What the fields of a control choose, in words; "" where it has none."""
    if not fields:
        return ""
    if words.message(CHOICE, control) is not None:
        return words.text(CHOICE, control, dict(fields))
    return " · ".join(words.kind(value) if isinstance(value, str) else str(value) for _, value in fields)


def forms_of(game: Game[Any]) -> list[dict[str, Any]]:
    """The controls that no card and no list can stand for, since people say numbers by them: each with its fields."""
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


def _open(table: Table) -> list[tuple[str, Fields]]:
    listed = legal_controls(table)
    if any(control == RESHUFFLE for control, _ in listed) or not _is_accepted(table, RESHUFFLE):
        return listed
    return [*listed, (RESHUFFLE, ())]


def _is_accepted(table: Table, control: str) -> bool:
    return isinstance(step(table, ControlUsed(table.at_us, control))[1], Accepted)
