"""A connection to an MQTT broker with an account, for every side that has one: the bridge with its two brokers (Home
Assistant's and the league's), the league's workers, and the doctor. Must not know the messages."""

from __future__ import annotations

import ssl
from typing import Any

from aiomqtt import Client, MqttError, ProtocolVersion
from paho.mqtt.client import Client as PahoClient
from paho.mqtt.client import DisconnectFlags
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from taptable.config import Account
from taptable.config.passwords import read_password
from taptable.core.errors import ConfigError

CLOSED = "the connection was closed"
"""The text of the `MqttError` when the broker closes the connection before it is in use."""


class BrokerClient(Client):
    """An aiomqtt client that detects two more things: the broker closes the connection while `__aenter__` is still
    connecting, and the broker drops a published message. It learns the latter only by MQTT 5; `reports_drops` is True
    then."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.reports_drops = options.get("protocol") == ProtocolVersion.V5
        self._has_closed = False
        self._dropped = False

    @property
    def closed(self) -> bool:
        """Whether the connection has ended: the broker closed it, or the client gave it up, as after invalid data."""
        return self._has_closed or self._has_failed()

    async def __aenter__(self) -> BrokerClient:
        """Connect. Raises `MqttError` if that fails, or if the broker accepts and closes the connection at once."""
        await super().__aenter__()
        # aiomqtt doesn't notice an end of the connection before this line: it would wait for messages forever
        if self.closed:
            raise MqttError(CLOSED)
        return self

    async def deliver(self, topic: str, payload: bytes, *, retain: bool) -> bool:
        """Publish with QoS 1, one message at a time. Returns False if the broker reports that it dropped it."""
        self._dropped = False
        await self.publish(topic, payload, qos=1, retain=retain)
        return not self._dropped

    def _on_disconnect(
        self,
        client: PahoClient,
        userdata: Any,
        flags: DisconnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        self._has_closed = True
        if not self._connected.done():
            self._connected.set_exception(MqttError(CLOSED))
        super()._on_disconnect(client, userdata, flags, reason_code, properties)
        self._has_failed()  # retrieves the exception, since asyncio logs one that nobody has retrieved

    def _has_failed(self) -> bool:
        ended = self._disconnected
        return ended.done() and not ended.cancelled() and ended.exception() is not None

    def _on_publish(
        self, client: PahoClient, userdata: Any, mid: int, reason_code: ReasonCode, properties: Properties
    ) -> None:
        self._dropped = self._dropped or reason_code.is_failure
        super()._on_publish(client, userdata, mid, reason_code, properties)


def make_client(account: Account, identifier: str, **options: Any) -> BrokerClient:
    """Return a client for this account, not yet connected. aiomqtt's Client gets `options` too. Raises `ConfigError` if
    the file of the password or of the certificates can't be used. `async with` connects the client: that raises
    `MqttConnectError` if the broker refuses the account, `MqttError` if it can't be reached."""
    return BrokerClient(
        account.host,
        account.port,
        username=account.user,
        password=None if account.password_file is None else read_password(account.password_file),
        identifier=identifier,
        tls_context=_tls(account) if account.tls else None,
        **options,
    )


async def subscribe(client: Client, *topics: str, qos: int) -> None:
    """Subscribe to topics. Raises `MqttError` if the broker refuses one, so that the caller reconnects: a cluster that
    has just lost a node refuses a subscription that it accepts a moment later. Use this where the work needs the
    subscription. `Client.subscribe` ignores a refusal: it is for topics that an account may be without, such as Home
    Assistant's."""
    codes = await client.subscribe([(topic, qos) for topic in topics])
    refused = [
        topic for topic, code in zip(topics, codes, strict=True) if not isinstance(code, int) and code.is_failure
    ]
    if refused:
        raise MqttError(f"the broker refuses the subscription to {refused[0]}")


def _tls(account: Account) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=account.ca)
    except OSError as error:
        raise ConfigError(f"the certificates of {account.ca} can't be used: {error.strerror or error}.") from error
