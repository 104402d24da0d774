"""Arithmetic on a board's microsecond ticks, which wrap at 2^30 (17.9 minutes). Sums and differences hold for spans
under half of that. A board has both in C."""

PERIOD = 1 << 30

_MASK = PERIOD - 1
_HALF = 1 << 29


def ticks_add(ticks: int, span_us: int) -> int:
    """Return the ticks `span_us` after `ticks` (before, if negative)."""
    return (ticks + span_us) & _MASK


def ticks_diff(later: int, earlier: int) -> int:
    """Return the microseconds from `earlier` to `later`; negative if `later` comes first."""
    return ((later - earlier + _HALF) & _MASK) - _HALF


TYPE_CHECKING = False
if not TYPE_CHECKING:
    try:
        from time import ticks_add as add_in_c
        from time import ticks_diff as diff_in_c

        if add_in_c(_MASK, 1) == 0:  # those of 64 bits wrap elsewhere
            ticks_add, ticks_diff = add_in_c, diff_in_c
    except ImportError:
        pass  # CPython
