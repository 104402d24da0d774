"""What outlives a power cut: the journal and the decks."""
