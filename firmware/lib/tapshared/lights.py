"""The lights of a seat, as data: the patterns of its ring by the names both sides of the wire use, each with its
colour, which pixels it lights and how they move, and the states of its button's lamp. `ring_frames` draws the rings on
the table and on the page from it. Must not know when the table shows which pattern: `cues.cueing` chooses it."""

# Which pixels a pattern lights.
ALL = "all"
QUARTERS = "quarters"  # four, a quarter of the ring apart
BETWEEN = "between"  # all but these four
OTHERS = "others"  # every other one
FILLING = "filling"  # more and more, as its time passes
DRAINING = "draining"  # the rest of its time

# How they move. The last two do so once, and then stay.
STILL = "still"
CHASE = "chase"  # a comet goes round
BREATHE = "breathe"  # slowly to almost nothing and back
PULSE = "pulse"  # bright at once, then less
BLINK = "blink"  # on and off
SWAP = "swap"  # one half, then the other
SWEEP = "sweep"  # lit one after the other, once round
FADE = "fade"  # bright at once, then dark
ONCE = (SWEEP, FADE)


class Pattern:
    """A pattern of a ring. `colour` is red, green and blue as a screen has them (0-255), `level` the brightness to the
    eye at its brightest (0-255), `period_ms` how long one round of the movement takes."""

    def __init__(
        self, colour: tuple[int, int, int], pixels: str, movement: str, period_ms: int = 0, level: int = 255
    ) -> None:
        self.colour = colour
        self.pixels = pixels
        self.movement = movement
        self.period_ms = period_ms
        self.level = level
        self.is_timed = pixels in (FILLING, DRAINING)  # over the time that `light` gives with it


RING_PATTERNS = {
    "off": Pattern((0, 0, 0), ALL, STILL, level=0),
    "idle": Pattern((143, 199, 196), QUARTERS, STILL, level=140),
    "your-turn": Pattern((255, 192, 77), ALL, CHASE, 1800),
    "reading": Pattern((255, 255, 255), ALL, PULSE, 300),
    "accepted": Pattern((92, 240, 142), ALL, SWEEP, 260),
    "refused": Pattern((255, 90, 77), ALL, SWAP, 320),
    "ignored": Pattern((207, 216, 218), OTHERS, FADE, 700),
    "holding": Pattern((98, 213, 255), FILLING, STILL),
    "window": Pattern((255, 162, 77), DRAINING, STILL),
    "claim": Pattern((255, 111, 195), DRAINING, BREATHE, 760),
    "deaf": Pattern((181, 140, 255), QUARTERS, BLINK, 1400),
    "paused": Pattern((138, 184, 255), BETWEEN, BREATHE, 4000),
}

LAMPS = ("off", "on", "blink")

# Maximum current of a ring from the 5 V of its board's USB, whatever it shows. A port of the Pi gives six boards 1.2 A
# in all, which a Pico, its reader and a lamp share with the ring.
RING_MOST_MA = 80
PIXEL_IDLE_MA = 1  # WS2812B, dark: below 1 mA
CHANNEL_MOST_MA = 20  # WS2812B, one colour of a pixel at its brightest: 12 to 20 mA, by maker
