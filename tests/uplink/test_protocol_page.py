"""docs/league-protocol.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from taptable.api.requests import MAX_ENTRIES
from taptable.bridge.league_uplink import WINDOW, Patience
from taptable.bridge.members_publisher import REPEAT_CODES_S, REPEAT_S
from taptable.bridge.state_files import league_state_file_of
from taptable.memory.digest import EMPTY_DIGEST
from taptable.memory.members import CODE_LENGTH, CODE_S
from taptable.memory.records import header_of_row, to_json
from taptable.uplink.messages import (
    DIVERGED,
    GAP,
    LONGEST,
    MAX_RECORDS,
    REVOKED,
    UNKNOWN_JOURNAL,
    VERSION,
    AwayCodeShown,
    BadMessage,
    Batch,
    Confirmed,
    MemberAway,
    MemberSaid,
    Position,
    Topics,
    Where,
    decode_signed,
    encode_signed,
    table_of,
)
from taptable.words import Words

PAGE = (Path(__file__).parents[2] / "docs" / "league-protocol.md").read_text(encoding="utf-8")
TOPICS = Topics("ab12cd34")
KEY = bytes(32)


def table(name: str) -> list[list[str]]:
    """The cells of a table on the page, without its head."""
    (found,) = re.findall(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", PAGE, re.DOTALL)
    rows = [line.strip("| ").split(" | ") for line in found.splitlines() if line.startswith("|")]
    return rows[2:]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_the_topics_on_the_page_are_those_of_the_code() -> None:
    told = {names(topic)[0]: (names(kind)[0], who, retained) for topic, kind, who, retained in table("topics")}
    assert told == {
        TOPICS.entries: ("Batch", "the table", "no"),
        TOPICS.where: ("Where", "the table", "no"),
        TOPICS.members: ("MemberSaid", "the table", "no"),
        TOPICS.away_codes: ("AwayCodeShown", "the table", "no"),
        TOPICS.away: ("MemberAway", "the table", "no"),
        TOPICS.confirmed: ("Confirmed", "the league", "yes"),
    }
    for topic, (_, who, _) in told.items():
        assert table_of(topic) == TOPICS.table
        assert topic.split("/")[2] == ("up" if who == "the table" else "down")


def test_the_fields_on_the_page_are_those_of_the_code() -> None:
    told = {names(message)[0]: tuple(names(fields)) for message, fields in table("messages")}
    kinds = (Batch, Where, Confirmed, MemberSaid, AwayCodeShown, MemberAway, Position)
    assert told == {kind.__name__: kind.__struct_fields__ for kind in kinds}


def test_the_batch_on_the_page_is_one() -> None:
    (text,) = re.findall(r"^<!-- batch -->\n```json\n(.*?)\n```$", PAGE, re.MULTILINE)
    batch = msgspec.json.decode(text, type=Batch)
    assert msgspec.json.encode(batch).decode() == text
    assert decode_signed(encode_signed(batch, TOPICS.entries, KEY), TOPICS.entries, KEY, Batch) == batch
    assert (batch.version, batch.position.digest) == (VERSION, EMPTY_DIGEST)
    game, entry = (msgspec.json.decode(record) for record in batch.records)
    assert header_of_row(tuple(game[2])).game == "online"
    assert [to_json(game), to_json(entry)] == [bytes(record).decode() for record in batch.records]


def test_the_remarks_on_the_page_are_those_that_there_are() -> None:
    told = {names(remark)[0] for remark, _ in table("remarks")}
    assert told >= {DIVERGED, GAP, REVOKED, UNKNOWN_JOURNAL}
    assert told >= Words("en").all_messages("league-remark").keys()


def test_the_figures_on_the_page_are_those_of_the_code() -> None:
    patience = Patience()
    for said in (
        f"longer than {LONGEST:,} bytes",
        f"{MAX_RECORDS} records at most",
        f"Up to {WINDOW} batches",
        f"waits {patience.retained_s:.0f} s for the retained",
        f"Nothing is confirmed for {patience.confirm_s:.0f} s.",
        f"after {patience.answer_s:.0f} s, {2 * patience.answer_s:.0f} s and so on up to"
        f" every {patience.longest_pause_s / 60:.0f} minutes",
        "every hour" if patience.revoked_s == 3600 else "",
        f"every {REPEAT_S / 3600:.0f} hours",
        f"every {REPEAT_CODES_S / 60:.0f} minutes and with every connection",
        f"{CODE_LENGTH} letters and digits",
        "within an hour" if CODE_S == 3600 else "",
        f"the last {MAX_ENTRIES} games",
        f"every {patience.keep_s:.0f} s at most",
        f"`{league_state_file_of(Path(), TOPICS.table)}`",
    ):
        assert said
        assert said in " ".join(PAGE.split()), said


WHERE = Where(VERSION, (Position("a" * 32, 5, "b" * 32),))


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (encode_signed(WHERE, TOPICS.where, bytes([1] * 32)), "isn't signed"),
        (encode_signed(WHERE, TOPICS.entries, KEY), "isn't signed"),
        (encode_signed(WHERE, TOPICS.where, KEY)[:-1], "isn't signed"),
        (b"", "isn't signed"),
        (encode_signed(WHERE, TOPICS.where, KEY).ljust(LONGEST + 1), f"of {LONGEST + 1} bytes"),
        (encode_signed(msgspec.structs.replace(WHERE, version=2), TOPICS.where, KEY), "of version 2"),
        (encode_signed(MemberSaid(VERSION, "0" * 16), TOPICS.where, KEY), "known"),
    ],
)
def test_what_is_no_message_says_why(payload: bytes, says: str) -> None:
    with pytest.raises(BadMessage, match=says):
        decode_signed(payload, TOPICS.where, KEY, Where)
