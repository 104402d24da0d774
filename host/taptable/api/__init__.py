"""The table's local API: its messages on the Unix sockets, one for each role, and what clients of the table share, such
as following its game. Knows the types of core, games, referee and memory; must not know who the clients are, nor how
the table carries out a request."""
