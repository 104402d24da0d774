"""The layer below the firmware in the VM: the board's world, and in `modules` the stand-ins for MicroPython's own
modules of a board, which are found before any other. All of it runs in the VM."""
