"""`taptable run` of a table whose seats are assigned by touching: from no seats to the first judged tap, and back again
during a game."""

from __future__ import annotations

import shutil
import tomllib

import pytest
from deadline import DEADLINE_S
from taptable.api.client import Client
from taptable.api.errors import RequestError
from taptable.api.requests import AssignSeats, AssignStep, Entries, LookForParts, NewGame
from taptable.cli.status import watch_status
from taptable.config.parts_file import previous_of

from seats.rig import Maker, Watching, watching

ASSIGNING, PLAYING = (
    "^INFO: taptable .* at table taptable, seats are being assigned",
    "^INFO: taptable .* at table taptable$",
)


def assign_two(maker: Maker, at: Watching, middle: str = "r3") -> None:
    """Assign r1 and r2 to two seats. The card that lies on a reader at the beginning doesn't count."""
    at.wait_for_answer("lies-there")
    assert at.facts.assigning is not None
    assert (at.facts.assigning.asked, at.facts.assigning.seat) == ("reader", 1)
    maker.lay("r1")
    at.wait_for("button", 1)
    maker.press("a-17", 1)
    at.wait_for("reader", 2)
    maker.lay("r2")
    at.wait_for("button", 2)
    maker.press("b-18", 2)
    at.wait_for("middle")
    maker.lay(middle)
    at.wait_for("nothing")


def last_entry(client: Client) -> int:
    return next(client.subscribe("journal"))["journal"].entry


def test_from_no_seats_to_the_first_judged_tap(maker: Maker) -> None:
    with maker.running("run") as table:
        table.read_until(ASSIGNING)
        with watching(maker) as at:
            assert at.client.facts.assigning
            assert (at.facts.source, at.facts.parts) == ("", ())
            with pytest.raises(RequestError, match="being assigned now"):
                at.client.call(NewGame())
            with pytest.raises(RequestError, match="has no seats yet"):
                at.client.call(AssignStep(step="stop"))
            while (step := at.wait_for("reader", 1).assigning) is None or step.lacks is None:
                at.wait_for_change()
            maker.plug_in()  # while the table asks
            assign_two(maker, at)
            places = {part.label: part.place for part in at.facts.parts if part.place}
            assert places == {
                "reader r1": "1",
                "controller a-17, button 1": "1",
                "reader r2": "2",
                "controller b-18, button 2": "2",
                "reader r3": "discard",
            }
            maker.press("b-18", 2)  # confirms, without page or terminal
            at.wait_for_end()
        table.read_until("^INFO: Parts stored: .*parts.toml$", PLAYING)
        stored = tomllib.loads(maker.parts_file.read_text())
        assert [seat["pad"].rpartition("/")[2] for seat in stored["seats"]] == ["r1", "r2"]
        maker.lay("nowhere")
        with Client(maker.socket) as client:
            assert not client.facts.assigning
            assert next(client.subscribe("parts"))["parts"].source == "parts.toml"
            journal = client.subscribe("journal", timeout_s=DEADLINE_S)
            before = next(journal)["journal"].entry
            maker.press("a-17", 1)  # I'm the youngest
            while next(journal)["journal"].entry == before:
                pass
            before = last_entry(client)
            maker.lay("r1")
            journal = client.subscribe("journal", timeout_s=DEADLINE_S)
            while (facts := next(journal)["journal"]).entry == before:
                pass
            entries = client.call(Entries(game=facts.game, after=before))["entries"]
        observed = [entry for _, entry in entries]
        assert any("online#1" in str(entry) and "verdict" in str(entry) for entry in observed), observed
        assert table.stop() == 0
    assert "Traceback" not in table.log


def test_a_game_under_way_comes_back_paused(maker: Maker) -> None:
    """First the assignment is broken off, then finished with another middle: the game is the same each time."""
    maker.plug_in()
    with maker.running("run") as table:
        table.read_until(ASSIGNING)
        with watching(maker) as at:
            assign_two(maker, at)
            at.client.call(AssignStep(step="finish"))
            at.wait_for_end()
        table.read_until(PLAYING)
        text = maker.parts_file.read_text()
        with watching(maker) as at:
            with pytest.raises(RequestError, match="No seats are being assigned"):
                at.client.call(AssignStep(step="back"))
            journal = at.client.subscribe("journal", timeout_s=DEADLINE_S)
            before = next(journal)["journal"]
            maker.press("a-17", 1)  # I'm the youngest
            while (now := next(journal)["journal"]).entry == before.entry:
                pass
            game = now.game
            at.client.call(AssignSeats())
            at.wait_for_end()
        maker.read_until_again(table, ASSIGNING, 2)
        with watching(maker) as at:
            at.wait_for("reader", 1)
            at.client.call(AssignStep(step="stop"))
            at.wait_for_end()
        maker.read_until_again(table, PLAYING, 2)
        assert maker.parts_file.read_text() == text
        with Client(maker.socket) as client:
            status = next(watch_status(client))
            assert (status.journal.game, status.session.table.paused_at_us is not None) == (game, True)
            client.call(AssignSeats(seats=2))
        maker.read_until_again(table, ASSIGNING, 3)
        maker.plug_in(["r4"], [])
        with watching(maker) as at:
            at.wait_for_parts(8)
            assign_two(maker, at, middle="r4")
            at.client.call(AssignStep(step="finish"))
            at.wait_for_end()
        maker.read_until_again(table, PLAYING, 3)
        with Client(maker.socket) as client:
            assert next(client.subscribe("journal"))["journal"].game == game
        assert previous_of(maker.parts_file).read_text() == text
        assert tomllib.loads(maker.parts_file.read_text())["discard"]["pad"].endswith("/r4")
        assert table.stop() == 0


def test_a_part_that_moved_is_found_at_the_start_and_when_people_ask(maker: Maker) -> None:
    maker.plug_in()
    with maker.running("run") as table:
        table.read_until(ASSIGNING)
        with watching(maker) as at:
            assign_two(maker, at)
            at.client.call(AssignStep(step="finish"))
        table.read_until(PLAYING)
        shutil.move(maker.plugs / "buttons" / "a-17", maker.plugs / "buttons" / "moved-17")
        with Client(maker.socket) as client:
            client.call(LookForParts())
        table.read_until(
            r"^INFO: Part found elsewhere: socket:.*/a-17/1\.socket is at socket:.*/moved-17/1\.socket now$"
        )
        maker.read_until_again(table, PLAYING, 2)
        assert table.stop() == 0
    assert "moved-17" in maker.parts_file.read_text()
    (maker.plugs / "readers" / "r2").unlink()
    with maker.running("run") as table:
        table.read_until(
            r"^WARNING: Part not found: file:.*/r2; plug it in, or assign the seats again \(taptable seats\)$",
            PLAYING,
        )
        with watching(maker) as at:
            while {part.place for part in at.facts.parts if part.trouble} != {"2"}:
                at.facts = next(at.client.subscribe("parts"))["parts"]
        assert table.stop() == 0


def test_a_damaged_file_leads_to_the_assignment_and_the_one_before_can_be_taken(maker: Maker) -> None:
    maker.plug_in()
    with maker.running("run") as table:
        table.read_until(ASSIGNING)
        with watching(maker) as at:
            assign_two(maker, at)
            at.client.call(AssignStep(step="finish"))
        table.read_until(PLAYING)
        table.stop()
    good = maker.parts_file.read_text()
    previous_of(maker.parts_file).write_text(good)
    maker.parts_file.write_text(good[: len(good) // 2] + "\n[[\n")
    with maker.running("run") as table:
        table.read_until(r"^ERROR: Parts not usable, the seats are assigned again: .*parts\.toml:\d+: ", ASSIGNING)
        with watching(maker) as at:
            assert "parts.toml" in at.facts.fault
            assert at.facts.previous
            at.client.call(AssignStep(step="previous"))
            at.wait_for_end()
        table.read_until(PLAYING)
        assert maker.parts_file.read_text() == good
        assert table.stop() == 0


def test_parts_that_a_game_cant_be_played_with_are_not_stored(maker: Maker) -> None:
    with (maker.folder / "table.toml").open("a") as file:
        file.write('[game]\nname = "xnet"\n')
    maker.plug_in()
    with maker.running("run") as table:
        table.read_until(ASSIGNING)
        with watching(maker) as at:
            assign_two(maker, at)
            with pytest.raises(RequestError, match=r"The table can’t play with these parts: .*players"):
                at.client.call(AssignStep(step="finish"))
            maker.press("a-17", 1)
            at.wait_for_answer("not-possible")
        assert not maker.parts_file.exists()
        assert table.stop() == 0


def test_table_toml_wins_and_says_so(maker: Maker) -> None:
    maker.plug_in()
    seats = "".join(
        f'[[seats]]\npad = "file:{maker.folder}/r{seat}"\nbutton = "socket:{maker.folder}/{seat}"\n' for seat in (1, 2)
    )
    text = f'{seats}[discard]\npad = "file:{maker.folder}/r3"\n'
    with (maker.folder / "table.toml").open("a") as file:
        file.write(text)
    maker.parts_file.write_text("[[seats]]\n")
    with maker.running("run") as table:
        table.read_until(
            r"^INFO: Assigned parts not used: table\.toml names the seats and wins over parts\.toml$", PLAYING
        )
        with watching(maker) as at:
            assert (at.facts.source, at.facts.overruled) == ("table.toml", True)
        assert table.stop() == 0
