"""The versions of the seat board's firmware: what this tree's says in its `hello`, and the oldest that the table plays
with. Both are three numbers with dots; a test holds them so. Knows nothing of the protocol, which has its own number."""

FIRMWARE = "1.0.0"
OLDEST = "1.0.0"
