"""The assignment of seats over simulated parts, in given time: what lights up, what is plugged in meanwhile, what the
display shows, and a disk that takes nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from table.rig import a_table, all_on_boards
from taptable.api.errors import RequestError
from taptable.api.facts import PartFacts
from taptable.config import Config, load_config
from taptable.config.parts_file import text_of
from taptable.core.game_options import GameOptions
from taptable.cues.scene import Refusal, Scene, render
from taptable.cues.text import TEXT, ScreenStyle, layout_text, load_icons
from taptable.daemon.assigning import Asked
from taptable.daemon.game_options import check_game
from taptable.daemon.seat_assignment import LOOK_S, SeatAssignment
from taptable.daemon.without_game import TableWithoutGame
from taptable.sim.setting_up import set_up
from taptable.sim.table import SimulatedTable
from taptable.words import LANGUAGES, Words

UID = "04c0ffee04c0ff"
SETTLED_S = 1.0
ASKS = ("ask-reader", "ask-button", "ask-middle", "ask-nothing")
REPLIES = (
    *("two-at-once", "taken-by-seat", "taken-by-middle", "button-first", "reader-first", "middle-first", "lies-there"),
    *(
        "board-has-reader",
        "two-seats",
        "middle-needed",
        "nothing-asked",
        "at-beginning",
        "lacks-readers",
        "lacks-buttons",
    ),
)


@dataclass
class Maker:
    """Somebody at the parts of a table, whose seats are being assigned."""

    hardware: SimulatedTable
    config: Config
    assignment: SeatAssignment
    ended: asyncio.Event

    async def card(self, pad: int | str) -> None:
        """Lay a card on the pad for a while."""
        self.hardware.put(UID, pad)
        await asyncio.sleep(SETTLED_S)
        self.hardware.lift(UID, pad)
        await asyncio.sleep(SETTLED_S)

    async def press(self, pad: int | str) -> None:
        """Press the button there."""
        self.hardware.press(pad, 0.1)
        await asyncio.sleep(SETTLED_S)

    @property
    def parts(self) -> dict[str, PartFacts]:
        """The parts by their addresses."""
        return {part.address: part for part in self.assignment.facts.parts}


@asynccontextmanager
async def assigning(folder: Path, seats: int = 2, build: str = "") -> AsyncGenerator[Maker]:
    """A table with all parts on seat boards, or of a build, before its seats are assigned."""
    if build:
        file = set_up(folder, "online", GameOptions(2, "de", {}, None), "en", build=build, seats=seats).file
        text = file.read_text(encoding="utf-8")
    else:
        file = a_table(folder, 2, seats=seats).file
        text = all_on_boards(file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8")
    hardware = SimulatedTable(load_config(file, check_game))
    file.write_text(re.sub(r"\[\[seats\]\]\n(\w+ = .*\n)+|\[discard\]\n(\w+ = .*\n)+", "", text), encoding="utf-8")
    config = load_config(file, check_game)
    assert config.seats == ()
    with hardware.powered() as drivers:
        assignment = SeatAssignment(config, drivers)
        ended = asyncio.Event()
        assignment.on_end = ended.set
        table = TableWithoutGame(config, drivers, folder / "sockets", assignment=assignment)
        await table.start()
        await asyncio.sleep(LOOK_S)
        try:
            yield Maker(hardware, config, assignment, ended)
        finally:
            await table.stop()


async def test_what_has_a_seat_lights_up_and_the_result_is_a_table(tmp_path: Path) -> None:
    async with assigning(tmp_path) as maker:
        assert not any(maker.hardware.is_lamp_lit(seat) for seat in (1, 2))
        assert maker.hardware.ring_pattern(1) == "your-turn"
        await maker.press(2)
        assert [maker.hardware.is_lamp_lit(seat) for seat in (1, 2)] == [False, True]
        assert maker.hardware.ring_pattern(2) == "idle"
        await maker.card(1)
        await maker.card("discard")
        assert maker.assignment.state.asked is Asked.NOTHING
        assert {part.place for part in maker.parts.values()} == {"1", "2", "discard"}
        await maker.press(1)
        assert maker.ended.is_set()
        config = load_config(maker.config.file, check_game)
        assert [str(seat.pad) for seat in config.seats] == ["board:sim2", "board:sim1"]
        assert str(config.seats[0].button) == str(config.seats[0].lamp) == "board:sim2"


async def test_boxed_readers_are_assigned_and_one_comes_back_under_another_name(tmp_path: Path) -> None:
    async with assigning(tmp_path, build="usb") as maker:
        readers = [part for part in maker.parts if part.startswith("pcsc:")]
        assert readers == ["pcsc:53692026001101", "pcsc:53692026001102", "pcsc:53692026001100"]
        await maker.card(2)
        maker.hardware.deafen(1)
        await asyncio.sleep(2 * LOOK_S)
        assert len([part for part in maker.parts if part.startswith("pcsc:")]) == 2
        maker.hardware.deafen(1, False)
        await asyncio.sleep(2 * LOOK_S)
        await maker.press(2)
        await maker.card(1)
        await maker.press(1)
        await maker.card("discard")
        await maker.press(1)
        assert maker.ended.is_set()
        config = load_config(maker.config.file, check_game)
        assert [str(seat.pad) for seat in config.seats] == ["pcsc:53692026001102", "pcsc:53692026001101"]
        assert str(config.seats[0].lamp) == "led:1-1.3/buzz2"


async def test_a_card_that_lies_there_at_the_start_does_not_count(tmp_path: Path) -> None:
    async with assigning(tmp_path) as maker:
        maker.assignment.begin(None)
        maker.hardware.stand_in("board").plug(1, False)
        await asyncio.sleep(2 * LOOK_S)
        maker.hardware.put(UID, 1)
        maker.hardware.stand_in("board").plug(1, True)
        await asyncio.sleep(4 * LOOK_S)
        assert maker.assignment.facts.assigning is not None
        assert maker.assignment.facts.assigning.answer is not None
        assert maker.assignment.facts.assigning.answer.key == "lies-there"
        assert maker.assignment.state.seats == ()


async def test_parts_come_and_go_meanwhile(tmp_path: Path) -> None:
    async with assigning(tmp_path) as maker:
        assert {"board:sim1", "board:sim2"} <= maker.parts.keys()
        await maker.press(1)
        maker.hardware.stand_in("board").plug(2, False)
        await asyncio.sleep(2 * LOOK_S)
        assert "board:sim2" not in maker.parts
        lacks = maker.assignment.facts.assigning
        assert lacks is not None
        assert lacks.lacks is not None
        maker.hardware.stand_in("board").plug(2, True)
        await asyncio.sleep(4 * LOOK_S)
        assert maker.parts["board:sim1"].place == "1"  # it kept its seat
        await maker.press(2)
        await maker.card("discard")
        maker.hardware.stand_in("board").plug(1, False)
        await asyncio.sleep(2 * LOOK_S)
        assert {address for address, part in maker.parts.items() if part.trouble} == {"board:sim1"}
        with pytest.raises(RequestError, match="Seat board sim1 isn’t plugged in any more"):
            maker.assignment.do("finish")
        assert not maker.ended.is_set()


async def test_the_display_goes_on_to_say_what_to_do_when_a_seat_was_left_out(tmp_path: Path) -> None:
    async with assigning(tmp_path, 4) as maker:
        await maker.press(1)
        await maker.press(2)
        before = maker.hardware.picture().tobytes()
        maker.assignment.begin(4)
        await maker.press(1)
        await maker.press(2)
        maker.assignment.do("leave-out")
        await asyncio.sleep(SETTLED_S)
        assert maker.assignment.facts.assigning is not None
        assert maker.assignment.facts.assigning.answer is not None
        assert maker.assignment.facts.assigning.answer.done
        assert maker.hardware.picture().tobytes() == before


async def test_a_reader_that_fails_is_named(tmp_path: Path) -> None:
    async with assigning(tmp_path) as maker:
        maker.hardware.deafen(1)
        await asyncio.sleep(5)
        assert maker.parts["board:sim1"].trouble
        maker.hardware.deafen(1, False)
        await asyncio.sleep(10)
        assert not maker.parts["board:sim1"].trouble


async def test_a_disk_that_takes_nothing_loses_nothing(tmp_path: Path) -> None:
    async with assigning(tmp_path) as maker:
        await maker.press(1)
        await maker.press(2)
        await maker.press("discard")
        (tmp_path / ".parts.toml.new").mkdir()  # so the file can't be written
        await maker.press(2)
        assert maker.assignment.facts.assigning is not None
        assert maker.assignment.facts.assigning.answer is not None
        assert maker.assignment.facts.assigning.answer.key == "not-stored"
        with pytest.raises(RequestError, match=r"everything is as it was\. .*parts\.toml can't be"):
            maker.assignment.do("finish")
        assert not (tmp_path / "parts.toml").exists()
        assert not maker.ended.is_set()
        (tmp_path / ".parts.toml.new").rmdir()
        maker.assignment.do("finish")
        assert (tmp_path / "parts.toml").read_text() == text_of(maker.assignment.state.result())


async def test_the_display_shows_the_step(tmp_path: Path) -> None:
    async with assigning(tmp_path) as maker:
        await asyncio.sleep(LOOK_S)  # until then the table starts
        pictures = [maker.hardware.picture().tobytes()]
        for touch in (maker.press(1), maker.press(2), maker.press(2), maker.press("discard")):
            await touch
            pictures.append(maker.hardware.picture().tobytes())
        first, second, middle, again, done = pictures
        assert len({first, second, middle, done}) == 4
        assert again == middle  # the same button once more means nothing


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_has_room_on_the_display(language: str) -> None:
    """In small letters, if need be."""
    words, style = Words(language), ScreenStyle(Words(language), load_icons())
    keys = [key for key in words.all_messages("seats") if key.partition(" ")[0] in (*ASKS, *REPLIES)]
    assert len(keys) > len(ASKS)
    for key in keys:
        text = words.all_messages("seats")[key].format(seat=6, found=2, needed=7, part="seat board e6616407e3496a28")
        scene = Scene("1", task=Refusal(words.text("seats", "heading"), text))
        assert render(scene, 0, (128, 64), style).getbbox() is not None
        assert layout_text(text, TEXT, 124, 62).is_complete, (language, text)


async def test_what_cant_be_done_now(tmp_path: Path) -> None:
    async with assigning(tmp_path) as maker:
        for step, sentence in (
            ("finish", "Not all seats have their parts yet"),
            ("previous", "no earlier list of parts"),
            ("stop", "has no seats yet"),
        ):
            with pytest.raises(RequestError, match=sentence):
                maker.assignment.do(step)  # pyright: ignore[reportArgumentType]
