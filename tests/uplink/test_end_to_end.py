"""From a card on a pad to the league: the table, its socket, the bridge's way, a broker."""

from __future__ import annotations

from pathlib import Path

from api.rig import at_table
from servers import Mosquitto
from taptable.api.link import TableLink
from taptable.api.requests import Role
from taptable.api.socket_paths import socket_path
from taptable.bridge.league_uplink import LeagueUplink
from taptable.bridge.state_files import UplinkStateFile, league_state_file_of

from uplink.rig import KEY, SHORT_PATIENCE, TinyLeague, connected, running, until


async def test_a_card_that_is_tapped_is_soon_in_the_league(broker: Mosquitto, table: str, tmp_path: Path) -> None:
    league = TinyLeague(broker.port, table)

    def stored() -> str:
        return "".join(text for branch in league.store.branches for text in branch.texts)

    async with at_table(tmp_path) as real:
        link = TableLink(socket_path(real.sockets, Role.BRIDGE))
        uplink = LeagueUplink(
            table, KEY, link.call, UplinkStateFile(league_state_file_of(tmp_path, table)), SHORT_PATIENCE
        )
        link.open(uplink)
        async with running(league.run(), connected(broker.port, uplink.serve)):
            # at two pads: two cards that come to one within 200 ms are no taps
            for pad, card in enumerate(("online#1", "online#2"), 1):
                real.tap(card, pad)
                await until(lambda card=card: f'"tap":"{card}"' in stored(), f"{card} isn't in the league")
        await link.close()
    assert not any(uid in stored() for uid in real.tags.values())
