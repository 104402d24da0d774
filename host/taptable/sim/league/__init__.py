"""A league without hardware: tables whose parts are simulated, and everything else as it is in earnest."""
