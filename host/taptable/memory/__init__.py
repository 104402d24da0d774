"""The records that outlive a power cut: the journal, the decks and the table's other files."""
