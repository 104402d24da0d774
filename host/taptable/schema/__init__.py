"""Keys of TOML files: their checks, and the sentences about what is wrong. Knows no key."""
