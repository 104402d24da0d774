"""A table whose page is open to the network, and clients from addresses of their own."""

from __future__ import annotations

import asyncio
import json
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from page_server.rig import (
    Answer,
    Client,
    Table,
    a_client,
    a_table_with_a_page,
    at_table,
    deadline_s,
    parse,
)
from taptable.api.requests import Role, ShowCode
from taptable.config import Config
from taptable.config.model import PageSettings
from taptable.memory.pairings import Paired, Pairings, pairings_file_of


def open_to_all(folder: Path, **more: Any) -> Config:
    """The configuration of a simulated table whose page is open to the network."""
    config = a_table_with_a_page(folder, **more)
    assert config.page is not None
    return replace(config, page=PageSettings(config.page.port, network=True))


def an_open_table(folder: Path) -> AbstractAsyncContextManager[Table]:
    """A table while it runs whose page is open to the network."""
    return at_table(open_to_all(folder))


def paired_with(table: Table) -> tuple[Paired, ...]:
    """The devices that are paired with a table, from its file."""
    return Pairings.read(pairings_file_of(table.config.table.journal)).pairings


def code_of(table: Table) -> str:
    """The code that is shown at the table, a new one if there is none."""
    table.daemon.api.do(Role.PAGE, ShowCode())
    assert table.daemon.api.pairing is not None
    assert table.daemon.api.pairing.code is not None
    return table.daemon.api.pairing.code.digits


def wrong_code(table: Table) -> str:
    """A code other than the one that is shown."""
    return f"{(int(code_of(table)) + 1) % 10**6:06}"


async def ask(
    port: int,
    path: str,
    body: bytes | None = None,
    *,
    method: str | None = None,
    cookie: str | None = None,
    source: str = "127.0.0.1",
    headers: Mapping[str, str] | None = None,
    tls: ssl.SSLContext | None = None,
    tls_name: str | None = None,
) -> Answer:
    """Send one request from an address of this computer; a POST of JSON if it has a body."""
    lines = {"Host": f"127.0.0.1:{port}", "Connection": "close"}
    if body is not None:
        lines |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    if cookie is not None:
        lines["Cookie"] = cookie
    lines |= headers or {}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    request = f"{method or ('GET' if body is None else 'POST')} {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1")
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, local_addr=(source, 0), ssl=tls, server_hostname=tls_name
    )
    try:
        writer.write(request + (body or b""))
        return parse(await asyncio.wait_for(reader.read(), deadline_s()))
    finally:
        writer.close()


async def give_code(table: Table, code: object, name: object = "Ana", **more: Any) -> Answer:
    """Enter a code."""
    said = json.dumps({"code": code, "name": name, "language": "en"}).encode()
    return await ask(table.port, "/pair", said, **more)


def cookie_in(answer: Answer) -> str:
    """The cookie that a browser sends back after this answer."""
    return answer.headers["set-cookie"].partition(";")[0]


async def pair(table: Table, name: str = "Ana", **more: Any) -> str:
    """Pair a client, and return its cookie."""
    answer = await give_code(table, code_of(table), name, **more)
    assert answer.status == 200, answer.body
    return cookie_in(answer)


@asynccontextmanager
async def a_phone(
    table: Table, cookie: str | None = None, source: str = "127.0.0.1", **more: Any
) -> AsyncIterator[Client]:
    """A client from an address, with or without a cookie, after the exchange of hello."""
    headers = {} if cookie is None else {"Cookie": cookie}
    async with a_client(table.port, local_addr=(source, 0), additional_headers=headers, **more) as client:
        await client.hello()
        yield client


def numbers_of_tags(table: Table) -> re.Pattern[str]:
    """A pattern that finds the number of any tag of the table's deck, and of the tags that are in none."""
    return re.compile("|".join([*table.tags.values(), *STRANGE_TAGS]), re.IGNORECASE)


STRANGE_TAGS = ("04aabbccddeef0", "deadbeef", "08112233")
"""Tags that are in no deck: an NTAG213, a MIFARE card, a phone."""
