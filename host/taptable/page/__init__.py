"""The page: the table as a browser shows it, served on the daemon's own loop."""
