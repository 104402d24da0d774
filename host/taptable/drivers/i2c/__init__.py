"""The driver of readers on I2C: see `driver`."""
