"""The daemon: what it survives, and that it announces nothing before it is written down."""
