"""The versions of the seat board's firmware: what this tree's says in its `hello`, the oldest that the table plays
with, and the oldest that can do what wasn't in the protocol from the beginning, as three numbers with dots. Knows
nothing of the protocol, which has its own number."""

FIRMWARE = "1.3.0"
OLDEST = "1.0.0"
TELLS_ANCHORS = "1.1.0"  # this and later ones
TAKES_GAIN = "1.2.0"
STAMPS_EXACTLY = "1.2.0"
COUNTS_READER = "1.3.0"
