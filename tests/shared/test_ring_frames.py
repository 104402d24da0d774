"""The rings of the seats: their patterns differ by movement alone, within the current of a USB port."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from tapshared import lights
from tapshared.lights import RING_PATTERNS
from tapshared.ring_frames import RingFrames
from tapshared.ticks import PERIOD

PIXEL_COUNTS = range(8, 17)
RUN_MS = {"holding": 1500, "window": 5000, "claim": 5000}
STEP_US = 20_000
WATCHED = 75  # steps of that: what somebody sees in a second and a half
CLEARLY = 25  # of 255: how far two rings are apart in an average pixel at an average moment

# What red, green and blue become to eyes without one kind of cone, in linear light (Machado, Oliveira and Fernandes,
# 2009, severity 1.0).
EYES = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}

Ring = list[int]
Film = list[Ring]


def film(name: str, pixels: int, steps: int, draw: Callable[[RingFrames], Ring], begin: int = 0) -> Film:
    """The frames of a ring from the moment at which it gets its light, every 20 ms."""
    frames = RingFrames(pixels)
    frames.show(name, RUN_MS.get(name, 0), RUN_MS.get(name, 0), begin)
    shown: Film = []
    for step in range(steps):
        frames.advance((begin + step * STEP_US) % PERIOD)
        shown.append(draw(frames))
    return shown


def grey(frames: RingFrames) -> Ring:
    return [frames.level(pixel) for pixel in range(frames.pixels)]


def sent(frames: RingFrames) -> Ring:
    data = bytearray(3 * frames.pixels)
    for pixel in range(frames.pixels):
        frames.draw_pixel(pixel, data)
    return list(data)


def apart(one: Film, other: Film) -> float:
    return sum(abs(a - b) for left, right in zip(one, other, strict=True) for a, b in zip(left, right, strict=True)) / (
        len(one) * len(one[0])
    )


def least_apart(one: Film, other: Film) -> float:
    """How far two films are apart for somebody who doesn't know when the longer one began."""
    return min(apart(one, other[begin : begin + len(one)]) for begin in range(0, len(other) - len(one) + 1, 2))


def assert_told_apart(pixels: int, seen: Callable[[str, Ring], Ring]) -> None:
    films = {
        name: [
            seen(name, ring) for ring in film(name, pixels, WATCHED * (1 if RING_PATTERNS[name].is_timed else 2), grey)
        ]
        for name in RING_PATTERNS
    }
    for one, other in combinations(RING_PATTERNS, 2):
        # what goes round may have begun at any time; what runs, or moves once, is seen from its beginning
        first, second = (one, other) if RING_PATTERNS[one].movement in lights.ONCE else (other, one)
        assert least_apart(films[first][:WATCHED], films[second]) > CLEARLY, (one, other)


@pytest.mark.parametrize("pixels", [8, 12, 16])
def test_any_two_patterns_differ_clearly_with_their_colours_taken_away(pixels: int) -> None:
    assert_told_apart(pixels, lambda _name, ring: ring)


@pytest.mark.parametrize("eye", EYES)
def test_any_two_patterns_differ_clearly_to_colour_blind_eyes(eye: str) -> None:
    def brightness(name: str) -> float:
        light = [(part / 255) ** 2 for part in RING_PATTERNS[name].colour]
        red, green, blue = (max(0.0, sum(a * b for a, b in zip(row, light, strict=True))) for row in EYES[eye])
        return (0.2126 * red + 0.7152 * green + 0.0722 * blue) ** 0.5

    assert_told_apart(12, lambda name, ring: [round(level * brightness(name)) for level in ring])


@pytest.mark.parametrize("pixels", PIXEL_COUNTS)
def test_no_ring_draws_more_than_its_share_of_the_port(pixels: int) -> None:
    for name in RING_PATTERNS:
        for data in film(name, pixels, 4 * WATCHED, sent):
            drawn_ma = pixels * lights.PIXEL_IDLE_MA + sum(data) * lights.CHANNEL_MOST_MA / 255
            assert drawn_ma <= lights.RING_MOST_MA, name


@pytest.mark.parametrize("pixels", PIXEL_COUNTS)
def test_every_pattern_but_off_is_bright_enough_to_be_seen(pixels: int) -> None:
    for name in set(RING_PATTERNS) - {"off"}:
        assert max(sum(data) for data in film(name, pixels, WATCHED, sent)) >= 100, name


def test_off_is_dark() -> None:
    assert {tuple(data) for data in film("off", 16, WATCHED, sent)} == {(0,) * 48}


@pytest.mark.parametrize("name", RING_PATTERNS)
def test_a_frame_changes_only_while_the_pattern_moves(name: str) -> None:
    frames = RingFrames(12)
    frames.show(name, RUN_MS.get(name, 0), RUN_MS.get(name, 0), 0)
    shown = sent(frames)
    for step in range(1, 500):
        moved = frames.is_moving
        frames.advance(step * STEP_US)
        if not moved:
            assert sent(frames) == shown, step
        shown = sent(frames)
    assert frames.is_moving == (name in ("your-turn", "reading", "refused", "deaf", "paused"))


@pytest.mark.parametrize("name", RING_PATTERNS)
def test_a_ring_goes_on_where_the_ticks_wrap(name: str) -> None:
    assert film(name, 12, 100, sent, begin=PERIOD - 500_000) == film(name, 12, 100, sent)


def test_what_runs_is_lit_by_what_is_left_of_its_time() -> None:
    frames = RingFrames(12)
    frames.show("window", 3000, 6000, 0)
    assert grey(frames) == [255] * 6 + [0] * 6
    frames.advance(1_750_000)
    assert grey(frames) == [255] * 2 + [127] + [0] * 9
    frames.advance(3_000_000)
    assert grey(frames) == [0] * 12
    frames.show("holding", 1500, 1500, 3_000_000)
    frames.advance(4_500_000)
    assert grey(frames) == [255] * 12


@pytest.mark.parametrize("whole_ms", [1, 600_000, PERIOD - 1])
def test_any_time_that_the_wire_can_name_runs(whole_ms: int) -> None:
    frames = RingFrames(8)
    frames.show("window", whole_ms // 2, whole_ms, 0)
    assert sum(map(bool, grey(frames))) == (4 if whole_ms > 1 else 0)
    frames.show("window", PERIOD - 1, whole_ms, 0)
    assert grey(frames) == [255] * 8


def test_a_repeated_light_continues_and_one_that_moves_once_does_so_again() -> None:
    frames = RingFrames(12)
    frames.show("your-turn", 0, 0, 0)
    frames.advance(400_000)
    shown = grey(frames)
    frames.show("your-turn", 0, 0, 400_000)
    assert grey(frames) == shown
    frames.show("accepted", 0, 0, 400_000)
    frames.advance(1_000_000)
    assert grey(frames) == [255] * 12
    frames.show("accepted", 0, 0, 1_000_000)
    assert grey(frames) == [0] * 12


def test_bytes_are_green_red_and_blue_pixel_by_pixel() -> None:
    frames = RingFrames(8)
    frames.show("refused", 0, 0, 0)
    data = bytearray(24)
    assert frames.draw_pixel(0, data)
    assert not frames.draw_pixel(0, data)
    assert data[1] > data[0] > data[2] > 0
    assert data[3:] == bytes(21)
