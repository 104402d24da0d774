"""Asking for the Pi to be switched off over the live connection: who may, and what is answered. (Another site's
page gets no connection at all: `test_live`.)"""

from __future__ import annotations

from pathlib import Path

from taptable.core.notices import PoweringOff
from taptable.daemon.power_off import REQUEST

from page_server.rig import a_client, a_table_with_a_page, at_table


async def test_a_client_may_ask_for_it_and_is_told_of_it_before_the_answer(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    async with at_table(config, requests=tmp_path) as table, a_client(table.port) as client:
        await client.hello()
        assert (await client.ask("power-off"))["ok"]
        assert [notice["kind"] for notice in client.parts["alerts"]] == ["power"]
        assert (tmp_path / REQUEST).exists()
        assert (await client.ask("power-off"))["ok"]
        assert len([said for said in table.events if isinstance(said, PoweringOff)]) == 1


async def test_why_it_cannot_be_done_is_said_in_the_language_of_who_asked(tmp_path: Path) -> None:
    config = a_table_with_a_page(tmp_path)
    async with at_table(config, requests=tmp_path / "gone") as table, a_client(table.port) as client:
        await client.hello(language="nl")
        answer = await client.ask("power-off")
        assert answer["why"] == f"Kan niet uit worden gezet: {tmp_path / 'gone' / REQUEST}: No such file or directory."
