"""Parts of a table for whoever has no hardware: pads that are files, and buttons that are sockets."""
