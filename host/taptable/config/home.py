"""The table of somebody who has installed the program for themselves, on a laptop for example: the folder with its
memory, and its settings for as long as there is no ``table.toml``. These are those of the example for parts that plug
together. Must not read or write the folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

import taptable
from taptable.config.initial import Answers, with_answers
from taptable.core.errors import ConfigError
from taptable.drivers.header_lines import pi_model
from taptable.words import LANGUAGES

CONFIG_VARIABLE = "TAPTABLE_CONFIG"
"""The environment variable that names the configuration of an installed table."""
_PACKAGE = Path(taptable.__file__).parent


def packaged_file(place: str) -> Path:
    """Return the path of a file of the project that the wheel contains, such as ``examples/ready.toml``: within the
    package where it is installed, else in the checkout."""
    installed = _PACKAGE / place
    return installed if installed.is_file() else _PACKAGE.parents[1] / place


def environment_language() -> str:
    """Return the language of the environment variables if the catalogues have it, else English."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        language = os.environ.get(variable, "")[:2].lower()
        if language in LANGUAGES:
            return language
    return "en"


def home_config() -> Path:
    """Return the path of the user's own ``table.toml``, which need not exist. Raises ConfigError if the user has no
    home folder."""
    data = Path(os.environ.get("XDG_DATA_HOME", ""))
    try:
        folder = data if data.is_absolute() else Path("~/.local/share").expanduser()
    except RuntimeError:
        raise ConfigError("this user has no home folder: name the table's configuration with --config.") from None
    return folder / "taptable" / "table.toml"


def default_config() -> Path:
    """Return the configuration of a command that is given none: the file that the environment names, else one in the
    current folder, else the user's own."""
    if named := os.environ.get(CONFIG_VARIABLE):
        return Path(named)
    here = Path("table.toml")
    return here if here.exists() else home_config()


def ready_made_text(path: Path) -> str | None:
    """Return the text that stands for the file at `path`: None if that exists, or if it isn't the user's own."""
    try:
        if path != home_config() or os.path.lexists(path):
            return None
    except ConfigError:
        return None
    example = packaged_file("examples/ready.toml").read_text(encoding="utf-8")
    if pi_model() is None:
        # on another computer the bus with this number belongs to the mainboard or to a screen
        example = re.sub(r"(?ms)^\[scoreboard\]\n.*?(?=^\[)", "", example)
    return with_answers(example, Answers(language=environment_language()))
