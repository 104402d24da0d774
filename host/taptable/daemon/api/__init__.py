"""The table's side of its local API: the handlers of requests, the contents of topics, and the sockets. Must not know
the page, the bridge or the commands, which are its clients."""
