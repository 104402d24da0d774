"""The demo's own API for its page, beside the table's local API. It publishes topics about the hands, the simulated
hardware and the demo itself, and the streams of tones and of lines on the wire; and it carries out requests of people
at the page, by `Actions`. There is one `DemoApi` for each `SimulationHarness`, also when the harness's daemon is killed
and started again. `demo_link.DemoServer` carries the messages. Must not know a socket, nor how a page shows
anything."""

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

CHECKS_HZ = 30
"""How often in a second of real time every topic is checked for changes. The demo's own loop (`demo`) runs as often."""
FASTEST = 1000.0
"""The highest speed in the topic ``demo``. It also stands for a speed without a limit: JSON has no infinity."""

TRANSLATED_TOPICS = ("hands",)
"""Topics that contain their sentences in every language."""
STREAMS = ("tones", "wire")
"""The streams of the API: the sounder's tones, and the lines between boards and table. `HardwareSnapshot.listen` makes
their items."""
CLIENT_LEFT = "left"
"""The method that the page's process calls when a client has left."""


class Tasks:
    """Tasks in the background, which `end` cancels together. If one fails, the loop's exception handler gets its
    exception."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def begin(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Start a task."""
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)

    async def end(self) -> None:
        """Cancel the tasks that aren't done."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            message = "Unhandled exception in a task of the demo"
            task.get_loop().call_exception_handler({"message": message, "exception": task.exception()})


@dataclass(frozen=True, slots=True)
class DemoParts:
    """The objects of the API that exist only while a harness is attached. `stop_listening` ends the streams of tones
    and lines."""

    harness: SimulationHarness
    actions: Actions
    snapshot: HardwareSnapshot
    stop_listening: Callable[[], None]


class DemoApi:
    """The API of one harness. Call `attach` when the harness runs; before that it has no topics.

    `about` is the topic ``about``, which never changes. `shown` are the facts in the topic ``demo`` that never change;
    the speed, the number of players and the seats of people are added to them. `control` kills or restarts the table,
    for people who ask for it. `server` is notified whenever a topic may have changed, and gets each tone and line."""

    def __init__(
        self,
        about: Mapping[str, Any],
        shown: Mapping[str, Any],
        pace: Pace,
        control: DemoControl,
        disk: Disk,
        server: DemoServer,
    ) -> None:
        self._about = msgspec.Raw(msgspec.json.encode(about))  # it is large, and never changes
        self._shown = shown
        self._pace = pace
        self._control = control
        self._disk = disk
        self._server = server
        self._tasks = Tasks()
        self._parts: DemoParts | None = None
        self._translated_hands: tuple[tuple[HandView, ...], Mapping[str, Any]] | None = None

    @property
    def topics(self) -> Mapping[str, Callable[[], Any]]:
        """All topics as functions that return each as it is now; empty while no harness is attached."""
        parts = self._parts
        if parts is None:
            return {}
        return {
            "about": lambda: self._about,
            "demo": lambda: self._demo(parts),
            "hardware": parts.snapshot.hardware,
            "glass": parts.snapshot.glass,
            "hands": lambda: self._hands(parts),
        }

    def attach(self, harness: SimulationHarness, seats: Sequence[int], seed: int) -> Actions:
        """Attach a running harness, at which people sit at `seats`, and publish what happens there. Return the actions
        that carry out people's requests."""
        workbench = Workbench(harness, self._disk, seed, self._control.kill)
        actions = Actions(harness, workbench, self._pace, self._control, self._tasks.begin, seats)
        snapshot = HardwareSnapshot(harness, lambda: workbench.stuck, lambda: workbench.disk_is_full)
        self._parts = DemoParts(harness, actions, snapshot, snapshot.listen(self._server.publish_item))
        self._server.publish_changes()
        self._tasks.begin(self._publish_regularly())
        return actions

    async def detach(self) -> None:
        """Cancel the tasks, and end the streams and topics, because the harness is about to end."""
        await self._tasks.end()
        if self._parts is not None:
            self._parts.stop_listening()
            self._parts = None

    def on_update(self, update: Update) -> None:
        """Publish the changes of an update at once."""
        if update.events:
            self._server.publish_changes()

    async def do(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        """Carry out the request `method` of a client, and return its answer. `params` has the client's id as
        ``client``, its ``language``, and the parameters of the method. Raises `RequestError`, with a sentence for
        people, if the request can't be carried out."""
        parts, client = self._parts, str(params.get("client"))
        if parts is None:
            raise RequestError("hands", "not-yet")
        if method == CLIENT_LEFT:
            parts.actions.on_client_left(client)
            return {}
        words = self._words(params.get("language"))
        request = DemoRequest(params, words, len(parts.harness.config.seats), parts.harness.table.fields)
        try:
            return await parts.actions.do(method, request, client)
        finally:
            self._server.publish_changes()

    def _words(self, language: object) -> Words:
        """Return the words of a language, including those of the game that is played."""
        vocabulary = Vocabulary()
        if self._parts is not None:
            session = self._parts.harness.session
            table, vocabulary.member_names = session.table, self._parts.harness.daemon.members.names
            vocabulary.names = player_names(session.names, session.members, vocabulary.member_names)
            vocabulary.set_game((package_of(table.game.name),), table.game.pack(table.game_options.manifest))
        return Words(language if isinstance(language, str) and language in LANGUAGES else "en", vocabulary)

    async def _publish_regularly(self) -> None:
        while True:
            self._server.publish_changes()
            await self._pace.wall_clock_sleep(1 / CHECKS_HZ)

    def _demo(self, parts: DemoParts) -> Mapping[str, Any]:
        speed, players = min(self._pace.speed, FASTEST), parts.harness.session.table.game_options.players
        return {**self._shown, "speed": speed, "players": players, "people": sorted(parts.actions.playing)}

    def _hands(self, parts: DemoParts) -> Mapping[str, Any]:
        """Return the hands in every language; built again only when they have changed."""
        hands = parts.actions.hand_views.all(parts.actions.playing)
        if self._translated_hands is None or self._translated_hands[0] is not hands:
            words_by_language = {language: self._words(language) for language in LANGUAGES}
            self._translated_hands = (
                hands,
                {
                    language: {str(each.seat): each.to_json(words) for each in hands}
                    for language, words in words_by_language.items()
                },
            )
        return self._translated_hands[1]
