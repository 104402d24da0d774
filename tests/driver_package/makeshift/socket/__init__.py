"""Buttons that are Unix sockets: ``socket:<absolute path>``."""
