"""The state of a game of ONLINE: what the table knows. Of hands and the draw pile it knows the counts only (R3.6).
States are immutable; `play` changes drafts. Must not know which moves are allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from taptable.core.drafts import draft
from taptable.core.observations import DISCARD_PAD
from taptable.core.scoreboard import Outcome
from taptable.core.windows import BuzzWindow
from taptable.games.online.cards import CATEGORIES, CONNECTION, KIND_OF, MEMORY, ROWS, Kind
from taptable.games.online.options import Options

NO_ROWS: tuple[tuple[str, ...], ...] = ((),) * len(ROWS)
RATES = {"online": 1, "turbo-line": 2}
"""The downloads that a turn allows, by the kind on top of the connection row; 0 for any other kind (R4, R5.2)."""
LINES = {None: "offline", "online": "up", "turbo-line": "up", "password-ok": "cleared", "antivirus": "cleared"}
"""The state of the line by that kind; ``blocked`` for any other (R4)."""
LOST = "lost"
"""The place of a card that is out of the game (R1.1)."""


@dataclass
class Team:
    """The cards before one team: six rows in the order of `ROWS`, each bottom to top, and the indices of those that are
    backed up. `last_downloader` is the seat that counts as the winner if this team wins now (R2.3)."""

    rows: tuple[tuple[str, ...], ...] = NO_ROWS
    backed_up: frozenset[int] = frozenset()
    last_downloader: int | None = None

    @property
    def connection(self) -> str | None:
        """The kind on top of the connection row."""
        row = self.rows[CONNECTION]
        return KIND_OF[row[-1]].id if row else None

    @property
    def rate(self) -> int:
        """The number of downloads that the line allows in a turn; 0 unless it is up (R4). Scoreboards call it the
        allowance."""
        row = self.rows[CONNECTION]
        return RATES.get(KIND_OF[row[-1]].id, 0) if row else 0

    @property
    def line(self) -> str:
        """``offline``, ``up``, ``blocked`` or ``cleared`` (R4)."""
        return LINES.get(self.connection, "blocked")

    @property
    def memory_open(self) -> bool:
        """Whether the memory allows downloads of big cards (R5.3)."""
        row = self.rows[MEMORY]
        return bool(row) and KIND_OF[row[-1]].id == "extra-memory"

    def is_row_open(self, row: int) -> bool:
        """Return whether the line is up, or the memory open (R4)."""
        return self.rate > 0 if row == CONNECTION else self.memory_open

    @property
    def mb(self) -> int:
        """The score (R10.2)."""
        return sum(kind.mb * len(self.rows[kind.row]) for kind in CATEGORIES)

    @property
    def category_cards(self) -> int:
        """The number of category cards (R10.3, FR)."""
        return sum(len(self.rows[kind.row]) for kind in CATEGORIES)

    def put(self, row: int, card: str) -> None:
        """Put a card on top of a row."""
        self.rows = (*self.rows[:row], (*self.rows[row], card), *self.rows[row + 1 :])

    def take(self, row: int, card: str) -> None:
        """Remove a card from a row."""
        remaining = tuple([other for other in self.rows[row] if other != card])
        self.rows = (*self.rows[:row], remaining, *self.rows[row + 1 :])


@dataclass
class Turn:
    """The running turn. `order_index` is its index in the order of turns, `owed` the number of cards that its player
    couldn't draw in it (R9.2).

    `attacked` are the rows, as team and row, on which an attack was laid in it, `repaired` those of them that have been
    up or open again since their last attack (R6.2)."""

    seat: int
    order_index: int
    began_at_us: int
    downloads: int = 0
    discards: int = 0
    played: bool = False
    owed: int = 0
    attacked: frozenset[tuple[int, int]] = frozenset()
    repaired: frozenset[tuple[int, int]] = frozenset()

    @property
    def mode(self) -> str | None:
        """The option of R3.2 that the cards have shown: ``play``, ``exchange``, or None while it is open."""
        if self.played:
            return "play"
        return "exchange" if self.discards > 1 else None


@dataclass(frozen=True, slots=True)
class Hack:
    """The hacker may execute a hack (R7.7)."""

    began_at_us: int


@dataclass(frozen=True, slots=True)
class Search:
    """A card is taken from the draw pile and must be played at once (R8.1)."""

    began_at_us: int


Pending: TypeAlias = Hack | Search


@dataclass
class State:
    """A whole game. `next_starter` begins the next game by an earlier winner, if this one brings none (R2.3).

    `owed` are the seats whose exchange the draw pile was too short for, in the order of the exchanges, each with the
    number of cards that it draws at the reshuffle, unless its next turn begins before (R9.2).

    `ends_at_us` is the end of the time limit; `time_up` is set once it has passed (R10.3). Nobody plays at the seats
    `vacated` any more (R2.5); the cards `lost`, in the order in which they were missed, are out of the game (R1.1)."""

    options: Options
    teams: tuple[Team, ...]
    hands: tuple[int, ...]
    draw_pile: int
    discard: tuple[str, ...] = ()
    turn: Turn | None = None
    skips: frozenset[int] = frozenset()
    window: BuzzWindow | None = None
    pending: Pending | None = None
    ends_at_us: int | None = None
    time_up: bool = False
    outcome: Outcome | None = None
    next_starter: int | None = None
    vacated: frozenset[int] = frozenset()
    lost: tuple[str, ...] = ()
    owed: tuple[tuple[int, int], ...] = ()

    def player_at(self, pad: int) -> int | None:
        """Return the seat whose hand a tap on this pad comes from, out of turn: the pad's own, or if it is vacated the
        next seat of its team that is played; None if nobody is left of the team (R2.5)."""
        if pad not in self.vacated:
            return pad
        seats = self.options.teams[self.options.team_of(pad)]
        remaining = [seat for seat in seats if seat not in self.vacated]
        return min(remaining, key=lambda seat: (seat - pad) % self.options.players, default=None)

    def has_players(self, team: int) -> bool:
        """Return whether anybody is left of this team (R2.5)."""
        return not self.vacated.issuperset(self.options.teams[team])

    def locate(self, card: str, kind: Kind) -> int | str | None:
        """Return where a card lies: the index of the team whose row it is in, `DISCARD_PAD`, `LOST`, or None while it
        is hidden."""
        if kind.row >= 0:
            for index, team in enumerate(self.teams):
                if card in team.rows[kind.row]:
                    return index
        if card in self.discard:
            return DISCARD_PAD
        return LOST if card in self.lost else None

    def was_attacked(self, team: int) -> bool:
        """Return whether an attack was laid on any row of this team in this turn (R6.2)."""
        return self.turn is not None and any(attacked == team for attacked, _ in self.turn.attacked)

    def may_react(self, team: int, row: int) -> bool:
        """Return whether a team may lay an access card on this row of its own out of turn (R6.2)."""
        turn = self.turn
        if turn is None or not turn.attacked:
            return False
        if self.options.edition.reacts_anywhere:
            return self.was_attacked(team)
        return (team, row) in turn.attacked and (team, row) not in turn.repaired

    def may_back_up(self, team: int, row: int) -> bool:
        """Return whether this category row can be backed up (R5.5)."""
        cards = len(self.teams[team].rows[row])
        return 0 < cards >= self.options.quotas[row - 2] and row not in self.teams[team].backed_up

    def may_patrol(self, hacker: int, seat: int) -> bool:
        """Return whether this seat may stop this hacker (R7.6)."""
        team_of = self.options.team_of
        if seat == hacker or seat in self.vacated:
            return False
        return not (self.options.opponents_only and team_of(seat) == team_of(hacker))

    def free_hand(self, seat: int) -> int:
        """Return a seat's hand by the table's count, less a Cyber Patrol that it has shown and not yet played."""
        press = self.window.press_of(seat) if self.window else None
        return self.hands[seat - 1] - (1 if press is not None and press.shown_card is not None else 0)

    # ---- on drafts only

    def draft_team(self, index: int) -> Team:
        """Replace a team by a draft of it, and return the draft."""
        team = draft(self.teams[index])
        self.teams = (*self.teams[:index], team, *self.teams[index + 1 :])
        return team

    def change_hand(self, seat: int, change: int) -> None:
        """Add this number of cards to a seat's hand."""
        hands = [*self.hands]
        hands[seat - 1] += change
        self.hands = tuple(hands)

    def draw(self, seat: int, count: int) -> int:
        """Draw cards for a seat, as many of this number as the draw pile has, and return how many were drawn."""
        drawn = min(count, self.draw_pile)
        if drawn:
            self.draw_pile -= drawn
            self.change_hand(seat, drawn)
        return drawn

    def owe(self, seat: int, cards: int) -> None:
        """Set the number of cards that the last exchange of this seat is owed; 0 for none."""
        others = tuple(each for each in self.owed if each[0] != seat)
        self.owed = (*others, (seat, cards)) if cards else others
