"""From a card's tap to the light of its verdict, part by part, while six boards are busy: parts by the models, parts
measured on this machine and scaled to a Pico and a Pi, and parts that are assumed. Puts together only; what each costs
is measured in `host_costs` and `vm.weighing`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from random import Random

from tapshared.pad import LOOK_EVERY_US

from taptable.sim.busy_table import PLAYERS
from taptable.sim.cards import ntag213
from taptable.sim.distant import ASKED
from taptable.sim.host_costs import CUE, READ, REFEREE, HostCosts
from taptable.sim.vm.weighing import Weighed

PI_SLOWER = 5.0
"""How many times longer Python takes on a Pi 4 than here; still to be measured *(bench)*."""

WAKE_US = 75
"""Until the loop has noticed that a port is readable; the median measured over a pseudo-terminal on a PC."""

TURN_US = 1_000
"""A step of the board's loop, in which it sends a frame or draws some pixels."""

TOGETHER_US = 100_000
"""The other boards' taps come within so long around ours."""

TAG_BYTES, LIGHT_BYTES = 45, 35
_PIXELS_SENT_US = 500
_UID = bytes.fromhex("04a2b3c4d5e680")


class Source(StrEnum):
    """Where a figure comes from."""

    MODEL = "model"
    PICO = "Pico"
    PI = "Pi"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the way, of each tap."""

    name: str
    source: Source
    times_us: list[float]


def tap_parts(weighed: Weighed, host: HostCosts, taps: int, seed: int, pi_slower: float = PI_SLOWER) -> list[Part]:
    """The parts in their order, without the journal; the n-th times of all parts belong to one tap."""
    random = Random(seed)
    drawn = [random.randrange(len(host.journal_us)) for _ in range(taps)]
    look, pico = weighed.looks["first read"], weighed.pico_us
    wakes_us = ntag213(_UID).wakes * 100 / 1356
    byte_us = pico["40 bytes sent"] / 40

    def always(us: float) -> list[float]:
        return [us] * taps

    def anything(longest_us: float) -> list[float]:
        return [random.uniform(0, longest_us) for _ in range(taps)]

    def on_pi(part: str) -> list[float]:
        return [host.parts_us[part][tap] * pi_slower for tap in drawn]

    return [
        Part("the card has power", Source.MODEL, always(wakes_us)),
        Part("until the next look", Source.MODEL, anything(LOOK_EVERY_US)),
        Part("SPI and air of the read", Source.MODEL, always(look.model_us)),
        Part("board: Python of the read", Source.PICO, always(pico["first read"])),
        Part(
            "board: sentence made and sent", Source.PICO, always(pico["turn"] + pico["tag told"] + TAG_BYTES * byte_us)
        ),
        Part("USB, asked each millisecond", Source.MODEL, [ASKED.back.delay_ns(random) / 1000 for _ in range(taps)]),
        Part("host: wakes up", Source.ASSUMED, always(WAKE_US)),
        Part("host: after the other boards' taps", Source.PI, [_wait_us(host, random, pi_slower) for _ in range(taps)]),
        Part(READ, Source.PI, on_pi(READ)),
        Part(REFEREE, Source.PI, on_pi(REFEREE)),
        Part(CUE, Source.PI, on_pi(CUE)),
        Part("USB, back", Source.MODEL, [ASKED.there.delay_ns(random) / 1000 for _ in range(taps)]),
        Part("board: ends its turn", Source.ASSUMED, anything(TURN_US)),
        Part("board: light heard", Source.PICO, always(pico["turn"] + pico["light heard"] + LIGHT_BYTES * byte_us)),
        Part("until the ring's next frame", Source.MODEL, random.choices(weighed.ring_us, k=taps)),
        Part("board: frame drawn and sent", Source.PICO, always(pico["frame drawn"] + _PIXELS_SENT_US)),
    ]


def totals_us(parts: list[Part]) -> list[float]:
    """What the parts come to, of each tap."""
    return [sum(times) for times in zip(*(part.times_us for part in parts), strict=True)]


def to_verdict_us(parts: list[Part]) -> list[float]:
    """What they come to up to the referee's verdict."""
    names = [part.name for part in parts]
    return totals_us(parts[: names.index(REFEREE) + 1])


def _wait_us(host: HostCosts, random: Random, pi_slower: float) -> float:
    """How long a tap waits while the host deals with those of the other boards that came before it."""
    free_us = float("-inf")
    for came_us in sorted(random.uniform(-TOGETHER_US, TOGETHER_US) for _ in range(PLAYERS - 1)):
        if came_us < 0:
            tap = random.randrange(len(host.journal_us))
            free_us = max(free_us, came_us) + pi_slower * sum(times_us[tap] for times_us in host.parts_us.values())
    return max(0.0, free_us)
