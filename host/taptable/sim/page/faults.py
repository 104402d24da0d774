"""The workbench: faults of a simulated table, each with its undoing, injected while a game runs. Each answers with what
was done, as the key of a sentence and its facts. Must not know who asks."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from random import Random
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

from taptable.core.observations import DISCARD_PAD, Pad
from taptable.sim.cards import shift_uid
from taptable.sim.harness import SimulationHarness
from taptable.sim.page.person import CannotDo
from taptable.sim.stand_in import HardwareStandIn, NoSuchPart
from taptable.sim.table import SimulatedTable

LONG_UID = 14
"""Digits of a UID of seven bytes, as stickers have it."""
NXP = b"\x04"
"""First byte of most stickers' UIDs: the number of their maker."""
TAPPED_S = 0.4
"""Seconds for which the new tag lies on the discard pad."""
T = TypeVar("T")
Done: TypeAlias = tuple[str, Mapping[str, Any]]

SEAT_FAULTS = (
    *("pull-out", "plug-in", "reset-board", "noise", "calm", "stick", "free", "static"),
    *("pull-controller", "plug-controller"),
)
PAD_FAULTS = ("deafen", "hear", "cross-talk", "tear", "hang-switch", "restart-switch")
"""Faults of any pad, a seat's or another."""
TABLE_FAULTS = ("new-tag", "unplug-display", "plug-display", "fill-disk", "free-disk", "kill")
FAULTS = (*SEAT_FAULTS, *PAD_FAULTS, *TABLE_FAULTS)


class Workbench:
    """The faults of one harness; `kill` schedules the daemon to be killed."""

    def __init__(self, harness: SimulationHarness, disk: Disk, seed: int, kill: Callable[[], None]) -> None:
        self._harness = harness
        self._disk = disk
        self._chance = Random(f"workbench {seed}")
        self.stuck: frozenset[int] = frozenset()
        self._seat_faults: Mapping[str, Callable[[int], None]] = MappingProxyType(
            {
                "pull-out": lambda seat: self._plug(seat, False),
                "plug-in": lambda seat: self._plug(seat, True),
                "reset-board": self._reset,
                "noise": lambda seat: self._make_noise(seat, True),
                "calm": lambda seat: self._make_noise(seat, False),
                "stick": self._stick,
                "free": self._free,
                "static": self._spark,
                "pull-controller": lambda seat: self._plug_controller(seat, False),
                "plug-controller": lambda seat: self._plug_controller(seat, True),
            }
        )
        self._pad_faults: Mapping[str, Callable[[Pad], Mapping[str, Any]]] = MappingProxyType(
            {
                "deafen": lambda pad: self._deafen(pad, True),
                "hear": lambda pad: self._deafen(pad, False),
                "cross-talk": self._cross_talk,
                "tear": self._tear,
                "hang-switch": lambda pad: self._hang_switch(pad, True),
                "restart-switch": lambda pad: self._hang_switch(pad, False),
            }
        )
        self._table_faults: Mapping[str, Callable[[], None]] = MappingProxyType(
            {
                "new-tag": self._tap_new_tag,
                "unplug-display": lambda: self._plug_display(False),
                "plug-display": lambda: self._plug_display(True),
                "fill-disk": lambda: self._fill_disk(True),
                "free-disk": lambda: self._fill_disk(False),
                "kill": kill,
            }
        )

    @property
    def disk_is_full(self) -> bool:
        """Whether nothing can be written to the disk."""
        return self._disk.full

    def inject(self, fault: str, pad: Pad | None) -> Done:
        """Inject one of the `FAULTS`, at a seat or another pad if it needs one. CannotDo says why that isn't
        possible."""
        if fault in self._table_faults:
            self._table_faults[fault]()
            return fault, {}
        if pad is not None and fault in self._pad_faults:
            return fault, {"pad": pad, **self._pad_faults[fault](pad)}
        if not isinstance(pad, int):
            raise CannotDo("which-seat")
        self._seat_faults[fault](pad)
        return fault, {"pad": pad}

    def _at(self, pad: Pad) -> HardwareStandIn:
        """Return the stand-in at a pad, if it can be unplugged; else raise CannotDo."""
        stand_in = self._harness.table.pad_stand_in(pad)
        if stand_in.is_plugged(pad) is None:
            raise CannotDo("no-board")
        return stand_in

    def _plugged_at(self, pad: Pad) -> HardwareStandIn:
        """Return the stand-in at a pad, if it is plugged in; else raise CannotDo."""
        stand_in = self._at(pad)
        if not stand_in.is_plugged(pad):
            raise CannotDo("is-out")
        return stand_in

    def _plug(self, seat: int, into: bool) -> None:
        stand_in = self._at(seat)
        _require_change(stand_in.is_plugged(seat), into)
        stand_in.plug(seat, into)

    def _reset(self, seat: int) -> None:
        self._plugged_at(seat).restart(seat)

    def _make_noise(self, seat: int, noisy: bool) -> None:
        stand_in = self._at(seat)
        _require_change(stand_in.is_noisy(seat), noisy)
        stand_in.make_noise(seat, noisy)

    def _deafen(self, pad: Pad, deaf: bool) -> Mapping[str, Any]:
        table = self._harness.table
        if table.pad_stand_in(pad).is_plugged(pad) is False:
            raise CannotDo("is-out")
        _require_change(table.is_deaf(pad), deaf)
        table.deafen(pad, deaf)
        return {}

    def _hang_switch(self, pad: Pad, hung: bool) -> Mapping[str, Any]:
        stand_in = self._harness.table.pad_stand_in(pad)
        if stand_in.hangs(pad) is None:
            raise CannotDo("no-switch")
        _require_change(stand_in.hangs(pad), hung)
        stand_in.hang_switch(pad, hung)
        return {}

    def _plug_controller(self, seat: int, into: bool) -> None:
        table = self._harness.table
        plugged = table.is_controller_plugged(seat)
        if plugged is None:
            raise CannotDo("no-controller")
        _require_change(plugged, into)
        table.plug_controller(seat, into)

    def _cross_talk(self, pad: Pad) -> Mapping[str, Any]:
        """Let the pad's reader receive the neighbour's card, one bit late, as one of its own."""
        table = self._require_reader(pad)
        longest = [uid for uid in self._harness.people.card_by_uid if len(uid) == LONG_UID]
        ghost = shift_uid(bytes.fromhex(self._chance.choice(longest)))
        try:
            table.pad_stand_in(pad).hear_ghost(pad, ghost)
        except NoSuchPart as error:
            raise CannotDo("no-cross-talk") from error
        return {}

    def _tear(self, pad: Pad) -> Mapping[str, Any]:
        """Tear a card away before it has been read, and return which."""
        table = self._require_reader(pad)
        card, uid = self._card_for(pad)
        table.pad_stand_in(pad).tear(pad, uid)
        return {"card": card}

    def _tap_new_tag(self) -> None:
        """Tap a tag that is in no deck on the discard pad: an unknown one in a game, the next card at an enrolment."""
        table = self._require_reader(DISCARD_PAD)
        uid = (NXP + self._chance.randbytes(LONG_UID // 2 - 1)).hex()
        table.put(uid, DISCARD_PAD)
        asyncio.get_running_loop().call_later(TAPPED_S, table.lift, uid, DISCARD_PAD)

    def _require_reader(self, pad: Pad) -> SimulatedTable:
        """Return the table, if the reader of this pad answers; else raise CannotDo."""
        table = self._harness.table
        if table.pad_stand_in(pad).is_plugged(pad) is False:
            raise CannotDo("is-out")
        if table.is_deaf(pad) or table.pad_stand_in(pad).hangs(pad):
            raise CannotDo("is-deaf")
        return table

    def _card_for(self, pad: Pad) -> tuple[str, str]:
        """Return a card that a player would put there, and its tag, that lies on no pad now."""
        table, session_table = self._harness.table, self._harness.session.table
        seat = pad if isinstance(pad, int) else session_table.scoreboard.seat or 1
        if seat > session_table.game_options.players:
            raise CannotDo("no-card")
        tags_on_pads = {uid for each in self._harness.config.all_pads for uid in table.tags_on(each)}
        tags = {name: uid for uid, name in self._harness.people.card_by_uid.items() if uid not in tags_on_pads}
        for card in self._harness.people.reachable(seat)[0].cards:
            if card in tags:
                return card, tags[card]
        raise CannotDo("no-card")

    def _stick(self, seat: int) -> None:
        _require_change(seat in self.stuck, True)
        if not self._button(seat, lambda button: button.stick(seat)):
            raise CannotDo("is-down")
        self.stuck |= {seat}

    def _free(self, seat: int) -> None:
        _require_change(seat in self.stuck, False)
        self._button(seat, lambda button: button.unstick(seat))
        self.stuck -= {seat}

    def _spark(self, seat: int) -> None:
        if not self._button(seat, lambda button: button.spark(seat)):
            raise CannotDo("is-down")

    def _button(self, seat: int, act: Callable[[HardwareStandIn], T]) -> T:
        try:
            return act(self._harness.table.button_stand_in(seat))
        except NoSuchPart as error:
            raise CannotDo("no-board") from error

    def _plug_display(self, into: bool) -> None:
        display = self._harness.table.display
        _require_change(display.plugged, into)
        if into:
            display.plug()
        else:
            display.unplug()

    def _fill_disk(self, full: bool) -> None:
        _require_change(self._disk.full, full)
        self._disk.full = full


def _require_change(current: object, target: object) -> None:
    if current == target:
        raise CannotDo("is-so")


_WRITES = ("INSERT", "UPDATE")


class Disk:
    """A disk for the journal; `full` while nothing more can be written."""

    def __init__(self) -> None:
        self.full = False


@contextmanager
def install_disk(disk: Disk) -> Generator[None]:
    """Let connections that `sqlite3.connect` makes write to this disk, for the duration of the context."""

    class Connection(sqlite3.Connection):
        """A connection that checks the disk before each write."""

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            """Execute as usual, or raise the error for a full disk."""
            if disk.full and sql.startswith(_WRITES):
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error
            return super().execute(sql, *values)

    connect = sqlite3.connect

    def connect_to_disk(*arguments: Any, **options: Any) -> sqlite3.Connection:
        return connect(*arguments, **{"factory": Connection, **options})

    sqlite3.connect = connect_to_disk
    try:
        yield
    finally:
        sqlite3.connect = connect
