"""The page: serves a table to browsers, and reaches the table by its socket alone."""
