"""The versions of the seat board's firmware, as three numbers with dots: the one that this firmware reports in its
`hello`, the oldest with which the table plays, and the oldest with each later addition to the protocol. The protocol
has a version of its own: `PROTOCOL` in `tapshared.verbs`."""

FIRMWARE = "1.3.0"
OLDEST_SUPPORTED = "1.0.0"
ANCHORS_SINCE = "1.1.0"  # answers `anchors`
GAIN_SINCE = "1.2.0"  # answers `gain`
EXACT_STAMPS_SINCE = "1.2.0"  # stamps the first edge of a press in hardware, if the Pi asks for it
READER_COUNTS_SINCE = "1.3.0"  # answers `reader?`
