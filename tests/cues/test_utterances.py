"""The queue of sentences to be spoken never holds more than is worth hearing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from taptable.core.notices import PlayersNamed
from taptable.core.tag_notices import MemberSeen, MemberTapEffect
from taptable.cues.speech import SpeechPriority, Utterance, Utterances
from taptable.narration.sentences import narrate, spoken_text
from taptable.words import Words

PASSING, LASTING, URGENT = SpeechPriority.PASSING, SpeechPriority.LASTING, SpeechPriority.URGENT


def spoken(*said: tuple[str, SpeechPriority]) -> str:
    """The texts that are left of these, in the order in which they are spoken."""
    waiting = Utterances()
    for text, weight in said:
        waiting.add(Utterance(text, weight))
    return " ".join(waiting.pop().text for _ in range(len(waiting)))


def test_sentences_are_spoken_in_their_order() -> None:
    assert spoken(("a", PASSING), ("b", LASTING), ("c", PASSING)) == "a b c"


def test_of_what_has_happened_the_newest_is_kept() -> None:
    assert spoken(*((letter, PASSING) for letter in "abcde")) == "d e"


def test_what_has_to_be_known_outlasts_what_has_happened() -> None:
    assert spoken(("a", PASSING), ("B", LASTING), ("c", PASSING), ("d", PASSING), ("e", PASSING)) == "B d e"


def test_what_cant_wait_comes_first_and_instead_of_what_has_happened() -> None:
    assert spoken(("a", PASSING), ("B", LASTING), ("!", URGENT)) == "! B"
    assert spoken(("!1", URGENT), ("B", LASTING), ("!2", URGENT), ("c", PASSING)) == "!1 !2 B c"


def test_a_waiting_sentence_is_spoken_with_the_names_of_players_by_then() -> None:
    (seen,), (named,) = (
        narrate(MemberSeen(0, "0f1e2d3c4b5a6978", 2, MemberTapEffect.SITS)),
        narrate(PlayersNamed(0, ("Ada", "Bo"))),
    )
    waiting = Utterances()
    said = (
        Utterance("Ada sits at seat 2.", narrated=seen),
        Utterance("Ada and Bo.", narrated=named),
        Utterance("It is late."),
    )
    for one in said:
        waiting.add(one)
    waiting.reword(lambda told: "" if told == named else spoken_text(told, Words("en")))
    assert [waiting.pop().text for _ in range(len(waiting))] == ["A member sits at seat 2.", "It is late."]


def test_of_what_couldnt_wait_and_had_to_the_newest_is_kept() -> None:
    assert spoken(("!1", URGENT), ("!2", URGENT), ("!3", URGENT)) == "!2 !3"


@given(st.lists(st.tuples(st.text(min_size=1, max_size=3), st.sampled_from(SpeechPriority)), min_size=1))
def test_the_latest_is_always_among_them_and_there_are_never_many(said: list[tuple[str, SpeechPriority]]) -> None:
    waiting = Utterances()
    for text, weight in said:
        waiting.add(Utterance(text, weight))
    left = [waiting.pop() for _ in range(len(waiting))]
    assert len(left) <= 10
    assert Utterance(*said[-1]) in left
