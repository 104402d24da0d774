"""The daemon: what it survives, and that nothing is said before it is written down."""
