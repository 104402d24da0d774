"""The versions of the seat board's firmware: the one that this tree reports in its `hello`, the oldest that the table
plays with, and the oldest with each later addition to the protocol, as three numbers with dots. Knows nothing of the
protocol, which has its own number."""

FIRMWARE = "1.3.0"
OLDEST_SUPPORTED = "1.0.0"
ANCHORS_SINCE = "1.1.0"  # this and later ones
GAIN_SINCE = "1.2.0"
EXACT_STAMPS_SINCE = "1.2.0"
READER_COUNTS_SINCE = "1.3.0"
