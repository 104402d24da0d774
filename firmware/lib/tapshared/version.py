"""The versions of the seat board's firmware: what this tree's says in its `hello`, the oldest that the table plays
with, and the oldest that can do what wasn't in the protocol from the beginning, as three numbers with dots. Knows
nothing of the protocol, which has its own number."""

FIRMWARE = "1.3.0"
OLDEST_SUPPORTED = "1.0.0"
ANCHORS_SINCE = "1.1.0"  # this and later ones
GAIN_SINCE = "1.2.0"
EXACT_STAMPS_SINCE = "1.2.0"
READER_COUNTS_SINCE = "1.3.0"
