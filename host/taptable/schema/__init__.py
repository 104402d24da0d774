"""Keys of a file in TOML: their checks, and the sentences about what is wrong with them. Knows no key."""
