"""Prepares an SD card for a table's Raspberry Pi on another computer: adds files to those of Raspberry Pi OS, which
finds them at its first start. ``files/first-start``, a shell script that runs on the Pi, does the rest. `boot_config`
and `buses` also serve an installed table. Must not know a running table."""
