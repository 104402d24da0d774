"""A short soak: evenings of every game and build, at the readers' seam and at the chips, in which nothing goes wrong
without being said; the soak itself, which has to find what is broken on purpose; and what it makes of its results."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from choosing import long_params
from taptable.core.game_options import GameOptions
from taptable.sim.people import NO_SLIPS
from tiny.registered import registered

from soak import running
from soak.breaking import BREAKINGS
from soak.evening import Outcome, evening, play_plan
from soak.faults import KINDS
from soak.faults_of_tags import left_lying
from soak.kinds import Kind
from soak.night import Night
from soak.plan import GAMES, PARTS_OF, READY, USB, WEIGHTS, Fault, plan
from soak.shrinking import least

SHORT = 4
EVENINGS = 60
AT_ONCE = 10
"""Evenings in one test of a long run."""
FOUND_BY = {
    "buttons": 0,
    "presses": 0,
    "static": 18,
    "league": 2,
    "page's members": 2,
    "wire": 8,
    "disk": 4,
    "coming back": 1,
    "display": 18,
    "lights": 40,
    "page": 8,
    "arbiter": 3,
    "controllers": 0,
    "lost events": 17,
    "lost controllers": 2,
    "returned lamps": 0,
    "hung buses": 13,
    "boxed readers": 14,
    "referee": 0,
    "repairs": 3,
    "readers": 2,
    "receivers": 12,
    "unreadable": 45,
    "clones": 19,
    "carried": 23,
    "suspends": 8,
    "floods": 3,
    "files": 17,
}
"""A seed by which each breaking is found."""


def wrong_in(seeds: Sequence[int], *, chips: bool | None = None) -> dict[int, tuple[str, ...]]:
    return {seed: outcome.wrong for seed in seeds if (outcome := evening(seed, chips=chips)).wrong}


def test_in_a_few_evenings_nothing_goes_wrong_in_silence():
    assert wrong_in(range(SHORT)) == {}


@pytest.mark.long
@pytest.mark.parametrize("first", range(SHORT, EVENINGS, AT_ONCE))
def test_in_many_evenings_nothing_goes_wrong_in_silence(first: int):
    assert wrong_in(range(first, first + AT_ONCE)) == {}


def test_an_evening_of_a_fourth_game_goes_right_too():
    drawn = plan(3, KINDS)
    fourth = GameOptions(2, "standard", {"cards_to_win": "4"}, None)
    with registered():
        outcome = play_plan(replace(drawn, game="tiny", game_options=fourth))
    assert outcome.wrong == ()
    assert outcome.faults


@pytest.mark.parametrize("seed", long_params([2, 11, 5]))
def test_at_the_chips_nothing_goes_wrong_in_silence(seed: int):
    assert wrong_in([seed], chips=True) == {}


@pytest.mark.parametrize(("what", "seed"), long_params(FOUND_BY.items(), 3))
def test_what_is_broken_on_purpose_is_found(what: str, seed: int):
    with BREAKINGS[what]():
        assert evening(seed).wrong


def test_a_table_that_dies_while_it_starts_is_away_until_it_is_back(monkeypatch: pytest.MonkeyPatch):
    came_back: list[tuple[bool, bool]] = []
    right = Night._come_back

    async def come_back(night: Night, **how: bool) -> None:
        await right(night, **how)
        came_back.append((night.dead, night._alive.is_set()))

    monkeypatch.setattr(Night, "_come_back", come_back)
    # the second waits for a commit, and the first one is that of the start
    kills = (
        Fault(0, 20.0, "table-killed", {"point": "before COMMIT", "off_s": 1.0}),
        Fault(1, 20.0, "table-killed", {"point": "turn", "off_s": 1.0}),
    )
    drawn = plan(4, KINDS)
    assert play_plan(replace(drawn, faults=kills)).wrong == ()
    assert came_back == [(True, False), (False, True)]


def test_faults_of_what_plugs_together_count_only_if_they_had_an_effect():
    drum = {"seat": 1, "held": True}
    faults = (
        Fault(0, 15.0, "hung-switch", {"pad": 0, "for_s": 5.0}),
        Fault(1, 30.0, "held-bus", {"pad": 0, "for_s": 20.0}),
        Fault(2, 60.0, "controller-renamed", {"seat": 0}),
        Fault(3, 65.0, "controller-taken", {"seat": 0, "for_s": 5.0}),
        Fault(4, 75.0, "hub-off", {"for_s": 4.0}),
        Fault(5, 85.0, "lost-events", {**drum, "presses": 10}),  # the kernel has room for them
        Fault(6, 95.0, "lost-events", {**drum, "presses": 40}),
        Fault(7, 105.0, "board-reset", {"board": 0}),  # there is none
    )
    drawn = plan(0, KINDS)
    assert drawn.build == READY
    long = replace(drawn, game_options=replace(drawn.game_options, settings={}), faults=faults)
    outcome = play_plan(long)
    assert outcome.wrong == ()
    assert {kind: times for kind, times in outcome.faults.items() if kind != "race-in-a-window"} == {
        **dict.fromkeys(("hung-switch", "held-bus", "controller-renamed", "controller-taken", "hub-off"), 1),
        "lost-events": 1,
        "board-reset": 0,
    }
    assert {"PartLost: pad", "PartLost: oled", "PartLost: button", "PartLost: lamp"} <= outcome.loud.keys()


def test_a_second_tag_that_a_boxed_reader_cannot_have_seen_need_not_be_told():
    drawn = plan(30, KINDS)
    assert drawn.build == USB

    def wrong_with_clones(for_s: float) -> tuple[str, ...]:
        about = {"after_s": 0.7, "for_s": for_s}
        faults = (Fault(n, 20.0 + 12 * n, "cloned-tag", {"pad": n, **about}) for n in range(20))
        outcome = play_plan(replace(drawn, slips=NO_SLIPS, faults=tuple(faults)))
        assert outcome.faults["cloned-tag"] > 1
        return outcome.wrong

    # the readers look every 0.25 to 0.4 s
    assert wrong_with_clones(0.2) == ()
    with BREAKINGS["clones"]():
        assert any("two tags" in each for each in wrong_with_clones(1.5))


def test_a_card_that_no_reader_saw_is_not_carried_on_in_the_turn_of_another(monkeypatch: pytest.MonkeyPatch):
    async def left_out_of_turn(night: Night) -> bool:
        while (wish := night.about_to_tap) is None or wish.pad != wish.seat:
            await asyncio.sleep(0.5)
        night.table.unheard(wish.pad, True)
        with night.troubles.blind(wish.pad), night.troubles.twice(wish.pad):
            lying = asyncio.create_task(left_lying(night, 3.001))
            await asyncio.sleep(0.3)
            night.table.press(wish.seat)
            await asyncio.sleep(2.6)
            assert wish.card in night.people.truth.hands[wish.seat - 1]
            assert night.room.session.table.scoreboard.seat != wish.seat
            await lying
        night.table.unheard(wish.pad, False)
        return True

    drawn = plan(3, KINDS)
    assert drawn.game == "online"
    monkeypatch.setitem(KINDS, "left-out-of-turn", Kind(lambda _: {}, left_out_of_turn))
    faults = (Fault(0, 15.0, "left-out-of-turn", {}),)
    outcome = play_plan(replace(drawn, slips=NO_SLIPS, races=False, faults=faults))
    assert outcome.wrong == ()
    assert outcome.faults["left-out-of-turn"] == 1


def test_every_breaking_is_tried():
    assert FOUND_BY.keys() == BREAKINGS.keys()


def test_the_same_seed_is_the_same_evening_and_only_some_faults_can_strike():
    once, again = evening(5), evening(5)
    assert (once.faults, once.loud, once.table_s) == (again.faults, again.loud, again.table_s)
    assert sum(once.faults.values()) > 1
    assert sum(evening(5, only=()).faults.values()) == 0


def test_plans_have_every_game_and_every_kind_of_fault():
    plans = [plan(seed, KINDS) for seed in range(800)]
    assert {each.game for each in plans} == GAMES.keys()
    assert {each.build for each in plans} == {*WEIGHTS, USB} == PARTS_OF.keys()
    drawn = Counter(fault.kind for each in plans for fault in each.faults)
    assert drawn.keys() == KINDS.keys()
    assert min(drawn.values()) > 50


def test_the_least_faults_are_found():
    tried: list[Sequence[int]] = []

    def goes_wrong(faults: Sequence[int]) -> bool:
        tried.append(faults)
        return {3, 17} <= set(faults)

    assert least(range(40), goes_wrong) == [3, 17]
    assert len(tried) < 40
    assert least(range(40), lambda _: True) == []


def test_results_are_gone_on_with_and_summed_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    played: list[int] = []

    def play(seed: int) -> Outcome:
        played.append(seed)
        wrong = ("cards: one too many",) if seed == 7 else ()
        return Outcome(seed, "xnet", "full", False, 2, {"stalled-host": 1}, {"PartLost: board": 2}, wrong, 600, 0.5)

    monkeypatch.setattr(running, "commit", lambda: "0123456")
    monkeypatch.setattr(running, "soak", lambda seeds, *_: map(play, seeds))
    results = tmp_path / "results.jsonl"
    assert running.main(["--seed", "3", "--evenings", "10", "--results", str(results), "--no-shrink"]) == 1
    assert "scripts/soak --seed 7" in capsys.readouterr().out
    assert running.main(["--seed", "3", "--evenings", "12", "--results", str(results), "--no-shrink"]) == 0
    assert played == [*range(3, 15)]
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert [(line["first"], line["last"], line["evenings"]) for line in lines] == [(3, 12, 10), (13, 14, 2)]
    capsys.readouterr()
    assert running.main(["--summary", str(results)]) == 0
    told = capsys.readouterr().out
    assert "12 evenings with 24 games" in told
    assert "| stalled-host | 12 | | | | |" in told
    assert "| part-lost: board | 24 | | | | |" in told
    assert "- seed 7: cards: one too many" in told
