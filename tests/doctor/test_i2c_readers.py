"""The doctor at a table whose pads are on I2C: each trap of such a table is named, with what to do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from table.rig import on_i2c, run_in_given_time
from taptable.doctor.findings import Finding
from taptable.doctor.site import ExaminedTable
from taptable.drivers.i2c.bus import SharedBus
from taptable.drivers.registry import module_of
from taptable.sim.i2c_bus import ReaderModel, SwitchModel

from doctor.breaking import AUDIO, BOOT, own, remove, write
from doctor.rig import Bench, Spoil, findings, leave_intact, powered_table

GROUPS = ("config", "buses", "readers", "display")
WHERE = "1.0x70"


def at(pad: str, place: str) -> Callable[[str], str]:
    """The table with this pad at another place: the text of `pad` is that of its channel."""
    return lambda text: on_i2c(text).replace(f'"i2c:1.0x70/{pad}"', f'"i2c:{place}"')


def looked(folder: Path, spoil: Spoil = leave_intact, rewritten: Callable[[str], str] = on_i2c) -> list[Finding]:
    return findings(folder, spoil, groups=GROUPS, rewritten=rewritten)


def wrong(found: list[Finding]) -> list[tuple[str, str, str]]:
    return [(each.name, each.part, each.state) for each in found if each.state in ("fault", "warning")]


def readers(bench: Bench, channel: int) -> dict[int, object]:
    """What is behind a channel of the switch."""
    return bench.table.stand_in("i2c").switches[1, 0x70].channels[channel]


def test_nothing_is_wrong_with_a_table_in_order_and_every_reader_is_named(tmp_path: Path) -> None:
    benches: list[Bench] = []
    found = looked(tmp_path, benches.append)
    assert wrong(found) == []
    says = {(each.name, each.part): each.found for each in found}
    assert says["reader", "pad 2"] == "WS1850S, a copy with the same registers on I²C bus 1, switch 0x70, channel 2"
    assert says["lead", "discard pad"] == "200 of 200 reads of one register were right"
    assert says["i2c-speed", "I²C bus 1"] == "the readers' bus runs at 100 kHz"
    assert says["i2c-speed", "oled"].startswith(
        "the display's bus runs at 100 kHz: a whole picture takes 92 ms, not 23,"
    )
    assert not any(field.is_on for field in benches[0].table.fields.values())
    other = SharedBus(1)
    with benches[0].table.powered():
        other.open("test")  # nothing holds the bus any more
    other.drop()


def leave_channel(bench: Bench) -> None:
    readers(bench, 1).clear()


def move_to_channel_5(bench: Bench) -> None:
    readers(bench, 5).update(readers(bench, 1))
    readers(bench, 1).clear()


def move_to_0x2c(bench: Bench) -> None:
    readers(bench, 1)[0x2C] = readers(bench, 1).pop(0x28)


def silence_switch(bench: Bench) -> None:
    bench.table.stand_in("i2c").switches[1, 0x70].hangs = True


def move_switch(bench: Bench) -> None:
    bus = bench.table.around.i2c[1]
    bus[0x74] = bus.pop(0x70)


def plug_in_front(bench: Bench) -> None:
    bench.table.around.i2c[1][0x28] = readers(bench, 5).get(0x28) or ReaderModel(bench.table.stand_in("i2c").chips[1])


def stick_line(bench: Bench) -> None:
    bench.table.around.i2c.stuck.add(1)


def chip(**facts: object) -> Spoil:
    def spoil(bench: Bench) -> None:
        for name, value in facts.items():
            setattr(bench.table.stand_in("i2c").chips[1], name, value)
        bench.table.stand_in("i2c").chips[1].reset()

    return spoil


def bad_lead(bench: Bench) -> None:
    """Every fourth read of the version register is lost while the lead is tried."""
    model = readers(bench, 1)[0x28]
    read, count = model.read, 0

    def flaky(length: int) -> bytes:
        nonlocal count
        count += model._register == 0x37
        return b"\x17" if model._register == 0x37 and count > 10 and count % 4 == 0 else read(length)

    model.read = flaky


def hold_bus(bench: Bench) -> None:
    bus = SharedBus(1)
    bus.open("another")
    bench.taken.append(type("Held", (), {"close": lambda _self: bus.drop()})())


def hide_switch(bench: Bench) -> None:
    class Memory(SwitchModel):
        def read(self, count: int) -> bytes:
            return bytes([0x55]) * count

    bench.table.around.i2c[1][0x70] = Memory()


LEAD = "Use a shorter lead, away from other wires. If that doesn't help, replace the reader."
CASES: dict[str, tuple[Spoil, list[tuple[str, str, str]], str, str]] = {
    "empty channel": (
        leave_channel,
        [("reader", "pad 1", "fault")],
        r"^nothing answers at 0x28 \(Remote I/O error\)$",
        r"^The switch answers: check the lead in its channel 1, and the reader's plug\.$",
    ),
    "wrong channel": (
        move_to_channel_5,
        [("reader", "pad 1", "fault")],
        "^nothing answers at 0x28",
        r'^No pad has the reader at "i2c:1\.0x70/5": if it is this one, write that address in table\.toml\.$',
    ),
    "wrong address": (
        move_to_0x2c,
        [("reader", "pad 1", "fault")],
        "^nothing answers at 0x28",
        r'^No pad has the reader at "i2c:1\.0x70/1\.0x2c": if it is this one',
    ),
    "silent switch": (
        silence_switch,
        [("switch", "i2c:1.0x70", "fault")],
        "^it doesn't answer$",
        "^Check its lead, its power and its address jumpers.$",
    ),
    "switch at another address": (
        move_switch,
        [("switch", "i2c:1.0x70", "fault")],
        "^it doesn't answer$",
        "^A switch answers at 0x74: change its address jumpers, or the addresses in table.toml.$",
    ),
    "no switch": (
        hide_switch,
        [("reader", part, "fault") for part in ("discard pad", "pad 1", "pad 2")],
        "^i2c:1.0x70: the switch reads as 0x55 after 0x00 was written: is it a TCA9548A",
        LEAD,
    ),
    "reader in front of the switch": (
        plug_in_front,
        [("reader", part, "fault") for part in ("discard pad", "pad 1", "pad 2")],
        "^a part on the bus itself answers at 0x28 together with it$",
        "^Plug that part into a channel of the switch, too.$",
    ),
    "unknown chip": (
        chip(version=0x42),
        [("reader", "pad 1", "warning")],
        r"^an unknown chip on I²C bus 1, switch 0x70, channel 1 \(version register 0x42\)$",
        "^If it reads cards well, ignore this. Otherwise another device may be at this address.$",
    ),
    "no reader at this address": (
        chip(version=0xFF),
        [("reader", "pad 1", "fault")],
        r"^no reader answers \(version register 0xFF\)$",
        "^Another device is at this address: unplug it, or give it another address.$",
    ),
    "register": (
        lambda bench: bench.table.stand_in("i2c").chips[1].stick_register(0x26, 0x78),
        [("reader", "pad 1", "fault")],
        "register 0x26 of the reader reads as 0x78, not 0x48$",
        LEAD,
    ),
    "bad lead": (
        bad_lead,
        [("lead", "pad 1", "fault")],
        r"^\d+ of 200 reads of one register were wrong$",
        "^Use shorter leads, away from other wires; check its plugs, and the speed of the bus",
    ),
    "no bus": (
        remove("/dev/i2c-1"),
        [("i2c", "oled", "fault"), ("i2c", "discard pad", "fault")],
        "^/dev/i2c-1 isn't there$",
        "^It is switched on in config.txt; its driver isn't loaded: `sudo modprobe i2c-dev`, or `sudo reboot`.$",
    ),
    "closed bus": (
        own("i2c-1", AUDIO),
        [("i2c", "oled", "fault"), ("i2c", "discard pad", "fault")],
        f"^pi may not use /dev/i2c-1: it belongs to the group {AUDIO}$",
        f"^`sudo usermod -aG {AUDIO} pi`, then",
    ),
    "used bus": (
        hold_bus,
        [("reader", "I²C bus 1", "fault")],
        "^another program uses the readers on I²C bus 1$",
        "^See the finding i2c above; stop the other program, if any.$",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_trap_is_named_with_what_to_do(case: str, tmp_path: Path) -> None:
    spoil, states, found, todo = CASES[case]
    seen = looked(tmp_path, spoil)
    assert sorted(wrong(seen)) == sorted(states)
    first = next(each for each in seen if each.state in ("fault", "warning"))
    assert re.search(found, first.found), first.found
    assert re.search(todo, first.todo), first.todo


def test_a_bus_that_hangs_is_one_finding_and_the_last_part_that_was_unplugged_did_it(tmp_path: Path) -> None:
    seen = looked(tmp_path, stick_line)
    assert ("reader", "I²C bus 1", "fault") in wrong(seen)
    hangs = next(each for each in seen if each.part == "I²C bus 1" and each.state == "fault")
    assert hangs.found.startswith("I²C bus 1 hangs (Connection timed out): a part holds a line low")
    assert "the display too: the last one held the line" in hangs.todo


def test_behind_a_silent_switch_no_pad_is_examined(tmp_path: Path) -> None:
    seen = looked(tmp_path, silence_switch)
    skipped = {each.part: each.found for each in seen if each.name == "reader" and "switch" in each.found}
    assert set(skipped) == {"discard pad", "pad 1", "pad 2"}
    assert set(skipped.values()) == {
        "i2c:1.0x70: the switch doesn't answer: check its lead, its power and its address jumpers"
    }


@pytest.mark.parametrize(
    ("configured", "advice"),
    [
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n", "Add the line dtparam=i2c_arm_baudrate=100000 to"),
        (
            "dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=100000\n",
            "It is switched on in config.txt, so it is there after",
        ),
    ],
)
def test_a_bus_that_is_too_fast_for_long_leads_is_a_warning(configured: str, advice: str, tmp_path: Path) -> None:
    def speed_up(bench: Bench) -> None:
        write(BOOT, configured)(bench)
        bench.file("/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency").write_bytes((400_000).to_bytes(4))

    seen = looked(tmp_path, speed_up)
    assert wrong(seen) == [("i2c-speed", "I²C bus 1", "warning")]
    fast = next(each for each in seen if each.state == "warning")
    assert fast.found == "the readers' bus runs at 400 kHz, and leads of 1 m need 100"
    assert fast.todo.startswith(advice)


def test_a_reader_on_the_bus_itself_at_another_address_than_its_pad_has(tmp_path: Path) -> None:
    def move(bench: Bench) -> None:
        bus = bench.table.around.i2c[1]
        bus[0x2C] = bus.pop(0x28)

    def rewritten(text: str) -> str:
        text = at("1", "1.0x28")(text).replace('"i2c:1.0x70/2"', '"spi:0.1"')
        return text.replace('"i2c:1.0x70/0"', '"spi:0.0"')

    seen = looked(tmp_path, move, rewritten)
    assert wrong(seen) == [("reader", "pad 1", "fault")]
    assert 'No pad has the reader at "i2c:1.0x2c"' in next(each for each in seen if each.state == "fault").todo


def test_a_missing_reader_on_the_bus_itself_is_looked_for_at_its_lead_and_its_address(tmp_path: Path) -> None:
    def unplug(bench: Bench) -> None:
        bench.table.deafen(1)

    seen = looked(tmp_path, unplug, lambda toml: at("1", "1.0x2c")(toml))
    (fault,) = [each for each in seen if each.state == "fault"]
    assert fault.todo == (
        "Check its lead and its plugs, and its address: 0x28 or 0x2c, printed on it or set by a jumper."
    )


def test_an_adapter_that_is_not_plugged_in(tmp_path: Path) -> None:
    seen = looked(tmp_path, remove("/dev/i2c-5"), at("1", "5.0x28"))
    assert wrong(seen) == [("i2c", "pad 1", "fault")]
    assert next(each for each in seen if each.state == "fault").todo.startswith("Plug its adapter in; or, on a Pi,")
    speed = next(each for each in seen if each.part == "I²C bus 5")
    assert (speed.state, speed.found) == ("skipped", "its speed isn't known")


def test_while_the_table_runs_no_reader_is_touched(tmp_path: Path) -> None:
    async def visit() -> list[Finding]:
        with powered_table(tmp_path, rewritten=on_i2c) as bench:
            site = ExaminedTable(bench.computer, bench.drivers, bench.config, "process 812")
            module = module_of(bench.drivers["i2c"], "doctor")
            assert module is not None
            before = [chip.transfers for chip in bench.table.stand_in("i2c").chips.values()]
            found = list(module.DOCTOR(bench.drivers["i2c"]).examine_readers(site))
            assert [chip.transfers for chip in bench.table.stand_in("i2c").chips.values()] == before
            await asyncio.sleep(0)
            return found

    assert [(each.part, each.found) for each in run_in_given_time(visit)] == [
        (part, "in use by process 812") for part in ("discard pad", "pad 1", "pad 2")
    ]
