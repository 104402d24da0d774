"""Seeds that nobody chose: short enough to be typed again. Imports next to nothing, so that a command line may."""

from __future__ import annotations

import secrets

MOST_SEED = 1_000_000


def any_seed() -> int:
    """A seed from 0 up to, and without, `MOST_SEED`."""
    return secrets.randbelow(MOST_SEED)
