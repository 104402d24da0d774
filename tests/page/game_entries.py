"""The actions of a person at a page that concern the current game: pair, set up, correct, end, and look back."""

from __future__ import annotations

from taptable.daemon.power_off import REQUEST_TIMEOUT_S

from page.hooks import AT_A_TABLE, DECK, IN_ONLINE, SETTINGS, do, remedy
from page.pressing import (
    answers,
    checks_rows,
    choose,
    counts_hands,
    disappears,
    fill,
    goes_on,
    has_its_display,
    has_no_display,
    is_paused,
    is_unpaired,
    key,
    opens,
    pairs,
    passes,
    plays_a_little,
    plays_to_a_turn,
    press,
    saves,
    sees,
    unfolds,
)
from page.walking import OVER, SIEGE, Entry

PAIRING = (
    Entry(
        "give up pairing",
        (press(SETTINGS, '[data-devices="pair"]', '[data-pairing="another"]', '[data-pairing="no"]'), key("Escape")),
        sends=("show-code",),
        shows=("dialog:settings", "dialog:pairing", "form:pairing"),
        kinds=AT_A_TABLE,
    ),
    Entry(
        "ask a table without a display, and give up",
        (
            has_no_display,
            press(SETTINGS, '[data-devices="pair"]'),
            fill('[data-pairing="name"]', "Ana"),
            press('[data-pairing="yes"]', '[data-pairing="no"]'),
            key("Escape"),
            has_its_display,
        ),
        sends=("show-code", "ask-presence", "withdraw-presence"),
        kinds=AT_A_TABLE,
    ),
    Entry(
        "pair this device",
        (press(SETTINGS, '[data-devices="pair"]'), pairs("Ana"), key("Escape")),
        sends=("show-code",),
        kinds=AT_A_TABLE,
    ),
    Entry(
        "show the address",
        (press(SETTINGS, '[data-devices="address"]'), key("Escape")),
        sends=("show-address",),
        kinds=AT_A_TABLE,
    ),
)
UNPAIRING = (
    Entry(
        "unpair this device",
        (
            press(SETTINGS, '[data-devices="others"] summary', '[data-devices="unpair"]'),
            is_unpaired,
            key("Escape"),
        ),
        sends=("devices", "unpair"),
        shows=("fold:devices", "asks:unpair"),
        kinds=AT_A_TABLE,
    ),
    Entry(
        "unpair all",
        (
            press(SETTINGS, '[data-devices="pair"]'),
            pairs("Ben"),
            press('[data-devices="others"] summary', '[data-devices="all"]'),
            is_unpaired,
            key("Escape"),
        ),
        sends=("show-code", "unpair"),
        shows=("asks:unpair-all",),
        kinds=AT_A_TABLE,
    ),
)
LOOKING = (
    Entry(
        "change how the page looks and speaks",
        (
            press(SETTINGS, '[data-setting="large-log"]', '[data-setting="large-log"]'),
            press('[data-setting="hints"]', '[data-setting="hints"]'),
            choose("[data-dialog] [data-view]", "2"),
            choose("[data-dialog] [data-view]", "1"),
            press('[data-setting="aloud"]'),
            sees("[data-aloud-try]"),
            choose("[data-pace]", "fast"),
            press("[data-aloud-try]", '[data-setting="aloud"]'),
            key("Escape"),
            disappears("#settings"),
        ),
        shows=("dialog:settings",),
    ),
    Entry(
        "look up the address for another screen",
        (
            press(SETTINGS),
            unfolds('[data-fold="screen"]'),
            sees('[data-screen="link"]'),
            key("Escape"),
            disappears("#settings"),
        ),
        shows=("dialog:settings", "fold:screen"),
    ),
    Entry("read the table in another language", (choose("[data-language]", "fr"), choose("[data-language]", "de"))),
    Entry(
        "look at every tab",
        (opens("table"), *(press(f'[data-tab="{tab}"]') for tab in ("rows", "guide", "log"))),
        shows=("view:table", "tab:rows", "tab:guide", "tab:log"),
    ),
    Entry(
        "look at what counts",
        (opens("table"), press('[data-tab="counts"]', '[data-tab="log"]')),
        shows=("tab:counts",),
        kinds=AT_A_TABLE,
    ),
    Entry(
        "read what the sets of Cyber Siege are",
        (opens("table"), press('[data-tab="guide"]', '[data-fold="guide-set"] summary', '[data-tab="log"]')),
        shows=("fold:guide-set",),
        games=frozenset({SIEGE}),
    ),
)
POWER = (
    Entry(
        "switch off, and think better of it",
        (press(SETTINGS, '[data-power="ask"]', '[data-power="no"]'), key("Escape")),
        shows=("step:power-off",),
        kinds=AT_A_TABLE,
    ),
    Entry(
        "switch off where nobody does it",
        (
            opens("table"),
            press(SETTINGS, '[data-power="ask"]', '[data-power="yes"]'),
            sees('[data-alerts] [data-kind="power"]'),
            key("Escape"),
            passes(REQUEST_TIMEOUT_S + 1),
            disappears('[data-alerts] [data-kind="power"]'),
            goes_on,
        ),
        sends=("power-off",),
        kinds=AT_A_TABLE,
    ),
)
SETTING_UP = (
    Entry(
        "call the players by names",
        (
            opens("setup"),
            fill('[data-setup-name="1"]', "Ada"),
            fill('[data-setup-name="2"]', "Bo"),
            press(do("name-players")),
            opens("table"),
            sees('[data-seat="2"] .seat-name[title="Bo"]'),
        ),
        sends=("name-players",),
        shows=("view:setup", "form:setup"),
    ),
    Entry(
        "keep a preset, and adjust it",
        (
            opens("setup"),
            choose("[data-setup-starter]", "1"),
            fill("[data-preset-name]", "Freitag"),
            press(do("save-preset"), '[data-adjust="Freitag"]', do("save-preset")),
        ),
        sends=("save-preset",),
    ),
    Entry(
        "begin a game by a preset",
        (
            opens("setup"),
            press('[data-preset="Freitag"]'),
            answers("no"),
            press('[data-preset="Freitag"]'),
            answers("yes"),
            plays_to_a_turn,
        ),
        sends=("set-up",),
        shows=("dialog:question", "asks:new-game"),
    ),
    Entry(
        "forget a preset",
        (
            opens("setup"),
            press('[data-delete="Freitag"]'),
            answers("no"),
            press('[data-delete="Freitag"]'),
            answers("yes"),
            disappears('[data-preset="Freitag"]'),
        ),
        sends=("delete-preset",),
        shows=("asks:delete-preset",),
    ),
    Entry(
        "begin a game as it is set up",
        (
            opens("setup"),
            press('[data-setup-step="-1"]', '[data-setup-step="1"]', do("set-up")),
            answers("yes"),
            sees("[data-table]"),
            plays_to_a_turn,
        ),
        sends=("set-up",),
    ),
    Entry(
        "begin another game like this one",
        (opens("setup"), press(do("new-game")), answers("yes"), sees("[data-table]"), plays_to_a_turn),
        sends=("new-game",),
    ),
)
PUTTING_RIGHT = (
    Entry(
        "pause, and go on",
        (opens("correct"), press(remedy("pause")), is_paused(True), press(remedy("pause")), is_paused(False)),
        sends=("pause", "resume"),
        shows=("view:correct",),
    ),
    Entry(
        "reshuffle",
        (opens("correct"), press(remedy("reshuffle")), answers("no"), press(remedy("reshuffle")), answers("yes")),
        sends=("reshuffle",),
        shows=("asks:reshuffle",),
        games=IN_ONLINE,
    ),
    Entry(
        "ask for a take-back, and withdraw that",
        (
            plays_a_little,
            opens("correct"),
            press(remedy("take-back")),
            sees('[data-step="take-back"]'),
            press(do("withdraw")),
            disappears('[data-step="take-back"]'),
            choose("[data-asker]", "1"),
            press(remedy("take-back"), do("withdraw")),
            choose("[data-asker]", ""),
        ),
        sends=("take-back", "withdraw", "take-back", "withdraw"),
        shows=("step:take-back",),
    ),
    Entry(
        "check the table",
        (
            opens("correct"),
            press(remedy("check")),
            checks_rows,
            sees('[data-step="check-hand"]'),
            press('[data-step="more"]', '[data-step="less"]'),
            counts_hands,
            goes_on,
        ),
        sends=("check", "rows-checked", "hand-counted"),
        shows=("step:check-rows", "step:check-hand"),
    ),
    Entry(
        "break a check off",
        (opens("correct"), press(remedy("check"), do("break-off")), goes_on),
        sends=("check", "break-off"),
    ),
    Entry(
        "lose a card, and find it again",
        (
            opens("correct"),
            press(
                remedy("lost"),
                '[data-step="lost"] button[data-kind]',
                do("other-kind"),
                '[data-step="lost"] button[data-kind]',
                "[data-lose]",
            ),
            answers("no"),
            press("[data-lose]"),
            answers("yes"),
            press(remedy("lost"), "[data-recover]"),
            disappears("[data-recover]"),
            press(".back"),
            sees(remedy("lost")),
        ),
        sends=("lost", "recovered"),
        shows=("step:lost", "step:lost-kind", "step:lost-card", "asks:lost"),
        games=IN_ONLINE,
    ),
    Entry(
        "let a newcomer play on at a seat",
        (
            opens("correct"),
            press(remedy("vacate"), '[data-leaver="2"]', do("other-seat"), '[data-leaver="2"]'),
            fill("[data-newcomer-name]", "Cleo"),
            press(do("play-on")),
            sees(remedy("vacate")),
        ),
        sends=("play-on",),
        shows=("step:leave", "step:leave-who", "step:leave-how", "form:newcomer"),
        games=IN_ONLINE,
    ),
)
ENDING = (
    Entry(
        "take a seat out of the game",
        (
            opens("correct"),
            press(remedy("vacate"), '[data-leaver="3"]', remedy("out")),
            answers("no"),
            press(remedy("out")),
            answers("yes"),
            sees(remedy("vacate")),
        ),
        sends=("vacate",),
        shows=("asks:vacate",),
        games=IN_ONLINE,
    ),
    Entry(
        "end the game",
        (
            opens("correct"),
            press(remedy("end-game")),
            answers("no"),
            press(remedy("end-game")),
            answers("yes"),
            opens("table"),
            sees('[data-tab="ending"]'),
        ),
        sends=("end-game",),
        shows=("asks:end-game", "tab:ending"),
        leaves=OVER,
    ),
    Entry(
        "see how the game went",
        (
            opens("games"),
            press("[data-games] [data-game]", '[data-fold="course"] summary', '[data-tab="replay"]'),
            press(do("last"), do("back"), do("first"), do("on"), "[data-near] [data-step]", do("play"), do("play")),
            choose(".replay [data-speed]", "4"),
            press('.game [data-tab="how"]'),
            saves(do("export")),
        ),
        sends=("games", "game", "steps", "position"),
        shows=("view:games", "fold:course", "tab:how", "tab:replay"),
        leaves=OVER,
    ),
    Entry(
        "play with another deck",
        (
            opens("cards"),
            unfolds(f"{DECK} details"),
            press(f"{DECK} {do('use-deck')}"),
            unfolds('[data-deck="sample"] details'),
            press(f'[data-deck="sample"] {do("use-deck")}'),
        ),
        sends=("use-deck",),
        leaves=OVER,
    ),
    Entry(
        "take decks away",
        (
            opens("cards"),
            *(
                step
                for deck in ("mine", "family")
                for step in (
                    unfolds(f'[data-deck="{deck}"] details'),
                    press(f'[data-deck="{deck}"] {do("delete-deck")}'),
                    answers("no"),
                    press(f'[data-deck="{deck}"] {do("delete-deck")}'),
                    answers("yes"),
                    disappears(f'[data-deck="{deck}"]'),
                )
            ),
        ),
        sends=("delete-deck",),
        shows=("asks:delete-deck",),
        leaves=OVER,
    ),
    Entry(
        "begin again from the end",
        (opens("table"), press('[data-tab="ending"]', f"[data-ending] {do('again')}"), plays_to_a_turn),
        sends=("new-game",),
        shows=("tab:ending",),
    ),
)
