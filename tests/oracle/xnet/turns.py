"""Sections 1, 2 and 4 of the rules page, and the button: set-up, the turn with its score, the end."""

from __future__ import annotations

from collections import Counter

from .deck import extra_cards
from .state import No, Nothing, fresh_turn


class Turns:
    """A part of Oracle, which has the attributes."""

    game: dict
    cards: dict[str, tuple[str, int]]
    players: int
    target: int
    said: list[dict]
    notes: Counter[str]

    # ---- questions

    def me(self) -> dict:
        """The provider on turn."""
        return self.game["teams"][self.game["turn"]["seat"] - 1]

    def topic(self, card: str) -> str:
        return self.cards[card][0]

    def number(self, card: str) -> int:
        return self.cards[card][1]

    def place_of(self, topic: str) -> dict | None:
        """The place in the pyramid with a card of that topic."""
        return next((place for place in self.game["demand"] if self.topic(place["card"]) == topic), None)

    def mine(self, topic: str, *, on: tuple[str, ...] = ("server",)) -> dict | None:
        """That topic as it lies with the provider on turn."""
        return next((one for one in self.me()["topics"] if one["topic"] == topic and one["on"] in on), None)

    def say(self, kind: str, **fields: object) -> None:
        """An announcement, with those fields only that the page names."""
        self.said.append({"type": kind, **fields})

    # ---- 1 set-up

    def deal_extra(self, starter: int) -> None:
        """X1.1, X1.2: the starter is known."""
        self.game["turn"] = fresh_turn(starter, "setup")
        for place, extra in enumerate(extra_cards(self.players)):
            team = self.game["teams"][(starter - 1 + place) % self.players]
            team["hand"] += extra
            self.game["draw_pile"] -= extra

    def lay_first(self, card: str) -> None:
        """X1.4: one of the first three, from the draw pile."""
        self.game["draw_pile"] -= 1
        self.game["demand"].append({"level": len(self.game["demand"]) + 1, "place": 1, "card": card, "x": None})
        self.say("demand-laid")
        if len(self.game["demand"]) == 3:
            self.begin_turn(self.game["turn"]["seat"])

    # ---- 2 the turn

    def begin_turn(self, seat: int) -> None:
        self.game["turn"] = fresh_turn(seat, "actions")
        self.say("turn-started")
        self.return_x(seat)
        self.score()
        if not self.won():
            self.draw_five()

    def return_x(self, seat: int) -> None:
        """X2.2"""
        for place in self.game["demand"]:
            if place["x"] == seat:
                place["x"] = None
                self.say("x-returned")

    def score(self) -> None:
        """X2.3"""
        me, scored = self.me(), []
        for place in self.game["demand"]:
            topic = self.topic(place["card"])
            mine = self.mine(topic)
            truth = [
                len(one["cards"])
                for team in self.game["teams"]
                for one in team["topics"]
                if one["topic"] == topic and one["on"] == "server"
            ]
            best_two = sorted(set(truth), reverse=True)[:2]
            if mine is not None and len(mine["cards"]) in best_two:
                points = place["level"] * me["users"]
                scored.append({"topic": topic, "level": place["level"], "users": me["users"], "points": points})
                if len(mine["cards"]) == best_two[-1] < best_two[0]:
                    self.notes["X2.3 second most scores"] += 1
                if truth.count(len(mine["cards"])) > 1:
                    self.notes["X2.3 equal holdings score"] += 1
            elif mine is not None:
                self.notes["X2.3 third most doesn't score"] += 1
        points = sum(one["points"] for one in scored)
        me["points"] += points
        self.say("scored", seat=me["seats"][0], points=points, topics=scored)

    def draw_five(self) -> None:
        """X2.4, X2.5"""
        drawn = min(5, self.game["draw_pile"])
        self.game["draw_pile"] -= drawn
        self.me()["hand"] += drawn
        self.say("cards-drawn")
        if drawn == 5:
            return
        if self.game["discard"]:
            self.game["turn"]["owed"] = 5 - drawn
            self.say("reshuffle-due")
            self.notes["X2.5 cards owed"] += 1
        else:
            self.notes["X2.5 the rest lapses"] += 1

    def reshuffle(self) -> None:
        """X2.5"""
        owed = self.game["turn"]["owed"]
        if owed == 0:
            raise No("X2.5", "no-reshuffle-due")
        pile = self.game["draw_pile"] + len(self.game["discard"])
        self.game["discard"] = []
        self.game["draw_pile"] = max(0, pile - owed)
        self.me()["hand"] += min(owed, pile)
        self.game["turn"]["owed"] = 0
        self.say("reshuffled")
        self.notes["X2.5 reshuffled" if pile >= owed else "X2.5 even that can't give all"] += 1

    # ---- 4 the end

    def won(self) -> bool:
        """X4.1"""
        if self.me()["points"] < self.target:
            return False
        self.end("points")
        return True

    def end_by_agreement(self) -> None:
        """docs/referee.md: the players end a running game, as it stands; what is begun is broken off."""
        if self.game["outcome"] is not None:
            raise No("X4.2", "game-over")
        if self.game["turn"]["seat"] is None:
            raise No("X1.2", "no-starter")
        if self.game["pending"] is not None:
            self.break_off()
        self.end("agreement")

    def end(self, by: str) -> None:
        teams = self.game["teams"]
        points = [team["points"] for team in teams]
        ranking = [
            {
                "seats": team["seats"],
                "points": team["points"],
                "place": 1 + sum(other > team["points"] for other in points),
            }
            for team in teams
        ]
        ranking.sort(key=lambda one: (one["place"], one["seats"]))
        winner = [one["seats"][0] for one in ranking if one["place"] == 1]
        self.game["outcome"] = {"winner": winner, "by": by, "ranking": ranking}
        self.say("game-over")
        self.notes[f"X4.1 ended by {by}"] += 1
        if by == "points" and len({one["place"] for one in ranking}) < self.players:
            self.notes["X4.1 a shared place"] += 1

    # ---- 5.6 the button

    def press(self, seat: int) -> None:
        turn = self.game["turn"]
        if turn["seat"] is None:
            self.deal_extra(seat)
            return
        if self.game["outcome"] is not None or turn["phase"] == "setup" or turn["owed"] or seat != turn["seat"]:
            raise Nothing
        if self.game["pending"] is not None:
            self.break_off()
            return
        if turn["must_offer"] is not None and self.mine(turn["must_offer"]) is None:
            raise No("X3.2", "must-offer")
        if turn["must_offer"] is not None:
            self.notes["X3.2 a turn ended with its must_offer met"] += 1
        self.begin_turn(seat % self.players + 1)

    def break_off(self) -> None:
        cards = self.game["pending"]["cards"]
        self.me()["hand"] += len(cards)
        self.game["pending"] = None
        self.say("action-broken-off", cards=list(cards))
        if cards:
            self.notes["X5.6 broken off with cards tapped"] += 1
