"""Topics and ids of tables: others for each name and base, such as MQTT and Home Assistant allow."""

from __future__ import annotations

import re
import unicodedata

import pytest
from taptable.bridge.topics import LONGEST_CLIENT_ID, TableTopics, are_the_same, earlier_topics_of, topics_of

NAMES = (
    *("home", "den", "tisch", "tisch-1", "table", "a", "1", "living-room", "the-long-table-of-the-chess-club-upstairs"),
    *(
        "Home",
        "Tisch",
        "TISCH",
        "Tisch 1",
        "Tisch #1",
        "Tisch-1",
        "tisch--1",
        "-tisch",
        "tisch_1",
        "tisch/1",
        "Tisch  1",
    ),
    *("Küche", "Kuche", "küche", "Kueche", "Große Runde", "Groe Runde", "Grosse Runde", "Søren", "Sren", "Žižkov"),
    *(
        "Кухня",
        "Зал",
        "зал",
        "Ελλάς",
        "Κουζίνα",
        "مطبخ",
        "صالة",
        "מטבח",
        "סלון",
        "食卓",
        "居間",
        "テーブル一",
        "テーブル二",
    ),
    *(
        "厨房",
        "客厅",
        "ห้องครัว",
        "โต๊ะ",
        "रसोई",
        "मेज़",
        "부엌",
        "거실",
        "სამზარეულო",
        "Խոհանոց",
        "🎲",
        "🃏",
        "👩‍👩‍👧",
        "👩👩👧",
    ),
    *("#", "+", "/", "-", "--", "$SYS", "½", "12", "1-2", " a", "a" * 41, "a" * 42, "ж" * 300, "Ж" * 300),
)
BASES = ("taptable", "Taptable", "tap_table", "tap-table", "tap.table", "tap/table", "a/b/c", "a-b/c", "a", "-", "_")


def test_different_names_and_bases_have_different_topics_and_ids_that_are_allowed() -> None:
    all_of_them = [topics_of(base, name) for base in BASES for name in NAMES]
    for what in ("online", "device", "client"):
        found = [getattr(topics, what) for topics in all_of_them]
        assert len(set(found)) == len(all_of_them), what
    for topics in all_of_them:
        assert re.fullmatch(r"[a-zA-Z0-9_-]+", topics.device)
        assert re.fullmatch(r"[a-zA-Z0-9_-]+", topics.client)
        assert len(topics.client) <= LONGEST_CLIENT_ID
        assert re.fullmatch(r"[a-z0-9-]+", topics.slug)
        assert len(topics.slug) <= 50
    # entity ids have underscores only
    slugs = {topics.slug.replace("-", "_") for topics in all_of_them}
    assert len(slugs) == len(NAMES)


def test_a_name_that_looks_like_the_slug_of_another_has_another() -> None:
    slug = topics_of("taptable", "Кухня").slug
    assert topics_of("taptable", slug).slug != slug


def test_a_base_and_a_name_never_read_as_others() -> None:
    pairs = [("tap", "table-home"), ("tap-table", "home"), ("tap/table", "home"), ("a", "b-c"), ("a-b", "c")]
    assert len({topics_of(*pair).device for pair in pairs}) == len(pairs)


@pytest.mark.parametrize("name", ["home", "tisch-1", "a", "2"])
def test_a_plain_name_is_its_own_slug_as_it_always_was(name: str) -> None:
    topics = topics_of("taptable", name)
    assert (topics.slug, topics.device, topics.client) == (name, f"taptable-{name}", f"taptable-{name}")
    assert are_the_same(topics, earlier_topics_of("taptable", name))


def test_one_name_typed_in_two_ways_is_one_name() -> None:
    composed, decomposed = (unicodedata.normalize(form, "Küche 食卓 Ελλάς") for form in ("NFC", "NFD"))
    assert composed != decomposed
    assert topics_of("taptable", composed) == topics_of("taptable", decomposed)


@pytest.mark.parametrize(
    ("base", "name", "device"),
    [
        ("taptable", "Küche  & Flur!", "taptable-kuche-flur"),
        ("taptable", "食卓", "taptable-table"),
        ("my/tap.table", "-A/b+#", "my-tap-table-a-b"),
        ("taptable", "the-long-table-of-the-club", "taptable-the-long-table-of-the-club"),
    ],
)
def test_ids_up_to_version_0_2(base: str, name: str, device: str) -> None:
    topics = earlier_topics_of(base, name)
    assert (topics.device, topics.client) == (device, device)
    assert not are_the_same(topics, topics_of(base, name))


def test_ids_of_a_name_never_change() -> None:
    assert topics_of("taptable", "Кухня") == TableTopics("taptable", "table-35c53c17")
    assert topics_of("taptable", "Living room").device == "taptable-living-room-82b04d6a"
