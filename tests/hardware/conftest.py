"""The parts under test, each as its model and, where somebody gave it, as itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from firmware.needs_vm import vm_program
from taptable.daemon.clock import SteadyLoop
from taptable.drivers.led.driver import LedDriver
from taptable.sim.loops import GivenTimeLoop

from hardware.controller import KeyUnderTest, LampUnderTest, lamp_of, model_key, model_lamp, real_key
from hardware.i2c_display import DisplayUnderTest, display_at, model_display
from hardware.i2c_reader import model_i2c_reader, real_i2c_reader
from hardware.options import MEASURED, MODEL, REAL
from hardware.person import Person
from hardware.pi_button import Listening, model_button, real_button
from hardware.seat_board import ModelSeatBoard, RealSeatBoard, SeatBoard
from hardware.spi_reader import ReaderUnderTest, SpiReaderUnderTest, model_reader, real_reader
from hardware.talk import Talk


class Figures(Protocol):
    """Collects measurements for the table at the end."""

    def __call__(self, what: str, value: str) -> None: ...


@pytest.fixture(params=[MODEL, REAL])
def on(request: pytest.FixtureRequest) -> str:
    """The target of the test: models or parts."""
    return request.param


@pytest.fixture
def anyio_backend(on: str) -> tuple[str, dict[str, Any]]:
    """Models have their time given."""
    return "asyncio", {"loop_factory": GivenTimeLoop if on == MODEL else SteadyLoop}


@pytest.fixture
def figure(request: pytest.FixtureRequest, on: str) -> Figures:
    part = request.path.stem.removeprefix("test_").replace("_", " ")

    def keep(what: str, value: str) -> None:
        request.node.user_properties.append((MEASURED, (part, what, value, on)))

    return keep


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """A function that prints a request to the person at the terminal, past pytest's capture."""
    capture = request.config.pluginmanager.getplugin("capturemanager")

    def say(sentence: str) -> None:
        with capture.global_and_fixture_disabled():
            print(f"\n  → {sentence}", flush=True)

    return say


@pytest.fixture
def seat(request: pytest.FixtureRequest, on: str, tell: Callable[[str], None], tmp_path: Path) -> SeatBoard:
    if on == MODEL:
        return ModelSeatBoard(vm_program(), tmp_path)
    port = request.config.getoption("--seat-port")
    if port is None:
        pytest.skip("hardware: no seat board given (--seat-port)")
    return RealSeatBoard(Path(port), Person(tell))


@pytest.fixture
async def talk(seat: SeatBoard) -> AsyncIterator[Talk]:
    async with seat.talk() as talk:
        yield talk


@pytest.fixture
def lays(request: pytest.FixtureRequest, on: str, uid_bytes: int) -> None:
    """Have a card laid whose UID has `uid_bytes` bytes."""
    if on == REAL and uid_bytes not in request.config.getoption("--card"):
        pytest.skip(f"hardware: nobody lays a card of {uid_bytes} bytes (--card {uid_bytes})")


@pytest.fixture
def presses(request: pytest.FixtureRequest, on: str) -> None:
    """Have the board's button pressed."""
    if on == REAL and not request.config.getoption("--press"):
        pytest.skip("hardware: nobody presses the button (--press)")


@pytest.fixture
def reader(request: pytest.FixtureRequest, on: str, tell: Callable[[str], None]) -> Iterator[SpiReaderUnderTest]:
    place = request.config.getoption("--spi")
    if on == REAL and place is None:
        pytest.skip("hardware: no reader given (--spi)")
    if on == MODEL and place is not None:
        pytest.skip("hardware: a real reader is given, and its model would need the place of the real spidev")
    under_test = model_reader() if on == MODEL else real_reader(place, Person(tell))
    yield under_test
    under_test.reader.close()


@pytest.fixture
def i2c_reader(request: pytest.FixtureRequest, on: str, tell: Callable[[str], None]) -> Iterator[ReaderUnderTest]:
    place = request.config.getoption("--i2c-reader")
    if on == REAL and place is None:
        pytest.skip("hardware: no reader on I2C given (--i2c-reader)")
    with model_i2c_reader() if on == MODEL else real_i2c_reader(place, Person(tell)) as under_test:
        yield under_test


@pytest.fixture
async def at_key(request: pytest.FixtureRequest, on: str, tell: Callable[[str], None]) -> AsyncIterator[KeyUnderTest]:
    name = request.config.getoption("--controller")
    if on == REAL and name is None:
        pytest.skip("hardware: no button of a controller given (--controller)")
    with model_key() if on == MODEL else real_key(name, Person(tell).press) as under_test:
        yield under_test


@pytest.fixture
async def lamp(request: pytest.FixtureRequest, on: str) -> AsyncIterator[LampUnderTest]:
    name = request.config.getoption("--controller-lamp")
    if on == REAL and name is None:
        pytest.skip("hardware: no lamp of a controller given (--controller-lamp)")
    with model_lamp() if on == MODEL else lamp_of(LedDriver(), name) as under_test:
        yield under_test


@pytest.fixture
def display(request: pytest.FixtureRequest, on: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[DisplayUnderTest]:
    options = request.config.getoption("--i2c-display")
    if on == REAL and options is None:
        pytest.skip("hardware: no display given (--i2c-display)")
    with model_display(monkeypatch) if on == MODEL else display_at(options, monkeypatch) as under_test:
        yield under_test


@pytest.fixture
async def at_pin(request: pytest.FixtureRequest, on: str, tell: Callable[[str], None]) -> AsyncIterator[Listening]:
    bcm = request.config.getoption("--button")
    if on == REAL and bcm is None:
        pytest.skip("hardware: no button on a pin given (--button)")
    with model_button() if on == MODEL else real_button(bcm, Person(tell).press) as listening:
        yield listening
