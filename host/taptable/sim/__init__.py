"""Simulated tables: models below the drivers, virtual players, the demo and the workbench, and series of games."""
