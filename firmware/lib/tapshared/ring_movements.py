"""Pixels and movements of a ring's patterns. `SHARES` and `BRIGHTNESS` map each word of `lights` to a function of a
pixel, in whole numbers: its level from 0 to 255, as bright as the eye sees it. `lit_at_once` bounds the light that a
movement needs. Must not know a colour or a clock: of `lights` it uses only the words for pixels and movements."""

from tapshared import lights

_FULL = 255
_MIN_BREATH = 50  # a ring that breathes never looks dead
_MIN_PULSE = 60


def _all(pixel, pixels, lit):
    return _FULL


def _quarters(pixel, pixels, lit):
    return _FULL if pixel * 4 % pixels < 4 else 0


def _between(pixel, pixels, lit):
    return 0 if pixel * 4 % pixels < 4 else _FULL


def _others(pixel, pixels, lit):
    return _FULL * (pixel & 1)


def _as_many(pixel, pixels, lit):
    return max(0, min(_FULL, lit - pixel * _FULL))


# For each word: (pixel, pixels, lit) -> the level of this pixel, before its movement. `lit` is the part of a timed ring
# that is lit, in 255ths of a pixel: 2 * 255 + 51 is two pixels and a fifth of the third. Only _as_many reads it.
SHARES = {
    lights.ALL: _all,
    lights.QUARTERS: _quarters,
    lights.BETWEEN: _between,
    lights.OTHERS: _others,
    lights.FILLING: _as_many,
    lights.DRAINING: _as_many,
}


def _still(pixel, pixels, phase):
    return _FULL


def _chase(pixel, pixels, phase):
    # In 256ths of a pixel. The tail is half the ring, and fades from the head backwards. The pixel just ahead of the
    # head grows brighter until the head reaches it.
    behind = (phase * pixels - pixel * 256) % (pixels * 256)
    tail = pixels * 128
    if behind < tail:
        return _FULL - behind * _FULL // tail
    return max(0, behind - pixels * 256 + 256)


def _breathe(pixel, pixels, phase):
    away = 256 - abs(256 - 2 * phase)
    return _FULL - away * (_FULL - _MIN_BREATH) // 256


def _pulse(pixel, pixels, phase):
    return _FULL - phase * (_FULL - _MIN_PULSE) // 256


def _blink(pixel, pixels, phase):
    return _FULL if phase < 128 else 0


def _swap(pixel, pixels, phase):
    return _FULL if (2 * pixel < pixels) == (phase < 128) else 0


def _sweep(pixel, pixels, phase):
    return max(0, min(_FULL, phase * pixels - pixel * 256))


def _fade(pixel, pixels, phase):
    return max(0, _FULL - phase)


# For each word: (pixel, pixels, phase) -> the brightness of this pixel. `phase` runs from 0 to 255 in each round of the
# movement. A movement that is shown once stays at 256 after its round.
BRIGHTNESS = {
    lights.STILL: _still,
    lights.CHASE: _chase,
    lights.BREATHE: _breathe,
    lights.PULSE: _pulse,
    lights.BLINK: _blink,
    lights.SWAP: _swap,
    lights.SWEEP: _sweep,
    lights.FADE: _fade,
}


def lit_at_once(movement: str, pixels: int) -> int:
    """Return the light of this movement at its brightest moment, as the number of full pixels that give as much. The
    current of the ring is limited by it."""
    if movement == lights.CHASE:
        # light is the square of the level, so a tail that fades over half the ring gives a third of that: a sixth
        return pixels // 6 + 2
    if movement == lights.SWAP:
        return (pixels + 1) // 2
    return pixels
