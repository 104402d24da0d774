"""Tests of the step every game shares, its filters and its lines."""
