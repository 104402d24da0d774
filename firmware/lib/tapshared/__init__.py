"""Shared by a seat board and the host, in the subset of Python that both understand."""
