"""Sentences about events at a table and about its status, shared by all parts that show or speak them."""
