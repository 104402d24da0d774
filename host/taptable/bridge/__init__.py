"""The bridge: connects the table to other systems by MQTT, in a process of its own: to Home Assistant, and to a league.
It reaches the table by the local API alone."""
