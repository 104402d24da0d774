"""Access to a page that is open to the network: by which names, from which addresses, and from which pages it is
granted."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path

import pytest
from deadline import DEADLINE_S
from page_server.rig import Table, a_client, parse
from taptable.page import app
from taptable.page.guard import is_own_host
from taptable.page.network import SUFFIXES, is_own_name, local_name, own_addresses
from websockets.exceptions import InvalidStatus

from page_access.rig import a_phone, an_open_table, ask, code_of, pair, paired_with

ROOT = Path(__file__).parents[2]
NAME = socket.gethostname().lower().partition(".")[0]
OURS = [
    "localhost",
    "LOCALHOST:8137",
    "127.0.0.1",
    "192.168.1.23",
    "192.168.1.23:8137",
    "10.0.0.1:80",
    "[::1]",
    "[fe80::1]:8137",
    "[2001:db8::1]",
    NAME,
    NAME.upper(),
    f"{NAME}:8137",
    f"{NAME}.local",
    f"{NAME}.LOCAL:8137",
    f"{NAME}.",
    f"{NAME}.local.:8137",
    f"{NAME}-2.local",
    f"{NAME}-13:8137",
    *(f"{NAME}.{suffix}:8137" for suffix in SUFFIXES),
    f"{NAME}-3.fritz.box.",
    "localhost.:8137",
]
NOT_OURS = [
    "evil.example",
    "evil.example:8137",
    f"{NAME}.evil.example",
    f"{NAME}.local.evil.example",
    f"x{NAME}",
    f"{NAME}..",
    f"{NAME}.local..",
    f"{NAME}.box",
    f"{NAME}.arpa",
    f"{NAME}.tail12ab.ts.net",
    f"fritz.box.{NAME}",
    f"www.{NAME}.local",
    f"{NAME}.lan.local",
    f"{NAME}-1.local",
    f"{NAME}-02.local",
    f"{NAME}-2x.local",
    f"{NAME}-.local",
    f"{NAME}2.local",
    "-2.local",
    "fritz.box",
    "home.arpa",
    ".",
    "local",
    ".local",
    "localhost.evil.example",
    "localhost@evil.example",
    "evil.example#localhost",
    "localhost:8137x",
    "localhost:",
    "127.0.0.1.evil.example",
    "192.168.1.23.evil.example",
    "192.168.1",
    "192.168.1.256",
    "0x7f000001",
    "2130706433",
    "fe80::1",
    "[fe80::1",
    "[192.168.1.23]",
    "[fe80::1%eth0]",
    "[]",
    f"{NAME}@evil.example",
    f"evil.example#{NAME}",
    f"{NAME} evil.example",
    f"{NAME}:port",
    f"{NAME}:",
    "a" * 5000,
    "",
]


def test_an_address_and_this_computer_s_own_names_are_let_in() -> None:
    assert [host for host in OURS if not is_own_host(host, network=True)] == []


@pytest.mark.parametrize("network", [True, False])
def test_a_name_that_somebody_else_can_give_away_is_not(network: bool) -> None:
    assert [host for host in NOT_OURS if is_own_host(host, network=network)] == []


def test_a_page_for_this_computer_is_let_in_by_its_local_names_alone() -> None:
    assert [host for host in OURS if is_own_host(host, network=False)] == [
        "localhost",
        "LOCALHOST:8137",
        "127.0.0.1",
        "[::1]",
        "localhost.:8137",
    ]


def test_the_names_that_avahi_gives_follow_the_computer_s_own() -> None:
    # another table on the network has the name, or the next one
    ours = {"table-2": "table-2 table-3 table-12", "Table": "table table-2", "a-b.example.org": "a-b a-b-2"}
    others = {"table-2": "table table-1", "Table": "table-1 tables", "a-b.example.org": "a a-2", "": "-2 ''"}
    for hostname, labels in ours.items():
        assert all(is_own_name(f"{label}.local", hostname) for label in labels.split()), hostname
    for hostname, labels in others.items():
        assert not any(is_own_name(f"{label}.local", hostname) for label in labels.split()), hostname
    assert not is_own_name("", "")
    assert not is_own_name(".local", "")


def test_the_page_of_documentation_names_the_suffixes() -> None:
    text = " ".join((ROOT / "docs" / "page.md").read_text().split())
    assert ", ".join(f"`{suffix}`" for suffix in SUFFIXES) in text


async def test_a_client_that_asks_by_another_name_gets_addresses_that_work(table: Table) -> None:
    for host in ("evil.example", "taptable.tail12ab.ts.net:443", "evil.example:8137"):
        answer = await ask(table.port, "/", headers={"Host": host})
        assert answer.status == 421
        places = answer.body.decode().removeprefix("This page is at ").split(" or ")
        own = [*own_addresses()[:3], local_name()]
        assert [place.strip() for place in places] == [f"http://{each}:{table.port}/" for each in own]
        for each in own:
            # a visitor who goes there is let in
            assert (await ask(table.port, "/", headers={"Host": f"{each}:{table.port}"})).status == 200


async def test_a_name_that_was_rebound_gets_nothing_of_the_table(table: Table) -> None:
    cookie = await pair(table)
    for path in ("/", "/about.json", "/decks/sample.json", "/pair", "/live"):
        answer = await ask(table.port, path, cookie=cookie, headers={"Host": "evil.example"})
        assert answer.status == 421, path
        assert NAME in answer.body.decode()
        assert b"Simulated" not in answer.body


async def test_it_is_reached_at_every_address_of_this_computer(tmp_path: Path) -> None:
    async def reach(address: str, port: int) -> int:
        host = f"[{address}]" if ":" in address else address
        reader, writer = await asyncio.open_connection(address, port)
        writer.write(f"GET /about.json HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        answer = parse(await asyncio.wait_for(reader.read(), DEADLINE_S))
        writer.close()
        return answer.status if answer.json["pairing"] else 0

    async with an_open_table(tmp_path) as table:
        assert await reach("127.0.0.1", table.port) == 200
        assert await reach("127.0.0.7", table.port) == 200
        if has_ipv6():
            assert await reach("::1", table.port) == 200


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as there:
            there.bind(("::1", 0))
    except OSError:
        return False
    return True


async def test_where_the_kernel_has_no_ipv6_it_is_open_by_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = socket.socket

    def without(family: int = -1, *more: int, **named: int) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(97, "Address family not supported by protocol")
        return made(family, *more, **named)

    monkeypatch.setattr("taptable.page.listening.socket.has_dualstack_ipv6", lambda: True)
    monkeypatch.setattr("taptable.page.listening.socket.socket", without)
    async with an_open_table(tmp_path) as table:
        monkeypatch.undo()
        assert (await ask(table.port, "/about.json", source="127.0.0.9")).status == 200


# other sites' pages

FOREIGN = [
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "https://127.0.0.1:{port}"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://localhost:{port}"},
    {"Origin": "http://127.0.0.1:{port}.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "http://127.0.0.1:{port}", "Sec-Fetch-Site": "cross-site"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=[str(headers) for headers in FOREIGN])
async def test_another_site_s_page_changes_nothing_with_the_cookie_and_the_code(
    table: Table, headers: dict[str, str]
) -> None:
    cookie, code = await pair(table), code_of(table)
    sent = {name: value.format(port=table.port) for name, value in headers.items()}
    said = json.dumps({"code": code, "name": "Eve"}).encode()
    assert (await ask(table.port, "/pair", said, cookie=cookie, headers=sent)).status == 403
    deck = (await ask(table.port, "/decks/sample.json", cookie=cookie)).body
    before = sorted(table.config.table.decks.iterdir())
    assert (await ask(table.port, "/decks", deck, cookie=cookie, headers=sent)).status == 403
    assert sorted(table.config.table.decks.iterdir()) == before
    assert len(paired_with(table)) == 1
    assert code_of(table) == code  # it has cost no try, and is good still
    with pytest.raises(InvalidStatus) as refused:
        async with a_client(table.port, additional_headers={"Cookie": cookie, **sent}):
            pass
    assert refused.value.response.status_code == 403


async def test_our_own_page_is_let_in_by_whichever_name_it_was_opened(table: Table) -> None:
    for host in (f"127.0.0.1:{table.port}", f"localhost:{table.port}", f"{NAME}.local:{table.port}"):
        said = json.dumps({"code": code_of(table), "name": "Ana"}).encode()
        sent = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
        assert (await ask(table.port, "/pair", said, headers=sent)).status == 200


async def test_a_deck_is_taken_away_and_brought_by_who_is_paired_alone(table: Table) -> None:
    cookie = await pair(table)
    taken = await ask(table.port, "/decks/sample.json", cookie=cookie)
    assert (taken.status, taken.headers["content-disposition"]) == (200, 'attachment; filename="sample.json"')
    assert any(uid in taken.body.decode() for uid in table.tags.values())
    for other in (None, cookie[:-3], "taptable=1"):
        refused = await ask(table.port, "/decks/sample.json?language=en", cookie=other)
        assert (refused.status, "pair this device" in refused.json["why"]) == (403, True)
        refused = await ask(table.port, "/decks?language=en", taken.body, cookie=other)
        assert (refused.status, "pair this device" in refused.json["why"]) == (403, True)
    assert (await ask(table.port, "/decks", b"x" * 300_000, cookie=cookie)).status == 413
    # which, said to the table, is longer than anything may be
    assert (await ask(table.port, "/decks", b"\x01" * 260_000, cookie=cookie)).status == 403
    async with a_phone(table, cookie) as phone:
        assert (await phone.ask("devices"))["ok"]


TRICKS = [
    "/decks/../table.toml",
    "/decks/%2e%2e/table.json",
    "/decks/..%2ftable.json",
    "/decks/..%5ctable.json",
    "/decks/%2fetc%2fpasswd.json",
    "/decks//etc/passwd.json",
    "/decks/sample%00.json",
    "/decks/%00.json",
    "/decks/.json",
    "/decks/.hidden.json",
    "/decks/link.json",
    "/decks/sample.json/",
    "/decks/sample.json%20",
    "/decks/SAMPLE.json",
    "/decks/" + "a" * 3000 + ".json",
    "/decks/%ff%fe.json",
    "/decks/journal.pairings.json",
    "/decks/..;/x.json",
    "/games/../decks/sample.json",
    "/static/../journal.pairings.json",
]


async def test_no_path_leads_out_of_the_shelves_for_who_is_paired_either(table: Table, tmp_path: Path) -> None:
    cookie = await pair(table)
    secret = tmp_path / "secret.json"
    secret.write_text('{"what": "is nobody\'s business"}')
    (table.config.table.decks / "link.json").symlink_to(secret)
    for path in TRICKS:
        answer = await ask(table.port, path, cookie=cookie)
        assert answer.status in (403, 404), path
        assert b"nobody's business" not in answer.body
        assert b"digest" not in answer.body


async def test_another_screen_learns_the_address_by_which_this_request_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "own_addresses", lambda: ("10.42.0.1",))
    async with an_open_table(tmp_path) as table:

        async def address(host: str) -> str | None:
            answer = await ask(table.port, "/scoreboard.json", headers={"Host": host})
            assert answer.status == 200
            assert answer.json["qr"] is None or answer.json["qr"]["path"].startswith("M0 0h1v1h-1z")
            return answer.json["address"]

        port = table.port
        assert await address(f"192.168.1.7:{port}") == f"http://192.168.1.7:{port}/scoreboard"
        for own in ("localhost", "127.0.0.1", "[::1]", "localhost."):
            assert await address(f"{own}:{port}") == f"http://10.42.0.1:{port}/scoreboard"
        monkeypatch.setattr(app, "own_addresses", tuple)
        assert await address(f"localhost:{port}") is None
        assert (await ask(port, "/scoreboard.json", headers={"Host": "evil.example"})).status == 421
