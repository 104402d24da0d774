"""The feed: what the page shows, with the revision in which each thing changed last, so that any client gets all it
lacks in one message. Nothing is queued for anybody: a client is only what it has been given. Must not know what the
values mean, nor how they travel."""

from __future__ import annotations

import json
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeAlias

from taptable.words import Words

Value: TypeAlias = Any | Callable[[Words], Any]
"""What can be said in JSON; where it has sentences in it, what makes it in a language."""

Listener: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class ClientState:
    """What a client has been given: all up to `revision`, in one language, and of each stream all before `next`.
    `anew` if all that is spoken is to be said again. It gets streams that are watched only if it is `watching`. What it
    was given since another `boot` than the feed's counts as nothing; None: it has been given nothing by any."""

    revision: int = 0
    next: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    watching: frozenset[str] = frozenset()
    resend_texts: bool = False
    boot: str | None = None


class Feed:
    """Parts by name, each a value that is replaced whole, and streams of numbered items. One revision counts all
    changes; `boot` tells this start from others, after which clients forget all they were given."""

    def __init__(self) -> None:
        self.boot = secrets.token_hex(4)
        self.revision = 0
        self._parts: dict[str, _Part] = {}
        self._streams: dict[str, _Stream] = {}
        self._listeners: list[Listener] = []

    def put(self, name: str, value: Value) -> None:
        """What a part is now; nothing happens if it was that already. The value isn't changed any more."""
        part = self._parts.get(name)
        if part is not None and part.value == value:
            return
        self.revision += 1
        if part is None:
            self._parts[name] = _Part(value, self.revision)
        else:
            part.value, part.revision = value, self.revision
        self.notify()

    def open_stream(self, name: str, keep: int, *, watched: bool = False) -> None:
        """Begin a stream that keeps its last items; one that is `watched` goes only to who asks for it."""
        self._streams[name] = _Stream(keep, watched)

    def empty_stream(self, name: str) -> None:
        """Keep none of a stream's items; clients drop theirs with the next one."""
        self._streams[name].empty()

    def restart(self) -> None:
        """Let every client forget all it was given, and give it what there is now, every sentence made again."""
        self.boot = secrets.token_hex(4)
        self.revision += 1
        for part in self._parts.values():
            part.forget_texts(self.revision)
        for stream in self._streams.values():
            stream.forget_texts()
        self.notify()

    def add(self, name: str, *items: Value) -> None:
        """More items of a stream, each an object; its number is put into it as ``n``."""
        if not items:
            return
        self.revision += 1
        self._streams[name].add(items)
        self.notify()

    def notify(self) -> None:
        """Tell who listens that there is something to be had, or that there will be once it is asked for."""
        for listener in self._listeners:
            listener()

    def listen(self, listener: Listener) -> Listener:
        """Call `listener` whenever something has changed, until what is returned is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def catch_up(self, client: ClientState, words: Words, header: Mapping[str, Any]) -> tuple[str | None, ClientState]:
        """The message with all that a client lacks, which begins with `now`, and what it has then; None if it lacks
        nothing."""
        if client.boot not in (None, self.boot):
            client = ClientState(watching=client.watching, resend_texts=True)
        parts = {
            name: text
            for name, part in self._parts.items()
            for text in [part.text_since(client.revision, words, client.resend_texts)]
            if text is not None
        }
        shown = {name: s for name, s in self._streams.items() if not s.watched or name in client.watching}
        streams = {
            name: text
            for name, stream in shown.items()
            for text in [stream.text_since(client.next.get(name, 0), words, client.resend_texts)]
            if text is not None
        }
        numbers = {**client.next, **{name: stream.next for name, stream in shown.items()}}
        has = replace(client, revision=self.revision, next=numbers, resend_texts=False, boot=self.boot)
        if not parts and not streams:
            return None, has
        return self._message(header, parts, streams), has

    def greet(self, client: ClientState, words: Words, header: Mapping[str, Any]) -> tuple[str, ClientState]:
        """As `catch_up`, but there is always a message."""
        message, has = self.catch_up(client, words, header)
        return message or self._message(header, {}, {}), has

    def _message(self, header: Mapping[str, Any], parts: Mapping[str, str], streams: Mapping[str, str]) -> str:
        head = _text({"boot": self.boot, "revision": self.revision, **header})
        return f'{head[:-1]},"parts":{_object(parts)},"streams":{_object(streams)}}}'


@dataclass(slots=True)
class _Rendered:
    """What a value was in a language when somebody last asked for it, and the revision in which it became that."""

    text: str
    changed_at: int
    checked_at: int


class _Part:
    """A value, and its texts for the languages in which somebody has asked for it."""

    def __init__(self, value: Value, revision: int) -> None:
        self.value = value
        self.revision = revision
        self._rendered: dict[str, _Rendered] = {}

    def forget_texts(self, revision: int) -> None:
        """Make all texts again, which are those of this revision then."""
        self.revision = revision
        self._rendered.clear()

    def text_since(self, revision: int, words: Words, resend: bool) -> str | None:
        """The text if it is another than at that revision, or if it is spoken and wanted anew."""
        resend = resend and callable(self.value)
        if self.revision <= revision and not resend:
            return None
        rendered = self._render(words)
        return rendered.text if rendered.changed_at > revision or resend else None

    def _render(self, words: Words) -> _Rendered:
        # what isn't spoken is the same to who has spoken another language meanwhile
        language = words.key if callable(self.value) else ""
        before = self._rendered.get(language)
        if before is not None and before.checked_at == self.revision:
            return before
        text = _text(_localised(self.value, words))
        changed = before.changed_at if before is not None and before.text == text else self.revision
        if language:
            self._rendered.pop("", None)
        else:
            self._rendered.clear()
        self._rendered[language] = rendered = _Rendered(text, changed, self.revision)
        return rendered


class _Stream:
    """The last items of a stream, and their texts for the languages in which somebody has asked for them."""

    def __init__(self, keep: int, watched: bool) -> None:
        self.watched = watched
        self.next = 0
        self._emptied_at = 0
        self._items: deque[tuple[Value, dict[str, str]]] = deque(maxlen=keep)

    def add(self, items: tuple[Value, ...]) -> None:
        self._items.extend((item, {}) for item in items)
        self.next += len(items)

    def empty(self) -> None:
        """Keep none of the items so far."""
        self._items.clear()
        self._emptied_at = self.next

    def forget_texts(self) -> None:
        """Make all texts again."""
        for _, texts in self._items:
            texts.clear()

    def text_since(self, number: int, words: Words, resend: bool) -> str | None:
        """The items from that number on, or all of them if they are spoken and wanted anew; None if there are none."""
        first = self.next - len(self._items)
        if resend and any(callable(item) for item, _ in self._items):
            number = first
        number = min(max(number, first), self.next)
        if number == self.next:
            return None
        texts = [
            self._render(n, item, texts, words)
            for n, (item, texts) in enumerate(islice(self._items, number - first, None), number)
        ]
        emptied = f'"emptied":{self._emptied_at},' if self._emptied_at else ""
        return f'{{"from":{number},{emptied}"items":[{",".join(texts)}]}}'

    def _render(self, number: int, item: Value, texts: dict[str, str], words: Words) -> str:
        key = words.key if callable(item) else ""
        if key not in texts:
            texts[key] = _text({"n": number, **_localised(item, words)})
        return texts[key]


def _localised(value: Value, words: Words) -> Any:
    return value(words) if callable(value) else value


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _object(texts: Mapping[str, str]) -> str:
    return "{" + ",".join(f"{_text(name)}:{text}" for name, text in texts.items()) + "}"
