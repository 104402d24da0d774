"""Bugs put into a copy of the source on purpose, to see that a test turns red."""
