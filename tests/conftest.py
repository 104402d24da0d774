"""For all tests: options that name real parts; and with CI set, a test may be skipped only for hardware that isn't
there."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
from collections.abc import Generator

import pytest
from hypothesis import settings

pytest_plugins = ["hardware.options", "choosing", "server_fixtures", "table.fixtures"]

collect_ignore = ["driver_package"]  # somebody else's package, whose tests want it installed

HARDWARE = "hardware:"

# how long an example takes says how busy the computer is
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# no test reaches readers of this computer, and each process may have a service of its own; libpcsclite reads it once
os.environ["PCSCLITE_CSOCK_NAME"] = f"{tempfile.gettempdir()}/taptable-pcscd-{os.getpid()}/pcscd.comm"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # as in a shell's background job: the programs under test would not hear a Ctrl-C either
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep everything that the collection allocated out of the garbage collector until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The backend that runs the tests that are coroutines."""
    return "asyncio"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.skipped and os.environ.get("CI") and isinstance(report.longrepr, tuple):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if not reason.startswith(HARDWARE):
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} was skipped: {reason}"
    return report
