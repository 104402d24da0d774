"""A game at a table, as Home Assistant sees it: the test of `scripts/check-home-assistant`."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from deadline import DEADLINE_S
from ports import free_port

from bridge.broker import PASSWORDS, Broker
from bridge.rig import NAME, a_config, at_table, tap

PROGRAM = Path(__file__).with_name("in_home_assistant.py")
ID = f"taptable_{NAME}"


class HomeAssistant:
    """A running Home Assistant."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def ask(self, line: str = "") -> Any:
        """Return Home Assistant's answer to a line, or what it sends by itself."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if line:
            self._process.stdin.write(f"{line}\n".encode())
        async with asyncio.timeout(DEADLINE_S):
            # whatever its packages print isn't ours
            while not (answer := await self._process.stdout.readline()).startswith((b"{", b"[")):
                assert answer, "Home Assistant has ended"
        return json.loads(answer)

    async def until(self, seen: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until its entities satisfy `seen`, and return them."""
        async with asyncio.timeout(DEADLINE_S):
            while not seen(found := {state["entity_id"]: state for state in await self.ask("states")}):
                await asyncio.sleep(0.1)
        return found


async def look_at_the_table(command: Sequence[str], broker: Broker, folder: Path) -> None:
    """Play a little, and see that Home Assistant, run by this command, shows it; an AssertionError where it doesn't."""
    given = ["127.0.0.1", str(broker.port), "homeassistant", PASSWORDS["homeassistant"], str(free_port())]
    async with at_table(a_config(folder, broker.settings(commands=True))) as table:
        program = PROGRAM.read_text(encoding="utf-8")
        process = await asyncio.create_subprocess_exec(
            *command, "-c", program, *given, stdin=PIPE, stdout=PIPE, limit=2**24
        )
        there = HomeAssistant(process)
        assert await there.ask() == {"ready": True}
        await there.until(lambda states: f"sensor.{ID}_team_2" in states)
        found = await there.until(lambda states: states[f"sensor.{ID}_game"]["state"] == "ONLINE")
        assert f"sensor.{ID}_team_3" not in found
        assert found[f"binary_sensor.{ID}_window"]["state"] == "off"
        assert found[f"binary_sensor.{ID}_faults"]["state"] == "off"
        assert found[f"sensor.{ID}_team_1"]["attributes"]["unit_of_measurement"] == "MB"
        await tap(table, "email#1", 1)
        found = await there.until(lambda states: states[f"event.{ID}_refusal"]["state"] != "unknown")
        assert found[f"event.{ID}_refusal"]["attributes"]["event_type"] == "refused"
        await tap(table, "online#1", 1)
        await tap(table, "email#1", 1)
        await there.until(lambda states: float(states[f"sensor.{ID}_team_1"]["state"]) > 0)
        await tap(table, "hacker#1", 1)
        found = await there.until(lambda states: states[f"binary_sensor.{ID}_window"]["state"] == "on")
        assert found[f"event.{ID}_hacker"]["attributes"]["event_type"] == "struck"
        assert found[f"sensor.{ID}_window_ends"]["state"] != "unknown"
        table.hardware.press(2)
        found = await there.until(lambda states: states[f"event.{ID}_patrol"]["state"] != "unknown")
        assert found[f"event.{ID}_patrol"]["attributes"]["event_type"] == "first"
        await there.ask(f"press button.{ID}_pause")
        await there.until(lambda states: states[f"sensor.{ID}_game"]["attributes"]["paused"])
        await asyncio.sleep(1)  # the table takes one command a second
        await there.ask(f"press button.{ID}_resume")
        await there.until(lambda states: not states[f"sensor.{ID}_game"]["attributes"]["paused"])
        # paho's own may complain of the connection by which Home Assistant tries the account
        complaints = [line for line in await there.ask("log") if line.startswith("homeassistant") and "mqtt" in line]
        assert not complaints, "\n".join(complaints)
    await there.until(lambda states: states[f"sensor.{ID}_game"]["state"] == "unavailable")
    assert process.stdin is not None
    process.stdin.close()
    await process.wait()
