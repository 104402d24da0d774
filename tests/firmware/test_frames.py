"""*The bus as a clock*, on a board: anchors for a Pi that asks, and one beside each press."""

from __future__ import annotations

from tapshared.sentences import Message

from firmware.isolated_board import BOOT, Board, S

FRAME_US, FRAMES = 1_000, 1 << 11
CARD = "04a2b3c4d5e680"


def holds(anchor: Message, near_us: int) -> bool:
    """Whether the frame was received between its two ticks: a frame comes with each full millisecond."""
    frame, after, by = (int(anchor.fields[name]) for name in ("frame", "after", "by"))
    received_us = by // FRAME_US * FRAME_US
    return after < received_us <= by <= near_us and received_us // FRAME_US % FRAMES == frame and by - after < FRAME_US


def test_a_pi_that_does_not_ask_gets_none(board: Board) -> None:
    board.vm.do(3 * S, "press", 1)
    assert "anchor" not in {message.verb for message in board.run(4 * S)}


def test_one_that_asks_gets_them_as_often_as_it_wants(board: Board) -> None:
    board.hear("anchors", every_ms=100, presses="")
    anchors = [message for message in board.run(5 * S) if message.verb == "anchor"]
    assert 29 <= len(anchors) <= 31
    assert all(holds(anchor, 5 * S) for anchor in anchors)
    board.hear("anchors", every_ms=0, presses="")
    board.run(5 * S + 200_000)
    assert [message.verb for message in board.run(6 * S) if message.verb == "anchor"] == []


def test_one_is_sent_before_each_press_and_lies_beside_it(board: Board) -> None:
    board.hear("anchors", every_ms=10_000, presses="")
    board.run(3 * S)
    for second in range(3, 9):
        board.vm.do(second * S + 377 * second, "press", 1)
        board.vm.do(second * S + S // 2, "press", 0)
        said = [message for message in board.run(second * S + S // 4) if message.verb in ("anchor", "press")]
        assert [message.verb for message in said[:2]] == ["anchor", "press"]
        assert holds(said[0], (second + 1) * S)
        assert abs(int(said[0].fields["by"]) - int(said[1].fields["ticks"])) < 10_000
        board.run(second * S + 3 * S // 4)
        board.hear("ack", boot=BOOT, upto=BOOT * 100_000 + 2 * (second - 2))


def test_hello_ends_it(board: Board) -> None:
    board.hear("anchors", every_ms=100, presses="")
    board.run(3 * S)
    board.hear("hello?")
    board.run(4 * S)
    board.hear("ack", boot=BOOT, upto=0)
    assert [message.verb for message in board.run(5 * S) if message.verb == "anchor"] == []


def test_a_frame_is_never_read_while_something_is_being_sent(board: Board) -> None:
    board.hear("anchors", every_ms=20, presses="")
    for tenth in range(31, 91):
        board.vm.do(tenth * S // 10, "put" if tenth % 2 else "lift", CARD)
    anchors = [message for message in board.run(10 * S) if message.verb == "anchor"]
    assert len(anchors) > 100
    assert [told for told in board.told if told.what == "spoilt"] == []  # no interrupt that was wanted was cleared
