"""The lines of ``config.txt`` that a table of some build and number of seats will need, by the example that its
configuration is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import taptable
from taptable.config import load_config
from taptable.daemon.game_options import check_game
from taptable.doctor.buses import boot_lines
from taptable.sdcard.settings import Settings

_PACKAGE = Path(taptable.__file__).parent


def lines_for(settings: Settings) -> Sequence[str]:
    """For a table with these settings."""
    # beside the package's own files where it is installed, and in a checkout
    places = [folder / "examples" / f"{settings.build}.toml" for folder in (_PACKAGE, _PACKAGE.parents[1])]
    example = next(filter(Path.is_file, places), places[-1])
    config = load_config(example, check_game)
    return boot_lines(replace(config, seats=config.seats[: settings.seats]))
