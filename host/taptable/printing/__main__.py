"""Draws one order, for a program that can't wait meanwhile: ``python -m taptable.printing`` reads it as JSON from its
standard input, and writes the PDF, or on standard error the sentence why there is none."""

from __future__ import annotations

import sys

import msgspec

from taptable.core.errors import ConfigError
from taptable.printing.order import Order, draw


def main() -> int:
    """0 for a PDF, 2 where there can't be one."""
    try:
        drawn = draw(msgspec.json.decode(sys.stdin.buffer.read(), type=Order))
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 2
    sys.stdout.buffer.write(drawn.pdf)
    return 0


if __name__ == "__main__":
    sys.exit(main())
