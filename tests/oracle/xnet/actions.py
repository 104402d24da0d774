"""Section 3 of the rules page: what each control checks, and what happens when its action is done."""

from __future__ import annotations

from .state import No
from .turns import Turns

NEXT_NET = {4: 7, 7: 9, 9: 10}
PLACES = {1: 3, 2: 2, 3: 1}


class Actions(Turns):
    """A part of Oracle."""

    def begin(self, action: str, *, owed: int | None, needs: str | None = None, **known: object) -> None:
        """X5.3"""
        self.game["pending"] = {"action": action, "needs": needs, "owed": owed, "short": None, "cards": [], **known}
        self.say("action-begun")

    def check_hand(self, cost: int) -> None:
        """X5.8"""
        if self.me()["hand"] < cost:
            raise No("X5.8", "too-few-cards")

    def give_back_specialist(self, one: dict) -> None:
        if one["specialist"]:
            one["specialist"] = False
            self.game["specialists"] += 1
            self.say("specialist-returned")

    def fits_users(self, card: str) -> bool:
        """X3.8: of a topic in demand and on an own server."""
        return self.place_of(self.topic(card)) is not None and self.mine(self.topic(card)) is not None

    # ---- the controls, a function each: the refusals in the order of the table, then X5.8

    def act(self, control: str, fields: dict) -> None:
        """What comes before all these, then the control's own function."""
        turn = self.game["turn"]
        if self.game["outcome"] is not None:
            raise No("X4.2", "game-over")
        if turn["seat"] is None:
            raise No("X1.2", "no-starter")
        if turn["phase"] == "setup":
            raise No("X1.4", "demand-first")
        if turn["owed"]:
            raise No("X2.5", "reshuffle-due")
        if self.game["pending"] is not None:
            raise No("X5.3", "action-open")
        getattr(self, control.replace("-", "_"))(**fields)

    def demand_new(self, level: int) -> None:
        if self.game["turn"]["new"]:
            raise No("X3.1", "one-a-turn")
        if self.free_place(level) is None:
            raise No("X3.1", "level-full")
        self.check_hand(1)
        self.begin("demand-new", owed=1, level=level)

    def demand_replace(self, topic: str | None = None) -> None:
        if self.game["turn"]["replaced"]:
            raise No("X3.2", "one-a-turn")
        if topic is not None:
            self.check_replaced(topic)
        self.check_hand(1)
        if topic is None:
            self.begin("demand-replace", owed=None, needs="topic")
        else:
            self.begin("demand-replace", owed=None, topic=topic)
            self.reckon_short()

    def swap(self, lower: str | None = None, upper: str | None = None) -> None:
        if lower is not None and upper is not None:
            if self.place_of(lower) is None or self.place_of(upper) is None:
                raise No("X3.4", "not-in-demand")
            self.check_lower(lower)
            self.check_upper(lower, upper)
        self.check_hand(1)
        if lower is None:
            self.begin("swap", owed=1, needs="lower")
        else:
            self.begin("swap", owed=1, lower=lower, upper=upper)

    def to_streamer(self, topic: str | None = None) -> None:
        me = self.me()
        if me["streamers"] == 0 or any(one["on"] == "streamer" for one in me["topics"]):
            raise No("X3.5", "no-empty-streamer")
        if topic is None:
            self.begin("to-streamer", owed=0, needs="topic")
        else:
            self.check_to_streamer(topic)
            self.move_to_streamer(topic)

    def buy_users(self, users: int) -> None:
        me = self.me()
        if me["users"] + users > me["net"]:
            raise No("X3.8", "net-full")
        if not any(self.place_of(one["topic"]) for one in me["topics"] if one["on"] == "server"):
            raise No("X3.8", "no-such-topic")
        self.check_hand(2)
        self.begin("buy-users", owed=2, users=users)

    def hire_specialist(self, topic: str | None = None) -> None:
        if self.game["specialists"] == 0:
            raise No("X3.9", "no-specialist-left")
        if topic is not None:
            self.check_hired(topic)
        self.check_hand(1)
        if topic is None:
            self.begin("hire-specialist", owed=1, needs="topic")
        else:
            self.begin("hire-specialist", owed=1, topic=topic)

    def buy_server(self) -> None:
        if self.me()["servers"] >= 3:
            raise No("X3.9", "enough-servers")
        self.check_hand(5)
        self.begin("buy-server", owed=5)

    def buy_streamer(self) -> None:
        if self.me()["streamers"] >= 1:
            raise No("X3.9", "has-streamer")
        self.check_hand(3)
        self.begin("buy-streamer", owed=3)

    def buy_net(self) -> None:
        if self.me()["net"] not in NEXT_NET:
            raise No("X3.9", "largest-net")
        self.check_hand(7)
        self.begin("buy-net", owed=7)

    def to_hand(self, topic: str | None = None) -> None:
        if topic is None:
            self.begin("to-hand", owed=0, needs="topic")
        else:
            self.check_to_hand(topic)
            self.take_to_hand(topic)

    # ---- refusals about a topic, when it is given or chosen

    def check_replaced(self, topic: str) -> None:
        place = self.place_of(topic)
        if place is None:
            raise No("X3.2", "not-in-demand")
        if place["x"] is not None:
            raise No("X3.2", "x-marked")

    def check_lower(self, lower: str) -> None:
        place = self.place_of(lower)
        if place is None:
            raise No("X3.4", "not-in-demand")
        if place["level"] == 3:
            raise No("X3.4", "not-neighbours")

    def check_upper(self, lower: str, upper: str) -> None:
        below, above = self.place_of(lower), self.place_of(upper)
        if below is None or above is None:
            raise No("X3.4", "not-in-demand")
        if above["level"] != below["level"] + 1:
            raise No("X3.4", "not-neighbours")

    def check_to_streamer(self, topic: str) -> None:
        if self.mine(topic) is None:
            raise No("X3.5", "not-on-server")

    def check_hired(self, topic: str) -> None:
        mine = self.mine(topic)
        if mine is None:
            raise No("X3.9", "not-on-server")
        if mine["specialist"]:
            raise No("X3.9", "has-specialist")

    def check_to_hand(self, topic: str) -> None:
        mine = self.mine(topic, on=("server", "streamer"))
        if mine is None:
            raise No("X3.10", "not-yours")
        if self.me()["hand"] + len(mine["cards"]) > 10:
            raise No("X3.10", "over-ten")

    # ---- a choice by tap (X5.2)

    def choose(self, topic: str) -> None:
        """The topic that `needs` asks for; a refusal leaves the choice open."""
        pending = self.game["pending"]
        if pending["needs"] == "lower":
            self.check_lower(topic)
            pending.update(needs="upper", lower=topic)
        elif pending["needs"] == "upper":
            self.check_upper(pending["lower"], topic)
            pending.update(needs=None, upper=topic)
        elif pending["action"] == "demand-replace":
            self.check_replaced(topic)
            pending.update(needs=None, topic=topic)
            self.reckon_short()
        elif pending["action"] == "hire-specialist":
            self.check_hired(topic)
            pending.update(needs=None, topic=topic)
        elif pending["action"] == "to-streamer":
            self.check_to_streamer(topic)
            self.game["pending"] = None
            self.move_to_streamer(topic)
        else:
            self.check_to_hand(topic)
            self.game["pending"] = None
            self.take_to_hand(topic)

    # ---- a card for the action begun (X5.5), and what is done with the last one

    def pay(self, card: str) -> None:
        pending = self.game["pending"]
        self.me()["hand"] -= 1
        pending["cards"].append(card)
        if pending["action"] == "demand-replace":
            self.reckon_short()
            if pending["short"] > 0:
                return
        else:
            pending["owed"] -= 1
            if pending["owed"] > 0:
                self.say("payment-owed", owed=pending["owed"])
                return
        self.game["pending"] = None
        getattr(self, "done_" + pending["action"].replace("-", "_"))(pending)

    def reckon_short(self) -> None:
        pending = self.game["pending"]
        place = self.place_of(pending["topic"])
        assert place is not None
        pending["short"] = self.number(place["card"]) + 1 - sum(map(self.number, pending["cards"]))

    def free_place(self, level: int) -> int | None:
        taken = [place["place"] for place in self.game["demand"] if place["level"] == level]
        return next((place for place in range(1, PLACES[level] + 1) if place not in taken), None)

    def done_demand_new(self, paid: dict) -> None:
        place = self.free_place(paid["level"])
        self.game["demand"].append({"level": paid["level"], "place": place, "card": paid["cards"][0], "x": None})
        self.game["demand"].sort(key=lambda one: (one["level"], one["place"]))
        self.game["turn"]["new"] = True
        self.notes[f"X3.1 laid on place {place} of level {paid['level']}"] += 1
        self.say("demand-laid")

    def done_demand_replace(self, paid: dict) -> None:
        place = self.place_of(paid["topic"])
        assert place is not None
        highest = max(paid["cards"], key=self.number)  # max() gives the first of equals
        others = [card for card in paid["cards"] if card != highest]
        self.game["discard"] += [place["card"], *others]
        place["card"] = highest
        place["x"] = self.game["turn"]["seat"]
        self.game["turn"]["replaced"] = True
        if self.mine(self.topic(highest)) is not None:
            self.notes["X3.2 a replacement that is offered"] += 1
        else:
            self.game["turn"]["must_offer"] = self.topic(highest)
        self.say("demand-replaced")
        if self.topic(highest) == paid["topic"]:
            self.notes["X3.3 a topic replaced by itself"] += 1
        if [self.number(card) for card in paid["cards"]].count(self.number(highest)) > 1:
            self.notes["X3.2 the first of equals"] += 1
        if len(paid["cards"]) > 1 and paid["cards"][0] != highest:
            self.notes["X3.2 not the first is highest"] += 1

    def done_swap(self, paid: dict) -> None:
        below, above = self.place_of(paid["lower"]), self.place_of(paid["upper"])
        assert below is not None
        assert above is not None
        for key in ("card", "x"):
            below[key], above[key] = above[key], below[key]
        self.game["discard"] += paid["cards"]
        self.say("demand-swapped")
        if below["x"] or above["x"]:
            self.notes["X3.4 an X goes with its card"] += 1

    def move_to_streamer(self, topic: str) -> None:
        mine = self.mine(topic)
        assert mine is not None
        mine["on"] = "streamer"
        self.say("topic-to-streamer")
        self.give_back_specialist(mine)

    def done_buy_users(self, paid: dict) -> None:
        self.game["discard"] += paid["cards"]
        self.me()["users"] += paid["users"]
        self.say("users-bought")

    def done_hire_specialist(self, paid: dict) -> None:
        mine = self.mine(paid["topic"])
        assert mine is not None
        self.game["discard"] += paid["cards"]
        self.game["specialists"] -= 1
        mine["specialist"] = True
        self.say("specialist-hired")

    def done_buy_server(self, paid: dict) -> None:
        self.game["discard"] += paid["cards"]
        self.me()["servers"] += 1
        self.say("server-bought")

    def done_buy_streamer(self, paid: dict) -> None:
        self.game["discard"] += paid["cards"]
        self.me()["streamers"] += 1
        self.say("streamer-bought")

    def done_buy_net(self, paid: dict) -> None:
        self.game["discard"] += paid["cards"]
        self.me()["net"] = NEXT_NET[self.me()["net"]]
        self.say("net-bought")

    def take_to_hand(self, topic: str) -> None:
        me, mine = self.me(), self.mine(topic, on=("server", "streamer"))
        assert mine is not None
        me["topics"].remove(mine)
        me["hand"] += len(mine["cards"])
        self.say("topic-to-hand")
        self.give_back_specialist(mine)
        if me["hand"] == 10:
            self.notes["X3.10 to the hand, ten then"] += 1
        if mine["on"] == "streamer":
            self.notes["X3.10 from the streamer"] += 1
