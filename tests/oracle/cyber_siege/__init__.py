"""A second, plain referee of Cyber Siege, written from the rules page alone; the real one is compared with it.

It imports nothing of taptable.
"""
