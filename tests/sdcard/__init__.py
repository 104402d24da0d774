"""Prepared cards for a table, and the Pi's first start with them."""
