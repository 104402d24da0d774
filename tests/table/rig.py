"""A simulated table with the real daemon over it, in given time. The test moves hands and buttons, and waits for the
daemon's events by name."""

from __future__ import annotations

import asyncio
import re
import traceback
from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from taptable.config import Config, load_config
from taptable.core.announcements import Announcement
from taptable.core.game_options import GameOptions
from taptable.core.notices import CorrectionAsked
from taptable.core.observations import ButtonPressed, CardTapped, ControlUsed, Pad
from taptable.core.part_notices import PartBack, PartLost
from taptable.daemon.clock import TableClock
from taptable.daemon.daemon import Daemon
from taptable.daemon.game_options import check_game
from taptable.drivers.registry import Drivers
from taptable.memory.decks import Decks
from taptable.memory.journal_reader import JournalReader
from taptable.memory.records import Entry
from taptable.narration.updates import Subscriber, Update
from taptable.referee.session import Decision, Session, TableEvent
from taptable.referee.step import Table
from taptable.sim.loops import GivenTimeLoop
from taptable.sim.people import People, Slips
from taptable.sim.setting_up import DECK, FULL_BUILD, set_up
from taptable.sim.table import SimulatedTable

from table.hal import Watched

T = TypeVar("T")
Coming = Coroutine[Any, Any, TableEvent]

GAME = "online"
ON_PAD_S = 0.1
"""Seconds for which a card is on a pad for a tap: long enough for every reader."""
GONE_S = 0.4
"""Seconds after which a lifted card is known to be gone."""
PATIENCE_S = 5.0


def run_in_given_time(evening: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run an evening on a loop of its own. An exception in a callback there is raised here too."""
    trouble: list[str] = []

    def note(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        trouble.append(context["message"] + "".join(traceback.format_exception(error) if error else []))

    with asyncio.Runner(loop_factory=GivenTimeLoop) as runner:
        runner.get_loop().set_exception_handler(note)
        result = runner.run(evening())
    assert not trouble, "\n".join(trouble)
    return result


def a_table(
    folder: Path,
    players: int = 2,
    edition: str = "de",
    *,
    starter: int | None = 1,
    build: str = FULL_BUILD,
    pins: bool = True,
    seats: int | None = None,
    **rules: str,
) -> Config:
    """The configuration of a simulated table in `folder`; `rules` are house rules. It has a seat for each player, or so
    many `seats`; without `pins` it is the one `without_pins`."""
    game_options = GameOptions(players, edition, rules, starter)
    config = set_up(folder, GAME, game_options, "de", build=build, seats=seats)
    return config if pins else without_pins(config)


def with_buttons_on_boards(config: Config, seats: Collection[int] | None = None) -> Config:
    """The same table with the buttons and lamps of these seats, or of all, on their boards."""
    text = config.file.read_text(encoding="utf-8")
    for seat in range(1, len(config.seats) + 1) if seats is None else seats:
        board = f"board:sim{seat}"
        on_pins = rf'pad = "{board}"\nbutton = "gpio:\d+"\nlamp = "gpio:\d+"'
        text, found = re.subn(on_pins, f'pad = "{board}"\nbutton = "{board}"\nlamp = "{board}"', text)
        assert found == 1
    config.file.write_text(text, encoding="utf-8")
    return load_config(config.file, check_game)


def all_on_boards(text: str) -> str:
    """The text of the same table with pads, buttons and lamps on boards, and nothing on the Pi's SPI or pins: the
    display is on I2C, and there is no sounder."""
    text = re.sub(
        r'pad = "(board:\w+)"\nbutton = "gpio:\d+"\nlamp = "gpio:\d+"',
        r'pad = "\1"\nbutton = "\1"\nlamp = "\1"',
        text,
    )
    text = re.sub(r'(\[(?:pads\.)?(\w+)\]\n)pad = "spi:.*\nreset = .*', r'\1pad = "board:sim-\2"', text)
    text = text.replace('[sounder]\npin = "gpio:12"\n', "")
    assert not re.search("gpio:|spi:", text)
    return text


def with_hat(text: str) -> str:
    """The text of the same table with the display on SPI that an example describes, a HAT, instead of its own."""
    hat = (Path(__file__).resolve().parents[2] / "examples" / "oled-hat.toml").read_text(encoding="utf-8")
    text, found = re.subn(r"^\[scoreboard\]\n(?:(?:\w+ = |#).*\n)*", "", text, flags=re.MULTILINE)
    assert found == 1
    return text + hat


def on_i2c(text: str) -> str:
    """The text of the same table with all pads on I2C behind a switch, the discard pad at its first channel; buttons
    and lamps stay on pins, and the display is on the same bus."""
    text = re.sub(r'pad = "board:sim(\d)"', r'pad = "i2c:1.0x70/\1"', text)
    return re.sub(r'(\[discard\]\n)pad = "spi:.*\nreset = .*', r'\1pad = "i2c:1.0x70/0"', text)


def with_i2c(config: Config) -> Config:
    """The same table, `on_i2c`."""
    config.file.write_text(on_i2c(config.file.read_text(encoding="utf-8")), encoding="utf-8")
    return load_config(config.file, check_game)


MIXED_SEATS = (
    ("board:sim1", "board:sim1", "board:sim1"),
    ("i2c:1.0x70/3", "input:1-1.3/BTN_TRIGGER_HAPPY1", "led:1-1.3/buzz1"),
    ("i2c:1.0x2c", "gpio:27", "led:1-1.3/buzz2"),
    ("board:sim4", "input:1-1.4/BTN_TRIGGER", "gpio:19"),
    ("board:sim5", "input:1-1.4/BTN_THUMB", "gpio:20"),
    ("i2c:1.0x70/4", "input:1-1.3/BTN_TRIGGER_HAPPY11", "led:1-1.3/buzz3"),
)
"""Pad, button and lamp of each seat of a table with parts of all kinds."""


def mixed(config: Config) -> Config:
    """The same table with parts of all kinds: its discard pad is on SPI."""
    head, *seats = re.split(r"(?=^\[\[seats\]\]$)", config.file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    for number, places in enumerate(MIXED_SEATS[: len(seats)]):
        for key, place in zip(("pad", "button", "lamp"), places, strict=True):
            seats[number], found = re.subn(rf'^{key} = ".*"$', f'{key} = "{place}"', seats[number], count=1, flags=re.M)
            assert found == 1
    config.file.write_text("".join([head, *seats]), encoding="utf-8")
    return load_config(config.file, check_game)


def without_pins(config: Config) -> Config:
    """The same table, `all_on_boards`."""
    config.file.write_text(all_on_boards(config.file.read_text(encoding="utf-8")), encoding="utf-8")
    return load_config(config.file, check_game)


def tags_of(config: Config) -> dict[str, str]:
    """The tag of each card and each control."""
    deck = Decks(config.table.decks).deck(DECK)
    return {what: uid for uid, what in {**deck.cards, **deck.controls}.items()}


@dataclass
class GameNight:
    """A table and the daemon that runs on it; `events` are all its events, with the loop's time. `subscribers` receive
    the same updates."""

    config: Config
    table: SimulatedTable
    drivers: Drivers
    events: list[tuple[float, TableEvent]] = field(default_factory=list)
    subscribers: list[Subscriber] = field(default_factory=list)
    _running: Daemon | None = None
    _clocks: list[tuple[int, TableClock]] = field(default_factory=list)
    _waiters: list[tuple[Callable[[TableEvent], bool], asyncio.Future[TableEvent]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.tags = tags_of(self.config)

    @property
    def daemon(self) -> Daemon:
        assert self._running is not None
        return self._running

    @property
    def session(self) -> Session:
        return self.daemon.controller.session

    @property
    def referee_table(self) -> Table:
        """The referee's table."""
        return self.session.table

    @property
    def state(self) -> Any:
        """The game's state."""
        return self.session.table.state

    async def start(self) -> None:
        """Start the daemon, on the hardware as it is."""
        self._running = Daemon(self.config, self.drivers, self._tell)
        self._clocks.append((self.daemon.clock.now_us(), self.daemon.clock))
        await self.daemon.start()

    async def stop(self) -> None:
        """The daemon is stopped; the hardware stays on."""
        await self.daemon.stop()

    def loop_s(self, at_us: int) -> float:
        """The loop's time at a table time, which stands still while no daemon runs."""
        return next(clock for began_us, clock in reversed(self._clocks) if began_us <= at_us).loop_time(at_us)

    async def restart(self) -> None:
        """Stop the daemon and start another."""
        await self.stop()
        await self.start()

    def seat_players(self, seed: int, slips: Slips) -> People:
        """Virtual players at every seat, who have yet to begin."""
        tags = {uid: what for what, uid in self.tags.items()}
        people = People(
            self.table,
            tags,
            session=lambda: self.session,
            seed=seed,
            slips=slips,
            request_control=lambda control, fields: self.daemon.controller.use_control(
                control, "discard", "page", fields
            ),
        )
        self.subscribers.append(people.on_update)
        return people

    def put(self, what: str, pad: Pad) -> None:
        self.table.put(self.tags[what], pad)

    def lift(self, what: str, pad: Pad) -> None:
        self.table.lift(self.tags[what], pad)

    async def tap(self, card: str, pad: Pad) -> Decision:
        """Tap a card, and return the decision."""
        heard = self.expect(lambda h: isinstance(h, Decision) and _is_tap(h, card, pad))
        self.put(card, pad)
        said = await heard
        await asyncio.sleep(ON_PAD_S)
        self.lift(card, pad)
        await asyncio.sleep(GONE_S)
        assert isinstance(said, Decision)
        return said

    async def tap_in_vain(self, card: str, pad: Pad) -> None:
        """Tap a card where nothing answers."""
        self.put(card, pad)
        await asyncio.sleep(ON_PAD_S)
        self.lift(card, pad)
        await asyncio.sleep(GONE_S)

    async def control(self, name: str, pad: Pad) -> TableEvent:
        """Tap a control card, and return the event."""
        heard = self.expect(
            lambda h: (
                isinstance(h.observation, ControlUsed)
                if isinstance(h, Decision)
                else not isinstance(h, CorrectionAsked)
            )
        )
        self.put(name, pad)
        said = await heard
        self.lift(name, pad)
        await asyncio.sleep(GONE_S)
        return said

    async def press(self, seat: int) -> TableEvent:
        """Press a seat's button once it has been up for a while, and return the event."""
        await asyncio.sleep(1.0)
        return await self.buzz(seat)

    async def buzz(self, seat: int) -> TableEvent:
        """Press a seat's button now, and return the event."""
        heard = self.expect(
            lambda h: (
                getattr(h, "seat", None) == seat
                if not isinstance(h, Decision)
                else isinstance(h.observation, ControlUsed)
                or (isinstance(h.observation, ButtonPressed) and h.observation.seat == seat)
            )
        )
        self.table.press(seat)
        return await heard

    def expect(self, predicate: Callable[[TableEvent], bool], within_s: float = PATIENCE_S) -> Coming:
        """To be awaited: the first of these from now on. TimeoutError after `within_s`."""
        future: asyncio.Future[TableEvent] = self.loop.create_future()
        self._waiters.append((predicate, future))
        return asyncio.wait_for(future, within_s)

    def next_announcement(self, kind: type[Announcement], within_s: float = PATIENCE_S) -> Coming:
        """To be awaited: the next verdict with such an announcement."""
        return self.expect(
            lambda h: isinstance(h, Decision) and any(isinstance(a, kind) for a in h.verdict.announcements), within_s
        )

    def next_lost(self, part: str, within_s: float = PATIENCE_S) -> Coming:
        """To be awaited: the notice that a part of the table doesn't answer."""
        return self.expect(lambda h: isinstance(h, PartLost) and h.part == part, within_s)

    def next_returned(self, part: str, within_s: float = PATIENCE_S) -> Coming:
        """To be awaited: the notice that it answers again."""
        return self.expect(lambda h: isinstance(h, PartBack) and h.part == part, within_s)

    def all_told(self, kind: type[Any]) -> list[Any]:
        """Every announcement, notice or verdict so far of this kind."""
        found: list[Any] = []
        for _, event in self.events:
            parts = (event.verdict, *event.verdict.announcements) if isinstance(event, Decision) else ()
            found += [part for part in (event, *parts) if isinstance(part, kind)]
        return found

    def taps(self) -> list[tuple[str, Pad, str]]:
        """The cards that were tapped so far, their pads, and the kind of the verdict for each."""
        return [
            (h.observation.card, h.observation.pad, type(h.verdict).__name__)
            for h in self.all_told(Decision)
            if isinstance(h.observation, CardTapped)
        ]

    def parts(self) -> list[str]:
        """The parts that were lost (-) and came back (+)."""
        return [f"{'-' if isinstance(n, PartLost) else '+'}{n.part}" for n in self.all_told(PartLost | PartBack)]

    def entries(self) -> list[Entry]:
        """Everything in the journal, as another process would read it."""
        return journal_entries(self.config)

    def _tell(self, update: Update) -> None:
        for subscriber in self.subscribers:
            subscriber(update)
        for event in update.events:
            self.events.append((self.loop.time(), event))
            for wanted, future in self._waiters:
                if not future.done() and wanted(event):
                    future.set_result(event)
        self._waiters = [(wanted, future) for wanted, future in self._waiters if not future.done()]


Script = Callable[[GameNight], Coroutine[Any, Any, object]]


async def nothing(_: GameNight) -> None:
    """Do nothing."""


async def begin_turn(evening: GameNight) -> None:
    """Seat 1 is on turn and online, and the last cue is over."""
    await asyncio.sleep(1)
    await evening.tap("online#1", 1)
    await asyncio.sleep(3)


async def open_window(evening: GameNight) -> None:
    """Seat 1 has just shown a hacker."""
    await begin_turn(evening)
    await evening.tap("hacker#1", 1)
    await asyncio.sleep(1)


@asynccontextmanager
async def running_table(
    config: Config,
    *,
    seed: int = 0,
    before: Script = nothing,
    hardware: Watched | None = None,
) -> AsyncIterator[GameNight]:
    """An evening at a table whose daemon has just started; `before` is called with the hardware before that, and
    `below` with everything that passes below the drivers."""
    table = SimulatedTable(config, seed) if hardware is None else hardware.table(config, seed)
    with table.powered() as drivers:
        evening = GameNight(config, table, drivers if hardware is None else hardware.drivers(drivers))
        await before(evening)
        await evening.start()
        try:
            yield evening
        finally:
            await evening.stop()


def journal_entries(config: Config) -> list[Entry]:
    """Everything in a table's journal, all games."""
    with JournalReader.open(config.table.journal) as journal:
        return [entry for game in journal.games() for entry in journal.entries(game.id)]


def _is_tap(judged: Decision, card: str, pad: Pad) -> bool:
    observation = judged.observation
    return isinstance(observation, CardTapped) and (observation.card, observation.pad) == (card, pad)
