"""Suites that packages run over what they add to the table: `drivers` is that of every driver."""
