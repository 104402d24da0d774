"""The actions of a person at a page that concern people and decks of cards."""

from __future__ import annotations

from page.hooks import DECK, TURNS_PAUSE, do
from page.pressing import (
    answers,
    choose,
    disappears,
    fill,
    goes_on,
    opens,
    press,
    saves,
    sees,
    shows_own_card,
    taps,
    unfolds,
    uploads,
)
from page.walking import TABLE, XNET, Entry

PEOPLE = (
    Entry(
        "enrol somebody, and stop waiting for the card",
        (
            opens("people"),
            fill("#person-new-name", "Ana"),
            press(do("enrol-member")),
            sees("[data-card-awaited]"),
            press(do("stop-card")),
            disappears("[data-card-awaited]"),
            goes_on,
        ),
        sends=("members", "enrol-member", "enrol-member-stop"),
        shows=("view:people", "form:new-person", "form:blot", "step:card-awaited"),
    ),
    Entry(
        "change somebody",
        (
            opens("people"),
            unfolds('[data-fold="member"]'),
            fill('[data-form="member"] [data-person-name]', "Anna"),
            press(do("change-member")),
        ),
        sends=("change-member",),
        shows=("fold:member", "form:member"),
    ),
    Entry(
        "give a first card",
        (opens("people"), press(do("new-card")), shows_own_card, disappears("[data-card-awaited]"), goes_on),
        sends=("enrol-member",),
    ),
    Entry(
        "give one more card",
        (
            opens("people"),
            press(do("new-card")),
            answers("cancel"),
            press(do("new-card")),
            answers("also"),
            press(do("stop-card")),
            goes_on,
        ),
        sends=("enrol-member", "enrol-member-stop"),
        shows=("asks:new-card",),
    ),
    Entry(
        "let somebody sit at a seat",
        (opens("people"), choose('[data-sits="2"]', "Anna"), choose('[data-sits="2"]', "")),
        sends=("seat-member",),
    ),
    Entry(
        "show a code for a guest, and enter one for somebody who plays away",
        (
            opens("people"),
            unfolds('[data-fold="away"]'),
            press(do("show-away-code")),
            choose("#away-member", "Anna"),
            fill("#away-code", "01234 56789"),
            press(do("play-away")),
        ),
        sends=("show-away-code", "play-away"),
        shows=("fold:away", "form:away"),
        kinds=frozenset({TABLE}),
    ),
    Entry("save what is stored of somebody", (opens("people"), saves(do("export-member"))), sends=("export-member",)),
    Entry(
        "forget somebody",
        (
            opens("people"),
            press(do("delete-member")),
            answers("no"),
            press(do("delete-member")),
            answers("yes"),
            disappears("[data-person]"),
        ),
        sends=("delete-member",),
        shows=("asks:delete-member",),
    ),
    Entry(
        "blot a name out",
        (
            *TURNS_PAUSE,
            opens("people"),
            fill("#blot-name", "Ada"),
            press(do("blot-names")),
            answers("no"),
            press(do("blot-names")),
            answers("yes"),
            *TURNS_PAUSE,
        ),
        sends=("pause", "blot-names", "resume"),
        shows=("asks:blot",),
    ),
)
CARDS = (
    Entry(
        "enrol a deck",
        (
            opens("cards"),
            fill("#deck-new-name", "family"),
            press(do("new-deck")),
            taps(0, 1),
            press(do("enrol-undo"), do("enrol-skip")),
            press('[data-enrolling] [data-kind]:not([aria-disabled="true"])'),
            taps(2),
            press(do("enrol-stop")),
            sees('[data-step="cards-done"]'),
            press(do("close")),
            goes_on,
        ),
        sends=("enrol", "enrol-undo", "enrol-skip", "enrol-kind", "enrol-stop"),
        shows=("view:cards", "form:new-deck", "form:printing", "step:enrol-cards", "step:cards-done"),
    ),
    Entry(
        "go on with a deck",
        (opens("cards"), press(f"{DECK} {do('enrol')}", do("enrol-stop"), do("close")), goes_on),
        sends=("enrol", "enrol-stop"),
    ),
    Entry(
        "check a deck, and give what is missing new tags",
        (
            opens("cards"),
            press(f"{DECK} {do('check-deck')}"),
            taps(0),
            press(do("enrol-stop"), f"[data-enrolling] {do('enrol-only')}", do("enrol-stop"), do("close")),
            goes_on,
        ),
        sends=("check-deck", "enrol-stop", "enrol-only", "enrol-stop"),
        shows=("step:check-cards", "step:replace-cards"),
    ),
    Entry(
        "give a card, and a control card, a new tag",
        (
            opens("cards"),
            unfolds(f"{DECK} details"),
            press(f"{DECK} {do('enrol-only')}", do("enrol-stop"), do("close")),
            unfolds(f"{DECK} details"),
            press(f"{DECK} [data-control]", do("enrol-stop"), do("close")),
            goes_on,
        ),
        sends=("enrol-only", "enrol-stop", "enrol-only", "enrol-stop"),
        shows=("fold:deck-more", "step:replace-cards"),
    ),
    Entry(
        "take a deck's file, and bring it",
        (
            opens("cards"),
            unfolds(f"{DECK} details"),
            saves(f"{DECK} {do('export')}"),
            uploads("no"),
            uploads("yes"),
            sees('[data-note][data-mood="good"]'),
        ),
        shows=("asks:bring-deck",),
    ),
    Entry(
        "describe the cards of a new deck",
        (
            opens("cards"),
            fill("#deck-new-name", "ours"),
            choose("[data-deck-game]", XNET),
            press(do("describe-new"), do("describe-close")),
            fill("#deck-new-name", "ours"),
            press(do("describe-new"), do("describe-sample"), do("describe-save")),
            sees('[data-deck="ours"]'),
        ),
        sends=("read-manifest", "describe-deck"),
        shows=("form:describe",),
    ),
    Entry(
        "call a deck otherwise",
        (
            opens("cards"),
            unfolds('[data-deck="ours"] details'),
            fill("#deck-ours-name", "mine"),
            press(f'[data-deck="ours"] {do("rename-deck")}'),
            sees('[data-deck="mine"]'),
        ),
        sends=("rename-deck",),
    ),
    Entry(
        "print cards",
        (opens("cards"), press('[data-print="members"]'), fill('[data-print="names"]', "Ada, Bo"), saves(do("print"))),
    ),
)
