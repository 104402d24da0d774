"""The feed: the parts and streams that the page shows, with the revision of each one's last change, so that any client
gets all it lacks in one message. Nothing is queued for clients: a client's state says what it already has. The feed
must not know what the values mean, nor how they travel."""

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
"""A value that JSON can hold, or, if it contains sentences, a function that makes it in a language."""

Listener: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class ClientState:
    """The state of a client: it has everything up to `revision`, in one language, and of each stream the items before
    `next`. `resend_texts`: it needs all localised texts again. It gets watched streams only if `watching` contains
    them. What it got from a feed with another `boot` counts as nothing; None: it has nothing from any feed."""

    revision: int = 0
    next: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    watching: frozenset[str] = frozenset()
    resend_texts: bool = False
    boot: str | None = None


class Feed:
    """Parts by name, each a value that is replaced as a whole, and streams of numbered items. One revision counts all
    changes. `boot` identifies this start of the feed; clients discard what they have from another one."""

    def __init__(self) -> None:
        self.boot = secrets.token_hex(4)
        self.revision = 0
        self._parts: dict[str, _Part] = {}
        self._streams: dict[str, _Stream] = {}
        self._listeners: list[Listener] = []

    def put(self, name: str, value: Value) -> None:
        """Set a part; do nothing if its value is the same. The caller must not change the value afterwards."""
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
        """Open a stream that keeps its last `keep` items; a `watched` one goes only to clients that ask for it."""
        self._streams[name] = _Stream(keep, watched)

    def empty_stream(self, name: str) -> None:
        """Discard a stream's items; clients discard theirs with the next one."""
        self._streams[name].empty()

    def restart(self) -> None:
        """Make every client discard what it has, and send all of it again, with every sentence rendered again."""
        self.boot = secrets.token_hex(4)
        self.revision += 1
        for part in self._parts.values():
            part.forget_texts(self.revision)
        for stream in self._streams.values():
            stream.forget_texts()
        self.notify()

    def add(self, name: str, *items: Value) -> None:
        """Add items to a stream. Each is an object, into which its number is put as ``n``."""
        if not items:
            return
        self.revision += 1
        self._streams[name].add(items)
        self.notify()

    def notify(self) -> None:
        """Notify the listeners of something new, or of something that is made as soon as a client asks for it."""
        for listener in self._listeners:
            listener()

    def listen(self, listener: Listener) -> Listener:
        """Call `listener` at every change, until the function that is returned is called."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def catch_up(self, client: ClientState, words: Words, header: Mapping[str, Any]) -> tuple[str | None, ClientState]:
        """Return the message with all that a client lacks (None if nothing), which begins with `header`, and the
        client's next state."""
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
        """Do the same as `catch_up`, but always return a message."""
        message, has = self.catch_up(client, words, header)
        return message or self._message(header, {}, {}), has

    def _message(self, header: Mapping[str, Any], parts: Mapping[str, str], streams: Mapping[str, str]) -> str:
        head = _text({"boot": self.boot, "revision": self.revision, **header})
        return f'{head[:-1]},"parts":{_object(parts)},"streams":{_object(streams)}}}'


@dataclass(slots=True)
class _Rendered:
    """The text of a value in one language: the revision in which it changed, and the one for which it was last
    checked."""

    text: str
    changed_at: int
    checked_at: int


class _Part:
    """A value, and its texts in the languages that clients have requested."""

    def __init__(self, value: Value, revision: int) -> None:
        self.value = value
        self.revision = revision
        self._rendered: dict[str, _Rendered] = {}

    def forget_texts(self, revision: int) -> None:
        """Discard all texts, so that they are rendered again as of this revision."""
        self.revision = revision
        self._rendered.clear()

    def text_since(self, revision: int, words: Words, resend: bool) -> str | None:
        """Return the text if it has changed since a revision, or if it is localised and has to be sent again."""
        resend = resend and callable(self.value)
        if self.revision <= revision and not resend:
            return None
        rendered = self._render(words)
        return rendered.text if rendered.changed_at > revision or resend else None

    def _render(self, words: Words) -> _Rendered:
        # without sentences the text is the same in every language
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
    """The last items of a stream, and their texts in the languages that clients have requested."""

    def __init__(self, keep: int, watched: bool) -> None:
        self.watched = watched
        self.next = 0
        self._emptied_at = 0
        self._items: deque[tuple[Value, dict[str, str]]] = deque(maxlen=keep)

    def add(self, items: tuple[Value, ...]) -> None:
        self._items.extend((item, {}) for item in items)
        self.next += len(items)

    def empty(self) -> None:
        """Discard the present items."""
        self._items.clear()
        self._emptied_at = self.next

    def forget_texts(self) -> None:
        """Render all texts again."""
        for _, texts in self._items:
            texts.clear()

    def text_since(self, number: int, words: Words, resend: bool) -> str | None:
        """Return the items from a number on, or all of them if they are localised and have to be sent again; None if
        there are none."""
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
