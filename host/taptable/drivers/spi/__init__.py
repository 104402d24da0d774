"""Readers on the SPI buses of the Pi: ``spi:<bus>.<device>``."""
