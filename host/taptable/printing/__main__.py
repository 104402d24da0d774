"""Draws one order in a process of its own, for a program that can't wait meanwhile. ``python -m taptable.printing``
reads the order as JSON from standard input, and writes the PDF to standard output, or a sentence with the reason to
standard error."""

from __future__ import annotations

import sys

import msgspec

from taptable.core.errors import ConfigError
from taptable.printing.order import Order, draw


def main() -> int:
    """Draw the order; return 0, or 2 if that is impossible."""
    try:
        drawn = draw(msgspec.json.decode(sys.stdin.buffer.read(), type=Order))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    sys.stdout.buffer.write(drawn.pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
