"""Seat boards on USB: ``board:<id>``."""
