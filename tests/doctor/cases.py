"""Cases of the doctor: each breaks one thing at a table, and lists all resulting findings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from taptable.doctor.computer import Ran
from taptable.memory.deck import Deck
from taptable.memory.deckfile import text_of

from doctor import breaking
from doctor.breaking import AUDIO, BOOT, both, change, chip, conversation, own, page_unit, remove, set_to, unit, write
from doctor.rig import MB, Bench, Spoil


@dataclass(frozen=True)
class ExpectedFinding:
    """A fault or a warning: its name, part and state, and patterns of the finding and of the advice."""

    name: str
    part: str
    state: str
    found: str
    todo: str


@dataclass(frozen=True)
class Case:
    """A case with its table; `says` are all faults and warnings, in their order."""

    spoil: Spoil
    says: Sequence[ExpectedFinding]
    look: Mapping[str, Any]


def case(spoil: Spoil, *says: ExpectedFinding, **look: Any) -> Case:
    """Make a case; `look` says at which table the doctor looks, and at which part of it (default: all of a full one,
    `findings`)."""
    return Case(spoil, says, look)


def fault(name: str, part: str, found: str, todo: str) -> ExpectedFinding:
    return ExpectedFinding(name, part, "fault", found, todo)


def warning(name: str, part: str, found: str, todo: str) -> ExpectedFinding:
    return ExpectedFinding(name, part, "warning", found, todo)


def _lost(talk: object) -> None:
    talk.outbox.lost = 7


def _damaged(talk: object) -> None:
    talk._lines.damaged = 3


def _deafen(bench: Bench) -> None:
    bench.table.stand_in("board").boards[2].deafen()


def _healed(bench: Bench) -> None:
    bench.table.stand_in("board").boards[2]._wrong = 1


_SYSTEM = (
    case(change(bits=32), fault("bits", "computer", "a 32-bit system", "Install the 64-bit Rasp")),
    case(
        write("/etc/os-release", 'PRETTY_NAME="Ubuntu 24.04"\nVERSION_CODENAME=noble\n'),
        warning(
            "release", "computer", "Ubuntu 24.04, on which taptable was never", "use Raspberry Pi OS bookworm or trixie"
        ),
    ),
    case(
        set_to(throttled="throttled=0x50005\n"),
        fault("supply", "computer", r"too low now \(0x50005\)", "Use a separate power supply"),
    ),
    case(
        set_to(throttled="throttled=0x50000\n"),
        warning("supply", "computer", r"too low since the start \(0x50000\)", "Use a separate power supply"),
    ),
    case(
        set_to(throttled="throttled=0x80000\n"),
        warning("supply", "computer", "slowed down by heat", "Improve its cooling"),
    ),
    case(
        breaking.user_of_its_own,
        warning("user", "computer", "the doctor runs as pi, but the table as taptable", "`sudo -u taptable`"),
        fault(
            *("spi", "discard pad", r"taptable may not use /dev/spidev0\.0: it belongs to the group spi"),
            "`sudo usermod -aG spi taptable`, then `sudo systemctl restart taptable`",
        ),
    ),
    case(
        unit(ActiveState="failed"),
        fault("service", "service", "taptable.service has failed", "`journalctl -u taptable -b` says why"),
    ),
    case(
        unit(UnitFileState="disabled"),
        warning("enabled", "service", "doesn't start at boot", "`sudo systemctl enable --now taptable`"),
    ),
    case(
        page_unit(ActiveState="failed", UnitFileState="disabled"),
        fault("service", "page", "taptable-page.service has failed", "`journalctl -u taptable-page -b` says why"),
        warning("enabled", "page", "doesn't start at boot", "`sudo systemctl enable --now taptable-page`"),
    ),
    case(
        page_unit(ActiveState="active"),
        fault("page", "page", r"taptable-page\.service runs, but nothing answers at port \d+", "`journalctl -u tap"),
    ),
    case(
        write("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io pids\n"),
        warning("limits", "page", "doesn't count memory", "`cgroup_enable=memory`"),
    ),
    case(unit(WatchdogUSec="0"), warning("watchdog", "service", "systemd doesn't notice", "Reinstall the package")),
)

_PINS = (
    case(
        lambda bench: bench.missing_modules.update({"lgpio", "spidev"}),
        fault("packages", "pins", "lgpio, spidev can't be imported", "Reinstall the package"),
    ),
    case(
        breaking.old_module_on_a_pi_5,
        fault("gpio-module", "pins", "can't use the pins of a Pi 5", "`pip uninstall RPi.GPIO`, then `pip"),
    ),
    case(
        remove("/dev/gpiochip0"),
        fault("gpio-device", "pins", "/dev/gpiochip0 isn't there", "Run the table on a Raspberry Pi with bookworm"),
    ),
    case(
        own("gpiochip0", 0),
        fault("gpio-device", "pins", "pi may not use /dev/gpiochip0", "Reinstall the package: its udev rules"),
    ),
    case(
        lambda bench: breaking.close_folder(bench, bench.root),
        fault("working-folder", "pins", "so lgpio can't work", "or name one in LG_WD"),
    ),
    case(
        breaking.no_factory,
        fault("pin-factory", "pins", "the pins can't be used: gpiozero finds", "Start taptable with GPIOZERO_PIN"),
    ),
    case(
        breaking.native_factory,
        warning(
            *("pin-factory", "pins", r"NativeFactory \(GPIOZERO_PIN_FACTORY is set to native\): .* 10 ms"),
            "Start taptable with GPIOZERO_PIN_FACTORY=lgpio",
        ),
    ),
    case(
        breaking.stick_button,
        fault("button", "button 2", r"closed at rest, at GPIO\d+ \(pin \d+\)", r"open at rest \(NO\)"),
    ),
    case(
        breaking.take_pin,
        fault("button", "button 2", r"GPIO\d+ \(pin \d+\) can't be opened: .*in use", r"`gpioinfo | grep -w GPIO\d+`"),
    ),
)

_BUSES = (
    case(
        both(remove("/dev/spidev0.0"), write(BOOT, "[all]\n#dtparam=spi=on\n")),
        fault(
            *("spi", "discard pad", r"/dev/spidev0\.0 isn't there"),
            r"^Add the line dtparam=spi=on to /boot/firmware/config\.txt, then `sudo reboot`\.$",
        ),
    ),
    case(
        remove("/dev/spidev0.0"),
        fault("spi", "discard pad", r"/dev/spidev0\.0 isn't there", "is there after a restart: `sudo reboot`"),
    ),
    case(
        both(remove("/dev/spidev1.0"), write(BOOT, "dtparam=spi=on\n[pi5]\ndtoverlay=spi1-3cs\n")),
        fault("spi", "pad 2", r"/dev/spidev1\.0 isn't there", "Add the line dtoverlay=spi1-1cs to"),
        compact=True,
    ),
    case(
        both(remove("/dev/spidev1.0"), write(BOOT, "dtparam=spi=on\n[pi4]\ndtoverlay=spi1-3cs,cs2_pin=16\n")),
        fault("spi", "pad 2", r"/dev/spidev1\.0 isn't there", "is there after a restart: `sudo reboot`"),
        compact=True,
    ),
    case(
        own("spidev0.0", AUDIO),
        fault("spi", "discard pad", f"belongs to the group {AUDIO}", f"`sudo usermod -aG {AUDIO} pi`, then log out"),
    ),
    case(
        both(remove("/dev/i2c-1"), write(BOOT, "dtparam=spi=on\ndtparam=i2c_arm_baudrate=400000\n")),
        fault("i2c", "oled", "/dev/i2c-1 isn't there", "Add the line dtparam=i2c_arm=on to"),
    ),
    case(remove("/dev/i2c-1"), fault("i2c", "oled", "/dev/i2c-1 isn't there", "`sudo modprobe i2c-dev`")),
    case(
        breaking.slow_i2c,
        warning("i2c-speed", "oled", "100 kHz: a whole picture takes 92 ms", "dtparam=i2c_arm_baudrate=400000 to"),
    ),
    case(
        lambda bench: bench.table.display.unplug(),
        fault("display", "oled", "nothing answers at 0x3C, nor anywhere", r"SDA to GPIO2 \(pin 3\), SCL to GPIO3"),
    ),
    case(
        breaking.move_display,
        fault("display", "oled", "nothing answers at 0x3C, but something answers at 0x3D", '"--i2c-address", "0x3D"'),
    ),
    case(
        breaking.move_display_and_bind_it,
        fault("display", "oled", "nothing answers at 0x3C, but something answers at 0x3D", '"--i2c-address", "0x3D"'),
    ),
    case(
        lambda bench: bench.table.around.i2c.stuck.add(1),
        fault("display", "oled", r"its bus can't be used: .*timed out", "the group buses"),
    ),
)

_WIRES = (
    r"3\.3 V, ground, SDA to GPIO7 \(pin 26\), SCK to GPIO11 \(pin 23\), MOSI to GPIO10 \(pin 19\),"
    r" MISO to GPIO9 \(pin 21\), RST to GPIO\d+ \(pin \d+\)"
)

_READERS = (
    case(
        chip("spi:0.1", is_present=False),
        fault("reader", "pad 1", "version register 0xFF: MISO stays high", _WIRES),
        compact=True,
    ),
    case(
        chip("spi:0.1", miso_stuck_at=0),
        fault("reader", "pad 1", "version register 0x00: MISO stays low", _WIRES),
        compact=True,
    ),
    case(
        both(chip("spi:0.0", miso_stuck_at=0), chip("spi:0.1", miso_stuck_at=0)),
        fault("reader", "discard pad", "MISO stays low", r"SDA to GPIO8 \(pin 24\)"),
        fault("reader", "pad 1", "MISO stays low", r"SDA to GPIO7 \(pin 26\)"),
        fault("shared-wires", "SPI bus 0", "all 2 readers of SPI bus 0", "SCK to .* unplug one reader"),
        compact=True,
    ),
    case(
        chip("spi:0.0", version=0x42),
        warning("reader", "discard pad", r"chip at spi:0\.0 \(version register 0x42\)", "If it reads cards well"),
    ),
    case(
        chip("spi:0.0", passes_self_test=False),
        warning("self-test", "discard pad", "it fails its self-test", "Some copies fail it"),
    ),
    case(
        chip("spi:0.0", miso_stuck_at=0x92),
        fault(
            "reader", "discard pad", "register 0x2A of the reader reads as 0x92, not 0x80", "wires, and shorten them"
        ),
    ),
    case(
        breaking.taken_reader,
        fault("reader", "discard pad", "No such file", "if another program uses the reader, stop it"),
    ),
)

_FLASH = "^Write this version's firmware to it: `taptable flash 2`.$"

_BOARDS = (
    case(
        breaking.unplug("sim2"),
        fault("usb", "board 2", "no USB serial port has the serial number of board sim2", "a cable that carries data"),
    ),
    case(
        both(breaking.unplug("sim2"), breaking.plug_in("0003", "E0C9125B0D9B")),
        fault("usb", "board 2", "no USB serial port has", "Copy MicroPython's .uf2 file .*`taptable flash 2`"),
        warning("bootsel", "USB", r"an RP2040 waits for MicroPython \(BOOTSEL\)", "`taptable flash`"),
    ),
    case(
        breaking.plug_in("0005", "e661aaaa"),
        warning("unnamed", "USB", "board e661aaaa is plugged in, but no pad uses it", 'pad = "board:e661aaaa"'),
    ),
    case(
        breaking.twin("sim2"),
        fault("usb", "board 2", "two boards have the serial number sim2", "Unplug one of them, and use another Pico"),
        fault("twins", "USB", "two boards have the serial number sim2", "Unplug one of them"),
    ),
    case(
        both(breaking.plug_in("0005", "e661aaaa"), breaking.twin("e661aaaa")),
        fault("twins", "USB", "two boards have the serial number e661aaaa", "can't distinguish two boards"),
    ),
    case(
        own("ttyACM1", AUDIO), fault("usb", "board 2", "pi may not use .*sim2-if00", f"`sudo usermod -aG {AUDIO} pi`")
    ),
    case(
        breaking.taken_port,
        fault("hello", "board 2", "can't be opened: .*exclusively lock", "Close the program that uses the port"),
    ),
    case(
        breaking.silence_board,
        fault("hello", "board 2", "it sends no hello$", "write the firmware to it: `taptable flash 2`"),
    ),
    case(
        breaking.say_only(b'Type "help()" for more information.\r\n>>> \r\n'),
        fault("hello", "board 2", "it sends no hello, but other text", "Unplug it and plug it in again"),
    ),
    case(
        breaking.say_only_hello(protocol=2), fault("hello", "board 2", "it uses version 2 of the wire, not 1", _FLASH)
    ),
    case(
        breaking.say_only_hello(board="sim7"),
        fault("hello", "board 2", "its hello names board sim7, not sim2", 'pad = "board:sim7"'),
    ),
    case(
        breaking.say_only_hello(),
        warning("health", "board 2", "it doesn't report its health", "`taptable flash 2`"),
        warning("clock", "board 2", "it answers no ping", "Unplug it for a moment"),
    ),
    case(
        conversation(lambda talk: talk._hello_fields.update(firmware="0.9.12")),
        fault("firmware", "board 2", r"firmware 0\.9\.12 is too old: the table needs .* or later", _FLASH),
    ),
    case(_deafen, fault("board-reader", "pad 2", "doesn't answer the board", "the wires between board and reader")),
    case(
        conversation(lambda talk: talk.health.update(misread=73501)),
        warning("counts", "pad 2", "misread looks: 73501", "Take everything off the pad"),
    ),
    case(
        _healed,
        warning(
            "counts", "pad 2", "wrong registers: 1, resets after which it read again: 0", "check its power and wires"
        ),
    ),
    case(
        conversation(lambda talk: talk.health.update(free=900)),
        warning("health", "board 2", "900 bytes of memory free", "Unplug it and plug it in again"),
    ),
    case(
        conversation(_lost),
        warning("health", "board 2", "no room for 7 events", "Run the table while you tap cards"),
    ),
    case(
        conversation(_damaged),
        warning("line", "board 2", "3 sentences were damaged", "a shorter cable or a better hub"),
    ),
)

_KEPT = (
    case(
        breaking.remove_deck,
        warning("deck", "deck", "no deck 'sample'", "on the page, or with `taptable deck enrol sample`"),
    ),
    case(
        breaking.put_deck("sample", "{"),
        fault("deck", "deck", "sample.json: line 1", "`taptable deck import FILE --name sample --force`"),
    ),
    case(
        breaking.put_deck("sample", text_of(Deck("sample", "chess", {"04000000000001": "pawn#1"}))),
        fault("deck", "deck", "deck sample is for chess, and the table plays online", "Name another deck in"),
    ),
    case(
        breaking.without_cards("cyber-patrol"),
        warning("deck", "deck", r"deck sample lacks \d cards: cyber-patrol#1, ", "`taptable deck enrol sample`"),
    ),
    case(
        breaking.without_controls("pause", "check"),
        warning("controls", "deck", "there is no control card for pause, check", "use the page"),
    ),
    case(
        breaking.put_deck("other", "{"),
        warning("other-decks", "other.json", "other.json: line 1", "or move it elsewhere"),
    ),
    case(breaking.damage_journal, fault("journal", "journal", "damaged", "Then `sqlite3 .* .recover` prints")),
    case(
        both(breaking.close_folder, breaking.read_only_disk),
        fault("folder", "journal", "its disk has become read-only", "Copy its files elsewhere, and replace the card"),
    ),
    case(
        breaking.close_folder,
        fault("folder", "journal", "isn't writable", "`sudo chown -R pi .*the card may be worn out"),
    ),
    case(set_to(free_bytes=120 * MB), warning("disk", "journal", "120 MB free", "Free some space: `sudo journalctl")),
    case(set_to(free_bytes=3 * MB), fault("disk", "journal", "3 MB free", "Free some space: `sudo")),
    case(
        breaking.take_page_port,
        fault("page", "page", r"port \d+ can't be used: Address already in use", "`sudo ss -ltnp"),
    ),
)


def open_to_phones(text: str) -> str:
    return re.sub(r"^\[page\]$", "[page]\nnetwork = true", text, flags=re.MULTILINE)


def with_a_voice(text: str) -> str:
    return f'{text}\n[speech]\ndevice = "plughw:CARD=Headphones"\n'


_for_phones = partial(case, groups=["page"], rewritten=open_to_phones)
_speaking = partial(case, groups=["speech"], rewritten=with_a_voice)
_NO_PCM = Ran(0, "ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM x\nerror: No such file\n")

_GUESTS = (
    _for_phones(
        change(addresses=lambda: ()),
        warning("network", "page", "this computer isn't connected to one", "docs/installing.md"),
    ),
    _for_phones(
        remove("/run/avahi-daemon/socket"), warning("name", "page", r"answers to living-room\.local", "avahi-daemon")
    ),
    _for_phones(breaking.damage_pairings, fault("pairings", "page", "is damaged", "Pair your devices again")),
    _speaking(
        set_to(voices=None), fault("voice", "speech", "there is no espeak-ng", "Install the package taptable-speech")
    ),
    _speaking(set_to(voices="Pty Language\n"), fault("voice", "speech", "no voice for de", "espeak-ng-data")),
    _speaking(remove("/dev/snd/pcmC0D0p"), fault("loudspeaker", "speech", "no sound output", "Connect a loudspeaker")),
    _speaking(own("pcmC0D0p", AUDIO), fault("loudspeaker", "speech", "pi may not use", "`sudo usermod -aG")),
    _speaking(
        set_to(spoke=_NO_PCM),
        fault("loudspeaker", "speech", "plughw:CARD=Headphones can't be used: Unknown PCM x", "`aplay -L`"),
    ),
    _speaking(set_to(spoke=None), fault("loudspeaker", "speech", "it doesn't end", "`aplay -L`")),
)

CASES = (*_SYSTEM, *_PINS, *_BUSES, *_READERS, *_BOARDS, *_KEPT, *_GUESTS)
