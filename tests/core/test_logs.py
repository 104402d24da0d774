"""The log: it limits the messages of each place in the code, and contains no control characters."""

from __future__ import annotations

import asyncio
import io
import logging
import subprocess
import sys
from collections.abc import Callable

import pytest
from taptable.core.spelling import escape_control_chars
from taptable.logs import MAX_AT_ONCE, PER_S, SERVICE_STYLE, PlainFormatter, SparingFilter, log_to_stderr


class Log:
    """A logger that writes into a text, with a clock that the test sets."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.written = io.StringIO()
        handler = logging.StreamHandler(self.written)
        handler.setFormatter(PlainFormatter(SERVICE_STYLE))
        handler.addFilter(SparingFilter(lambda: self.now_s))
        self.logger = logging.Logger("x")
        self.logger.addHandler(handler)

    def lines(self) -> list[str]:
        said = self.written.getvalue().splitlines()
        self.written.seek(0)
        self.written.truncate()
        return said


def test_one_place_says_so_much_and_then_how_much_was_left_out() -> None:
    log = Log()

    def complain(times: int) -> None:
        for number in range(times):
            log.logger.warning("guest %d", number)

    complain(1000)
    assert log.lines() == [f"WARNING: guest {number}" for number in range(MAX_AT_ONCE)]
    log.logger.warning("somebody else")
    assert log.lines() == ["WARNING: somebody else"]
    log.now_s = 1 / PER_S
    complain(2)
    assert log.lines() == [f"WARNING: guest 0 (similar records dropped: {1000 - MAX_AT_ONCE})"]
    log.now_s = 10_000.0
    complain(2)
    assert log.lines() == ["WARNING: guest 0 (similar records dropped: 1)", "WARNING: guest 1"]


def test_tracebacks_of_a_loop_are_bounded_whatever_their_messages_say(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Log()
    monkeypatch.setattr("asyncio.log.logger", log.logger)
    monkeypatch.setattr("asyncio.base_events.logger", log.logger)
    loop = asyncio.new_event_loop()
    for number in range(1000):
        try:
            raise ValueError(number)
        except ValueError as error:
            loop.call_exception_handler(
                {"message": f"Unhandled exception in a page request ({number})", "exception": error}
            )
    loop.close()
    said = log.lines()
    assert len([line for line in said if line.startswith("ERROR")]) == MAX_AT_ONCE
    assert not any(line.startswith(("Traceback", "ValueError")) for line in said)


RAW: dict[str, Callable[[], str]] = {
    "an escape sequence": lambda: "\x1b[2J",
    "of eight bits": lambda: "\x9b2J",
    "the cursor back": lambda: "a\rb",
    "the direction": lambda: "\u202e",
    "a bell": lambda: "\x07",
    "half a pair": lambda: "\ud800",
}


@pytest.mark.parametrize("what", RAW)
def test_control_characters_are_written_as_their_numbers(what: str) -> None:
    log, raw = Log(), RAW[what]()
    log.logger.warning("deck %s\nERROR: forged", raw)
    assert log.lines() == [f"WARNING: deck {escape_control_chars(raw)}", "  ERROR: forged"]
    assert raw not in escape_control_chars(raw)
    assert escape_control_chars(escape_control_chars(raw)) == escape_control_chars(raw)


def test_what_is_plain_stays_as_it_is() -> None:
    for text in ("Grüße\n\tà 3\u202f€ \U0001f468\u200d\U0001f469\r\n", "\\x1b", "مرحبا", ""):
        assert escape_control_chars(text) == text


def test_the_log_of_a_process_is_bounded() -> None:
    program = (
        "import logging; from taptable.logs import log_to_stderr; log_to_stderr(logging.INFO)\n"
        "for _ in range(1000): logging.getLogger('taptable.x').warning('no \\x1b[2J')"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stderr.splitlines() == ["WARNING:taptable.x:no \\u001b[2J"] * MAX_AT_ONCE


def test_handlers_that_are_there_are_left_as_they_are() -> None:
    def handlers() -> list[tuple[logging.Handler, logging.Formatter | None, list[object]]]:
        return [(each, each.formatter, list(each.filters)) for each in logging.getLogger().handlers]

    before = handlers()
    log_to_stderr(logging.INFO, SERVICE_STYLE)
    assert before
    assert handlers() == before
