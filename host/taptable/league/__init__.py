"""The league of many tables: stores and verifies the games that they played, and shows seasons, standings and records.
It receives what tables send by `uplink`; must not know devices, nor a table's process."""
