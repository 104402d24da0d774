"""One I2C bus as the readers on it share it: transfers, and the channels of its switches, of which one is connected
at a time. Says in one sentence which part doesn't answer. Must not know what a reader is."""

from __future__ import annotations

import errno
import fcntl
import threading
from collections.abc import Collection, Sequence
from contextlib import suppress

import smbus2

from taptable.core.errors import DeviceError
from taptable.drivers.i2c_places import I2cPlace
from taptable.drivers.rc522_reader import FailingReader, NoReader

# Linux's EREMOTEIO has no name on other systems
_NO_ANSWER = (getattr(errno, "EREMOTEIO", 121), errno.ENXIO, errno.EIO)
_HANGS = (errno.ETIMEDOUT, errno.EAGAIN, errno.EBUSY)
_GONE = (errno.ENODEV, errno.EBADF)


class SilentSwitch(DeviceError):
    """A switch doesn't answer."""


class HangingBus(DeviceError):
    """Transfers on a bus time out."""


class BusInUse(DeviceError):
    """Another process uses the readers on a bus."""


class SharedBus:
    """The bus `/dev/i2c-<number>`, on which the devices at these places are its users'. All methods may be called from
    any thread; they raise DeviceError.

    It is locked against other processes as long as it is open: two of them would connect channels behind each other's
    backs, and read one pad's card at another. A display on the same bus needs no channel and no lock."""

    def __init__(self, number: int, places: Collection[I2cPlace] = ()) -> None:
        self.number = number
        self.places = frozenset(places)
        self.switches = {place.switch for place in places if place.switch is not None}
        self.lock = threading.RLock()
        self._bus: smbus2.SMBus | None = None
        self._users: set[str] = set()
        # the switch and channel that are connected, None while none are, and whether that is known at all
        self._connected: tuple[int, int] | None = None
        self._is_known = False
        self._failed: dict[int | None, DeviceError] = {}  # in this round, by switch; None for the whole bus

    @property
    def is_open(self) -> bool:
        """Whether this process has the bus."""
        return self._bus is not None

    def open(self, user: str) -> None:
        """Open the bus for one of its users, unless it is open."""
        with self.lock:
            if self._bus is None:
                self._bus = self._open()
                self._is_known = False
            self._users.add(user)

    def release(self, user: str) -> None:
        """End the use by one of its users. The last one disconnects all channels and closes the bus."""
        with self.lock:
            self._users.discard(user)
            if not self._users and self._bus is not None:
                with suppress(DeviceError):
                    self.disconnect()
                self.drop()

    def drop(self) -> None:
        """Close the file and send nothing, as happens to a process that is killed."""
        with self.lock:
            bus, self._bus = self._bus, None
            if bus is not None:
                bus.close()

    def begin_round(self) -> None:
        """Forget which switches have failed: each is tried once in a round, since one on a hanging bus takes a second
        to fail."""
        with self.lock:
            self._failed.clear()

    def write(self, place: I2cPlace, payload: Sequence[int]) -> None:
        """Write one message to a device."""
        with self.lock:
            self.connect(place)
            self._transfer(place, smbus2.i2c_msg.write(place.address, payload))

    def read(self, place: I2cPlace, register: int, count: int) -> bytes:
        """Write a device's register number and read `count` bytes, in one transaction."""
        with self.lock:
            self.connect(place)
            read = smbus2.i2c_msg.read(place.address, count)
            # of the messages of a transaction the Pi's adapter lets only the last one read
            self._transfer(place, smbus2.i2c_msg.write(place.address, [register]), read)
            return bytes(read)

    def read_plain(self, place: I2cPlace, count: int) -> bytes:
        """Read `count` bytes from a device that has no registers."""
        with self.lock:
            self.connect(place)
            read = smbus2.i2c_msg.read(place.address, count)
            self._transfer(place, read)
            return bytes(read)

    def require_alive(self) -> None:
        """Raise DeviceError if the whole bus has failed in this round."""
        if None in self._failed:
            raise self._failed[None]

    def read_byte(self, address: int) -> int | None:
        """Return a byte from a device on the bus that may be anything, without writing to it; None if nothing answers
        or if a driver of the kernel has it."""
        with self.lock:
            try:
                return self._opened().read_byte(address)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    self._require_only_silence(error)
                return None

    def connect(self, place: I2cPlace) -> None:
        """Connect the channel of a place and no other. A switch that has lost its power since is connected again after
        the first transfer that failed."""
        with self.lock:
            wanted = None if place.switch is None else (place.switch, place.channel)
            if self._is_known and self._connected == wanted:
                return
            silent = self.disconnect(but=place.switch)
            if wanted is not None:
                if silent:
                    self._require_silence(place, silent)
                self._select(*wanted)
            self._connected, self._is_known = wanted, True

    def disconnect(self, but: int | None = None) -> list[int]:
        """Disconnect the channels of all switches but one. Return the switches that don't answer."""
        silent: list[int] = []
        with self.lock:
            for switch in sorted(self.switches - {but}):
                if not self._is_known or (self._connected is not None and self._connected[0] == switch):
                    try:
                        self._select(switch, None)
                    except SilentSwitch:
                        silent.append(switch)
            if but is None:
                self._connected, self._is_known = None, True
        return silent

    def _require_silence(self, place: I2cPlace, silent: Sequence[int]) -> None:
        """Raise DeviceError if a device with the address of this place answers through one of the switches that don't
        answer: such a switch may have stopped with a channel connected."""
        assert place.switch is not None
        self._select(place.switch, None)
        if self.read_byte(place.address) is not None:
            named = ", ".join(f"0x{switch:02x}" for switch in silent)
            raise FailingReader(
                f"i2c:{place}: switch {named} doesn't answer, and a part behind it still does: unplug that switch"
            )

    def _select(self, switch: int, channel: int | None) -> None:
        """Connect a channel of a switch, or none, and read back that it has done so."""
        if switch in self._failed:
            raise self._failed[switch]
        at, mask = I2cPlace(self.number, switch), 0 if channel is None else 1 << channel
        self._is_known = False
        read = smbus2.i2c_msg.read(switch, 1)
        try:
            self._transfer(at, smbus2.i2c_msg.write(switch, [mask]))
            self._transfer(at, read)
        except NoReader:
            silent = SilentSwitch(
                f"i2c:{at}: the switch doesn't answer: check its lead, its power and its address jumpers"
            )
            self._failed[switch] = silent
            raise silent from None
        if (value := bytes(read)[0]) != mask:
            raise FailingReader(
                f"i2c:{at}: the switch reads as 0x{value:02X} after 0x{mask:02X} was written: is it a TCA9548A?"
            )

    def _transfer(self, place: I2cPlace, *messages: smbus2.i2c_msg) -> None:
        self.require_alive()
        try:
            self._opened().i2c_rdwr(*messages)
        except OSError as error:
            self._is_known = False
            self._require_only_silence(error)
            found = f"nothing answers at 0x{place.address:02x} ({error.strerror})"
            raise NoReader(f"i2c:{place}", None, "check its lead and its address", found) from error

    def _require_only_silence(self, error: OSError) -> None:
        """Raise DeviceError if the whole bus has failed, and not only one device on it."""
        if error.errno in _HANGS:
            hangs = HangingBus(
                f"I²C bus {self.number} hangs ({error.strerror}): a part holds a line low: unplug one part after the"
                " other"
            )
            self._failed[None] = hangs
            raise hangs from error
        if error.errno in _GONE:
            self.drop()
        if error.errno not in _NO_ANSWER:
            raise DeviceError(f"I²C bus {self.number} can't be used: {error.strerror}") from error

    def _opened(self) -> smbus2.SMBus:
        if self._bus is None:
            raise DeviceError(f"I²C bus {self.number} isn't open")
        return self._bus

    def _open(self) -> smbus2.SMBus:
        node = f"/dev/i2c-{self.number}"
        try:
            bus = smbus2.SMBus(self.number)
        except FileNotFoundError as error:
            raise DeviceError(f"{node} isn't there: is I2C enabled?") from error
        except OSError as error:
            raise DeviceError(f"{node} can't be opened: {error.strerror}") from error
        try:
            fcntl.flock(bus.fd or 0, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            bus.close()
            raise BusInUse(f"another program uses the readers on I²C bus {self.number}") from error
        return bus
