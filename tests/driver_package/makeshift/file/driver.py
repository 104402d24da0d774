"""The kind ``file``: a pad whose reader is a file. Each line of the file is the number of a tag on the pad."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from os.path import normpath
from pathlib import Path
from types import MappingProxyType

from tapshared.presence import ABSENCE_US, CAME, MAX_GARBLED_US, Presence, PresenceChange
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, TagCame, TagWent
from taptable.drivers.interface import (
    Address,
    ClosedPart,
    DeviceContext,
    Driver,
    FoundPart,
    OpenedParts,
    Part,
    PartRole,
    SystemRule,
)

POLL_S = 0.05
UID = re.compile(r"(?:[0-9a-f]{2}){4}(?:(?:[0-9a-f]{2}){3}){0,2}")
"""A tag's number: 4, 7 or 10 bytes."""

_log = logging.getLogger(__name__)


def found_folder() -> Path:
    """Return the folder in which parts are found that nobody has named."""
    return Path(os.environ.get("MAKESHIFT_PARTS", "/run/makeshift"))


class FileDriver(Driver):
    """Pads whose reader is a file."""

    kind = "file"
    roles = frozenset({PartRole.PAD})
    accepts = '"file:<path>" with an absolute path'
    short = 'a file, "file:<path>"'
    where = "in a file"
    examples = MappingProxyType(
        {"seats.pad": "file:/run/tags/1", "discard.pad": "file:/run/tags/discard", "pads.pad": "file:/run/tags/beside"}
    )

    def accepts_name(self, name: str) -> bool:
        """Return whether `name` is the absolute path of a file."""
        return name.startswith("/") and normpath(name) == name and name.isprintable()

    def free(self, taken: Collection[Address]) -> str:
        """Return that files don't run out."""
        del taken
        return "each pad has a file of its own"

    def find(self) -> Sequence[FoundPart]:
        """Return the files in the folder of readers. A reader that is plugged in again has the same name."""
        return [
            FoundPart(Address(self.kind, str(file)), self.roles, f"reader {file.name}", device=str(file))
            for file in sorted((found_folder() / "readers").glob("*"))
        ]

    def find_closed(self) -> Sequence[ClosedPart]:
        """Return the files there that nobody may read. No rule of ours opens a file, but ours is shown."""
        files = sorted((found_folder() / "readers").glob("*"))
        return [
            ClosedPart(f"reader {file.name}", SystemRule.DEVICES) for file in files if not file.stat().st_mode & 0o444
        ]

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the pads."""
        return FilePads(context, parts)


class FilePads(OpenedParts):
    """The pads whose reader is a file, polled twenty times a second. Reading may block, so a thread does it."""

    def __init__(self, context: DeviceContext, parts: Sequence[Part]) -> None:
        self._context = context
        self._pads = [FilePad(part, context) for part in parts]
        self._executor = context.executor()
        self._polling: asyncio.Task[None] | None = None
        self._rounds = 0

    @property
    def progress(self) -> Mapping[str, Callable[[], int | None]]:
        """How often every file has been read."""
        return {"the files": lambda: self._rounds}

    def open(self) -> None:
        """Start polling."""
        self._polling = self._context.loop.create_task(self._poll(), name="files")

    async def close(self) -> None:
        """Stop polling."""
        if self._polling is not None:
            self._polling.cancel()
            await asyncio.wait([self._polling])
        self._executor.shutdown(wait=False)

    async def _poll(self) -> None:
        while True:
            for pad in self._pads:
                contents = await self._context.loop.run_in_executor(self._executor, pad.read)
                for event in pad.events(contents):
                    self._context.report(event)
            self._rounds += 1
            await asyncio.sleep(POLL_S)


class FilePad:
    """One pad. Turns the contents of its file into tags that came and tags that went."""

    def __init__(self, part: Part, context: DeviceContext) -> None:
        assert part.pad is not None
        self._part = part
        self._pad = part.pad
        self._context = context
        self._presence = Presence(self._report_after)
        self._last_read_us: dict[str, int] = {}  # of the tags that were reported and haven't gone
        self._is_missing = False
        self._garbage = ""

    def read(self) -> str | OSError:
        """Return the contents of the file, or the error. Blocks, and raises nothing."""
        try:
            return Path(self._part.address.name).read_text(encoding="ascii", errors="replace")
        except OSError as error:
            return error

    def events(self, contents: str | OSError) -> Iterator[DeviceEvent]:
        """Return the events that follow from the contents."""
        now_us = self._context.now_us()
        if isinstance(contents, OSError):
            if not self._is_missing:
                self._is_missing = True
                yield from [TagWent(read_us, self._pad, uid) for uid, read_us in self._last_read_us.items()]
                yield PartFailed(now_us, self._part.name, str(contents))
                self._last_read_us.clear()
                self._presence = Presence(self._report_after)
            return
        if self._is_missing:
            self._is_missing = False
            yield PartReturned(now_us, self._part.name)
        uids, garbage = self._parse(contents)
        self._last_read_us |= {uid.hex(): now_us for uid in uids if uid.hex() in self._last_read_us}
        for change in self._presence.look(now_us, uids, garbled=bool(garbage)):
            yield self._event(change)

    def _parse(self, text: str) -> tuple[list[bytes], str]:
        """Return the tags that a file names, once each, and the first line that names none, which is logged once."""
        lines = [line.strip().lower() for line in text.splitlines() if line.strip()]
        garbage = next((line for line in lines if not UID.fullmatch(line)), "")
        if garbage and garbage != self._garbage:
            _log.warning("Not a tag's number (%s, %s): %.40r is skipped", self._part.name, self._part.address, garbage)
        self._garbage = garbage
        return [bytes.fromhex(line) for line in dict.fromkeys(lines) if UID.fullmatch(line)], garbage

    def _report_after(self, uid: bytes) -> Sequence[int]:
        """Report a known card after one read, others after two: a number that is only half written is read once."""
        return (2,) if self._context.identify(uid.hex()) is None else (1,)

    def _event(self, change: PresenceChange) -> DeviceEvent:
        uid = change.uid.hex()
        if change.kind == CAME:
            self._last_read_us[uid] = self._context.now_us()
            return TagCame(change.at_us, self._pad, uid, change.already_there, identity=self._context.identify(uid))
        # if the computer was held up, it is found to be gone long after
        return TagWent(min(change.at_us, self._last_read_us.pop(uid) + ABSENCE_US + MAX_GARBLED_US), self._pad, uid)
