"""X.net: providers answer what is in demand, and are paid in points by the users they have; pure."""
