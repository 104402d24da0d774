"""The cards of Cyber Siege: kinds of set cards, attacks, defences and admins (S1), and the manifests in which people
describe those they own. An invalid manifest is a ConfigError that names the place and says what would be right. The
sample has the counts of the printed game, for use until somebody describes the real cards."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NoReturn, cast

from taptable.core.errors import ConfigError
from taptable.core.manifests import MAX_CARDS, load_manifest
from taptable.core.pack import Pack, PackKind
from taptable.core.sentences import FALLBACK, Sentences
from taptable.core.spelling import short_json

ADMIN = "admin"
"""The kind of an admin, a card that stands in for any other of a set or of a defence (S4.3, S6.2)."""


class Group(Enum):
    """The use of a card; all but set cards are red."""

    SET = auto()
    ATTACK = auto()
    DEFENCE = auto()
    ADMIN = auto()


class Effect(Enum):
    """The effect of a successful attack, by the name of its icon (S1.3)."""

    NONE = "none"
    SKIP = "skip"
    DRAW_FEWER = "draw-fewer"
    DISCARD = "discard"
    LOSE_POINTS = "lose-points"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Icon:
    """An attack's icon: its effect, the number of cards or points in it, or the sentence to say."""

    effect: Effect
    n: int = 0
    say: Sentences | None = None

    @property
    def facts(self) -> tuple[tuple[str, object], ...]:
        """The facts of the sentence that explains the icon."""
        return (("effect", self.effect.value), ("n", self.n), ("say", self.say))


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of card. `set_number` is the set it belongs to ("" for an admin), `needs` the cards that complete a set
    card, `icon` an attack's."""

    id: str
    group: Group
    count: int
    set_number: str = ""
    needs: tuple[str, ...] = ()
    icon: Icon | None = None
    title: str = ""
    explanation: str = ""

    @property
    def is_red(self) -> bool:
        """Whether it has the red back (S1.1)."""
        return self.group is not Group.SET


@dataclass(frozen=True, slots=True)
class SiegeCards:
    """The cards of one manifest: set cards first, then the red ones by number, the admins last. `kind_of` maps every
    card id (``3.1#2``) to its kind."""

    name: str
    kinds: tuple[Kind, ...]
    sample: bool
    kind_of: Mapping[str, Kind] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        cards = {f"{kind.id}#{number}": kind for kind in self.kinds for number in range(1, kind.count + 1)}
        object.__setattr__(self, "kind_of", MappingProxyType(cards))

    @property
    def red(self) -> int:
        """The number of red cards."""
        return sum(kind.count for kind in self.kinds if kind.is_red)

    @property
    def purple(self) -> int:
        """The number of set cards."""
        return sum(kind.count for kind in self.kinds if not kind.is_red)

    @property
    def pack(self) -> Pack:
        """The cards as enrolment and drawings need them."""
        return Pack(self.name, tuple(_pack_kind(kind) for kind in self.kinds), self.sample)


def fits_attack(attack: Kind, kind: Kind) -> bool:
    """Return whether a card of this kind defends against the attack (S6.2)."""
    return kind.group is Group.ADMIN or (kind.group is Group.DEFENCE and kind.set_number == attack.set_number)


def _pack_kind(kind: Kind) -> PackKind:
    match kind.group:
        case Group.SET:
            effect = (("effect", "set"), ("needs", ", ".join(kind.needs)), ("points", len(kind.needs)))
            return PackKind(kind.id, kind.count, "set", kind.set_number, needs=kind.needs, effect=effect, back="purple")
        case Group.ADMIN:
            return PackKind(kind.id, kind.count)
        case Group.ATTACK | Group.DEFENCE:
            defends = (("effect", "defence"), ("set", kind.set_number))
            face, effect = kind.group.name.lower(), kind.icon.facts if kind.icon else defends
            return PackKind(kind.id, kind.count, face, kind.id, _full_title(kind), kind.explanation, effect=effect)


def _full_title(kind: Kind) -> str:
    """Return the number and the name of a red card (S1.2), "" for one without a name. Some manifests have the number in
    the name already."""
    if not kind.title or kind.title.split()[0] == kind.id:
        return kind.title
    return f"{kind.id} {kind.title}"


# ---- the sample

SETS = ("1", "2", "3", "4")
COPIES = {"1": (5, 4, 5, 4), "2": (5, 4, 5, 4), "3": (5, 4, 5, 4), "4": (4, 4, 4, 4)}
"""The copies of each red card of a set: two attacks, two defences."""

ICONS: dict[str, dict[str, Any]] = {
    "1.2": {"effect": "lose-points", "n": 1},
    "2.2": {"effect": "skip"},
    "3.2": {"effect": "discard", "n": 1},
    "4.2": {"effect": "draw-fewer", "n": 1},
}


def _red(name: str, index: int, copies: int) -> dict[str, Any]:
    if index > 2:
        return {"kind": "defence", "copies": copies}
    return {"kind": "attack", "copies": copies, "icon": ICONS.get(name, {"effect": "none"})}


def _manifest() -> dict[str, Any]:
    names = {number: [f"{number}.{index}" for index in range(1, 5)] for number in SETS}
    return {
        "game": "cyber-siege",
        "name": "sample",
        "admins": 4,
        "sets": {number: {"copies": 5, "cards": names[number]} for number in SETS},
        "red": {
            name: _red(name, index, COPIES[number][index - 1])
            for number in SETS
            for index, name in enumerate(names[number], 1)
        },
    }


SAMPLE = json.dumps(_manifest(), indent=1)
"""The sample manifest as JSON (S1, *The sample deck*)."""


# ---- manifests

JsonObject = dict[str, Any]

SET_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
RED_NUMBER = re.compile(r"([1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
KINDS = {"attack": Group.ATTACK, "defence": Group.DEFENCE}
COUNTED_EFFECTS = frozenset({Effect.DRAW_FEWER, Effect.DISCARD, Effect.LOSE_POINTS})
LONGEST_EXPLANATION = 240
"""Limit in characters: a sentence or two, which are read and heard while the others wait."""


@lru_cache(maxsize=32)
def read_manifest(manifest: str) -> SiegeCards:
    """Return the cards of a manifest, "" for those of the sample. Raises ConfigError with what is wrong in it."""
    data = load_manifest(manifest or SAMPLE)
    if data.get("game") != "cyber-siege":
        _wrong(f'"game" must be "cyber-siege", not {short_json(data.get("game"))}')
    name = _text(data, "name", "the manifest")
    admins = _get_int(data, "admins", "the manifest", 0)
    red = [_red_kind(name, entry) for name, entry in _numbered_entries(data, "red", RED_NUMBER, '"3.1"')]
    red_cards = {kind.id for kind in red}
    sets = [_set_kind(number, entry, red_cards) for number, entry in _numbered_entries(data, "sets", SET_NUMBER, '"3"')]
    jokers = (Kind(ADMIN, Group.ADMIN, admins),) if admins else ()
    kinds = (*sorted(sets, key=_order), *sorted(red, key=_order), *jokers)
    count = sum(kind.count for kind in kinds)
    if count > MAX_CARDS:
        _wrong(f"it has {count} cards, and {MAX_CARDS} are the most")
    return SiegeCards(name, kinds, data == load_manifest(SAMPLE))


def _numbered_entries(
    data: JsonObject, key: str, number: re.Pattern[str], example: str
) -> list[tuple[str, JsonObject]]:
    """Return the entries under a key, each by a name that is a number."""
    entries = _object(data.get(key), f'"{key}"')
    for name in entries:
        if not number.fullmatch(name):
            _wrong(f'{short_json(name)} in "{key}" is no number such as {example}')
    return [(name, _object(entry, f'"{name}"')) for name, entry in entries.items()]


def _red_kind(name: str, entry: JsonObject) -> Kind:
    label = f'"{name}"'
    group = KINDS.get(_text(entry, "kind", label))
    if group is None:
        _wrong(f'the kind of {label} must be "attack" or "defence", not {short_json(entry["kind"])}')
    title = _text(entry, "title", label) if "title" in entry else ""
    explanation = " ".join(_text(entry, "explanation", label).split()) if "explanation" in entry else ""
    if len(explanation) > LONGEST_EXPLANATION:
        _wrong(f'"explanation" of {label} has {len(explanation)} letters, and {LONGEST_EXPLANATION} are the most')
    has_icon = entry.get("icon") is not None
    if has_icon != (group is Group.ATTACK):
        _wrong(f"{label} is a defence, which has no icon" if has_icon else f"the attack {label} has no icon")
    icon = _icon(_object(entry["icon"], f"the icon of {label}"), label) if has_icon else None
    copies, number = _get_int(entry, "copies", label), name.partition(".")[0]
    return Kind(name, group, copies, number, icon=icon, title=title.strip(), explanation=explanation)


def _icon(entry: JsonObject, owner: str) -> Icon:
    label = f"the icon of {owner}"
    name = _text(entry, "effect", label)
    effect = next((effect for effect in Effect if effect.value == name), None)
    if effect is None:
        _wrong(f"{label} can't be {short_json(name)}: there are {', '.join(effect.value for effect in Effect)}")
    if effect is Effect.TEXT:
        return Icon(effect, say=_sentences(_object(entry.get("say"), f"what {label} says"), label))
    return Icon(effect, _get_int(entry, "n", label, most=None) if effect in COUNTED_EFFECTS else 0)


def _sentences(entry: JsonObject, label: str) -> Sentences:
    for language, sentence in entry.items():
        if not isinstance(sentence, str) or not sentence.strip():
            _wrong(f'what {label} says in "{language}" is no text')
    if FALLBACK not in entry:
        _wrong(f'what {label} says is missing in English ("{FALLBACK}")')
    return Sentences(tuple(sorted(entry.items())))


def _set_kind(number: str, entry: JsonObject, red_cards: set[str]) -> Kind:
    label = f'set "{number}"'
    cards = entry.get("cards")
    if not isinstance(cards, list) or not cards:
        _wrong(f"{label} needs a list of at least one card")
    for card in cast("list[Any]", cards):
        if not isinstance(card, str) or card not in red_cards:
            _wrong(f"{label} asks for {short_json(card)}, which is no red card of the manifest")
        if card.partition(".")[0] != number:
            _wrong(f'{label} asks for "{card}", a card of another set')
    needs = tuple(cast("list[str]", cards))
    return Kind(f"set-{number}", Group.SET, _get_int(entry, "copies", label), number, needs)


def _order(kind: Kind) -> tuple[int, ...]:
    """Return a sort key by number, ``2.10`` after ``2.9``."""
    return tuple(map(int, kind.id.removeprefix("set-").split(".")))


def _object(value: object, label: str) -> JsonObject:
    if not isinstance(value, dict):
        _wrong(f"{label} must be an object")
    return cast("JsonObject", value)


def _text(entry: JsonObject, key: str, label: str) -> str:
    value = _required(entry, key, label)
    if not isinstance(value, str):
        _wrong(f'"{key}" of {label} must be a text')
    return value


def _get_int(entry: JsonObject, key: str, label: str, least: int = 1, most: int | None = MAX_CARDS) -> int:
    value = _required(entry, key, label)
    if type(value) is not int or value < least or (most is not None and value > most):
        _wrong(f'"{key}" of {label} must be a whole number from {least}' + (f" to {most}" if most else ""))
    return value


def _required(entry: JsonObject, key: str, label: str) -> object:
    if key not in entry:
        _wrong(f'"{key}" of {label} is missing')
    return entry[key]


def _wrong(problem: str) -> NoReturn:
    raise ConfigError(f"This manifest can't be used: {problem}.")
