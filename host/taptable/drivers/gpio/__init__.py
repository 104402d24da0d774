"""Buttons, lamps, the sounder and the power button on pins of the Pi: ``gpio:<BCM number>``."""
