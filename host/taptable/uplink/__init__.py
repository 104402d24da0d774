"""The common parts of a table and a league: the messages that they send each other, and the connection to a broker.
Must not know the table's process, nor the league's database."""
