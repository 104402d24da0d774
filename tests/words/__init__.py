"""Tests of the sentences: every verdict and announcement, in every language."""
