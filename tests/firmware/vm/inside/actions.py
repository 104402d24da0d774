"""Actions on a board: on its field, its button, its reader and its cable. Each is a word and its arguments, as they
come over the channel. Runs in the VM."""

import gc
import random

from seatboard import pins
from taptable.sim.cards import NfcCard, Unselectable, mifare_classic, ntag213, shift_uid
from taptable.sim.field import CrossTalk, Disturbance, Faint, Latched, Noise, TornInAnticollision

from firmware.vm.inside.world import World

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DOWN = 0  # the button is between its pin and ground


class Actions:
    """Performs the actions, by name."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._cards: dict[str, NfcCard] = {}  # on the pad, by UID in hex
        self._noise: Disturbance | None = None
        world.do = self._do

    def put(self, uid: str, strength: int = 1) -> None:
        """A card is put on the pad."""
        self._world.field.put(self._card(uid, strength))

    def lie(self, uid: str) -> None:
        """A card lies on the pad since before power-up."""
        self._world.field.enter(self._card(uid))

    def lift(self, uid: str) -> None:
        """A card is lifted from it."""
        self._world.field.lift(self._cards.pop(uid))

    def tear(self, uid: str, bits: int) -> None:
        """Tear a card away from the pad after `bits` bits of its next answer in anticollision."""
        self._world.field.disturbances.append(TornInAnticollision(self._cards.pop(uid), bits))

    def talk(self, uid: str) -> None:
        """Let the reader hear a neighbour's card, once, a bit late."""
        self._world.field.disturbances.append(CrossTalk(ntag213(shift_uid(bytes.fromhex(uid)))))

    def noise(self, chance: float, seed: int) -> None:
        """From now on every request and every answer is garbled with this chance."""
        if self._noise:
            self._world.field.disturbances.remove(self._noise)
            self._noise = None
        if chance:
            random.seed(seed)
            self._noise = Noise(chance, random.random)
            self._world.field.disturbances.append(self._noise)

    def hold(self, value: "int | None") -> None:
        """Hold MISO at this value, or release it."""
        self._world.chip.miso_stuck_at = value

    def unplug(self, out: bool) -> None:
        """The reader is pulled out, or put back, where it starts as at power-up."""
        self._world.chip.is_present = not out
        self._world.chip.reset()

    def latch(self) -> None:
        """Make the reader hear nothing until its chip is reset."""
        self._world.field.disturbances.append(Latched())

    def spoil(self, register: int, value: int, lasting: int = 0) -> None:
        """Set a register of the chip to this value until the next write, or despite every write if `lasting`."""
        if lasting:
            self._world.chip.stick_register(register, value)
        else:
            self._world.chip.registers[register] = value

    def put_unselectable(self, uid: str, fault: str) -> None:
        """A card that can't be selected is put on the pad."""
        self._cards[uid] = Unselectable(bytes.fromhex(uid), fault)
        self._world.field.put(self._cards[uid])

    def faint(self, needs_db: int, seed: int) -> None:
        """From now on cards need this gain to be heard always."""
        random.seed(seed)
        self._world.field.disturbances.append(Faint(needs_db, random.random))

    def gain(self) -> None:
        """Report the gain that the chip's receiver is set to."""
        self._world.tell("gain", self._world.chip.gain_db)

    def press(self, down: bool) -> None:
        """The button closes, or opens."""
        self._world.tell("contact", 1 if down else 0)
        level = _DOWN if down else 1 - _DOWN
        if self._world.edge:
            self._world.edge(pins.BUTTON, level)
        else:
            self._world.levels[pins.BUTTON] = level

    def hang(self) -> None:
        """The next transfer over the bus doesn't come to its end."""
        self._world.hung = True

    def fail(self, verb: str, count: int) -> None:
        """Cut the power in the next sentence with this verb, after `count` bytes of it."""
        self._world.fails_in = (b" " + verb.encode() + b" ", count)

    def stall(self, stalled: bool) -> None:
        """Stop reading at the other end of the cable, or read again."""
        self._world.stall(stalled)

    def busy(self, us: int) -> None:
        """Keep the processor busy for `us` microseconds."""
        self._world.rest(us)

    def interrupt(self) -> None:
        """Ctrl-C comes over the cable."""
        raise KeyboardInterrupt

    def weigh(self) -> None:
        """Report the free memory after a collection, and the traffic on the bus until now."""
        gc.collect()
        free = int(gc.mem_free())  # pyright: ignore  # MicroPython's own
        chip = self._world.chip
        self._world.tell("weighed", free, chip.transfers, chip.moved_bytes, self._world.field.exchange_count)

    def _card(self, uid: str, strength: int = 1) -> NfcCard:
        data = bytes.fromhex(uid)
        self._cards[uid] = ntag213(data, strength) if len(data) == 7 else mifare_classic(data, strength)
        return self._cards[uid]

    def _do(self, action: "list[Any]") -> None:
        getattr(self, action[0])(*action[1:])
