"""The daemon: one process that takes what the devices report, writes it down, and gives the cues."""
