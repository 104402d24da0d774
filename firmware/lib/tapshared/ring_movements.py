"""Pixels and movements of a ring's patterns: one function for each word of `lights`, in whole numbers, brightness to
the eye from 0 to 255. Knows no colour and no time."""

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


# For each word: (pixel, pixels, how many 255ths of pixels have their time) -> how much of this pixel is lit.
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
    # In 256ths of a pixel: a tail of half the ring, and before it the pixel that is coming up.
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


# For each word: (pixel, pixels, how far the round is, 0-255, or 256 where it was the only one and is over) -> how
# bright this pixel is.
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
    """Return the maximum light of a ring that moves like this, as a number of pixels at their brightest."""
    if movement == lights.CHASE:
        return pixels // 6 + 2  # the light of the tail falls with its square
    if movement == lights.SWAP:
        return (pixels + 1) // 2
    return pixels
