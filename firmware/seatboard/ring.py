"""The ring of a seat: draws the frames of its pattern and hands them to a state machine of the PIO, which sends them
to the WS2812 pixels by DMA while the board does other things; interrupts stay on. Knows neither the wire nor what a
pattern means."""

from time import ticks_us

import rp2
from machine import Pin
from tapshared.ring_frames import RingFrames
from tapshared.ticks import ticks_add, ticks_diff

FRAME_US = 25_000  # from one frame to the next while something moves: under 40 a second
PIXEL_US = 32  # to send one
GAP_US = 1_000  # the time to draw, and then the quiet by which pixels take their colours (280 µs)
PIXELS_A_STEP = 4  # drawn at a time, so that no step of the board's loop waits for a whole ring
STILL_US = 100_000  # between checks whether a pattern that stands still has been replaced

_STATE_MACHINE = 0
_BIT_HZ = 10_000_000  # cycles of 0.1 µs, 13 to a bit
# Destination of the DMA: TXF0 (RP2040 data sheet, 3.7), as a number, since not every MicroPython takes the
# StateMachine.
_FIFO = 0x50200010 + 4 * _STATE_MACHINE
_BYTE = 0  # the size of a transfer; a narrow write fills the FIFO's word with copies (RP2040 data sheet, 2.1.4)


@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=8,
    fifo_join=rp2.PIO.JOIN_TX,
)
def send_pixels():
    """Send the bits of a byte, highest first: up for 0.3 µs (a zero) or 0.7 µs (a one), then down for 1.0 or 0.6 µs,
    which both the WS2812B (0.25-0.55, 0.65-0.95) and its V5 (0.22-0.38, 0.58-1.0) accept. Waits for more with the line
    down."""
    wrap_target()
    label("bit")
    out(x, 1).side(0)[5]
    jmp(not_x, "zero").side(1)[2]
    jmp("bit").side(1)[3]
    label("zero")
    nop().side(0)[3]
    wrap()


class Ring:
    """The ring at this GPIO; dark at first. `due`: when the next step is to run."""

    def __init__(self, pin: int, pixels: int) -> None:
        self._frames = RingFrames(pixels)
        self._bytes = bytearray(3 * pixels)
        self._machine = rp2.StateMachine(_STATE_MACHINE, send_pixels, freq=_BIT_HZ, sideset_base=Pin(pin))
        self._machine.active(1)
        self._dma = rp2.DMA()
        self._control = self._dma.pack_ctrl(size=_BYTE, inc_write=False, treq_sel=_STATE_MACHINE)
        self.due = ticks_us()
        self._ready_at = self.due  # when the pixels have the last frame, and the next may be sent
        self._sending_us = PIXEL_US * pixels + GAP_US
        self._pixel = 0  # the next to be drawn
        self._changed = True  # pixels keep their colour while the board restarts: the first frame is always sent

    def show(self, pattern: str, left_ms: int, whole_ms: int, now: int) -> None:
        """Show this pattern from now on; arguments as for `RingFrames.show`."""
        self._frames.show(pattern, left_ms, whole_ms, now)
        self._pixel = 0
        self.due = self._ready_at if 0 < ticks_diff(self._ready_at, now) <= self._sending_us else now

    def step(self, now: int) -> None:
        """Draw some pixels, and send the frame when it is complete and differs from the last."""
        frames = self._frames
        if self._pixel == frames.pixels:
            if not frames.is_moving:
                frames.advance(now)
                self._ready_at = now
                self.due = ticks_add(now, STILL_US)
                return
            self._pixel = 0
        if self._pixel == 0:
            frames.advance(now)
        end = min(self._pixel + PIXELS_A_STEP, frames.pixels)
        for pixel in range(self._pixel, end):
            if frames.draw_pixel(pixel, self._bytes):
                self._changed = True
        self._pixel = end
        if end < frames.pixels:
            self.due = now
            return
        if self._changed:
            self._changed = False
            self._send()
            self._ready_at = ticks_add(now, self._sending_us)
        self.due = ticks_add(now, FRAME_US)

    def _send(self):
        data = self._bytes
        self._dma.config(read=data, write=_FIFO, count=len(data), ctrl=self._control, trigger=True)
