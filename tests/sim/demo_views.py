"""Views of a table that nobody has to play for: everything that can stand on the demo's screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from PIL import Image
from taptable.core.agreed import Agreed
from taptable.core.player import Heap
from taptable.core.scoreboard import Count, Mark, TeamScore
from taptable.edges.cues.screens import hint_of
from taptable.games.registry import find_game, package_of
from taptable.sim.demo.views import Own, Said, SeatView, Show, TeamView, View, WindowView
from taptable.sim.scenes import moments_of
from taptable.words import Vocabulary, Words

TEAMS = {2: ((1,), (2,)), 4: ((1, 3), (2, 4)), 6: ((1, 4), (2, 5), (3, 6))}
SOLO = ((1,), (2,), (3,), (4,))
ROWS = ("connection", "memory", "email", "music", "game", "movie")
CARDS = ("online#1", "under-construction#1", "turbo-line#2")
HAND = ("password-error#1", "under-construction#2", "email#3", "memory-full#1", "online#5", "movie#2", "hacker#1")


def view(players: int = 4, teams: tuple[tuple[int, ...], ...] | None = None, **changed: object) -> View:
    """A table in the midst of a game, seat 2 on turn."""
    seats = [seat_view(seat, ring="your-turn" if seat == 2 else "idle") for seat in range(1, players + 1)]
    everything: Mapping[str, object] = {
        "show": Show("online", Agreed(players, "de", {}, None), 7, ()),
        "speed": 3.0,
        "glass": Image.new("1", (128, 64), 1),
        "seats": tuple(seats),
        "teams": tuple(team_view(seats, 125 * index) for index, seats in enumerate(teams or TEAMS[players])),
        "unit": "MB",
        "middle": (Heap("discard-pile", (), ("virus#1", "under-construction#3")),),
        "stock": (Count("draw-pile", 63),),
        "window": None,
        "pending": None,
        "hint": None,
        "reshuffles": False,
        "sound": None,
        "paused": False,
        "over": False,
        "log": tuple(Said(f"Sentence {number} of the table, " + 9 * "a long one ", "", "·") for number in range(40)),
    }
    return View(**{**everything, **changed})  # type: ignore[arg-type]


def seat_view(seat: int, **changed: object) -> SeatView:
    on_turn = seat == 2
    everything: Mapping[str, object] = {
        "seat": seat,
        "on_turn": on_turn,
        "ring": "idle",
        "ring_left": None,
        "lamp": "on-turn" if on_turn else "off",
        "lit": on_turn,
        "meaning": "stop" if on_turn else None,
        "hand": (Count("hand", 7),),
    }
    return SeatView(**{**everything, **changed})  # type: ignore[arg-type]


def team_view(seats: tuple[int, ...], score: int) -> TeamView:
    marks = (Mark("email", 7, 6, True), Mark("music", 2, 4), Mark("game", 0, 2), Mark("movie", 2, 2))
    rows = tuple(Heap(place, seats, CARDS if place in ("connection", "memory") else ()) for place in ROWS)
    return TeamView(TeamScore(seats, score, marks, "up", 2), rows)


def decided(team: TeamView, place: int, cards: int) -> TeamView:
    """A team at the end of a game that category cards decided."""
    return replace(team, score=replace(team.score, place=place, decisive=Count("category-cards", cards)))


def own(seat: int = 2, **changed: object) -> Own:
    everything: Mapping[str, object] = {
        "seat": seat,
        "heaps": (Heap("hand", (seat,), HAND), Heap("connection", (1, 3), CARDS)),
        "chosen": HAND[1],
        "asking_pad": False,
    }
    return Own(**{**everything, **changed})  # type: ignore[arg-type]


def views() -> Mapping[str, View]:
    """One of each kind, by name."""
    window, claim = WindowView(2, None, 3.4, 5.0), WindowView(2, 1, 7.25, 10.0)
    refused = Said("Refused (R4.1): Online, seat 2. " + 6 * "This line is up already. ", "class:bad", "✗")
    ringing = tuple(seat_view(seat, ring="window", ring_left=seat / 4, lamp="may-buzz") for seat in (1, 2, 3))
    return {
        "2 players": view(2),
        "4 players": view(),
        "4 alone": view(4, SOLO),
        "6 players": view(6),
        "window": view(6, window=window, sound="tick"),
        "claim": view(window=claim, sound="claim"),
        "hack": view(pending="hack", sound="accepted"),
        "paused": view(paused=True),
        "over": view(over=True),
        "over by cards": replace(view(over=True), teams=tuple(map(decided, view().teams, (2, 1), (9, 11)))),
        "compact": view(seats=tuple(seat_view(seat, ring=None) for seat in range(1, 5))),
        "ringing": view(seats=(*ringing, seat_view(4, ring="holding", ring_left=0.3))),
        "a person": view(own=own()),
        "a person is asked for a pad": view(own=own(asking_pad=True)),
        "a person was refused": view(own=own(answer=(refused,))),
        "a person with nothing": view(own=own(heaps=(), chosen=None)),
        "a person asked twice": view(own=own(asked="n")),
        "help": view(helping=True),
    }


DEMAND = (
    Heap("demand-1-1", (), ("art-1#1",)),
    Heap("demand-1-2", (), ()),
    Heap("demand-1-3", (), ("news-9#2",)),
    Heap("demand-2-1", (), ("music-7#1",), "x", 3),
    Heap("demand-2-2", (), ()),
    Heap("demand-3-1", (), ("science-4#1",)),
    Heap("paid", (), ("art-2#1", "sports-9#1")),
    Heap("discard-pile", (), ("games-3#1", "games-4#1")),
)
SERVERS = (("server-1", ("music-2#1", "music-3#1"), ""), ("server-2", ("art-3#1",), "specialist"), ("server-3", (), ""))
ACTIONS = ("demand-new-1", "demand-replace", "swap", "buy-users-1", "buy-server", "buy-net", "to-hand")
TOPICS = tuple(f"{topic}-{number}#1" for number in (8, 9) for topic in ("art", "music", "news", "business", "sports"))


def view_of(game: str, moment: str, **changed: object) -> View:
    """A table of another game, as one of its moments."""
    board = moments_of(game).boards[moment]
    rows = {
        "xnet": tuple((place, cards, token) for place, cards, token in SERVERS),
        "cyber-siege": (("sets", ("set-1#1", "set-3#2"), ""), ("laying", (), "")),
    }[game]
    middle = {"xnet": DEMAND, "cyber-siege": (Heap("discard-pile", (), ("1.3#1", "3.1#2")),)}[game]
    everything: Mapping[str, object] = {
        "show": Show(game, Agreed(len(board.hands), "standard", {}, None), 7, ()),
        "seats": tuple(
            seat_view(seat, on_turn=seat == board.seat, hand=hand, meaning="break-off" if seat == board.seat else None)
            for seat, hand in enumerate(board.hands, 1)
        ),
        "teams": tuple(
            TeamView(team, tuple(Heap(place, team.seats, cards, token) for place, cards, token in rows))
            for team in board.teams
        ),
        "unit": board.unit,
        "middle": middle,
        "stock": board.stock,
        "pending": board.pending,
        "hint": hint_of(board, Words("en", Vocabulary((package_of(game),), find_game(game).pack("")))),
    }
    return replace(view(), **{**everything, **changed})  # type: ignore[arg-type]


def views_of_others() -> Mapping[str, View]:
    """What only other games have, by name."""
    person = own(1, heaps=(Heap("hand", (1,), TOPICS),), chosen=TOPICS[-1], offers=ACTIONS, pads=("demand",))
    defence = WindowView(2, None, 7.0, 10.0, "defence")
    return {
        "xnet 6 players": view_of("xnet", "play-6"),
        "xnet paying": view_of("xnet", "paying", own=person),
        "xnet asked for a pad": view_of("xnet", "play-3", own=replace(person, asking_pad=True)),
        "xnet actions": view_of("xnet", "play-4", own=replace(person, offered="buy-server")),
        "xnet help": view_of("xnet", "play-4", helping=True),
        "siege": view_of("cyber-siege", "play-4"),
        "siege defence": view_of("cyber-siege", "defence", window=defence),
        "siege help": view_of("cyber-siege", "play-4", helping=True),
    }
