"""MFRC522 readers on the SPI buses of the Pi."""
