"""X.net: providers answer the demand for topics and are paid in points by their users; pure."""
