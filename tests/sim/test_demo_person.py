"""A person at a seat of the demo plays by keys: the whole demo runs in given time, its screen is read as it stands."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from demo_rig import Desk, at_the_keyboard


def test_a_person_is_refused_with_rule_and_reason_then_lays_a_card_and_presses_stop(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.deal("online#1", "email#1")
        await desk.taps("email#1")
        await desk.sees("Refused (R5.1): E-mail, seat 1. You are not online. Play Online or Turbo-Line first.")
        await desk.taps("online#1")
        await desk.sees("Seat 1 plays Online.")
        await desk.taps("email#1")
        await desk.sees("Seat 1 downloads E-mail: 25 MB now.")
        desk.press("space")
        await desk.sees("Seat 2 is on turn.")
        assert not desk.room.people.counts.disagreements

    at_the_keyboard(tmp_path, evening)


def test_the_cursor_chooses_as_well_as_numbers(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.deal("online#1", "virus#1", "movie#1")
        await desk.sees("[1 Online]")
        desk.press("right", "right")
        await desk.sees("[3 Movie]")
        desk.press("left", "left", "left")
        await desk.sees("[7")
        desk.press("right", "enter")
        await desk.sees("Online: on which pad?")
        desk.press("escape")
        await desk.sees("Your turn")
        desk.press("enter", "enter")
        await desk.sees("Seat 1 plays Online.")

    at_the_keyboard(tmp_path, evening)


def test_r3_1_an_8th_card_is_drawn_before_playing_and_not_kept(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("x draw the 8th")
        desk.press("x")
        await desk.until(lambda: len(desk.hand()) == 8, "8 cards")
        desk.press("x")
        await desk.sees("There is no card to draw now.")
        desk.press("space")
        await desk.sees("You hold 8 cards: play or discard one before Stop.")
        await desk.taps(desk.hand()[7], "discard")
        desk.press("space")
        await desk.sees("Seat 2 is on turn.")
        assert len(desk.hand()) == 7
        assert not desk.room.people.counts.disagreements

    at_the_keyboard(tmp_path, evening)


def test_a_hint_names_what_would_count_and_for_whom_the_button_is(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.deal("online#1", "virus#1")
        desk.press("h")
        await desk.sees("? Online → your pad")
        assert "any card → discard pile" in desk.screen
        assert "Space: Stop" in desk.screen
        assert "Virus →" not in desk.screen
        desk.press("space")
        await desk.sees("Seat 2 is on turn.")
        desk.press("h")
        await desk.sees("? No card counts now")

    at_the_keyboard(tmp_path, evening)


def test_a_card_that_the_table_would_take_for_anothers_stays_in_the_hand(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Seat 2 is on turn.")
        desk.deal("music#1")
        desk.press("1", "d")
        await desk.sees("The table can’t see whose card that is")
        assert "music#1" in desk.hand()

    at_the_keyboard(tmp_path, evening, starter=2)


def test_r2_3_the_youngest_may_be_a_person(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Are you the youngest? Then press your button.")
        desk.press("space")
        await desk.sees("Seat 1 is on turn.")

    at_the_keyboard(tmp_path, evening, starter=None)


def test_r5_5_a_card_held_on_the_pad_backs_its_row_up(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.deal("online#1", "email#1")
        await desk.taps("online#1")
        await desk.taps("email#1")
        desk.press("down")
        await desk.sees("E-mail 1 (2/2):")
        desk.press("b")
        await desk.sees("Seat 1 backs up the E-mail row.")

    at_the_keyboard(tmp_path, evening, settings={"quota_email": "1"})


def test_r7_7_a_person_hacks_a_card_that_lies_on_the_table(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Seat 2 is on turn.")
        desk.deal("online#1", "online#2", "online#3", seat=2)
        await desk.sees("Your turn")
        desk.deal("hacker#1")
        await desk.taps("hacker#1")
        await desk.sees("Wait: perhaps a Cyber Patrol stops the hacker.")
        await desk.sees("Your hack: choose a card on the table")
        await desk.sees("Line 2")
        desk.press("enter", "d")
        await desk.sees("to the discard pile.")
        assert not desk.room.people.counts.disagreements

    at_the_keyboard(tmp_path, evening, starter=2)


def test_r7_2_a_person_buzzes_and_shows_the_patrol(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Seat 2 is on turn.")
        desk.deal("cyber-patrol#1")
        desk.deal("hacker#1", seat=2)
        await desk.sees("If you hold Cyber Patrol, press your button at once.")
        desk.press("space")
        await desk.sees("You were first: show Cyber Patrol on your pad!")
        desk.press("1", "enter")
        await desk.sees("Cyber Patrol! Seat 1 stops seat 2")

    async def until_a_hacker(desk: Desk):
        # the virtual player shows its hacker once there is something to hack
        await desk.sees("Your turn")
        desk.deal("online#1", "email#1")
        await desk.taps("online#1")
        await desk.taps("email#1")
        desk.press("space")
        await evening(desk)

    at_the_keyboard(tmp_path, until_a_hacker)


def test_r8_1_a_search_lets_a_person_choose_from_the_draw_pile(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.deal("search#1", "online#1")
        await desk.taps("search#1")
        await desk.sees("Your search: choose a card of the draw pile and play it.")
        await desk.sees("Draw pile (2/2):")
        desk.press("up")
        await desk.sees("Hand (1/2):")
        desk.press("1", "enter")
        await desk.sees("The table can’t see whose card that is")
        desk.press("down", "1", "enter")
        await desk.sees("Seat 1 plays Online.")
        assert not desk.room.people.counts.disagreements

    at_the_keyboard(tmp_path, evening)


def test_control_cards_take_back_pause_and_reshuffle(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.deal("online#1")
        await desk.taps("online#1")
        desk.press("t")
        await desk.sees("Seat 2 agrees.")
        await desk.sees("The last move is taken back.")
        assert "online#1" in desk.hand()
        desk.press("p")
        await desk.sees("The game is paused: your button goes on.")
        desk.press("space")
        await desk.sees("Play goes on.")
        desk.press("r")
        await desk.sees("Reshuffled.")
        assert not desk.room.people.counts.disagreements

    at_the_keyboard(tmp_path, evening)


@pytest.mark.long
def test_a_pause_lasts_until_a_person_ends_it(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Seat 2 is on turn.")
        desk.press("p")
        await desk.sees("The game is paused: your button goes on.")
        before_us = desk.room.daemon.clock.now_us()
        await desk.until(lambda: desk.room.daemon.clock.now_us() > before_us + 60_000_000, "a minute")
        assert desk.room.people.paused

    at_the_keyboard(tmp_path, evening, starter=2)


def test_a_virtual_player_asks_a_person_to_agree_to_a_take_back(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Seat 2 is on turn.")
        desk.deal("online#1", seat=2)
        await desk.sees("Seat 2 plays Online.")
        await desk.room.people.use_control(3, "take-back")
        await desk.sees("Somebody wants to take a move back: your button says yes.")
        desk.press("space")
        await desk.sees("Seat 1 agrees.")
        await desk.sees("The last move is taken back.")

    at_the_keyboard(tmp_path, evening, starter=2, players=3)


def test_a_person_checks_the_table_together_with_virtual_players(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.deal("online#1", "email#1")
        await desk.taps("online#1")
        await desk.taps("email#1")
        desk.press("c")
        await desk.sees("Do what the table asks")
        desk.press("a")
        await desk.sees("E-mail is right, 0 left")
        desk.press("space")
        await desk.sees("Seat 1: 6 cards in hand?")
        await desk.insists("Seat 2: 7 cards in hand?")
        await desk.sees("able checked")
        await desk.insists("Play goes on.")
        assert not desk.room.people.counts.disagreements

    at_the_keyboard(tmp_path, evening)


def test_two_persons_share_the_keyboard(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("You are seat 1.")
        desk.press("tab")
        await desk.sees("You are seat 2.")
        assert "Tab next person" in desk.screen
        desk.press("tab")
        await desk.sees("You are seat 1.")

    at_the_keyboard(tmp_path, evening, people=(1, 2), players=3)


def test_a_new_game_and_the_way_out_are_asked_for_twice(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.press("n")
        await desk.sees("n once more for a new game")
        desk.press("h")
        await desk.sees("h hint")
        desk.press("n", "n")
        await desk.until(lambda: desk.screen.count("New game:") > 1, "a new game")
        desk.press("q")
        await desk.sees("q once more to quit")
        desk.press("q")
        assert await desk.ended() == 0

    assert at_the_keyboard(tmp_path, evening) == 0


def test_ctrl_c_leaves_at_once(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")

    assert at_the_keyboard(tmp_path, evening) == 130


def test_help_stands_until_the_next_key(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.press("?")
        await desk.sees("You win with 6 E-mail, 4 Music, 2 Game and 2 Movie in your rows.")
        desk.press("d")
        await desk.sees("Your turn")
        assert len(desk.hand()) == 7

    at_the_keyboard(tmp_path, evening)


def test_keys_without_a_meaning_do_nothing(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.press(*"§zé9³Ω", "\x1b[200~pasted\x1b[201~", "\x1bOP", "\x00")
        desk.press("h")
        await desk.sees("Space: Stop")
        assert len(desk.hand()) == 7

    at_the_keyboard(tmp_path, evening)


def test_a_terminal_that_becomes_too_small_says_so_and_comes_back(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        large = desk.glass.size
        desk.glass.size = large._replace(columns=60)
        await desk.sees("This window is too small (60×40): it takes 80×24.")
        desk.glass.size = large
        await desk.sees("Your turn")

    at_the_keyboard(tmp_path, evening)


@pytest.mark.long
def test_who_looks_on_sees_a_game_to_its_end_and_changes_the_speed(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("You look on.")
        desk.press("+")
        await desk.sees("×5")
        desk.press("-", "-")
        await desk.sees("×2")
        desk.press("p")
        await desk.sees("p Go on")
        desk.press("p")
        await desk.sees("p Pause")
        desk.press(*"++++++++")
        await desk.until(desk.room.people.over.is_set, "the end", 3600)
        await desk.sees("Victory for")
        desk.press("q")
        assert await desk.ended() == 0

    assert at_the_keyboard(tmp_path, evening, people=()) == 0


def test_what_goes_wrong_in_a_task_ends_the_demo_and_is_shown(tmp_path: Path):
    async def evening(desk: Desk):
        await desk.sees("Your turn")
        desk.room.people.holdings = None
        with pytest.raises(AttributeError):
            await desk.ended()

    with pytest.raises(AttributeError):
        at_the_keyboard(tmp_path, evening)


@pytest.mark.long
@pytest.mark.parametrize(("players", "people"), [(2, (1,)), (4, (1, 2)), (5, (1,))])
def test_any_keys_at_any_time_break_nothing_and_take_no_card_for_anothers(
    tmp_path: Path, players: int, people: tuple[int, ...]
):
    chance = Random(players)

    async def evening(desk: Desk):
        await desk.sees("You are seat 1.")
        for _ in range(100):
            key = chance.choice(("1", "2", "7", "8", "enter", "enter", "space", "up", "down", "left", *"dbxhtra?c\t§"))
            desk.press(key)
            await asyncio.sleep(chance.uniform(0.1, 2.0))
            assert not desk.running.done()
        assert desk.room.people.counts.disagreements == []

    at_the_keyboard(tmp_path, evening, players=players, people=people, seed=players)
