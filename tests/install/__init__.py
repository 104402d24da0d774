"""The installation on a Pi: its scripts here, and a trial in a whole emulated computer."""
