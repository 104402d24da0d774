"""The table's local API: the messages between the table's process and its clients on a Unix socket. Depends on the core
alone; must not know who the clients are, nor how a request is carried out."""
