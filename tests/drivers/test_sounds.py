"""The sounder: tunes in given time."""

from __future__ import annotations

import itertools

import pytest
from gpio_bench import Bench
from gpiozero.pins.mock import MockPin
from gpiozero.tones import Tone
from taptable.core.cues import Sound
from taptable.core.device_events import PartFailed
from taptable.drivers.gpio.outputs import MID_TONE, OCTAVES, PiezoSounder
from taptable.narration.tunes import TICK_PACES_MS, TUNES, tones_of

PIN = 12


def note(name: str) -> float:
    return Tone(name).frequency


def listen(bench: Bench, for_ms: int) -> list[tuple[float | None, int]]:
    """The tones of the sounder, millisecond by millisecond, as (hertz, milliseconds)."""
    heard: list[float | None] = []
    bench.loop.pass_time(0.0005)
    for _ in range(for_ms):
        heard.append(bench.pins.tone_hz(PIN))
        bench.loop.pass_time(0.001)
    return [(tone, len(list(same))) for tone, same in itertools.groupby(heard)]


@pytest.fixture
def sounder(bench: Bench) -> PiezoSounder:
    sounder = PiezoSounder(bench.header, PIN)
    sounder.open()
    return sounder


def test_every_sound_has_a_tune_that_the_sounder_can_play() -> None:
    assert set(TUNES) == set(Sound)
    mid_hz = note(MID_TONE)
    for tune in TUNES.values():
        for name, length_ms in tune.notes:
            assert length_ms > 0
            if name is not None:
                assert mid_hz / 2**OCTAVES <= note(name) <= mid_hz * 2**OCTAVES


@pytest.mark.parametrize("sound", Sound)
def test_a_tune_is_played_note_by_note_and_then_there_is_silence(
    bench: Bench, sounder: PiezoSounder, sound: Sound
) -> None:
    sounder.play(sound)
    assert sounder.current_sound is sound
    expected = [(None if name is None else note(name), length_ms) for name, length_ms in TUNES[sound].notes]
    length_ms = sum(length_ms for _, length_ms in expected)
    assert listen(bench, length_ms + 100) == [*expected, (None, 100)]
    assert sounder.current_sound is None


def test_a_heavier_sound_replaces_a_lighter_one_at_once(bench: Bench, sounder: PiezoSounder) -> None:
    sounder.play(Sound.REFUSED)
    bench.loop.pass_time(0.05)
    sounder.play(Sound.STOPPED)
    assert listen(bench, 90) == [(note("C7"), 90)]


def test_a_lighter_sound_is_dropped_under_a_heavier_one(bench: Bench, sounder: PiezoSounder) -> None:
    sounder.play(Sound.GAME_OVER)
    bench.loop.pass_time(0.05)
    for sound in (Sound.PULSE, Sound.TICK, Sound.ACCEPTED, Sound.FAULT, Sound.STOPPED):
        sounder.play(sound)
        assert sounder.current_sound is Sound.GAME_OVER
    assert listen(bench, 60) == [(note("C6"), 60)]


def test_of_two_of_the_same_weight_the_later_is_heard(bench: Bench, sounder: PiezoSounder) -> None:
    sounder.play(Sound.ACCEPTED)
    sounder.play(Sound.REFUSED)
    assert listen(bench, 100) == [(note("E5"), 100)]


def test_after_the_end_of_a_heavy_sound_a_light_one_is_heard_again(bench: Bench, sounder: PiezoSounder) -> None:
    sounder.play(Sound.GAME_OVER)
    bench.loop.pass_time(2)
    sounder.play(Sound.IGNORED)
    assert listen(bench, 50) == [(note("C5"), 12), (None, 38)]


def test_a_window_ticks_faster_towards_its_end_and_stops_there(bench: Bench, sounder: PiezoSounder) -> None:
    sounder.tick_until(bench.now_us() + 5_000_000)
    heard = listen(bench, 6000)
    begins_ms = itertools.accumulate((length_ms for _, length_ms in heard), initial=0)
    ticks_ms = [begin_ms for begin_ms, (tone, _) in zip(begins_ms, heard, strict=False) if tone is not None]
    slowly, quickly = [0, 1000, 1500, 2000, 2500], [3000, 3250, 3500, 3750, *range(4000, 5000, 125)]
    assert ticks_ms == slowly + quickly


def test_the_pace_of_the_ticking_never_slows_down() -> None:
    assert [more_than_ms for more_than_ms, _ in TICK_PACES_MS] == sorted(
        (more_than_ms for more_than_ms, _ in TICK_PACES_MS), reverse=True
    )
    assert [pace_ms for _, pace_ms in TICK_PACES_MS] == sorted((pace_ms for _, pace_ms in TICK_PACES_MS), reverse=True)
    assert TICK_PACES_MS[-1][0] == 0


def test_ticking_can_be_stopped_and_restarted(bench: Bench, sounder: PiezoSounder) -> None:
    sounder.tick_until(bench.now_us() + 5_000_000)
    bench.loop.pass_time(0.5)
    sounder.stop_ticking()
    assert listen(bench, 2000) == [(None, 2000)]
    sounder.tick_until(bench.now_us() + 100_000)
    assert listen(bench, 300) == [(note("C7"), 12), (None, 288)]
    sounder.tick_until(bench.now_us() - 1)
    assert listen(bench, 10) == [(None, 10)]


def test_a_tick_doesn_t_interrupt_a_verdict(bench: Bench, sounder: PiezoSounder) -> None:
    sounder.play(Sound.REFUSED)
    sounder.tick_until(bench.now_us() + 150_000)
    assert listen(bench, 120) == [(note("E5"), 120)]


def test_muted_it_plays_nothing_until_it_is_wanted_again(bench: Bench) -> None:
    sounder = PiezoSounder(bench.header, PIN, muted=True)
    sounder.open()
    sounder.play(Sound.GAME_OVER)
    sounder.tick_until(bench.now_us() + 1_000_000)
    assert listen(bench, 400) == [(None, 400)]
    sounder.muted = False
    sounder.play(Sound.ACCEPTED)
    assert listen(bench, 20) == [(note("E6"), 20)]


def test_pins_without_pulses_are_reported_and_the_sounder_keeps_silent(bench: Bench) -> None:
    bench.pins.factory.pin_class = MockPin
    sounder = PiezoSounder(bench.header, PIN)
    sounder.open()
    (failed,) = bench.device_events
    assert isinstance(failed, PartFailed)
    assert (failed.part, failed.reason) == ("sounder", "PinPWMUnsupported")
    sounder.play(Sound.ACCEPTED)
    bench.loop.pass_time(1)
    assert sounder.current_sound is None


def test_closing_ends_sound_and_ticking(bench: Bench, sounder: PiezoSounder) -> None:
    sounder.tick_until(bench.now_us() + 5_000_000)
    sounder.play(Sound.FAULT)
    sounder.close()
    assert listen(bench, 2000) == [(None, 2000)]


def test_a_page_plays_the_same_notes() -> None:
    for tune in TUNES.values():
        played = [(None if name is None else round(note(name), 1), ms) for name, ms in tune.notes]
        assert tones_of(tune) == played
