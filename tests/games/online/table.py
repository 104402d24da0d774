"""The words of ONLINE's tests in addition to those of every game. This module knows no rule except how to bring a card
to its place."""

from __future__ import annotations

from taptable.core.game_options import GameOptions
from taptable.core.observations import CardLost, CardRecovered, GameSetUp, SeatVacated
from taptable.games.registry import find_game

from games.table import Answer, Played

DECK = {
    "online": 13,
    "turbo-line": 3,
    "password-ok": 8,
    "antivirus": 8,
    "extra-memory": 5,
    "virus": 3,
    "password-error": 3,
    "under-construction": 3,
    "memory-full": 4,
    "email": 22,
    "music": 14,
    "game": 8,
    "movie": 8,
    "hacker": 6,
    "cyber-patrol": 2,
    "search": 2,
}
EDITIONS = ("de", "en", "fr")
"""The editions to test; `nl` is `fr`."""
ATTACKS = ("virus", "password-error", "under-construction", "memory-full")
CATEGORIES = ("email", "music", "game", "movie")

ROADS = {
    "empty": (),
    "online": ("online",),
    "turbo-line": ("turbo-line",),
    "virus": ("online", "virus"),
    "password-error": ("online", "password-error"),
    "under-construction": ("online", "under-construction"),
    "antivirus": ("online", "virus", "antivirus"),
    "password-ok": ("online", "password-error", "password-ok"),
}
"""The cards that bring each kind to the top of a connection row, bottom to top."""

MEMORY_ROADS = {
    "empty": (),
    "extra-memory": ("extra-memory",),
    "memory-full": ("extra-memory", "memory-full"),
}


def quotas(email: int = 0, music: int = 0, game: int = 0, movie: int = 0) -> dict[str, int]:
    """Return settings under which these few cards win."""
    return {"quota_email": email, "quota_music": music, "quota_game": game, "quota_movie": movie}


class Game(Played):
    """A game of ONLINE in progress."""

    def __init__(self, players: int = 2, edition: str = "de", starter: int | None = 1, **settings: object) -> None:
        super().__init__(find_game("online"), players, starter, settings, edition=edition)

    # what players do

    def vacate(self, seat: int) -> Answer:
        """Let a seat's player leave for good."""
        return self.tell(lambda at_us: SeatVacated(at_us, seat))

    def lose(self, card: str) -> Answer:
        return self.tell(lambda at_us: CardLost(at_us, self.find(card)))

    def recover(self, card: str) -> Answer:
        return self.tell(lambda at_us: CardRecovered(at_us, card))

    def set_up(
        self,
        players: int,
        *,
        edition: str = "de",
        starter: int | None = None,
        keep_next_starter: bool = False,
        **settings: object,
    ) -> Answer:
        """Set up a new game with other options."""
        game_options = GameOptions(players, edition, {key: str(value) for key, value in settings.items()}, starter)
        return self.tell(lambda at_us: GameSetUp(at_us, "online", game_options, keep_next_starter))

    # what they do in passing, all of it accepted

    def lay(self, seat: int, *cards: str) -> None:
        """Lay cards on the rows of a seat's team, attacks by an opponent; afterwards this seat has a new turn."""
        team = self.team(seat)["seats"]
        opponent = next(other for other in range(1, self.players + 1) if other not in team)
        for card in cards:
            if card.partition("#")[0] in ATTACKS:
                self.advance_to(opponent)
                self.play(card, pad=seat)
                continue
            self.advance_to(seat)
            if card.partition("#")[0] in CATEGORIES and self.state["turn"]["downloads"] >= self.team(seat)["rate"]:
                self.next_turn_of(seat)
            self.play(card)
        self.next_turn_of(seat)

    def show_hacker(self, card: str = "hacker") -> str:
        """Show a hacker, whose window runs then; return the card's id."""
        card = self.find(card)
        self.play(card)
        return card

    def hack(self, card: str = "hacker") -> str:
        """Show a hacker that nobody stops, so that the hack is pending; return the card's id."""
        card = self.show_hacker(card)
        self.until(self.state["window"]["closes_at"] + 1)
        assert self.state["pending"] == "hack"
        return card

    def buzz(self, seat: int, at: float, pressed_at: float | None = None, uncertainty: float = 0) -> None:
        """Let a press that counts arrive at this table time."""
        self.until(at)
        self.press(seat, pressed_at, uncertainty).accepted()

    def show_patrol(self, seat: int, at: float, uncertainty: float) -> Answer:
        """Show a patrol that is known at this table time, at a reader without stamps."""
        self.until(at)
        return self._send(tap=self.find("cyber-patrol"), pad=seat, uncertainty_s=uncertainty)

    def waste_hand(self, leave: int) -> None:
        """Use up the 8 cards of option B at the seat on turn, except `leave` of them: a discard, an `online`, and
        hackers that are waived."""
        self.discard("password-ok").accepted()
        self.play("online")
        while self.hand(self.seat) > leave:
            self.hack()
            self.press().accepted()

    def drain(self, left: int = 0) -> None:
        """Leave `left` cards in the draw pile by exchanges; of each kind the lowest numbers stay hidden."""
        lying = self.visible_cards
        waste = sorted((card for card in self.cards if card not in lying), key=lambda card: int(card.split("#")[1]))
        while (surplus := self.state["draw_pile"] - left) > 0:
            for _ in range(min(7, surplus)):
                self.play(waste.pop(), pad="discard")
            self.stop()
        assert self.state["draw_pile"] == left

    # what is to be seen

    @property
    def claim(self) -> int | None:
        """Return the seat that has the claim."""
        running = self.state["window"]
        return running["claim"]["seat"] if running and running["claim"] else None

    def hand(self, seat: int) -> int:
        return self.team(seat)["hands"][str(seat)]


def window(players: int = 4, **settings: object) -> Game:
    """Return a game in which seat 1 has shown hacker#1 at 10 s; its window runs until 15 s, and presses may arrive for
    30 ms more."""
    game = Game(players, **settings)
    game.wait(10)
    game.show_hacker("hacker#1")
    return game


def three(
    edition: str = "de",
    *,
    seat1: tuple[str, ...] = (),
    seat2: tuple[str, ...] = (),
    seat3: tuple[str, ...] = (),
    **settings: object,
) -> Game:
    """Return a game of three players alone; the rows of seats 2, 3 and 1 are laid, then seat 1 is on turn."""
    game = Game(3, edition, **settings)
    for seat, cards in ((2, seat2), (3, seat3), (1, seat1)):
        if cards:
            game.lay(seat, *cards)
    game.advance_to(1)
    return game
