"""Suites that packages run over what they add to the table: `drivers` has the suite of every driver."""
