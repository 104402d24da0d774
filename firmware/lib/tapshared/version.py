"""The versions of the seat board's firmware: what this tree's says in its `hello`, and the oldest that the table plays
with, as three numbers with dots. Knows nothing of the protocol, which has its own number."""

FIRMWARE = "1.0.0"
OLDEST = "1.0.0"
