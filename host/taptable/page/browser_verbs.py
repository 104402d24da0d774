"""The verbs of people at the page. Each becomes a request to the table, whose result is put into their language;
questions about past games are answered here, by `past_games`. This module must not know how messages travel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeAlias

from taptable.api.errors import RequestError
from taptable.api.link import TableClient
from taptable.api.requests import REQUESTS, Members, Request, Role
from taptable.core.notices import CorrectionAsked
from taptable.memory.deck import Deck
from taptable.narration.sentences import narrate
from taptable.page.decks import FORM, form_of, words_for
from taptable.page.messages import Requester, convert, shorten
from taptable.page.past_games import PastGames
from taptable.page.view import LogItem
from taptable.referee.session import TableEvent
from taptable.words import Words

Answer: TypeAlias = Mapping[str, Any]

READ_ONLY_VERBS = frozenset({"games", "game", "steps", "position", "show-code", "ask-presence", "withdraw-presence"})
"""The verbs that unpaired browsers may use, too: they read past games, or ask to be paired. They change neither game
nor journal."""

_CONTROLS: Mapping[str, Mapping[str, Any]] = {
    **{verb: {"control": verb} for verb in ("take-back", "withdraw", "reshuffle", "pause", "resume", "check")},
    **{verb: {"control": verb} for verb in ("break-off", "end-game")},
}
"""The fields of the request ``control`` for each verb that stands for one."""
_STEPS: Mapping[str, Mapping[str, Any]] = {f"enrol-{step}": {"step": step} for step in ("undo", "skip", "stop")}
"""The fields of the request ``enrol-step`` for each verb that stands for one."""
_INTERNAL_REQUESTS = {
    "hello",
    "subscribe",
    "entries",
    "who",
    "pair",
    "page-at",
    "control",
    "enrol-step",
    "bring-deck",
    "read-deck",
}
"""Requests that no verb of the same name is passed on as: the page itself sends them, or a verb with another name
stands for them, such as ``pause`` for ``control``."""
VERBS = frozenset(
    {*READ_ONLY_VERBS, *_CONTROLS, *_STEPS}
    | {name for name, kind in REQUESTS.items() if Role.PAGE in kind.roles and name not in _INTERNAL_REQUESTS}
)
"""All verbs that people at the page may use."""
CONNECTION_VERBS = frozenset({"hello", "language", "watch", "echo"})
"""Verbs that a connection answers by itself."""


class BrowserVerbs:
    """Answers the verbs of one page. `wait_until_replayed` waits until all that the table reported is replayed;
    `events_between` returns the events between two journal entries."""

    def __init__(
        self,
        table: TableClient,
        past_games: PastGames,
        wait_until_replayed: Callable[[], Awaitable[None]],
        events_between: Callable[[int, int], Sequence[TableEvent]],
    ) -> None:
        self._table = table
        self._past_games = past_games
        self._wait_until_replayed = wait_until_replayed
        self._events_between = events_between

    async def ask(self, verb: str, message: Mapping[str, Any], requester: Requester) -> Answer:
        """Carry out a verb and return the response's fields; raise `RequestError` if it is refused."""
        if verb in ("games", "game", "steps", "position"):
            return await self._past_games.ask(verb, message, requester)
        if verb not in READ_ONLY_VERBS and not requester.paired:
            raise RequestError("live", "not-paired")
        if verb == "members":
            return await self._table.call(Members())
        result = await self._table.call(request_of(verb, message, requester))
        await self._wait_until_replayed()
        match verb:
            case "devices":
                return {"devices": [{**one, "own": one["id"] == requester.device} for one in result["devices"]]}
            case "read-manifest":
                deck = Deck("", result["game"], manifest=result["described"])
                form = {"form": form_of(deck.game), "words": words_for(deck, requester.words).all_messages(FORM)}
                return {"game": result["game"], "manifest": result["manifest"], **form}
            case _ if "entry" in result:
                return self._outcome(result, requester.words)
            case _:
                return result

    def _outcome(self, result: Mapping[str, Any], words: Words) -> Answer:
        """Return ``said``, the table's reaction in sentences, and ``waits``: None, or a sentence that the journal can't
        be written yet and the change follows later."""
        if result["waits"]:
            return {"said": [], "waits": words.text("correcting", "waits")}
        events = self._events_between(result["after"], result["entry"])
        asked = next((at for at, each in enumerate(events, 1) if isinstance(each, CorrectionAsked)), 0)
        items = [LogItem(each)(words) for event in events[asked:] for each in narrate(event)]
        return {"said": items, "waits": None}


def request_of(verb: str, message: Mapping[str, Any], requester: Requester) -> Request:
    """Return the table's request for a verb; raise `RequestError` if there is no such verb, or for a wrong field."""
    fields: dict[str, Any] = {"device": requester.digest}
    name = verb
    if verb in _CONTROLS:
        name, fields = "control", {**fields, **_CONTROLS[verb]}
    elif verb in _STEPS:
        name, fields = "enrol-step", {**fields, **_STEPS[verb]}
    elif verb == "unpair":
        fields |= {"everybody": message.get("all", False), "ids": [message["device"]] if "device" in message else []}
    kind = None if verb in _INTERNAL_REQUESTS else REQUESTS.get(name)
    if kind is None:
        raise RequestError("live", "unknown-verb", verb=shorten(verb))
    return convert(kind, {**message, **fields})
