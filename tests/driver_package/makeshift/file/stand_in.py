"""The files of a simulated table: the driver reads real ones, and cards are written into them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from taptable.core.observations import Pad
from taptable.drivers.interface import Part
from taptable.sim.stand_in import HardwareStandIn, Surroundings

from makeshift.file.driver import FileDriver


class FileStandIn(HardwareStandIn):
    """The files of all pads. One whose reader is deaf isn't there, and none is while no process may have them."""

    def __init__(self, parts: Sequence[Part], around: Surroundings) -> None:
        super().__init__(parts, around)
        self.driver = FileDriver()
        self._files = {part.pad: Path(part.address.name) for part in parts if part.pad is not None}
        self._lying: dict[Pad, list[str]] = {pad: [] for pad in self._files}
        self._deaf: set[Pad] = set()
        self._is_free = False

    @contextmanager
    def powered(self) -> Generator[None]:
        """While this lasts the files are there."""
        self.take_up()
        yield
        self.let_go()

    def let_go(self) -> None:
        """The files are gone."""
        self._is_free = False
        self._write(*self._files)

    def take_up(self) -> None:
        """The files are there, with all that lies on the pads."""
        self._is_free = True
        self._write(*self._files)

    def put(self, uid: str, pad: Pad) -> None:
        """A tag is put on a pad."""
        self._lying[pad].append(uid)
        self._write(pad)

    def lift(self, uid: str, pad: Pad) -> None:
        """A tag is lifted from a pad."""
        self._lying[pad].remove(uid)
        self._write(pad)

    def tags_on(self, pad: Pad) -> list[str]:
        """Return the tags that are on a pad now."""
        return list(self._lying[pad])

    def deafen(self, pad: Pad, deaf: bool) -> None:
        """The file of a pad is gone, or there again."""
        (self._deaf.add if deaf else self._deaf.discard)(pad)
        self._write(pad)

    def is_deaf(self, pad: Pad) -> bool:
        """Whether the file of a pad is gone."""
        return pad in self._deaf

    def _write(self, *pads: Pad) -> None:
        for pad in pads:
            if self._is_free and pad not in self._deaf:
                self._files[pad].write_text("\n".join(self._lying[pad]), encoding="ascii")
            else:
                self._files[pad].unlink(missing_ok=True)


STAND_IN = FileStandIn
