"""The messages between a table and a league: topics, batches, confirmations, and their signatures."""
