# What taptable's stand-in for MicroPython's rp2 uses of its stand-in for machine.

class Pin:
    number: int
