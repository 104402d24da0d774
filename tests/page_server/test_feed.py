"""The feed: a client that missed something on the way ends with the current state."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule
from taptable.page.feed import ClientState, Feed
from taptable.words import Words

WORDS = {language: Words(language) for language in ("en", "fr")}
KEPT = 4


class Browser:
    """A client as a browser keeps it: parts by name, items by number, and what it says when it comes back."""

    def __init__(self, feed: Feed, language: str = "en", watching: frozenset[str] = frozenset()) -> None:
        self.feed = feed
        self.language = language
        self.parts: dict[str, Any] = {}
        self.items: dict[str, dict[int, Any]] = {}
        self.messages = 0
        self.state = ClientState(watching=watching)

    def take(self) -> dict[str, Any]:
        message, self.state = self.feed.catch_up(self.state, WORDS[self.language], {"at_us": 0})
        return {} if message is None else self.apply(message)

    def greet(self) -> dict[str, Any]:
        message, self.state = self.feed.greet(self.state, WORDS[self.language], {"at_us": 0})
        return self.apply(message)

    def apply(self, message: str) -> dict[str, Any]:
        self.messages += 1
        told = json.loads(message)
        assert told["boot"] == self.feed.boot
        self.parts |= told["parts"]
        for name, news in told["streams"].items():
            assert [item["n"] for item in news["items"]] == list(range(news["from"], news["from"] + len(news["items"])))
            self.items.setdefault(name, {}).update({item["n"]: item for item in news["items"]})
        return told

    def speak(self, language: str) -> None:
        self.language = language
        self.state = ClientState(self.state.revision, self.state.next, self.state.watching, resend_texts=True)

    def kept(self, name: str, last: int) -> list[Any]:
        """The last items of a stream."""
        return [item for _, item in sorted(self.items.get(name, {}).items())][-last:]


def spoken(number: int) -> Callable[[Words], dict[str, Any]]:
    return lambda words: {"text": f"{number} in {words.language}"}


def test_a_client_gets_everything_once_and_then_only_what_changes() -> None:
    feed = Feed()
    feed.put("turn", {"seat": 1})
    feed.put("piles", {"draw": 56})
    browser = Browser(feed)
    assert browser.take()["parts"] == {"turn": {"seat": 1}, "piles": {"draw": 56}}
    assert browser.take() == {}
    feed.put("turn", {"seat": 2})
    assert browser.take()["parts"] == {"turn": {"seat": 2}}


def test_a_part_that_is_put_as_it_was_is_no_change() -> None:
    feed = Feed()
    feed.put("turn", {"seat": 1})
    revision = feed.revision
    feed.put("turn", {"seat": 1})
    assert feed.revision == revision


def test_a_sentence_that_says_the_same_is_not_sent_again() -> None:
    feed, browser = Feed(), None
    browser = Browser(feed)
    for _ in range(30):
        feed.put("now", lambda words: f"now in {words.language}")
        browser.take()
    assert browser.messages == 1
    assert browser.state.revision == feed.revision == 30


def test_what_changed_and_changed_back_unseen_is_not_sent() -> None:
    feed = Feed()
    feed.put("turn", 1)
    browser, other = Browser(feed), Browser(feed)
    browser.take()
    other.take()
    feed.put("turn", 2)
    other.take()
    feed.put("turn", 1)
    assert other.take()["parts"] == {"turn": 1}
    assert browser.take()["parts"] == {"turn": 1}  # unnecessary here, but the feed doesn't know what it sent to others
    feed.put("turn", 2)
    feed.put("turn", 1)
    assert browser.take() == other.take() == {}


def test_after_an_emptied_stream_a_client_learns_from_where_its_items_count() -> None:
    feed = Feed()
    feed.open_stream("log", KEPT)
    feed.add("log", {"text": "old"})
    browser, late = Browser(feed), Browser(feed)
    browser.take()
    feed.empty_stream("log")
    feed.add("log", {"text": "new"})
    for each in (browser, late):
        told = each.take()["streams"]["log"]
        assert (told["from"], told["emptied"]) == (1, 1)
        assert [item["text"] for item in told["items"]] == ["new"]


def test_when_all_begins_again_every_sentence_is_made_again_and_sent_to_everybody() -> None:
    feed, called = Feed(), ["Ada"]
    feed.open_stream("log", KEPT)
    feed.put("now", lambda _: f"{called[0]} is on turn")
    feed.put("turn", 1)
    feed.add("log", lambda _: {"text": f"{called[0]} begins"})
    browser = Browser(feed)
    browser.take()
    known, boot = browser.state, feed.boot
    called[0] = "Seat 1"
    assert browser.take() == {}
    feed.restart()
    assert feed.boot != boot
    told = browser.take()
    assert told["parts"] == {"now": "Seat 1 is on turn", "turn": 1}
    assert told["streams"]["log"]["items"] == [{"n": 0, "text": "Seat 1 begins"}]
    assert browser.take() == {}
    # a client that slept through it, too
    browser.state = known
    assert browser.take()["parts"] == told["parts"]


def test_a_client_that_slept_gets_the_last_state_in_one_message() -> None:
    feed = Feed()
    feed.open_stream("log", 200)
    browser = Browser(feed)
    browser.take()
    for number in range(200):
        feed.put("turn", number)
        feed.add("log", {"text": str(number)})
    told = browser.take()
    assert browser.messages == 1
    assert told["parts"] == {"turn": 199}
    assert len(told["streams"]["log"]["items"]) == 200


def test_where_more_items_came_than_are_kept_the_first_number_says_so() -> None:
    feed = Feed()
    feed.open_stream("log", KEPT)
    feed.add("log", {"text": "0"})
    browser = Browser(feed)
    browser.take()
    feed.add("log", *({"text": str(number)} for number in range(1, 10)))
    news = browser.take()["streams"]["log"]
    assert news["from"] == 10 - KEPT > browser.items["log"][0]["n"] + 1
    assert [item["text"] for item in news["items"]] == ["6", "7", "8", "9"]


def test_a_stream_that_is_watched_goes_only_to_who_watches() -> None:
    feed = Feed()
    feed.open_stream("wire", KEPT, watched=True)
    feed.add("wire", {"text": "#17 tag"})
    looking, watching = Browser(feed), Browser(feed, watching=frozenset({"wire"}))
    assert looking.take() == {}
    assert watching.take()["streams"]["wire"]["items"] == [{"n": 0, "text": "#17 tag"}]


def test_who_begins_to_watch_gets_what_is_kept() -> None:
    feed = Feed()
    feed.open_stream("wire", KEPT, watched=True)
    browser = Browser(feed)
    feed.add("wire", *({"text": str(number)} for number in range(10)))
    browser.take()
    browser.state = ClientState(browser.state.revision, browser.state.next, frozenset({"wire"}))
    assert browser.take()["streams"]["wire"]["from"] == 10 - KEPT


def test_in_another_language_all_sentences_are_sent_again_and_nothing_else() -> None:
    feed = Feed()
    feed.open_stream("log", KEPT)
    feed.open_stream("tones", KEPT)
    feed.put("turn", {"seat": 1})
    feed.put("now", spoken(1))
    feed.add("log", spoken(1), spoken(2))
    feed.add("tones", {"hz": 1760.0})
    browser = Browser(feed)
    browser.take()
    browser.speak("fr")
    told = browser.take()
    assert told["parts"] == {"now": {"text": "1 in fr"}}
    assert {name: news["from"] for name, news in told["streams"].items()} == {"log": 0}
    assert [item["text"] for item in told["streams"]["log"]["items"]] == ["1 in fr", "2 in fr"]
    assert browser.take() == {}


def test_a_client_with_another_language_while_a_part_changed_learns_that_it_changed_back() -> None:
    feed = Feed()
    browser = Browser(feed)
    for names, language in ((["", ""], "en"), (["Ada", "Ben"], "fr"), (["", ""], "en")):
        browser.speak(language)
        browser.take()
        feed.put("names", names)
        browser.take()
        assert browser.parts["names"] == names


def test_a_part_with_sentences_for_a_while_only_is_sent_each_time() -> None:
    feed = Feed()
    browser = Browser(feed)
    for value, shown in (
        (None, None),
        (spoken(1), {"text": "1 in en"}),
        (None, None),
        (spoken(1), {"text": "1 in en"}),
    ):
        feed.put("question", value)
        browser.take()
        assert browser.parts["question"] == shown


def test_a_value_is_made_into_text_once_for_each_language_however_many_look() -> None:
    made: Counter[str] = Counter()

    def speak(words: Words) -> dict[str, str]:
        made[words.language] += 1
        return {"text": words.language}

    feed = Feed()
    feed.open_stream("log", KEPT)
    feed.put("now", speak)
    feed.add("log", speak)
    for language in ("en", "fr", "en", "en", "fr"):
        Browser(feed, language).take()
    assert made == {"en": 2, "fr": 2}


def test_a_stranger_s_numbers_do_no_harm() -> None:
    feed = Feed()
    feed.open_stream("log", KEPT)
    feed.add("log", {"text": "0"})
    browser = Browser(feed)
    browser.state = ClientState(0, {"log": 10**30, "nothing": 3})
    browser.take()
    feed.add("log", {"text": "1"})
    assert [item["text"] for item in browser.take()["streams"]["log"]["items"]] == ["1"]


def test_a_greeting_is_a_message_even_if_there_is_nothing_to_tell() -> None:
    feed = Feed()
    assert Browser(feed).greet() == {"boot": feed.boot, "revision": 0, "at_us": 0, "parts": {}, "streams": {}}


def test_every_start_has_a_name_of_its_own() -> None:
    assert len({Feed().boot for _ in range(20)}) == 20


NAMES = st.sampled_from(["turn", "piles", "now"])
VALUES = st.integers(0, 2)


class Clients(RuleBasedStateMachine):
    """Anybody takes messages at any moment, sleeps, comes back, or changes the language."""

    browsers = Bundle("browsers")

    def __init__(self) -> None:
        super().__init__()
        self.feed = Feed()
        self.feed.open_stream("log", KEPT)
        self.feed.open_stream("wire", KEPT, watched=True)
        self.parts: dict[str, tuple[bool, int]] = {}
        self.logged: list[tuple[bool, int]] = []
        self.wired = 0
        self.everybody: list[Browser] = []
        self.revision = 0

    @rule(target=browsers, language=st.sampled_from(sorted(WORDS)), watches=st.booleans())
    def come(self, language: str, watches: bool) -> Browser:
        browser = Browser(self.feed, language, frozenset({"wire"} if watches else ()))
        self.everybody.append(browser)
        browser.greet()
        return browser

    @rule(name=NAMES, value=VALUES, speaks=st.booleans())
    def put(self, name: str, value: int, speaks: bool) -> None:
        self.feed.put(name, spoken(value) if speaks else {"is": value})
        self.parts[name] = speaks, value

    @rule(items=st.lists(st.tuples(st.booleans(), VALUES), max_size=6))
    def log(self, items: list[tuple[bool, int]]) -> None:
        self.feed.add("log", *(spoken(value) if speaks else {"is": value} for speaks, value in items))
        self.logged += items

    @rule(count=st.integers(0, 6))
    def wire(self, count: int) -> None:
        self.feed.add("wire", *({"is": number} for number in range(count)))
        self.wired += count

    @rule(browser=browsers)
    def take(self, browser: Browser) -> None:
        browser.take()

    @rule(browser=browsers, language=st.sampled_from(sorted(WORDS)))
    def speak(self, browser: Browser, language: str) -> None:
        browser.speak(language)
        browser.take()

    @rule(browser=browsers)
    def come_back(self, browser: Browser) -> None:
        """Connect again; the client itself says what it has."""
        following = {name: max(items) + 1 for name, items in browser.items.items() if items}
        browser.state = ClientState(browser.state.revision, following, browser.state.watching)
        browser.greet()

    @rule(browser=browsers, watches=st.booleans())
    def watch(self, browser: Browser, watches: bool) -> None:
        browser.state = ClientState(browser.state.revision, browser.state.next, frozenset({"wire"} if watches else ()))

    @invariant()
    def revisions_never_fall(self) -> None:
        assert self.feed.revision >= self.revision
        self.revision = self.feed.revision

    def teardown(self) -> None:
        for browser in self.everybody:
            browser.take()
            shown = {name: self.said(browser, *value) for name, value in self.parts.items()}
            assert browser.parts == shown
            said = [self.said(browser, *item) for item in self.logged][-KEPT:]
            assert [{k: v for k, v in item.items() if k != "n"} for item in browser.kept("log", KEPT)] == said
            if "wire" in browser.state.watching and self.wired:
                assert max(browser.items["wire"]) == self.wired - 1
            assert browser.take() == {}

    @staticmethod
    def said(browser: Browser, speaks: bool, value: int) -> dict[str, Any]:
        return spoken(value)(WORDS[browser.language]) if speaks else {"is": value}


TestClients = Clients.TestCase
TestClients.settings = settings(max_examples=60, stateful_step_count=30)
