"""Corrections at a table, as parts of the page: the question for a take-back, the check of the table under way, the
lost cards, and what can be corrected now. Pure; the rules of corrections are in `referee.corrections`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from taptable.api.errors import RequestError
from taptable.core.scoreboard import Scoreboard
from taptable.page.view import decisive_count
from taptable.referee import gestures
from taptable.referee.checking import Checking, instruction, seats_now
from taptable.referee.corrections import (
    ARRANGEMENT_TYPES,
    CORRECTION_CONTROLS,
    Objection,
    find_objection,
    make_objection,
    scoreboard_if_ended,
)
from taptable.referee.session import Session
from taptable.words import Words


def take_back_question(session: Session) -> dict[str, Any] | None:
    """Return the take-back that waits for consent, if any: the seat that asked (None: the middle), its deadline, and
    the seats that may grant it."""
    consent = session.prompts.consent
    if consent is None:
        return None
    meanings = gestures.button_actions(session.prompts, session.table)
    return {
        "seat": consent.requester or None,
        "ends_us": consent.until_us,
        "whole_us": consent.until_us - consent.asked_at_us,
        "seats": [seat for seat, meaning in enumerate(meanings, 1) if meaning == "grant"],
    }


def lost_cards(session: Session) -> dict[str, Any]:
    """Return the cards that are out of the game, and the number of cards of each kind in the deck."""
    table = session.table
    kinds = table.game.pack(table.game_options.manifest).counts
    return {"cards": list(table.scoreboard.lost), "kinds": [list(kind) for kind in kinds]}


@dataclass(frozen=True, eq=False)
class CheckPart:
    """The check under way, one instruction at a time. Two of these parts are never equal."""

    session: Session

    def __call__(self, words: Words) -> dict[str, Any] | None:
        """Return the instruction in words, its subject, and the results until now; None without a check."""
        session, checking = self.session, self.session.prompts.checking
        if checking is None:
            return None
        found = {card for card, _ in checking.laid}
        return {
            "seats": list(seats_now(checking)),
            "hands": not checking.teams,
            "text": words.notice(instruction(checking, session.table, session.at_us)),
            "cards": _checklist(session, checking),
            "extra": list(checking.extra),
            "count": None if checking.teams else checking.hands[0][1],
            "counting": None if checking.teams else checking.hands[0][2],
            "teams_left": max(0, len(checking.teams) - 1),
            "hands_left": len(checking.hands) - (not checking.teams),
            "laid": [list(each) for each in checking.laid],
            "gone": [card for card in checking.gone if card not in found],
            "counted": [list(each) for each in checking.counted],
        }


@dataclass(frozen=True, eq=False)
class PossiblePart:
    """The corrections that are possible now. Two of these parts are never equal."""

    session: Session

    @cached_property
    def _found(self) -> _Found:
        """Computed once, for all clients and languages."""
        session, game = self.session, self.session.table.game
        board = session.table.scoreboard
        verbs = {verb: find_objection(session, verb) for verb in (*CORRECTION_CONTROLS, "withdraw", "break-off")}
        known = {verb for verb, announcement in ARRANGEMENT_TYPES.items() if announcement in game.arrangements}
        leaving: tuple[Objection | None, ...] = ()
        if "check" in known:
            verbs["check"] = find_objection(session, "check")
        if "lost" in known:
            deck = _cards(game.pack(session.table.game_options.manifest).counts)
            present = next((card for card in deck if card not in board.lost), None)
            verbs["lost"] = find_objection(session, "lost", present)
        if "recovered" in known:
            found = board.lost[0] if board.lost else None
            verbs["recovered"] = (
                make_objection("nothing-lost") if found is None else find_objection(session, "recovered", found)
            )
        if "vacate" in known:
            leaving = tuple(find_objection(session, "vacate", seat) for seat in range(1, len(board.hands) + 1))
            verbs["vacate"] = None if None in leaving else leaving[0]
        return _Found(verbs, leaving, None if verbs["end-game"] is not None else scoreboard_if_ended(session))

    def __call__(self, words: Words) -> dict[str, Any]:
        """Return ``verbs``, with None or the reason against it for each; ``leaving``, with the same for each seat whose
        player might leave; and ``ending``, the teams' places if the game ended now."""
        found = self._found
        ending = () if found.ending is None else sorted(found.ending.teams, key=lambda team: team.place or 0)
        return {
            "verbs": {
                verb: None if objection is None else _refusal_text(objection, words)
                for verb, objection in found.verbs.items()
            },
            "leaving": [
                None if objection is None else _refusal_text(objection, words) for objection in found.vacate_refusals
            ],
            "ending": [
                {"seats": list(team.seats), "place": team.place, "score": team.score, "decisive": decisive_count(team)}
                for team in ending
            ],
        }


@dataclass(frozen=True, slots=True)
class _Found:
    """The possible corrections, and the reasons against the others, before they are put into words."""

    verbs: Mapping[str, Objection | None]
    vacate_refusals: tuple[Objection | None, ...]
    ending: Scoreboard | None


def _checklist(session: Session, checking: Checking) -> list[dict[str, Any]]:
    if not checking.teams:
        return []
    cards = session.table.game.cards_of(session.table.state, checking.teams[0])
    return [{"card": card, "ticked": card in checking.seen} for card in cards]


def _cards(kinds: tuple[tuple[str, int], ...]) -> list[str]:
    return [f"{kind}#{number}" for kind, count in kinds for number in range(1, count + 1)]


def _refusal_text(objection: Objection, words: Words) -> str:
    return RequestError(objection.context, objection.key, **objection.facts).text(words)
