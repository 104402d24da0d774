"""Seat boards whose firmware runs unchanged on a MicroPython VM, one process per board. `inside` is the layer below the
firmware in the VM; the modules here start and control the VM from outside. Tests use them, and benches."""
