"""Reasons are true: a refusal's or ignored gesture's sentence about the state must hold in it. Each code of a game is
listed here with a question about the public state, or among those whose sentence is a rule or an instruction and claims
nothing about the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from taptable.core.observations import Observation
from taptable.core.verdicts import Accepted, Verdict
from taptable.referee.jsonl import show_state
from taptable.referee.step import Table


class Claim:
    """The material of a refusal's claim: the public state at that time, its facts, and the observation."""

    def __init__(self, table: Table, observation: Observation, facts: Mapping[str, Any]) -> None:
        self.table = table
        self.state = show_state(table)
        self.at = observation.at_us / 1_000_000
        self.facts = facts
        self.card: str = facts.get("card", "")
        self.kind = self.card.partition("#")[0]

    def team(self, seat: Any) -> dict[str, Any]:
        return next(team for team in self.state["teams"] if seat in team["seats"])

    @property
    def over(self) -> bool:
        return self.state["outcome"] is not None

    @property
    def unbegun(self) -> bool:
        return self.state["turn"]["seat"] is None and not self.over

    @property
    def on_turn(self) -> dict[str, Any]:
        return self.team(self.state["turn"]["seat"])

    @property
    def at_pad(self) -> dict[str, Any]:
        return self.team(self.facts["pad"])

    def row_of(self, team: dict[str, Any]) -> list[str]:
        """Return the row of ONLINE in which the card lies, or none."""
        rows = (team["connection"], team["memory"], *team["rows"].values())
        return next((row for row in rows if self.card in row), [])

    @property
    def lies_with(self) -> dict[str, Any]:
        """Return the team in whose rows of ONLINE the card lies."""
        return next(team for team in self.state["teams"] if self.row_of(team))

    def top(self, row: str) -> str:
        """Return the kind on top of a row at the pad."""
        cards = self.at_pad[row]
        return cards[-1].partition("#")[0] if cards else ""

    @property
    def hand_is_empty(self) -> bool:
        """In ONLINE: return whether the hand is empty, apart from a shown patrol where the sentence says so."""
        seat, turn = self.facts["pad"], self.state["turn"]["seat"]
        kept = self.facts.get("left") == "patrol"
        whose = {turn, *(self.team(seat)["seats"] if isinstance(seat, int) else ())}
        hands = {seat: cards for team in self.state["teams"] for seat, cards in team["hands"].items()}
        return any(hands[str(each)] == kept for each in whose)

    @property
    def place(self) -> str | None:
        """In X.net: return where the card lies."""
        if self.card in self.state["discard"]:
            return "discard"
        if any(each["card"] == self.card for each in self.state["demand"]):
            return "demand"
        return None

    @property
    def demanded(self) -> set[str]:
        """In X.net: return the topics of the pyramid."""
        return {self.table.state.topic_of(each["card"]) for each in self.state["demand"]}


Question = Callable[[Claim], bool]

CLAIMS: Mapping[str, Mapping[str, Question]] = {
    "online": {
        "game-over": lambda c: c.over,
        "game-is-over": lambda c: c.over,
        "waiting-for-youngest": lambda c: c.unbegun,
        "belongs-in-row": lambda c: bool(c.row_of(c.team(c.facts["seats"][0]))),
        "belongs-on-discard-pile": lambda c: c.card in c.state["discard"],
        "hack-own-row": lambda c: bool(c.row_of(c.on_turn)),
        "hack-backed-up": lambda c: c.kind in c.lies_with["backed_up"],
        "hack-not-under-hacker": lambda c: c.card in c.state["discard"] and c.state["discard"][-2:-1] != [c.card],
        "hack-no-patrol": lambda c: c.kind == "cyber-patrol",
        "hack-top-only": lambda c: c.row_of(c.lies_with)[-1] != c.card,
        "hack-line-not-up": lambda c: c.on_turn["line"] != "up",
        "gift-line-not-up": lambda c: c.at_pad["line"] != "up",
        "gift-memory-not-open": lambda c: c.top("memory") != "extra-memory",
        "gift-row-backed-up": lambda c: c.kind in c.at_pad["backed_up"],
        "patrol-by-hacker": lambda c: c.state["window"]["hacker"] == c.facts["pad"],
        "patrol-by-team-mate": lambda c: c.state["window"]["hacker"] in c.at_pad["seats"],
        "patrol-too-late": lambda c: c.at >= c.state["window"]["closes_at"],
        "window-open": lambda c: c.state["window"] is not None,
        "hack-pending": lambda c: c.state["pending"] == "hack",
        "searched-onto-row": lambda c: (
            c.state["pending"] == "search" and c.kind in ("hacker", "search", "cyber-patrol")
        ),
        "searched-not-discarded": lambda c: c.state["pending"] == "search" and c.facts["pad"] == "discard",
        "draw-pile-used-up": lambda c: c.state["draw_pile"] == 0,
        "exchange-begun": lambda c: c.state["turn"]["mode"] == "exchange",
        "one-discard-only": lambda c: c.state["turn"]["mode"] == "play",
        "hand-used-up": lambda c: c.hand_is_empty,
        "line-up-again": lambda c: c.at_pad["line"] == "up",
        "memory-open-again": lambda c: c.top("memory") == "extra-memory",
        "attack-on-own-team": lambda c: c.facts["pad"] in c.on_turn["seats"],
        "line-already-open": lambda c: c.top("connection") == c.facts["top"] and c.at_pad["line"] == "up",
        "line-has-password-error": lambda c: c.top("connection") == "password-error",
        "line-has-virus": lambda c: c.top("connection") == "virus",
        "turbo-already-there": lambda c: c.top("connection") == "turbo-line",
        "turbo-password-error": lambda c: c.top("connection") == "password-error",
        "turbo-virus": lambda c: c.top("connection") == "virus",
        "memory-already-open": lambda c: c.top("memory") == "extra-memory",
        "no-password-error": lambda c: c.top("connection") != "password-error",
        "no-virus": lambda c: c.top("connection") != "virus",
        "no-line-to-attack": lambda c: c.at_pad["line"] != "up",
        "no-memory-to-attack": lambda c: c.top("memory") != "extra-memory",
        "line-not-up": lambda c: c.at_pad["line"] != "up" and c.facts["top"] == (c.top("connection") or "empty"),
        "memory-not-open": lambda c: c.top("memory") != "extra-memory",
        "row-backed-up": lambda c: c.kind in c.at_pad["backed_up"],
        # Online's one download, which Turbo-Line would raise by one; or Turbo-Line's two
        "rate-used-up": lambda c: c.state["turn"]["downloads"] == c.facts["rate"] >= c.at_pad["rate"],
        "card-lost": lambda c: c.card in c.state["lost"],
        "lost-already": lambda c: c.card in c.state["lost"],
        "not-lost": lambda c: c.card not in c.state["lost"],
        "lost-with-empty-pile": lambda c: c.state["draw_pile"] == 0,
        "nobody-plays-there": lambda c: set(c.facts["seats"]) <= set(c.state["vacated"]),
        "lies-in-no-row": lambda c: c.kind in ("hacker", "search", "cyber-patrol"),
        "already-there": lambda c: (
            c.card in c.state["discard"] if c.facts["pad"] == "discard" else bool(c.row_of(c.at_pad))
        ),
        "own-window": lambda c: c.state["window"]["hacker"] == c.facts["pad"],
        "may-not-patrol": lambda c: c.state["window"]["hacker"] in c.at_pad["seats"],
        "not-on-turn": lambda c: c.state["turn"]["seat"] != c.facts["pad"],
        "seat-left": lambda c: c.facts["pad"] in c.state["vacated"],
        "vacated-already": lambda c: c.facts["pad"] in c.state["vacated"],
    },
    "cyber-siege": {
        "game-over": lambda c: c.over,
        "game-is-over": lambda c: c.over,
        "no-starter": lambda c: c.unbegun,
        "launch-open": lambda c: c.state["pending"] == "launch",
        "defence-awaited": lambda c: c.state["window"]["defender"] == c.facts["seat"],
        "no-defence": lambda c: c.state["window"]["card"] == c.facts["top"],
        "discard-owed": lambda c: c.state["pending"] == "discard" and c.state["owed"] == c.facts["owed"],
        "already-drawn": lambda c: c.state["turn"]["draw"] == c.facts["draw"] is not None,
        "not-on-top": lambda c: c.card in c.state["discard"][:-1],
        "lies-elsewhere": lambda c: (
            c.card in c.state["discard"]
            if c.facts["onto"] == "discard"
            else c.card in c.team(c.facts["onto"])["sets"] or c.card in str(c.state["laying"])
        ),
        "not-on-turn": lambda c: c.state["turn"]["seat"] == c.facts["seat"] != c.facts["pad"],
        "reshuffle-due": lambda c: c.state["red_pile"] == 0,
        "set-open": lambda c: c.state["laying"]["card"] == c.facts["top"],
        "set-card-first": lambda c: c.state["laying"] is None,
        "not-in-set": lambda c: c.state["laying"]["card"] == c.facts["top"],
        "no-reshuffle-due": lambda c: (
            c.facts["due"] == (c.state["red_pile"] == 0 and bool(c.state["discard"]))
            and (not c.facts["due"] or c.state["window"] is not None or c.state["pending"] is not None)
        ),
        "nothing-to-spare": lambda c: c.state["pending"] != "launch",
        "no-correction": lambda c: (
            "open" not in c.facts or c.state["window"] is not None or c.state["pending"] is not None
        ),
        "already-there": lambda c: (
            c.card in c.state["discard"]
            if c.facts["pad"] == "discard"
            else c.card in c.at_pad["sets"] or c.card in str(c.state["laying"]) or c.card in c.state["turn"]["used"]
        ),
    },
    "xnet": {
        "game-over": lambda c: c.over,
        "game-is-over": lambda c: c.over,
        "no-starter": lambda c: c.unbegun,
        "lies-elsewhere": lambda c: "seats" in c.facts or c.facts["place"] in (c.place, "pending"),
        "reshuffle-due": lambda c: c.state["turn"]["owed"] > 0,
        "press-before-reshuffle": lambda c: c.state["turn"]["owed"] > 0,
        "no-reshuffle-due": lambda c: c.over or c.unbegun or c.state["turn"]["owed"] == 0,
        "not-on-turn": lambda c: c.state["turn"]["seat"] == c.facts["seat"] != c.facts["pad"],
        "press-of-another": lambda c: c.state["turn"]["seat"] != c.facts["pad"],
        "demand-first": lambda c: c.state["turn"]["phase"] == "setup",
        "press-before-demand": lambda c: c.state["turn"]["phase"] == "setup",
        "topic-in-demand": lambda c: c.facts["topic"] in c.demanded,
        "not-in-demand": lambda c: c.facts.get("topic") is None or c.facts["topic"] not in c.demanded,
        "hand-used-up": lambda c: c.on_turn["hand"] == 0,
        "action-open": lambda c: c.state["pending"] is not None,
        "servers-full": lambda c: _owner(c)["servers"] == c.facts["servers"],
        "no-empty-streamer": lambda c: c.on_turn["streamers"] == c.facts["streamers"],
        "net-full": lambda c: (c.on_turn["net"], c.on_turn["users"]) == (c.facts["net"], c.facts["have"]),
        "no-specialist-left": lambda c: c.state["specialists"] == 0,
        "enough-servers": lambda c: c.on_turn["servers"] == 3,
        "has-streamer": lambda c: c.on_turn["streamers"] == 1,
        "largest-net": lambda c: c.on_turn["net"] == 10,
        "over-ten": lambda c: c.on_turn["hand"] == c.facts["hand"] and c.facts["hand"] + c.facts["lying"] > 10,
        "too-few-cards": lambda c: c.on_turn["hand"] == c.facts["hand"] < c.facts["needed"],
        "must-offer": lambda c: c.state["turn"]["must_offer"] == c.facts["topic"],
        "x-marked": lambda c: any(each["x"] for each in c.state["demand"]),
    },
}

CLAIMING_NOTHING: Mapping[str, frozenset[str]] = {
    "online": frozenset(
        {
            # a rule, and what fits instead
            *("hack-never-for-oneself", "access-on-other-pad", "category-on-other-pad", "hacker-on-other-pad"),
            *("search-on-other-pad", "patrol-without-hacker", "counts-too-high", "nothing-to-back-up"),
            # what happened in this turn or window, which the public state doesn't keep
            *("patrol-locked-out", "locked-out", "row-not-attacked", "put-right-already", "shown-already"),
            *("pressed-already", "pressed-too-early", "pressed-too-late"),
        }
    ),
    "cyber-siege": frozenset(
        {
            *("hand-used-up", "not-a-red-card", "lies-in-no-row", "nothing-to-hold"),
            *("no-press-awaited", "pressed-too-early", "pressed-too-late"),
        }
    ),
    "xnet": frozenset(
        {
            *(
                "choose-first",
                "one-topic",
                "wrong-topic",
                "on-streamer",
                "needs-specialist",
                "one-a-turn",
                "level-full",
            ),
            *("not-neighbours", "not-on-server", "no-such-topic", "has-specialist", "not-yours", "demand-stays"),
            *("counts-too-high", "already-there", "hold-without-meaning"),
        }
    ),
}


def check_reason(table: Table, observation: Observation, verdict: Verdict) -> None:
    """Raise AssertionError if a sentence claims something false about the state; `table` is the table after the
    verdict."""
    if isinstance(verdict, Accepted):
        return
    claim = CLAIMS.get(table.game.name, {}).get(verdict.code)
    if claim is not None:
        said = f"{observation}: {verdict.code} {dict(verdict.facts)}"
        assert claim(Claim(table, observation, verdict.facts)), said


def _owner(claim: Claim) -> dict[str, Any]:
    """Return the team before which X.net's topic would lie."""
    pad = claim.facts["pad"]
    return claim.team(pad) if isinstance(pad, int) else claim.on_turn
