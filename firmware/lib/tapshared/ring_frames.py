"""Computes each pixel of a ring at a moment, by the table of patterns: on the board, and wherever a ring is drawn.
Times are arguments, in ticks. All numbers are whole and below 2^30. Only `show` allocates memory; `advance` and
`draw_pixel` don't. Knows no pin and no screen."""

from tapshared import lights
from tapshared.ring_movements import BRIGHTNESS, SHARES, lit_at_once
from tapshared.ticks import ticks_diff

_FULL = 255
# The light for each brightness to the eye, which sees about the root of it.
_LIGHTS = bytes([(level * level + _FULL - 1) // _FULL for level in range(256)])
_LONGEST_MS = 1 << 18  # longer times are counted in steps of several ms, so that products stay below 2^30


class RingFrames:
    """A ring of 8 to 16 pixels, dark at first. The first pixel is where the cable comes in, the others follow
    clockwise."""

    def __init__(self, pixels: int) -> None:
        self.pixels = pixels
        self._pattern = None
        self._elapsed_us = 0  # since the start of this round of the movement
        self.show("off", 0, 0, 0)

    def show(self, name: str, left_ms: int, whole_ms: int, now: int) -> None:
        """Show a ring pattern from `now` on; of a timed one, `left_ms` of `whole_ms` remain. The movement starts again,
        except for a pattern that repeats and is shown already."""
        pattern = lights.RING_PATTERNS[name]
        if pattern is not self._pattern or pattern.movement in lights.ONCE:
            self._elapsed_us = 0
        self._pattern = pattern
        self._now = now
        self._step_ms = 1 + whole_ms // _LONGEST_MS
        # `_whole` and `_left` count steps of `_step_ms`.
        self._whole = max(1, whole_ms // self._step_ms)
        self._left = min(left_ms // self._step_ms, self._whole)
        self._passed_us = 0  # of time that has passed and isn't subtracted from `_left` yet
        self._share = SHARES[pattern.pixels]
        self._brightness = BRIGHTNESS[pattern.movement]
        self._red, self._green, self._blue = self._limit_current(pattern)
        self._update_phase()

    def advance(self, now: int) -> None:
        """Advance to this time. Call it at least every 8 minutes, since ticks can't tell longer spans."""
        passed_us = max(0, ticks_diff(now, self._now))
        self._now = now
        period_us = self._pattern.period_ms * 1000
        self._elapsed_us += passed_us
        if self._pattern.movement in lights.ONCE or not period_us:
            self._elapsed_us = min(self._elapsed_us, period_us)
        else:
            self._elapsed_us %= period_us
        if self._pattern.is_timed:
            step_us = self._step_ms * 1000
            self._passed_us += passed_us
            self._left = max(0, self._left - self._passed_us // step_us)
            self._passed_us %= step_us
        self._update_phase()

    @property
    def is_moving(self) -> bool:
        """Whether the frame may change as time passes. A drained ring is dark and stays so; a filled one keeps moving
        as its movement does."""
        pattern = self._pattern
        if pattern.is_timed and (self._left > 0 or pattern.pixels == lights.DRAINING):
            return self._left > 0
        if pattern.movement in lights.ONCE:
            return self._elapsed_us < pattern.period_ms * 1000
        return pattern.movement != lights.STILL

    def level(self, pixel: int) -> int:
        """Return a pixel's brightness to the eye, 0-255, without the bound on the ring's current."""
        share = self._share(pixel, self.pixels, self._lit)
        return (
            share and share * self._brightness(pixel, self.pixels, self._phase) // _FULL * self._pattern.level // _FULL
        )

    def draw_pixel(self, pixel: int, into: bytearray) -> bool:
        """Put a pixel's green, red and blue into the bytes of all pixels; return whether that changed them."""
        light = _LIGHTS[self.level(pixel)]
        green, red, blue = self._green * light // _FULL, self._red * light // _FULL, self._blue * light // _FULL
        at = 3 * pixel
        if into[at] == green and into[at + 1] == red and into[at + 2] == blue:
            return False
        into[at] = green
        into[at + 1] = red
        into[at + 2] = blue
        return True

    def _update_phase(self):
        # `_phase` is the position in the movement's round, 0-255, or 256 after the only round. `_lit` is the number of
        # pixels that a timed pattern lights now, in 255ths of a pixel.
        period_ms = self._pattern.period_ms
        self._phase = self._elapsed_us // 1000 * 256 // period_ms if period_ms else 0
        shown = self._left if self._pattern.pixels == lights.DRAINING else self._whole - self._left
        self._lit = shown * self.pixels * _FULL // self._whole

    def _limit_current(self, pattern):
        # Return red, green and blue as light, 0-255, dimmed if the ring would exceed its current when it is brightest.
        channels = [_LIGHTS[level] for level in pattern.colour]
        share = SHARES[pattern.pixels]
        lit = sum([1 for pixel in range(self.pixels) if share(pixel, self.pixels, self.pixels * _FULL)])
        lit = min(lit, lit_at_once(pattern.movement, self.pixels))
        needed = lit * sum(channels) * lights.CHANNEL_MOST_MA
        allowed = (lights.RING_MOST_MA - self.pixels * lights.PIXEL_IDLE_MA) * _FULL
        return [light * allowed // needed for light in channels] if needed > allowed else channels
