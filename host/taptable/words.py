"""The sentences that people read, in their language, from gettext catalogues. A text is found by its context and a
stable key; the catalogues of the table and of each game have the texts, English included. `narration` and others choose
the key. Must not know a rule or a device, nor choose which sentence is given."""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from importlib import resources
from itertools import zip_longest
from types import MappingProxyType
from typing import cast

from taptable.core.announcements import Announcement, GameEnded, type_name
from taptable.core.device_events import is_tag_number
from taptable.core.notices import CorrectionAsked, Notice, PlayersNamed
from taptable.core.observations import Pad
from taptable.core.pack import Pack, PackKind
from taptable.core.scoreboard import Count
from taptable.core.sentences import Sentences
from taptable.core.tag_notices import EnrolmentSays, MemberCardSays, MembersSeated
from taptable.core.verdicts import Accepted, Verdict

LANGUAGES = ("de", "en", "fr", "nl")
"""The languages that have catalogues."""
US_PER_MS = 1000
_MARK = "\x04"
"""Separates context and key in a compiled catalogue."""
_PEOPLE_CONTEXTS = frozenset({"announcement", "can", "hands", "now", "spoken", "told", "verdict"})
"""Contexts whose sentences are about players. In these, seats are replaced by players' names."""
_SEAT_PATTERNS = {
    "de": re.compile(r"\bPlatz (?P<seats>\d(?:, \d)*(?: und \d)?)\b"),
    "en": re.compile(r"\b[Ss]eats? (?P<seats>\d(?:, \d)*(?: and \d)?)\b"),
    "fr": re.compile(r"\b(?:(?P<of>du|des?) |(?P<to>aux?) |[Ll]es? )?[Jj]oueurs? (?P<seats>\d(?:, \d)*(?: et \d)?)\b"),
    "nl": re.compile(r"\b[Ss]pelers? (?P<seats>\d(?:, \d)*(?: en \d)?)\b"),
}
"""How each language's catalogues mention seats. Names of players are inserted at a match."""


class Vocabulary:
    """The game whose words are used, and the names of its players. `packages` hold its catalogues; `pack` has its
    cards, some of which may have names that only their manifest knows. `names` are those of the players, seat 1 first,
    "" for a player without one. `member_names` are the members' names by their ids, with `in_public` those that they
    chose for the public. All `Words` of a table share one vocabulary, so that `set_game` changes the game for each of
    them."""

    def __init__(
        self,
        packages: tuple[str, ...] = (),
        pack: Pack | None = None,
        names: tuple[str, ...] = (),
        member_names: Mapping[str, str] = MappingProxyType({}),
        in_public: bool = False,
    ) -> None:
        self.in_public = in_public
        self.packages = packages
        self.pack = pack
        self.names = names
        self.member_names = member_names

    def set_game(self, packages: tuple[str, ...], pack: Pack | None) -> None:
        """Use another game's catalogues and pack from now on."""
        self.packages, self.pack = packages, pack


def player_names(names: Sequence[str], members: Sequence[str], member_names: Mapping[str, str]) -> tuple[str, ...]:
    """Return the players' names, seat 1 first. A member has the name of `member_names`, "" if it is unknown by now; a
    guest has the one that was typed in."""
    both = zip_longest(names, members, fillvalue="")
    return tuple(member_names.get(member, "") if member else name for name, member in both)


class Words:
    """The words of one language: those of a game, given by a vocabulary or by its packages, and the table's own, which
    a game may override. Raises ValueError for a language that isn't in `LANGUAGES`."""

    def __init__(self, language: str, vocabulary: Vocabulary | tuple[str, ...] = ()) -> None:
        if language not in LANGUAGES:
            raise ValueError(f"no words in language {language!r}; there are {', '.join(LANGUAGES)}")
        self.language = language
        self.vocabulary = vocabulary if isinstance(vocabulary, Vocabulary) else Vocabulary(vocabulary)

    @property
    def key(self) -> str:
        """A cache key: words with the same key and vocabulary give the same sentences."""
        return f"{self.language} in public" if self.vocabulary.in_public else self.language

    def with_names(self, names: Sequence[str], members: Sequence[str] = ()) -> Words:
        """Return these words with the names of other players and members, seat 1 first."""
        vocabulary = self.vocabulary
        called = player_names(names, members, vocabulary.member_names)
        return Words(
            self.language,
            Vocabulary(vocabulary.packages, vocabulary.pack, called, vocabulary.member_names, vocabulary.in_public),
        )

    @property
    def _catalogues(self) -> list[gettext.NullTranslations]:
        return [_load(package, self.language) for package in (*self.vocabulary.packages, "taptable")]

    def message(self, context: str, key: str) -> str | None:
        """Return the sentence with its ``{fields}`` unfilled, or None if no catalogue has it."""
        for catalogue in self._catalogues:
            found = catalogue.pgettext(context, key)
            if found != key:
                return found
        return None

    def all_messages(self, context: str) -> dict[str, str]:
        """Return every sentence of a context by its key, with its ``{fields}`` unfilled."""
        found: dict[str, str] = {}
        for catalogue in reversed(self._catalogues):
            # gettext has no public way to list its messages
            sentences = cast("dict[object, str]", vars(catalogue).get("_catalog", {}))
            for name, sentence in sentences.items():
                within, mark, key = str(name).partition(_MARK)
                if mark and within == context:
                    found[key] = sentence
        return dict(sorted(found.items()))

    def text(self, context: str, key: str, facts: Mapping[str, object] | None = None) -> str:
        """Return the sentence for `key`, filled in with `facts` as `_spell` spells them. Return the key itself if no
        catalogue has it.

        A special case has the key and one fact: ``turn-ended how=pass`` takes precedence over ``turn-ended``. The first
        such fact decides; None and an empty tuple are ``none``, any other tuple is ``some``."""
        facts = facts or {}
        if (context, key) == ("verdict", "unknown-card") and (deck := _other_deck(facts.get("card"))):
            context, key, facts = "told", "other-deck", {"deck": deck}
        sentence = self._for_case(context, key, facts)
        if sentence is None:
            return key
        filled = sentence.format_map({name: self._spell(name, value) for name, value in facts.items()})
        return (
            _SEAT_PATTERNS[self.language].sub(self._insert_names, filled)
            if self.vocabulary.names and context in _PEOPLE_CONTEXTS
            else filled
        )

    def _insert_names(self, found: re.Match[str]) -> str:
        """Return the names of the players at the seats of a match, or the match unchanged if none of them has a
        name."""
        seats = [int(seat) for seat in re.findall(r"\d", found["seats"])]
        if not any(map(self._name_at, seats)):
            return found[0]
        *most, last = [self._name_at(seat) or self.pad(seat) for seat in seats]
        names = self.text("pad", "names", {"most": ", ".join(most), "last": last}) if most else last
        if self.language != "fr":
            return names
        if found["of"]:
            return f"d’{names}" if names[0].lower() in "aeiouyéèêàâh" else f"de {names}"
        return f"à {names}" if found["to"] else names

    def _name_at(self, seat: int) -> str:
        return dict(enumerate(self.vocabulary.names, 1)).get(seat, "")

    def _for_case(self, context: str, key: str, facts: Mapping[str, object]) -> str | None:
        """Return the message for a key with these facts: that of a special case, or the general one."""
        special = (self.message(context, f"{key} {name}={_case(value)}") for name, value in facts.items())
        return next((words for words in special if words is not None), None) or self.message(context, key)

    def announcement(self, announcement: Announcement, context: str = "announcement") -> str:
        """Return an announcement as a sentence. Some announcements have another one in the context ``told``, for those
        who read of it later, without a request to the players, or ``spoken``, for listeners, who don't see the page."""
        facts = {field.name: getattr(announcement, field.name) for field in fields(announcement)}
        key = type_name(type(announcement))
        if self._for_case(context, key, facts) is None:
            context = "announcement"
        sentence = _capital(self.text(context, key, facts))
        if isinstance(announcement, GameEnded) and announcement.decisive:
            sentence = f"{sentence} {self._deciding_figures(announcement.decisive)}"
        return sentence

    def _deciding_figures(self, figures: Sequence[Count]) -> str:
        """Return the sentence about the figures of all teams, best first, that decided a game."""
        first = figures[0]
        others = ", ".join(str(figure.have) for figure in figures if figure.have != first.have)
        return _capital(self.text("decided", first.name, {"first": first.have, "others": others or None}))

    def notice(self, notice: Notice) -> str:
        """Return a notice as a sentence."""
        facts = {field.name: getattr(notice, field.name) for field in fields(notice)}
        if "part" in facts:  # some kinds of parts have sentences of their own
            facts["kind"], _, facts["number"] = str(facts["part"]).partition(" ")
        if isinstance(notice, CorrectionAsked):
            facts["control"] = notice.what
        if isinstance(notice, PlayersNamed):
            facts["names"] = self._at_seats(notice.names)
        if isinstance(notice, MembersSeated):
            facts["names"] = self._at_seats([each and self.member(each) for each in notice.members])
        if isinstance(notice, EnrolmentSays):
            facts = {"said": self.text("deck", notice.key, notice.facts)}
        if isinstance(notice, MemberCardSays):
            facts = {"said": self.text("people", notice.key, {"member": notice.member, **notice.facts})}
        return _capital(self.text("notice", type_name(type(notice)), facts))

    def _at_seats(self, names: Sequence[str]) -> tuple[str, ...]:
        return tuple(f"{name} ({self.pad(seat)})" for seat, name in enumerate(names, 1) if name)

    def member(self, member: str) -> str:
        """Return a member's name, or *a member* if it is unknown by now."""
        return self.vocabulary.member_names.get(member) or self.text("people", "somebody")

    def part(self, part: str) -> str:
        """Return the name of a part of the table: ``board 3`` is *seat board 3*."""
        kind, _, number = part.partition(" ")
        if number.isdigit():
            return self.text("part", kind, {"number": number})
        return self.text("part", part)

    def verdict(self, verdict: Verdict) -> str:
        """Return a verdict as sentences: its announcements, and why it was refused, ignored or a fault."""
        sentences = [self.announcement(announcement) for announcement in verdict.announcements]
        if not isinstance(verdict, Accepted):
            sentences.append(_capital(self.text("verdict", verdict.code, verdict.facts)))
        return " ".join(sentences)

    def when_allowed(self, verdict: Verdict) -> str:
        """Return when the refused action would count, from the sentences under `verdict-when`. Return "" if the code
        has none: the reason (`verdict`) says so itself, or the action would never count."""
        if isinstance(verdict, Accepted) or self._for_case("verdict-when", verdict.code, verdict.facts) is None:
            return ""
        return _capital(self.text("verdict-when", verdict.code, verdict.facts))

    def card(self, card: str) -> str:
        """Return a card's name and number: ``email#7`` is *E-Mail 7*."""
        kind, _, number = card.partition("#")
        return f"{self.kind(kind)} {number}".strip()

    def cards(self, cards: Sequence[str]) -> str:
        """Return the names and numbers of cards by kind: *E-Mail 7, 12–14; Hacker 2*."""
        numbers: dict[str, list[int]] = {}
        for card in cards:
            numbers.setdefault(self.kind(card), []).append(int(card.partition("#")[2]))
        return "; ".join(f"{kind} {_runs(found)}" for kind, found in numbers.items())

    def kind(self, card: str) -> str:
        """Return the name printed on a card, or on a kind of cards: ``email#7`` is *E-Mail*, and so is ``box:email#7``
        of a deck that isn't in use; ``pause`` is a control card. A tag that is in no deck is called an unknown tag: its
        number isn't shown to anybody."""
        if is_tag_number(card):
            return self.text("told", "unknown-tag")
        kind = card.rpartition(":")[2].partition("#")[0]
        return self.message("card", kind) or self.message("control", kind) or self._pack_name(kind)

    def _pack_name(self, kind: str) -> str:
        """Return the name of a kind that only its pack has, or the kind itself if there is none."""
        pack = self.vocabulary.pack
        known = None if pack is None else pack.by_id.get(kind)
        if known is None:
            return kind
        return known.title or f"{self.message('card', known.face) or known.face} {known.label}".strip()

    def title(self, kind: str) -> str:
        """Return the text beside the number on a card. A sample pack was never printed: its titles are in the
        catalogues. Return the kind's name if it has no title."""
        pack = self.vocabulary.pack
        title = self.message("title", kind) if pack is not None and pack.sample else None
        return self.kind(kind) if title is None else f"{kind} {title}"

    def explanation(self, kind: str) -> str:
        """Return what a card stands for in the world, from its manifest, or from the catalogues for a sample pack; ""
        if neither explains it."""
        pack = self.vocabulary.pack
        if pack is None or kind not in pack.by_id:
            return ""
        return pack.by_id[kind].explanation or (pack.sample and self.message("explanation", kind)) or ""

    def effect(self, kind: PackKind) -> str:
        """Return what a card does in the game, or "" if no catalogue describes it."""
        facts = dict(kind.effect)
        key = str(facts.get("effect", kind.face))
        description = self.text("effect", key, facts)
        return "" if description == key else description

    def full_explanation(self, card: str) -> str:
        """Return a card's title and explanation, or "" if it has no explanation."""
        kind = card.partition("#")[0]
        explanation = self.explanation(kind)
        return explanation and self.text("told", "explained", {"title": self.title(kind), "explanation": explanation})

    def pad(self, pad: Pad) -> str:
        """Return a pad's name: *seat 3*, *discard pile*."""
        if isinstance(pad, int):
            return self.text("pad", "seat", {"number": pad})
        return self.text("pad", pad)

    def seats(self, seats: Sequence[int]) -> str:
        """Return the names of seats: *seat 3*, *seats 1, 3 and 5*."""
        if len(seats) == 1:
            return self.pad(seats[0])
        *most, last = map(str, seats)
        return self.text("pad", "seats", {"most": ", ".join(most), "last": last})

    def ms(self, us: int) -> str:
        """Format a span in milliseconds, with one decimal."""
        return f"{us / US_PER_MS:.1f}".replace(".", self.message("number", "decimal-mark") or ".")

    def _spell(self, name: str, value: object) -> object:
        """Return a fact as it appears in a sentence. The fact's name decides how."""
        match name, value:
            case "card" | "row" | "top" | "topic" | "lower" | "upper" | "before" | "replaced", str():
                return self.kind(value)
            case "card_id", str():
                return self.card(value)
            case "card_ids", tuple() if value:
                return self.cards(cast("tuple[str, ...]", value))
            case "cards", tuple() if value:
                return ", ".join(map(self.kind, cast("tuple[str, ...]", value)))
            case "names" | "missing" | "any_of", tuple() if value:
                return ", ".join(cast("tuple[str, ...]", value))
            case "unit", str():
                return self.text("unit", value)
            case "counted", str():
                return self.text("count-of", value)
            case _, Sentences():
                return value.in_language(self.language)
            case "control", str():
                return self.text("control", value)
            case "part", str():
                return self.part(value)
            case "member" | "other", str():
                return self.member(value)
            case "pad" | "onto" | "also_at", int() | str():
                return self.pad(value)
            case "seats" | "winner" | "tied", tuple() if value:
                return self.seats(cast("tuple[int, ...]", value))
            case "drawn" | "draw_pile" | "returned", int():
                return self.text("count", "cards", {"number": value})
            case "margin_us" | "uncertainty_us", int():
                return self.ms(value)
            case _:
                return value


def _other_deck(card: object) -> str:
    """Return the deck of a card that belongs to another deck than the one in use, "" for any other card."""
    return card.rpartition(":")[0] if isinstance(card, str) else ""


def _runs(numbers: Sequence[int]) -> str:
    """Return numbers in ascending order, consecutive ones as a run."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def _case(value: object) -> str:
    """Return the name of a fact's value in the key of a special case."""
    if value is None or value == ():
        return "none"
    return "some" if isinstance(value, tuple) else str(value)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


@cache
def _load(package: str, language: str) -> gettext.NullTranslations:
    """Load a package's compiled catalogue. One without this language gives an empty catalogue."""
    path = resources.files(package).joinpath("catalogues", f"{language}.mo")
    if not path.is_file():
        return gettext.NullTranslations()
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)  # pyright: ignore[reportArgumentType]
