"""The page of a table that is run by the same program: ``python -m taptable.page``. It ends with that program, whose
end of its standard input is closed then."""

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


async def main(args: argparse.Namespace) -> None:
    """Serve until told to stop, or until the other program ends."""
    asyncio.get_running_loop().add_reader(sys.stdin, lambda: os.kill(os.getpid(), signal.SIGTERM))
    listener = socket(fileno=args.listener)
    await serve(PageSettings(listener.getsockname()[1], args.network), args.table, args.extension, listener)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", type=Path, required=True, help="the table's socket")
    parser.add_argument("--listener", type=int, required=True, help="the number of the socket to listen on")
    parser.add_argument("--network", action="store_true", help="it is open to the network")
    parser.add_argument("--extension", type=Path, help="the folder of the files that the table adds to the page")
    log_to_stderr(logging.ERROR)
    asyncio.run(main(parser.parse_args()))
