"""A person at the page plays a seat: every action once, what the table says of it, and what would be legal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from demo_page.rig import Visitor, at_the_page, cards_on, sentences_in

ON_PAD_S = 0.2
"""By then a card that was put down lies there."""


async def test_a_tap_is_refused_with_rule_and_reason_and_what_would_be_legal_then_cards_are_laid(
    visitor: Visitor,
) -> None:
    await visitor.on_turn(1)
    visitor.deal("online#1", "email#1")
    refused = await visitor.asks("tap", seat=1, card="email#1", pad=1)
    assert [(item["kind"], item["rule"]) for item in refused["said"]] == [("refused", "R5.1")]
    assert refused["said"][0]["when"] == ""
    assert "on your pad" in refused["hint"]
    assert sentences_in(await visitor.asks("tap", seat=1, card="online#1", pad=1)) == ["Seat 1 plays Online."]
    laid_down = await visitor.asks("tap", seat=1, card="email#1", pad=1)
    assert sentences_in(laid_down) == ["Seat 1 downloads E-mail: 25 MB now."]
    assert "hint" not in laid_down
    assert visitor.hand() == visitor.sees()["hands"]["1"]["zones"][0]["cards"]
    assert "Ben is on turn." in sentences_in(await visitor.asks("press", seat=1))


async def test_what_is_fair_and_legal_is_shown_with_a_hint_and_what_is_waited_for(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    visitor.deal("online#1", "virus#1")
    await asyncio.sleep(1)
    hands = visitor.sees()["hands"]["1"]
    assert ["online#1", 1] in hands["fair"]
    assert ["virus#1", "discard"] in hands["fair"]
    assert ["virus#1", 2] not in hands["fair"]
    assert hands["meaning"] == "stop"
    assert ("online#1" in hands["raised"], "virus#1" in hands["raised"]) == (True, False)
    assert hands["lit"] == [1, "discard"]
    assert hands["hint"].endswith("on your pad, or any card on the discard pad; the button ends the turn.")
    assert hands["now"] == "It is your turn."
    assert hands["busy"] is False


async def test_a_card_that_the_table_would_take_for_anothers_stays_in_the_hand(tmp_path: Path) -> None:
    async with at_the_page(tmp_path, starter=2) as visitor:
        await visitor.on_turn(2)
        visitor.deal("music#1")
        for verb in ("tap", "put", "hold"):
            answer = await visitor.asks(verb, seat=1, card="music#1", pad="discard")
            assert "The table can’t see whose card that is" in answer["why"]
        assert "music#1" in visitor.hand()
        assert cards_on("discard", visitor) == []


async def test_only_cards_in_reach_are_tapped_and_only_at_seats_of_people(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    theirs = visitor.hand(2)[0]
    assert (await visitor.asks("tap", seat=1, card=theirs, pad=1))["why"] == "That card is not within your reach."
    answer = await visitor.asks("tap", seat=2, card=theirs, pad=2)
    assert answer["why"] == "A virtual player plays at seat 2. Sit down there first."


async def test_r3_5_an_8th_card_is_drawn_and_owed_before_stop(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    assert (await visitor.asks("draw", seat=1))["ok"]
    assert len(visitor.hand()) == 8
    assert (await visitor.asks("draw", seat=1))["why"] == "There is no card to draw now."
    owed = "You hold 8 cards: play or discard one before Stop."
    assert visitor.sees()["hands"]["1"]["owed"] == owed
    assert (await visitor.asks("press", seat=1))["why"] == owed
    await visitor.asks("tap", seat=1, card=visitor.hand()[7], pad="discard")
    assert "Ben is on turn." in sentences_in(await visitor.asks("press", seat=1))


async def test_r5_5_a_card_that_is_held_backs_its_row_up(tmp_path: Path) -> None:
    async with at_the_page(tmp_path, quota_email="1") as visitor:
        await visitor.on_turn(1)
        visitor.deal("online#1", "email#1")
        await visitor.asks("tap", seat=1, card="online#1", pad=1)
        await visitor.asks("tap", seat=1, card="email#1", pad=1)
        assert ["email#1", 1] in visitor.sees()["hands"]["1"]["holds"]
        assert "Seat 1 backs up the E-mail row." in sentences_in(
            await visitor.asks("hold", seat=1, card="email#1", pad=1)
        )


async def test_r5_5_a_card_that_rests_on_the_pad_backs_its_row_up_and_is_lifted(tmp_path: Path) -> None:
    async with at_the_page(tmp_path, quota_email="1") as visitor:
        await visitor.on_turn(1)
        visitor.deal("online#1", "email#1")
        await visitor.asks("tap", seat=1, card="online#1", pad=1)
        assert sentences_in(await visitor.asks("put", seat=1, card="email#1", pad=1)) == [
            "Seat 1 downloads E-mail: 25 MB now."
        ]
        assert visitor.sees()["hardware"]["seats"][0]["cards"] == ["email#1"]
        assert visitor.sees()["hands"]["1"]["busy"]
        await visitor.asks("lift", seat=1, card="email#1", pad=1)
        assert cards_on(1, visitor) == []
        await visitor.asks("put", seat=1, card="email#1", pad=1)
        await asyncio.sleep(2)
        answer = await visitor.asks("lift", seat=1, card="email#1", pad=1)
        assert "Seat 1 backs up the E-mail row." in sentences_in(answer)


async def test_what_a_client_has_put_on_a_pad_is_lifted_when_it_is_gone(visitor: Visitor) -> None:
    other = Visitor(visitor.evening, client="other")
    await visitor.on_turn(1)
    card = visitor.hand()[0]
    await visitor.asks("put", seat=1, card=card, pad=1)
    other.leaves()
    await asyncio.sleep(1)
    assert cards_on(1, visitor) == [card]
    visitor.leaves()
    await asyncio.sleep(ON_PAD_S)
    assert cards_on(1, visitor) == []
    await asyncio.sleep(1)
    assert (await visitor.asks("lift", seat=1, card=card, pad=1)) == {"ok": True, "said": []}
    assert not visitor.sees()["hands"]["1"]["busy"]


async def test_a_card_that_is_lifted_before_the_hands_were_free_is_not_put_down(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    first, second = visitor.hand()[:2]
    tapping = asyncio.create_task(visitor.asks("tap", seat=1, card=first, pad=2))
    await asyncio.sleep(ON_PAD_S)
    putting = asyncio.create_task(visitor.asks("put", seat=1, card=second, pad=1))
    await asyncio.sleep(0)
    await visitor.asks("lift", seat=1, card=second, pad=1)
    assert (await tapping)["said"] != []
    assert await putting == {"ok": True, "said": []}
    await asyncio.sleep(1)
    assert cards_on(1, visitor) == []


async def test_one_action_after_the_other_and_not_too_many(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    cards = visitor.hand()[:6]
    asked = [asyncio.create_task(visitor.asks("tap", seat=1, card=card, pad="discard")) for card in cards]
    await asyncio.sleep(ON_PAD_S)
    assert len(cards_on("discard", visitor)) == 1
    answers = await asyncio.gather(*asked)
    assert [answer["ok"] for answer in answers] == [True] * 4 + [False] * 2
    assert answers[-1]["why"] == "One thing after the other: your hands are full."
    assert visitor.hand()[:2] == cards[4:]


async def test_stop_waits_for_the_verdict_on_a_card(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    tapping = asyncio.create_task(visitor.asks("tap", seat=1, card=visitor.hand()[0], pad="discard"))
    await asyncio.sleep(0.01)
    assert "Ben is on turn." in sentences_in(await visitor.asks("press", seat=1))
    assert sentences_in(await tapping)[0].startswith("Seat 1 discards")
    visitor.assert_cards_as_believed()


async def test_r8_1_a_card_that_a_search_found_is_judged_before_the_search_is_waived(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    visitor.deal("search#1")
    await visitor.asks("tap", seat=1, card="search#1", pad=1)
    await visitor.until(lambda: not visitor.sees()["hands"]["1"]["busy"], "free hands")
    found = visitor.people.reachable(1)[1].cards[0]
    assert visitor.sees()["hands"]["1"]["meaning"] == "waive-search"
    tapping = asyncio.create_task(visitor.asks("tap", seat=1, card=found, pad="discard"))
    await asyncio.sleep(0.01)
    assert "Seat 1 does without the searched card." in sentences_in(await visitor.asks("press", seat=1))
    assert sentences_in(await tapping)[0].startswith("Refused (R8.1)")
    visitor.assert_cards_as_believed()


async def test_a_card_behind_stop_is_not_taken_for_the_next_players(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    pressing = asyncio.create_task(visitor.asks("press", seat=1))
    await asyncio.sleep(0)
    answer = await visitor.asks("tap", seat=1, card=visitor.hand()[0], pad="discard")
    assert "The table can’t see whose card that is" in answer["why"]
    await pressing
    visitor.assert_cards_as_believed()


async def test_r3_1_no_card_is_drawn_behind_stop(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    pressing = asyncio.create_task(visitor.asks("press", seat=1))
    await asyncio.sleep(0)
    assert (await visitor.asks("draw", seat=1))["why"] == "There is no card to draw now."
    await pressing
    assert len(visitor.hand()) == 7


async def test_r3_6_a_virtual_player_leaves_an_8th_card_out_of_the_count(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    await visitor.asks("draw", seat=1)
    await visitor.asks("tap-control", seat=1, control="check")
    await visitor.asks("stand", seat=1)
    await visitor.until(lambda: visitor.harness.session.prompts.checking is None, "the end of the check", 600)
    visitor.assert_cards_as_believed()


async def test_r7_2_a_person_buzzes_with_an_action_under_way_and_shows_the_patrol(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    visitor.deal("online#1", "email#1", "cyber-patrol#1", "virus#1")
    await visitor.asks("tap", seat=1, card="online#1", pad=1)
    await visitor.asks("tap", seat=1, card="email#1", pad=1)
    visitor.deal("hacker#1", seat=2)
    await visitor.asks("press", seat=1)
    await visitor.until(lambda: visitor.state.window is not None, "a window", 600)
    virus = asyncio.create_task(visitor.asks("tap", seat=1, card="virus#1", pad=1))
    await asyncio.sleep(ON_PAD_S)
    assert visitor.sees()["hands"]["1"]["now"].startswith("Hacker!")
    assert (await visitor.asks("press", seat=1))["said"] != []
    await virus
    answer = await visitor.asks("tap", seat=1, card="cyber-patrol#1", pad=1)
    assert any("Cyber Patrol! Seat 1 stops Ben" in sentence for sentence in sentences_in(answer))


async def test_control_cards_of_a_person_and_of_who_looks_on(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    visitor.deal("online#1")
    await visitor.asks("tap", seat=1, card="online#1", pad=1)
    await visitor.asks("tap-control", seat=1, control="take-back")
    await visitor.until(lambda: "online#1" in visitor.hand(), "the card back in the hand")
    assert sentences_in(await visitor.asks("tap-control", seat=1, control="pause")) == ["The game is paused."]
    await asyncio.sleep(60)
    assert visitor.people.paused
    assert (await visitor.asks("tap-control", control="pause"))["ok"] is False
    await visitor.asks("stand", seat=1)
    await visitor.until(lambda: not visitor.people.paused, "virtual players who go on")
    await visitor.asks("tap-control", control="pause")
    await asyncio.sleep(60)
    assert visitor.people.paused


async def test_a_check_of_the_table_with_the_rows_tapped_at_once(visitor: Visitor) -> None:
    await visitor.on_turn(1)
    visitor.deal("online#1", "email#1")
    await visitor.asks("tap", seat=1, card="online#1", pad=1)
    await visitor.asks("tap", seat=1, card="email#1", pad=1)
    assert (await visitor.asks("tap-rows", seat=1))["why"] == "That is for checking the table."
    await visitor.asks("tap-control", seat=1, control="check")
    assert visitor.sees()["hands"]["1"]["now"].startswith("Check: do what the table asks")
    ticked = sentences_in(await visitor.asks("tap-rows", seat=1))
    assert len(ticked) == 2
    assert ticked[-1].endswith("0 left.")
    await visitor.asks("press", seat=1)
    await visitor.until(lambda: visitor.sees()["hands"]["1"]["meaning"] == "check", "the hand to be counted")
    while any(item["type"] == "press-unheard" for item in (await visitor.asks("press", seat=1))["said"]):
        await asyncio.sleep(1)
    await visitor.until(lambda: visitor.harness.session.prompts.checking is None, "the end of the check", 600)


async def test_a_virtual_player_gets_up_for_a_person_and_sits_down_again_with_the_same_hand(tmp_path: Path) -> None:
    async with at_the_page(tmp_path, starter=2) as visitor:
        await visitor.on_turn(2)
        hand = visitor.hand(2)
        assert (await visitor.asks("sit", seat=2))["ok"]
        await asyncio.sleep(30)
        assert sorted(visitor.hand(2)) == sorted(hand)
        assert visitor.sees()["demo"]["people"] == [1, 2]
        assert set(visitor.sees()["hands"]) == {"1", "2"}
        assert visitor.state.turn.seat == 2
        assert (await visitor.asks("stand", seat=2))["ok"]
        await visitor.on_turn(1)
        assert set(visitor.sees()["hands"]) == {"1"}


@pytest.mark.parametrize("moment_s", [0.0, 0.1, 0.3, 0.5, 1.0])
async def test_a_virtual_player_that_gets_up_in_the_middle_of_an_action_leaves_nothing_on_a_pad(
    moment_s: float, tmp_path: Path
) -> None:
    async with at_the_page(tmp_path, people=()) as visitor:
        await visitor.until(
            lambda: any(visitor.harness.table.tags_on(pad) for pad in (1, 2, "discard")), "a card on a pad"
        )
        await asyncio.sleep(moment_s)
        await visitor.asks("sit", seat=1)
        await visitor.asks("sit", seat=2)
        await asyncio.sleep(1)
        assert [cards_on(pad, visitor) for pad in (1, 2, "discard")] == [[], [], []]
        visitor.assert_cards_as_believed()


async def test_after_a_game_somebody_begins_the_next_or_the_virtual_players_do(tmp_path: Path) -> None:
    quick = {"quota_music": "0", "quota_game": "0", "quota_movie": "0", "quota_email": "1"}
    async with at_the_page(tmp_path, people=(), **quick) as visitor:
        await visitor.until(visitor.people.game_over.is_set, "the end", 3600)
        await visitor.asks("sit", seat=1)
        await asyncio.sleep(120)
        assert visitor.people.game_over.is_set()
        assert "New game" in visitor.sees()["hands"]["1"]["now"]
        await visitor.asks("stand", seat=1)
        await visitor.until(lambda: not visitor.people.game_over.is_set(), "another game")
