"""The kind ``file``: a pad whose reader is a file. Each of its lines is the number of a tag that lies on the pad."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from os.path import normpath
from pathlib import Path
from types import MappingProxyType

from tapshared.presence import ABSENCE_US, BLUR_US, CAME, Presence, PresenceChange
from taptable.core.device_events import DeviceEvent, PartFailed, PartReturned, TagCame, TagWent
from taptable.drivers.interface import Address, DeviceContext, Driver, OpenedParts, Part, PartRole

LOOK_S = 0.05
UID = re.compile(r"(?:[0-9a-f]{2}){4}(?:(?:[0-9a-f]{2}){3}){0,2}")
"""A tag's number: 4, 7 or 10 bytes."""

_log = logging.getLogger(__name__)


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
        """Whether a file could be called so."""
        return name.startswith("/") and normpath(name) == name and name.isprintable()

    def free(self, taken: Collection[Address]) -> str:
        """Say that files don't run out."""
        del taken
        return "each pad has a file of its own"

    def open(self, context: DeviceContext, parts: Sequence[Part]) -> OpenedParts:
        """Return the pads."""
        return FilePads(context, parts)


class FilePads(OpenedParts):
    """The pads whose reader is a file, looked at twenty times a second. Reading may block, so a thread does it."""

    def __init__(self, context: DeviceContext, parts: Sequence[Part]) -> None:
        self._context = context
        self._pads = [FilePad(part, context) for part in parts]
        self._executor = context.executor()
        self._looking: asyncio.Task[None] | None = None
        self._looks = 0

    @property
    def progress(self) -> Mapping[str, Callable[[], int | None]]:
        """How often every file has been read."""
        return {"the files": lambda: self._looks}

    def open(self) -> None:
        """Begin to look."""
        self._looking = self._context.loop.create_task(self._look(), name="files")

    async def close(self) -> None:
        """Look no more."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.wait([self._looking])
        self._executor.shutdown(wait=False)

    async def _look(self) -> None:
        while True:
            for pad in self._pads:
                found = await self._context.loop.run_in_executor(self._executor, pad.read)
                for event in pad.events(found):
                    self._context.report(event)
            self._looks += 1
            await asyncio.sleep(LOOK_S)


class FilePad:
    """One pad: what was read of its file becomes tags that came and tags that went."""

    def __init__(self, part: Part, context: DeviceContext) -> None:
        assert part.pad is not None
        self._part = part
        self._pad = part.pad
        self._context = context
        self._presence = Presence(self._tell_at)
        self._told: dict[str, int] = {}  # the tags that were told and haven't gone, and when each was last read
        self._is_missing = False
        self._garbage = ""

    def read(self) -> str | OSError:
        """Return what stands in the file, or why that can't be known. Blocks, and raises nothing."""
        try:
            return Path(self._part.address.name).read_text(encoding="ascii", errors="replace")
        except OSError as error:
            return error

    def events(self, found: str | OSError) -> Iterator[DeviceEvent]:
        """Return what is new after a look."""
        now_us = self._context.now_us()
        if isinstance(found, OSError):
            if not self._is_missing:
                self._is_missing = True
                yield from [TagWent(read_us, self._pad, uid) for uid, read_us in self._told.items()]
                yield PartFailed(now_us, self._part.name, str(found))
                self._told.clear()
                self._presence = Presence(self._tell_at)
            return
        if self._is_missing:
            self._is_missing = False
            yield PartReturned(now_us, self._part.name)
        uids, garbage = self._understand(found)
        self._told |= {uid.hex(): now_us for uid in uids if uid.hex() in self._told}
        for change in self._presence.look(now_us, uids, garbled=bool(garbage)):
            yield self._event(change)

    def _understand(self, text: str) -> tuple[list[bytes], str]:
        """Return the tags that a file names, once each, and the first line that names none. The log has it once."""
        lines = [line.strip().lower() for line in text.splitlines() if line.strip()]
        garbage = next((line for line in lines if not UID.fullmatch(line)), "")
        if garbage and garbage != self._garbage:
            _log.warning(
                "%s: %s has a line that is no tag's number: %.40r", self._part.name, self._part.address, garbage
            )
        self._garbage = garbage
        return [bytes.fromhex(line) for line in dict.fromkeys(lines) if UID.fullmatch(line)], garbage

    def _tell_at(self, uid: bytes) -> Sequence[int]:
        """One read is enough for a card that is known. Half a number, as somebody writes it, is read only once."""
        return (2,) if self._context.identify(uid.hex()) is None else (1,)

    def _event(self, change: PresenceChange) -> DeviceEvent:
        uid = change.uid.hex()
        if change.kind == CAME:
            self._told[uid] = self._context.now_us()
            return TagCame(change.at_us, self._pad, uid, change.already_there, identity=self._context.identify(uid))
        # where the computer was held up, it is found to be gone long after
        return TagWent(min(change.at_us, self._told.pop(uid) + ABSENCE_US + BLUR_US), self._pad, uid)
