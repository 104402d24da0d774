"""Seat boards whose firmware runs unchanged on a MicroPython VM, a process a board. `below` has what lies below the
firmware inside the VM; the modules here start and steer the VM from outside."""
