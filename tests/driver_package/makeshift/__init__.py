"""Parts of a table for people without hardware: pads that are files, and buttons that are sockets."""
