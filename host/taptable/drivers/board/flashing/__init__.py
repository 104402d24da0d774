"""Puts the seat boards' firmware on a Pico: which files belong there, which board is meant, and whether it runs
then."""
