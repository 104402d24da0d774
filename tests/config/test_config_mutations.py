"""Every mutation of an example gives a configuration or an error that names the key, and never another exception."""

from __future__ import annotations

import datetime
import json
import re
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from taptable.config import Config, InvalidConfig, read_config
from taptable.config.loading import SECTIONS

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [(ROOT / "examples" / f"{name}.toml").read_text(encoding="utf-8") for name in ("full", "compact")]
EXAMPLES = [tomllib.loads(text) for text in TEXTS]

Way = tuple[str | int, ...]

known = {*SECTIONS, "house_rules", *(key for keys in SECTIONS.values() for key in keys)}
scalars = st.one_of(
    st.booleans(),
    st.integers(-(10**400), 10**400),
    st.floats(),
    st.text(max_size=12),
    st.sampled_from(["gpio:4", "gpio:17", "gpio:7", "spi:0.0", "spi:1.2", "board:x", "--help", "de", "online", ""]),
    st.dates(min_value=datetime.date(1, 1, 1)),
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text("abc_", min_size=1), inner, max_size=3)
    ),
    max_leaves=6,
)


def spelled(value: Any) -> str:
    """A value in TOML, sections as inline tables."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case dict():
            return "{" + ", ".join(f"{spelled(key)} = {spelled(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(spelled, value)) + "]"
        case datetime.date():
            return value.isoformat()
        case _:
            return repr(value)


def in_toml(data: dict[str, Any]) -> str:
    return "".join(f"{spelled(key)} = {spelled(value)}\n" for key, value in data.items())


def ways(data: Any, way: Way = ()) -> list[Way]:
    """The ways to all values."""
    inner: list[Way] = [way] if way else []
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in items:
        inner += ways(value, (*way, step))
    return inner


def named(way: Way, said: str) -> bool:
    """Return whether the error names the key at the end of a path, or for a pad the bus that others must leave free, or
    the reset that it can't have."""
    match way:
        case ("seats",):
            return "[[seats]]" in said or "seat " in said
        case ("seats", int(index)):
            return f"seat {index + 1}" in said
        case ("seats", int(index), name):
            by_pad = ("SPI bus", f"seat {index + 1}, reset is for a pad on SPI") if name == "pad" else ()
            return any(each in said for each in (f"seat {index + 1}, {name} ", *by_pad))
        case ("scoreboard", "options", *_):
            return "[scoreboard] options " in said or "the display's I2C" in said
        case ("game", "house_rules"):
            return "[game] house_rules " in said or "[game.house_rules] " in said
        case (section,):
            return f"[{section}]" in said
        case (section, name, *_):
            return f"[{section}] {name} " in said or (name == "pad" and "SPI bus" in said)
    return False


def read(text: str) -> Config | InvalidConfig:
    try:
        return read_config(text, Path("table.toml"), lambda _game: [])
    except InvalidConfig as error:
        wrong = error
    assert wrong.sentences
    for sentence in wrong.sentences:
        assert sentence.startswith("table.toml")
        assert sentence.endswith((".", "?"))
        assert "\n" not in sentence
    return wrong


def test_an_example_in_other_words_is_the_same() -> None:
    for example, text in zip(EXAMPLES, TEXTS, strict=True):
        assert read(in_toml(example)) == read(text)


@settings(max_examples=100)
@given(data=st.data())
def test_a_value_of_another_kind_is_taken_or_named(data: st.DataObject) -> None:
    example = deepcopy(data.draw(st.sampled_from(EXAMPLES)))
    way = data.draw(st.sampled_from(ways(example)))
    value = data.draw(values)
    inner: Any = example
    for step in way[:-1]:
        inner = inner[step]
    inner[way[-1]] = value
    result = read(in_toml(example))
    if isinstance(result, InvalidConfig):
        assert named(way, str(result)), (way, value, str(result))


def test_a_line_break_in_a_librarys_message_is_spelled() -> None:
    example = deepcopy(next(example for example in EXAMPLES if "options" in example.get("scoreboard", {})))
    example["scoreboard"]["options"].append("--two\nlines")
    result = read(in_toml(example))
    assert isinstance(result, InvalidConfig)
    assert r"--two\nlines" in str(result)


@settings(max_examples=80)
@given(data=st.data())
def test_a_missing_key_has_a_default_or_is_named(data: st.DataObject) -> None:
    example = deepcopy(data.draw(st.sampled_from(EXAMPLES)))
    way = data.draw(st.sampled_from([way for way in ways(example) if isinstance(way[-1], str)]))
    inner: Any = example
    for step in way[:-1]:
        inner = inner[step]
    del inner[way[-1]]
    result = read(in_toml(example))
    if isinstance(result, InvalidConfig):
        assert named(way, str(result)), (way, str(result))


@settings(max_examples=80)
@given(data=st.data())
def test_a_key_under_another_name_is_named(data: st.DataObject) -> None:
    example = deepcopy(data.draw(st.sampled_from(EXAMPLES)))
    way = data.draw(st.sampled_from([way for way in ways(example) if isinstance(way[-1], str)]))
    name = data.draw(st.text(min_size=1, max_size=10))
    inner: Any = example
    for step in way[:-1]:
        inner = inner[step]
    assume(name not in known)
    inner[name] = inner.pop(way[-1])
    result = read(in_toml(example))
    assert isinstance(result, InvalidConfig)
    shown = name if re.fullmatch(r"[\w-]+", name) else json.dumps(name, ensure_ascii=False)
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in shown)
    assert f"{shown} is no setting: " in str(result) or f"[{shown}] is no section: " in str(result)


@settings(max_examples=100)
@given(
    text=st.sampled_from(TEXTS),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.text(max_size=6)), min_size=1, max_size=4),
)
def test_a_file_cut_and_written_over_anywhere_gives_no_other_exception(
    text: str, cuts: list[tuple[float, int, str]]
) -> None:
    for where, length, instead in cuts:
        at = int(where * len(text))
        text = text[:at] + instead + text[at + length :]
    read(text)
