"""Lamps of USB controllers, by the kernel's LEDs: ``led:<port>/<suffix>``."""
