"""Pads whose reader is a boxed one on USB, by PC/SC: ``pcsc:<serial number or port>``."""
