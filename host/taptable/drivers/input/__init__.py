"""Buttons of USB controllers, encoders and gamepads, by the kernel's event devices: ``input:<port>/<key>``."""
