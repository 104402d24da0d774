"""For tests: the one deadline by the clock."""

DEADLINE_S = 120.0
"""Within so many seconds everything comes that a test waits for, on a computer that has much else to do. It says that
nothing hangs; what has to be quick is a test in given time, or counted."""
