"""Tests of X.net: each numbered rule of its rules page by its number."""
