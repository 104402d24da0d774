"""The additional actions of a person at the demo's page: play a seat, break parts, and lay other tables."""

from __future__ import annotations

from taptable.core.observations import DISCARD_PAD
from taptable.core.player import HoldCard, Push, Tap

from page.hooks import IN_ONLINE, do
from page.pressing import (
    SEAT,
    breaks_off,
    choose,
    disappears,
    does,
    fill,
    goes_on,
    hands,
    key,
    lays_and_lifts,
    leads_to_another,
    opens,
    others_pass,
    passes,
    plays_a_little,
    plays_by_hand,
    plays_to_a_turn,
    plays_to_an_action,
    plays_to_the_person,
    press,
    sees,
)
from page.staging import Stage
from page.walking import DEMO, SIEGE, XNET, Entry

OWN = f'[data-hand="{SEAT}"]'
IN_THE_DEMO = frozenset({DEMO})
SUMMARY = f"{OWN} summary"
PLAYING_AT_THE_PAGE = (
    Entry(
        "tap cards, back a row up, rest a card, end the turn, and discard",
        (
            opens("table"),
            does("click", lambda stage: Tap(SEAT, stage.gives(SEAT, "online"), SEAT)),
            does("button", lambda stage: Tap(SEAT, stage.gives(SEAT, "email"), SEAT)),
            does("click", lambda stage: HoldCard(SEAT, stage.state.teams[0].rows[2][0], SEAT)),
            lays_and_lifts,
            does("click", lambda _: Push(SEAT)),
            others_pass,
            does("button", lambda stage: Tap(SEAT, stage.hand(SEAT)[0], DISCARD_PAD)),
        ),
        sends=("tap", "hold", "put", "lift", "press", "tap"),
        kinds=IN_THE_DEMO,
        games=IN_ONLINE,
    ),
    Entry(
        "use the control cards",
        (
            opens("table"),
            press(SUMMARY, f'{OWN} [data-control="pause"]'),
            goes_on,
            press(SUMMARY, f'{OWN} [data-control="check"]', do("tap-rows")),
            press(SUMMARY, f'{OWN} [data-control="check"]'),
            goes_on,
            plays_a_little,
            press(SUMMARY, f'{OWN} [data-control="take-back"]'),
            passes(11),
            press(SUMMARY, f'{OWN} [data-control="new-game"]'),
            plays_to_a_turn,
        ),
        sends=("tap-control", "tap-rows", "tap-control"),
        shows=("fold:menu",),
        kinds=IN_THE_DEMO,
    ),
    Entry(
        "use the control card for a reshuffle",
        (opens("table"), press(SUMMARY, f'{OWN} [data-control="reshuffle"]')),
        sends=("tap-control",),
        kinds=IN_THE_DEMO,
        games=IN_ONLINE,
    ),
    Entry(
        "get up, and sit down again",
        (
            opens("table"),
            press(SUMMARY, f"{OWN} {do('stand')}", f'{do("sit")}[data-at="{SEAT}"]'),
            hands(Stage.empties_the_chairs),
        ),
        sends=("stand", "sit"),
        kinds=IN_THE_DEMO,
    ),
)
PAIRS = (("pull-out", "plug-in", "2"), ("unplug-display", "plug-display", ""))
OF_PARTS = (
    ("cable", "3", "noise", "calm"),
    ("reader", "3", "deafen", "hear"),
    ("button", "4", "stick", "free"),
    ("disk", "", "fill-disk", "free-disk"),
    ("board", "3", "reset-board"),
    ("reader", "3", "tear", "cross-talk"),
    ("button", "4", "static"),
    ("reader", "discard", "new-tag"),
)


def at(pad: str) -> str:
    return f'[data-at="{pad}"]' if pad else ""


WORKBENCH = (
    Entry(
        "break everything, and mend it",
        (
            opens("table"),
            press('[data-tab="workbench"]'),
            *(press(f'[data-fault="{fault}"]{at(pad)}') for begins, ends, pad in PAIRS for fault in (begins, ends)),
            *(
                press(
                    f'[data-part="{part}"]{at(pad)}',
                    *(f'button[data-fault="{fault}"]{at(pad)}' for fault in faults),
                    f'[data-part="{part}"]{at(pad)}',
                )
                for part, pad, *faults in OF_PARTS
            ),
            passes(10),
            goes_on,
        ),
        sends=("fault",),
        shows=("tab:workbench",),
        kinds=IN_THE_DEMO,
    ),
    Entry(
        "look at the wire",
        (
            opens("table"),
            press('[data-tab="workbench"]', "[data-wire-pings]", "[data-wire-pings]"),
            choose("[data-wire-seat]", "2"),
            choose("[data-wire-way]", "to-pi"),
            choose("[data-wire-seat]", ""),
            choose("[data-wire-way]", ""),
            press(do("pause-wire"), do("pause-wire"), '[data-tab="log"]'),
        ),
        shows=("tab:workbench",),
        kinds=IN_THE_DEMO,
    ),
    Entry(
        "choose how fast time passes, and whether it sounds",
        (choose(".bar [data-speed]", "2"), choose(".bar [data-speed]", "1"), press("[data-mute]", "[data-mute]")),
        sends=("speed",),
        kinds=IN_THE_DEMO,
    ),
    Entry(
        "kill the daemon",
        (
            opens("table"),
            press('[data-tab="workbench"]', '[data-part="program"]'),
            leads_to_another('button[data-fault="kill"]'),
            press('[data-tab="log"]'),
            goes_on,
        ),
        sends=("fault",),
        kinds=IN_THE_DEMO,
    ),
)
STARTING = (
    Entry(
        "watch another table, and play at one more",
        (
            press(do("new-table")),
            sees("dialog[data-start]"),
            key("Escape"),
            disappears("dialog[data-start]"),
            press(do("new-table")),
            choose("[data-start] [data-players]", "4"),
            choose("[data-start] [data-build]", "compact"),
            leads_to_another("[data-start] [data-do='watch']"),
            press(do("new-table")),
            choose("[data-start] [data-build]", "full"),
            leads_to_another("[data-start] [data-do='play']"),
            plays_to_a_turn,
        ),
        sends=("new-table",),
        shows=("dialog:start",),
        kinds=IN_THE_DEMO,
    ),
)
OF_THE_GAME = (
    Entry(
        "begin an action of the game, and break it off",
        (
            opens("table"),
            plays_to_an_action,
            press('[data-tab="actions"]', "[data-actions] [data-control]"),
            sees("[data-break-off]"),
            breaks_off,
            press('[data-tab="log"]'),
        ),
        sends=("use-control",),
        shows=("tab:actions",),
        games=frozenset({XNET}),
    ),
    Entry(
        "begin an action by its card, and break it off",
        (opens("table"), plays_to_the_person, press(f"{OWN} [data-control-card]"), breaks_off),
        sends=("tap-control",),
        kinds=IN_THE_DEMO,
        games=frozenset({XNET}),
    ),
    Entry(
        "draw a card, and tap some",
        (opens("table"), plays_by_hand("draw", "tap", "press")),
        sends=("draw", "tap", "press"),
        kinds=IN_THE_DEMO,
        games=frozenset({SIEGE}),
        in_any_order=True,
    ),
    Entry(
        "correct what a seat holds",
        (opens("correct"), fill('[data-form="correct"] [data-field="red"]', "20"), press(do("correct"))),
        sends=("use-control",),
        shows=("form:correct",),
        games=frozenset({SIEGE}),
    ),
)
