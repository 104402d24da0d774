"""The scoreboard for a screen in the middle of the table: what it shows in each state, that it can be read from afar
and nothing is cut off, that it tells no code and no hand, and how it follows the table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from page_server.a_page import APage
from playwright.sync_api import Browser, Page, Route
from taptable.api.requests import AskPresence, Pair, ShowCode
from taptable.core.game_options import GameOptions
from taptable.core.observations import GameSetUp
from taptable.core.player import Push, Tap
from taptable.cues.presenter import PROBE_S
from taptable.games.registry import GAMES
from taptable.narration.tunes import TUNES, tones_of

from page.a_table import PageTable, a_table
from page.access import axe_faults
from page.base_views import FIRST, NEXT, SETTINGS
from page.broadcasting import SCENES
from page.evening import an_evening
from page.module_server import serving
from page.scoreboards import (
    LONG_NAMES,
    faults_at_every_size,
    heights_mm,
    looking_at_the_scoreboard,
    names_everybody_at_length,
)
from page.staging import Stage
from page.table_pool import TablePool
from page.test_broadcast import Exchanged
from page.test_pairing import pairing_of
from page.visitor import LANGUAGES, Visitor

SYNTH = Path(__file__).with_name("synth.js").read_text(encoding="utf-8")
LATER = """
  window.later = [];
  const setTimeoutNow = window.setTimeout;
  window.setTimeout = (task, ms, ...given) =>
    ms >= 10_000 ? (later.push({ task, ms }), 0) : setTimeoutNow(task, ms, ...given);
  window.passLater = (ms) => later.filter((each) => each.ms === ms).forEach(({ task }) => task());
"""
"""Keeps what is to happen after a long time, for a test to let it happen."""
TONES = """
  window.tones = [];
  const setValueAtTime = AudioParam.prototype.setValueAtTime;
  AudioParam.prototype.setValueAtTime = function (value, at) {
    tones.push(value);
    return setValueAtTime.call(this, value, at);
  };
"""
FOOT, HERO, OTHERS, GONE, SOUND = "[data-foot]", "[data-hero]", "[data-other]", "[data-gone]", "[data-sound]"
SCORES = "[data-other] [data-figure]"

PLAYERS = {"online": (2, 3, 4, 5), "cyber-siege": (2, 3, 4), "xnet": (3, 4, 5, 6)}
"""The numbers of players in each game, one a language; six play ONLINE in another test."""

Scene = Callable[[Stage], Awaitable[object]]


async def _refused(stage: Stage) -> None:
    seat = stage.on_turn
    assert seat is not None
    other = next(each for each in stage.seats if each != seat)
    await stage.does(Tap(other, stage.hand(seat)[0], other))


async def _paused(stage: Stage) -> None:
    await stage.uses("pause", FIRST)


async def _checked(stage: Stage) -> None:
    await stage.uses("check", FIRST)


async def _broken(stage: Stage) -> None:
    await stage.uses("check", FIRST)
    await stage.does(Push(FIRST))
    await stage.breaks_things()


async def _mended(stage: Stage) -> None:
    await stage.mends_things()


STATES: dict[str, Scene] = {
    "play": SCENES["turn"],
    "window": SCENES["hacker"],
    "claim": SCENES["claim"],
    "stopped": SCENES["stopped"],
    "refused": _refused,
    "paused": _paused,
    "check": _checked,
    "faults": _broken,
    "mended": _mended,
    "over": SCENES["over"],
}
"""The states of a table of ONLINE in their order, from the question for the youngest on."""


def scene_of(visitor: Visitor) -> str | None:
    return visitor.page.locator("[data-scoreboard]").get_attribute("data-scene")


def everything_on(visitor: Visitor) -> str:
    """The document, with all that is hidden in it."""
    return visitor.page.content()


def test_a_game_can_be_followed_from_afar_and_the_screen_says_when_the_table_is_away(
    browser: Browser, rooms: TablePool, tmp_path: Path
) -> None:
    rooms.close()
    with (
        a_table(tmp_path, starter=None, settings={**SETTINGS, "time_limit_s": "7200"}, network=True) as table,
        looking_at_the_scoreboard(browser, table) as visitor,
    ):
        exchanged = Exchanged(visitor)
        names_everybody_at_length(table, 4)
        assert scene_of(visitor) == "youngest"
        table.stages(STATES["play"])
        visitor.reads(f"{HERO} [data-turn=true]", LONG_NAMES[NEXT - 1])
        score = table.ask(lambda: table.session.table.scoreboard.teams[1].score)
        visitor.reads(HERO, f"{score} MB")
        visitor.reads("[data-time-left]", "min")
        assert visitor.page.locator(OTHERS).count() == 1
        assert min(heights_mm(visitor, f"{HERO} [data-figure]")) >= 22
        assert min(heights_mm(visitor, SCORES)) >= 10
        found = faults_at_every_size(visitor) + axe_faults(visitor)
        table.stages(STATES["window"])
        visitor.reads("[data-now]", "Hacker!")
        visitor.reads("[data-seconds]", SETTINGS["patrol_window_s"])
        assert visitor.page.locator(OTHERS).count() == 2
        assert min(heights_mm(visitor, "[data-seconds] strong")) >= 22
        found += faults_at_every_size(visitor) + axe_faults(visitor)
        before = int(visitor.text("[data-seconds]"))
        table.passes(3)
        visitor.until(
            "a later second",
            "(before) => Number(document.querySelector('[data-seconds]').textContent) < before",
            before,
        )
        table.stages(STATES["claim"])
        visitor.reads(HERO, LONG_NAMES[FIRST - 1])
        visitor.reads(HERO, "4.2 ms ± 0.1")
        table.stages(STATES["stopped"])
        visitor.reads(f'{FOOT}[data-kind="first"]', f"{LONG_NAMES[FIRST - 1]} was first, by 4.2 ms ± 0.1.")
        boot = visitor.boot
        with table.being_away():
            visitor.reads(GONE, "The table is gone.")
            found += axe_faults(visitor)
        visitor.sees(GONE, hidden=True)
        visitor.until_another_start(boot)
        visitor.reads("[data-now]", "Paused")
        table.stages(STATES["over"])
        visitor.reads(f"{HERO} [data-score]", "MB")
        visitor.reads(OTHERS, "Place 2")
        found += axe_faults(visitor)
        assert found == []
        # it only looks on, and nobody has to pair it
        assert {each["do"] for each in exchanged.said} == {"hello", "echo"}
        assert {each["paired"] for each in exchanged.heard if "paired" in each} == {False}
        assert visitor.page.locator("button, a, input, select").count() <= 1  # the switch for the sound


@pytest.mark.long
def test_no_state_tells_a_code_a_ticket_or_the_cookie_that_pairs(
    browser: Browser, rooms: TablePool, tmp_path: Path
) -> None:
    rooms.close()
    with (
        a_table(tmp_path, starter=None, settings=SETTINGS, network=True) as table,
        looking_at_the_scoreboard(browser, table) as visitor,
    ):
        exchanged = Exchanged(visitor)
        pairing = pairing_of(table)
        secrets: dict[str, str] = {}

        def shows_a_code() -> str:
            pairing.handlers[ShowCode](ShowCode(), "")
            assert pairing.code is not None
            return pairing.code.digits

        def nothing_leaks(state: str) -> None:
            frames = [json.dumps(each) for each in exchanged.heard]
            assert frames
            seen = [*frames, everything_on(visitor), json.dumps(visitor.page.evaluate("({ ...localStorage })"))]
            for what, secret in secrets.items():
                assert not any(secret in each for each in seen), f"{what} in {state}"

        table.ask(pairing.allow_pairing)
        for state, scene in STATES.items():
            secrets[f"the code before {state}"] = table.ask(shows_a_code)
            table.stages(scene)
            secrets[f"the code in {state}"] = table.ask(shows_a_code)
            table.is_seen()
            nothing_leaks(state)
        table.ask(lambda: table.harness.daemon.controller.use_control("new-game", "discard", "page"))
        table.stages(STATES["play"])
        table.stages(_paused)
        table.ask(table.harness.table.display.unplug)
        table.passes(2 * PROBE_S)
        asked: Any = table.ask(lambda: pairing.handlers[AskPresence](AskPresence("Ana"), ""))
        secrets["the ticket"] = asked["ticket"]
        table.is_seen()
        assert is_told_at_the_bottom(table, visitor, "A phone asks to be paired.")  # as on every open page
        nothing_leaks("the request for presence")
        table.happens(lambda: holds(table, asked["seat"]))
        paired: Any = table.ask(lambda: pairing.handlers[Pair](Pair("", "", asked["ticket"]), ""))
        secrets["the cookie"] = paired["secret"]
        assert secrets["the cookie"]
        table.is_seen()
        nothing_leaks("the pairing by presence")
        assert len(set(secrets.values())) > 2


def is_told_at_the_bottom(table: PageTable, visitor: Visitor, sentence: str) -> bool:
    """Let the time pass in which the notes at the bottom follow each other; return whether one has this sentence."""
    for _ in range(4):
        table.passes(4)
        visitor.page.evaluate("dispatchEvent(new Event('resize'))")  # the page's own clock stands still
        visitor.next_frame()
        if sentence in visitor.text(FOOT):
            return True
    return False


async def holds(table: PageTable, seat: int) -> None:
    """Somebody holds a button as long as a pairing takes."""
    table.harness.table.press(seat, 3)
    await asyncio.sleep(4)


@pytest.mark.long
def test_the_scoreboard_of_the_demo_gets_no_hands(browser: Browser, rooms: TablePool, tmp_path: Path) -> None:
    rooms.close()
    with an_evening(tmp_path, people=(1, 2)) as evening, looking_at_the_scoreboard(browser, evening) as visitor:
        exchanged = Exchanged(visitor)
        evening.passes(1.0)
        assert exchanged.told("teams")
        assert exchanged.told("hands") == []
        assert not [path for path in exchanged.asked if path.startswith("/demo/")]
        assert all(each.get("watch", []) == [] for each in exchanged.said)
        assert visitor.page.locator("main [data-card]").count() == 0


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_in_any_game_and_language(
    browser: Browser, rooms: TablePool, game: str, language: str, tmp_path: Path
) -> None:
    numbers = PLAYERS[game]
    players = numbers[LANGUAGES.index(language) % len(numbers)]
    rooms.close()
    with (
        an_evening(tmp_path, game=game, players=players, seed=4, people=()) as evening,
        looking_at_the_scoreboard(browser, evening, f"lang={language}") as visitor,
    ):
        names_everybody_at_length(evening, players)
        evening.plays_turns(6)
        found = faults_at_every_size(visitor) + axe_faults(visitor)
        evening.ask(lambda: evening.harness.daemon.controller.use_control("pause", "discard", "page"))
        evening.is_seen()
        found += faults_at_every_size(visitor)
    assert found == []


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_off_in_any_state_of_a_table_for_six(
    browser: Browser, rooms: TablePool, language: str, tmp_path: Path
) -> None:
    found: list[str] = []
    rooms.close()
    with (
        a_table(tmp_path, players=6, starter=None, settings={**SETTINGS, "time_limit_s": "7200"}) as table,
        looking_at_the_scoreboard(browser, table, f"lang={language}") as visitor,
    ):
        names_everybody_at_length(table, 6)
        for state, scene in STATES.items():
            table.stages(scene)
            found += [f"{state}: {fault}" for fault in faults_at_every_size(visitor) + axe_faults(visitor)]
    assert found == []


def test_one_tap_lets_the_screen_sound_and_speak_and_the_switch_disappears(
    browser: Browser, rooms: TablePool, tmp_path: Path
) -> None:
    rooms.close()
    init = SYNTH + LATER + TONES
    with (
        a_table(tmp_path, network=True) as table,
        looking_at_the_scoreboard(browser, table, init=init) as visitor,
    ):
        exchanged = Exchanged(visitor)
        visitor.sees(SOUND)
        visitor.page.evaluate("passLater(60_000)")
        visitor.sees(SOUND, hidden=True)
        table.stages(lambda stage: stage.does(Push(FIRST)))
        assert visitor.page.evaluate("[tones.length, spoken.said.length]") == [0, 0]
        assert {each["do"] for each in exchanged.said} <= {"hello", "echo"}
        visitor.page.locator("[data-now]").click()  # any touch brings the switch back
        visitor.clicks(SOUND)
        visitor.until("a tune", "() => tones.length > 0 && spoken.said.length > 0")
        assert visitor.page.locator(SOUND).get_attribute("aria-pressed") == "true"
        assert axe_faults(visitor) == []
        visitor.page.evaluate("passLater(10_000); spoken.end(); tones.length = 0; spoken.said.length = 0")
        visitor.sees(SOUND, hidden=True)
        visitor.is_heard()
        table.stages(lambda stage: stage.does(Push(NEXT)))
        visitor.until("the sound of a press", "() => tones.length > 0 && spoken.said.length > 0")
        played = visitor.page.evaluate("tones")
        assert {round(hz, 1) for hz in played} <= {round(hz, 1) for hz in hz_of("accepted", "ignored", "refused")}
        visitor.page.locator("[data-now]").click()
        visitor.clicks(SOUND)
        visitor.until("silence", "() => document.querySelector('[data-sound]').ariaPressed === 'false'")
        visitor.is_heard()
        visitor.page.evaluate("tones.length = 0; spoken.said.length = 0")
        table.stages(lambda stage: stage.does(Push(3)))
        assert visitor.page.evaluate("[tones.length, spoken.said.length]") == [0, 0]


def hz_of(*sounds: str) -> list[float]:
    return [hz for sound, tune in TUNES.items() if sound.value in sounds for hz, _ in tones_of(tune) if hz is not None]


@pytest.mark.long
def test_it_returns_after_a_restart_of_the_page_and_follows_another_game_and_language(
    browser: Browser, rooms: TablePool, tmp_path: Path
) -> None:
    rooms.close()
    with (
        a_table(tmp_path, network=True) as table,
        looking_at_the_scoreboard(browser, table) as visitor,
    ):
        boot = visitor.boot
        table._page.end()
        visitor.sees(GONE)
        table._page = APage(table.sockets, table.port, network=True)
        table._page.begin()
        table._page.knows_the_table()
        visitor.until_another_start(boot)
        visitor.sees(GONE, hidden=True)
        options = GameOptions(4, "standard", {}, 1)
        daemon = table.harness.daemon
        table.ask(lambda: daemon.controller.observe(lambda at_us: GameSetUp(at_us, "xnet", options, False)))
        visitor.reads(HERO, "users")  # a word of the other game
        visitor.page.route("**/about.json", changes({"language": "fr"}))
        boot = visitor.boot
        with table.being_away():
            visitor.sees(GONE)
        visitor.until_another_start(boot)
        visitor.until("French", "() => document.documentElement.lang === 'fr'")
        visitor.reads("[data-scoreboard]", "joueur 1")
        visitor.page.unroute("**/about.json")
        visitor.page.route("**/about.json", changes({"version": "99.0.0"}))
        with visitor.page.expect_event("load"), table.being_away():
            visitor.sees(GONE)
        visitor.sees(HERO)


def changes(fields: dict[str, Any]) -> Callable[[Route], None]:
    """Change what the page's server says about the table."""

    def answer(route: Route) -> None:
        fetched = route.fetch()
        if fetched.ok:
            route.fulfill(response=fetched, json={**fetched.json(), **fields})
        else:
            route.fulfill(response=fetched)

    return answer


AWAKE = """
  const { makeAwake } = await import("/static/scoreboard/awake.js");
  const timers = [];
  const setTimeoutNow = window.setTimeout;
  window.setTimeout = (task, ms) => timers.push(task);
  const hints = [];
  const asked = [];
  const lock = new EventTarget();
  const grants = { request: async (kind) => (asked.push(kind), lock) };
  const refuses = { request: async () => { throw new DOMException("low battery", "NotAllowedError"); } };
  const run = async (agent) => {
    const awake = makeAwake({ userAgent: "", maxTouchPoints: 0, ...agent });
    awake.onChange(() => hints.push(awake.hint()));
    await new Promise((resolve) => setTimeoutNow(resolve));
    hints.push(awake.hint());
  };
"""


def test_the_screen_stays_awake_or_the_setting_is_named_for_a_while(browser: Browser) -> None:
    with serving(browser, {"/": {"body": "<!doctype html><title>page</title>"}}) as page:
        granted = run(
            page,
            """
            await run({ wakeLock: grants });
            lock.dispatchEvent(new Event("release"));
            document.dispatchEvent(new Event("visibilitychange"));
            await new Promise((resolve) => setTimeoutNow(resolve));
            return [hints.filter(Boolean), asked, timers.length];
            """,
        )
        assert granted == [[], ["screen", "screen"], 0]
        for agent, key in (
            ("{ userAgent: 'Mozilla/5.0 (Linux; Android 13)' }", "page awake-android"),
            ("{ userAgent: 'Mozilla/5.0 (iPhone)' }", "page awake-apple"),
            ("{ userAgent: 'Mozilla/5.0 (Macintosh)', maxTouchPoints: 5 }", "page awake-apple"),
            ("{ userAgent: 'Mozilla/5.0 (Macintosh)', wakeLock: refuses }", "page awake-other"),
        ):
            named = run(
                page,
                f"""
                await run({agent});
                document.dispatchEvent(new Event("visibilitychange"));
                await new Promise((resolve) => setTimeoutNow(resolve));
                timers.forEach((task) => task());
                return hints;
                """,
            )
            assert list(dict.fromkeys(named)) == [key, ""]


def run(page: Page, script: str) -> Any:
    """Run a script with what it needs to keep a screen awake, as a new page."""
    page.goto(page.url)
    return page.evaluate(f"async () => {{ {AWAKE} {script} }}")
