"""The display, by the options of luma.core."""
