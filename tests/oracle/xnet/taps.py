"""How a tap is judged: the table of the rules page, a function for each of its rows, in its order.

A row that doesn't fit gives None; one that does raises its refusal, or has done what it accepts and gives True.
"""

from __future__ import annotations

from .actions import Actions
from .state import No, Nothing, Unknown

ON_DEMAND = ("demand-new", "demand-replace")


class Taps(Actions):
    """A part of Oracle."""

    def tap(self, card: str, pad: int | str) -> None:
        if card not in self.cards:
            raise Unknown
        if pad == "discard" and self.demand_pad_wanted() and card not in self.game["discard"]:
            pad = "demand"
            self.notes["X5.4 the discard pad as the demand pad"] += 1
        rows = (
            self.over_or_no_starter,
            self.choice,
            self.lies_there,
            self.lies_elsewhere,
            self.cards_owed,
            self.not_on_turn,
            self.first_three,
            self.hand_empty,
            self.not_for_this_action,
            self.demand_topic,
            self.wrong_topic,
            self.nothing_begun,
            self.new_topic,
            self.one_more,
        )
        for row in rows:
            if row(card, pad):
                return
        self.accept(card)

    def demand_pad_wanted(self) -> bool:
        """X5.4"""
        pending = self.game["pending"]
        if pending is None:
            return self.game["turn"]["phase"] == "setup"
        return pending["action"] in ON_DEMAND or (pending["action"] == "swap" and pending["needs"] is not None)

    def home(self, card: str) -> int | str | None:
        """The pad the card lies at; None for a hidden one (X5.9)."""
        game, pending = self.game, self.game["pending"]
        if card in game["discard"]:
            return "discard"
        if any(place["card"] == card for place in game["demand"]):
            return "demand"
        if pending is not None and card in pending["cards"]:
            return "demand" if pending["action"] == "demand-replace" else "discard"
        for team in game["teams"]:
            if any(card in one["cards"] for one in team["topics"]):
                return team["seats"][0]
        return None

    # ---- the rows

    def over_or_no_starter(self, _card: str, _pad: int | str) -> bool | None:
        if self.game["outcome"] is not None:
            raise No("X4.2", "game-over")
        if self.game["turn"]["seat"] is None:
            raise No("X1.2", "no-starter")
        return None

    def choice(self, card: str, pad: int | str) -> bool | None:
        pending = self.game["pending"]
        if pending is None or pending["needs"] is None:
            return None
        wanted = "demand" if pending["action"] in ("demand-replace", "swap") else self.game["turn"]["seat"]
        if pad != wanted or self.home(card) != wanted:
            return None
        action = pending["action"]
        self.choose(self.topic(card))
        self.notes[f"X5.2 {action} chosen by tap"] += 1
        return True

    def lies_there(self, card: str, pad: int | str) -> bool | None:
        if self.home(card) == pad:
            if card in (self.game["pending"] or {"cards": []})["cards"]:
                self.notes["X5.9 a pending card again"] += 1
            raise Nothing("already-there")
        return None

    def lies_elsewhere(self, card: str, _pad: int | str) -> bool | None:
        if self.home(card) is not None:
            if card in (self.game["pending"] or {"cards": []})["cards"]:
                self.notes["X5.9 a pending card elsewhere"] += 1
            raise No("X5.9", "lies-elsewhere")
        return None

    def cards_owed(self, _card: str, _pad: int | str) -> bool | None:
        if self.game["turn"]["owed"]:
            raise No("X2.5", "reshuffle-due")
        return None

    def not_on_turn(self, _card: str, pad: int | str) -> bool | None:
        if pad not in ("demand", "discard", self.game["turn"]["seat"]):
            raise No("X2.1", "not-on-turn")
        return None

    def first_three(self, card: str, pad: int | str) -> bool | None:
        if self.game["turn"]["phase"] != "setup":
            return None
        if pad != "demand":
            raise No("X1.4", "demand-first")
        if self.place_of(self.topic(card)) is not None:
            raise No("X1.4", "topic-in-demand")
        self.lay_first(card)
        return True

    def hand_empty(self, _card: str, _pad: int | str) -> bool | None:
        if self.me()["hand"] == 0:
            if self.game["pending"] is not None:
                self.notes["X5.8 a hand empty with an action begun"] += 1
            raise No("X5.8", "hand-used-up")
        return None

    def not_for_this_action(self, _card: str, pad: int | str) -> bool | None:
        pending = self.game["pending"]
        if pending is None:
            return None
        if pending["needs"] is not None:
            raise No("X5.2", "choose-first")
        if pad != ("demand" if pending["action"] in ON_DEMAND else "discard"):
            raise No("X5.3", "action-open")
        return None

    def demand_topic(self, card: str, _pad: int | str) -> bool | None:
        pending, topic = self.game["pending"], self.topic(card)
        if pending is None or pending["action"] not in ON_DEMAND:
            return None
        if self.place_of(topic) is not None and topic != pending.get("topic"):
            raise No("X3.3", "topic-in-demand")
        if any(self.topic(other) != topic for other in pending["cards"]):
            raise No("X3.2", "one-topic")
        return None

    def wrong_topic(self, card: str, _pad: int | str) -> bool | None:
        pending = self.game["pending"]
        if pending is None:
            return None
        if pending["action"] == "swap" and self.topic(card) != pending["lower"]:
            raise No("X3.4", "wrong-topic")
        if pending["action"] == "buy-users" and not self.meets_users([*pending["cards"], card], pending["users"]):
            raise No("X3.8", "wrong-topic")
        return None

    def meets_users(self, cards: list[str], users: int) -> bool:
        """Can the price of X3.8 be met with these cards, one or both of the two?"""
        if users == 2:
            return all(map(self.fits_users, cards)) and len(set(map(self.topic, cards))) == 1
        return len(cards) < 2 or any(map(self.fits_users, cards))

    def nothing_begun(self, _card: str, pad: int | str) -> bool | None:
        if self.game["pending"] is None and pad in ("demand", "discard"):
            raise No("X5.1", "choose-first")
        return None

    def new_topic(self, card: str, _pad: int | str) -> bool | None:
        topic, me = self.topic(card), self.me()
        if self.game["pending"] is not None or self.mine(topic) is not None:
            return None
        if self.mine(topic, on=("streamer",)) is not None:
            raise No("X3.6", "on-streamer")
        if self.place_of(topic) is None:
            raise No("X3.6", "not-in-demand")
        if sum(one["on"] == "server" for one in me["topics"]) >= 2 * me["servers"]:
            raise No("X3.6", "servers-full")
        return None

    def one_more(self, card: str, _pad: int | str) -> bool | None:
        mine = self.mine(self.topic(card))
        if self.game["pending"] is not None or mine is None:
            return None
        if self.place_of(self.topic(card)) is None:
            raise No("X3.7", "not-in-demand")
        if len(mine["cards"]) >= 2 and not mine["specialist"]:
            raise No("X3.7", "needs-specialist")
        return None

    def accept(self, card: str) -> None:
        """What no row answers: a card for the action begun, or one on the own pad (X3.6, X3.7)."""
        if self.game["pending"] is not None:
            self.pay(card)
            return
        self.me()["hand"] -= 1
        mine = self.mine(self.topic(card))
        if mine is None:
            laid = {"topic": self.topic(card), "cards": [card], "on": "server", "specialist": False}
            self.me()["topics"].append(laid)
            self.say("topic-laid")
        else:
            mine["cards"].append(card)
            self.say("card-added")
