"""The contracts between the modules of the page: the store, the places, words and tabs, each by itself in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from page.module_server import serving

STORE = """
  const { makeStore } = await import("/static/store.js");
  const frames = [];
  const store = makeStore((callback) => frames.push(callback));
  const nextFrame = () => frames.splice(0).forEach((callback) => callback());
  const tell = (revision, more) => store.apply({ boot: "a", revision, at_us: revision, ...more }, 0);
"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    answers = {
        "/": {"body": "<!doctype html><title>page</title><div id=list></div><div id=panels></div>"},
        "/words/nl.json": {
            "json": {"language": "nl", "decimal": ",", "words": {"page seat": "Speler {seat} van {all}"}}
        },
    }
    with serving(browser, answers) as page:
        yield page


def run(page: Page, script: str) -> Any:
    return page.evaluate(f"async () => {{ {script} }}")


def test_two_hundred_messages_are_one_call_of_each_listener_in_the_next_frame(page: Page) -> None:
    calls = run(
        page,
        STORE
        + """
        const calls = [];
        store.on("turn", (turn) => calls.push(turn));
        store.onItems("log", (items) => calls.push(items.length));
        nextFrame();
        calls.length = 0;
        for (let n = 0; n < 200; n += 1) {
          tell(n, { parts: { turn: n }, streams: { log: { from: n, items: [{}] } } });
        }
        const before = calls.length;
        nextFrame();
        return [before, calls, frames.length];
        """,
    )
    assert calls == [0, [199, 200], 0]


def test_what_a_listener_asks_for_is_drawn_in_the_same_frame(page: Page) -> None:
    drawn = run(
        page,
        STORE
        + """
        let drawn = 0;
        const draw = () => { drawn += 1; };
        store.on("seats", () => store.schedule(draw));
        store.on("teams", () => store.schedule(draw));
        tell(1, { parts: { seats: 1, teams: 1 } });
        nextFrame();
        return drawn;
        """,
    )
    assert drawn == 1


def test_another_boot_is_the_end_of_all_that_was_known(page: Page) -> None:
    seen = run(
        page,
        STORE
        + """
        const seen = [];
        tell(1, { parts: { window: 5, turn: 1 }, streams: { log: { from: 7, items: [{ text: "old" }] } } });
        nextFrame();
        store.on("window", (window) => seen.push(window ?? "gone"));
        store.onItems("log", (items, { whole }) => seen.push([items.map((item) => item.text), whole]));
        nextFrame();
        seen.length = 0;
        store.apply({ boot: "b", revision: 1, at_us: 0, parts: { turn: 2 }, streams: {} }, 0);
        nextFrame();
        return [seen, store.cursor()];
        """,
    )
    assert seen == [["gone", [[], True]], {"boot": "b", "revision": 1, "next": {}}]


def test_items_that_were_missed_are_left_out_and_the_later_ones_shown(page: Page) -> None:
    seen = run(
        page,
        STORE
        + """
        const seen = [];
        store.onItems("log", (items, { whole }) => seen.push([items.map((item) => item.n), whole]));
        tell(1, { streams: { log: { from: 0, items: [{}, {}] } } });
        nextFrame();
        tell(2, { streams: { log: { from: 90, items: [{}] } } });
        nextFrame();
        return [seen, store.cursor().next];
        """,
    )
    assert seen == [[[[0, 1], True], [[90], False]], {"log": 91}]


def test_subscribers_that_forget_earlier_messages_do_so_at_another_boot_and_not_at_the_first(page: Page) -> None:
    seen = run(
        page,
        STORE
        + """
        let times = 0;
        store.onRestart(() => (times += 1));
        tell(1, {});
        tell(2, {});
        const first = times;
        store.apply({ boot: "b", revision: 1, at_us: 0, parts: {}, streams: {} }, 0);
        return [first, times];
        """,
    )
    assert seen == [0, 1]


def test_items_of_an_emptied_stream_are_dropped(page: Page) -> None:
    seen = run(
        page,
        STORE
        + """
        const seen = [];
        store.onItems("log", (items, { whole, emptied }) => seen.push([items.map((item) => item.n), whole, emptied]));
        tell(1, { streams: { log: { from: 0, items: [{}, {}] } } });
        nextFrame();
        tell(2, { streams: { log: { from: 2, emptied: 2, items: [{}] } } });
        nextFrame();
        return [seen, store.items("log").map((item) => item.n)];
        """,
    )
    assert seen == [[[[0, 1], True, 0], [[2], False, 2]], [2]]


def test_repeated_items_take_the_place_of_the_old_ones(page: Page) -> None:
    seen = run(
        page,
        STORE
        + """
        tell(1, { streams: { log: { from: 0, items: [{ text: "one" }, { text: "two" }] } } });
        nextFrame();
        const seen = [];
        store.onItems("log", (items, { whole }) => seen.push([items.map((item) => item.text), whole]));
        nextFrame();
        seen.length = 0;
        tell(2, { streams: { log: { from: 0, items: [{ text: "eins" }, { text: "zwei" }] } } });
        nextFrame();
        return seen;
        """,
    )
    assert seen == [[["eins", "zwei"], True]]


def test_table_time_runs_on_at_its_own_rate_between_two_messages(page: Page) -> None:
    assert run(page, STORE + "tell(5, {}); return store.nowUs(2.5);") == 5 + 2500
    faster = STORE + "tell(5, {}); store.setRate(4, 1); return [store.rate(), store.nowUs(1), store.nowUs(3)];"
    assert run(page, faster) == [4, 5 + 1000, 5 + 1000 + 4 * 2000]
    assert run(page, STORE + "tell(5, {}); store.setRate(0, 1); return store.nowUs(9);") == 5 + 1000


def test_a_rate_that_changes_while_the_table_is_gone_lets_no_time_pass(page: Page) -> None:
    gone = STORE + "tell(5, {}); store.stopClock(2); store.setRate(4, 6); return store.nowUs(9);"
    assert run(page, gone) == 5 + 2000


def test_table_time_stands_while_the_table_is_gone_and_runs_again_when_it_is_heard(page: Page) -> None:
    gone = STORE + "tell(5, {}); store.stopClock(2); store.stopClock(3); const stood = store.nowUs(9);"
    stood, again = run(page, gone + "tell(7, {}); return [stood, store.nowUs(1)];")
    assert (stood, again) == (5 + 2000, 7 + 1000)


@pytest.mark.parametrize("places", range(1, 7))
def test_the_own_place_is_at_the_lower_left_and_the_others_follow_clockwise(page: Page, places: int) -> None:
    order = run(page, f"return (await import('/static/table/table.js')).orderOf({places});")
    if places <= 3:
        assert order == [*range(1, places), 0]
    else:
        upwards, downwards = order[::2][::-1], order[1::2]
        if len(order) % 2:  # the own place has its line to itself
            assert upwards[0] == 0
        assert [*upwards, *downwards] == list(range(places))


def test_words_keep_the_fields_that_nobody_fills_in(page: Page) -> None:
    said = run(
        page,
        """
        const { makeWords } = await import("/static/words.js");
        const words = makeWords();
        await words.use("nl");
        return [words.say("page seat", { seat: 2 }), words.say("no such key"), words.number(4.25, 1),
          document.documentElement.lang];
        """,
    )
    assert said == ["Speler 2 van {all}", "no such key", "4,3", "nl"]


def test_a_table_that_says_goodbye_can_not_be_asked_any_more(page: Page) -> None:
    told = run(
        page,
        """
        const { makeLive } = await import("/static/live.js");
        const browsers = window.WebSocket;
        const sockets = [];
        window.WebSocket = class extends EventTarget {
          static OPEN = 1;
          readyState = 1;
          constructor() { super(); sockets.push(this); }
          send() {}
          close() {}
        };
        const store = { cursor: () => ({}), apply: () => {} };
        const live = makeLive({ store, language: () => "en", onConnectionChange: () => {}, path: "/live" });
        const told = [live.isConnected()];
        live.open();
        sockets[0].dispatchEvent(new Event("open"));
        sockets[0].dispatchEvent(new MessageEvent("message", { data: "{}" }));
        told.push(live.isConnected());
        sockets[0].readyState = 2;
        told.push(live.isConnected(), (await live.ask({ do: "games" })).gone);
        window.WebSocket = browsers;
        return told;
        """,
    )
    assert told == [False, True, False, True]


def test_each_end_has_its_sentence_and_who_had_to_make_room_comes_back_later(page: Page) -> None:
    told = run(
        page,
        """
        const { makeLive } = await import("/static/live.js");
        const { makeConnectionNotice } = await import("/static/notices.js");
        const [browsers, timers, told, sockets] = [window.WebSocket, window.setTimeout, [], []];
        window.WebSocket = class extends EventTarget {
          static OPEN = 1;
          constructor() { super(); sockets.push(this); }
        };
        window.setTimeout = (_, ms) => told.push(ms);
        const store = { cursor: () => ({}), apply: () => {} };
        const place = document.createElement("div");
        const show = makeConnectionNotice(place, { say: (what) => what });
        const onConnectionChange = (why) => { show(why); told.push(place.hidden, place.textContent); };
        const live = makeLive({ store, language: () => "en", onConnectionChange, path: "/live" });
        for (const code of [4002, 1001, 1013, 1006]) {
          live.open();
          sockets.at(-1).dispatchEvent(new MessageEvent("message", { data: "{}" }));
          sockets.at(-1).dispatchEvent(new CloseEvent("close", { code, reason: code === 1013 ? "not-followed" : "" }));
        }
        [window.WebSocket, window.setTimeout] = [browsers, timers];
        return told;
        """,
    )
    shown = [f"page {why}page {why}-more" for why in ("crowded", "gone", "not-followed", "unreached")]
    assert told[:5] == [False, "", False, shown[0], 60_000]
    assert told[5:] == [step for why in shown[1:] for step in (True, "", False, why, 250)]


def test_the_reason_why_the_table_is_gone_is_shown_again_after_a_change_of_language(page: Page) -> None:
    said = run(
        page,
        """
        const { makeConnectionNotice } = await import("/static/notices.js");
        const { makeWords } = await import("/static/words.js");
        const words = makeWords();
        const place = document.createElement("div");
        document.body.append(place);
        const show = makeConnectionNotice(place, words);
        show("gone");
        await words.use("nl");
        show("unreached");
        place.remove();
        return place.textContent.trim();
        """,
    )
    assert "unreached" in said
    assert "gone" not in said


def test_the_question_for_the_code_is_asked_in_another_language_once_that_is_chosen(page: Page) -> None:
    asked = run(
        page,
        """
        const { makePairing } = await import("/static/pairing.js");
        const { makeWords } = await import("/static/words.js");
        const words = makeWords();
        const live = { ask: async () => ({ ok: true, shown: "display" }) };
        makePairing({ live, words: { ...words, say: (key) => `${words.language()} ${key}` } }).pair();
        const dialog = document.querySelector("dialog");
        const title = () => dialog.querySelector("h2").textContent;
        const asked = [title()];
        await words.use("nl");
        asked.push(title());
        dialog.remove();
        return asked;
        """,
    )
    assert asked == ["en page pair-title", "nl page pair-title"]


def test_of_two_languages_chosen_at_once_the_last_one_holds(page: Page) -> None:
    said = run(
        page,
        """
        const { makeWords } = await import("/static/words.js");
        const late = [];
        const fetched = window.fetch;
        window.fetch = (path) => new Promise((resolve) => late.push(() => resolve(
          { ok: true, json: async () => ({ language: path.slice(7, 9), decimal: ".", words: {} }) })));
        const words = makeWords();
        const both = [words.use("de"), words.use("fr")];
        late[1]();
        await both[1];
        late[0]();
        await both[0];
        window.fetch = fetched;
        return words.language();
        """,
    )
    assert said == "fr"


def test_the_first_language_is_one_that_the_browser_wants_and_the_table_speaks(page: Page) -> None:
    first = "const { firstLanguage } = await import('/static/words.js');"
    assert run(page, f"{first} return firstLanguage(['de', 'fr'], 'de', ['it-IT', 'fr-CA']);") == "fr"
    assert run(page, f"{first} return firstLanguage(['de', 'fr'], 'de', ['it']);") == "de"


def test_arrow_keys_open_the_next_tab_and_only_that_one_is_in_the_order_of_focus(page: Page) -> None:
    run(
        page,
        """
        const { makeTabs } = await import("/static/tabs.js");
        const [list, panels] = ["#list", "#panels"].map((name) => document.querySelector(name));
        const tabs = makeTabs(list, panels, { say: (key) => key });
        ["one", "two", "three"].forEach((name) => tabs.add(name, name, document.createElement("p")));
        """,
    )
    page.locator('[data-tab="one"]').focus()
    shown = 'return [...document.querySelectorAll("[data-panel]:not([hidden])")].map((each) => each.dataset.panel);'
    reached = 'return [...document.querySelectorAll("[role=tab]")].filter((tab) => tab.tabIndex === 0)[0].dataset.tab;'
    for key, name in (("ArrowRight", "two"), ("End", "three"), ("ArrowRight", "one"), ("ArrowLeft", "three")):
        page.keyboard.press(key)
        assert run(page, shown) == [name]
        assert run(page, reached) == name
        assert run(page, "return document.activeElement.dataset.tab;") == name


def test_what_the_address_of_the_overlay_asks_for_and_what_is_wrong_with_it(page: Page) -> None:
    read = run(
        page,
        """
        const { readAddress } = await import("/static/overlay/broadcast.js");
        const about = { language: "nl", languages: ["de", "nl"] };
        return ["", "?lang=de&side=swap&at=bottom&size=720", `?lang=xx&size=&${"y".repeat(50)}=1`].map(
          (query) => readAddress(query, about),
        );
        """,
    )
    usual = {"language": "nl", "swapped": False, "at": "top", "size": None, "faults": []}
    unknown = {"name": "y" * 39 + "…", "names": "lang, side, at, size"}
    assert read == [
        usual,
        {"language": "de", "swapped": True, "at": "bottom", "size": "720", "faults": []},
        {
            **usual,
            "faults": [
                {"key": "page overlay-unknown", "fields": unknown},
                {
                    "key": "page overlay-wrong",
                    "fields": {"given": "size=", "name": "size", "choices": "fit, 720, 1080"},
                },
                {"key": "page overlay-wrong", "fields": {"given": "lang=xx", "name": "lang", "choices": "de, nl"}},
            ],
        },
    ]
