"""Recorded games: replayed through the referee, narrated, and counted."""
