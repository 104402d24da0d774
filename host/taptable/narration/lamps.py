"""The patterns of the lamps in the seats' buttons at the Pi's pins, as data: when each is lit. Which lamp a seat shows
is chosen in `cues.cueing`, by `LAMP_OF_BUTTON_ACTION`. Lamps on seat boards know only off, on and blink: see
`BOARD_LAMPS` there. The patterns of the rings are in `tapshared.lights`. Must not know when a lamp is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from taptable.core.cues import Lamp


@dataclass(frozen=True, slots=True)
class LampPattern:
    """Steps of (lit, milliseconds). A lasting pattern repeats, one of a single step is steady. A passing one is shown
    once, followed by the lasting one again."""

    steps: tuple[tuple[bool, int], ...]
    passing: bool = False


LAMP_PATTERNS: Mapping[Lamp, LampPattern] = MappingProxyType(
    {
        Lamp.OFF: LampPattern(((False, 0),)),
        Lamp.ON_TURN: LampPattern(((True, 0),)),
        Lamp.MAY_BUZZ: LampPattern(((True, 250), (False, 250))),
        Lamp.FIRST: LampPattern(((True, 0),)),
        Lamp.CLAIM: LampPattern(((True, 100), (False, 100))),
        Lamp.ASKED: LampPattern(((True, 600), (False, 400))),
        Lamp.REMINDED: LampPattern(((True, 120), (False, 120), (True, 120), (False, 1140))),
        Lamp.PAIRING: LampPattern(((True, 120), (False, 120), (True, 120), (False, 120), (True, 120), (False, 600))),
        # these begin and end dark, so that they are visible on a lamp that is lit, too
        Lamp.NOTICED: LampPattern(((False, 60), (True, 60), (False, 60)), passing=True),
        Lamp.GRANTED: LampPattern(((False, 80), (True, 160), (False, 80), (True, 160), (False, 80)), passing=True),
        Lamp.TURNED_DOWN: LampPattern(((False, 60), *((True, 60), (False, 60)) * 4), passing=True),
    }
)
