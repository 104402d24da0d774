"""JSON from outside: what can't be written again is refused where it is parsed."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from taptable.core.json_text import MAX_DEPTH, MAX_WHOLE, NotJson, parse_json

jsons = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - MAX_WHOLE, MAX_WHOLE - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
LETTERS = st.sampled_from(
    ["\\ud800", "\\uDC00", "\\\\ud800", "\\ud83d\\ude00", '\\"', "[", "{", "]", "}", "a", "\U0001f600"]
)


@given(jsons, st.booleans())
def test_what_was_written_is_read(value: object, in_ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=in_ascii)
    assert parse_json(text) == parse_json(text.encode()) == value


@given(st.lists(LETTERS, max_size=8))
def test_whatever_is_read_can_be_written_by_every_codec(letters: list[str]) -> None:
    text = '["' + "".join(letters) + '"]'
    try:
        value = parse_json(text)
    except NotJson:
        with pytest.raises(UnicodeEncodeError):
            msgspec.json.encode(json.loads(text))
        return
    assert msgspec.json.decode(msgspec.json.encode(value)) == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('"\\ud800"', "'\\\\ud800'"),
        ('{"\\udfff": 1}', "'\\\\udfff'"),
        ('"\ud800"', "'\\\\ud800'"),
        ("NaN", "NaN, which is no number"),
        ("[-Infinity]", "-Infinity, which is no number"),
        ("1e999", "too large"),
        (str(2**53), "too large"),
        (f"-{2**53}", "too large"),
        ("9" * 5000, "too large"),
        ("[" * 600 + "]" * 600, "nested too deeply"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 65 + "1" + "}" * 65, "nested too deeply"),
    ],
)
def test_an_unwritable_value_is_reported(text: str, why: str) -> None:
    with pytest.raises(NotJson, match=why):
        parse_json(text)


@pytest.mark.parametrize("text", [b'"\xed\xa0\x80"', b"\xff\xfe[\x00]\x00", b"", b"[", b'"\x00"', b"\xef\xbb\xbf1"])
def test_a_text_that_is_no_json_is_reported(text: bytes) -> None:
    with pytest.raises(NotJson):
        parse_json(text)


def test_brackets_in_texts_and_beside_one_another_are_not_deep() -> None:
    value = ["[" * 1000, '\\"{', [[], {}] * 1000]
    assert parse_json(json.dumps(value)) == value
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert json.dumps(parse_json(deep)) == deep
