"""Tests that are stories: an async function, told to its end at a rig that is set up in a new folder."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

Story = Callable[..., Coroutine[Any, Any, None]]


def told(run: Callable[..., object], **options: object) -> Callable[[Story], Callable[..., None]]:
    """Makes a test of a story: `run` takes a folder, what is to be told there of whom it hands to it, and the options.
    Whatever else the story takes are fixtures and parameters, as of any test."""

    def decorate(story: Story) -> Callable[..., None]:
        _, *others = inspect.signature(story).parameters.values()
        names = [each.name for each in others]

        def test(tmp_path: Path, **given: Any) -> None:
            given |= {"tmp_path": tmp_path} if "tmp_path" in names else {}
            run(tmp_path, lambda at: story(at, **given), **options)

        folder = [] if "tmp_path" in names else [inspect.Parameter("tmp_path", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        vars(test)["__signature__"] = inspect.Signature([*folder, *others])
        test.__name__, test.__module__, test.__doc__ = story.__name__, story.__module__, story.__doc__
        return test

    return decorate
