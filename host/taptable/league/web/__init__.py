"""A league's own page: what its database has to show, to whoever comes, and its administrator's desk."""
