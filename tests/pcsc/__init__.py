"""Pads on readers of a real PC/SC service."""
