"""The verbs of the wire between the Pi and a seat board, as one table: which side says each, and which fields it has.
The codec, the page of the wire and the tests' vectors are made from it. Must not know what a side does with a
sentence."""

from tapshared.lights import LAMPS, RING_PATTERNS
from tapshared.rc522 import GAINS

PROTOCOL = 1  # the version of the protocol; those of the firmware are in `tapshared.version`

PI = "pi"
BOARD = "board"

# The types of fields. Any other type is a tuple of the words that may stand there; with "" among them the field may
# be left out.
COUNT = "count"  # a decimal number from 0 to 2^30 - 1
TICKS = "ticks"  # the same, in microseconds of the board's clock
UID = "uid"  # 4, 7 or 10 bytes in lower-case hex
NAME = "name"  # up to 32 letters, digits, dots, underscores and hyphens

_GAINS = tuple(map(str, GAINS))

# Each verb: which side says it, whether its sentences are numbered from 1 (others have the number 0), and its fields.
VERBS = {
    "hello": (
        BOARD,
        False,
        (
            ("protocol", COUNT),
            ("board", NAME),
            ("boot", COUNT),
            ("firmware", NAME),
            ("pads", COUNT),
            ("pixels", COUNT),
            ("buttons", COUNT),
            ("oldest", COUNT),
        ),
    ),
    "tag": (BOARD, True, (("uid", UID), ("ticks", TICKS), ("how", ("", "lying", "again")))),
    "gone": (BOARD, True, (("uid", UID), ("ticks", TICKS))),
    "press": (BOARD, True, (("ticks", TICKS), ("age", ("", "old", "exact")))),
    "release": (BOARD, True, (("ticks", TICKS), ("age", ("", "old")))),
    "health": (
        BOARD,
        False,
        (("reader", ("ok", "deaf")), ("misread", COUNT), ("damaged", COUNT), ("lost", COUNT), ("free", COUNT)),
    ),
    "pong": (BOARD, False, (("ping", COUNT), ("ticks", TICKS), ("light", COUNT))),
    "anchor": (BOARD, False, (("frame", COUNT), ("after", TICKS), ("by", TICKS))),
    "hears": (BOARD, False, (("db", _GAINS), ("looks", COUNT), ("read", COUNT))),
    "reader": (
        BOARD,
        False,
        (("setups", COUNT), ("wrong", COUNT), ("healed", COUNT), ("unread", COUNT), ("now", ("", "unread"))),
    ),
    "hello?": (PI, False, ()),
    "ack": (PI, False, (("boot", COUNT), ("upto", COUNT))),
    "ping": (PI, True, ()),
    "anchors": (PI, False, (("every_ms", COUNT), ("presses", ("", "exact")))),
    "gain": (PI, False, (("db", _GAINS),)),
    "reader?": (PI, False, ()),
    "light": (PI, True, (("pattern", tuple(RING_PATTERNS)), ("left_ms", COUNT), ("whole_ms", COUNT), ("lamp", LAMPS))),
    "reset": (PI, False, (("boot", COUNT),)),
}
