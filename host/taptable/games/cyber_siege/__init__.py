"""Cyber Siege: collect sets, attack the next player and defend yourself. The rulings are numbered S1 to S8."""
