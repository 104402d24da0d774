"""The files of a simulated table. The driver reads real files, and the stand-in writes cards into them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from taptable.core.observations import Pad
from taptable.drivers.interface import Part
from taptable.sim.stand_in import HardwareStandIn, Surroundings

from makeshift.file.driver import FileDriver


class FileStandIn(HardwareStandIn):
    """The files of all pads. The file of a deaf reader doesn't exist, and none exists while no process may read."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.driver = FileDriver()
        self._files = {part.pad: Path(part.address.name) for part in parts if part.pad is not None}
        self._tags: dict[Pad, list[str]] = {pad: [] for pad in self._files}
        self._deaf: set[Pad] = set()
        self._is_free = False

    @contextmanager
    def powered(self) -> Generator[None]:
        """Keep the files in place within this context."""
        self.take_up()
        yield
        self.let_go()

    def let_go(self) -> None:
        """Detach the process: remove the files."""
        self._is_free = False
        self._write(*self._files)

    def take_up(self) -> None:
        """Write the files, with all tags on the pads, for the next process."""
        self._is_free = True
        self._write(*self._files)

    def put(self, uid: str, pad: Pad) -> None:
        """Put a tag on a pad."""
        self._tags[pad].append(uid)
        self._write(pad)

    def lift(self, uid: str, pad: Pad) -> None:
        """Lift a tag from a pad."""
        self._tags[pad].remove(uid)
        self._write(pad)

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return list(self._tags[pad])

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """Remove the file of a pad, or write it again."""
        (self._deaf.add if deaf else self._deaf.discard)(pad)
        self._write(pad)

    def is_deaf(self, pad: Pad) -> bool:
        """Return whether the file of a pad is gone."""
        return pad in self._deaf

    def _write(self, *pads: Pad) -> None:
        for pad in pads:
            if self._is_free and pad not in self._deaf:
                self._files[pad].write_text("\n".join(self._tags[pad]), encoding="ascii")
            else:
                self._files[pad].unlink(missing_ok=True)


STAND_IN = FileStandIn
