"""The table's side of its local API: what each request does, what is told of each topic, and the sockets."""
