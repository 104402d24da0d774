"""The daemon: the table's process. It takes device events, writes what follows from them into the journal, and gives
the cues. Must not know HTTP, MQTT, or its clients."""
