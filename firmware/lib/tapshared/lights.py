"""What a seat can show: the patterns of its ring and the states of its button's lamp, by the names both sides of the
wire use. Knows no pixel and no cue."""

# Each pattern, and whether it runs over a time (the ring fills or drains by what is left of it).
PATTERNS = {
    "off": False,
    "idle": False,
    "your-turn": False,
    "reading": False,
    "accepted": False,
    "refused": False,
    "ignored": False,
    "holding": True,
    "window": True,
    "claim": True,
    "deaf": False,
    "paused": False,
}

LAMPS = ("off", "on", "blink")
