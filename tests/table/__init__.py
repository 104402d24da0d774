"""Whole evenings through the simulated hardware."""
