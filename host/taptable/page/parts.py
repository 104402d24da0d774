"""The parts of the table as a part of the page: where each one is, and the step in which seats are assigned, in words.
Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from taptable.api.facts import AnswerFacts, AssigningFacts, PartFacts, PartsFacts
from taptable.core.observations import DISCARD_PAD
from taptable.words import Words

Json = dict[str, Any]

CONTEXT = "seats"


@dataclass(frozen=True, slots=True)
class PartsPart:
    """The table's parts, and the present step if seats are being assigned."""

    facts: PartsFacts

    def __call__(self, words: Words) -> Json:
        """Return them in a language. `step` is None while no seats are assigned."""
        facts = self.facts
        return {
            "source": facts.source,
            "overruled": facts.overruled,
            "fault": facts.fault,
            "previous": facts.previous,
            "display": facts.display,
            "parts": [_part(part, words) for part in facts.parts],
            "twins": [words.text(CONTEXT, "twins", {"ports": ", ".join(ports)}) for ports in facts.twins],
            "step": None if facts.assigning is None else _step(facts.assigning, words),
        }


def _part(part: PartFacts, words: Words) -> Json:
    missing = part.trouble == "missing"
    return {
        "address": part.address,
        "label": part.label or part.address,
        "touched_by": [role for role in part.roles if role != "lamp"],
        "roles": ", ".join(words.text(CONTEXT, f"role-{role}") for role in part.roles),
        "place": part.place,
        "place_name": _place_name(part, words),
        "trouble": words.text(CONTEXT, "missing") if missing else part.trouble,
    }


def _place_name(part: PartFacts, words: Words) -> str:
    if part.place == DISCARD_PAD:
        return words.text(CONTEXT, "place-middle")
    return words.text(CONTEXT, "place", {"seat": part.place}) if part.place else words.text(CONTEXT, "place-none")


def _step(step: AssigningFacts, words: Words) -> Json:
    facts = {"seat": step.seat or 0, "board": "yes" if step.board else "no"}
    return {
        "asked": step.asked,
        "seat": step.seat,
        "seats": step.seats,
        "looked": step.looked,
        "task": words.text(CONTEXT, f"ask-{step.asked}", facts),
        "answer": _sentence(step.answer, words),
        "done": step.answer is not None and step.answer.done,
        "lacks": _sentence(step.lacks, words),
        "hint": words.text(CONTEXT, "hint", {"asked": step.asked}) if step.hint else "",
    }


def _sentence(answer: AnswerFacts | None, words: Words) -> str:
    return "" if answer is None else words.text(CONTEXT, answer.key, dict(answer.facts))
