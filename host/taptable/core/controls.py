"""The controls that a game adds to the shared ones, as data: names, fields and control cards. The referee's lines,
decks and the page are made from this list. Must not know what a control does: its game does."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from taptable.core.spelling import short_json

Fields: TypeAlias = tuple[tuple[str, int | str], ...]
"""The fields of a control as pairs of name and value, sorted by name."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A field of a control: a whole number from `least` to `most` (None: unbounded), a text, or a seat at the table."""

    name: str
    kind: Literal["whole", "text", "seat"]
    least: int = 0
    most: int | None = None

    @property
    def expected(self) -> str:
        """The valid values, as a phrase for an error message."""
        match self.kind:
            case "whole" if self.most is None:
                return f"a whole number from {self.least}"
            case "whole":
                return f"a whole number from {self.least} to {self.most}"
            case "text":
                return "a text"
            case "seat":
                return "a seat at this table"

    def is_valid(self, value: object, seats: Collection[object]) -> bool:
        """Return whether the field may have this value; `seats` are those of the table."""
        match self.kind:
            case "whole":
                return type(value) is int and value >= self.least and (self.most is None or value <= self.most)
            case "text":
                return isinstance(value, str)
            case "seat":
                return type(value) is int and value in seats


@dataclass(frozen=True, slots=True)
class ControlSpec:
    """A control with its `needed` and `optional` fields. Of the optional ones, ``any`` may be left out, or all stand
    ``together``, or ``some`` must be present. `cards` are its control cards, each with the fields that it sets."""

    name: str
    needed: tuple[Parameter, ...] = ()
    optional: tuple[Parameter, ...] = ()
    optional_as: Literal["any", "together", "some"] = "any"
    cards: tuple[tuple[str, Fields], ...] = ()

    def find_error(self, fields: Mapping[str, object], seats: Collection[object]) -> str | None:
        """Return why these fields are invalid, as a clause; None if they are valid."""
        parameters = {parameter.name: parameter for parameter in (*self.needed, *self.optional)}
        for name, value in fields.items():
            if name not in parameters:
                return f"unknown or extra key {short_json(name)}"
            if not parameters[name].is_valid(value, seats):
                return f'"{name}" takes {parameters[name].expected}'
        for parameter in self.needed:
            if parameter.name not in fields:
                return f'key "{parameter.name}" is missing'
        present = [parameter.name for parameter in self.optional if parameter.name in fields]
        names = ", ".join(f'"{parameter.name}"' for parameter in self.optional)
        if self.optional_as == "together" and 0 < len(present) < len(self.optional):
            return f"{names} stand together or not at all"
        if self.optional_as == "some" and not present:
            return f"one of {names} at least is missing"
        return None


def control_cards(controls: tuple[ControlSpec, ...]) -> dict[str, tuple[str, Fields]]:
    """Return the control and the fields of each control card."""
    return {card: (control.name, fields) for control in controls for card, fields in control.cards}
