"""The parts of a table tried with somebody's help, over simulated pins, readers, boards, display and sounder."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from choosing import long_params
from table.rig import all_on_boards, run_in_given_time
from taptable.core.observations import DISCARD_PAD
from taptable.doctor import trial
from taptable.doctor.computer import Ran
from taptable.doctor.examination import LIVE, examine
from taptable.doctor.findings import Finding
from taptable.drivers.board.call import BoardCall
from taptable.memory.decks import Decks

from doctor.breaking import button_2
from doctor.documented import is_documented
from doctor.rig import Bench, powered_table

TAG = "04a1b2c3d4e5f6"
"""A card that is in no deck."""


class Helper:
    """Somebody who does as told: presses buttons, puts cards, and answers what is asked."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.told: list[str] = []
        self.questions: list[str] = []
        self.asked_at_s: list[float] = []
        self.buttons = [1, 2]
        self.pads: list[int | str] = [1, 2, DISCARD_PAD]
        self.laid: dict[int | str, str] = {}
        self.press: Callable[[int], None] = bench.table.press
        self.says_no_to = "nothing"
        self.lamps_lit: list[tuple[bool, ...]] = []
        self.patterns: set[str] = set()
        self.tones: set[float | None] = set()
        bench.table.stand_in("gpio").pins.on_tone = lambda _pin, tone_hz: self.tones.add(tone_hz)

    def tell(self, sentence: str) -> None:
        loop = asyncio.get_running_loop()
        self.told.append(sentence)
        if sentence.startswith("Press each"):
            for place, seat in enumerate(self.buttons, 1):
                loop.call_later(place, self._press, seat)
        elif sentence.startswith("Lay any card"):
            for place, pad in enumerate(self.pads, 1):
                loop.call_later(place, self.bench.table.put, TAG, pad)
                loop.call_later(place + 0.5, self.bench.table.lift, TAG, pad)
        elif sentence.startswith("Take the cards away"):
            for pad, tag in self.laid.items():
                self.bench.table.lift(tag, pad)
            self.laid.clear()
        elif sentence.startswith("Look at the rings"):
            self._watch()

    async def ask(self, question: str) -> bool | None:
        self.questions.append(question)
        self.asked_at_s.append(asyncio.get_running_loop().time())
        if question.startswith("Lay a card on each pad"):
            self.laid = {pad: f"{TAG[:-2]}{number:02x}" for number, pad in enumerate(self.pads)}
            for pad, tag in self.laid.items():
                self.bench.table.put(tag, pad)
        return not re.search(self.says_no_to, question)

    def _press(self, seat: int) -> None:
        self.lamps_lit.append((self.bench.table.is_lamp_lit(1), self.bench.table.is_lamp_lit(2)))
        self.press(seat)

    def _watch(self) -> None:
        self.patterns.add(self.bench.table.ring_pattern(1))
        if "paused" not in self.patterns:
            asyncio.get_running_loop().call_later(0.3, self._watch)


def tried(
    folder: Path,
    prepare: Callable[[Helper], None] = lambda _helper: None,
    *,
    compact: bool = False,
    on_boards: Callable[[str], str] = str,
    speech: bool = False,
) -> tuple[Helper, dict[tuple[str, str], Finding]]:
    """Return who helped, and the findings by check and part."""

    async def visit() -> tuple[Helper, list[Finding]]:
        def rewritten(text: str) -> str:
            return on_boards(text) + ("\n[speech]\n" if speech else "")

        with powered_table(folder, compact=compact, rewritten=rewritten) as bench:
            helper = Helper(bench)
            prepare(helper)
            patient = replace(bench.examined_table, somebody=helper)
            return helper, [finding async for _, finding in examine(patient, [LIVE])]

    helper, found = run_in_given_time(visit)
    return helper, {(finding.name, finding.part): finding for finding in found}


def buttons_to_boards(text: str) -> str:
    for seat in (1, 2):
        text = re.sub(
            r'button = "gpio:\d+"\nlamp = "gpio:\d+"',
            f'button = "board:sim{seat}"\nlamp = "board:sim{seat}"',
            text,
            count=1,
        )
    return text


def wrong(found: dict[tuple[str, str], Finding]) -> dict[tuple[str, str], Finding]:
    faults = {key: finding for key, finding in found.items() if finding.state in ("fault", "warning")}
    assert [finding for finding in faults.values() if not is_documented(finding)] == []
    return faults


@pytest.mark.parametrize(
    ("compact", "on_boards"),
    [(False, str), (False, buttons_to_boards), (False, all_on_boards), (True, str)],
    ids=["full", "buttons on boards", "all on boards", "compact"],
)
def test_with_somebody_who_follows_every_part_is_in_order(
    tmp_path: Path, compact: bool, on_boards: Callable[[str], str]
) -> None:
    helper, found = tried(tmp_path, compact=compact, on_boards=on_boards)
    assert wrong(found) == {}
    assert [part for (name, part) in found if name == "press"] == ["button 1", "button 2"]
    assert [part for (name, part) in found if name == "card"] == ["pad 1", "pad 2", "discard pad"]
    assert TAG in found["card", "pad 1"].found
    assert found["picture", "oled"].state == "ok"
    assert [sentence for sentence in helper.told if "pressed" in sentence][-2:] == [
        "  button 1: pressed",
        "  button 2: pressed",
    ]


def test_lamps_are_lit_until_their_button_was_pressed(tmp_path: Path) -> None:
    helper, _ = tried(tmp_path)
    assert helper.lamps_lit == [(True, True), (False, True)]


def test_rings_show_every_pattern_and_the_sounder_is_heard_though_it_is_muted(tmp_path: Path) -> None:
    def mute(helper: Helper) -> None:
        text = helper.bench.config.file.read_text(encoding="utf-8")
        helper.bench.config.file.write_text(text.replace("[sounder]", "[sounder]\nmute = true"), encoding="utf-8")

    helper, _ = tried(tmp_path, mute)
    assert {"window", "claim", "refused", "holding", "deaf", "paused"} <= helper.patterns
    assert len(helper.tones) > 3


def test_the_display_shows_a_frame_to_its_edge(tmp_path: Path) -> None:
    pictures: list[bytes] = []

    def look(helper: Helper) -> None:
        async def asked(question: str) -> bool:
            if "display" in question:
                picture = helper.bench.table.picture()
                pictures.append(bytes(picture.getpixel((x, y)) for x, y in ((0, 0), (127, 63), (64, 0), (1, 40))))
            return True

        helper.ask = asked

    tried(tmp_path, look)
    assert pictures == [bytes((255, 255, 255, 0))]


def test_a_button_that_nobody_hears_is_named_with_its_wires(tmp_path: Path) -> None:
    _, found = tried(tmp_path, lambda helper: helper.buttons.remove(2))
    assert set(wrong(found)) == {("press", "button 2")}
    assert found["press", "button 2"].found == "no press arrived"
    assert re.search(r"GPIO\d+ \(pin \d+\) to NO of the switch", found["press", "button 2"].todo)


def test_a_button_that_sticks_is_named(tmp_path: Path) -> None:
    def stick(helper: Helper) -> None:
        pins = helper.bench.table.stand_in("gpio").pins
        press, pin = helper.press, button_2(helper.bench)
        helper.press = lambda seat: pins.stick(pin) if seat == 2 else press(seat)

    _, found = tried(tmp_path, stick)
    assert set(wrong(found)) == {("press", "button 2")}
    assert "not released since" in found["press", "button 2"].found


def test_a_button_that_is_down_all_the_time_is_named(tmp_path: Path) -> None:
    def hold(helper: Helper) -> None:
        pins = helper.bench.table.stand_in("gpio").pins
        pins._bounce_s = lambda: 0.0
        pins.stick(button_2(helper.bench))
        helper.buttons.remove(2)

    _, found = tried(tmp_path, hold)
    assert set(wrong(found)) == {("press", "button 2")}
    assert "pressed since before" in found["press", "button 2"].found


def test_a_button_that_bounces_for_long_is_named(tmp_path: Path) -> None:
    def worn(helper: Helper) -> None:
        pins = helper.bench.table.stand_in("gpio").pins
        pins._bounce_s = lambda: 0.06

    _, found = tried(tmp_path, worn)
    assert set(wrong(found)) == {("press", "button 1"), ("press", "button 2")}
    assert found["press", "button 1"].state == "warning"
    assert re.search(r"bounces for [5-6]\d ms", found["press", "button 1"].found)


def test_what_is_missing_is_not_waited_for_for_ever_however_much_else_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "LONGEST_S", 40.0)

    def press_the_other_all_the_time(helper: Helper) -> None:
        helper.bench.table.stand_in("gpio").pins._bounce_s = lambda: 0.0
        helper.buttons = [2] * 39  # a second apart

    helper, found = tried(tmp_path, press_the_other_all_the_time)
    assert set(wrong(found)) == {("press", "button 1")}
    assert 40 <= helper.asked_at_s[0] < 41


@pytest.mark.parametrize("compact", [False, True], ids=["full", "compact"])
def test_a_pad_that_reads_no_card_is_named(tmp_path: Path, compact: bool) -> None:
    _, found = tried(tmp_path, lambda helper: helper.pads.remove(2), compact=compact)
    assert set(wrong(found)) == {("card", "pad 2")}


def test_a_discard_pad_without_its_board_is_named_with_the_reason(tmp_path: Path) -> None:
    def pull(helper: Helper) -> None:
        helper.bench.table.stand_in("board").boards[DISCARD_PAD].pull_out()
        helper.pads.remove(DISCARD_PAD)

    _, found = tried(tmp_path, pull, on_boards=all_on_boards)
    assert set(wrong(found)) == {("card", "discard pad")}
    assert "no card was read: no socket has the plug of board sim-discard" in found["card", "discard pad"].found


@pytest.mark.parametrize(
    ("question", "check", "part"),
    long_params(
        [
            ("lamp", "lamps", "lamps"),
            ("ring", "rings", "rings"),
            ("sounder", "tune", "sounder"),
            ("loudspeaker", "sentence", "speech"),
            ("display", "picture", "oled"),
        ]
    ),
)
def test_what_somebody_didnt_see_or_hear_is_a_fault(tmp_path: Path, question: str, check: str, part: str) -> None:
    def deny(helper: Helper) -> None:
        helper.says_no_to = question

    _, found = tried(tmp_path, deny, speech=True)
    assert set(wrong(found)) == {(check, part)}
    assert found[check, part].todo


def test_a_table_that_speaks_says_a_sentence(tmp_path: Path) -> None:
    helper, found = tried(tmp_path, speech=True)
    assert found["sentence", "speech"].state == "ok"
    ((*_, sentence),) = helper.bench.spoken
    assert sentence == "Wer am jüngsten ist, drückt den Knopf"


def test_a_loudspeaker_that_cant_be_had_is_a_fault(tmp_path: Path) -> None:
    def take(helper: Helper) -> None:
        helper.bench.spoke = Ran(0, "error: Device or resource busy\n")

    helper, found = tried(tmp_path, take, speech=True)
    assert set(wrong(found)) == {("sentence", "speech")}
    assert "Device or resource busy" in found["sentence", "speech"].found
    assert not any("loudspeaker" in question for question in helper.questions)


def test_a_display_that_takes_no_picture_is_a_fault(tmp_path: Path) -> None:
    _, found = tried(tmp_path, lambda helper: helper.bench.table.display.unplug())
    assert set(wrong(found)) == {("picture", "oled")}


def test_a_card_of_the_deck_is_called_by_its_name(tmp_path: Path) -> None:
    def of_the_deck(helper: Helper) -> None:
        deck = Decks(helper.bench.config.table.decks).deck("sample")
        uid = next(uid for uid, card in deck.cards.items() if card == "email#7")
        put = helper.bench.table.put
        helper.bench.table.put = lambda _uid, pad: put(uid, pad)
        lift = helper.bench.table.lift
        helper.bench.table.lift = lambda _uid, pad: lift(uid, pad)

    _, found = tried(tmp_path, of_the_deck)
    assert found["card", "discard pad"].found.endswith(", email#7")


def test_presses_are_not_reported_to_the_table_afterwards(tmp_path: Path) -> None:
    async def visit() -> tuple[int, int]:
        with powered_table(tmp_path, rewritten=buttons_to_boards) as bench:
            patient = replace(bench.examined_table, somebody=Helper(bench))
            async for _ in examine(patient, [LIVE]):
                pass
            call = BoardCall(
                "sim1", bench.drivers["board"].open_port, lambda: round(asyncio.get_running_loop().time() * 1_000_000)
            )
            await call.run()
            assert call.hello is not None
            return int(call.hello.fields["oldest"]), len(bench.table.stand_in("board").boards[1].actions)

    oldest, actions = run_in_given_time(visit)
    # a boot's events are counted from 100 001 on: a press, a release, a card that was read twice and went, and one that
    # was read twice; that it went, with all over, means nothing to a table that doesn't know of it
    assert (oldest, actions) == (100_008, 6)
