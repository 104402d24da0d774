"""Cards that are made ready for a table, and what the Pi then does at its first start."""
