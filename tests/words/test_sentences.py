"""The sentences in four languages: whole ones for every verdict and announcement, with their facts; and words for
everything that has a name."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import cache

import pytest
from choosing import long_params
from taptable.core import part_notices
from taptable.core.announcements import ClaimGiven, GameEnded, TurnBegan, type_name
from taptable.core.game_options import GameOptions
from taptable.core.pack import PackKind
from taptable.core.scoreboard import Count
from taptable.core.sentences import Sentences
from taptable.core.verdicts import Accepted, Refused
from taptable.cues.canvas import LINE
from taptable.cues.text import SMALL, font, layout_text
from taptable.games.cyber_siege.announcements import CardLaid
from taptable.games.cyber_siege.cards import Effect, Icon
from taptable.games.online.announcements import PilesReshuffled
from taptable.games.registry import GAMES, find_game, package_of
from taptable.referee.codes import TABLE_CODES
from taptable.referee.notes import KINDS
from taptable.referee.step import open_table
from taptable.words import LANGUAGES, Vocabulary, Words

from words.catalogues import PACKAGES, sentences
from words.situations import SITUATIONS
from words.verdict_samples import all_announcements, all_objections

WIDTH, HEIGHT = 128, 43
"""The pixels for a refusal on the reference display, below the line with the tapped card and above a running window."""
NAMED = {
    "online": {},
    "cyber-siege": {
        "meaning": ("youngest", "launch", "take-hit", "break-off", "stop"),
        "place": ("hand", "sets", "laying", "discard-pile"),
        "now": ("set", "launch", "discard", "reshuffle", "window kind=launch", "window kind=defence"),
        "can": ("set", "launch", "discard", "reshuffle", "window kind=launch", "window kind=defence"),
        "agreement": ("players", "too-few-red", "too-few-sets"),
    },
    "xnet": {
        "meaning": ("youngest", "stop", "break-off"),
        "place": ("streamer", "hand", "draw-pile"),
        "now": [control.name for control in find_game("xnet").controls],
        "can": [control.name for control in find_game("xnet").controls],
        "token": ("x", "specialist"),
        "card": ("topic",),
        "pad": ("demand",),
    },
}
"""Names of a game's own that no other attribute of it lists, by context."""
CUT = {PilesReshuffled}
"""Announcements that the scoreboard may cut: the number of cards in the new pile comes last."""
IN_THE_GUIDE = {
    "online": {"email", "music", "game", "movie"},
    "cyber-siege": {"target_points", "launch_s", "defence_s"},
    "xnet": {"target_points"},
}
"""Facts of a guide that the house rules fill in."""

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
WITH_A_SEAT = r"\b([Pp]latz|[Ss]eats?|[Jj]oueurs?|[Ss]pelers?) \d|\b([Ll]e|du|au|les|des|aux|de) (Ada|Eva)"

every_game = pytest.mark.parametrize("game", list(GAMES))


@cache
def words_of(language: str, game: str = "online") -> Words:
    return Words(language, Vocabulary((package_of(game),), find_game(game).pack("")))


def is_whole(sentence: str) -> bool:
    """Return whether a text begins and ends as a sentence does, with no field left open in it and no rule's number."""
    begins_and_ends = re.fullmatch(r"[A-ZÀ-Ý0-9][^{}#_]*[.!?]", sentence)
    return begins_and_ends is not None and not re.search(r"None|  |\([RSX]\d", sentence)


def assert_fit(game: str, say: Callable[[Words], Iterable[str]], fits: Callable[[str], bool]) -> None:
    """Check that the sentences fit in every language."""
    for language in LANGUAGES:
        sentences = set(say(words_of(language, game)))
        assert len(sentences) > 1
        assert [sentence for sentence in sentences if not fits(sentence)] == [], language


def refusals(game: str, words: Words) -> Iterable[str]:
    return (words.text("verdict", verdict.code, verdict.facts) for verdict in all_objections(game))


@every_game
def test_every_code_and_every_announcement_of_a_game_is_met(game: str):
    played = find_game(game)
    assert {code for code, _, _ in played.codes} - {verdict.code for verdict in all_objections(game)} == set()
    assert {*played.announcements} - {type(said) for said in all_announcements(game)} == set()


@every_game
def test_every_announcement_that_is_made_is_a_whole_sentence(game: str):
    assert_fit(game, lambda words: (words.announcement(said) for said in all_announcements(game)), is_whole)
    assert_fit(game, lambda words: (words.announcement(said, "told") for said in all_announcements(game)), is_whole)
    assert_fit(game, lambda words: (words.announcement(said, "spoken") for said in all_announcements(game)), is_whole)


@pytest.mark.parametrize("game", long_params(["xnet", "online", "cyber-siege"]))
def test_every_announcement_calls_players_by_their_names_where_they_have_some(game: str):
    def seats(words: Words) -> Iterable[str]:
        named = words.with_names(NAMES)
        for said in all_announcements(game):
            for context in ("announcement", "told", "spoken"):
                assert is_whole(named.announcement(said, context))
                yield named.announcement(said, context)

    assert_fit(game, seats, lambda text: re.search(WITH_A_SEAT, text) is None)


def test_who_has_no_name_keeps_the_number_and_french_its_article():
    ended = GameEnded((1, 2), ())
    assert words_of("en").with_names(("", "Ben")).announcement(ended).endswith("Victory for seat 1 and Ben!")
    assert words_of("fr").with_names(("Ada", "")).announcement(TurnBegan(1, 2)).startswith("C’est au tour d’Ada,")
    assert words_of("fr").with_names(("Ada", "")).announcement(TurnBegan(2, 2)).startswith("C’est au tour du joueur 2,")


@every_game
def test_every_objection_that_is_made_is_a_whole_sentence(game: str):
    assert_fit(game, lambda words: (text[:1].upper() + text[1:] for text in refusals(game, words)), is_whole)


@every_game
def test_every_objection_stands_whole_on_the_display(game: str):
    small = [font("small")]
    assert_fit(
        game, lambda words: refusals(game, words), lambda text: layout_text(text, small, WIDTH, HEIGHT).is_complete
    )


@every_game
def test_every_announcement_that_the_scoreboard_spells_out_stands_whole_along_its_bottom(game: str):
    assert_fit(
        game,
        lambda words: (
            words.announcement(said) for said in all_announcements(game) if said.written and type(said) not in CUT
        ),
        lambda text: layout_text(text, [SMALL], WIDTH - 4, 2 * LINE + 1).is_complete,
    )


@every_game
def test_every_code_every_announcement_and_every_name_of_a_game_has_words(game: str):
    played = find_game(game)
    state = open_table(played, GameOptions(4, played.editions[0], {}, 1))[0].state
    board = played.scoreboard(state)
    faces = {kind.face for kind in played.pack("").kinds}
    names = {
        ("unit", board.unit),
        *(("verdict", code) for code, _, _ in (*played.codes, *TABLE_CODES)),
        *(("announcement", type_name(kind)) for kind in played.announcements),
        *(("control", name) for each in played.controls for name in (each.name, *(card for card, _ in each.cards))),
        *(("card", face) for face in faces),
        *(("count-of", count.name) for count in (*board.stock, *board.hands[0], *board.teams[0].counts)),
        *(("setting", key) for key in played.settings),
        *(("edition", edition) for edition in played.editions),
        *(("advice", advice.key) for advice in played.advice),
        *(("figure", figure.key) for figure in played.figures),
        *(("place", zone.place) for zone in played.layout(state) if zone.place not in faces),
        *((context, name) for context, named in NAMED[game].items() for name in named),
    }
    for language in LANGUAGES:
        known = {context: words_of(language, game).all_messages(context) for context, _ in names}
        assert [(context, name) for context, name in names if name not in known[context]] == [], language


@every_game
def test_the_guide_shows_every_face_and_has_words_for_its_sections_and_no_more(game: str):
    played = find_game(game)
    assert {face for section in played.guide for face in section} == {kind.face for kind in played.pack("").kinds}
    for words in (words_of(language, game) for language in LANGUAGES):
        sections = range(1, len(played.guide) + 1)
        texts = [words.message("guide", f"guide-{section}-text") or "" for section in sections]
        assert all(texts)
        assert all(words.message("guide", f"guide-{section}-title") for section in sections)
        assert words.message("guide", f"guide-{len(played.guide) + 1}-title") is None
        assert words.message("guide", "aim")
        opened = {field for text in texts for _, field, _, _ in string.Formatter().parse(text) if field}
        assert opened == IN_THE_GUIDE[game]


def test_every_notice_has_words():
    for language in LANGUAGES:
        assert [key for key in KINDS if words_of(language).message("notice", key) is None] == [], language


def cases_met(game: str) -> set[tuple[str, str]]:
    """Return each code and type together with a fact that came with it, in the form of a catalogue's key."""
    met: set[tuple[str, str]] = set()

    def meet(context: str, key: str, facts: Mapping[str, object]) -> None:
        for name, value in facts.items():
            nothing = value is None or value == ()
            case = "none" if nothing else "some" if isinstance(value, tuple) else str(value)
            met.add((context, f"{key} {name}={case}"))
        met.add((context, key))

    for said in all_announcements(game):
        facts = {field.name: getattr(said, field.name) for field in fields(said)}
        meet("announcement", type_name(type(said)), facts)
    for verdict in all_objections(game):
        meet("verdict", verdict.code, verdict.facts)
    return met


def test_no_sentence_is_kept_for_what_never_happens():
    met = {package_of(game): cases_met(game) for game in GAMES}
    met["taptable"] = {case for cases in met.values() for case in cases}
    for package in PACKAGES:
        kept = {(context, key) for context, key in sentences(package, "en") if context in ("verdict", "announcement")}
        assert kept - met[package] == set(), package


def test_a_special_case_comes_before_the_general_words():
    words = words_of("en")
    assert words.announcement(TurnBegan(2, 0)) == "Seat 2 is on turn."
    assert words.announcement(TurnBegan(2, 1)) == "Seat 2 is on turn and draws 1 card."
    assert words.announcement(TurnBegan(2, 3)) == "Seat 2 is on turn and draws 3 cards."


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Platz 3 war um 4,2 ± 0,1 ms schneller und zeigt jetzt die Karte."),
        ("en", "Seat 3 was first by 4.2 ± 0.1 ms: show your card now."),
        ("fr", "Le joueur 3 a 4,2 ± 0,1 ms d’avance. Montrez votre carte\u00a0!"),
        ("nl", "Speler 3 was 4,2 ± 0,1 ms eerder en toont nu de kaart."),
    ],
)
def test_r7_2_the_margin_is_given_in_milliseconds(language: str, sentence: str):
    claim = ClaimGiven(seat=3, until_us=9_000_000, tied=(), margin_us=4_210, uncertainty_us=100)
    assert words_of(language).announcement(claim) == sentence


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Gleichzeitig gedrückt: Platz 2, 3 und 4. Nach der Sitzfolge zeigt Platz 2 jetzt die Karte."),
        ("en", "A tie: seats 2, 3 and 4. By the order of seats it is seat 2: show your card now."),
        (
            "fr",
            "Égalité\u00a0: joueurs 2, 3 et 4. Selon l’ordre des places, c’est au joueur 2. Montrez votre carte\u00a0!",
        ),
        ("nl", "Gelijk gedrukt: spelers 2, 3 en 4. Volgens de zitvolgorde toont speler 2 nu de kaart."),
    ],
)
def test_r7_2_a_tie_is_announced(language: str, sentence: str):
    claim = ClaimGiven(seat=2, until_us=9_000_000, tied=(2, 3, 4), margin_us=0, uncertainty_us=100)
    assert words_of(language).announcement(claim) == sentence


@pytest.mark.parametrize(
    ("winner", "sentence"),
    [
        ((2,), "Alle Dateien sind heruntergeladen. Sieg für Platz 2!"),
        ((1, 4), "Alle Dateien sind heruntergeladen. Sieg für Platz 1 und 4!"),
    ],
)
def test_a_team_is_named_by_its_seats(winner: tuple[int, ...], sentence: str):
    assert words_of("de").announcement(GameEnded(winner, "quotas")) == sentence


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ((11, 9), "Time has run out. Victory for seat 2! By category cards: 11 against 9."),
        ((11, 11, 9, 0), "Time has run out. Victory for seat 2! By category cards: 11 against 9, 0."),
        ((3, 3), "Time has run out. Victory for seat 2! By category cards: 3 each."),
    ],
)
def test_the_end_says_what_decided_where_that_is_not_the_score(cards: tuple[int, ...], sentence: str):
    ended = GameEnded((2,), "time", tuple(Count("category-cards", have) for have in cards))
    assert words_of("en").announcement(ended) == sentence


def test_a_verdict_is_spoken_after_what_was_announced():
    words = words_of("en")
    facts = {"card": "password-ok#3", "pad": 1}
    refusal = Refused("R4.4", "no-password-error", facts, (TurnBegan(2, 0),))
    assert words.verdict(refusal) == "Seat 2 is on turn. Password OK fits only onto Password Error."
    assert words.verdict(Accepted()) == ""


def test_names_of_cards_pads_and_seats():
    words = words_of("de")
    assert (words.kind("email#7"), words.card("email#7")) == ("E-Mail", "E-Mail 7")
    assert words.card("visa") == "visa"
    assert words.cards(("email#7", "hacker#2", "email#9", "email#8", "email#12")) == "E-Mail 7–9, 12; Hacker 2"
    assert (words.pad(3), words.pad("discard")) == ("Platz 3", "Papierkorb")
    assert words_of("en").seats((1, 3, 5)) == "seats 1, 3 and 5"


def test_a_control_card_has_its_name_too():
    words = words_of("de")
    assert words.text("screen", "refused-card", {"card": "pause", "pad": 2}) == "Pause, Platz 2"


def test_a_fact_is_spelled_by_its_name():
    words = words_of("de")
    facts = {"cards": ("email#7", "virus#1"), "pad": 2}
    assert words.text("screen", "refused-cards", facts) == "E-Mail, Virus, Platz 2"


def test_where_words_are_missing_the_key_stands():
    assert words_of("en").text("verdict", "no-such-code", {"card": "email#7"}) == "no-such-code"


def test_a_language_without_words_is_an_error_that_names_those_there_are():
    with pytest.raises(ValueError, match="'es'; there are de, en, fr, nl"):
        Words("es")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Platzplatine 3 braucht neue Firmware (taptable flash 3)."),
        ("en", "Seat board 3 needs new firmware (taptable flash 3)."),
        ("fr", "Le circuit de la place 3 a besoin d’un nouveau micrologiciel (taptable flash 3)."),
        ("nl", "Stoelprint 3 heeft nieuwe firmware nodig (taptable flash 3)."),
    ],
)
def test_a_board_that_is_not_used_for_its_firmware_is_reported_with_what_to_do(language: str, sentence: str):
    words = words_of(language)
    assert words.notice(part_notices.PartLost(0, "firmware 3", "has firmware 0.9.0")) == sentence
    assert "3" in words.notice(part_notices.PartBack(0, "firmware 3"))
    assert words.part("firmware 3") != words.part("board 3")


def test_two_boards_with_one_number_are_named_by_the_pad_that_they_claim():
    words = words_of("en")
    for part, board in (("twins 3", "seat board 3"), ("discard twins", "the discard board")):
        assert words.notice(part_notices.PartLost(0, part, "")) == f"Two boards say that they are {board}: unplug one."
        assert words.notice(part_notices.PartBack(0, part)) == f"Only one board says that it is {board} now."
    for language in ("de", "fr", "nl"):
        assert "3" in words_of(language).notice(part_notices.PartLost(0, "twins 3", ""))
        assert "3" in words_of(language).part("twins 3")


def test_every_code_has_situations_that_end_with_it_by_its_rule():
    codes = {code: (code, rule, kind) for code, rule, kind in (*find_game("online").codes, *TABLE_CODES)}
    assert set(SITUATIONS) == set(codes)
    for code, plays in SITUATIONS.items():
        for verdict in (play().verdicts[-1] for play in plays):
            assert (verdict.code, verdict.rule, type(verdict)) == codes[code]


LONGEST_TITLE, LONGEST_EXPLANATION = 34, 170
"""Limits in letters for the sample's texts: together they have five lines on a phone, and a voice needs about ten
seconds for them."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_card_of_the_cyber_siege_sample_has_a_title_and_a_short_explanation(language: str):
    words = words_of(language, "cyber-siege")
    kinds = [kind for kind in find_game("cyber-siege").pack("").kinds if kind.face in ("attack", "defence", "admin")]
    explanations = {kind.id: words.explanation(kind.id) for kind in kinds}
    assert len(set(explanations.values())) == len(kinds) == 17
    assert [id for id, text in explanations.items() if not is_whole(text) or len(text) > LONGEST_EXPLANATION] == []
    titles = {kind.id: words.title(kind.id) for kind in kinds if kind.face != "admin"}
    assert len(set(titles.values())) == len(titles)
    assert [id for id, title in titles.items() if title == words.kind(id) or len(title) > LONGEST_TITLE] == []
    assert all(is_whole(words.effect(kind)) for kind in kinds if kind.face == "attack")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_effect_of_every_kind_is_described(language: str):
    words = words_of(language, "cyber-siege")
    icons = [Icon(effect, 2, Sentences({"en": "Swap your hands."})) for effect in Effect]
    said = {words.effect(PackKind("1.1", 1, effect=icon.facts)) for icon in icons}
    assert len(said) == len(Effect)
    assert all(map(is_whole, said))


@pytest.mark.parametrize(
    ("language", "lays", "sentence"),
    [
        ("de", (("1.2", "1.3"), (), 2), "Platz 1 legt Angriff 1.1. Noch nötig: 1.2, 1.3."),
        ("en", (("1.2",), (), 1), "Seat 1 lays Attack 1.1. Still missing: 1.2."),
        (
            "fr",
            ((), ("1.2", "1.3"), 1),
            "Le joueur 1 pose la carte Attaque 1.1. Il manque encore\u00a0: 1 au choix parmi 1.2, 1.3.",
        ),
        ("nl", ((), (), 0), "Speler 1 legt Aanval 1.1."),
    ],
)
def test_what_a_set_lacks_is_for_ears(language: str, lays: tuple[tuple[str, ...], tuple[str, ...], int], sentence: str):
    words = words_of(language, "cyber-siege")
    laid = CardLaid(1, "1.1#1", *lays)
    assert words.announcement(laid, "spoken") == sentence
    assert words.announcement(laid) == words.announcement(laid, "told") == sentence.partition(" 1.1.")[0] + " 1.1."
