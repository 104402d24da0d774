"""Watching the real code at its joints, for the benches: whoever measures is told when a method is called and when it
has returned, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any


@contextmanager
def watched(
    kind: type, name: str, before: Callable[..., None] | None, after: Callable[..., None] | None = None
) -> Generator[None]:
    """While this lasts, tell whenever a method is called, and when it has returned."""
    method = getattr(kind, name)

    def told(*arguments: Any) -> Any:
        if before is not None:
            before(*arguments)
        try:
            return method(*arguments)
        finally:
            if after is not None:
                after(*arguments)

    setattr(kind, name, told)
    try:
        yield
    finally:
        setattr(kind, name, method)
