"""A league's own page: shows the database to everybody, and has an admin page."""
