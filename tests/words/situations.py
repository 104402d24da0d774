"""A situation at the table for every code of ONLINE's verdicts: each ends with the verdict of its name."""

from __future__ import annotations

from collections.abc import Callable

from games.online.table import Game, quotas
from games.table import Played
from taptable.core.observations import Arrangement, CardsTogether, SeatVacated, TableCorrected
from taptable.games.registry import GAMES

Situation = Callable[[], Played]
SITUATIONS: dict[str, list[Situation]] = {}
"""The situations by code; several where the code has sentences of different wording."""


def _ends_with(
    code: str, acts: str, *tells: Callable[[int], Arrangement | CardsTogether], **game_options: object
) -> None:
    """Register a situation: the moves of a game in the words of its tests, methods with their arguments; then the
    observations that no line can express."""

    def play() -> Game:
        game = Game(**game_options)
        for act in filter(None, acts.split("; ")):
            name, *arguments = act.split()
            getattr(game, name)(*(int(each) if each.lstrip("-").isdigit() else each for each in arguments))
        for tell in tells:
            game.tell(tell)
        return game

    SITUATIONS.setdefault(code, []).append(play)


def _elsewhere() -> Played:
    """Return a game in which nobody can leave, after an observation that somebody has left."""
    game = Played(next(game for game in GAMES.values() if SeatVacated not in game.arrangements), 3, 1, {})
    game.tell(lambda at_us: SeatVacated(at_us, 1))
    return game


def _only_a_shown_patrol_left() -> Game:
    """Return a game in which seat 2 may repair its memory, but holds only the Cyber Patrol that it has shown in the
    window."""
    game = Game(4)
    game.lay(2, "online", "extra-memory")
    game.advance_to(1)
    game.tap("memory-full", 2)
    game.correct_table(hands=((2, 1),))
    game.show_hacker()
    game.tap("cyber-patrol", 2)
    game.tap("extra-memory", 2)
    return game


_BACKED_UP = quotas(email=1, movie=2)
_TEAM_MATES_MAY_NOT = {"players": 4, "who_may_patrol": "opponents"}
_ATTACKED = "lay 2 online extra-memory; advance_to 1; tap under-construction 2; "

_ends_with("unknown-card", "tap visa")
_ends_with("game-over", "play online email; tap online 1", **quotas(email=1))
_ends_with("waiting-for-youngest", "tap online 1", starter=None)
_ends_with("belongs-in-row", "lay 1 online#1; tap online#1 2", players=4)
_ends_with("belongs-on-discard-pile", "discard virus#1; tap virus#1 1")
_ends_with("hack-own-row", "lay 1 online email#1; hack; tap email#1 discard")
_ends_with(
    "hack-backed-up", "lay 2 online email#1; hold email#1; advance_to 1; hack; tap email#1 discard", **_BACKED_UP
)
_ends_with("hack-not-under-hacker", "hack; tap hacker#1 1")
_ends_with("hack-no-patrol", "discard cyber-patrol#1; tap hacker; wait 6; tap cyber-patrol#1 1")
_ends_with("hack-top-only", "lay 2 online email#1 email#2; advance_to 1; hack; tap email#1 discard")
_ends_with("hack-never-for-oneself", "lay 2 online email#1; advance_to 1; hack; tap email#1 1", edition="en")
_ends_with("hack-line-not-up", "lay 2 online email#1; advance_to 1; hack; tap email#1 1")
_ends_with("gift-line-not-up", "lay 2 online email#1; advance_to 1; hack; tap email#1 3", players=3)
_ends_with(
    "gift-memory-not-open",
    "lay 2 online extra-memory movie#1; lay 3 online; advance_to 1; hack; tap movie#1 3",
    players=3,
)
_ends_with(
    "gift-row-backed-up",
    "lay 3 online email#1; hold email#1; lay 2 online email#2; advance_to 1; hack; tap email#2 3",
    players=3,
    **_BACKED_UP,
)
_ends_with("patrol-locked-out", "show_hacker; press 2; wait 2; tap cyber-patrol 2", claim_s=1)
_ends_with("patrol-by-hacker", "show_hacker; tap cyber-patrol 1")
_ends_with("patrol-by-team-mate", "show_hacker; tap cyber-patrol 3", **_TEAM_MATES_MAY_NOT)
_ends_with("patrol-too-late", "show_hacker; wait 6; tap cyber-patrol 2", settle_s=1, patrol_window_s=5.5)
_ends_with("window-open", "show_hacker; tap online")
_ends_with("hack-pending", "hack; tap online")
_ends_with("searched-onto-row", "play search; tap hacker")
_ends_with("searched-not-discarded", "play search; tap online discard")
_ends_with("draw-pile-used-up", "drain; play search; tap online", players=6)
_ends_with("exchange-begun", "discard virus; discard virus; tap online")
_ends_with("one-discard-only", "play online; discard virus; discard virus")
_ends_with("hand-used-up", "waste_hand 0; tap turbo-line")
SITUATIONS["hand-used-up"].append(_only_a_shown_patrol_left)
_ends_with("access-on-other-pad", "tap online 2", players=4)
_ends_with("row-not-attacked", _ATTACKED + "tap extra-memory 2")
_ends_with("line-up-again", _ATTACKED + "tap online 2; tap turbo-line 2")
_ends_with("put-right-already", _ATTACKED + "tap online#3 2; hack; tap online#3 discard; tap turbo-line 2")
_ends_with("memory-open-again", _ATTACKED + "tap memory-full 2; tap extra-memory 2; tap extra-memory 2")
_ends_with("category-on-other-pad", "tap email 2", players=6, teams="two")
_ends_with("hacker-on-other-pad", "tap hacker 2")
_ends_with("search-on-other-pad", "tap search 2")
_ends_with("patrol-without-hacker", "tap cyber-patrol")
_ends_with("attack-on-own-team", "tap virus 3", players=4)
_ends_with("line-already-open", "lay 1 online; tap online")
_ends_with("line-already-open", "lay 1 turbo-line; tap online")
_ends_with("line-has-password-error", "lay 1 online password-error; tap online")
_ends_with("line-has-virus", "lay 1 online virus; tap online")
_ends_with("turbo-already-there", "lay 1 turbo-line; tap turbo-line")
_ends_with("turbo-password-error", "lay 1 online password-error; tap turbo-line")
_ends_with("turbo-virus", "lay 1 online virus; tap turbo-line")
_ends_with("memory-already-open", "lay 1 extra-memory; tap extra-memory")
_ends_with("no-password-error", "tap password-ok")
_ends_with("no-virus", "tap antivirus")
_ends_with("no-line-to-attack", "tap under-construction 2")
_ends_with("no-memory-to-attack", "tap memory-full 2")
_ends_with("line-not-up", "tap email")
_ends_with("line-not-up", "lay 1 online virus; tap email")
_ends_with("line-not-up", "lay 1 online password-error; tap email")
_ends_with("line-not-up", "lay 1 online under-construction; tap email")
_ends_with("memory-not-open", "lay 1 online; tap movie")
_ends_with("row-backed-up", "lay 1 online email#1; hold email#1; tap email#2", **_BACKED_UP)
_ends_with("rate-used-up", "lay 1 online; tap email; tap email")
_ends_with("rate-used-up", "lay 1 turbo-line; tap email; tap music; tap email")
_ends_with("already-there", "tap online#1; tap online#1")
_ends_with("nothing-to-back-up", "hold email")
_ends_with("shown-already", "show_hacker; press 2; tap cyber-patrol#1 2; tap cyber-patrol#2 2")
_ends_with("own-window", "show_hacker; press 1")
_ends_with("locked-out", "show_hacker; press 2; wait 2; press 2", claim_s=1)
_ends_with("pressed-already", "show_hacker; press 2; press 2")
_ends_with("pressed-too-early", "show_hacker; press 2 -1")
_ends_with("pressed-too-late", "show_hacker; wait 6; press 2 6", settle_s=1, patrol_window_s=5.5)
_ends_with("may-not-patrol", "show_hacker; press 3", **_TEAM_MATES_MAY_NOT)
_ends_with("not-on-turn", "press 2")
_ends_with("game-is-over", "play online email; press 1", **quotas(email=1))
_ends_with("paused", "control pause; tap online")
_ends_with("nothing-to-take-back", "control take-back")
_ends_with("paused-already", "control pause; control pause")
_ends_with("not-paused", "control resume")
_ends_with("cant-be-agreed", "set_up 7")
_ends_with("card-lost", "lose virus#1; tap virus#1 2")
_ends_with("lost-with-empty-pile", "drain; lose online", players=6)
_ends_with("lost-already", "lose virus#1; lose virus#1")
_ends_with("not-lost", "lose virus#1; recover virus#1; recover virus#1")
_ends_with("nobody-plays-there", "vacate 3; tap virus 3", players=3)
_ends_with("seat-left", "vacate 3; press 3", players=3)
_ends_with("seat-left", "waste_hand 0; vacate 1; press 1", players=3)
_ends_with("vacated-already", "vacate 3; vacate 3", players=3)
_ends_with("one-at-a-time", "tap online#1", lambda at_us: CardsTogether(at_us, ("online#1", "virus#1"), 1, at_us))
_ends_with("counts-too-high", "", lambda at_us: TableCorrected(at_us, (), (), ((1, 112),)))
_ends_with(
    "lies-in-no-row",
    "",
    lambda at_us: TableCorrected(at_us, (("email#1", 2),), (), ()),
    lambda at_us: TableCorrected(at_us, (("hacker#1", 1),), (), ()),
)
SITUATIONS["not-in-this-game"] = [_elsewhere]
