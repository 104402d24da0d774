"""A page behind a proxy that speaks TLS: who comes that way counts by their own address, as far as the proxy says so
that the configuration names. Some of it with nginx, set up as docs/page.md has it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import ssl
import subprocess
import tomllib
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from getpass import getuser
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from page_server.rig import Client, Table, a_client, at_table
from ports import free_port
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from taptable.config.model import PageSettings
from taptable.page.connections import MAX_UNPAIRED_PER_ADDRESS
from taptable.page.server import Server
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from page_access.rig import ask, code_of, cookie_in, give_code, open_to_all

ROOT = Path(__file__).parents[2]
NAME = "taptable.local"
PROXY, NEIGHBOUR = "127.0.0.9", "127.0.5.3"
BY_TLS = {"X-Forwarded-For": "192.168.1.7", "X-Forwarded-Proto": "https"}
OF_THE_PAGE = {"Host": NAME, "Origin": f"https://{NAME}"}


def behind(proxy: str, folder: Path, https: str = NAME) -> AbstractAsyncContextManager[Table]:
    """A table with a proxy before its page."""
    config = open_to_all(folder)
    assert config.page is not None
    return at_table(replace(config, page=replace(config.page, proxy=proxy, https=https)))


def watching_from(table: Table) -> list[str | None]:
    """The address of each live connection, as the page counts it."""
    return sorted((each.address for each in table.site._clients._open), key=str)


async def test_what_the_proxy_says_is_believed(tmp_path: Path) -> None:
    async with behind(PROXY, tmp_path) as table:
        sent = {**BY_TLS, **OF_THE_PAGE}
        answer = await give_code(table, code_of(table), source=PROXY, headers=sent)
        assert answer.status == 200
        assert "secure" in answer.headers["set-cookie"].lower().split("; ")
        asked = {**BY_TLS, "Origin": f"https://127.0.0.1:{table.port}", "Cookie": cookie_in(answer)}
        async with a_client(table.port, local_addr=(PROXY, 0), additional_headers=asked) as phone:
            await phone.hello()
            assert (await phone.ask("devices"))["ok"]
            assert watching_from(table) == [BY_TLS["X-Forwarded-For"]]


async def test_what_anybody_else_says_of_themselves_changes_nothing(tmp_path: Path) -> None:
    async with behind(PROXY, tmp_path) as table:
        refused = await give_code(table, code_of(table), source=NEIGHBOUR, headers={**BY_TLS, **OF_THE_PAGE})
        assert refused.status == 403
        answer = await give_code(table, code_of(table), source=NEIGHBOUR, headers=BY_TLS)
        assert "secure" not in answer.headers["set-cookie"].lower()
        async with a_client(table.port, local_addr=(NEIGHBOUR, 0), additional_headers=BY_TLS) as phone:
            await phone.hello()
            assert watching_from(table) == [NEIGHBOUR]


@pytest.mark.parametrize("network", [False, True])
@pytest.mark.parametrize("proxy", [None, PROXY])
async def test_on_a_socket_of_either_kind_one_address_is_believed_at_most(
    network: bool, proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")

    async def who(request: Request) -> Response:
        return JSONResponse([request.client and request.client.host, request.url.scheme])

    async def leave() -> None:
        pass

    port = free_port()
    server = Server(Starlette(routes=[Route("/", who)]), port, leave, lambda _: None, network=network, proxy=proxy)
    server.open()
    try:
        for source in ("127.0.0.1", PROXY, NEIGHBOUR):
            host, scheme = (await ask(port, "/", source=source, headers=BY_TLS)).json
            believed = [BY_TLS["X-Forwarded-For"], "https"]
            assert [host.removeprefix("::ffff:"), scheme] == (believed if source == proxy else [source, "http"])
    finally:
        await server.close()


async def test_past_a_proxy_on_this_computer_no_other_reaches_the_page(tmp_path: Path) -> None:
    async with behind("127.0.0.1", tmp_path) as table:
        assert (await ask(table.port, "/about.json")).status == 200
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.7", table.port)  # by another address of this computer


def test_a_proxy_on_another_computer_reaches_the_page() -> None:
    assert PageSettings(8137, True, "192.168.1.2", NAME).is_port_public


async def test_it_is_found_by_the_proxy_s_name_too_and_by_no_other(tmp_path: Path) -> None:
    async with behind("127.0.0.1", tmp_path, https="table.example:8443") as table:
        hosts = {"table.example": 200, "TABLE.example:8443": 200, "table.example:8444": 421, "x.table.example": 421}
        for host, status in hosts.items():
            sent = {**BY_TLS, "Host": host, "Origin": "https://table.example:8443"}
            answer = await ask(table.port, "/about.json", headers=sent)
            assert answer.status == status, host
            assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        by_address = await ask(table.port, "/", headers={"Host": "192.168.1.23"})
        assert (by_address.status, "cross-origin-opener-policy" in by_address.headers) == (200, False)
        refused = await ask(table.port, "/", headers={"Host": "evil.example"})
        assert refused.body.decode() == "This page is at https://table.example:8443/\n"
        # as nginx sends it by $host: what changes anything is from the page that has the port
        for origin, status in {"https://table.example:8443": 200, "https://table.example:8444": 403}.items():
            sent = {**BY_TLS, "Host": "table.example", "Origin": origin}
            answer = await give_code(table, code_of(table), headers=sent)
            assert answer.status == status, origin


async def test_it_is_found_by_the_proxy_s_name_alone_where_that_has_no_port(tmp_path: Path) -> None:
    async with behind("127.0.0.1", tmp_path) as table:
        hosts = {NAME: 200, NAME.upper(): 200, f"{NAME}:8443": 421, "evil.example": 421, "192.168.1.23": 200, "": 421}
        for host, status in hosts.items():
            answer = await ask(table.port, "/about.json", headers={**BY_TLS, "Host": host})
            assert answer.status == status, host
        assert f"https://{NAME}/" in (await ask(table.port, "/", headers={"Host": "evil.example"})).body.decode()


# with nginx


@pytest.fixture
def nginx() -> str:
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if found is None:
        pytest.skip("there is no nginx: scripts/packages /usr/sbin/nginx:nginx gets it")
    return found


def told(kind: str, begins: str) -> str:
    """The block of this kind that begins so, where the documentation says how it is set up."""
    section = (ROOT / "docs" / "page.md").read_text(encoding="utf-8").partition("\n## With TLS\n")[2]
    (block,) = re.findall(rf"^ *```{kind}\n( *{re.escape(begins)}.*?)^ *```$", section, re.MULTILINE | re.DOTALL)
    return block


def certify(folder: Path, *, by_authority: bool) -> ssl.SSLContext:
    """Make a certificate as the documentation says; what a browser needs that trusts it, or its authority."""
    commands = told("sh", "openssl req")
    if not by_authority:
        commands = commands[commands.rindex("openssl req") :].replace("-CA ca.crt -CAkey ca.key", "")
    subprocess.run(["sh", "-eu"], input=commands, cwd=folder, capture_output=True, text=True, check=True)
    return ssl.create_default_context(cafile=folder / ("ca.crt" if by_authority else "taptable.crt"))


@asynccontextmanager
async def running(nginx: str, folder: Path, port: int, page_port: int) -> AsyncIterator[None]:
    """nginx with the example, at other ports and with files in this folder."""
    site = (ROOT / "examples" / "nginx.conf").read_text(encoding="utf-8")
    changes = {
        "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
        "listen [::]:443 ssl;": "",
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen [::]:80;": "",
        "/etc/nginx/taptable.": f"{folder}/taptable.",
        "http://127.0.0.1:8137": f"http://127.0.0.1:{page_port}",
    }
    for old, new in changes.items():
        assert old in site
        site = site.replace(old, new)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    whole = f"user {getuser()}; daemon off; pid {folder}/pid; events {{}} http {{ access_log off; {folders} {site} }}"
    (folder / "nginx.conf").write_text(whole, encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        *(nginx, "-e", "stderr", "-c", folder / "nginx.conf", "-g", "error_log stderr notice;"),
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    said = b""
    try:
        async with asyncio.timeout(DEADLINE_S):
            while b"start worker process " not in said:  # it listens by then
                said += (line := await process.stderr.readline())
                assert line, said.decode()
        yield
    finally:
        process.terminate()
        await asyncio.wait_for(process.communicate(), DEADLINE_S)


@pytest.mark.long
@pytest.mark.parametrize("by_authority", [False, True])
async def test_nginx_as_in_the_documentation_takes_phones_to_the_page(
    tmp_path: Path, nginx: str, by_authority: bool
) -> None:
    trusting, port = certify(tmp_path, by_authority=by_authority), free_port()
    configured = tomllib.loads(re.sub("^ *", "", told("toml", "[page]"), flags=re.MULTILINE))["page"]
    assert configured["https"] == NAME
    host = f"{NAME}:{port}"
    ours = {"Host": host, "Origin": f"https://{host}"}
    forged = {"X-Forwarded-For": "192.168.1.7", "X-Forwarded-Proto": "http"}

    @asynccontextmanager
    async def a_guest(source: str, headers: Mapping[str, str], cookie: str = "") -> AsyncIterator[Client]:
        async with connect(
            f"wss://{host}/live",
            host="127.0.0.1",
            port=port,
            local_addr=(source, 0),
            ssl=trusting,
            additional_headers={**headers, "Cookie": cookie},
            ping_interval=None,
            close_timeout=1,
        ) as socket:
            client = Client(socket)
            await client.hello()
            yield client

    async with (
        behind(configured["proxy"], tmp_path, host) as table,
        running(nginx, tmp_path, port, table.port),
        AsyncExitStack() as guests,
    ):
        by_tls = {"tls": trusting, "tls_name": NAME}
        index = await ask(port, "/", headers=ours, **by_tls)
        assert (index.status, b"<html" in index.body) == (200, True)
        assert (await ask(port, "/", headers={"Host": "evil.example"}, **by_tls)).status == 421

        said = {"name": "Ana", "language": "en"}
        for sent, status in (({**ours, "Origin": "https://evil.example"}, 403), (ours, 200)):
            body = json.dumps({**said, "code": code_of(table)}).encode()
            answer = await ask(port, "/pair", body, headers={**sent, **forged}, **by_tls)
            assert answer.status == status
        assert "secure" in answer.headers["set-cookie"].lower().split("; ")
        async with a_guest("127.0.5.1", {"Origin": f"https://{host}"}, cookie_in(answer)) as ana:
            assert (await ana.ask("devices"))["devices"][0]["own"]
        with pytest.raises(InvalidStatus) as refused:
            async with a_guest("127.0.5.1", {"Origin": "https://evil.example"}, cookie_in(answer)):
                pass
        assert refused.value.response.status_code == 403

        # of too many from one address one goes, whatever they say of where they are; a neighbour stays, who has
        # been silent for longest
        neighbour = await guests.enter_async_context(a_guest("127.0.5.2", {}))
        many = [
            await guests.enter_async_context(a_guest("127.0.5.1", {"X-Forwarded-For": f"192.168.1.{number}"}))
            for number in range(MAX_UNPAIRED_PER_ADDRESS + 1)
        ]
        with pytest.raises(ConnectionClosed):
            await many[0].until(lambda _: False)
        assert watching_from(table) == ["127.0.5.1"] * MAX_UNPAIRED_PER_ADDRESS + ["127.0.5.2"]
        assert (await neighbour.ask("echo"))["ok"]
