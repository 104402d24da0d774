"""From the description of what is wired to what (the TOML files in ``hardware/``) to everything made from it: checks,
drawings, lists, pin tables, example configurations and the firmware's pins. Knows nothing of what the table does."""
