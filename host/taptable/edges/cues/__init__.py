"""What lamps, rings, the OLED and the sounder do."""
