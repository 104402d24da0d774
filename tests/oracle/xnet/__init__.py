"""A second, plain referee of X.net, written from the rules page alone; the real one is compared with it.

It imports nothing of taptable. What the page numbers is cited here by the same numbers.
"""
