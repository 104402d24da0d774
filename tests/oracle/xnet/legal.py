"""What would be accepted now, read off the state and not by trying: a second formulation of the tables of taps and of
controls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .oracle import Oracle


def legal_taps(oracle: Oracle) -> list[list[str | int]]:
    """Every [card, pad] that would now be accepted, sorted as referee-jsonl.md says; a pause is no affair of it."""
    cards, pads = _taps(oracle)
    taps: list[list[str | int]] = [[card, pad] for card in cards for pad in pads]
    return sorted(taps, key=lambda tap: (tap[0], str(tap[1])))


def _taps(oracle: Oracle) -> tuple[list[str], list[str | int]]:
    game, topic_of = oracle.game, oracle.topic
    turn, pending = game["turn"], game["pending"]
    if turn["seat"] is None or game["outcome"] is not None or turn["owed"]:
        return [], []
    demanded = {topic_of(place["card"]): place for place in game["demand"]}
    hidden = _hidden(oracle)
    if turn["phase"] == "setup":
        return [card for card in hidden if topic_of(card) not in demanded], ["demand", "discard"]
    me = game["teams"][turn["seat"] - 1]
    served = {one["topic"]: one for one in me["topics"] if one["on"] == "server"}
    action = None if pending is None else pending["action"]
    if pending is not None and pending["needs"] is not None:
        if action in ("demand-replace", "swap"):
            return [place["card"] for place in game["demand"] if _fit_place(oracle, place)], ["demand", "discard"]
        fit = [one for one in me["topics"] if _fit_own(me, one, action)]
        return [card for one in fit for card in one["cards"]], [turn["seat"]]
    if me["hand"] == 0:
        return [], []
    so_far = [] if pending is None else [topic_of(card) for card in pending["cards"]]
    if action in ("demand-new", "demand-replace"):
        free = set(map(topic_of, oracle.cards)) - set(demanded) | {pending.get("topic")}
        wanted = free & set(so_far) if so_far else free
        return [card for card in hidden if topic_of(card) in wanted], ["demand", "discard"]
    if action == "swap":
        return [card for card in hidden if topic_of(card) == pending["lower"]], ["discard"]
    if action == "buy-users":
        fitting = set(served) & set(demanded)
        if pending["users"] == 2:
            fitting &= set(so_far) or fitting
        elif not so_far or so_far[0] in fitting:
            fitting = set(map(topic_of, oracle.cards))
        return [card for card in hidden if topic_of(card) in fitting], ["discard"]
    if action is not None:
        return hidden, ["discard"]
    full = [topic for topic, one in served.items() if len(one["cards"]) >= 2 and not one["specialist"]]
    takes = set(demanded) - set(full)
    if len(served) == 2 * me["servers"]:
        takes &= set(served)
    takes -= {one["topic"] for one in me["topics"] if one["on"] == "streamer"}
    return [card for card in hidden if topic_of(card) in takes], [turn["seat"]]


def _fit_place(oracle: Oracle, place: dict) -> bool:
    """May that place be chosen for the replacement or the swap that is open?"""
    pending = oracle.game["pending"]
    if pending["needs"] == "lower":
        return place["level"] < 3
    if pending["needs"] == "upper":
        below = next(one for one in oracle.game["demand"] if oracle.topic(one["card"]) == pending["lower"])
        return place["level"] - below["level"] == 1
    return place["x"] is None


def _fit_own(me: dict, one: dict, action: str | None) -> bool:
    if action == "to-streamer":
        return one["on"] == "server"
    if action == "hire-specialist":
        return one["on"] == "server" and not one["specialist"]
    return len(one["cards"]) + me["hand"] <= 10


def _hidden(oracle: Oracle) -> list[str]:
    game = oracle.game
    lying = {*game["discard"], *(place["card"] for place in game["demand"])}
    lying.update(card for team in game["teams"] for one in team["topics"] for card in one["cards"])
    if game["pending"] is not None:
        lying.update(game["pending"]["cards"])
    return [card for card in oracle.cards if card not in lying]


def legal_controls(oracle: Oracle) -> list[dict]:
    """Every control of the page's table that would now be accepted, its fields all given, sorted as the page says; the
    same in a pause."""
    game = oracle.game
    turn = game["turn"]
    if game["outcome"] is not None or turn["phase"] == "setup" or turn["owed"] or game["pending"] is not None:
        return []
    found = [*_about_demand(oracle), *_about_topics(oracle), *_purchases(oracle)]
    return sorted(found, key=lambda control: json.dumps(control, sort_keys=True, ensure_ascii=False))


def _about_demand(oracle: Oracle) -> Iterator[dict]:
    """X3.1, X3.2, X3.4"""
    game = oracle.game
    if oracle.me()["hand"] < 1:
        return
    levels = [place["level"] for place in game["demand"]]
    if not game["turn"]["new"]:
        for level, places in ((1, 3), (2, 2), (3, 1)):
            if levels.count(level) < places:
                yield {"control": "demand-new", "level": level}
    for lower in game["demand"]:
        topic = oracle.topic(lower["card"])
        if lower["x"] is None and not game["turn"]["replaced"]:
            yield {"control": "demand-replace", "topic": topic}
        for upper in game["demand"]:
            if upper["level"] == lower["level"] + 1:
                yield {"control": "swap", "lower": topic, "upper": oracle.topic(upper["card"])}


def _about_topics(oracle: Oracle) -> Iterator[dict]:
    """X3.5, X3.9, X3.10"""
    me = oracle.me()
    streamer_empty = me["streamers"] == 1 and all(one["on"] == "server" for one in me["topics"])
    for one in me["topics"]:
        on_server = one["on"] == "server"
        if on_server and streamer_empty:
            yield {"control": "to-streamer", "topic": one["topic"]}
        if on_server and me["hand"] >= 1 and not one["specialist"] and oracle.game["specialists"] > 0:
            yield {"control": "hire-specialist", "topic": one["topic"]}
        if me["hand"] + len(one["cards"]) <= 10:
            yield {"control": "to-hand", "topic": one["topic"]}


def _purchases(oracle: Oracle) -> Iterator[dict]:
    """X3.8, X3.9"""
    me, demand = oracle.me(), oracle.game["demand"]
    demanded = [oracle.topic(place["card"]) for place in demand]
    offered = any(one["topic"] in demanded for one in me["topics"] if one["on"] == "server")
    for users in (1, 2):
        if offered and me["hand"] >= 2 and me["net"] - me["users"] >= users:
            yield {"control": "buy-users", "users": users}
    if me["hand"] >= 5 and me["servers"] < 3:
        yield {"control": "buy-server"}
    if me["hand"] >= 3 and me["streamers"] == 0:
        yield {"control": "buy-streamer"}
    if me["hand"] >= 7 and me["net"] < 10:
        yield {"control": "buy-net"}


def every_control(topics: list[str]) -> list[dict]:
    """Every control of the page's table, its fields all given."""
    controls: list[dict] = [{"control": name} for name in ("buy-server", "buy-streamer", "buy-net")]
    controls += [{"control": "demand-new", "level": level} for level in (1, 2, 3)]
    controls += [{"control": "buy-users", "users": users} for users in (1, 2)]
    one_topic = ("demand-replace", "to-streamer", "hire-specialist", "to-hand")
    controls += [{"control": name, "topic": topic} for name in one_topic for topic in topics]
    controls += [{"control": "swap", "lower": lower, "upper": upper} for lower in topics for upper in topics]
    return controls
