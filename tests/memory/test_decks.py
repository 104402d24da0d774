"""The folder of decks: each saved whole after every card, none lost, a damaged one named while the others serve."""

from __future__ import annotations

import os
import signal
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from deck_samples import ONLINE, deck, uid
from processes import folder_for_all, no_file_larger_than, started, without_privileges
from taptable.core.errors import DeckError
from taptable.daemon.active_deck import ActiveDeck
from taptable.memory.deck import CardSet, Deck
from taptable.memory.deckfile import text_of
from taptable.memory.decks import Decks


def other(name: str = "travel") -> Deck:
    """A deck that shares no tag with the sample."""
    return replace(deck(name), cards={uid(1000): "email#1"}, controls={uid(1001): "pause"})


def test_what_is_saved_is_there_at_the_next_start(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "decks"
    Decks(folder).save(deck())
    found = Decks(folder)
    assert found.names() == ("family",)
    assert found.deck("family") == deck()
    assert found.faults == {}


def test_a_tag_is_found_in_the_deck_it_is_in(tmp_path: Path) -> None:
    decks = Decks(tmp_path)
    decks.save(deck())
    decks.save(other())
    for found in (decks, Decks(tmp_path)):
        assert found.names() == ("family", "travel")
        assert found.find(uid(0)) == ("family", "online#1")
        assert found.find("0badcafe") == ("family", "take-back")
        assert found.find(uid(1000)) == ("travel", "email#1")
        assert found.find(uid(2000)) is None


def test_a_table_knows_the_tags_of_its_deck_its_controls_and_those_of_other_decks(tmp_path: Path) -> None:
    decks = Decks(tmp_path)
    decks.save(deck())
    decks.save(other())
    resolve = decks.identities("family").get
    assert [resolve(tag) for tag in (uid(0), "0badcafe", uid(1000), uid(1001), uid(2000))] == [
        "online#1",
        "control:take-back",
        "travel:email#1",
        "travel:pause",
        None,
    ]


def test_a_damaged_deck_is_named_and_the_others_still_serve(tmp_path: Path) -> None:
    Decks(tmp_path).save(deck())
    Decks(tmp_path).save(other())
    (tmp_path / "family.json").write_text("{")
    (tmp_path / "loan.json").write_text(text_of(deck("borrowed")))
    decks = Decks(tmp_path)
    assert decks.names() == ("travel",)
    assert sorted(decks.faults) == ["family.json", "loan.json"]
    with pytest.raises(DeckError, match=r"family\.json: line 1, column 2: this is no JSON"):
        decks.deck("family")
    assert "its file must be borrowed.json" in str(decks.faults["loan.json"])


@pytest.mark.parametrize("value", ["[" * 600 + "]" * 600, "NaN", "1e999", '"\\ud800"', "9" * 5000], ids=range(5))
def test_what_no_deck_can_be_written_with_is_named_and_the_others_still_serve(tmp_path: Path, value: str) -> None:
    (tmp_path / "family.json").write_text(text_of(deck("family")))
    whole = f'{{"taptable-deck":1,"name":"own","game":"xnet","manifest":{{"a":{value}}},"cards":{{}},"controls":{{}}}}'
    (tmp_path / "own.json").write_text(whole)
    decks = Decks(tmp_path)
    assert decks.deck("family") == deck("family")
    assert list(decks.faults) == ["own.json"]
    assert "this is no JSON (it " in str(decks.faults["own.json"])


def test_a_damaged_deck_is_not_overwritten_by_enrolling(tmp_path: Path) -> None:
    (tmp_path / "family.json").write_text("{")
    decks = Decks(tmp_path)
    with pytest.raises(DeckError, match="this is no JSON"):
        decks.get_or_new("family", "online")
    with pytest.raises(DeckError, match="was changed by another program"):
        decks.save(deck())
    assert (tmp_path / "family.json").read_text() == "{"


def test_a_deck_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    decks = Decks(tmp_path / "none")
    with pytest.raises(DeckError, match=r"no deck 'family' in .*none: there is none yet"):
        decks.deck("family")
    decks.save(deck())
    with pytest.raises(DeckError, match=r"no deck 'loan' in .*: there are family"):
        decks.deck("loan")


def test_enrolling_begins_an_empty_deck_or_goes_on_with_the_one_there(tmp_path: Path) -> None:
    decks = Decks(tmp_path)
    assert decks.get_or_new("family", "online").cards == {}
    assert list(tmp_path.iterdir()) == []
    decks.save(deck(cards=5))
    assert len(Decks(tmp_path).get_or_new("family", "online").cards) == 5
    with pytest.raises(DeckError, match="deck family is for online, not for xnet"):
        decks.get_or_new("family", "xnet")
    with pytest.raises(DeckError, match=r"'\.\./etc' is no name for a deck"):
        decks.get_or_new("../etc", "online")


def test_what_another_program_wrote_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    one, two = Decks(tmp_path), Decks(tmp_path)
    one.save(deck(cards=1))
    with pytest.raises(DeckError, match="was changed by another program and is left as it is"):
        two.save(deck(cards=2))
    (tmp_path / "family.json").unlink()
    with pytest.raises(DeckError, match="was changed by another program"):
        one.save(deck(cards=2))


# written whole or not at all

SAVING = """
import os, signal, sys
from pathlib import Path
from deck_samples import deck
from taptable.memory.decks import Decks

def dying(function):
    def call(*arguments, **options):
        global left
        left -= 1
        if left == 0:
            if function is written:
                written(arguments[0], arguments[1][:len(arguments[1]) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments, **options)
    return call

left = int(sys.argv[2])
written = os.write
decks = Decks(Path(sys.argv[1]))
for name in ("open", "write", "fsync", "close", "replace"):
    setattr(os, name, dying(getattr(os, name)))
decks.save(deck(cards=8))
os._exit(0)
"""


@pytest.mark.long
def test_killed_at_any_point_of_saving_the_deck_is_the_old_or_the_new_one_and_goes_on(tmp_path: Path) -> None:
    seen: list[int] = []
    for point in range(1, 30):
        folder = tmp_path / str(point)
        Decks(folder).save(deck(cards=7))
        with started(SAVING, folder, point) as saver:
            saver.communicate()
        decks = Decks(folder)
        assert decks.faults == {}
        assert decks.deck("family") in (deck(cards=7), deck(cards=8))
        seen.append(len(decks.deck("family").cards))
        decks.save(deck(cards=9))
        assert {file.name for file in folder.iterdir()} == {"family.json"}
        if saver.returncode == 0:
            break
        assert saver.returncode == -signal.SIGKILL
    assert len(seen) > 7, "open, write, fsync, close, replace, and the folder's open, fsync, close"
    assert seen == sorted(seen)
    assert set(seen) == {7, 8}


def test_a_deck_is_on_the_disk_before_it_takes_the_name_and_the_name_before_save_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    sync, rename = os.fsync, os.replace

    def recorded_sync(descriptor: int) -> None:
        folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        order.append("folder on disk" if folder else "file on disk")
        sync(descriptor)

    def recorded_rename(old: Path, new: Path) -> None:
        order.append("renamed")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", recorded_sync)
    monkeypatch.setattr(os, "replace", recorded_rename)
    Decks(tmp_path).save(deck())
    assert order == ["file on disk", "renamed", "folder on disk"]


def test_with_no_room_the_old_deck_stays(tmp_path: Path) -> None:
    decks = Decks(tmp_path)
    decks.save(deck(cards=7))
    with (
        no_file_larger_than(200),
        pytest.raises(DeckError, match=r"family\.json can't be read or written: File too large"),
    ):
        decks.save(deck(cards=8))
    assert [file.name for file in tmp_path.iterdir()] == ["family.json"]
    assert Decks(tmp_path).deck("family") == deck(cards=7)
    decks.save(deck(cards=8))
    assert Decks(tmp_path).deck("family") == deck(cards=8)


def test_a_folder_that_cannot_be_written_is_named() -> None:
    with folder_for_all() as folder:
        Decks(folder).save(deck(cards=7))
        folder.chmod(0o555)
        with without_privileges():
            decks = Decks(folder)
            with pytest.raises(DeckError, match=r"family\.json can't be read or written: Permission denied"):
                decks.save(deck(cards=8))
        assert Decks(folder).deck("family") == deck(cards=7)


# export and import


def test_import_replaces_only_by_force_and_keeps_what_it_replaces(tmp_path: Path) -> None:
    stick = tmp_path / "stick.json"
    stick.write_text(text_of(deck(cards=9)))
    decks = Decks(tmp_path / "decks")
    decks.save(deck(cards=7))
    with pytest.raises(DeckError, match=r"family\.json is there already: --force replaces it"):
        decks.import_from(stick, ONLINE)
    assert Decks(tmp_path / "decks").deck("family") == deck(cards=7)
    taken, kept = decks.import_from(stick, ONLINE, force=True)
    assert taken == decks.deck("family") == Decks(tmp_path / "decks").deck("family") == deck(cards=9)
    assert kept == tmp_path / "decks" / "family.json.old-1"
    assert kept.read_text() == text_of(deck(cards=7))
    decks.save(deck(cards=10))
    assert decks.import_from(stick, ONLINE, force=True)[1] == tmp_path / "decks" / "family.json.old-2"


def test_import_by_force_mends_a_damaged_deck_and_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "family.json").write_text("{")
    stick = tmp_path / "stick.txt"
    stick.write_text(text_of(deck()))
    decks = Decks(tmp_path)
    _, kept = decks.import_from(stick, ONLINE, force=True)
    assert kept is not None
    assert kept.read_text() == "{"
    assert decks.deck("family") == deck()
    assert decks.faults == {}


def test_importing_what_is_there_already_changes_nothing(tmp_path: Path) -> None:
    decks = Decks(tmp_path / "decks")
    decks.save(deck())
    decks.export_to(tmp_path / "stick.json", "family")
    assert decks.import_from(tmp_path / "stick.json", ONLINE) == (deck(), None)


def test_import_refuses_a_deck_of_another_game_and_one_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "stick.json").write_text(text_of(deck()))
    decks = Decks(tmp_path / "decks")
    with pytest.raises(DeckError, match=r"stick\.json: line 4, game: this is a deck for 'online', not for xnet"):
        decks.import_from(tmp_path / "stick.json", CardSet("xnet", (("virus", 3),)))
    with pytest.raises(DeckError, match=r"nowhere\.json can't be read or written: No such file"):
        decks.import_from(tmp_path / "nowhere.json", ONLINE)
    assert decks.names() == ()


def test_a_table_knows_what_is_enrolled_while_it_plays(tmp_path: Path) -> None:
    Decks(tmp_path).save(deck())
    playing = ActiveDeck(tmp_path, "online", "family")
    resolve = playing.identities.get
    assert (resolve(uid(2000)), playing.decks.identities("").get(uid(0))) == (None, "family:online#1")
    playing.decks.save(deck().with_card(uid(2000), "virus#1"))
    assert resolve(uid(2000)) == "virus#1"


def test_a_deck_is_called_otherwise_with_all_its_tags(tmp_path: Path) -> None:
    decks = Decks(tmp_path)
    decks.save(deck())
    decks.save(other())
    for new, why in (("travel", "there is a deck travel already"), ("The Box", "is no name for a deck")):
        with pytest.raises(DeckError, match=why):
            decks.rename("family", new)
    decks.rename("family", "box")
    for found in (decks, Decks(tmp_path)):
        assert found.names() == ("box", "travel")
        assert found.deck("box") == replace(deck(), name="box")


def test_a_deck_that_somebody_else_changed_keeps_its_name(tmp_path: Path) -> None:
    decks = Decks(tmp_path)
    decks.save(deck())
    (tmp_path / "family.json").write_text(text_of(other("family")))
    with pytest.raises(DeckError, match="was changed by another program"):
        decks.rename("family", "box")
    assert Decks(tmp_path).names() == ("family",)


def test_what_is_taken_away_is_kept_under_another_name_damaged_or_not(tmp_path: Path) -> None:
    Decks(tmp_path).save(deck())
    (tmp_path / "loan.json").write_text("{")
    decks = Decks(tmp_path)
    assert decks.move_aside("family").read_text() == text_of(deck())
    assert decks.move_aside("loan").read_text() == "{"
    assert (decks.names(), decks.faults) == ((), {})
    with pytest.raises(DeckError, match="there is no deck 'family'"):
        decks.move_aside("family")
    decks.save(deck())
    assert decks.move_aside("family").name == "family.json.old-2"
