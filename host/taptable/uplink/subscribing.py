"""To hear at a topic, or to know that one can't: a cluster that has just lost a node refuses what it takes a moment
later, and a client library lets that pass."""

from __future__ import annotations

from aiomqtt import Client, MqttError


async def subscribed(client: Client, topic: str, qos: int) -> None:
    """Hear what is said there from now on; `MqttError` if the broker refuses, so that the connection is made anew."""
    codes = await client.subscribe(topic, qos=qos)
    if any(not isinstance(code, int) and code.is_failure for code in codes):
        raise MqttError(f"the broker refuses to let {topic} be read")
