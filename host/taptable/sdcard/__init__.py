"""A card for a table's Raspberry Pi, made ready on another computer: files beside those of Raspberry Pi OS, which that
finds at its first start. What happens then is in ``files/first-start``, a script of the shell that runs on the Pi."""
