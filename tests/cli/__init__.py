"""The commands as a person at a terminal uses them."""
