"""``table.toml``: the parts of one table, and what is agreed for its games. It is read and checked whole; what comes
out is values."""

from taptable.config.loading import CheckGame, load_config, read_config
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
