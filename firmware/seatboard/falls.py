"""Stamps the first fall of the button's pin in hardware, within a µs even while the processor is busy. A state machine
of the PIO waits for the fall and puts a word into its FIFO. Nobody reads this word: it only makes the DMA copy the
timer into memory, once. This works on a Pico only. Elsewhere the import or `Falls` fails, and `button` uses the stamps
of the pin's interrupt alone. Must not know bounces or presses: `button` and `contact` decide about them."""

from array import array

import rp2
from machine import mem32
from seatboard.chip import TIMERAWL

_STATE_MACHINE = 1  # 0 is the ring's
_DREQ = 4 + _STATE_MACHINE  # DREQ_PIO0_RX1 (RP2040 data sheet, 2.5.3.1; RP2350's, 12.6.4.1)
_DREQ_COUNTER = 0x50000800  # CH0_DBG_CTDREQ: the number of pending requests; each channel's is 0x40 further
_MASK = (1 << 30) - 1  # the timer's bits that `ticks_us` has


@rp2.asm_pio()
def push_falls():
    """Push a word at each falling edge, unless the FIFO is full."""
    wrap_target()
    wait(0, pin, 0)
    push(noblock)
    wait(1, pin, 0)
    wrap()


class Falls:
    """Stamps the first fall of a pin after each call of `arm`."""

    def __init__(self, pin):
        self._stamp = array("I", (0,))
        self._machine = rp2.StateMachine(_STATE_MACHINE, push_falls, in_base=pin)
        self._dma = rp2.DMA()
        control = self._dma.pack_ctrl(inc_read=False, inc_write=False, treq_sel=_DREQ)
        self._dma.config(read=TIMERAWL, write=self._stamp, count=1, ctrl=control)
        self._is_armed = False
        self._machine.active(1)

    @property
    def is_waiting(self):
        """Whether it is armed and nothing has fallen since."""
        return self._is_armed and self._dma.active()

    def arm(self):
        """Wait for the next fall. Call it while the pin is up. If the pin turns out to have fallen meanwhile, call
        `take_stamp` and drop the result."""
        if not self._dma.active():
            while self._machine.rx_fifo():
                self._machine.get()
            mem32[_DREQ_COUNTER + 0x40 * self._dma.channel] = 0
            self._dma.active(1)
        # If the DMA has ended already, a fall during these steps or a request from before them made it copy the timer,
        # and nobody knows how late. So that stamp isn't used.
        self._is_armed = self._dma.active()

    def take_stamp(self):
        """Return the ticks of the first fall since `arm`; None if there was none, or if its time isn't known. Call
        `arm` again to stamp another fall."""
        is_known = self._is_armed and not self._dma.active()
        self._is_armed = False
        return self._stamp[0] & _MASK if is_known else None
