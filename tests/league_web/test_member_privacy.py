"""A member's public data is what they chose, in every place that names them. A deleted member is named nowhere."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from deadline import DEADLINE_S
from page_server.rig import a_client

from league_web.rig import LeaguePage
from league_web.seeds import NAMES, member_id

HIDDEN = [name for name, _, shown in NAMES if shown != "name"]


async def everything(league: LeaguePage) -> AsyncIterator[tuple[str, str]]:
    """All public data, by address."""
    games = (await league.get_data("games", most=100))["games"]
    paths = [f"/data/{what}.json" for what in ("league", "standings", "records", "members", "games")]
    paths += [f"/data/standings.json?game={game}" for game in ("online", "cyber-siege", "xnet")]
    paths += [f"/data/{what}.json?id={member_id(at)}" for what in ("member", "against") for at in range(len(NAMES))]
    paths += [f"/export/{what}.{suffix}" for what in ("standings", "results", "ratings") for suffix in ("csv", "json")]
    paths += [f"/games/game-{game['id']}.json" for game in games[:8]]
    for path in paths:
        yield path, (await league.get(path)).body.decode()
    async with a_client(league.port) as client:
        await client.hello()
        yield "the wall", json.dumps(client.parts, ensure_ascii=False)
        for game in games[:8]:
            told = [await client.ask(verb, id=game["id"], number=0) for verb in ("game", "steps", "position")]
            yield f"game {game['id']}", json.dumps(told, ensure_ascii=False)


async def test_who_hides_is_named_nowhere(league: LeaguePage) -> None:
    count = 0
    async for where, told in everything(league):
        count += 1
        assert not [name for name in HIDDEN if name in told], where
    assert count > 40
    told = await league.get_data("member", id=member_id(10))
    assert told["member"] == {"id": member_id(10), "name": "", "colour": ""}
    names = [member["name"] for member in (await league.get_data("members"))["members"]]
    assert "H." in names
    assert "" not in names


@pytest.mark.long
async def test_who_is_deleted_is_named_nowhere_any_more(league: LeaguePage) -> None:
    shown = [where async for where, told in everything(league) if '"Ada"' in told or ",Ada," in told]
    assert len(shown) > 5
    assert "the wall" in shown
    cookie = await league.session()
    async with a_client(league.port) as client:
        await client.hello()
        assert (await league.admin_command(cookie, "delete-member", member=member_id(0))).status == 200
        async with asyncio.timeout(DEADLINE_S):
            await client.until(lambda it: "Ada" not in json.dumps(it.parts))
    async for where, told in everything(league):
        assert '"Ada"' not in told, where
        assert ",Ada," not in told, where
    assert (await league.get(f"/data/member.json?id={member_id(0)}")).status == 404
