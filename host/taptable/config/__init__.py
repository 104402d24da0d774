"""``table.toml``: the parts of one table, and what is agreed for its games. It is read and checked whole; what comes
out is values."""

from taptable.config.loading import CheckGame, load_config, read_config
from taptable.config.model import (
    Account,
    Config,
    DiscardParts,
    ExtraPad,
    GameSettings,
    MqttSettings,
    PageSettings,
    ScoreboardParts,
    SeatParts,
    SounderParts,
    SpeechParts,
    TableSettings,
    UplinkSettings,
)
from taptable.config.places import OnBoard, OnGpio, OnSpi, Place
from taptable.schema.problems import InvalidConfig

__all__ = [
    "Account",
    "CheckGame",
    "Config",
    "DiscardParts",
    "ExtraPad",
    "GameSettings",
    "InvalidConfig",
    "MqttSettings",
    "OnBoard",
    "OnGpio",
    "OnSpi",
    "PageSettings",
    "Place",
    "ScoreboardParts",
    "SeatParts",
    "SounderParts",
    "SpeechParts",
    "TableSettings",
    "UplinkSettings",
    "load_config",
    "read_config",
]
