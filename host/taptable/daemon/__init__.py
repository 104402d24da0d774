"""The daemon: the table's process. It takes device events, writes what follows from them into the journal, and gives
the cues."""
