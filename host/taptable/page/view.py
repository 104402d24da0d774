"""A session as a browser shows it: the parts of the page, and the items of its log. Everything comes from what the
table believes, so that it is the same at a real table and at a simulated one. Pure; must not know who looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from taptable.core.announcements import type_name
from taptable.core.check_notices import CheckCount, CheckHand, CheckTeam
from taptable.core.device_events import is_tag_number
from taptable.core.notices import ConsentAsked, InterruptedWork, Notice, PairingAwaited, RestartBrokeOff
from taptable.core.pack import Pack
from taptable.core.part_notices import ButtonStuck, PartLost, PowerHeld, PoweringOff
from taptable.core.player import Zone
from taptable.core.scoreboard import Count, RunningWindow, Scoreboard, TeamScore
from taptable.core.tag_notices import DeckMissing, EnrolmentBegan
from taptable.core.verdicts import Accepted
from taptable.narration.now import Now, now_of
from taptable.narration.sentences import Narrated, is_urgent, spoken_text
from taptable.narration.updates import Alerts
from taptable.page.controls import ControlsPart, LegalTapsPart
from taptable.page.feed import Value
from taptable.referee import gestures
from taptable.referee.checking import Checking, seats_now
from taptable.referee.lines import VERDICTS
from taptable.referee.session import Decision, Session, TableEvent
from taptable.referee.step import Table
from taptable.words import Words

Json = dict[str, Any]

ALERT_KINDS: Mapping[type[Notice], str] = {
    PartLost: "missing",
    ButtonStuck: "stuck",
    ConsentAsked: "consent",
    CheckTeam: "check",
    CheckHand: "check",
    CheckCount: "check",
    DeckMissing: "deck",
    EnrolmentBegan: "enrolment",
    RestartBrokeOff: "interrupted",
    PairingAwaited: "pairing",
    PowerHeld: "power",
    PoweringOff: "power",
}
"""The kind by which browsers know each notice that holds until it is taken back."""


@dataclass(frozen=True)
class PackPart:
    """The cards of the game: which face each kind has, what is drawn on it, and its name. It changes only with the game
    or its manifest."""

    pack: Pack

    def __call__(self, words: Words) -> dict[str, Any]:
        """Return ``{"name", "sample", "kinds"}``, ready for JSON; the kinds are in the deck's order."""
        kinds = [
            {
                "id": kind.id,
                "count": kind.count,
                "face": kind.face,
                "label": kind.label,
                "name": words.kind(kind.id),
                "title": words.title(kind.id),
                "explanation": words.explanation(kind.id),
                "effect": words.effect(kind),
                "needs": list(kind.needs),
            }
            for kind in self.pack.kinds
        ]
        return {"name": self.pack.name, "sample": self.pack.sample, "kinds": kinds}


def parts_of(session: Session, name: str, alerts: Alerts = MappingProxyType({})) -> dict[str, Value]:
    """Return every part except `AlertsPart`, for a session of the table with this name and its alerts."""
    table = session.table
    board = table.scoreboard
    window = None if table.paused_at_us is not None else board.window
    return {
        "table": _table(session, name, board),
        "turn": _turn(session, board),
        "seats": _seats(session, board),
        "teams": _teams(session, board),
        "piles": _piles(session, board),
        "window": None if window is None else _window(window),
        "now": SpectatorPrompt(now_of(session, board, alerts), session.names, session.members),
        "counts": LegalTapsPart(session),
        "controls": ControlsPart(session),
        "pack": PackPart(table.game.pack(table.game_options.manifest)),
    }


@dataclass(frozen=True, slots=True)
class SpectatorPrompt:
    """The prompt that says what can be done now, for spectators."""

    now: Now
    names: tuple[str, ...]
    members: tuple[str, ...]

    def __call__(self, words: Words) -> Json:
        """Return ``{"title", "more"}`` in sentences."""
        words = words.with_names(self.names, self.members)
        return {"title": self.now.title(words), "more": self.now.detail(words)}


@dataclass(frozen=True)
class AlertsPart:
    """The alerts, the oldest first; `stuck` if the journal can't be written."""

    alerts: Alerts
    stuck: bool = False

    def __call__(self, words: Words) -> list[Json]:
        """Return each alert with its key, kind and sentence; with ``again``, the request that restarts it, if it is
        about interrupted work."""
        shown = [
            {
                "key": key,
                "kind": ALERT_KINDS[type(notice)],
                "text": words.notice(notice),
                **({"again": _restart_request(notice)} if isinstance(notice, RestartBrokeOff) else {}),
            }
            for key, notice in self.alerts.items()
        ]
        journal = {"key": "journal", "kind": "journal", "text": words.text("notice", "journal-stuck")}
        return [*shown, journal] if self.stuck else shown


def _restart_request(broken_off: RestartBrokeOff) -> Json:
    """Return the request by which a browser restarts what a restart of the table interrupted."""
    match broken_off.what:
        case InterruptedWork.CHECK:
            return {"do": "check"}
        case InterruptedWork.DECK_CHECK:
            return {"do": "check-deck", "deck": broken_off.deck}
        case InterruptedWork.MEMBER_CARD:
            return {"do": "enrol-member", "member": broken_off.member, "replace": broken_off.replaces}


@dataclass(frozen=True, slots=True)
class LogItem:
    """One sentence of the log, rendered when a client reads it. The players have the `names` they had when it happened;
    `members` have the names they have today. If `names` is None, the words' own names are used."""

    narrated: Narrated
    names: tuple[str, ...] | None = None
    members: tuple[str, ...] = ()

    def __call__(self, words: Words) -> Json:
        """Return the item with its subject: card, seat, pad, rule and code, each None if it has none."""
        if self.names is not None:
            words = words.with_names(self.names, self.members)
        announcement, event = self.narrated.announcement, self.narrated.event
        if isinstance(event, Notice):
            about, kind, verdict = event, "notice", None
        else:
            about, verdict = event.observation, event.verdict
            kind = "announced" if announcement is not None or isinstance(verdict, Accepted) else VERDICTS[type(verdict)]
        judged = verdict if announcement is None and verdict is not None and not isinstance(verdict, Accepted) else None
        named = announcement or (event if isinstance(event, Notice) else None)
        return {
            "at_us": about.at_us,
            "kind": kind,
            "mood": None
            if announcement is None or announcement.mood is None
            else announcement.mood.name.lower().replace("_", "-"),
            "type": None if named is None else type_name(type(named)),
            "rule": None if judged is None else judged.rule,
            "code": None if judged is None else judged.code,
            "seat": _field("seat", announcement, about),
            "pad": _field("pad", announcement, about),
            "card": _card(_field("card", announcement, about)),
            "text": self.narrated.text(words),
            "when": "" if judged is None else words.when_allowed(judged),
            "spoken": spoken_text(self.narrated, words),
            "explained": self.narrated.explanation(words),
            "urgent": is_urgent(self.narrated),
        }


def time_of(event: TableEvent) -> int:
    """Return the table time of an event, in microseconds."""
    return event.observation.at_us if isinstance(event, Decision) else event.at_us


def _field(name: str, *places: object) -> Any:
    """Return this attribute's first value that is not None, of the announcement or its subject."""
    return next((found for place in places if (found := getattr(place, name, None)) is not None), None)


def _card(card: str | None) -> str | None:
    """Return a card's id; None for a tag that belongs to no card."""
    return None if card is None or is_tag_number(card) else card


def _table(session: Session, name: str, board: Scoreboard) -> Json:
    table = session.table
    return {
        "name": name,
        "game": table.game.name,
        "edition": table.game_options.edition,
        "players": table.game_options.players,
        "teams": [list(team.seats) for team in board.teams],
        "settings": dict(table.game_options.settings),
        "facts": _facts(table, board),
    }


def _facts(table: Table, board: Scoreboard) -> Json:
    """Return the facts that a guide's sentences may contain: house rules as agreed or by default, and each team's
    goal."""
    usual = {key: setting.default_text or "" for key, setting in table.game.settings.items()}
    quotas = {mark.name: mark.need for team in board.teams[:1] for mark in team.marks}
    return {**usual, **table.game_options.settings, **quotas}


def _turn(session: Session, board: Scoreboard) -> Json:
    prompts = session.prompts
    return {
        "seat": board.seat,
        "allowance_left": board.allowance_left,
        "pending": board.pending,
        "paused": session.table.paused_at_us is not None,
        "over": board.over,
        "by": board.by,
        "youngest": board.seat is None and not board.over,
        "checking": None if prompts.checking is None else _checking(prompts.checking),
        "consent": None if prompts.consent is None else {"seat": prompts.consent.requester or None},
        "ends_us": board.ends_at_us if board.under_way else None,
        "stands_us": session.table.paused_at_us,
        "skips": list(board.skips),
    }


def _checking(checking: Checking) -> Json:
    return {"seats": list(seats_now(checking)), "hands": not checking.teams}


def _seats(session: Session, board: Scoreboard) -> list[Json]:
    meanings = gestures.button_actions(session.prompts, session.table)
    if session.enrolment is not None:
        meanings = (None,) * len(meanings)
    team_of = {seat: index for index, team in enumerate(board.teams) for seat in team.seats}
    used = [
        {
            "seat": seat,
            "team": team_of[seat],
            "holds": _counts(holds),
            "meaning": meaning,
            "used": seat not in board.vacated,
        }
        for seat, (holds, meaning) in enumerate(zip(board.hands, meanings, strict=True), 1)
    ]
    unused = range(len(used) + 1, len(session.buttons) + 1)
    return [*used, *({"seat": seat, "team": None, "holds": [], "meaning": None, "used": False} for seat in unused)]


def _teams(session: Session, board: Scoreboard) -> list[Json]:
    layout = session.table.game.layout(session.table.state)
    return [
        {
            "seats": list(team.seats),
            "score": team.score,
            "unit": board.unit,
            "state": team.state,
            "allowance": team.allowance,
            "counts": _counts(team.counts),
            "place": team.place,
            "decisive": decisive_count(team),
            "marks": [
                {"name": mark.name, "have": mark.have, "need": mark.need, "secured": mark.secured}
                for mark in team.marks
            ],
            "rows": _zones(layout, team.seats),
        }
        for team in board.teams
    ]


def _piles(session: Session, board: Scoreboard) -> Json:
    layout = session.table.game.layout(session.table.state)
    return {
        "stock": _counts(board.stock),
        "zones": _zones(layout, ()),
    }


def _zones(layout: tuple[Zone, ...], seats: tuple[int, ...]) -> list[Json]:
    """Return the zones of a team; without seats, those in the middle of the table."""
    return [
        {"place": zone.place, "cards": list(zone.cards), "token": zone.token, "token_seat": zone.token_seat}
        for zone in layout
        if zone.seats == seats
    ]


def _counts(counts: tuple[Count, ...]) -> list[Json]:
    return [_count(count) for count in counts]


def _count(count: Count) -> Json:
    return {"name": count.name, "have": count.have, "of": count.of}


def decisive_count(team: TeamScore) -> Json | None:
    """Return the count that decided a team's place, if the score didn't."""
    return None if team.decisive is None else _count(team.decisive)


def _window(window: RunningWindow) -> Json:
    if window.claim_until_us is None:
        ends_us, whole_us = window.closes_at_us, window.closes_at_us - window.opened_at_us
    else:
        ends_us, whole_us = window.claim_until_us, window.claim_us
    return {
        "kind": window.kind,
        "seat": window.seat,
        "answerer": window.answerer,
        "claimant": window.claim_seat,
        "opened_us": window.opened_at_us,
        "ends_us": ends_us,
        "whole_us": whole_us,
        "pressed": list(window.pressed_seats),
        "tied": list(window.tied),
        "margin_us": window.margin_us,
        "uncertainty_us": window.uncertainty_us,
    }
