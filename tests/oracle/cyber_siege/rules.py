"""What happens in the game: sections 3 to 8 of the page, one after the other."""

from __future__ import annotations

from collections import Counter


class Rules:
    """A part of Oracle: `game`, `deck`, `settings`, `players`, and `said`, the announcements of the line."""

    game: dict
    deck: dict[str, dict]
    settings: dict[str, int]
    players: int
    language: str
    said: list[dict]
    notes: Counter[str]

    def say(self, what: str, **about) -> None:
        self.said.append({"type": what, **about})

    # ---- 1 cards

    def is_hidden(self, card: str) -> bool:
        game = self.game
        laying = game["laying"]
        return not (
            card in game["discard"]
            or (laying is not None and card in (laying["card"], *laying["red"]))
            or any(card in team["sets"] for team in game["teams"].values())
        )

    def not_playing(self) -> tuple | None:
        """A tap after the end or before the start, as an answer."""
        if self.game["outcome"] is not None:
            return "refused", "S7.4", "game-over"
        return ("refused", "S2.2", "no-starter") if self.game["seat"] is None else None

    # ---- 3 turn and draw

    def next_after(self, seat: int) -> int:
        return seat % self.players + 1

    def begin_turn(self, seat: int, at: int) -> None:
        game = self.game
        game.update(seat=seat, draw=None, used=[], began=at, pending=None, launch=None, window=None, owed=0)
        self.say("turn-started", seat=seat)

    def look_at_piles(self) -> None:
        """S3.3: both piles are empty while a draw is due."""
        game = self.game
        due = game["seat"] is not None and game["outcome"] is None and game["draw"] is None
        if due and game["red_pile"] == 0 and not game["discard"]:
            self.notes["S3.3 both piles are empty"] += 1
            game["draw"] = "none"

    def infer_draw(self) -> None:
        """S3.3: the first tap of the turn shows that its draw came from the red pile."""
        if self.game["draw"] is None:
            self.take_red(self.game["seat"], 1)
            self.game["draw"] = "red"

    def take_red(self, seat: int, cards: int) -> int:
        """As many as there are, from the red pile; how many that were."""
        game = self.game
        taken = min(cards, game["red_pile"])
        if taken > 0:
            game["red_pile"] -= taken
            game["teams"][seat]["red"] += taken
            self.say("card-drawn", seat=seat, cards=taken, **{"from": "red"})
            if game["red_pile"] == 0 and game["discard"]:
                self.say("reshuffle-due")
        return taken

    def owe(self, cards: int) -> None:
        """S3.4: what a replacement couldn't take waits for the reshuffle."""
        if cards > 0:
            self.notes["S3.4 a replacement is owed"] += 1
            self.game["owed"] = cards
            self.game["pending"] = "reshuffle"

    def draw_from_discard_pile(self, card: str, at: int) -> None:  # noqa: ARG002 - as all that taps do
        game = self.game
        game["discard"].remove(card)
        game["teams"][game["seat"]]["red"] += 1
        game["draw"] = "discard"
        self.say("card-drawn", seat=game["seat"], cards=1, **{"from": "discard"})

    def reshuffle(self) -> None:
        game = self.game
        game["red_pile"] = len(game["discard"])
        game["discard"] = []
        game["used"] = []
        self.say("reshuffled")
        if game["pending"] == "reshuffle":
            self.notes["S3.4 a reshuffle pays what is owed"] += 1
            owed, game["owed"], game["pending"] = game["owed"], 0, None
            self.take_red(game["seat"], owed)

    # ---- 4 sets

    def lay_set_card(self, card: str, at: int) -> None:
        game = self.game
        self.infer_draw()
        game["teams"][game["seat"]]["purple"] -= 1
        game["laying"] = {"card": card, "red": [], "began": at}
        game["pending"] = "set"
        self.say("card-laid")

    def is_missing(self, card: str) -> bool:
        """S4.2, S4.3."""
        laying = self.game["laying"]
        if self.deck[card]["kind"] == "admin":
            return True
        wanted = self.deck[laying["card"]]["cards"].count(self.deck[card]["name"])
        return sum(self.deck[red]["name"] == self.deck[card]["name"] for red in laying["red"]) < wanted

    def lay_red_card(self, card: str, at: int) -> None:
        game = self.game
        game["teams"][game["seat"]]["red"] -= 1
        game["laying"]["red"].append(card)
        self.say("card-laid")
        if len(game["laying"]["red"]) == len(self.deck[game["laying"]["card"]]["cards"]):
            self.fill_set(at)

    def fill_set(self, at: int) -> None:
        """S4.5."""
        game = self.game
        laying, seat = game["laying"], game["seat"]
        team = game["teams"][seat]
        game["laying"] = game["pending"] = None
        game["discard"] += laying["red"]
        game["used"] += laying["red"]
        team["sets"].append(laying["card"])
        points = len(laying["red"])
        team["points"] += points
        self.say("set-laid", points=points)
        if any(self.deck[red]["kind"] == "admin" for red in laying["red"]):
            self.notes["S4.3 a set with an admin"] += 1
        if self.ended_by_points(at):
            return
        self.owe(points - self.take_red(seat, points))
        if team["purple"] == 0:
            if game["pending"] == "reshuffle":
                self.notes["S4.5 a set card is drawn before the reshuffle"] += 1
            team["purple"] += 1
            game["purple_pile"] -= 1
            self.say("card-drawn", seat=seat, cards=1, **{"from": "purple"})
            self.ended_by_purple(at)

    def break_off_set(self) -> None:
        game = self.game
        laying, team = game["laying"], game["teams"][game["seat"]]
        team["purple"] += 1
        team["red"] += len(laying["red"])
        game["laying"] = game["pending"] = None
        self.say("set-taken-back", cards=[laying["card"], *laying["red"]])

    # ---- 5 discard and launch

    def discard(self, card: str, at: int) -> None:
        game = self.game
        self.infer_draw()
        game["teams"][game["seat"]]["red"] -= 1
        game["discard"].append(card)
        self.say("card-discarded")
        if self.deck[card]["kind"] == "attack":
            until = at + self.settings["launch_s"]
            game["pending"] = "launch"
            game["launch"] = {"card": card, "began": at, "until": until}
            self.say("launch-offered", until=until / 1_000_000)
        else:
            self.begin_turn(self.next_after(game["seat"]), at)

    def spare(self, at: int) -> None:
        self.say("spared")
        self.begin_turn(self.next_after(self.game["seat"]), at)

    def launch(self, at: int) -> None:
        """S6.1: the window opens with the line."""
        game = self.game
        game["window"] = {
            "attacker": game["seat"],
            "defender": self.next_after(game["seat"]),
            "card": game["launch"]["card"],
            "opened": at,
            "closes": at + self.settings["defence_s"],
        }
        game["pending"] = game["launch"] = None
        self.say("window-opened")

    # ---- 6 attack and defence

    def defends(self, card: str, attack: str) -> bool:
        one = self.deck[card]
        return one["kind"] == "admin" or (one["kind"] == "defence" and one["set"] == self.deck[attack]["set"])

    def defend(self, card: str, at: int) -> None:
        """S6.3."""
        game = self.game
        seat = game["window"]["defender"]
        game["teams"][seat]["red"] -= 1
        game["discard"].append(card)
        self.say("defended")
        if self.scored(seat, at):
            return
        owed = 1 - self.take_red(seat, 1)
        self.begin_turn(seat, at)
        game["used"] = [card]
        self.owe(owed)

    def hit(self, at: int) -> None:
        """S6.4, S6.6."""
        game = self.game
        window = game["window"]
        icon = self.deck[window["card"]]["icon"]
        effect, defender = icon["effect"], window["defender"]
        self.say("hit", effect=effect)
        self.notes[f"S6.6 hit: {effect}"] += 1
        if self.scored(window["attacker"], at):
            return
        team = game["teams"][defender]
        if effect == "lose-points":
            lost = min(icon["n"], team["one_points"])
            team["one_points"] -= lost
            team["points"] -= lost
            self.notes[f"S6.6 {lost} of {icon['n']} points lost"] += 1
        if effect == "text":
            self.say("effect-text", say=icon["say"].get(self.language, icon["say"]["en"]))
        if effect == "skip":
            self.begin_turn(self.next_after(defender), at)
            return
        self.begin_turn(defender, at)
        if effect == "draw-fewer":
            game["draw"] = "none"
        if effect == "discard":
            game["owed"] = min(icon["n"], team["red"])
            game["pending"] = "discard" if game["owed"] else None
            self.notes[f"S6.6 {game['owed']} of {icon['n']} cards owed"] += 1

    def discard_what_is_owed(self, card: str, at: int) -> None:  # noqa: ARG002 - as all that taps do
        game = self.game
        game["teams"][game["seat"]]["red"] -= 1
        game["discard"].append(card)
        self.say("card-discarded")
        game["owed"] -= 1
        if game["owed"] == 0:
            game["pending"] = None

    # ---- 7 end

    def scored(self, seat: int, at: int) -> bool:
        """One point more for the seat; whether that ends the game."""
        self.game["teams"][seat]["one_points"] += 1
        self.game["teams"][seat]["points"] += 1
        return self.ended_by_points(at)

    def ended_by_points(self, at: int) -> bool:
        if all(team["points"] < self.settings["target_points"] for team in self.game["teams"].values()):
            return False
        self.end("points", at)
        return True

    def ended_by_purple(self, at: int) -> None:
        if self.game["purple_pile"] == 0:
            self.end("purple", at)

    def end(self, by: str, at: int) -> None:  # noqa: ARG002 - when it ended shows nowhere
        game = self.game
        points = {seat: team["points"] for seat, team in game["teams"].items()}
        places = {seat: 1 + sum(other > points[seat] for other in points.values()) for seat in points}
        ranking = sorted(points, key=lambda seat: (-points[seat], seat))
        winners = sorted(seat for seat, place in places.items() if place == 1)
        game.update(pending=None, window=None, laying=None, launch=None, owed=0)
        game["outcome"] = {
            "winner": winners,
            "by": by,
            "ranking": [{"seats": [seat], "points": points[seat], "place": places[seat]} for seat in ranking],
        }
        self.notes[f"S7 ended by {by}{', shared' if len(winners) > 1 else ''}"] += 1
        self.notes["S7.2 both at once"] += by == "points" and game["purple_pile"] == 0
        self.say("game-over")

    # ---- 8 correction

    def can_correct(self, seat: int, counts: dict[str, int]) -> bool:
        game, team = self.game, self.game["teams"][seat]
        if game["window"] is not None or game["pending"] is not None:
            return False
        red = game["red_pile"] - (counts.get("red", team["red"]) - team["red"])
        purple = game["purple_pile"] - (counts.get("purple", team["purple"]) - team["purple"])
        return red >= 0 and purple >= 0

    def correct(self, seat: int, counts: dict[str, int], at: int) -> None:
        game, team = self.game, self.game["teams"][seat]
        for colour in ("red", "purple"):
            if colour in counts:
                game[f"{colour}_pile"] -= counts[colour] - team[colour]
                team[colour] = counts[colour]
        if "one_points" in counts:
            team["points"] += counts["one_points"] - team["one_points"]
            team["one_points"] = counts["one_points"]
        self.say("corrected")
        if not self.ended_by_points(at):
            self.ended_by_purple(at)
