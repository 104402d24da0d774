"""The league of many tables: stores and verifies the games that they played, and shows seasons, standings and
records."""
