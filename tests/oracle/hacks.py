"""The oracle's reading of section 7 of the rules page: the window, the claim, the patrol, and the hack."""

from __future__ import annotations

from .deck import ACCESS, ATTACK, BIG, CATEGORY, POWER, kind_of
from .state import NoEffect, Refusal, Window


def beats(one: dict, other: dict) -> bool:
    """R7.2: one press is certainly before the other."""
    apart = other["pressed"] - one["pressed"]
    return apart > 0 and apart >= one["uncertainty"] + other["uncertainty"]


class Hacks:
    """R7; a part of Oracle, which has the attributes."""

    # ---- 7 hacker and cyber patrol

    def open_window(self, card: str, at: int) -> None:
        game = self.game
        assert game.seat is not None
        game.hacker_card = card
        game.window = Window(game.seat, at, at + self.settings["patrol_window_s"])

    def may_patrol(self, window: Window, seat: int) -> bool:
        if self.settings["who_may_patrol"] == "opponents":
            return self.team_of(seat) != self.team_of(window.hacker)
        return seat != window.hacker

    def buzz(self, window: Window, seat: int, at: int, pressed: int, uncertainty: int) -> str:
        """R7.2: a press in the window."""
        if not self.may_patrol(window, seat) or seat in window.locked_out or seat in window.pressed:
            raise NoEffect("R3.7")
        if not window.opened <= pressed < window.closes:
            self.notes["R7.2 pressed before or after the window"] += 1
            raise NoEffect("R7.2")
        if at >= window.closes + self.settings["settle_s"]:
            self.notes["R7.2 arrived after the settling"] += 1
            raise NoEffect("R7.2")
        self.queue_press(window, seat, at, pressed, uncertainty)
        return "R7.2"

    def queue_press(self, window: Window, seat: int, at: int, pressed: int, uncertainty: int) -> None:
        if at >= window.closes:
            self.notes["R7.2 arrived within the settling after the close"] += 1
        if window.claim is not None:
            self.notes["R7.2 queued behind a claim"] += 1
        window.pressed.append(seat)
        window.queue.append({"seat": seat, "pressed": pressed, "uncertainty": uncertainty})
        if window.claim is None and window.name_at is None:
            window.name_at = at + self.settings["settle_s"]

    def window_deadline(self, window: Window) -> tuple:
        if window.claim is not None:
            return window.claim["until"], 1, self.false_alarm
        if window.name_at is not None:
            return window.name_at, 1, self.name_winner
        return window.closes + self.settings["settle_s"], 1, self.begin_hack

    def name_winner(self, at: int) -> None:
        """R7.2, R7.4: the earliest press gets the claim; with its card shown already (R7.5) it is played."""
        window = self.game.window
        assert window is not None
        window.name_at = None
        group = [press for press in window.queue if not any(beats(other, press) for other in window.queue)]
        earliest = min(press["pressed"] for press in window.queue)
        first = [press for press in window.queue if press["pressed"] == earliest]
        if len(group) > 1:
            self.notes["R7.2 a tie"] += 1
            if len(first) > 1:
                self.notes["R7.2 a tie to the microsecond"] += 1
            if len(group) < len(window.queue):
                self.notes["R7.2 a tie with others behind"] += 1
            if any(not any(beats(one, press) for one in first) for press in window.queue if press not in group):
                self.notes["R7.2 beaten by another than the earliest"] += 1
        winner = min(group, key=lambda press: (press["seat"] - window.hacker) % self.players)
        if winner not in first:
            self.notes["R7.2 a tie that goes to a later press"] += 1
        if at > window.closes + self.settings["settle_s"]:
            self.notes["R7.2 named after closes + settle"] += 1
        window.queue.remove(winner)
        seat = winner["seat"]
        self.named.append(seat)
        if seat in window.shown:
            self.notes["R7.5 played at the naming"] += 1
            self.patrol(window.shown[seat], seat, at)
            return
        window.claim = {"seat": seat, "until": at + self.settings["claim_s"]}

    def false_alarm(self, at: int) -> None:
        """R7.4: the claim has run out."""
        window = self.game.window
        assert window is not None
        assert window.claim is not None
        window.locked_out.append(window.claim["seat"])
        window.claim = None
        if window.queue:
            self.notes["R7.4 the next press gets the claim"] += 1
            if len({press["seat"] for press in window.queue} & set(window.shown)):
                self.notes["R7.5 a card waits behind a false alarm"] += 1
            self.name_winner(at)
            return
        closed = window.closes + self.settings["settle_s"]
        if at >= closed:
            self.notes["R7.4 false alarm, then the hack"] += 1
            if at == closed:
                self.notes["R7.4 the claim runs out as the window closes"] += 1
            self.begin_hack(at)
        else:
            self.notes["R7.4 false alarm, the window runs on"] += 1

    def begin_hack(self, at: int) -> None:
        game = self.game
        game.window = None
        game.pending = "hack"
        game.pending_since = at

    def show_patrol(self, window: Window, card: str, seat: int, at: int, uncertainty: int) -> str:
        """R7.3, R7.5: a hidden cyber-patrol on a seat's pad while the window is there. It was laid up to `uncertainty`
        before; what of that time is in the window is the press."""
        if seat in window.locked_out:
            raise Refusal("R7.4")
        if not self.may_patrol(window, seat):
            raise Refusal("R7.2")
        named = window.claim is not None and window.claim["seat"] == seat
        earliest, latest = max(at - uncertainty, window.opened), min(at, window.closes)
        settled = window.closes + self.settings["settle_s"]
        if not named and seat not in window.pressed and (earliest >= window.closes or at >= settled):
            self.notes["R7.4 a patrol tapped after the close"] += 1
            if earliest < window.closes:
                self.notes["R7.5 a patrol known after the settling"] += 1
            raise Refusal("R7.4")
        if seat in window.shown:
            raise NoEffect("R7.5")
        if self.game.hands[seat] == 0:
            self.notes["R3.8 with a patrol"] += 1
            raise Refusal("R3.8")
        if named:
            self.patrol(card, seat, at)
            return "R7.3"
        window.shown[seat] = card
        if seat not in window.pressed:
            if at >= window.closes:
                self.notes["R7.5 a patrol known after the close and perhaps laid before"] += 1
            if at - uncertainty < window.opened:
                self.notes["R7.5 a patrol perhaps laid before the window"] += 1
            if any(earliest < press["pressed"] < latest for press in window.queue):
                self.notes["R7.5 a press while a patrol may have been laid"] += 1
            middle = (earliest + latest) // 2
            self.queue_press(window, seat, at, middle, latest - middle)
        else:
            self.notes["R7.5 card shown after the buzz, before the naming"] += 1
        return "R7.5"

    def patrol(self, card: str, seat: int, at: int) -> None:
        """R7.3: the hacker is stopped."""
        game = self.game
        hacker = game.seat
        assert hacker is not None
        game.hands[seat] = max(0, game.hands[seat] - 1)
        game.discard.append(card)
        game.window = None
        if hacker not in game.skips:
            game.skips.append(hacker)
        if game.time_up:
            self.notes["R10.3 ended by a patrol"] += 1
            self.end_by_time()
            return
        if seat in game.skips:
            self.notes["R7.6 patrol by a player to be skipped"] += 1
        if self.team_of(seat) == self.team_of(hacker):
            self.notes["R7.6 patrol by the hacker's own team"] += 1
        if game.teams[self.team_of(seat)].line() == "blocked":
            self.notes["R7.6 patrol while blocked"] += 1
        place = game.place
        while self.order[place] != seat:
            place = (place + 1) % len(self.order)
        if self.order.count(seat) > 1:
            self.notes[f"R7.3 seat 3 of five patrols, takes its place {place}"] += 1
        self.begin_turn(game, place, at)

    def hack(self, card: str, lies: tuple[int | str, str], pad: int | str, at: int) -> str:
        """R7.7-R7.9, R7.11: a card of the table, tapped elsewhere, with a hack pending."""
        game = self.game
        kind = kind_of(card)
        me = self.my_team()
        target = self.owner(pad)
        whose, row = lies
        if whose == me:
            option = "A"
            if kind not in ATTACK or game.teams[me].rows[row][-1] != card:
                raise Refusal("R7.7")
        elif isinstance(whose, int):
            option = "B"
            if row in game.teams[whose].backed_up:
                raise Refusal("R7.7")
            if game.teams[whose].rows[row][-1] != card:
                if self.settings["hack_reach"] == "top":
                    raise Refusal("R7.8")
                option = "B below the top"
        else:
            option = "C"
            if card != self.under_the_hacker() or kind == "cyber-patrol":
                raise Refusal("R7.7")
        rule = "R7.7"
        if kind in POWER:
            if target != me:
                raise Refusal("R7.1" if kind == "hacker" else "R8.1")
            option = f"C {kind}"
        elif target != "discard":
            assert isinstance(target, int)
            if kind in ACCESS:
                self.check_access(kind, target)
            elif kind in ATTACK:
                self.check_attack(kind, target)
            elif target == me:
                rule = self.check_steal(kind)
            else:
                rule = self.check_gift(kind, target)
        self.notes[f"R7.7 hack {option} of {self.group(kind)} to {self.side(target)}"] += 1
        game.pending = None
        if isinstance(whose, int):
            game.teams[whose].rows[row].remove(card)
        else:
            game.discard.remove(card)
        if target == "discard":
            game.discard.append(card)
        else:
            self.lay(card, int(pad), at)
        return rule

    def under_the_hacker(self) -> str | None:
        """R7.7 C: the card directly under the hacker card; None if there is none, or after a reshuffle."""
        pile = self.game.discard
        if self.game.hacker_card not in pile or pile.index(self.game.hacker_card) == 0:
            return None
        return pile[pile.index(self.game.hacker_card) - 1]

    def check_steal(self, kind: str) -> str:
        """R7.9: a hacked category card for oneself."""
        game = self.game
        team = game.teams[self.my_team()]
        if self.edition["steal"] == "never" or team.line() != "up":
            raise Refusal("R7.9")
        if kind in BIG and team.top("memory") != "extra-memory":
            raise Refusal("R5.3")
        if kind in team.backed_up:
            raise Refusal("R5.5")
        if game.downloads >= team.rate():
            raise Refusal("R5.2")
        return "R7.9"

    def check_gift(self, kind: str, target: int) -> str:
        """R7.11: a hacked category card for an opponent."""
        team = self.game.teams[target]
        if team.line() != "up" or (kind in BIG and team.top("memory") != "extra-memory") or kind in team.backed_up:
            raise Refusal("R7.11")
        return "R7.11"

    def group(self, kind: str) -> str:
        return next(
            name
            for name, kinds in (("access", ACCESS), ("attack", ATTACK), ("category", CATEGORY), ("power", POWER))
            if kind in kinds
        )

    def side(self, target: int | str) -> str:
        if target == "discard":
            return "the discard pile"
        return "own rows" if target == self.my_team() else "an opponent"
