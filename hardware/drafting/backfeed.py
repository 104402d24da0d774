"""Computes the current into a Pi that is off while its supply still feeds the modules: it flows through the resistors
with which a module pulls its own inputs up, to the Pi's dead pins. docs/service.md says whether that does
harm."""

from __future__ import annotations

from collections.abc import Mapping

from drafting.circuit import At, Circuit, Nets
from drafting.parts import Is

CLAMP_V = 0.6
"""The drop of the diode between a dead pin and its supply, which is at ground then."""


def into_pins(circuit: Circuit) -> Mapping[At, float]:
    """The current into each pin of the Pi, in mA, from modules that have another supply than its own 3.3 V."""
    nets, found = Nets(circuit), dict[At, float]()
    for role in circuit.roles:
        if role.at.part != circuit.main:
            continue
        for at in nets.joined_to(role.at):
            pin = circuit.pin(at)
            if pin.pulled_up_ohms:
                volts = pin.pulled_up_v or _supply_v(circuit, nets, at)
                found[role.at] = found.get(role.at, 0.0) + 1000 * (volts - CLAMP_V) / pin.pulled_up_ohms
    return found


def _supply_v(circuit: Circuit, nets: Nets, at: At) -> float:
    """The voltage that feeds the module of a pin; as little as the clamp takes if that is the Pi itself."""
    for name, pin in circuit.parts[at.part].pins.items():
        if pin.kind is Is.POWER:
            for source in nets.joined_of_kind(At(at.part, name), Is.SOURCE):
                if source.part != circuit.main:
                    return circuit.pin(source).gives_v or CLAMP_V
    return CLAMP_V
