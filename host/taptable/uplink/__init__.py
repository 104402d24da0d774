"""What a table and a league say to each other: topics, batches, confirmations, and who has signed them."""
