"""A connection to a broker of MQTT, as tables and leagues have it by their account. Must not know what is said."""

from __future__ import annotations

import ssl
from typing import Any

from aiomqtt import Client, MqttError

from taptable.config import Account
from taptable.config.passwords import read_password
from taptable.core.errors import ConfigError


def a_client(account: Account, identifier: str, **options: Any) -> Client:
    """A connection to be entered, with more of aiomqtt's options; `ConfigError` where a file can't be used. On entering
    `MqttConnectError` where the account isn't taken, `MqttError` where the broker can't be reached."""
    return Client(
        account.host,
        account.port,
        username=account.user,
        password=None if account.password_file is None else read_password(account.password_file),
        identifier=identifier,
        tls_context=_tls(account) if account.tls else None,
        **options,
    )


async def subscribed(client: Client, topic: str, qos: int) -> None:
    """Hear what is said there from now on. `MqttError` if the broker refuses, so that the connection is made anew: a
    cluster that has just lost a node refuses what it takes a moment later, and the library lets that pass."""
    codes = await client.subscribe(topic, qos=qos)
    if any(not isinstance(code, int) and code.is_failure for code in codes):
        raise MqttError(f"the broker refuses to let {topic} be read")


def _tls(account: Account) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=account.ca)
    except OSError as error:
        raise ConfigError(f"the certificates of {account.ca} can't be used: {error.strerror or error}.") from error
