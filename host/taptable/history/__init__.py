"""Recorded games: played again through the referee, told, and counted."""
