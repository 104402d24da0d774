"""A league's own page: shows the database to everybody, and has an admin page. It knows tables only from the database,
and must not know the broker, for which it only writes the files of accounts."""
