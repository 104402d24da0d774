"""Pads with readers on PC/SC: cards, readers that come and go, and pcscd that ends, restarts or refuses. The suite of
`driver_suite` has what all pads must do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from pcsc_bench import OTHER, PORT, SERIAL, PadBench, with_pads
from taptable.core.device_events import PartFailed, TagCame, TagUnreadable
from taptable.drivers.interface import ClosedPart, SystemRule
from taptable.drivers.pcsc.driver import PcscDriver
from taptable.drivers.pcsc.pad import SETTLING_US, UNCERTAINTY_US
from taptable.drivers.pcsc.winscard import PNP, NoLibrary, PcscCode, PcscError, PcscLite
from taptable.drivers.pcsc.winscard_model import (
    ACR122U_KIND,
    ACR1252U_KIND,
    BEEPS,
    POLL_S,
    UTRUST_KIND,
    PcscModel,
    PcscReaderModel,
    ReaderKind,
)
from taptable.testing.bench import KNOWN, STRANGE
from taptable.testing.bench import OTHER as SECOND

TEN_BYTES = "04a2b3c4d5e680aabbcc"
LONGEST_S = POLL_S[1]


# --- cards ---


def test_a_tap_is_stamped_when_it_is_known_and_within_half_a_second(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        for delay_s in (0.0, 0.03, 0.11, 0.2):
            await asyncio.sleep(delay_s)
            put_us, before = bench.bench.now_us(), len(bench.at(1))
            bench.put(KNOWN)
            await asyncio.sleep(LONGEST_S + 0.01)
            (came,) = bench.at(1)[before:]
            assert isinstance(came, TagCame)
            assert 0 <= came.at_us - put_us <= LONGEST_S * 1_000_000
            assert came.at_us - put_us <= came.uncertainty_us == UNCERTAINTY_US
            bench.lift(KNOWN)
            await asyncio.sleep(1)

    with_pads(tmp_path, test)


@pytest.mark.parametrize("uid", [STRANGE, KNOWN, TEN_BYTES])
def test_numbers_of_4_7_and_10_bytes(tmp_path: Path, uid: str) -> None:
    async def test(bench: PadBench) -> None:
        bench.put(uid)
        await asyncio.sleep(1)
        bench.lift(uid)
        await asyncio.sleep(1)
        assert bench.said(1) == [f"+{uid}", f"-{uid}"]

    with_pads(tmp_path, test)


@pytest.mark.parametrize(
    "answer",
    ["6300", "6a81", "", "90", "9000", "0102039000", "010203040506070809100a0b9000"],
    ids=lambda answer: answer or "nothing",
)
def test_an_answer_that_is_no_number_is_an_unreadable_card(tmp_path: Path, answer: str) -> None:
    async def test(bench: PadBench) -> None:
        bench.reader(1).answers[KNOWN] = bytes.fromhex(answer)
        bench.put(KNOWN)
        await asyncio.sleep(5)
        assert bench.said(1) == ["?"]
        bench.reader(1).answers.clear()
        await asyncio.sleep(1)
        assert bench.said(1) == ["?", f"+{KNOWN}"]

    with_pads(tmp_path, test)


def test_a_card_that_cannot_be_connected_is_reported_each_time_it_comes(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        bench.reader(1).unreadable.add(KNOWN)
        for _ in range(2):
            bench.put(KNOWN)
            await asyncio.sleep(5)
            bench.lift(KNOWN)
            await asyncio.sleep(2)
        assert bench.said(1) == ["?", "?"]
        assert bench.bench.opened.health[1].unread == 2
        assert bench.parts == []
        bench.put(SECOND)
        await asyncio.sleep(1)
        assert bench.said(1)[2:] == [f"+{SECOND}"]

    with_pads(tmp_path, test)


def test_an_unknown_number_that_differs_at_the_second_read_is_none(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        numbers = iter(["5a0102f4", "5a0102f5"])

        def change() -> None:
            if number := next(numbers, ""):
                bench.reader(1).answers[STRANGE] = bytes.fromhex(number) + b"\x90\x00"
            else:
                bench.reader(1).answers.clear()

        bench.model.before_transmit = change
        bench.put(STRANGE)
        await asyncio.sleep(2)
        assert bench.said(1) == [f"+{STRANGE}"]

    with_pads(tmp_path, test)


def test_a_card_that_goes_while_it_is_read_has_never_been_there(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        bench.model.before_transmit = lambda: bench.lift(KNOWN)
        bench.put(KNOWN)
        await asyncio.sleep(3)
        assert bench.said(1) == []
        assert bench.bench.opened.health[1].misread == 0
        bench.model.before_transmit = lambda: None
        bench.put(KNOWN)
        await asyncio.sleep(1)
        assert bench.said(1) == [f"+{KNOWN}"]

    with_pads(tmp_path, test)


def test_a_card_that_a_look_missed_has_not_gone(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        reader = bench.reader(1)
        bench.put(KNOWN)
        await asyncio.sleep(1)
        reader.interval_s = 0.25
        for at_once, said in ((0.26, []), (0.6, [f"-{KNOWN}", f"+{KNOWN}"])):
            before = len(bench.at(1))
            bench.lift(KNOWN)
            await asyncio.sleep(at_once)
            bench.put(KNOWN)
            await asyncio.sleep(1)
            assert bench.said(1)[before:] == said

    with_pads(tmp_path, test)


@pytest.mark.parametrize(
    ("for_s", "uid", "said"),
    [
        (1.0, KNOWN, [f"-{KNOWN}", f"+{KNOWN}"]),
        (0.1, KNOWN, []),
        (1.0, SECOND, [f"-{KNOWN}", f"+{SECOND}"]),
        (0.1, SECOND, [f"+{SECOND}", f"-{KNOWN}"]),
    ],
)
def test_what_happened_between_two_waits_is_told_by_the_counter(
    tmp_path: Path, for_s: float, uid: str, said: list[str]
) -> None:
    """Meanwhile the card at another pad is read."""

    async def test(bench: PadBench) -> None:
        reader = bench.reader(1)

        def exchange() -> None:
            bench.model.before_transmit = lambda: None
            for cards in ([], [uid]):
                reader.cards[:] = cards
                reader.poll()
            bench.bench.stall(for_s)

        bench.put(KNOWN)
        await asyncio.sleep(1)
        before, bench.model.before_transmit = len(bench.at(1)), exchange
        bench.put(SECOND if uid == KNOWN else STRANGE, 2)
        await asyncio.sleep(for_s + 1)
        assert bench.said(1)[before:] == said

    with_pads(tmp_path, test)


def test_of_two_cards_it_sees_the_first_and_then_the_other(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        bench.put(KNOWN)
        bench.put(SECOND)
        await asyncio.sleep(2)
        assert bench.said(1) == [f"+{KNOWN}"]
        bench.lift(KNOWN)
        await asyncio.sleep(2)
        assert sorted(bench.said(1)[1:]) == [f"+{SECOND}", f"-{KNOWN}"]

    with_pads(tmp_path, test)


def test_a_card_on_a_reader_that_has_just_begun_lay_there_before(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        bench.put(KNOWN)
        bench.bench.opened.open()
        await asyncio.sleep(SETTLING_US / 1_000_000 + 0.1)
        bench.put(SECOND, 2)
        await asyncio.sleep(1)
        assert (bench.said(1), bench.said(2)) == ([f"={KNOWN}"], [f"+{SECOND}"])

    with_pads(tmp_path, test, opened=False, settle=False)


# --- readers ---


def test_a_reader_comes_back_under_another_name(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        names = set[str]()
        for pad, missing in ((1, f"no reader {PORT} is plugged in"), (2, f"no reader {SERIAL} is plugged in")):
            before = len(bench.parts)
            names.update(bench.reader(pad).names)
            bench.put(KNOWN, pad)
            await asyncio.sleep(1)
            bench.stand_in.deafen(pad, True)
            await asyncio.sleep(0.1)
            assert bench.parts[before:] == [(f"pad {pad}", missing)]
            await asyncio.sleep(5)
            bench.stand_in.deafen(pad, False)
            await asyncio.sleep(2)
            assert bench.parts[before:] == [(f"pad {pad}", missing), (f"pad {pad}", "")]
            assert names.isdisjoint(bench.reader(pad).names)
            assert bench.said(pad) == [f"+{KNOWN}", f"-{KNOWN}", f"={KNOWN}"]

    with_pads(tmp_path, test)


def test_two_readers_exchange_their_names_and_keep_their_pads(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        one, other = bench.reader(2), bench.reader("discard")
        for reader in (one, other):
            bench.stand_in.pull_out(reader)
        for reader in (other, one):
            bench.stand_in.plug_in(reader)
        numbers = {reader.serial: reader.names[0][-5:] for reader in (one, other)}
        one.names = [one.names[0][:-5] + numbers[other.serial]]
        other.names = [other.names[0][:-5] + numbers[one.serial]]
        bench.model.touch(one)
        await asyncio.sleep(3)
        bench.put(KNOWN, 2)
        bench.put(SECOND, "discard")
        await asyncio.sleep(1)
        assert (bench.said(2), bench.said("discard")) == ([f"+{KNOWN}"], [f"+{SECOND}"])

    with_pads(tmp_path, test)


def test_another_reader_takes_a_name_before_anybody_has_looked(tmp_path: Path) -> None:
    """Without a notice that readers have come and gone, as from a pcscd before 2.3.0."""

    async def test(bench: PadBench) -> None:
        ours, stranger = bench.reader(2), PcscReaderModel(UTRUST_KIND, "2-9", "53692026009999", 0.3)
        bench.put(KNOWN, 2)
        await asyncio.sleep(1)
        names = ours.names
        bench.stand_in.pull_out(ours)
        bench.stand_in.plug_in(stranger)
        stranger.names = names
        stranger.cards.append(SECOND)
        await asyncio.sleep(5)
        assert bench.said(2) == [f"+{KNOWN}", f"-{KNOWN}"]
        assert bench.parts == [("pad 2", f"no reader {SERIAL} is plugged in")]

    with_pads(tmp_path, test)


def test_a_reader_that_pcscd_cannot_talk_to(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        reader = bench.reader(1)
        reader.is_stuck = True
        bench.model.touch(reader)
        await asyncio.sleep(5)
        ((part, reason),) = bench.parts
        assert part == "pad 1"
        assert "can't be asked who it is: reader unavailable" in reason
        reader.is_stuck = False
        bench.model.touch(reader)
        await asyncio.sleep(2)
        assert bench.parts[1:] == [("pad 1", "")]

    with_pads(tmp_path, test)


def test_another_program_has_a_reader_for_itself(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        reader = bench.reader(1)
        bench.put(KNOWN)
        await asyncio.sleep(1)
        reader.is_taken = True
        bench.model.touch(reader)
        await asyncio.sleep(5)
        assert bench.parts == [("pad 1", "another program has its reader for itself")]
        reader.is_taken = False
        bench.model.touch(reader)
        await asyncio.sleep(3)
        assert bench.parts[1:] == [("pad 1", "")]
        assert bench.said(1) == [f"+{KNOWN}", f"-{KNOWN}", f"={KNOWN}"]

    with_pads(tmp_path, test)


def test_two_readers_with_one_serial_number_are_named_by_their_ports(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        twin = PcscReaderModel(UTRUST_KIND, "1-1.4", SERIAL, 0.3)
        bench.stand_in.plug_in(twin)
        await asyncio.sleep(2)
        port = bench.reader(2).port
        ((part, reason),) = bench.parts
        assert part == "pad 2"
        assert reason.startswith(f"2 readers are called {SERIAL}: name it by its USB port instead")
        assert f'"pcsc:{port}"' in reason
        assert '"pcsc:1-1.4"' in reason
        found = {str(each.address): each.serial for each in bench.found()}
        assert found == {f"pcsc:{PORT}": "", f"pcsc:{port}": "", f"pcsc:{OTHER}": OTHER, "pcsc:1-1.4": ""}
        bench.stand_in.pull_out(twin)
        await asyncio.sleep(2)
        assert bench.parts[1:] == [("pad 2", "")]

    with_pads(tmp_path, test)


def test_a_port_means_the_reader_there_even_if_that_has_a_serial_number(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        bench.stand_in.pull_out(bench.reader(1))
        other = PcscReaderModel(UTRUST_KIND, PORT, "53692026009999", 0.3)
        bench.stand_in.plug_in(other)
        await asyncio.sleep(3)
        other.cards.append(KNOWN)
        bench.model.schedule_poll(other)
        await asyncio.sleep(1)
        assert bench.said(1) == [f"+{KNOWN}"]

    with_pads(tmp_path, test)


def test_two_pads_can_t_have_one_reader(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        bench.stand_in.pull_out(bench.reader(1))
        bench.stand_in.pull_out(bench.reader(2))
        bench.stand_in.plug_in(PcscReaderModel(UTRUST_KIND, PORT, SERIAL, 0.3))
        await asyncio.sleep(3)
        assert bench.parts[-1] == ("pad 1", "")
        await asyncio.sleep(1)
        failed = [event.reason for _, event in bench.bench.reports if isinstance(event, PartFailed)]
        assert len(failed) == 2
        assert "pad 2" in bench.bench.failed

    with_pads(tmp_path, test)


def test_more_slots_than_pcscd_can_have(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        bench.stand_in.pull_out(bench.reader(2))
        for number in range(7):
            bench.stand_in.plug_in(PcscReaderModel(ACR1252U_KIND, f"3-{number + 1}", "", 0.3))
        bench.stand_in.plug_in(bench.reader(2))
        bench.model.readers.append(bench.model.readers.pop(bench.model.readers.index(bench.reader(2))))
        await asyncio.sleep(3)
        assert ("pad 2", "") not in bench.parts
        bench.stand_in.pull_out(bench.reader("discard"))
        await asyncio.sleep(3)
        assert bench.parts[-1] == (
            "discard pad",
            f"no reader {OTHER} is plugged in; 16 slots are in use, and pcscd before 2.5.0 has no more than 16",
        )

    with_pads(tmp_path, test)


@pytest.mark.parametrize("opens_at_once", [True, False])
def test_a_reader_that_comes_after_the_table_has_started(tmp_path: Path, opens_at_once: bool) -> None:
    """pcscd may take a moment until it has its readers, and nobody has to be told."""

    async def test(bench: PadBench) -> None:
        bench.stand_in.deafen(1, True)
        bench.bench.opened.open()
        await asyncio.sleep(1.0 if opens_at_once else 4.0)
        bench.stand_in.deafen(1, False)
        await asyncio.sleep(2)
        expected = [] if opens_at_once else [("pad 1", f"no reader {PORT} is plugged in"), ("pad 1", "")]
        assert bench.parts == expected

    with_pads(tmp_path, test, opened=False, settle=False)


# --- pcscd ---


def no_library(bench: PadBench) -> None:
    bench.model.has_library = False


def no_service(bench: PadBench) -> None:
    bench.model.is_running = False


def of_other_version(bench: PadBench) -> None:
    bench.model.is_of_other_version = True


def refuses(bench: PadBench) -> None:
    bench.model.refuses = True


def drops(bench: PadBench) -> None:
    bench.model.drops = True


def refuses_cards(bench: PadBench) -> None:
    bench.model.refuses_cards = True


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (no_library, "the library of PC/SC isn't installed"),
        (no_service, "the service pcscd isn't running"),
        (
            of_other_version,
            "pcscd and its library have different versions: one of them runs since before an upgrade",
        ),
        (refuses, "pcscd refuses the table: polkit doesn't let its user use readers"),
        (drops, "pcscd refuses the table: polkit doesn't let its user use readers"),
        (refuses_cards, "pcscd refuses the table: polkit doesn't let its user use readers"),
    ],
)
def test_pcscd_that_cannot_be_used_has_its_own_sentence(
    tmp_path: Path, spoil: Callable[[PadBench], None], reason: str
) -> None:
    async def test(bench: PadBench) -> None:
        spoil(bench)
        bench.bench.opened.open()
        await asyncio.sleep(30)
        pads = ("pad 1", "pad 2", "discard pad")
        assert bench.parts == [(pad, reason) for pad in pads]
        assert list(bench.found()) == []
        bench.model.has_library = bench.model.is_running = True
        bench.model.refuses = bench.model.refuses_cards = bench.model.drops = bench.model.is_of_other_version = False
        await asyncio.sleep(6)
        assert bench.parts[3:] == [(pad, "") for pad in pads]
        bench.put(KNOWN)
        await asyncio.sleep(1)
        assert bench.said(1) == [f"+{KNOWN}"]

    with_pads(tmp_path, test, opened=False, settle=False)


@pytest.mark.parametrize("code", [PcscCode.NO_SERVICE, PcscCode.SERVICE_STOPPED, PcscCode.COMM_ERROR])
@pytest.mark.parametrize("for_s", [0.0, 20.0])
def test_pcscd_ends_and_runs_again(
    tmp_path: Path, code: PcscCode, for_s: float, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(bench: PadBench) -> None:
        bench.put(KNOWN, 2)
        await asyncio.sleep(1)
        names = [bench.reader(pad).names for pad in (1, 2)]
        bench.model.lost = code
        with caplog.at_level(logging.WARNING):
            bench.model.stop()
            await asyncio.sleep(for_s)
            bench.model.start()
            await asyncio.sleep(6)
        (said,) = [record.getMessage() for record in caplog.records]
        assert said == f"Service of card readers lost: {PcscError(code)}. The table tries again"
        pads = ("pad 1", "pad 2", "discard pad")
        assert [part for part, _ in bench.parts] == [*pads, *pads]
        assert [reason.startswith("pcscd has ended (") for _, reason in bench.parts] == [True] * 3 + [False] * 3
        assert names != [bench.reader(pad).names for pad in (1, 2)]
        assert bench.said(2) == [f"+{KNOWN}", f"-{KNOWN}", f"={KNOWN}"]
        bench.put(SECOND)
        await asyncio.sleep(1)
        assert bench.said(1) == [f"+{SECOND}"]

    with_pads(tmp_path, test)


def test_pcscd_ends_while_a_card_is_read(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        def end() -> None:
            bench.model.before_transmit = lambda: None
            bench.model.stop()

        bench.model.before_transmit = end
        bench.put(KNOWN)
        await asyncio.sleep(2)
        assert [part for part, _ in bench.parts] == ["pad 1", "pad 2", "discard pad"]
        bench.model.start()
        await asyncio.sleep(6)
        assert bench.said(1) == [f"={KNOWN}"]

    with_pads(tmp_path, test)


def test_it_waits_longer_each_time_until_pcscd_is_tried_again(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        tried: list[float] = []
        establish = bench.model.establish_context

        def count() -> int:
            tried.append(bench.bench.loop.time())
            return establish()

        bench.model.establish_context = count
        bench.model.stop()
        await asyncio.sleep(60)
        gaps = [round(after - before, 2) for before, after in pairwise(tried)]
        assert gaps[:5] == [0.5, 1.0, 2.0, 4.0, 4.0]
        assert len(tried) < 20

    with_pads(tmp_path, test)


def test_an_idle_table_asks_pcscd_once_a_second(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        before, rounds = bench.model.calls, bench.bench.opened.progress["the readers on PC/SC"]()
        await asyncio.sleep(60)
        assert bench.model.calls - before <= 125  # the model's wait asks at its beginning and at its end
        after = bench.bench.opened.progress["the readers on PC/SC"]()
        assert rounds is not None
        assert after is not None
        assert 50 <= after - rounds <= 61

    with_pads(tmp_path, test)


# --- beeps ---


def test_the_beeps_of_an_acr1252u_are_switched_off_once_and_its_lights_stay(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        reader = bench.reader(1)
        assert reader.kind is ACR1252U_KIND
        assert reader.behaviour == BEEPS & ~0x08
        reader.behaviour = 0x07
        bench.stand_in.deafen(1, True)
        bench.stand_in.deafen(1, False)
        await asyncio.sleep(3)
        assert reader.behaviour == 0x07

    with_pads(tmp_path, test)


def test_a_reader_whose_driver_takes_no_commands_works_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(bench: PadBench) -> None:
        bench.reader(1).takes_escapes = False
        with caplog.at_level(logging.INFO):
            bench.bench.opened.open()
            await asyncio.sleep(3)
        assert [record.getMessage() for record in caplog.records] == [
            f"Beeps of a reader can't be switched off (ACR1252U at USB port {PORT}): unsupported feature (0x8010001F)"
        ]
        bench.put(KNOWN)
        await asyncio.sleep(1)
        assert bench.said(1) == [f"+{KNOWN}"]
        assert bench.reader(1).behaviour == BEEPS

    with_pads(tmp_path, test, opened=False, settle=False)


@pytest.mark.parametrize("takes_escapes", [True, False])
def test_an_acr122u_is_silenced_at_once_or_with_its_first_card(tmp_path: Path, takes_escapes: bool) -> None:
    async def test(bench: PadBench) -> None:
        bench.stand_in.pull_out(bench.reader(1))
        reader = PcscReaderModel(ACR122U_KIND, PORT, "", 0.3, takes_escapes=takes_escapes)
        bench.stand_in.plug_in(reader)
        await asyncio.sleep(3)
        assert reader.is_quiet is takes_escapes
        reader.cards.append(KNOWN)
        bench.model.schedule_poll(reader)
        await asyncio.sleep(1)
        assert reader.is_quiet
        assert bench.said(1) == [f"+{KNOWN}"]

    with_pads(tmp_path, test)


# --- finding ---


def found_beside(tmp_path: Path, *readers: PcscReaderModel) -> list[tuple[str, str]]:
    """Plug readers in, and return the addresses and labels of what is found beside the table's own."""
    found: list[tuple[str, str]] = []

    async def test(bench: PadBench) -> None:
        own = {str(part.address) for part in bench.found()}
        for reader in readers:
            bench.stand_in.plug_in(reader)
        for part in bench.found():
            if str(part.address) not in own:
                found.append((str(part.address), part.label))

    with_pads(tmp_path, test, settle=False)
    return found


def test_what_is_found(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        port = bench.reader(2).port
        found = {str(each.address): each for each in bench.found()}
        assert found[f"pcsc:{PORT}"].label == f"ACR1252U at USB port {PORT}"
        assert found[f"pcsc:{SERIAL}"].label == f"uTrust 3700 F at USB port {port}, serial number {SERIAL}"
        assert (found[f"pcsc:{SERIAL}"].product, found[f"pcsc:{SERIAL}"].serial) == ("04e6:5790", SERIAL)
        assert (found[f"pcsc:{PORT}"].product, found[f"pcsc:{PORT}"].serial) == ("072f:223b", "")
        assert len(found) == 3

    with_pads(tmp_path, test)


@pytest.mark.parametrize(
    ("serial", "address"),
    [
        ("SN 12/34 ä", "SN-12-34"),
        ("1-1.3", "1-1.9"),
        ("  ", "1-1.9"),
        ("00000000", "1-1.9"),
        ("\u2603", "1-1.9"),
        ("A" * 100, "A" * 64),
    ],
    ids=["odd characters", "like a port", "blank", "none", "nothing of it", "long"],
)
def test_serial_numbers_that_an_address_can_t_have(tmp_path: Path, serial: str, address: str) -> None:
    found = found_beside(tmp_path, PcscReaderModel(UTRUST_KIND, "1-1.9", serial, 0.3))
    assert [name for name, _ in found] == [f"pcsc:{address}"]
    assert PcscDriver().accepts_name(address)


TWO_IN_ONE = ReaderKind(
    "04e6:5724", "Dual", ("Identiv uTrust 4701 F [Contact Reader]", "Identiv uTrust 4701 F [CL Reader]")
)
VIRTUAL = ReaderKind("", "", ("Virtual PCD",))


def test_of_two_slots_the_contactless_one_is_used(tmp_path: Path) -> None:
    async def test(bench: PadBench) -> None:
        bench.stand_in.pull_out(bench.reader(1))
        reader = PcscReaderModel(TWO_IN_ONE, PORT, "", 0.3, contactless=1)
        bench.stand_in.plug_in(reader)
        await asyncio.sleep(3)
        reader.cards.append(KNOWN)
        bench.model.schedule_poll(reader)
        await asyncio.sleep(1)
        assert bench.said(1) == [f"+{KNOWN}"]
        assert [str(each.address) for each in bench.found()].count(f"pcsc:{PORT}") == 1

    with_pads(tmp_path, test)


def test_readers_that_are_no_usb_devices_are_called_by_their_names(tmp_path: Path) -> None:
    one, *others = [PcscReaderModel(VIRTUAL, "", "", 0.3) for _ in range(3)]
    assert found_beside(tmp_path, one) == [("pcsc:Virtual-PCD", "Virtual-PCD")]
    assert found_beside(tmp_path, *others) == []


# --- the library itself ---


def test_without_the_library() -> None:
    with pytest.raises(NoLibrary, match=r"libnowhere\.so"):
        PcscLite("libnowhere.so.1").establish_context()


def test_the_library_without_pcscd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PCSCLITE_CSOCK_NAME", str(tmp_path / "pcscd.comm"))
    calls = PcscLite()
    try:
        with pytest.raises(PcscError) as raised:
            calls.establish_context()
    except NoLibrary:
        pytest.skip("libpcsclite.so.1 isn't installed")
    assert raised.value.code == PcscCode.NO_SERVICE
    for call in (
        lambda: calls.list_readers(1),
        lambda: calls.get_status_change(1, 10, [(PNP, 0)]),
        lambda: calls.connect(1, "reader", 2),
        lambda: calls.transmit(1, 1, b"\xff\xca\0\0\0"),
        lambda: calls.control(1, 1, b""),
        lambda: calls.get_attrib(1, 1),
        lambda: calls.disconnect(1),
        lambda: calls.cancel(1),
        lambda: calls.release_context(1),
    ):
        with pytest.raises(PcscError) as raised:
            call()
        assert raised.value.code == PcscCode.INVALID_HANDLE


def test_codes_are_spelled() -> None:
    assert str(PcscError(PcscCode.NO_SERVICE)) == "no service (0x8010001D)"
    assert str(PcscError(0x80100001)) == "error (0x80100001)"
    assert TagUnreadable(0, 1).pad == 1


def test_that_polkit_closes_the_readers_is_no_missing_library_and_no_service_that_ended() -> None:
    loop = asyncio.new_event_loop()
    model = PcscModel(loop, Random(0))
    driver = PcscDriver(model)
    assert driver.find_closed() == []
    model.refuses = True
    assert driver.find_closed() == [ClosedPart("the readers that pcscd has", SystemRule.READERS)]
    model.is_running = False
    assert driver.find_closed() == []
    model.has_library = False
    assert driver.find_closed() == []
    loop.close()
