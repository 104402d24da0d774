"""*A damaged, cut, doubled or reordered line never makes a wrong observation*: a wire with every kind of noise
against the truth at the board."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tapshared.lines import Lines
from tapshared.sentences import Message, encode
from tapshared.verbs import BOARD
from taptable.core.cues import SeatLights
from taptable.drivers.board.link_events import BoardEvent
from taptable.drivers.board.usb_model import NO_NOISE, CableNoise
from two_ends import TrueEvent, TwoEnds

SECOND_US = 1_000_000

noises = st.builds(CableNoise, *[st.sampled_from((0.0, 0.1, 0.5))] * 6)
acts = st.one_of(
    st.tuples(st.just("tag"), st.sampled_from(("04a2b3c4d5e680", "04a2b3c4", "04ffffffffff01"))),
    st.tuples(st.just("gone"), st.sampled_from(("04a2b3c4d5e680", "04a2b3c4"))),
    st.tuples(st.sampled_from(("press", "release"))),
    st.tuples(st.just("run"), st.integers(1, 3 * SECOND_US)),
    st.tuples(st.just("make_noise"), noises),
    st.tuples(st.sampled_from(("unplug", "plug_in"))),
    st.tuples(st.just("fill_up"), st.booleans()),
)
TELLS = {"tag", "gone", "press", "release"}


def play(ends: TwoEnds, plays: list[tuple]) -> None:
    """Play the drawn steps, and check after each that the received state is true."""
    for act, *arguments in plays:
        if act in TELLS:
            ends.tell(act, *arguments)
        else:
            getattr(ends, act)(*arguments)
        assert_nothing_wrong(ends)


def calm_down(ends: TwoEnds) -> None:
    ends.make_noise(NO_NOISE)
    ends.plug_in()
    ends.fill_up(False)
    ends.run(20 * SECOND_US)
    assert_nothing_wrong(ends)


def as_told(event: BoardEvent) -> tuple[str, str]:
    return event.message.verb, str(event.message.fields.get("uid", ""))


def of_boot(told: list[TrueEvent], boot: int) -> list[TrueEvent]:
    return [item for item in told if item.boot == boot]


def assert_nothing_wrong(ends: TwoEnds) -> None:
    """The events of each boot came once, in order, from the first on; and each stamp was within its stated bound."""
    for boot, group in groupby(ends.events, key=lambda event: event.origin.boot):
        events = list(group)
        told = of_boot(ends.true_events, boot)[: len(events)]
        assert [as_told(event) for event in events] == [(item.verb, item.uid) for item in told]
        for event, item in zip(events, told, strict=True):
            assert event.moment is None or event.moment.earliest_us <= item.at_us <= event.moment.latest_us


@settings(max_examples=40)
@given(seed=st.integers(0, 1 << 30), noise=noises, plays=st.lists(acts, max_size=30))
def test_whatever_the_noise_every_event_comes_once_and_in_order_when_it_stops(
    seed: int, noise: CableNoise, plays: list[tuple]
) -> None:
    ends = TwoEnds(seed, noise)
    play(ends, plays)
    calm_down(ends)
    assert [as_told(event) for event in ends.events] == [(item.verb, item.uid) for item in ends.true_events]
    assert ends.board.outbox.pending == []


@pytest.mark.long
@given(
    seed=st.integers(0, 1 << 30),
    noise=noises,
    plays=st.lists(st.one_of(acts, st.tuples(st.sampled_from(("reset", "restart")))), max_size=30),
)
@example(seed=0, noise=NO_NOISE, plays=[("unplug",), ("restart",)])
def test_resets_of_the_board_and_restarts_of_the_pi_make_nothing_wrong(
    seed: int, noise: CableNoise, plays: list[tuple]
) -> None:
    ends = TwoEnds(seed, noise)
    play(ends, plays)
    calm_down(ends)
    last = [event for event in ends.events if event.origin.boot == ends.boot]
    assert [as_told(event) for event in last] == [
        (item.verb, item.uid) for item in of_boot(ends.true_events, ends.boot)
    ]


@pytest.mark.long
@given(seed=st.integers(0, 1 << 30), noise=noises, plays=st.lists(acts, max_size=10))
def test_the_board_shows_the_last_light_when_the_noise_stops(seed: int, noise: CableNoise, plays: list[tuple]) -> None:
    ends = TwoEnds(seed, noise)
    for number, pattern in enumerate(("your-turn", "accepted", "refused")):
        ends.link.show(SeatLights(pattern), ends.now_us)
        play(ends, plays[number::3])
    calm_down(ends)
    assert ends.shown is not None
    assert ends.shown.fields["pattern"] == "refused"


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from((b"#", b"*", b"\n", b"#17 tag "))), max_size=20))
def test_random_bytes_say_nothing(pieces: list[bytes]) -> None:
    assert Lines(BOARD).feed(b"".join(pieces) + b"\n") == []


@given(st.binary(max_size=300), st.integers(1, 50))
def test_a_sentence_after_random_bytes_is_read_if_they_end_with_a_line(noise: bytes, size: int) -> None:
    message = Message("gone", {"uid": "04a2b3c4", "ticks": 5}, 3)
    lines, said = Lines(BOARD), noise + b"\n" + encode(message)
    assert [found for at in range(0, len(said), size) for found in lines.feed(said[at : at + size])] == [message]


@given(st.integers(0, 44), st.integers(0, 255))
def test_no_single_byte_can_be_changed_unnoticed(place: int, byte: int) -> None:
    message = Message("tag", {"uid": "04a2b3c4d5e680", "ticks": 10482113, "how": ""}, 17)
    said = bytearray(encode(message))
    place %= len(said) - 1
    changed = bytes(said[:place]) + bytes([byte]) + bytes(said[place + 1 :])
    found = Lines(BOARD).feed(changed)
    assert found == ([message] if changed == said else [])
