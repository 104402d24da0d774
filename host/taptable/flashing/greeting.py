"""Waits until a board that starts anew says hello on the wire. Its port vanishes meanwhile and comes back. Knows no
file of it."""

from __future__ import annotations

import termios
import time
from collections.abc import Callable
from pathlib import Path

import serial
from tapshared.lines import Lines
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD

from taptable.core.errors import DeviceError
from taptable.edges.boards.port import open_path

START_S = 20.0
"""A Pico is back on the USB within two seconds; a firmware that fails at once starts again every few."""
ASK_EVERY_S = 0.5
_REST_S = 0.1
_TEXT_KEPT = 400


def await_hello(port: Callable[[], Path | None]) -> Message:
    """What the board at `port`, wherever that is by now, says of itself; DeviceError with what it said instead."""
    until_s = time.monotonic() + START_S
    said = b""
    while time.monotonic() < until_s:
        path = port()
        try:
            if path is not None:
                with open_path(str(path)) as line:
                    hello, heard = _listen(line, until_s)
                    if hello is not None:
                        return hello
                    said = heard or said
        except (OSError, termios.error):
            pass  # it isn't back yet, or goes once more
        time.sleep(_REST_S)
    text = said.decode(errors="replace").strip().splitlines()
    instead = f", but: {text[-1]}" if text else ""
    raise DeviceError(f"the board has its firmware and doesn't say hello{instead}; unplug it and plug it in again")


def _listen(line: serial.Serial, until_s: float) -> tuple[Message | None, bytes]:
    """The hello, or else the end of what was heard. OSError when the port goes."""
    lines = Lines(BOARD)
    heard = b""
    line.timeout = ASK_EVERY_S
    while time.monotonic() < until_s:
        line.write(encode(Message("hello?", {})))
        data = line.read(1) + line.read(line.in_waiting)
        heard = (heard + data)[-_TEXT_KEPT:]
        for message in lines.feed(data):
            if message.verb == "hello":
                return message, heard
    return None, heard
