"""The table to other systems by MQTT, in a process of its own: Home Assistant, and a league."""
