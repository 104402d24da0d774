"""Arithmetic on a board's microsecond ticks, which wrap at 2^30 (17.9 minutes). Sums and differences hold for spans
under half of that."""

PERIOD = 1 << 30

_MASK = PERIOD - 1  # unlike PERIOD itself a small integer on a board: nothing is allocated
_HALF = 1 << 29


def ticks_add(ticks: int, span_us: int) -> int:
    """The ticks `span_us` after `ticks` (before, if negative)."""
    return (ticks + span_us) & _MASK


def ticks_diff(later: int, earlier: int) -> int:
    """Microseconds from `earlier` to `later`; negative if `later` comes first."""
    return ((later - earlier + _HALF) & _MASK) - _HALF
