"""The page of a table that the same program runs: ``python -m taptable.sim.page``. Ends with that program, which then
closes the other end of its standard input. The demo's page includes the demo's part."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from pathlib import Path
from socket import socket

from taptable.config.model import PageSettings
from taptable.logs import log_to_stderr
from taptable.page.site import serve
from taptable.sim.page.app import DemoApp


async def main(args: argparse.Namespace) -> None:
    """Serve until a signal, or until the other program ends."""
    asyncio.get_running_loop().add_reader(sys.stdin, lambda: os.kill(os.getpid(), signal.SIGTERM))
    listener = socket(fileno=args.listener)
    settings = PageSettings(listener.getsockname()[1], args.network)
    if args.demo is None:
        await serve(settings, args.table, listener)
        return
    demo = DemoApp(args.demo)
    async with demo.connected():
        await serve(settings, args.table, listener, demo.extension, demo.clock)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", type=Path, required=True, help="the table's socket")
    parser.add_argument("--demo", type=Path, help="the demo's socket")
    parser.add_argument("--listener", type=int, required=True, help="the number of the socket to listen on")
    parser.add_argument("--network", action="store_true", help="serve the network and not this computer alone")
    log_to_stderr(logging.ERROR)
    asyncio.run(main(parser.parse_args()))
