"""The printed boards as KiCad's files: library, schematic, layout, and what a maker of boards wants of them."""
