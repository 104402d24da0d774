"""Where a table's messages are at a broker. Must not know what they say."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

ONLINE, OFFLINE = "online", "offline"
"""What stands at the topic `online`."""


def slug_of(name: str) -> str:
    """A table's name as one level of a topic: small letters and digits of ASCII, with hyphens for what is between."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "table"


@dataclass(frozen=True, slots=True)
class Topics:
    """Of the table with this slug, below `base`."""

    base: str
    slug: str

    @property
    def online(self) -> str:
        """`ONLINE` while the table and its bridge are there, else `OFFLINE`; retained."""
        return f"{self.base}/{self.slug}/online"

    @property
    def state(self) -> str:
        """`messages.State`, retained."""
        return f"{self.base}/{self.slug}/state"

    @property
    def event(self) -> str:
        """Each of `messages.EVENTS` once, as it happens."""
        return f"{self.base}/{self.slug}/event"

    @property
    def command(self) -> str:
        """What the table is asked for: one of `api.requests.Command`'s words."""
        return f"{self.base}/{self.slug}/command"

    @property
    def device(self) -> str:
        """What Home Assistant calls the table."""
        return f"{self.base.replace('/', '-').replace('.', '-')}-{self.slug}"
