"""The table's side of its local API: the handlers of requests, the contents of topics, and the sockets."""
