"""The page: serves a table to browsers, in a process of its own. It reaches the table by the local API alone; must not
know devices, nor the table's process."""
