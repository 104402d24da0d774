"""Makes everything from the description of the wiring (the TOML files in ``hardware/``): checks, drawings, lists, pin
tables, example configurations and the firmware's pins. Knows nothing of what the table does."""
