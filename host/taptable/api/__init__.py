"""The table's local API: what its process and its clients say to each other over a Unix socket. Stands on the core
alone; must not know who listens, nor how a request is carried out."""
