"""An evening in a process of its own that is killed at a named point. It leaves the journal and the memory of the seat
boards, which have power of their own."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from taptable.core.announcements import ClaimGiven, GameBegan, MoveTakenBack, TurnBegan, WindowClosed
from taptable.core.check_notices import CheckTeam
from taptable.core.game_options import GameOptions
from taptable.core.notices import ConsentAsked
from taptable.core.observations import DISCARD_PAD, GameSetUp
from taptable.core.verdicts import Accepted, Ignored, Verdict
from taptable.drivers.board.board_model import VirtualBoard
from taptable.games.online.announcements import HackerStopped, PilesReshuffled

from table.hal import Passage, watched
from table.rig import (
    Coming,
    GameNight,
    Script,
    a_table,
    begin_turn,
    nothing,
    open_window,
    run_in_given_time,
    running_table,
)

PLAYERS = 3
DEATH = "death.pickle"


@dataclass(frozen=True)
class BoardMemory:
    """A board's memory: the number of its next event, the events that it keeps (number, verb, values), and the tags
    that lie on its pad."""

    next_number: int
    events: tuple[tuple[int, str, tuple[int | str, ...]], ...]
    lying: tuple[str, ...]


@dataclass(frozen=True)
class Death:
    """The state at the moment of a kill: the loop's time, the last announced state of the game, and what the board of
    each seat kept."""

    at_s: float
    state: Any
    boards: Mapping[int, BoardMemory]


@dataclass(frozen=True)
class Point:
    """A point at which the process is killed: as soon as `at` passes below the drivers in the course of `action` once
    it is `ready`, or else right after it; and how the evening continues, in `then`. `told`: by then the daemon has
    announced what is in the journal."""

    ready: Script
    action: Script
    then: Script
    at: Callable[[Passage], bool] | None = None
    told: bool = True
    starter: int | None = 1
    rules: Mapping[str, str] = field(default_factory=dict[str, str])


async def buzz_and_wait(evening: GameNight) -> None:
    await evening.buzz(3)
    await asyncio.sleep(2)


async def in_a_claim(evening: GameNight) -> None:
    await open_window(evening)
    await buzz_and_wait(evening)


async def with_a_hack_pending(evening: GameNight) -> None:
    await open_window(evening)
    await asyncio.sleep(6)


async def with_a_search_pending(evening: GameNight) -> None:
    await begin_turn(evening)
    await evening.tap("search#1", 1)


async def in_a_pause(evening: GameNight) -> None:
    await open_window(evening)
    await evening.control("pause", 2)
    await asyncio.sleep(5)


async def asked_for_a_take_back(evening: GameNight) -> None:
    await begin_turn(evening)
    await evening.control("take-back", 1)
    assert evening.all_told(ConsentAsked)


async def in_a_check(evening: GameNight) -> None:
    await begin_turn(evening)
    await evening.control("check", 1)
    assert evening.all_told(CheckTeam)


async def after_the_end(evening: GameNight) -> None:
    await begin_turn(evening)
    await evening.tap("email#1", 1)
    assert evening.state.outcome is not None


async def with_a_discard(evening: GameNight) -> None:
    await begin_turn(evening)
    await evening.tap("music#1", DISCARD_PAD)


async def without_the_display(evening: GameNight) -> None:
    await begin_turn(evening)
    lost = evening.next_lost("oled")
    evening.table.display.unplug(7)
    await evening.tap("online#2", 2)  # a refusal is shown
    await lost


async def with_a_board_unplugged(evening: GameNight) -> None:
    await begin_turn(evening)
    lost = evening.next_lost("board 1")
    evening.table.stand_in("board").boards[1].pull_out(powered=True)
    await lost


async def hold(evening: GameNight) -> None:
    """Begin to hold a card."""
    evening.put("email#1", 1)
    await asyncio.sleep(1)


async def set_up(evening: GameNight) -> None:
    game_options = GameOptions(2, "fr", {"claim_s": "20"}, 1)
    evening.daemon.controller.observe(
        lambda at_us: GameSetUp(at_us, "online", game_options, keep_next_starter=False), "Anna"
    )


def download(evening: GameNight) -> Coming:
    return evening.tap("email#1", 1)


def stop(evening: GameNight) -> Coming:
    return evening.press(1)


def using(control: str, told: type[Any] | None = None) -> Script:
    """A control card is used, and leads to this."""

    async def use(evening: GameNight) -> None:
        await evening.control(control, 2)
        assert told is None or evening.all_told(told)

    return use


def tapping(card: str, verdict: type[Verdict]) -> Script:
    """Tapping this card meets such a verdict now."""

    async def then(at: GameNight) -> None:
        assert isinstance((await at.tap(card, 1)).verdict, verdict)

    return then


def the_window_closes(at: GameNight) -> Coming:
    return at.next_announcement(WindowClosed, 6)


async def the_patrol_stops_the_hacker(at: GameNight) -> None:
    await at.tap("cyber-patrol#1", 3)
    assert at.all_told(HackerStopped)


async def it_can_be_waived(at: GameNight) -> None:
    assert at.state.pending is not None
    await at.press(1)
    assert at.state.pending is None


async def it_is_asked_for_again_and_granted(at: GameNight) -> None:
    await at.control("take-back", 1)
    assert at.all_told(ConsentAsked)
    await at.press(2)
    assert at.all_told(MoveTakenBack)


async def the_youngest_begins(at: GameNight) -> None:
    await at.press(2)
    assert [said.seat for said in at.all_told(TurnBegan)] == [2]


async def the_first_is_named(at: GameNight) -> None:
    await asyncio.sleep(0.1)
    assert [said.seat for said in at.all_told(ClaimGiven)] == [3]


async def the_turn_has_not_ended(at: GameNight) -> None:
    assert at.state.turn.seat == 1


async def the_turn_has_ended(at: GameNight) -> None:
    assert at.state.turn.seat == 2


async def the_game_is_a_new_one(at: GameNight) -> None:
    assert at.state.teams[0].rows[0] == ()
    assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)


async def the_discard_pile_is_empty(at: GameNight) -> None:
    assert at.state.discard == ()


def on(what: str) -> Callable[[Passage], bool]:
    """The point at which this passes."""
    return lambda passed: passed.what == what


def in_the_commit_of(words: str, what: str) -> Callable[[Passage], bool]:
    """The point at which this passes in the commit that has these words in one of its rows."""
    rows: list[str] = []

    def passes(passed: Passage) -> bool:
        if passed.what == "before BEGIN":
            rows.clear()
        elif passed.what.startswith("before INSERT"):
            rows.append(str(passed.about))
        return passed.what == what and any(words in row for row in rows)

    return passes


def on_the_accepted_light(passed: Passage) -> bool:
    return passed.what == "light" and passed.about[1]["pattern"] == "accepted"


ONE_MAIL_WINS = {"quota_email": "1", "quota_music": "0", "quota_game": "0", "quota_movie": "0"}
COUNTS, COUNTED = tapping("email#1", Accepted), tapping("email#1", Ignored)

POINTS: Mapping[str, Point] = {
    "before a commit": Point(begin_turn, download, COUNTS, on("before BEGIN")),
    "in a commit, before its first row": Point(begin_turn, download, COUNTS, on("after BEGIN")),
    "in a commit, after its last row": Point(begin_turn, download, COUNTS, on("after INSERT INTO entries")),
    "before COMMIT": Point(begin_turn, download, COUNTS, on("before COMMIT")),
    "after COMMIT, before the cue": Point(begin_turn, download, COUNTED, on("after COMMIT"), told=False),
    "after the cue, before the acknowledgement": Point(begin_turn, download, COUNTED, on_the_accepted_light),
    "after the picture, before the acknowledgement": Point(begin_turn, download, COUNTED, on("oled")),
    "after an acknowledgement that the board hasn't heard": Point(begin_turn, download, COUNTED, on("ack")),
    "after an acknowledgement that the board has heard": Point(begin_turn, download, COUNTED),
    "before a press is written down": Point(begin_turn, stop, the_turn_has_not_ended, on("before BEGIN")),
    "after a press was written down": Point(begin_turn, stop, the_turn_has_ended, on("after COMMIT"), told=False),
    "in a window": Point(open_window, nothing, the_window_closes),
    "with a buzz heard and nobody named": Point(open_window, lambda e: e.buzz(3), the_first_is_named),
    "when somebody is named, before COMMIT": Point(
        open_window, buzz_and_wait, the_first_is_named, in_the_commit_of("claim-given", "before COMMIT")
    ),
    "in a claim": Point(in_a_claim, nothing, the_patrol_stops_the_hacker),
    "with a hack pending": Point(with_a_hack_pending, nothing, it_can_be_waived),
    "with a search pending": Point(with_a_search_pending, nothing, it_can_be_waived),
    "while a card is held": Point(begin_turn, hold, COUNTED),
    "in a pause": Point(in_a_pause, nothing, the_window_closes),
    "with a take-back asked for": Point(asked_for_a_take_back, nothing, it_is_asked_for_again_and_granted),
    "in a check of the table": Point(in_a_check, nothing, using("check", CheckTeam)),
    "before the youngest has pressed": Point(lambda _: asyncio.sleep(3), nothing, the_youngest_begins, starter=None),
    "at the winning download, before COMMIT": Point(
        begin_turn, download, tapping("email#2", Accepted), on("before COMMIT"), rules=ONE_MAIL_WINS
    ),
    "at the winning download, after COMMIT": Point(
        begin_turn, download, using("new-game", GameBegan), on("after COMMIT"), told=False, rules=ONE_MAIL_WINS
    ),
    "after the end": Point(after_the_end, nothing, using("new-game", GameBegan), rules=ONE_MAIL_WINS),
    "at a new game, between its rows": Point(
        begin_turn, using("new-game"), tapping("online#1", Ignored), on("after INSERT INTO games")
    ),
    "at a new game, after COMMIT": Point(
        begin_turn, using("new-game"), the_game_is_a_new_one, in_the_commit_of("new-game", "after COMMIT"), told=False
    ),
    "at a new set-up, between its rows": Point(
        begin_turn, set_up, tapping("online#1", Ignored), on("after INSERT INTO games")
    ),
    "at a reshuffle, before COMMIT": Point(
        with_a_discard,
        using("reshuffle"),
        using("reshuffle", PilesReshuffled),
        in_the_commit_of("reshuffle", "before COMMIT"),
    ),
    "at a reshuffle, after COMMIT": Point(
        with_a_discard,
        using("reshuffle"),
        the_discard_pile_is_empty,
        in_the_commit_of("reshuffle", "after COMMIT"),
        told=False,
    ),
    "with the display gone": Point(without_the_display, nothing, COUNTS),
    "with a board unplugged that keeps events": Point(
        with_a_board_unplugged, lambda e: e.tap_in_vain("email#1", 1), COUNTS
    ),
    "while coming back, before the pause is written down": Point(
        open_window, lambda e: e.restart(), the_window_closes, in_the_commit_of("pause", "before COMMIT")
    ),
}


def run_to_point(name: str, folder: Path) -> None:
    """Live up to a point, and no further."""
    point = POINTS[name]
    config = a_table(folder, PLAYERS, starter=point.starter, **point.rules)
    ready: list[GameNight] = []

    def watch(passed: Passage) -> None:
        if ready and point.at is not None and point.at(passed):
            die(folder, ready[0])

    async def evening() -> None:
        async with running_table(config, hardware=below) as at:
            await point.ready(at)
            ready.append(at)
            await point.action(at)
            assert point.at is None, "the point was not reached"
            die(folder, at)

    with watched(watch) as below:
        run_in_given_time(evening)


def die(folder: Path, at: GameNight) -> None:
    """Leave word, and be killed."""
    boards = {seat: kept_by(board) for seat, board in at.table.stand_in("board").boards.items()}
    (folder / DEATH).write_bytes(pickle.dumps(Death(at.loop.time(), at.state, boards)))
    os.kill(os.getpid(), signal.SIGKILL)


def kept_by(board: VirtualBoard) -> BoardMemory:
    """The board's memory, read where no message reports it."""
    assert board._conversation is not None
    outbox = board._conversation.outbox
    events = tuple((letter.number, letter.verb, letter.values) for letter in outbox.pending)
    lying = dict.fromkeys(str(values[0]) for _, values in board._pad.initial_events(0))
    return BoardMemory(outbox._next_number, events, tuple(lying))


def give_back(board: VirtualBoard, kept: BoardMemory) -> None:
    """Give the board its memory back; only the cards that lay on it have been lifted meanwhile."""
    assert board._conversation is not None
    outbox = board._conversation.outbox
    first = kept.events[0][0] if kept.events else kept.next_number
    while outbox._next_number < first:
        outbox.put("gone", ("00000000", 0), 0)
        outbox.acknowledge(outbox._next_number - 1)
    for _, verb, values in (*kept.events, *((0, "gone", (uid, 0)) for uid in kept.lying)):
        outbox.put(verb, values, 0)
