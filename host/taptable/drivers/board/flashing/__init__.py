"""Puts the seat boards' firmware on a Pico: which files it is, which board is meant, and whether it then runs."""
