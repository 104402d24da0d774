"""The steps in which seats are assigned, by given touches."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from taptable.config.parts_file import AssignedSeat
from taptable.core.settings import US_PER_S
from taptable.daemon.assigning import TOGETHER_US, TRIES, Asked, Assigning, Reply, provisional_numbers
from taptable.drivers.interface import Address, FoundPart, PartRole

PAD, BUTTON, LAMP = PartRole.PAD, PartRole.BUTTON, PartRole.LAMP


def part(name: str, *roles: PartRole, device: str = "", number: int = 1) -> FoundPart:
    """A part at the address of its name."""
    return FoundPart(Address("x", name), frozenset(roles), name, device or name, number)


READERS = [part(f"reader{number}", PAD) for number in range(1, 5)]
BUTTONS = [part(f"button{number}", BUTTON, device="buzz", number=number) for number in range(1, 5)]
LAMPS = [part(f"lamp{number}", LAMP, device="buzz", number=number) for number in (1, 2)]
BOARDS = [part(f"board{number}", PAD, BUTTON, LAMP) for number in range(1, 4)]
LOOSE = (*READERS, *BUTTONS, *LAMPS)


class Steps:
    """Touches of parts by their names, two seconds apart."""

    def __init__(self, found: Sequence[FoundPart], **options: object) -> None:
        self.state = Assigning(**options).with_found(found)  # pyright: ignore[reportArgumentType]
        self._by_name = {each.label: each for each in found}
        self._now_us = 0

    def card(self, name: str, after_us: int = 2 * US_PER_S) -> Steps:
        self._now_us += after_us
        self.state = self.state.lay_card(self._by_name[name], self._now_us)
        return self

    def press(self, name: str, after_us: int = 2 * US_PER_S) -> Steps:
        self._now_us += after_us
        self.state = self.state.press(self._by_name[name], self._now_us)
        return self

    def do(self, step: str) -> Steps:
        self.state = getattr(self.state, step)()
        return self

    @property
    def now(self) -> tuple[Asked, int | None]:
        return self.state.asked, self.state.seat

    @property
    def said(self) -> str | None:
        return None if self.state.answer is None else self.state.answer.key

    @property
    def result(self) -> tuple[list[tuple[str, str, str]], str]:
        assert self.state.asked is Asked.NOTHING
        parts = self.state.result()
        bare = [tuple(each.removeprefix("x:") for each in (seat.pad, seat.button, seat.lamp)) for seat in parts.seats]
        return bare, parts.discard.removeprefix("x:")  # pyright: ignore[reportReturnType]


def test_seat_by_seat_and_at_last_the_middle() -> None:
    steps = Steps(LOOSE)
    asked = [steps.now]
    for touch, name in (
        *((steps.card, "reader2"), (steps.press, "button1"), (steps.card, "reader1"), (steps.press, "button3")),
        *((steps.card, "reader4"), (steps.press, "button2"), (steps.card, "reader3")),
    ):
        touch(name)
        asked.append(steps.now)
    assert [(each.value, seat) for each, seat in asked] == [
        *(("reader", 1), ("button", 1), ("reader", 2), ("button", 2), ("reader", 3), ("button", 3)),
        *(("middle", None), ("nothing", None)),
    ]
    assert steps.result == (
        [("reader2", "button1", "lamp1"), ("reader1", "button3", ""), ("reader4", "button2", "lamp2")],
        "reader3",
    )
    assert steps.said is None


def test_a_seat_board_is_reader_button_and_lamp_at_once() -> None:
    steps = Steps([*BOARDS, part("spare", PAD)])
    assert steps.state.has_board
    steps.card("board2").press("board3").press("board1").card("spare")
    names = ("board2", "board3", "board1")
    assert steps.result == ([(name, name, name) for name in names], "spare")
    assert not steps.state.has_board


def test_the_middle_may_be_a_seat_board() -> None:
    assert Steps(BOARDS).press("board1").press("board2").card("board3").result[1] == "board3"
    assert Steps(BOARDS).press("board1").press("board2").press("board3").result[1] == "board3"


def test_boards_and_loose_parts_are_mixed() -> None:
    steps = Steps([BOARDS[0], *READERS[:2], BUTTONS[0]]).card("reader1").press("board1")
    assert (steps.said, steps.now) == ("board-has-reader", (Asked.BUTTON, 1))
    steps.press("button1").card("board1").card("reader2")
    assert steps.result == ([("reader1", "button1", ""), ("board1", "board1", "board1")], "reader2")


def test_seats_are_asked_for_as_long_as_there_are_parts_for_one_more() -> None:
    """One reader is left for the middle. Without a button left there is no further seat."""
    steps = Steps([*READERS, *BUTTONS[:2]]).card("reader1").press("button1").card("reader2").press("button2")
    assert steps.now == (Asked.MIDDLE, None)
    whole = Steps([*BOARDS], asks_for_middle=False).press("board1").press("board2")
    assert whole.now == (Asked.READER, 3)
    assert whole.press("board3").result[1] == ""


def test_a_number_that_was_said_is_asked_for() -> None:
    steps = Steps(LOOSE)
    steps.state = steps.state.expect(2)
    steps.card("reader1").press("button1").card("reader2").press("button2")
    assert steps.now == (Asked.MIDDLE, None)
    assert Steps([]).state.expect(9).expected == 6


def test_that_is_all() -> None:
    steps = Steps(LOOSE).do("enough")
    assert (steps.said, steps.now) == ("two-seats", (Asked.READER, 1))
    steps.card("reader1").do("enough")
    assert steps.said == "button-first"
    steps.press("button1").card("reader2").press("button2").do("enough")
    assert (steps.said, steps.now) == (None, (Asked.MIDDLE, None))


@pytest.mark.parametrize(
    ("before", "touch", "name", "said", "facts"),
    [
        ("", "press", "button1", "reader-first", {"seat": 1}),
        ("reader1", "card", "reader2", "button-first", {"seat": 1}),
        ("reader1 button1", "card", "reader1", "taken-by-seat", {"seat": 1}),
        ("reader1 button1 reader2", "press", "button1", "taken-by-seat", {"seat": 1}),
        ("reader1 button1 reader2 button2 enough", "press", "button3", "middle-first", {}),
        ("reader1 button1 reader2 button2 enough", "card", "reader1", "taken-by-seat", {"seat": 1}),
    ],
)
def test_a_wrong_part_gets_a_sentence_and_another_try(
    before: str, touch: str, name: str, said: str, facts: dict[str, int]
) -> None:
    steps = Steps(LOOSE)
    for word in before.split():
        (steps.card if word.startswith("reader") else steps.press if word.startswith("button") else steps.do)(word)
    asked = steps.now
    for misses in range(1, TRIES + 1):
        getattr(steps, touch)(name)
        assert steps.state.answer == Reply(said, facts)
        assert (steps.now, steps.state.misses) == (asked, misses)


def test_a_right_part_ends_the_sentence_about_a_wrong_one() -> None:
    steps = Steps(LOOSE).press("button1").press("button1").card("reader1")
    assert (steps.said, steps.state.misses, steps.now) == (None, 0, (Asked.BUTTON, 1))


def test_two_at_once_count_for_nothing() -> None:
    """Two readers that are so near that both read the card, or two buttons at a time: it is unknown which is meant."""
    steps = Steps(LOOSE).card("reader1").card("reader2", after_us=TOGETHER_US)
    assert (steps.said, steps.now) == ("two-at-once", (Asked.READER, 1))
    steps.card("reader1").press("button1", after_us=TOGETHER_US)
    assert steps.now == (Asked.READER, 2)
    steps.card("reader2").press("button2").press("button3", after_us=TOGETHER_US // 2)
    assert (steps.said, steps.now) == ("two-at-once", (Asked.BUTTON, 2))
    steps.press("button2").card("reader3").press("button3")
    assert steps.now == (Asked.MIDDLE, None)
    steps.card("reader4").press("button4", after_us=1)
    assert steps.now == (Asked.NOTHING, None)


def test_stamps_of_two_clocks_may_be_in_the_wrong_order() -> None:
    steps = Steps(BOARDS).press("board1").press("board2", after_us=-100)
    assert (steps.said, steps.now) == ("two-at-once", (Asked.READER, 1))


def test_the_card_that_still_lies_there_says_nothing() -> None:
    steps = Steps(LOOSE).card("reader1").card("reader1")
    assert (steps.said, steps.state.misses) == (None, 0)


def test_a_card_that_lay_there_before_does_not_count() -> None:
    steps = Steps(LOOSE)
    steps.state = steps.state.note_card_there(READERS[0])
    assert (steps.said, steps.now, steps.state.misses) == ("lies-there", (Asked.READER, 1), 0)
    steps.press("button1")
    steps.state = steps.state.note_card_there(READERS[0])
    assert steps.said == "reader-first"


def test_a_card_that_lies_there_is_told_only_where_a_card_is_awaited() -> None:
    """All parts of a kind are opened again when one of them is plugged in."""
    steps = Steps(LOOSE).card("reader1")
    assert steps.state.note_card_there(READERS[1]).answer is None  # a button is asked for
    steps.press("button1")
    assert steps.state.note_card_there(READERS[0]).answer is None  # it has its place
    assert steps.state.note_card_there(READERS[1]).answer == Reply("lies-there")
    steps.card("reader2").press("button2").do("enough").card("reader3")
    assert steps.state.note_card_there(READERS[3]).answer is None


def test_the_way_back() -> None:
    steps = Steps(LOOSE).do("back")
    assert steps.said == "at-beginning"
    steps.card("reader1").press("button1").card("reader2").press("button2").do("enough").card("reader3")
    asked: list[tuple[str, int | None]] = []
    for _ in range(6):
        steps.do("back")
        asked.append((steps.now[0].value, steps.now[1]))
    assert asked == [
        *(("middle", None), ("reader", 3), ("button", 2), ("reader", 2), ("button", 1), ("reader", 1)),
    ]
    board = Steps(BOARDS).press("board1").do("back")
    assert board.now == (Asked.READER, 1)
    assert board.press("board2").state.seats[0].reader.label == "board2"


def test_a_seat_is_left_out() -> None:
    steps = Steps(LOOSE).card("reader1").press("button1").card("reader2").do("leave_out")
    assert steps.now == (Asked.READER, 2)
    assert steps.state.answer == Reply("left-out-reader", is_done=True)
    steps.card("reader3").press("button2")
    assert steps.now == (Asked.MIDDLE, None)  # the reader that was left out is no part for one more seat
    steps.do("leave_out")
    assert steps.said == "middle-needed"
    steps.card("reader4").do("leave_out")
    assert steps.said == "nothing-asked"
    assert [seat[0] for seat in steps.result[0]] == ["reader1", "reader3"]


def test_a_seat_of_a_number_that_was_said_is_left_out() -> None:
    steps = Steps(LOOSE)
    steps.state = steps.state.expect(3)
    steps.card("reader1").press("button1").do("leave_out")
    assert (steps.now, steps.state.expected) == ((Asked.READER, 2), 2)
    assert steps.state.answer == Reply("left-out", {"seats": 2}, is_done=True)
    steps.do("leave_out")
    assert (steps.said, steps.state.expected) == ("two-seats", 2)


@pytest.mark.parametrize("before", ["", "reader3"])
def test_the_way_back_from_a_seat_that_was_left_out(before: str) -> None:
    steps = Steps(LOOSE)
    steps.state = steps.state.expect(3)
    steps.card("reader1").press("button1").card("reader2").press("button2")
    for reader in before.split():
        steps.card(reader)
    asked = steps.now
    steps.do("leave_out").do("back")
    assert (steps.now, steps.state.expected, steps.said) == (asked, 3, None)
    steps.do("back")
    assert steps.now == ((Asked.READER, 3) if before else (Asked.BUTTON, 2))


def test_the_seat_after_the_last_is_left_out() -> None:
    steps = Steps(LOOSE).card("reader1").press("button1").do("leave_out")
    assert steps.state.answer == Reply("two-seats")
    steps.card("reader2").press("button2").do("leave_out")
    assert (steps.now, steps.state.answer) == ((Asked.MIDDLE, None), Reply("left-out", {"seats": 2}, is_done=True))


def test_what_has_to_be_plugged_in_first() -> None:
    assert Steps(READERS[:2]).state.lacks == Reply("lacks-readers", {"found": 2, "needed": 3})
    assert Steps(READERS[:2], asks_for_middle=False).state.lacks == Reply("lacks-buttons", {"found": 0, "needed": 2})
    assert Steps(BOARDS).state.lacks is None


def test_a_press_confirms_when_nothing_is_asked() -> None:
    steps = Steps(BOARDS).press("board1").press("board2").card("board3")
    assert not steps.card("board1").state.is_confirmed
    assert steps.press("board1").state.is_confirmed
    spare = Steps([*READERS[:3], *BUTTONS]).card("reader1").press("button1").card("reader2").press("button2")
    spare.card("reader3")
    assert not spare.press("button3").state.is_confirmed


def test_a_button_that_bounces_at_the_last_step_confirms_nothing() -> None:
    steps = Steps(BOARDS, asks_for_middle=False).press("board1").press("board2").press("board3")
    assert steps.now == (Asked.NOTHING, None)
    assert not steps.press("board3", after_us=TOGETHER_US).state.is_confirmed
    assert steps.press("board3").state.is_confirmed


def test_a_part_that_was_pulled_out_is_missed_at_the_end() -> None:
    steps = Steps(BOARDS).press("board1").press("board2").card("board3")
    assert steps.state.missing() is None
    assert steps.state.with_found(BOARDS[1:]).missing() == Reply("not-plugged-in", {"part": "board1"})


def test_the_result_knows_devices() -> None:
    steps = Steps(LOOSE).card("reader1").press("button1").card("reader2").press("button3").do("enough").card("reader3")
    parts = steps.state.result()
    assert parts.seats == (AssignedSeat("x:reader1", "x:button1", "x:lamp1"), AssignedSeat("x:reader2", "x:button3"))
    assert {address: known.device for address, known in parts.known.items()} == {
        "x:reader1": "reader1",
        "x:button1": "buzz",
        "x:lamp1": "buzz",
        "x:reader2": "reader2",
        "x:button3": "buzz",
        "x:reader3": "reader3",
    }


def test_numbers_under_which_parts_are_opened() -> None:
    first = provisional_numbers([READERS[0], BUTTONS[0], BUTTONS[1], LAMPS[1]], {})
    assert first == {"x:reader1": 1, "x:button1": 2, "x:button2": 3, "x:lamp2": 3}
    again = provisional_numbers([READERS[1], BUTTONS[1]], first)
    assert (again["x:reader2"], again["x:button2"]) == (4, 3)
    assert "x:lamp1" not in provisional_numbers([LAMPS[0]], {})
