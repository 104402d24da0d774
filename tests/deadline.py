"""For tests: the one deadline by the clock."""

DEADLINE_S = 120.0
"""Deadline in seconds for everything that a test waits for, on a computer that is busy with other things. It only shows
that nothing hangs; a test of speed uses given time, or counts."""
