"""Putting things right at the page, in a browser, while buttons are pressed and cards are tapped at the simulated
hardware."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from taptable.core.player import PlayerAction, Push, Tap
from taptable.daemon.seating import seat_member
from taptable.games.online.state import Team
from taptable.memory.journal_reader import JournalReader

from page.a_table import PageTable
from page.layout import layout_faults
from page.staging import Stage
from page.table_pool import TablePool
from page.visitor import Visitor

QUESTION, CHECK, NOTE = "[data-take-back]", "[data-check]", "[data-note]"
INSTRUCTION, WITHDRAW = "[data-instruction]", '[data-do="withdraw"]'
ROWS, HAND = '[data-do="rows-checked"]', '[data-do="hand-counted"]'


@contextmanager
def putting_right(rooms: TablePool, players: int = 4) -> Iterator[tuple[PageTable, Visitor]]:
    """A game under way, seat 1 on turn, and somebody at the view."""
    with rooms.table(players) as (table, visitor):
        table.stages(lambda stage: stage.lays_rows())
        visitor.clicks('nav [data-view="correct"]')
        visitor.sees(action("check"))
        yield table, visitor


def action(name: str) -> str:
    return f'[data-remedy="{name}"]'


def does(table: PageTable, *actions: PlayerAction) -> None:
    """Actions of hands at the simulated hardware, a press again until it is heard."""

    async def scene(stage: Stage) -> None:
        for each in actions:
            await stage.does(each)

    table.stages(scene)


def teams(table: PageTable) -> tuple[Team, ...]:
    return table.ask(lambda: table.state.teams)


def asked_for(table: PageTable) -> list[tuple[str, str]]:
    """The requests at the page and their authors, by the journal."""
    with JournalReader.open(table.config.table.journal) as journal:
        last = journal.last_game()
        assert last is not None
        lines = [entry.line for entry in journal.entries(last.id) if entry.kind == "note" and entry.line is not None]
    return [(line["what"], line["by"]) for line in lines if line["type"] == "correction-asked" and line["by"]]


def hears(visitor: Visitor, sentence: str) -> None:
    """Wait until the page shows this answer."""
    said = "([hook, sentence]) => document.querySelector(hook).textContent.includes(sentence)"
    visitor.until(f"“{sentence}”", said, [NOTE, sentence])


def agrees(visitor: Visitor, hook: str) -> str:
    """Click, say yes to the question whether it is meant, and give what that said."""
    visitor.clicks(hook)
    said = visitor.text("dialog[data-question]")
    visitor.clicks('[data-question] [data-answer="yes"]')
    visitor.sees("dialog[data-question]", hidden=True)
    return said


def test_a_check_finds_a_missing_and_an_extra_card_and_hands_of_none_and_one(rooms: TablePool) -> None:
    with putting_right(rooms) as (table, visitor):
        lying = table.ask(lambda: table.session.table.game.cards_of(table.state, (1, 3)))
        extra = next(card for card in table.ask(lambda: table.truth.hand(2)) if card.startswith(("email", "music")))
        visitor.clicks(action("check"))
        visitor.reads(INSTRUCTION, "Seats 1 and 3: tap every card of your rows once, the topmost last, then")
        assert visitor.page.locator("[data-tick]").count() == len(lying)
        does(table, *(Tap(1, card, 1) for card in lying[1:]), Tap(1, extra, 1))
        for card in lying[1:]:
            visitor.sees(f'[data-tick="{card}"][data-ticked="true"]')
        visitor.reads(ROWS, "Done: what isn’t tapped isn’t here (1)")
        visitor.sees("[data-extra]")
        visitor.clicks(ROWS)
        hears(visitor, "Missing here:")
        visitor.sees("[data-found] li")
        visitor.reads(INSTRUCTION, "Seats 2 and 4: tap")
        others = table.ask(lambda: table.session.table.game.cards_of(table.state, (2, 4)))
        does(table, *(Tap(2, card, 2) for card in others))
        visitor.reads(ROWS, "All")
        does(table, Push(4))  # the button does the same
        visitor.sees(HAND)
        held = list(table.ask(lambda: table.state.hands))
        visitor.reads(INSTRUCTION, f"Seat 1: {held[0]} cards in hand?")
        for count in (0, 1):
            for _ in range(held[count] - count):
                visitor.clicks('[data-step="less"]')
            visitor.reads(HAND, ("No, 0 cards", "No, 1 card")[count])
            visitor.clicks(HAND)
            visitor.sees(f"{CHECK} [data-found]")
            visitor.until(
                "the next seat",
                "([hook, text]) => document.querySelector(hook).textContent.startsWith(text)",
                [INSTRUCTION, f"Seat {count + 2}:"],
            )
        visitor.clicks(HAND)
        visitor.reads(INSTRUCTION, "Seat 4:")
        visitor.clicks(HAND)
        visitor.sees(action("check"))
        hears(visitor, "Table checked, 4 corrections.")
        assert table.ask(lambda: table.state.hands) == (0, 1, held[2], held[3])
        there = table.ask(lambda: table.session.table.game.cards_of(table.state, (1, 3)))
        assert sorted(there) == sorted((*lying[1:], extra))


@pytest.mark.long
def test_a_check_can_be_done_with_keys_alone_and_broken_off(rooms: TablePool) -> None:
    with putting_right(rooms) as (table, visitor):
        before = table.ask(lambda: table.state)
        keys = visitor.page.keyboard
        visitor.sees(action("check")).focus()
        keys.press("Enter")
        visitor.sees(ROWS).focus()
        keys.press("Enter")
        visitor.sees("#check-whose:focus")
        visitor.reads("#check-whose", "Seats 2 and 4")
        keys.press("Tab")
        visitor.sees(f"{ROWS}:focus")
        keys.press("Tab")
        keys.press("Enter")
        visitor.sees(action("check"))
        hears(visitor, "Check ended, nothing was changed.")
        assert table.ask(lambda: table.state) == before


@pytest.mark.long
def test_a_lost_card_is_found_by_its_kind_and_place_and_put_back_once_it_turns_up(rooms: TablePool) -> None:
    with putting_right(rooms) as (table, visitor):
        card = next(each for each in table.ask(lambda: table.session.table.game.cards_of(table.state, (1, 3))))
        visitor.clicks(action("lost"))
        visitor.clicks(f'[data-step="lost"] button[data-kind="{card.partition("#")[0]}"]')
        visitor.reads('[data-step="lost"] h4', "Seats 1 and 3")
        visitor.sees(f'[data-lose="{card}"]').focus()
        table.stages(lambda stage: stage.readies(1, "extra-memory"))  # it is drawn again
        visitor.sees(f'[data-lose="{card}"]:focus')
        assert "It counts nowhere until it is found." in agrees(visitor, f'[data-lose="{card}"]')
        visitor.sees(action("lost"))
        hears(visitor, "is lost, out of the game.")
        assert table.ask(lambda: table.state.lost) == (card,)
        visitor.clicks(action("lost"))
        visitor.clicks(f'[data-recover="{card}"]')
        visitor.sees(f'[data-recover="{card}"]', hidden=True)
        assert table.ask(lambda: table.state.lost) == ()
        assert asked_for(table) == [("lost", "page"), ("recovered", "page")]


def test_a_newcomer_plays_on_and_a_member_elsewhere_keeps_the_seat_and_the_name(rooms: TablePool) -> None:
    with putting_right(rooms) as (table, visitor):

        async def sits() -> None:
            members = table.harness.daemon.members
            seat_member(table.harness.daemon.controller, members.add("Anna", "#8ec1ff", "name").id, 3)
            members.add("Bea", "#8ec1ff", "name")

        table.happens(sits)
        visitor.clicks(action("vacate"))
        visitor.clicks('[data-leaver="2"]')
        visitor.sees("[data-newcomer-name]").fill("Bob")
        visitor.clicks('[data-do="play-on"]')
        hears(visitor, "Bob plays on for Seat 2.")
        visitor.clicks(action("vacate"))
        visitor.clicks('[data-leaver="2"]')
        visitor.sees("[data-newcomer-name]").fill("Dot")
        visitor.clicks('[data-do="play-on"]')
        hears(visitor, "Dot plays on for Bob (seat 2).")
        visitor.clicks(action("vacate"))
        visitor.clicks('[data-leaver="4"]')
        visitor.clicks(action("mate-2"))
        hears(visitor, "Dot (seat 2) plays on for Seat 4 too.")
        visitor.clicks(action("vacate"))
        visitor.clicks('[data-leaver="4"]')
        visitor.sees("[data-newcomer-member]").select_option(label="Bea")
        visitor.sees("[data-newcomer-name]", hidden=True)
        visitor.clicks('[data-do="play-on"]')
        hears(visitor, "Bea plays on for Dot (seat 4).")
        session = table.ask(lambda: table.session)
        anna, bea = (member.id for member in table.harness.daemon.members.all)
        assert session.members == ("", "", anna, bea)
        assert session.names == ("", "Dot", "", "")


async def _few_and_big(stage: Stage) -> None:
    """Seat 1 has more MB, seat 2 more cards."""
    await stage.readies(1, "online", "extra-memory", "movie")
    await stage.does(Push(1))
    await stage.readies(2, "turbo-line", "email", "email")


@pytest.mark.long
def test_where_cards_decide_every_result_says_so(rooms: TablePool) -> None:
    settings = {"teams": "solo", "time_limit_s": "80000"}
    with rooms.table(4, edition="fr", settings=settings) as (table, visitor):
        visitor.speaks("fr")
        table.stages(_few_and_big)
        visitor.clicks('nav [data-view="correct"]')
        said = agrees(visitor, action("end-game"))
        assert "Rang 1 : Joueur 2, 50 Mo, cartes de catégorie : 2." in said
        visitor.clicks('nav [data-view="table"]')
        visitor.reads('.mat[data-place="1"] [data-decides]', "cartes")
        visitor.reads('.mat[data-place="1"] .score-behind', "50 Mo")
        visitor.reads('.ranking [data-place="1"]', "cartes de catégorie : 2")
        assert layout_faults(visitor.page) == []
        visitor.clicks("[data-see-how]")
        visitor.reads('[data-result] [data-place="1"]', "cartes de catégorie : 2")
        visitor.reads(".game-ended", "Aux cartes de catégorie : 2 contre 1, 0, 0.")
        assert layout_faults(visitor.page) == []
