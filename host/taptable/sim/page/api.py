"""What the demo tells its page of the hands and the hardware, and what people at the page can have done. There is one
for each room; it stays when the daemon of the room is killed and another begins. Must not know how messages travel."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from taptable.api.errors import RequestError
from taptable.games.registry import package_of
from taptable.narration.updates import Update
from taptable.sim.harness import SimulationHarness
from taptable.sim.page.actions import Actions, DemoControl, DemoRequest, Pace
from taptable.sim.page.demo_link import DemoServer
from taptable.sim.page.faults import Disk, Workbench
from taptable.sim.page.hand_view import HandView
from taptable.sim.page.hardware import HardwareSnapshot
from taptable.words import LANGUAGES, Vocabulary, Words, player_names

LOOKS_HZ = 30
"""How often in a second outside everything is looked at for changes."""
FASTEST = 1000.0
"""What is said of a speed without a limit, which JSON hasn't got."""

TRANSLATED_TOPICS = ("hands",)
"""The topics that hold their sentences in every language."""
STREAMS = ("tones", "wire")
CLIENT_LEFT = "left"
"""What the page asks for when somebody at it is gone."""


class Tasks:
    """What was begun and takes its time, while somebody else goes on. What goes wrong is told to the loop's exception
    handler."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, doing: Coroutine[Any, Any, None]) -> None:
        """Let it run."""
        task = asyncio.create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._over)

    async def end(self) -> None:
        """End what isn't over."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _over(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            task.get_loop().call_exception_handler({"message": "an action failed", "exception": task.exception()})


@dataclass(frozen=True, slots=True)
class DemoParts:
    """What is in the room, once there is one; `stop_listening` ends the listening to tones and lines."""

    harness: SimulationHarness
    actions: Actions
    snapshot: HardwareSnapshot
    stop_listening: Callable[[], None]


class DemoApi:
    """The demo as its page knows it, for one room; `attach` once there is one. `about` and `shown` are what is known
    of it from the start, ready for JSON. The `server` is told whenever a topic may have changed, and each tone and
    line."""

    def __init__(
        self,
        about: Mapping[str, Any],
        shown: Mapping[str, Any],
        pace: Pace,
        demo: DemoControl,
        disk: Disk,
        server: DemoServer,
    ) -> None:
        self._about = msgspec.Raw(msgspec.json.encode(about))  # it is large, and always the same
        self._shown = shown
        self._pace = pace
        self._control = demo
        self._disk = disk
        self._server = server
        self._tasks = Tasks()
        self._parts: DemoParts | None = None
        self._translated_hands: tuple[tuple[HandView, ...], Mapping[str, Any]] | None = None

    @property
    def topics(self) -> Mapping[str, Callable[[], Any]]:
        """All that is told, each as it is now; nothing before there is a room, and after it."""
        inside = self._parts
        if inside is None:
            return {}
        return {
            "about": lambda: self._about,
            "demo": lambda: self._demo(inside),
            "hardware": inside.snapshot.hardware,
            "glass": inside.snapshot.glass,
            "hands": lambda: self._hands(inside),
        }

    def attach(self, harness: SimulationHarness, seats: Sequence[int], seed: int) -> Actions:
        """The room is there: people sit at `seats`, and what happens is looked at. What they do is done by what is
        returned."""
        workbench = Workbench(harness, self._disk, seed, self._control.kill)
        actions = Actions(harness, workbench, self._pace, self._control, self._tasks.begin, seats)
        looker = HardwareSnapshot(harness, lambda: workbench.stuck, lambda: workbench.disk_is_full)
        self._parts = DemoParts(harness, actions, looker, looker.listen(self._server.publish_item))
        self._server.publish_changes()
        self._tasks.begin(self._look_on())
        return actions

    async def detach(self) -> None:
        """End all that is under way; the room is about to end."""
        await self._tasks.end()
        if self._parts is not None:
            self._parts.stop_listening()
            self._parts = None

    def on_update(self, update: Update) -> None:
        """Something happened, which is shown at once."""
        if update.events:
            self._server.publish_changes()

    async def do(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what a client asks for, and say what came of it in its language; `RequestError` says why not."""
        inside, client = self._parts, str(params.get("client"))
        if inside is None:
            raise RequestError("hands", "not-yet")
        if method == CLIENT_LEFT:
            inside.actions.on_client_left(client)
            return {}
        words = self._words(params.get("language"))
        asked = DemoRequest(params, words, len(inside.harness.config.seats), inside.harness.table.fields)
        try:
            return await inside.actions.do(method, asked, client)
        finally:
            self._server.publish_changes()

    def _words(self, language: object) -> Words:
        """The words of a language, with those of the game that is played."""
        vocabulary = Vocabulary()
        if self._parts is not None:
            session = self._parts.harness.session
            table, vocabulary.member_names = session.table, self._parts.harness.daemon.members.names
            vocabulary.names = player_names(session.names, session.members, vocabulary.member_names)
            vocabulary.set_game((package_of(table.game.name),), table.game.pack(table.game_options.manifest))
        return Words(language if isinstance(language, str) and language in LANGUAGES else "en", vocabulary)

    async def _look_on(self) -> None:
        while True:
            self._server.publish_changes()
            await self._pace.wall_clock_sleep(1 / LOOKS_HZ)

    def _demo(self, inside: DemoParts) -> Mapping[str, Any]:
        speed, players = min(self._pace.speed, FASTEST), inside.harness.session.table.game_options.players
        return {**self._shown, "speed": speed, "players": players, "people": sorted(inside.actions.playing)}

    def _hands(self, inside: DemoParts) -> Mapping[str, Any]:
        """The hands in every language; made again only when they are others."""
        hands = inside.actions.hand_views.all(inside.actions.playing)
        if self._translated_hands is None or self._translated_hands[0] is not hands:
            said = {language: self._words(language) for language in LANGUAGES}
            self._translated_hands = (
                hands,
                {language: {str(each.seat): each.to_json(words) for each in hands} for language, words in said.items()},
            )
        return self._translated_hands[1]
