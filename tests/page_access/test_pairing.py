"""Pairing: who gives the code that is shown at the table may change things, and nobody else."""

from __future__ import annotations

import asyncio
import json
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest
from page_server.rig import Table, a_table_with_a_page, at_table, with_given_time
from taptable.daemon.api.pairing import CODE_S, DIGITS, TRIES
from taptable.memory import pairings
from taptable.page.site import ADDRESS_POLL_S

from page_access.rig import (
    a_phone,
    an_open_table,
    ask,
    code_of,
    cookie_in,
    give_code,
    open_to_all,
    pair,
    paired_with,
    wrong_code,
)


def why(answer: Any) -> str:
    assert not answer.json["ok"]
    return answer.json["why"]


async def test_an_unpaired_client_is_asked_to_pair_first(table: Table) -> None:
    async with a_phone(table) as phone:
        assert (await phone.ask("hello", language="en")).items() >= {"paired": False, "name": ""}.items()
        for verb in ("devices", "unpair"):
            answer = await phone.ask(verb, all=True)
            assert (answer["ok"], "pair this device" in answer["why"]) == (False, True)


@with_given_time
async def test_who_is_paired_can_have_the_address_shown_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = ["10.42.0.1"]
    monkeypatch.setattr("taptable.page.site.own_addresses", lambda: tuple(addresses))
    async with an_open_table(tmp_path) as table:
        async with a_phone(table) as stranger:
            assert not (await stranger.ask("show-address"))["ok"]
        async with a_phone(table, await pair(table, "Ana")) as phone:
            assert (await phone.ask("show-address"))["ok"]
            addresses.clear()
            await asyncio.sleep(ADDRESS_POLL_S + 1)  # of given time
            answer = await phone.ask("show-address")
            assert (answer["ok"], answer["why"]) == (False, "The display can’t show the address now.")


async def test_who_gives_the_code_is_paired_by_the_name_they_gave(table: Table) -> None:
    async with a_phone(table) as stranger:
        shown = await stranger.ask("show-code")
        assert (shown["ok"], shown["digits"]) == (True, DIGITS)
        assert 0 < shown["left_s"] <= CODE_S
    cookie = await pair(table, "  Ana   María ")
    async with a_phone(table, cookie) as phone:
        assert (await phone.ask("hello", language="en")).items() >= {"paired": True, "name": "Ana María"}.items()
        (device,) = (await phone.ask("devices"))["devices"]
        assert device.keys() == {"id", "name", "since", "own"}
        assert (device["name"], device["own"]) == ("Ana María", True)


async def test_the_code_is_shown_at_the_table_and_sent_to_nobody(table: Table) -> None:
    async with a_phone(table) as stranger:
        answer = await stranger.ask("show-code")
        code = code_of(table)
        assert code not in json.dumps([answer, *stranger.messages, *stranger.answers])
        assert code not in repr(table.daemon.api.pairing.code)


async def test_scripts_can_t_read_the_cookie_and_other_sites_can_t_send_it(table: Table) -> None:
    answer = await give_code(table, code_of(table))
    value, *attributes = answer.headers["set-cookie"].lower().split("; ")
    assert set(attributes) == {"httponly", "samesite=strict", "path=/", f"max-age={180 * 24 * 3600}"}
    assert len(value.partition("=")[2]) >= 43  # 256 bits in base64
    assert str(table.port) in value.partition("=")[0]  # two tables of a computer don't share it


async def test_a_code_is_good_for_one_pairing(table: Table) -> None:
    code = code_of(table)
    assert (await give_code(table, code)).status == 200
    again = await give_code(table, code, "Ben")
    assert (again.status, "set-cookie" in again.headers) == (403, False)
    assert "no longer good" in why(again)
    assert len(paired_with(table)) == 1


async def test_the_sixth_try_of_any_client_finds_a_pause_and_with_the_right_code_too(table: Table) -> None:
    code, wrong = code_of(table), wrong_code(table)
    for number in range(TRIES):
        answer = await give_code(table, wrong, source=f"127.0.0.{number + 2}")
    assert "another 5 minutes" in why(answer)
    assert "another 5 minutes" in why(await give_code(table, code, source="127.0.0.99"))
    async with a_phone(table, source="127.0.0.100") as phone:
        assert "another 5 minutes" in (await phone.ask("show-code"))["why"]
    assert paired_with(table) == ()


NAMES = ["", "   ", "x" * 25, "a\nb", "a\u202eb", "\x00", 7, None, ["Ana"], "\u3164", "Ana\u3164", "\u2800"]


@pytest.mark.parametrize("name", NAMES, ids=[ascii(name) for name in NAMES])
async def test_a_name_that_can_t_be_costs_no_try(table: Table, name: object) -> None:
    code = code_of(table)
    assert why(await give_code(table, code, name))
    assert paired_with(table) == ()
    assert f"left: {TRIES - 1}." in why(await give_code(table, wrong_code(table)))


CODES = ["", "12345", "1234567", "12345a", "１２３４５６", "-12345", 123456, None, {}, ["1"], "1" * 200]


async def test_what_is_no_code_is_none_and_costs_no_try(table: Table) -> None:
    code_of(table)
    for code in CODES:
        assert why(await give_code(table, code)), code
    assert f"left: {TRIES - 1}." in why(await give_code(table, wrong_code(table)))


async def test_a_page_for_this_computer_only_pairs_nobody(tmp_path: Path) -> None:
    async with at_table(a_table_with_a_page(tmp_path)) as table:
        about = (await ask(table.port, "/about.json")).json
        assert about["pairing"] is False
        assert "for this computer only" in why(await give_code(table, "123456"))
        async with a_phone(table) as phone:
            assert not (await phone.ask("show-code"))["ok"]


# unpairing


async def test_who_is_unpaired_loses_the_connection_at_once_and_comes_back_to_watch(table: Table) -> None:
    ana, ben = await pair(table, "Ana"), await pair(table, "Ben")
    async with a_phone(table, ana) as here, a_phone(table, ben) as there:
        devices = {one["name"]: one["id"] for one in (await here.ask("devices"))["devices"]}
        assert (await here.ask("unpair", device=devices["Ben"]))["ok"]
        assert (await there.closed()).code == 4001
        assert [one["name"] for one in (await here.ask("devices"))["devices"]] == ["Ana"]
    async with a_phone(table, ben) as again:
        assert not (await again.ask("devices"))["ok"]


async def test_what_was_sent_before_one_was_unpaired_and_is_looked_at_after_it_isn_t_done(table: Table) -> None:
    ana, ben = await pair(table, "Ana"), await pair(table, "Ben")
    async with a_phone(table, ana) as here, a_phone(table, ben) as there:
        await here.send(json.dumps({"do": "unpair", "all": True}))
        await there.send(json.dumps({"do": "show-code"}))
        for _ in range(5):
            await there.send(json.dumps({"do": "unpair", "device": "x"}))
        await there.closed()
    assert paired_with(table) == ()


async def test_nobody_is_unpaired_by_a_name_that_nobody_has(table: Table) -> None:
    async with a_phone(table, await pair(table)) as phone:
        for device in ("", "x", 7, None, "0" * 8):
            assert not (await phone.ask("unpair", device=device))["ok"]
        assert not (await phone.ask("unpair", all="yes"))["ok"]
        assert len((await phone.ask("devices"))["devices"]) == 1


# cookies


async def test_a_cookie_that_was_made_up_or_changed_is_none(table: Table) -> None:
    cookie = await pair(table)
    name, _, secret = cookie.partition("=")
    (paired,) = paired_with(table)
    other = "A" if secret[0] != "A" else "B"
    forged = [
        f"{name}=",
        f"{name}={secret[:-1]}",
        f"{name}={secret}A",
        f"{name}={other}{secret[1:]}",
        f"{name}={paired.digest}",
        f"{name}={paired.id}",
        f"{name}={secret.swapcase()}",
        f"{name}x={secret}",
        f"taptable={secret}",
        f"{name}={'A' * 5000}",
        f"{name}=\xff\xfe",
        secret,
    ]
    for each in forged:
        async with a_phone(table, each) as phone:
            assert not (await phone.ask("devices"))["ok"], each
    async with a_phone(table, f"other=1; {cookie}; more=2") as phone:
        assert (await phone.ask("devices"))["ok"]


async def test_a_cookie_of_another_table_is_none(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    async with at_table(open_to_all(folders[0])) as one, at_table(open_to_all(folders[1])) as two:
        secret = (await pair(one)).partition("=")[2]
        async with a_phone(two, f"taptable-{two.port}={secret}") as phone:
            assert not (await phone.ask("devices"))["ok"]


# what is kept


async def test_the_file_has_no_secret_and_is_for_nobody_else(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        async with an_open_table(tmp_path) as table:
            secret = (await pair(table)).partition("=")[2]
            file = tmp_path / "journal.pairings.json"
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            kept = file.read_text()
            assert secret not in kept
            assert re.search(r'"digest": "[0-9a-f]{64}"', kept)
    finally:
        os.umask(old)


async def test_a_pairing_that_can_t_be_written_pairs_nobody_and_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with an_open_table(tmp_path) as table:
        (tmp_path / ".journal.pairings.json.new").mkdir()
        answer = await give_code(table, code_of(table))
        assert "set-cookie" not in answer.headers
        assert "can’t write down" in why(answer)
        assert paired_with(table) == ()
        (tmp_path / ".journal.pairings.json.new").rmdir()
        assert (await give_code(table, code_of(table))).status == 200  # the code is good still
    assert "journal.pairings.json can't be written" in caplog.text


async def test_the_number_of_paired_devices_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("taptable.daemon.api.pairing.MAX_PAIRED", 2)
    assert pairings.MAX_PAIRED > 30  # the phones of an evening
    async with an_open_table(tmp_path) as table:
        for name in ("Ana", "Ben"):
            await pair(table, name)
        assert "2 devices are paired already" in why(await give_code(table, code_of(table), "Cleo"))
        assert len(paired_with(table)) == 2


async def test_a_cookie_is_of_no_use_to_what_isn_t_asked_for_as_json(table: Table) -> None:
    said = json.dumps({"code": code_of(table), "name": "Ana"}).encode()
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = await ask(table.port, "/pair", said, headers={"Content-Type": kind})
        assert (answer.status, "set-cookie" in answer.headers) == (415, False)
    for what in (b"", b"[]", b"{", b"null", b"\xff", b"[" * 2000):
        assert (await ask(table.port, "/pair", what)).status == 400
    assert (await ask(table.port, "/pair", b"x" * 5000)).status == 413
    assert (await ask(table.port, "/pair")).status == 405
    assert cookie_in(await ask(table.port, "/pair", said))
