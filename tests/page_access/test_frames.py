"""Frames that no client may send: each ends its own connection, and nothing else."""

from __future__ import annotations

import asyncio
import logging
import socket
from pathlib import Path
from random import Random

import pytest
from page_server.rig import Table
from taptable.page.protocols import MAX_FRAMES, PIECE
from taptable.page.server import LONGEST_MESSAGE

from page_access.frames import BINARY, CLOSE, CONT, HELLO, PING, PONG, TEXT, Wire, frame, on_the_wire
from page_access.rig import a_phone, an_open_table

WRONG = {
    "not masked": (frame(TEXT, HELLO, masked=False), 1002),
    "a bit that is reserved": (frame(TEXT, HELLO, reserved=4), 1002),
    "a code that there isn't": (frame(0x3, HELLO), 1002),
    "another one": (frame(0xB), 1002),
    "nothing to go on with": (frame(CONT, HELLO), 1002),
    "a text in a text": (frame(TEXT, b"{", fin=False) + frame(TEXT, HELLO), 1002),
    "a ping in pieces": (frame(PING, b"x", fin=False), 1002),
    "a ping that is too long": (frame(PING, b"x" * 126), 1002),
    "a close of one byte": (frame(CLOSE, b"\x03"), 1002),
    "a close with a code that there isn't": (frame(CLOSE, (1005).to_bytes(2, "big")), 1002),
    "a close whose reason is no text": (frame(CLOSE, (1000).to_bytes(2, "big") + b"\xff"), 1007),
    "longer than may be": (frame(TEXT, b"", claims=LONGEST_MESSAGE + 1), 1009),
    "as long as can be": (frame(TEXT, b"", claims=2**63 - 1), 1009),
    "longer than can be": (frame(TEXT, b"", claims=2**64 - 1), 1009),
    "too long in pieces": (frame(TEXT, b"x" * 40_000, fin=False) + frame(CONT, b"x" * 40_000), 1009),
    "in too many pieces": (frame(TEXT, b"", fin=False) + frame(CONT, b"", fin=False) * (MAX_FRAMES + 1), 1009),
    "in far too many pieces": (frame(TEXT, b"", fin=False) + frame(CONT, b"", fin=False) * 20_000, 1009),
    "no text": (frame(TEXT, b'{"do":"\xff\xfe"}'), 1007),
    "half a letter": (frame(TEXT, "é".encode()[:1]), 1007),
    "half a letter in pieces": (frame(TEXT, b'"', fin=False) + frame(CONT, "é".encode()[:1]), 1007),
    "half of a pair": (frame(TEXT, b"\xed\xa0\x80"), 1007),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("greeted", [True, False], ids=["after hello", "at once"])
async def test_it_is_closed_with_the_code_that_says_why(
    tmp_path: Path, what: str, greeted: bool, caplog: pytest.LogCaptureFixture
) -> None:
    sent, code = WRONG[what]
    caplog.set_level(logging.INFO)
    async with an_open_table(tmp_path) as table, a_phone(table) as other, on_the_wire(table.port) as wire:
        if greeted:
            wire.send(frame(TEXT, HELLO))
            await wire.until_text(b'"answer":1')
        wire.send(sent)
        # who is still sending may find the line cut instead
        assert await wire.until_closed() in ((code, None) if len(sent) > PIECE else (code,))
        assert (await other.ask("echo"))["ok"]
    # nobody fills the log of the table from outside
    assert [record.message for record in caplog.records if record.name.startswith("uvicorn")] == []


async def test_a_message_may_come_in_pieces_with_other_things_between(table: Table) -> None:
    async with on_the_wire(table.port) as wire:
        wire.send(frame(TEXT, HELLO))
        await wire.until_text(b'"answer":1')
        said = '{"do":"echo","n":2,"text":"é"}'.encode()
        pieces = [said[at : at + 1] for at in range(len(said))]
        wire.send(frame(TEXT, pieces[0], fin=False))
        for piece in pieces[1:-1]:
            wire.send(frame(CONT, piece, fin=False), frame(PING, piece), frame(PONG, piece))
        wire.send(frame(CONT, pieces[-1]))
        await wire.until_text(b'\\u00e9"')
        wire.send(frame(BINARY, b"\x00\xff"))
        await wire.until_text(b'"ok":false')
        wire.send(frame(CLOSE, (1000).to_bytes(2, "big")))
        assert await wire.until_closed() == 1000


async def test_however_the_bytes_are_cut_the_same_is_understood(table: Table) -> None:
    rng = Random(5)
    said = b"".join(frame(TEXT, b'{"do":"echo","n":%d}' % n) + frame(PING, b"p") for n in range(2, 60))
    async with on_the_wire(table.port) as wire:
        # each piece on its way at once
        wire.writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire.send(frame(TEXT, HELLO))
        await wire.until_text(b'"answer":1')
        at = 0
        while at < len(said):
            size = rng.choice((1, 2, 7, 100, 2048, 5000))
            wire.send(said[at : at + size])
            at += size
            await asyncio.sleep(0)
        for number in range(2, 60):
            await wire.until_text(b'"answer":%d,' % number)


async def test_any_bytes_end_the_connection_or_are_waited_for_and_the_table_plays_on(table: Table) -> None:
    rng = Random(7)

    async def throw(wire: Wire) -> None:
        wire.send(*(frame(rng.randrange(16), rng.randbytes(rng.randrange(20))) for _ in range(3)))
        wire.send(rng.randbytes(rng.randrange(1, 400)))
        wire.writer.write_eof()
        await wire.until_closed()

    async with a_phone(table) as other:
        for _ in range(40):
            async with on_the_wire(table.port) as wire:
                await throw(wire)
        assert (await other.ask("echo"))["ok"]


# floods
