"""``table.toml``: the parts of one table, and the options of its games. `model` declares its keys, checks and defaults,
`loading` reads it as a whole, and `conflicts` finds values that don't fit together. The result is values."""

from taptable.config.loading import CheckGame, InvalidParts, load_config, read_config
from taptable.config.model import (
    Account,
    Config,
    GameSettings,
    MqttSettings,
    PadParts,
    PageSettings,
    ScoreboardParts,
    SeatParts,
    SounderParts,
    SpeechParts,
    TableSettings,
    UplinkSettings,
)
from taptable.schema.problems import InvalidConfig

__all__ = [
    "Account",
    "CheckGame",
    "Config",
    "GameSettings",
    "InvalidConfig",
    "InvalidParts",
    "MqttSettings",
    "PadParts",
    "PageSettings",
    "ScoreboardParts",
    "SeatParts",
    "SounderParts",
    "SpeechParts",
    "TableSettings",
    "UplinkSettings",
    "load_config",
    "read_config",
]
