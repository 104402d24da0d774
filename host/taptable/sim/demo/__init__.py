"""The simulated table in the terminal: looked at, and played at from the keyboard."""
