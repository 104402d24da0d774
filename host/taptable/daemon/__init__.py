"""The daemon: one process that takes device events, writes them into the journal and gives the cues."""
