"""One thing after another that can be missing or broken at a table, and all that the doctor then says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from taptable.memory.deck import Deck
from taptable.memory.deckfile import text_of

from doctor import breaking
from doctor.breaking import AUDIO, BOOT, both, change, chip, conversation, own, page_unit, remove, throttle, unit, write
from doctor.rig import MB, Bench, Spoil

__all__ = ["CASES", "Case", "Said"]


@dataclass(frozen=True)
class Said:
    """A fault or a warning: its name, its part and its state, and patterns of what was found and what is to be done."""

    name: str
    part: str
    state: str
    found: str
    todo: str


@dataclass(frozen=True)
class Case:
    """`says`: every fault and warning, in their order."""

    title: str
    spoil: Spoil
    says: Sequence[Said]
    compact: bool = False


def fault(name: str, part: str, found: str, todo: str) -> Said:
    return Said(name, part, "fault", found, todo)


def warning(name: str, part: str, found: str, todo: str) -> Said:
    return Said(name, part, "warning", found, todo)


def _lost(talk: object) -> None:
    talk.outbox.lost = 7


def _damaged(talk: object) -> None:
    talk._lines.damaged = 3


def _deafen(bench: Bench) -> None:
    bench.table.boards[2].deafen()


_SYSTEM = (
    Case("a 32-bit system", change(bits=32), [fault("bits", "computer", "a 32-bit system", "Put the 64-bit Rasp")]),
    Case(
        "a system nobody has tried",
        write("/etc/os-release", 'PRETTY_NAME="Ubuntu 24.04"\nVERSION_CODENAME=noble\n'),
        [warning("release", "computer", "Ubuntu 24.04, on which nobody", "take Raspberry Pi OS bookworm or trixie")],
    ),
    Case(
        "too low a voltage now",
        throttle("throttled=0x50005\n"),
        [fault("supply", "computer", r"too low now \(0x50005\)", "Give the Pi a supply of its own")],
    ),
    Case(
        "too low a voltage since the start",
        throttle("throttled=0x50000\n"),
        [warning("supply", "computer", r"too low since the start \(0x50000\)", "Give the Pi a supply of its own")],
    ),
    Case(
        "heat",
        throttle("throttled=0x80000\n"),
        [warning("supply", "computer", "slowed down by heat", "Give it air")],
    ),
    Case(
        "a service with a user of its own who isn't in a group, asked by somebody else",
        breaking.user_of_its_own,
        [
            warning("user", "computer", "asked by pi, but the table runs as taptable", "`sudo -u taptable`"),
            fault(
                *("spi", "discard pad", r"/dev/spidev0\.0 is closed to taptable: it belongs to the group spi"),
                "`sudo usermod -aG spi taptable`, then `sudo systemctl restart taptable`",
            ),
        ],
    ),
    Case(
        "a service that has failed",
        unit(ActiveState="failed"),
        [fault("service", "service", "taptable.service has failed", "`journalctl -u taptable -b` says why")],
    ),
    Case(
        "a service that doesn't start with the Pi",
        unit(UnitFileState="disabled"),
        [warning("enabled", "service", "doesn't start with the Pi", "`sudo systemctl enable --now taptable`")],
    ),
    Case(
        "a page's service that has failed and doesn't start with the Pi",
        page_unit(ActiveState="failed", UnitFileState="disabled"),
        [
            fault("service", "page", "taptable-page.service has failed", "`journalctl -u taptable-page -b` says why"),
            warning("enabled", "page", "doesn't start with the Pi", "`sudo systemctl enable --now taptable-page`"),
        ],
    ),
    Case(
        "a page's service at whose port nobody answers",
        page_unit(ActiveState="active"),
        [fault("page", "page", r"taptable-page\.service runs, and nobody answers at port \d+", "`journalctl -u tap")],
    ),
    Case(
        "a kernel that keeps no account of memory",
        write("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io pids\n"),
        [warning("limits", "page", "keeps no account of memory", "`cgroup_enable=memory`")],
    ),
    Case(
        "a service that nobody watches",
        unit(WatchdogUSec="0"),
        [warning("watchdog", "service", "systemd doesn't watch", "Run scripts/install again")],
    ),
)

_PINS = (
    Case(
        "missing packages",
        lambda bench: bench.missing_modules.update({"lgpio", "spidev"}),
        [fault("packages", "pins", "lgpio, spidev can't be imported", "Run scripts/install again")],
    ),
    Case(
        "the old RPi.GPIO on a Pi 5",
        breaking.old_module_on_a_pi_5,
        [fault("gpio-module", "pins", "can't reach the pins of a Pi 5", "`pip uninstall RPi.GPIO`, then `pip")],
    ),
    Case(
        "no pins",
        remove("/dev/gpiochip0"),
        [fault("gpio-device", "pins", "/dev/gpiochip0 isn't there", "Run the table on a Raspberry Pi, its system")],
    ),
    Case(
        "pins that no udev rule opens",
        own("gpiochip0", 0),
        [fault("gpio-device", "pins", "/dev/gpiochip0 is closed to pi", "Run scripts/install again: its udev rules")],
    ),
    Case(
        "a working folder that can't be written to",
        lambda bench: breaking.close_folder(bench, bench.root),
        [fault("working-folder", "pins", "so lgpio can't be used", "or name one in LG_WD")],
    ),
    Case(
        "no way to the pins",
        breaking.no_factory,
        [fault("pin-factory", "pins", "no way to the pins: gpiozero finds", "Start taptable with GPIOZERO_PIN")],
    ),
    Case(
        "a way to the pins without the kernel's times",
        breaking.native_factory,
        [
            warning(
                *("pin-factory", "pins", r"NativeFactory \(GPIOZERO_PIN_FACTORY is set to native\): .* 10 ms"),
                "Start taptable with GPIOZERO_PIN_FACTORY=lgpio",
            )
        ],
    ),
    Case(
        "a button that is down",
        breaking.stick_button,
        [fault("button", "button 2", r"down at rest, at GPIO\d+ \(pin \d+\)", r"open at rest \(NO\)")],
    ),
    Case(
        "a pin that somebody has",
        breaking.take_pin,
        [fault("button", "button 2", r"GPIO\d+ \(pin \d+\) can't be had: .*in use", r"`gpioinfo | grep -w GPIO\d+`")],
    ),
)

_BUSES = (
    Case(
        "SPI not switched on",
        both(remove("/dev/spidev0.0"), write(BOOT, "[all]\n#dtparam=spi=on\n")),
        [
            fault(
                *("spi", "discard pad", r"/dev/spidev0\.0 isn't there"),
                r"^Add the line dtparam=spi=on to /boot/firmware/config\.txt, then `sudo reboot`\.$",
            )
        ],
    ),
    Case(
        "SPI switched on, and not started anew",
        remove("/dev/spidev0.0"),
        [fault("spi", "discard pad", r"/dev/spidev0\.0 isn't there", "comes with the next start: `sudo reboot`")],
    ),
    Case(
        "SPI bus 1 switched on for other models only",
        both(remove("/dev/spidev1.0"), write(BOOT, "dtparam=spi=on\n[pi5]\ndtoverlay=spi1-3cs\n")),
        [fault("spi", "pad 2", r"/dev/spidev1\.0 isn't there", "Add the line dtoverlay=spi1-1cs to")],
        compact=True,
    ),
    Case(
        "SPI bus 1 switched on for this model, with lines to spare, and not started anew",
        both(remove("/dev/spidev1.0"), write(BOOT, "dtparam=spi=on\n[pi4]\ndtoverlay=spi1-3cs,cs2_pin=16\n")),
        [fault("spi", "pad 2", r"/dev/spidev1\.0 isn't there", "comes with the next start: `sudo reboot`")],
        compact=True,
    ),
    Case(
        "a closed reader",
        own("spidev0.0", AUDIO),
        [fault("spi", "discard pad", f"belongs to the group {AUDIO}", f"`sudo usermod -aG {AUDIO} pi`, then log out")],
    ),
    Case(
        "I2C not switched on",
        both(remove("/dev/i2c-1"), write(BOOT, "dtparam=spi=on\ndtparam=i2c_arm_baudrate=400000\n")),
        [fault("i2c", "oled", "/dev/i2c-1 isn't there", "Add the line dtparam=i2c_arm=on to")],
    ),
    Case(
        "I2C switched on, without its driver",
        remove("/dev/i2c-1"),
        [fault("i2c", "oled", "/dev/i2c-1 isn't there", "`sudo modprobe i2c-dev`")],
    ),
    Case(
        "a slow I2C",
        breaking.slow_i2c,
        [warning("i2c-speed", "oled", "100 kHz: a whole picture takes 92 ms", "dtparam=i2c_arm_baudrate=400000 to")],
    ),
    Case(
        "no display",
        lambda bench: bench.table.display.unplug(),
        [fault("display", "oled", "nothing answers at 0x3C, nor anywhere", r"SDA to GPIO2 \(pin 3\), SCL to GPIO3")],
    ),
    Case(
        "a display at another address",
        breaking.move_display,
        [fault("display", "oled", "nothing answers at 0x3C, but something does at 0x3D", '"--i2c-address", "0x3D"')],
    ),
)

_WIRES = (
    r"3\.3 V, ground, SDA to GPIO7 \(pin 26\), SCK to GPIO11 \(pin 23\), MOSI to GPIO10 \(pin 19\),"
    r" MISO to GPIO9 \(pin 21\), RST to GPIO\d+ \(pin \d+\)"
)

_READERS = (
    Case(
        "a reader that isn't connected",
        chip("spi:0.1", alive=False),
        [fault("reader", "pad 1", "version register 0xFF: MISO stays high", _WIRES)],
        compact=True,
    ),
    Case(
        "a reader whose MISO is held low",
        chip("spi:0.1", held=0),
        [fault("reader", "pad 1", "version register 0x00: MISO stays low", _WIRES)],
        compact=True,
    ),
    Case(
        "all readers of a bus silent",
        both(chip("spi:0.0", held=0), chip("spi:0.1", held=0)),
        [
            fault("reader", "discard pad", "MISO stays low", r"SDA to GPIO8 \(pin 24\)"),
            fault("reader", "pad 1", "MISO stays low", r"SDA to GPIO7 \(pin 26\)"),
            fault("shared-wires", "SPI bus 0", "all 2 readers of SPI bus 0", "SCK to .* unplug one reader"),
        ],
        compact=True,
    ),
    Case(
        "an unknown chip",
        chip("spi:0.0", version=0x42),
        [warning("reader", "discard pad", r"chip at spi:0\.0 \(version register 0x42\)", "If cards are read well")],
    ),
    Case(
        "a chip that fails its self-test",
        chip("spi:0.0", sound=False),
        [warning("self-test", "discard pad", "it fails its self-test", "Some copies do")],
    ),
    Case(
        "MISO held by something that looks like a chip",
        chip("spi:0.0", held=0x92),
        [
            warning("self-test", "discard pad", "it fails its self-test", "Some copies do"),
            fault("field", "discard pad", "it can't look for cards: .*92 92 92", "shorten them to 30 cm: SDA to"),
        ],
    ),
    Case(
        "a reader that can't be opened",
        breaking.taken_reader,
        [fault("reader", "discard pad", "No such file", "if another program has the reader, stop that")],
    ),
)

_FLASH = "^Put the firmware of this version on it: `taptable flash 2`.$"

_BOARDS = (
    Case(
        "a board that isn't plugged in",
        breaking.unplug("sim2"),
        [fault("usb", "board 2", "no USB serial port says that it is board sim2", "a cable that carries data")],
    ),
    Case(
        "a board without firmware",
        both(breaking.unplug("sim2"), breaking.plug_in("0003", "E0C9125B0D9B")),
        [
            fault("usb", "board 2", "no USB serial port says", "Copy MicroPython's .uf2 file .*`taptable flash 2`"),
            warning("bootsel", "USB", r"an RP2040 waits for MicroPython \(BOOTSEL\)", "`taptable flash`"),
        ],
    ),
    Case(
        "a board that no seat has",
        breaking.plug_in("0005", "e661aaaa"),
        [warning("unnamed", "USB", "board e661aaaa is plugged in, and no seat has it", 'pad = "board:e661aaaa"')],
    ),
    Case(
        "a closed board",
        own("ttyACM1", AUDIO),
        [fault("usb", "board 2", "sim2-if00 is closed to pi", f"`sudo usermod -aG {AUDIO} pi`")],
    ),
    Case(
        "a board whose port another program has",
        breaking.taken_port,
        [fault("hello", "board 2", "can't be opened: .*exclusively lock", "Close whatever has the port")],
    ),
    Case(
        "a board that says nothing",
        breaking.silence_board,
        [fault("hello", "board 2", "it says no hello$", "put the firmware on it: `taptable flash 2`")],
    ),
    Case(
        "a board at Python's prompt",
        breaking.say_only(b'Type "help()" for more information.\r\n>>> \r\n'),
        [fault("hello", "board 2", "it says no hello but other text", "Unplug it and plug it in again")],
    ),
    Case(
        "a board that speaks another version of the wire",
        breaking.say_only_hello(protocol=2),
        [fault("hello", "board 2", "it speaks version 2 of the wire, not 1", _FLASH)],
    ),
    Case(
        "a board that calls itself something else",
        breaking.say_only_hello(board="sim7"),
        [fault("hello", "board 2", "it calls itself board sim7, not sim2", 'pad = "board:sim7"')],
    ),
    Case(
        "a board that says hello and no more",
        breaking.say_only_hello(),
        [
            warning("health", "board 2", "it doesn't say how it is", "`taptable flash 2`"),
            warning("clock", "board 2", "it answers no ping", "Unplug it for a moment"),
        ],
    ),
    Case(
        "firmware that is too old",
        conversation(lambda talk: talk._about.update(firmware="0.9.12")),
        [fault("firmware", "board 2", r"firmware 0\.9\.12 is too old: the table takes .* or later", _FLASH)],
    ),
    Case(
        "a deaf reader on a board",
        _deafen,
        [fault("board-reader", "pad 2", "doesn't answer the board", "the wires between board and reader")],
    ),
    Case(
        "a board short of memory",
        conversation(lambda talk: talk.health.update(free=900)),
        [warning("health", "board 2", "900 bytes of memory free", "Unplug it and plug it in again")],
    ),
    Case(
        "a board that lost events",
        conversation(_lost),
        [warning("health", "board 2", "no room for 7 events", "Let the table run while cards are tapped")],
    ),
    Case(
        "a bad cable",
        conversation(_damaged),
        [warning("line", "board 2", "3 sentences came to harm", "a shorter cable or a better hub")],
    ),
)

_KEPT = (
    Case(
        "no deck",
        breaking.remove_deck,
        [warning("deck", "deck", "no deck 'sample'", "at the page, or by `taptable deck enrol sample`")],
    ),
    Case(
        "a damaged deck",
        breaking.put_deck("sample", "{"),
        [fault("deck", "deck", "sample.json: line 1", "`taptable deck import FILE --name sample --force`")],
    ),
    Case(
        "another game's deck",
        breaking.put_deck("sample", text_of(Deck("sample", "chess", {"04000000000001": "pawn#1"}))),
        [fault("deck", "deck", "deck sample is for chess, and the table plays online", "Name another deck in")],
    ),
    Case(
        "missing cards",
        breaking.without_cards("cyber-patrol"),
        [warning("deck", "deck", r"deck sample lacks \d cards: cyber-patrol#1, ", "`taptable deck enrol sample`")],
    ),
    Case(
        "missing control cards",
        breaking.without_controls("pause", "check"),
        [warning("controls", "deck", "no control card for pause, check", "the page can do the same")],
    ),
    Case(
        "a damaged deck beside",
        breaking.put_deck("other", "{"),
        [warning("other-decks", "other.json", "other.json: line 1", "or move it elsewhere")],
    ),
    Case(
        "a damaged journal",
        breaking.damage_journal,
        [fault("journal", "journal", "damaged", "Then `sqlite3 .* .recover` prints")],
    ),
    Case(
        "a folder that can't be written to",
        breaking.close_folder,
        [fault("folder", "journal", "can't be written to", "`sudo chown -R pi .*the card may be worn out")],
    ),
    Case(
        "little room",
        breaking.free_bytes(120 * MB),
        [warning("disk", "journal", "120 MB free", "Make room: `sudo journalctl")],
    ),
    Case("no room", breaking.free_bytes(3 * MB), [fault("disk", "journal", "3 MB free", "Make room: `sudo")]),
    Case(
        "a port that somebody has",
        breaking.take_page_port,
        [fault("page", "page", r"port \d+ can't be had: Address already in use", "`sudo ss -ltnp")],
    ),
)

CASES = (*_SYSTEM, *_PINS, *_BUSES, *_READERS, *_BOARDS, *_KEPT)
