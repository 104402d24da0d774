"""Home Assistant itself at a broker, for tests: run by a Python that has the package `homeassistant`, and by nothing
else of this project. It prints a line of JSON when it is set up, and answers each line of its standard input by
another: ``states`` tells all entities, ``press ENTITY`` presses a button, ``log`` tells what was logged as a warning or
worse."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from homeassistant import bootstrap, core, loader  # pyright: ignore
from homeassistant.config_entries import SOURCE_USER  # pyright: ignore


class LogCollector(logging.Handler):
    """Collects the log."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))


async def main(host, port, user, password, own_port):
    kept = LogCollector()
    logging.getLogger().addHandler(kept)
    with TemporaryDirectory() as folder:
        Path(folder, "configuration.yaml").touch()
        home = core.HomeAssistant(folder)
        loader.async_setup(home)
        home.config.skip_pip = True
        # the frontend isn't installed, so that Home Assistant by its own start would go into its recovery mode
        await bootstrap.async_from_config_dict({"http": {"server_port": int(own_port)}}, home)
        await home.async_start()
        flow = await home.config_entries.flow.async_init("mqtt", context={"source": SOURCE_USER})
        while flow["type"] != "create_entry":
            if flow["type"] == "form" and flow.get("errors"):
                raise SystemExit(f"it wasn't taken: {flow['errors']}")
            given = {"broker": host, "port": int(port), "username": user, "password": password}
            flow = await home.config_entries.flow.async_configure(flow["flow_id"], given)
        print(json.dumps({"ready": True}), flush=True)
        lines = asyncio.get_running_loop()
        while line := await lines.run_in_executor(None, sys.stdin.readline):
            verb, _, about = line.strip().partition(" ")
            await home.async_block_till_done()
            if verb == "press":
                await home.services.async_call("button", "press", {"entity_id": about}, blocking=True)
            answer = kept.lines if verb == "log" else [state.as_dict() for state in home.states.async_all()]
            print(json.dumps(answer, default=str), flush=True)
        await home.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
