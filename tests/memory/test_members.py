"""The file of members: what is kept of whom, and what becomes of it where it is damaged or can't be written."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from table.test_full_disk import no_file_larger_than
from taptable.core.device_events import MEMBER_PREFIX
from taptable.core.errors import MembersError
from taptable.memory.members import (
    MAX_MEMBERS,
    MemberStore,
    SomebodyElse,
    id_of,
    members_file_of,
    public_name,
    read_members,
)

ADAS, BOS = "04adadadadad01", "04b0b0b0b0b002"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return members_file_of(tmp_path / "journal.sqlite")


def test_a_member_is_on_the_disk_at_once_with_a_random_id_and_for_us_alone(path: Path) -> None:
    members = MemberStore(path)
    ada = members.add("Ada", "#8ec1ff", "initial")
    members.change(ada.id, tags=(ADAS,))
    assert path.name == "journal.members.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = MemberStore(path)
    assert again.find_by_tag(ADAS) == again.find(ada.id) == members.find(ada.id)
    assert again.identities == {ADAS: MEMBER_PREFIX + ada.id}
    assert len(ada.id) == 16
    assert members.add("Bo", "#8ec1ff", "name").id != ada.id


def test_an_id_is_made_of_a_secret_which_stays_as_long_as_the_id(path: Path) -> None:
    # of members from before there were secrets the file has none
    path.write_text('{"members": [{"id": "0123456789abcdef", "name": "Old", "colour": "#8ec1ff", "shown": "name"}]}')
    members = MemberStore(path)
    ada, bo = (members.add(name, "#8ec1ff", "name") for name in ("Ada", "Bo"))
    assert {ada.id, bo.id} == {id_of(secret) for secret in members.secrets.values()}
    assert all(id_of(secret) == member for member, secret in members.secrets.items())
    members.delete(ada.id)
    members.delete("0123456789abcdef")
    members.change(bo.id, name="Bob")
    again = MemberStore(path)
    assert again.secrets == members.secrets
    assert again.secrets.keys() == {ada.id, bo.id}
    assert again.deleted == (ada.id, "0123456789abcdef")
    content = json.loads(path.read_text())
    path.write_text(json.dumps({**content, "secrets": {ada.id: "no secret"}}))
    assert MemberStore(path, read_only=True).fault is not None


def test_names_are_the_same_mapping_for_good(path: Path) -> None:
    members = MemberStore(path)
    names = members.names
    ada = members.add("Ada", "#8ec1ff", "name")
    members.change(ada.id, name="Ada L.")
    assert names == {ada.id: "Ada L."}
    members.delete(ada.id)
    assert names == {}
    assert MemberStore(path).deleted == (ada.id,)
    assert "Ada" not in path.read_text()


def test_a_name_or_a_tag_is_one_members_only(path: Path) -> None:
    members = MemberStore(path)
    ada, bo = (members.add(name, "#8ec1ff", "name") for name in ("Ada", "Bo"))
    members.change(ada.id, tags=(ADAS,))
    for refused in (lambda: members.add("ADA", "#8ec1ff", "name"), lambda: members.change(bo.id, tags=(ADAS,))):
        with pytest.raises(SomebodyElse):
            refused()
    members.change(ada.id, name="ada")  # one may be called otherwise
    assert MemberStore(path).all == members.all


def test_who_isnt_there_cant_be_changed_and_too_many_cant_be_added(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    members = MemberStore(path)
    with pytest.raises(MembersError, match="there is no member"):
        members.change("0" * 16, name="Bo")
    monkeypatch.setattr("taptable.memory.members.MAX_MEMBERS", 1)
    members.add("Ada", "#8ec1ff", "name")
    with pytest.raises(MembersError, match="1 members already"):
        members.add("Bo", "#8ec1ff", "name")
    assert MAX_MEMBERS > 100


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[]",
        '{"members": [{"id": "x", "name": "Ada", "colour": "#8ec1ff", "shown": "name", "tags": []}]}',
        '{"members": [{"id": "0123456789abcdef", "name": " ", "colour": "#8ec1ff", "shown": "name", "tags": []}]}',
        '{"members": [{"id": "0123456789abcdef", "name": "Ada", "colour": "red", "shown": "name", "tags": []}]}',
        "\udcff",
    ],
)
def test_a_damaged_file_is_kept_aside_and_named_and_a_new_one_begins(path: Path, content: str) -> None:
    path.write_text(content, "utf-8", "surrogateescape")
    members = MemberStore(path)
    kept = path.with_name(f"{path.name}.damaged-1")
    assert str(kept) in str(members.fault)
    assert kept.read_text("utf-8", "surrogateescape") == content
    assert members.all == members.deleted == ()
    members.add("Ada", "#8ec1ff", "name")
    assert [member.name for member in read_members(path).members] == ["Ada"]


def test_two_with_one_tag_or_one_id_are_damage(path: Path) -> None:
    one = {"id": "0123456789abcdef", "name": "Ada", "colour": "#8ec1ff", "shown": "name", "tags": [ADAS]}
    for other in ({**one, "id": "1" * 16}, {**one, "tags": []}):
        path.write_text(json.dumps({"members": [one, other]}))
        with pytest.raises(MembersError, match="damaged"):
            read_members(path)


def test_who_only_looks_leaves_a_damaged_file_where_it_is(path: Path) -> None:
    path.write_text("{")
    assert MemberStore(path, read_only=True).fault is not None
    assert path.read_text() == "{"


def test_what_cant_be_read_isnt_written_over(path: Path) -> None:
    path.mkdir()
    members = MemberStore(path)
    with pytest.raises(MembersError, match="can't be read"):
        members.add("Ada", "#8ec1ff", "name")
    assert path.is_dir()


def test_what_cant_be_written_leaves_all_as_it_was(path: Path) -> None:
    members = MemberStore(path)
    ada = members.add("Ada", "#8ec1ff", "name")
    with no_file_larger_than(0), pytest.raises(MembersError, match="can't be written"):
        members.delete(ada.id)
    assert members.all == read_members(path).members == (ada,)


@pytest.mark.parametrize(("shown", "read"), [("name", "ada"), ("initial", "A."), ("nothing", "")])
def test_in_public_a_member_is_called_as_they_chose(shown: str, read: str) -> None:
    assert public_name("ada", shown) == read
