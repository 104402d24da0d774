"""Pads whose reader is a file: ``file:<absolute path>``."""
