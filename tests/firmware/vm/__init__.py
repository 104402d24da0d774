"""Seat boards whose firmware runs unchanged on a MicroPython VM, a process a board. `inside` has what lies below the
firmware in the VM; the modules here start and steer the VM from outside. Tests use them, and benches."""
