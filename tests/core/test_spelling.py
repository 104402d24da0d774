"""Texts that can name somebody: they have something visible and nothing hidden."""

from __future__ import annotations

import pytest
from taptable.core.spelling import is_visible


@pytest.mark.parametrize(
    "name", ["Ana", "Zoë", "Ñandú 2", "李", "한글", "ไม้", "عمر", "שרה", "🂡", "❤️", "👨‍👩‍👧", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "5", "!", "A\u0301"]
)
def test_what_is_seen_is_a_name(name: str) -> None:
    assert is_visible(name)


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "\u3164", "Ana\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\u034f", "\u0301", "\ufe0f"),
        *("a\x1b[2J", "\u202eanA", "a\nb", "\x00", "\u2066", "a\u200bb", "\ud800", "\xad", "\u00a0", "\ue000"),
    ],
    ids=ascii,
)
def test_what_is_not_seen_or_hides_something_is_none(name: str) -> None:
    assert not is_visible(name)
