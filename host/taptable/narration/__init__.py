"""What happened at a table, and how things stand there, in sentences: the same for every part that shows or says it."""
