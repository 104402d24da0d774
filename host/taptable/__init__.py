"""taptable: a referee for card games on a table that feels its cards."""

__version__ = "0.3.0"
