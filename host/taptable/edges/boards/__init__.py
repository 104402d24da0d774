"""Seat boards on their serial lines."""
