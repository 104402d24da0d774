"""A person at a seat of the demo plays games that have controls, pads and windows of their own."""

from __future__ import annotations

from pathlib import Path

from demo_rig import Desk, at_the_keyboard
from taptable.sim.hints import offered
from taptable.sim.scenes import look_of


def test_x3_9_a_person_lays_the_pyramid_and_buys_from_the_list_of_actions(tmp_path: Path):
    async def evening(desk: Desk):
        for owed in ("3 more cards", "2 more cards", "one more card"):
            await desk.sees(f"Pyramid: {owed}")
            await presses(desk, "e")
        await desk.sees("Your turn")
        await presses(desk, "m")
        await desk.sees("Which action?")
        desk.press("escape")
        await desk.sees("Your turn")
        await presses(desk, "m", str(number_of(desk, "Server")))
        for owed in ("5 more cards", "4 more cards", "3 more cards", "2 more cards", "one more card"):
            await desk.sees(f"Server: {owed}")
            await presses(desk, "d")
        await desk.sees("servers 2/3")
        assert not desk.room.people.counts.disagreements

    at_the_keyboard(tmp_path, evening, game="xnet", players=3)


async def presses(desk: Desk, *keys: str) -> None:
    """Press keys as soon as the hands are free."""
    await desk.until(lambda: "\n…" not in desk.screen, "free hands")
    desk.press(*keys)


def number_of(desk: Desk, action: str) -> int:
    """Under which number an action stands in the list."""
    names = [look_of("xnet", "en").words.kind(card) for card in offered(desk.room.session.table)]
    return names.index(action) + 1


def test_s5_2_a_person_may_launch_an_attack_or_spare_the_next_player(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        await desk.taps(an_attack(desk), "discard")
        await desk.sees("Attack? Press your button.")
        desk.press("m", "enter")
        await desk.sees("Seat 1 doesn’t attack.")

    at_the_keyboard(tmp_path, evening, game="cyber-siege", players=2, seed=4)


def test_s6_1_a_launched_attack_is_counted_down(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        await desk.taps(an_attack(desk), "discard")
        desk.press("space")
        await desk.sees("Attack by seat 1")
        await desk.sees("Wait: is the attack answered?")

    # nobody answers before it was seen
    at_the_keyboard(tmp_path, evening, game="cyber-siege", players=2, people=(1, 2), seed=4)


def an_attack(desk: Desk) -> str:
    return next(card for card in desk.hand() if card.split("#")[0].endswith((".1", ".2")))
