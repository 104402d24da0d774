"""A table's topics at a broker, and the ids by which the table is known there. Must not know the messages."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from hashlib import blake2s

ONLINE, OFFLINE = "online", "offline"
"""The two messages at the topic `online`."""

LONGEST_CLIENT_ID = 23
"""The most characters of a client id: MQTT 3.1.1 requires every broker to accept as many."""
LONGEST_READABLE = 40
"""Characters of a name that are kept where a digest makes it unique."""
DIGEST_BYTES = 4
"""Bytes of the digest that makes a shortened name unique."""
PLAIN_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
"""A name that can stand in a topic as it is, unless it has a `DIGEST_ENDING`: by that it could equal another's slug."""
DIGEST_ENDING = re.compile(rf".*-[0-9a-f]{{{2 * DIGEST_BYTES}}}")
PLAIN_BASE = re.compile(r"[A-Za-z0-9_]+")
"""A base without a hyphen or a sign that becomes one."""


def normalize_name(name: str) -> str:
    """Return a name in the one form of Unicode in which names are compared: `Küche` can be typed in two."""
    return unicodedata.normalize("NFC", name)


def slug_of(name: str) -> str:
    """Return a table's name as one level of a topic, in lower-case letters, digits and hyphens; different names have
    different slugs. A name of only these is its own slug. Any other becomes what can be spelled with them, and a digest
    of the whole name."""
    name = normalize_name(name)
    if PLAIN_NAME.fullmatch(name) and not DIGEST_ENDING.fullmatch(name):
        return name
    return f"{earlier_slug_of(name)[:LONGEST_READABLE].strip('-')}-{_digest(name)}"


def earlier_slug_of(name: str) -> str:
    """Return the slug that was used up to version 0.2, which many names share."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "table"


def short_client_id(text: str) -> str:
    """Return a client id that every broker accepts, a different one for each text."""
    return f"taptable-{_digest(text, (LONGEST_CLIENT_ID - len('taptable-')) // 2)}"


@dataclass(frozen=True, slots=True)
class TableTopics:
    """Topics and ids of the table with this slug, below `base`; `earlier`: with the ids that it had up to version
    0.2."""

    base: str
    slug: str
    earlier: bool = False

    @property
    def online(self) -> str:
        """`ONLINE` while the table and its bridge are connected, else `OFFLINE`; retained."""
        return f"{self.base}/{self.slug}/online"

    @property
    def state(self) -> str:
        """`messages.TableState`, retained."""
        return f"{self.base}/{self.slug}/state"

    @property
    def event(self) -> str:
        """Each of `messages.EVENTS` once, as it happens."""
        return f"{self.base}/{self.slug}/event"

    @property
    def command(self) -> str:
        """Commands to the table: the words of `api.requests.Command`."""
        return f"{self.base}/{self.slug}/command"

    @property
    def device(self) -> str:
        """The id of the table in Home Assistant: letters, digits, `-` and `_`."""
        device = f"{re.sub('[/.]', '-', self.base)}-{self.slug}"
        # a hyphen in the base could make one base and slug read like another base and slug
        unique = self.earlier or PLAIN_BASE.fullmatch(self.base)
        return device if unique else f"{device}-{_digest(self.base)}"

    @property
    def client(self) -> str:
        """The client id with which the bridge connects."""
        return self.device if self.earlier or len(self.device) <= LONGEST_CLIENT_ID else short_client_id(self.device)


def topics_of(base: str, name: str) -> TableTopics:
    """Return the topics and ids of a table with this name, different for each base and name."""
    return TableTopics(base, slug_of(name))


def earlier_topics_of(base: str, name: str) -> TableTopics:
    """Return the topics and ids that a table with this name had up to version 0.2."""
    return TableTopics(base, earlier_slug_of(name), earlier=True)


def are_the_same(one: TableTopics, other: TableTopics) -> bool:
    """Return whether both have the same topics and ids."""
    return (one.slug, one.device, one.client) == (other.slug, other.device, other.client)


def _digest(text: str, length: int = DIGEST_BYTES) -> str:
    return blake2s(text.encode("utf-8", "surrogatepass"), digest_size=length).hexdigest()
