"""Our drivers pass the suite that every driver must pass."""

from __future__ import annotations

from taptable.testing.drivers import DriverSuite, table_toml

BOARDS = ("board:one", "board:two")
SOUNDER = '[sounder]\npin = "gpio:12"\n[power]\nbutton = "gpio:21"\n'


class TestBoard(DriverSuite):
    kind = "board"
    refused = ("", "a b", "x" * 33, "a/b")

    text = table_toml(BOARDS, BOARDS, BOARDS, "board:three")


class TestBoardBesidePins(DriverSuite):
    kind = "board"

    text = table_toml(pads=["board:one", "spi:0.0"], buttons=["board:one", "gpio:4"], discard="board:three")


class TestSpi(DriverSuite):
    kind = "spi"
    refused = ("", "0", "0.2", "2.0", "0.0.0", "a.b")

    text = table_toml(pads=["spi:0.1", "spi:1.0"], discard="spi:0.0")


class TestI2c(DriverSuite):
    kind = "i2c"
    refused = (
        "",
        "1",
        "1.28",
        "01.0x28",
        "100.0x28",
        "1.0x02",
        "1.0x78",
        "1.0x70/8",
        "1.0x6f/0",
        "1.0x70/0.0x71",
        "1.0x28/0",
    )

    text = table_toml(
        pads=["i2c:1.0x70/1", "i2c:1.0x71/7"],
        discard="i2c:1.0x70/0",
        more='[scoreboard]\noptions = ["--display", "sh1106", "--interface", "i2c"]\n',
    )


class TestI2cOnTwoBuses(DriverSuite):
    kind = "i2c"

    text = table_toml(pads=["i2c:1.0x28", "i2c:3.0x28"], discard="i2c:3.0x70/0.0x2c")


class TestGpio(DriverSuite):
    kind = "gpio"
    refused = ("", "1", "28", "GPIO17", "017", "-4")

    text = table_toml(buttons=["gpio:4", "gpio:17"], lamps=["gpio:13", "gpio:16"], more=SOUNDER)


class TestOled(DriverSuite):
    kind = "oled"
    refused = ("0x3C", "ssd1309")

    text = table_toml(more='[scoreboard]\noptions = ["--display", "ssd1309", "--interface", "i2c"]\n')


class TestInput(DriverSuite):
    """Two domes of one Buzz! set."""

    kind = "input"
    refused = (
        "",
        "1-1/",
        "1-1.3",
        "1-1.3/buzz1",
        "1-1.3/0x120",
        "1-1.3/0x01d0",
        "1-1.3/0x300",
        "01-1/BTN_TOP",
        "usb1/BTN_TOP",
    )

    text = table_toml(buttons=["input:1-1.3/BTN_TRIGGER_HAPPY1", "input:1-1.3/BTN_TRIGGER_HAPPY6"])


class TestInputOfEncoders(DriverSuite):
    """Two encoders, whose contacts bounce, with a key that has no name."""

    kind = "input"

    text = table_toml(buttons=["input:1-1.3/BTN_TRIGGER", "input:1-1.4/0x12d"])


class TestLed(DriverSuite):
    kind = "led"
    refused = ("", "1-1/", "1-1.3", "1-1.3/buzz 1", "1-1.3/..", "1-1.3/a/b", "x/buzz1")

    text = table_toml(lamps=["led:1-1.3/buzz1", "led:1-1.3/buzz2"])


class TestPcsc(DriverSuite):
    """Boxed readers: one at a USB port, with two slots, and two by their serial numbers."""

    kind = "pcsc"
    refused = ("", "a b", "-1", "1/2", "x" * 65)
    look_s = 0.5

    text = table_toml(pads=["pcsc:1-1.1", "pcsc:53692026001101"], discard="pcsc:53692026001100")
