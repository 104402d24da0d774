"""A league without hardware: tables whose parts are simulated, and everything else as in a real league."""
