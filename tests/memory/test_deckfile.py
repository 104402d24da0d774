"""A deck as text: read again as it was, and everything wrong in it named with its line."""

from __future__ import annotations

import json

import pytest
from deck_samples import ONLINE, deck
from hypothesis import given, settings
from hypothesis import strategies as st
from taptable.core.errors import DeckError
from taptable.memory.deck import CONTROLS, Deck, DeckFaults
from taptable.memory.deckfile import deck_of, text_of
from taptable.words import Words

names = st.from_regex(r"[a-z0-9][a-z0-9-]{0,39}", fullmatch=True)
uids = st.one_of(st.binary(min_size=4, max_size=4), st.binary(min_size=7, max_size=7)).map(bytes.hex)
enrollable = uids.filter(lambda uid: len(uid) != 8 or not uid.startswith("08"))


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    tags = draw(st.lists(enrollable, unique=True, max_size=60))
    cards = draw(st.lists(st.sampled_from(list(ONLINE)), unique=True, max_size=len(tags)))
    controls = draw(st.lists(st.sampled_from(CONTROLS), max_size=len(tags) - len(cards)))
    rest = iter(tags)
    return Deck(draw(names), "online", {next(rest): card for card in cards}, {next(rest): what for what in controls})


@given(decks())
def test_what_was_written_is_read_again(deck: Deck) -> None:
    assert deck_of(text_of(deck).encode(), "x", ONLINE) == deck


def test_it_has_one_card_a_line() -> None:
    lines = text_of(deck()).splitlines()
    for tag, card in deck().cards.items():
        assert sum(tag in line and card in line for line in lines) == 1


def test_it_may_be_mended_by_hand_with_other_line_ends_and_a_byte_order_mark() -> None:
    mended = b"\xef\xbb\xbf" + text_of(deck()).replace("\n", "\r\n").replace(": ", " :").encode()
    assert deck_of(mended, "x", ONLINE) == deck()


TEXT = """\
{
  "taptable-deck": 1,
  "name": "family",
  "game": "online",
  "cards": {
    "04000000000001": "email#1",
    "04000000000002": "email#2",
    "0badcafe": "search#2"
  },
  "controls": {
    "0badcaff": "pause"
  }
}
"""


def test_the_text_of_the_following_tests_is_right() -> None:
    assert deck_of(TEXT.encode(), "x", ONLINE).cards["0badcafe"] == "search#2"


@pytest.mark.parametrize(
    ("there", "instead", "named"),
    [
        (
            '"taptable-deck": 1',
            '"taptable-deck": 2',
            "line 2, taptable-deck: this deck is of format 2, and this taptable knows 1",
        ),
        ('"taptable-deck": 1', '"taptable-deck": true', "line 2, taptable-deck: the format must stand here"),
        ('"taptable-deck": 1', '"deck": 1', "line 2, deck: a deck has no such key"),
        ('"taptable-deck": 1,', "", "taptable-deck: the format must stand here"),
        ('"family"', '"The Family"', "line 3, name: 'The Family' is no name"),
        ('"family"', "7", "line 3, name: a text must stand here"),
        ('"online"', '"xnet"', "line 4, game: this is a deck for 'xnet', not for online"),
        ('"online"', '""', "line 4, game: a text must stand here"),
        ('"game": "online"', '"name": "online"', "line 4, name: stands here a second time"),
        ("email#1", "emial#1", "line 6, 04000000000001: emial#1: online has no such kind, but online, turbo-line"),
        ("email#1", "email#23", "line 6, 04000000000001: email#23: online has email#1 to email#22"),
        ("email#1", "email#0", "line 6, 04000000000001: 'email#0' is no card"),
        ("email#1", "e-mail 1", "line 6, 04000000000001: 'e-mail 1' is no card"),
        ('"email#1"', "null", "line 6, 04000000000001: a text must stand here"),
        ("email#2", "email#1", "line 7, 04000000000002: email#1 is the tag 04000000000001 already"),
        ("04000000000002", "04000000000001", "line 7, 04000000000001: this tag stands here a second time"),
        ("04000000000002", "04A2B3C4D5E680", "line 7, 04A2B3C4D5E680: a UID is 4 or 7 bytes in lower-case hex"),
        ("04000000000002", "0400000002", "line 7, 0400000002: a UID is 4 or 7 bytes"),
        ("04000000000002", "08000002", "line 7, 08000002: a UID of 4 bytes that begins with 08 is a phone’s"),
        ("0badcaff", "0badcafe", "line 11, 0badcafe: this tag is search#2 already"),
        ('"pause"', '"stop"', "line 11, 0badcaff: 'stop' is no control: pause, take-back"),
        ('"controls": {', '"notes": {', "line 10, notes: a deck has no such key"),
        ('"controls": {', '"notes": {', "controls: an object must stand here"),
        ('"email#2",', '"email#2"', "line 8, column 5: this is no JSON"),
    ],
)
def test_each_error_is_named_with_its_line(there: str, instead: str, named: str) -> None:
    assert TEXT.count(there) == 1
    with pytest.raises(DeckError) as caught:
        deck_of(TEXT.replace(there, instead).encode(), "old.json", ONLINE)
    assert str(caught.value).startswith("deck old.json: ")
    assert named in str(caught.value)


def test_all_errors_are_named_at_once() -> None:
    text = TEXT.replace("email#1", "emial#1").replace('"pause"', '"stop"').replace("family", "Family")
    with pytest.raises(DeckError, match=r"line 3, name: .*; line 6, 0400.*; line 11, 0badcaff: "):
        deck_of(text.encode(), "x", ONLINE)


def test_not_more_errors_are_named_than_help() -> None:
    cards = ",".join(f'"{number}": "email#1"' for number in range(50_000))
    text = f'{{"taptable-deck": 1, "name": "a", "game": "b", "controls": {{}}, "cards": {{{cards}}}}}'
    with pytest.raises(DeckError, match=r"; and 49980 more$"):
        deck_of(text.encode(), "x")


def test_without_the_games_cards_only_their_form_is_judged() -> None:
    other = TEXT.replace("online", "xnet").replace("email#1", "emial#99")
    assert deck_of(other.encode(), "x").game == "xnet"


@given(st.data())
@settings(max_examples=120)
def test_whatever_is_damaged_it_is_a_deck_or_a_deck_error_with_a_sentence(data: st.DataObject) -> None:
    damaged = bytearray(text_of(deck(cards=5)).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(damaged)))
        length = data.draw(st.integers(0, 20))
        damaged[start : start + length] = data.draw(st.one_of(st.binary(max_size=20), st.just(bytes(damaged[:length]))))
    assert_judged(bytes(damaged))


json_like = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.fixed_dictionaries(
        {}, optional=dict.fromkeys(("taptable-deck", "name", "game", "cards", "controls", "x"), json_like)
    )
)
def test_whatever_json_stands_there_it_is_a_deck_or_a_deck_error(told: dict[str, object]) -> None:
    assert_judged(json.dumps(told).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'"deck"',
        b"\xff\xfe{}",
        b"[" * 100_000,
        b"9" * 10_000,
        b'{"cards":' * 900 + b"1" + b"}" * 900,
        b'{"taptable-deck": 1e999}',
        b'{"name": "\\ud800"}',
        b'{"\\ud800": 1}',
        b" " * 1_000_001,
    ],
    ids=lambda data: repr(data[:12]),
)
def test_what_is_no_deck_at_all_is_a_deck_error(data: bytes) -> None:
    with pytest.raises(DeckError, match=r"^deck x: .{10}") as error:
        deck_of(data, "x", ONLINE)
    assert str(error.value).encode()  # it can be said: half a letter in the text is none in the sentence


def test_a_mistake_is_reported_in_the_language_of_the_requester() -> None:
    with pytest.raises(DeckFaults) as faults:
        deck_of(b'{"taptable-deck": 1, "cards": {"04aabbccddeeff": 1}, "controls": {}}', "x", ONLINE)
    told = faults.value.text(Words("de"), with_uids=True)
    assert told.split("; ") == [
        f"{place}: hier muss ein Text stehen" for place in ("name", "game", "Zeile 1, 04aabbccddeeff")
    ]


def assert_judged(data: bytes) -> None:
    """A deck that is the same again when written, or a `DeckError` with a sentence."""
    sentence, judged = "", None
    try:
        judged = deck_of(data, "x", ONLINE)
    except DeckError as error:
        sentence = str(error)
    if judged is None:
        assert sentence.startswith("deck x: ")
        assert len(sentence) > 20
    else:
        assert deck_of(text_of(judged).encode(), "x", ONLINE) == judged
