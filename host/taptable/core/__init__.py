"""What every game and every part of the table agree on; pure: no clock, no file, no device."""
