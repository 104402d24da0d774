"""The oracle's reading of the rules page, section 7 apart: turns, taps, rows, downloads, attacks, search, the end."""

from __future__ import annotations

from .deck import ACCESS, ATTACK, BIG, CATEGORY, POWER, ROWS, kind_of, row_of, seat_teams
from .state import Game, NoEffect, Refusal, Team

BLOCKS = ("virus", "password-error", "under-construction")


class Turns:
    """Sections 2-6 and 8-11 of the rules page; a part of Oracle, which has the attributes."""

    # ---- 2 seats, teams, turn order

    def new_game(self, last: Game | None, at: int) -> Game:
        """R2.3, R2.4: a game dealt; on turn is who the rules say, or nobody yet."""
        teams = [Team(seats) for seats in seat_teams(self.players, self.settings["teams"])]
        hands = dict.fromkeys(range(1, self.players + 1), 7)
        game = Game(teams, hands, 112 - 7 * self.players, None if last is None else last.last_winner)
        if game.last_winner is not None:
            starter = game.last_winner
            if self.edition["starter"] == "left":
                starter = starter % self.players + 1
            self.notes[f"next starter by the last winner, {self.edition['starter']}"] += 1
            if last is not None and last.outcome is None:
                self.notes["next starter after an unfinished game by the last known winner"] += 1
            self.start(game, starter, at)
        elif self.starter is not None:
            self.start(game, self.starter, at)
        return game

    def start(self, game: Game, seat: int, at: int) -> None:
        if self.settings["time_limit_s"] is not None:
            game.ends = at + self.settings["time_limit_s"]
        self.begin_turn(game, self.order.index(seat), at)

    def team_of(self, seat: int) -> int:
        return next(n for n, team in enumerate(self.game.teams) if seat in team.seats)

    def my_team(self) -> int:
        assert self.game.seat is not None
        return self.team_of(self.game.seat)

    def owner(self, pad: int | str) -> int | str:
        """The team whose pad it is, or "discard"."""
        return "discard" if pad == "discard" else self.team_of(int(pad))

    # ---- 3 the turn

    def begin_turn(self, game: Game, place: int, at: int) -> None:
        game.place = place
        game.seat = self.order[place]
        game.began = at
        game.downloads = 0
        game.discards = 0
        game.played = False
        game.attacked = []
        game.pending = None
        game.window = None
        game.owed = 0
        game.exchanges = [each for each in game.exchanges if each[0] != game.seat]
        self.draw(game, max(0, 7 - game.hands[game.seat]))

    def draw(self, game: Game, count: int) -> None:
        """Draw for the player on turn; what the pile can't give is owed (R9.2)."""
        assert game.seat is not None
        drawn = min(count, game.pile)
        game.pile -= drawn
        game.hands[game.seat] += drawn
        game.owed += count - drawn
        if count > drawn:
            self.notes["R9.2 cards owed"] += 1

    def stop(self, at: int) -> str:
        """R3.4: the own button."""
        game = self.game
        if not game.played:
            before = game.owed
            self.draw(game, game.discards)
            if game.owed > before:
                game.exchanges.append([game.seat, game.owed - before])
                self.notes["R9.2 cards owed to an exchange"] += 1
            game.owed = before
            self.notes[f"R3.1 exchange of {game.discards}"] += 1
        if game.time_up:
            self.end_by_time()
            return "R3.4"
        place = (game.place + 1) % len(self.order)
        while self.order[place] in game.skips:
            game.skips.remove(self.order[place])
            self.notes["R7.3 a turn skipped"] += 1
            place = (place + 1) % len(self.order)
        self.begin_turn(game, place, at)
        return "R3.4"

    def option_b(self) -> None:
        """R3.6: the first card that shows option B: the 8th counts as drawn."""
        if not self.game.played:
            self.game.played = True
            self.draw(self.game, 1)

    def hand_left(self, *, play: bool) -> int:
        """R3.8: cards the player on turn may still tap, the 8th included if this tap would show option B."""
        game = self.game
        assert game.seat is not None
        eighth = 1 if play and not game.played and game.pile > 0 else 0
        return game.hands[game.seat] + eighth

    # ---- presses

    def press(self, seat: int, at: int, pressed: int, uncertainty: int) -> str:
        game = self.game
        if game.outcome is not None:
            raise NoEffect("R3.7")
        if game.seat is None:
            self.start(game, seat, at)
            return "R2.3"
        if game.window is not None:
            return self.buzz(game.window, seat, at, pressed, uncertainty)
        if seat != game.seat or pressed < game.began:
            raise NoEffect("R3.7")
        if game.pending is not None:
            if pressed < game.pending_since:
                self.notes["R3.7 a press made before the pending hack or search"] += 1
                raise NoEffect("R3.7")
            rule = "R7.10" if game.pending == "hack" else "R8.2"
            game.pending = None
            return rule
        return self.stop(at)

    def hold(self, card: str, pad: int | str) -> str:
        """R5.5: a backup."""
        game = self.game
        kind = kind_of(card)
        if game.outcome is not None or game.seat is None or pad == "discard" or kind not in CATEGORY:
            raise NoEffect("R5.5")
        team = game.teams[self.my_team()]
        enough = max(1, self.settings["quotas"][kind])
        if (
            pad not in team.seats
            or card not in team.rows[kind]
            or kind in team.backed_up
            or len(team.rows[kind]) < enough
        ):
            raise NoEffect("R5.5")
        team.backed_up.append(kind)
        if game.window is not None or game.pending is not None:
            self.notes["R5.5 backup in a window or with something pending"] += 1
        return "R5.5"

    # ---- 11 a tap

    def where(self, card: str) -> tuple[int | str, str] | None:
        """("discard", "") or (team, row); None for a hidden card."""
        if card in self.game.discard:
            return "discard", ""
        for number, team in enumerate(self.game.teams):
            for row in ROWS:
                if card in team.rows[row]:
                    return number, row
        return None

    def tap(self, card: str, pad: int | str, at: int, uncertainty: int) -> str:
        game = self.game
        if game.outcome is not None:
            raise Refusal("R10.1")
        if game.seat is None:
            raise Refusal("R2.3")
        lies = self.where(card)
        if lies is not None:
            if self.owner(pad) == lies[0]:
                raise NoEffect("R11")
            if game.pending != "hack":
                raise Refusal("R11")
            return self.hack(card, lies, pad, at)
        kind = kind_of(card)
        if kind == "cyber-patrol" and game.window is not None and pad != "discard":
            return self.show_patrol(game.window, card, int(pad), at, uncertainty)
        if kind in ACCESS and (self.owner(pad), row_of(kind)) in game.attacked:
            return self.react(card, int(pad))
        if game.window is not None:
            raise Refusal("R7.1")
        if game.pending == "hack":
            raise Refusal("R7.7")
        if game.pending == "search":
            return self.lay_searched(card, pad, at)
        if pad == "discard":
            return self.discard_plainly(card)
        if game.discards >= 2:
            raise Refusal("R3.3")
        if self.hand_left(play=True) == 0:
            self.notes["R3.8 in option B" if game.played else "R3.8 before option B"] += 1
            raise Refusal("R3.8")
        rule = self.check_play(kind, int(pad))
        self.option_b()
        game.hands[game.seat] -= 1
        self.lay(card, int(pad), at)
        return rule

    def discard_plainly(self, card: str) -> str:
        game = self.game
        assert game.seat is not None
        if game.played and game.discards >= 1:
            raise Refusal("R3.3")
        if self.hand_left(play=False) == 0:
            self.notes["R3.8 in option B" if game.played else "R3.8 in an exchange"] += 1
            raise Refusal("R3.8")
        game.discards += 1
        game.hands[game.seat] -= 1
        game.discard.append(card)
        return "R3.3"

    def check_play(self, kind: str, pad: int) -> str:
        """Check a hand card or searched card of the player on turn on a seat's pad; return the rule that permits it, or
        raise the refusal."""
        target = self.team_of(pad)
        mine = target == self.my_team()
        if kind in ACCESS:
            if not mine:
                raise Refusal("R6.2")
            return self.check_access(kind, target)
        if kind in CATEGORY:
            if not mine:
                raise Refusal("R5.1")
            return self.check_download(kind)
        if kind == "cyber-patrol":
            raise Refusal("R7.6")
        if kind in POWER:
            rule = "R7.1" if kind == "hacker" else "R8.1"
            if not mine:
                raise Refusal(rule)
            return rule
        return self.check_attack(kind, target)

    def lay(self, card: str, pad: int, at: int) -> None:
        """Lay the card where it was tapped, with all consequences."""
        game = self.game
        assert game.seat is not None
        kind = kind_of(card)
        if kind == "hacker":
            game.discard.append(card)
            self.open_window(card, at)
            return
        if kind == "search":
            game.discard.append(card)
            self.begin_search(at)
            return
        target = self.team_of(pad)
        team = game.teams[target]
        team.rows[row_of(kind)].append(card)
        if kind in ATTACK and (target, row_of(kind)) not in game.attacked:
            game.attacked.append((target, row_of(kind)))
        if kind in CATEGORY:
            if target == self.my_team():
                game.downloads += 1
                team.last_downloader = game.seat
            else:
                team.last_downloader = pad
            self.check_quotas(target)

    # ---- 4 own rows

    def check_access(self, kind: str, target: int) -> str:
        connection = self.game.teams[target].top("connection")
        memory = self.game.teams[target].top("memory")
        if kind == "online":
            rule, legal = "R4.1", connection is None or connection in ("under-construction", "password-ok", "antivirus")
        elif kind == "turbo-line":
            rule = "R4.2"
            legal = connection is None or connection in ("under-construction", "password-ok", "antivirus", "online")
        elif kind == "extra-memory":
            rule, legal = "R4.3", memory is None or memory == "memory-full"
        elif kind == "password-ok":
            rule, legal = "R4.4", connection == "password-error"
        else:
            rule, legal = "R4.4", connection == "virus"
        if not legal:
            raise Refusal(rule)
        return rule

    # ---- 5 downloads

    def check_download(self, kind: str) -> str:
        game = self.game
        team = game.teams[self.my_team()]
        if team.line() != "up":
            raise Refusal("R5.1")
        if kind in BIG and team.top("memory") != "extra-memory":
            raise Refusal("R5.3")
        if kind in team.backed_up:
            raise Refusal("R5.5")
        if game.downloads >= team.rate():
            raise Refusal("R5.2")
        return "R5.1"

    # ---- 6 attacks

    def check_attack(self, kind: str, target: int) -> str:
        team = self.game.teams[target]
        if target == self.my_team():
            raise Refusal("R6.1")
        if kind == "memory-full" and team.top("memory") != "extra-memory":
            raise Refusal("R6.1")
        if kind in BLOCKS and team.top("connection") not in ("online", "turbo-line"):
            raise Refusal("R6.1")
        return "R6.1"

    def close_reactions(self) -> None:
        """R6.2: only until the row is up or open again."""
        for number, row in list(self.game.attacked):
            if self.game.teams[number].top(row) in ("online", "turbo-line", "extra-memory"):
                self.game.attacked.remove((number, row))
                self.notes[f"R6.2 a {row} row is put right"] += 1

    def react(self, card: str, pad: int) -> str:
        """R6.2: an access card of an attacked team, out of turn, on the row that was attacked."""
        game = self.game
        shown = game.window is not None and pad in game.window.shown  # a patrol that waits for its claim (R7.5)
        if game.hands[pad] == shown:
            self.notes["R3.8 in the reaction, but for a shown patrol" if shown else "R3.8 in the reaction"] += 1
            raise Refusal("R3.8")
        target = self.team_of(pad)
        self.check_access(kind_of(card), target)
        game.hands[pad] -= 1
        game.teams[target].rows[row_of(kind_of(card))].append(card)
        if game.window is not None or game.pending is not None:
            self.notes[f"R6.2 reaction in a {'window' if game.window else 'pending ' + str(game.pending)}"] += 1
        return "R6.2"

    # ---- 8 search

    def begin_search(self, at: int) -> None:
        self.game.pending = "search"
        self.game.pending_since = at
        if self.game.pile == 0:
            self.notes["R8.1 search with an empty pile"] += 1

    def lay_searched(self, card: str, pad: int | str, at: int) -> str:
        game = self.game
        kind = kind_of(card)
        if pad == "discard" and self.edition["search"] != "play-or-discard":
            raise Refusal("R8.1")
        if kind in POWER and pad != "discard" and self.edition["search"] == "row":
            raise Refusal("R8.1")
        if game.pile == 0:
            raise Refusal("R9.2")
        if pad != "discard":
            self.check_play(kind, int(pad))
        self.notes[f"R8.1 searched {self.group(kind)} {'discarded' if pad == 'discard' else 'played'}"] += 1
        game.pile -= 1
        game.pending = None
        if pad == "discard":
            game.discard.append(card)
        else:
            self.lay(card, int(pad), at)
        return "R8.1"

    # ---- 9 empty draw pile

    def reshuffle(self) -> None:
        game = self.game
        if game.outcome is not None:
            raise Refusal("R10.1")
        if game.seat is None:
            raise Refusal("R2.3")
        if game.window is not None:
            self.notes["R9.2 reshuffle in a window"] += 1
        if game.pending is not None:
            self.notes[f"R9.2 reshuffle with a pending {game.pending}"] += 1
        if game.owed:
            self.notes["R9.2 owed cards drawn"] += 1
        game.pile += len(game.discard)
        game.discard = []
        for team in game.teams:
            for row in ("connection", "memory"):
                game.pile += len(team.rows[row][:-1])
                team.rows[row] = team.rows[row][-1:]
        if game.exchanges:
            self.notes["R9.2 an exchange gets its cards after its turn"] += 1
        for each in game.exchanges:
            drawn = min(each[1], game.pile)
            game.pile -= drawn
            game.hands[each[0]] += drawn
            each[1] -= drawn
        game.exchanges = [each for each in game.exchanges if each[1]]
        owed, game.owed = game.owed, 0
        self.draw(game, owed)
        self.history = []

    # ---- 10 end and score

    def check_quotas(self, number: int) -> None:
        """R10.1 for the team that has just got a card."""
        game = self.game
        team = game.teams[number]
        if any(len(team.rows[kind]) < quota for kind, quota in self.settings["quotas"].items()):
            return
        if number != self.my_team():
            self.notes["R10.1 won by a gift"] += 1
        game.last_winner = team.last_downloader
        others = [other for other in game.teams if other is not team]
        places = [(1, team)]
        places += [(2 + sum(better.mb() > other.mb() for better in others), other) for other in others]
        self.end("quotas", places)

    def end_by_agreement(self) -> None:
        """R10.5 of docs/referee.md: the players end the game, wherever it is."""
        game = self.game
        if game.outcome is not None:
            raise Refusal("R10.1")
        if game.seat is None:
            raise Refusal("R2.3")
        if self.paused_at is not None:
            self.notes["R10.5 in a pause"] += 1
        if game.window is not None or game.pending is not None:
            self.notes[f"R10.5 in a {'window' if game.window else 'pending ' + str(game.pending)}"] += 1
        self.end_as_it_stands("agreement")

    def end_by_time(self) -> None:
        """R10.3: time was up, the turn is finished."""
        self.end_as_it_stands("time")

    def end_as_it_stands(self, by: str) -> None:
        teams = self.game.teams

        def worth(team: Team) -> int:
            return team.mb() if self.edition["time"] == "mb" else team.category_cards()

        places = [(1 + sum(worth(better) > worth(team) for better in teams), team) for team in teams]
        best = [team for place, team in places if place == 1]
        if len(best) == 1:
            downloader = best[0].last_downloader
            self.game.last_winner = best[0].seats[0] if downloader is None else downloader
            self.notes[f"R10.3 won by {by}"] += 1
        else:
            self.notes[f"R10.3 shared first place by {by}"] += 1
        self.end(by, places)

    def end(self, by: str, places: list[tuple[int, Team]]) -> None:
        places = sorted(places, key=lambda one: (one[0], one[1].seats))
        self.game.window = None
        self.game.pending = None
        self.game.outcome = {
            "winner": sorted(seat for place, team in places if place == 1 for seat in team.seats),
            "by": by,
            "ranking": [{"seats": team.seats, "mb": team.mb(), "place": place} for place, team in places],
        }
        self.notes[f"R10 ended by {by}"] += 1
