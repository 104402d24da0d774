"""The demo's extension of the page: the hands of people at seats, the hardware below the drivers, and a workbench of
faults. A real table has none of it."""
