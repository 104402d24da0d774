"""Examines the brokers of the bridge, Home Assistant's and the league's: whether they answer and accept its accounts,
whether the messages that they have retained are true, and the league's last message. The doctor connects with the
bridge's accounts, and publishes nothing. Must not know how the bridge sends."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from aiomqtt import Client, MqttError
from aiomqtt.exceptions import MqttConnectError

from taptable.bridge.connection import client_of
from taptable.bridge.retained import Published, is_state_of, read_published, state_file_of
from taptable.bridge.topics import ONLINE, earlier_topics_of, short_client_id, topics_of
from taptable.config import Account, MqttSettings, UplinkSettings
from taptable.config.passwords import read_key, read_password
from taptable.core.errors import ConfigError
from taptable.doctor.findings import Finding, fault, ok, skipped, unseen, warning
from taptable.doctor.services import BRIDGE_SERVICE, is_active
from taptable.doctor.site import ExaminedTable
from taptable.uplink.messages import BadMessage, Confirmed, decode_signed
from taptable.uplink.messages import Topics as LeagueTopics
from taptable.words import Words

RETAINED_TIMEOUT_S = 2.0
"""Seconds within which a broker delivers a retained message."""
LOOPBACK_PREFIXES = ("localhost", "127.", "::1")
"""The beginnings of hosts that are this computer."""

STATE_FOLDER = Path("/var/lib/taptable-bridge")
"""The folder in which the bridge's service keeps its state."""

_START = "Start the bridge: `sudo systemctl start taptable-bridge`; `journalctl -u taptable-bridge -b` says more."
_ACCESS = (
    "The bridge runs, so check whether the broker's access list has this table's name: `taptable bridge --access`"
    " prints the right list. `journalctl -u taptable-bridge -b` says more."
)
_OTHER = (
    "If the table has just been stopped, run the doctor again in a minute. If the message stays, another table at"
    " this broker has this name: give each table its own name."
)
_STALE = (
    "If another table at this broker has this name, give each table its own name. Otherwise start the bridge, which"
    " corrects the message: `sudo systemctl start taptable-bridge`."
)

BrokerCheck: TypeAlias = Callable[[Client], AsyncIterator[Finding]]
"""Yields findings about the messages that a broker has retained, given a connected client."""


async def examine_brokers(site: ExaminedTable) -> AsyncIterator[Finding]:
    """Examine both brokers."""
    mqtt, league = site.config.mqtt, site.config.league
    if mqtt is None and league is None:
        yield skipped("broker", "mqtt", "the table uses no broker")
        return
    if mqtt is not None:
        async for finding in _account(
            site, mqtt.account, "mqtt", lambda client: _examine_published(site, client, mqtt)
        ):
            yield finding
    if league is not None:
        async for finding in _account(site, league.account, "league", lambda client: _remark(client, league)):
            yield finding


async def _account(site: ExaminedTable, account: Account, part: str, look: BrokerCheck) -> AsyncIterator[Finding]:
    """Examine the broker of one account: whether it can be reached and accepts the account. If so, yield the findings
    of `look` too, which reads the messages that the broker has retained."""
    at = f"{account.host}:{account.port}"
    if (closed := _unreadable_password(site, account, part)) is not None:
        yield closed
        return
    if account.user is not None and not account.tls and not account.host.startswith(LOOPBACK_PREFIXES):
        todo = f"If other people use this network, give the broker a certificate, and set tls = true below [{part}]."
        yield warning("open", part, f"the password is sent to {at} without TLS", todo)
    try:
        async with client_of(account, short_client_id(f"doctor {part} {site.config.table.name}")) as client:
            yield ok(
                "broker",
                part,
                f"{at} accepts the account {_account_name(account)}{', over TLS' if account.tls else ''}",
            )
            async for finding in look(client):
                yield finding
    except ConfigError as error:
        yield fault(
            "broker", part, f"a file can't be used: {error}", f"Correct it, or name another file below [{part}]."
        )
    except MqttConnectError as error:
        todo = (
            "Add it there with the password in that file, for example with `sudo mosquitto_passwd"
            " /etc/mosquitto/taptable/passwords NAME`, or get the right key from the league."
        )
        yield fault("broker", part, f"{at} rejects the account {_account_name(account)}: {error}", todo)
    except (MqttError, OSError) as error:
        yield _unreachable(error, at, part)


def _account_name(account: Account) -> str:
    return account.user or "without a name"


def _unreadable_password(site: ExaminedTable, account: Account, part: str) -> Finding | None:
    """Return the finding about a password file that can't be read or used; None if there is no file, or nothing wrong
    with it. If only the doctor's user may not read it, the finding says so, and is no fault."""
    if account.password_file is None:
        return None
    try:
        read_password(account.password_file)
    except ConfigError as error:
        if isinstance(error.__cause__, PermissionError):
            found = (
                f"{site.computer.current_user.name} has no access to {account.password_file}; the bridge may have it"
            )
            command = f"/opt/taptable/venv/bin/taptable doctor --only mqtt --config {site.config.file}"
            return unseen("broker", part, found, f"`sudo -u taptable-bridge {command}` examines it.")
        return fault(
            "broker", part, f"a file can't be used: {error}", f"Correct it, or name another file below [{part}]."
        )
    return None


def _unreachable(error: Exception, at: str, part: str) -> Finding:
    """Return why a broker can't be reached, as far as known."""
    reason: BaseException | None = error
    while reason is not None and not isinstance(reason, ssl.SSLError):
        reason = reason.__cause__ or reason.__context__
    if reason is not None:
        todo = (
            f"ca below [{part}] must be the certificate that signed the broker's, and the broker's must contain the"
            " name in host."
        )
        return fault("broker", part, f"TLS with {at} fails: {reason}", todo)
    todo = f"Check whether it runs (`systemctl status mosquitto`), and whether host and port below [{part}] are right."
    return fault("broker", part, f"{at} can't be reached: {error}", todo)


async def _read_retained(client: Client, topic: str) -> bytes | None:
    """Return the message that a broker retains at a topic; None if there is none, or none that this account may
    read."""
    await client.subscribe(topic, qos=1)
    try:
        async with asyncio.timeout(RETAINED_TIMEOUT_S):
            async for message in client.messages:
                if str(message.topic) == topic:
                    return message.payload
    except TimeoutError:
        pass
    return None


async def _examine_published(site: ExaminedTable, client: Client, settings: MqttSettings) -> AsyncIterator[Finding]:
    """Yield whether the retained messages are true, and the troubles that the bridge has written down."""
    published, name = _published(site), site.config.table.name
    topics, earlier = topics_of(settings.base, name), earlier_topics_of(settings.base, name)
    retained = await _read_retained(client, topics.online)
    if (
        retained != ONLINE.encode()
        and topics.online != earlier.online
        and is_state_of(await _read_retained(client, earlier.state) or b"", name)
    ):
        topics, retained = earlier, await _read_retained(client, earlier.online)
    says_online, bridge_runs = retained == ONLINE.encode(), is_active(site.computer, BRIDGE_SERVICE)
    if site.held_by is None and says_online:
        found = f"no table runs, but {topics.online} says that it is online"
        yield warning("told", "mqtt", found, _OTHER if bridge_runs else _STALE)
    elif site.held_by is None:
        said = (retained or b"nothing").decode(errors="backslashreplace")
        yield ok("told", "mqtt", f"no table runs, and {topics.online} says {said!r}")
    elif says_online:
        yield ok("told", "mqtt", f"{topics.online} says that the table is online")
    elif not published.troubles:
        todo = _ACCESS if bridge_runs else _START
        found = f"a table runs, but {topics.online} doesn't say so, or this account can't read it"
        yield warning("told", "mqtt", found, todo)
    for trouble in published.troubles:
        todo = (
            "Correct the broker's access list (`taptable bridge --access` prints this table's), or give each table"
            " its own name; then restart the bridge: `sudo systemctl restart taptable-bridge`."
        )
        yield warning("bridge", "mqtt", f"the bridge reports: {trouble}", todo)


def _published(site: ExaminedTable) -> Published:
    """Return what the bridge has stored in its state file, as far as that can be read: in its service's folder, or
    beside the journal."""
    for folder in (STATE_FOLDER, site.config.table.journal.parent):
        with suppress(OSError):
            if (published := read_published(state_file_of(folder, site.config))) is not None:
                return published
    return Published()


async def _remark(client: Client, settings: UplinkSettings) -> AsyncIterator[Finding]:
    """Examine the league's last message."""
    topic = LeagueTopics(settings.table).confirmed
    retained = await _read_retained(client, topic)
    if retained is None:
        yield skipped("remark", "league", "the league has sent nothing to this table yet")
        return
    assert settings.account.password_file is not None
    try:
        confirmed = decode_signed(retained, topic, read_key(settings.account.password_file), Confirmed)
    except BadMessage as error:
        todo = "The key in key_file isn't the one that the league has for this table: ask the league for it."
        yield fault("remark", "league", f"the retained message isn't from the league: {error}", todo)
        return
    if not confirmed.remark:
        yield ok("remark", "league", f"the league has everything up to entry {confirmed.position.number}")
        return
    todo = "Ask the people who run the league. You can play on: games are recorded as always."
    yield warning(
        "remark",
        "league",
        f"the league says: {Words('en').message('league-remark', confirmed.remark) or confirmed.remark}",
        todo,
    )
