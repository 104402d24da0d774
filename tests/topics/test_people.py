"""*Who sits here* at the running table: people's cards at the real readers' drivers, and requests of the page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from table.rig import GameNight, a_table, running_table
from table.test_full_disk import no_file_larger_than
from taptable.api.errors import RequestError
from taptable.api.requests import BringDeck, Role
from taptable.core.notices import PlayersNamed
from taptable.core.observations import DISCARD_PAD, Pad
from taptable.core.tag_notices import MemberSeen, MembersSeated
from taptable.core.verdicts import Accepted
from taptable.daemon.member_cards import WAIT_TIMEOUT_S
from taptable.memory.deckfile import text_of
from taptable.memory.decks import Decks
from taptable.memory.members import members_file_of, read_members
from taptable.page.feed import ClientState
from taptable.sim.setting_up import DECK

from topics.enroller import Enroller, a_table_with_a_page, box
from topics.page_user import PageUser

ADAS, BOS, NEW = "04adadadadad01", "04b0b0b0b0b002", "04adadadadad03"
ON_PAD_S, GONE_S = 0.3, 0.4


class Host(PageUser):
    """Somebody at the page who enrols people."""

    def __init__(self, evening: GameNight) -> None:
        super().__init__(evening)
        self.requester = replace(self.requester, words=self.page.words("en"))

    @property
    def people(self) -> dict[str, Any]:
        return self.parts["people"]

    @property
    def said(self) -> str:
        return self.people["card"]["said"]

    @property
    def seats(self) -> list[str]:
        """The names of the members at the seats."""
        return [each["name"] if each else "" for each in self.people["seats"]]

    async def taps(self, uid: str, pad: Pad = DISCARD_PAD) -> None:
        """Tap a card of anybody's on a pad."""
        table = self.evening.table
        table.put(uid, pad)
        await asyncio.sleep(ON_PAD_S)
        table.lift(uid, pad)
        await asyncio.sleep(GONE_S)

    async def enrols(self, name: str, uid: str, **fields: Any) -> str:
        """Somebody with a card from now on; the id."""
        member = (await self.ask("enrol-member", name=name, **fields))["member"]
        await self.taps(uid)
        return member

    async def members(self) -> list[dict[str, Any]]:
        return (await self.ask("members"))["members"]


@pytest.fixture
def ada(at: GameNight) -> Host:
    return Host(at)


@pytest.mark.parametrize("pins", [True, False], ids=["spi", "boards"])
async def test_a_card_that_was_enrolled_seats_its_owner_at_any_pad(tmp_path: Path, pins: bool) -> None:
    async with running_table(a_table(tmp_path, 2, pins=pins)) as at:
        await asyncio.sleep(1.0)
        ada = Host(at)
        member = await ada.enrols("Ada", ADAS, colour="#8ec1ff")
        assert ada.said == "This is Ada’s card now."
        await ada.taps(ADAS, 2)
        assert ada.seats == ["", "Ada"]
        assert ada.parts["names"] == ["", "Ada"]
        assert at.all_told(MembersSeated)[-1].members == ("", member)
        # journal and page know the person, and nobody the card
        written = [json.dumps(entry.line) for entry in at.entries()]
        assert any(member in line for line in written)
        assert not any(ADAS in line or "Ada" in line for line in written)
        assert ADAS not in json.dumps(ada.parts)
        assert (await ada.members())[0] == {
            "id": member,
            "name": "Ada",
            "colour": "#8ec1ff",
            "shown": "name",
            "tags": 1,
        }
        assert isinstance((await at.tap("online#1", 1)).verdict, Accepted)


async def test_what_is_no_card_for_a_person_is_refused_in_a_sentence_and_the_pad_goes_on_waiting(
    at: GameNight, ada: Host
) -> None:
    bo = await ada.enrols("Bo", BOS)
    member = (await ada.ask("enrol-member", name="Ada"))["member"]
    assert ada.said == "Ada: tap your card on the discard pad."
    await ada.taps(at.tags["email#1"])
    assert ada.said == "That is a card of deck sample: take another one."
    await ada.taps(BOS)
    assert ada.said == "That is Bo’s card: take another one."
    await ada.taps("08a1b2c3")
    assert ada.said.startswith("That is a phone or a bank card")
    assert await ada.is_refused("enrol-member", name="Cy") == (
        "The discard pad waits for Ada’s card: tap it, or stop that first."
    )
    await ada.taps(ADAS)
    assert ada.said == "This is Ada’s card now."
    assert not ada.people["card"]["waits"]
    assert [(each["id"], each["tags"]) for each in await ada.members()] == [(member, 1), (bo, 1)]
    # and none of it was of the game
    assert at.taps() == []


async def test_a_game_that_is_under_way_waits_meanwhile_and_goes_on(at: GameNight, ada: Host) -> None:
    await at.tap("online#1", 1)
    await ada.ask("enrol-member", name="Ada")
    assert at.referee_table.paused_at_us is not None
    await ada.taps(ADAS)
    await at.press(1)
    assert at.referee_table.paused_at_us is None


async def test_no_card_comes_and_the_person_is_there_without_one(at: GameNight, ada: Host) -> None:
    member = (await ada.ask("enrol-member", name="Ada"))["member"]
    await asyncio.sleep(WAIT_TIMEOUT_S + 1)
    assert ada.said.startswith("No card came. Ada is there without one")
    await ada.ask("seat-member", member=member, seat=1)
    assert ada.seats == ["Ada", ""]
    await ada.taps(ADAS)  # nobody's: the game sees it
    assert [card for card, _, _ in at.taps()] == [ADAS]


async def test_a_lost_card_is_replaced_and_a_second_one_counts_too(at: GameNight, ada: Host) -> None:
    member = await ada.enrols("Ada", ADAS)
    await ada.ask("enrol-member", member=member)
    await ada.taps(NEW)
    assert (await ada.members())[0]["tags"] == 2
    await ada.ask("enrol-member", member=member, replace=True)
    await ada.taps(BOS)
    (kept,) = read_members(members_file_of(at.config.table.journal)).members
    assert kept.tags == (BOS,)
    await ada.ask("change-member", member=member, forget_cards=True)
    assert (await ada.members())[0]["tags"] == 0


async def test_a_members_card_becomes_no_card_of_a_deck_neither_by_the_pad_nor_by_a_file(tmp_path: Path) -> None:
    async with running_table(a_table_with_a_page(tmp_path)) as at:
        await asyncio.sleep(1.0)
        ada, enroller = Host(at), Enroller(at)
        mine = box()
        first = next(iter(mine.cards))
        await ada.enrols("Ada", first)
        await enroller.ask("enrol", deck="family")
        assert await enroller.taps(first) == "That is a member’s own card: it can’t be one of the deck’s."
        assert enroller.pad_status["have"] == 0
        with pytest.raises(RequestError, match="pad") as busy:
            await ada.ask("enrol-member", name="Bo")
        assert busy.value.key == "discard-pad-taken"
        await enroller.ask("enrol-stop")
        with pytest.raises(RequestError, match="In deck family there is the card of Ada") as refused:
            at.daemon.api.do(Role.ADMIN, BringDeck(content=text_of(mine)))
        assert refused.value.context == "people"
        assert Decks(at.config.table.decks).names() == (DECK,)
        await ada.ask("enrol-member", name="Bo")
        with pytest.raises(RequestError, match="waits for Bo’s card"):
            await enroller.ask("enrol", deck="family")


async def test_mid_game_a_card_is_a_sentence_and_the_page_can_still_seat_its_owner(at: GameNight, ada: Host) -> None:
    member = await ada.enrols("Ada", ADAS)
    await at.press(1)
    await at.tap("online#1", 1)
    state = at.state
    await ada.taps(ADAS, 2)
    assert at.all_told(MemberSeen)[-1].how == "begun"
    assert at.state is state
    await ada.ask("seat-member", member=member, seat=2)
    assert ada.seats == ["", "Ada"]
    assert await ada.is_refused("seat-member", member=member, seat=3) == (
        "There is no such seat: this table is played at seats 1 to 2."
    )
    await ada.ask("seat-member", member="", seat=2)
    assert ada.seats == ["", ""]


async def test_a_guest_keeps_the_name_that_was_typed_in_and_a_member_has_the_own(at: GameNight, ada: Host) -> None:
    await ada.ask("name-players", names=["Zoë", "Guest"])
    member = await ada.enrols("Ada", ADAS)
    await ada.taps(ADAS, 1)
    assert ada.parts["names"] == ["Ada", "Guest"]
    await ada.ask("new-game")
    assert at.all_told(PlayersNamed)[-1].names == ("", "Guest")
    # a set-up begins with the guests: no member's name gets into the journal by it
    assert ada.parts["setup"]["game_options"]["names"] == ["", "Guest"]
    await ada.ask("set-up", players=2, names=["Zoë", "Bo"])
    assert ada.parts["names"] == ["Ada", "Bo"]
    await ada.ask("change-member", member=member, name="Ada L.", shown="initial")
    assert ada.parts["names"] == ["Ada L.", "Bo"]
    assert ada.people["seats"][0]["in_public"] == "A."
    assert "Ada" not in json.dumps([entry.line for entry in at.entries()])
    listed = (await ada.ask("games"))["games"][0]
    assert listed["names"] == ["Ada L.", "Bo"]
    assert (await ada.ask("game", id=listed["id"]))["game"]["names"] == ["Ada L.", "Bo"]


@pytest.mark.parametrize(("shown", "called"), [("name", "Ada"), ("initial", "A."), ("nothing", "")])
async def test_in_public_nothing_calls_a_member_otherwise_than_they_chose(ada: Host, shown: str, called: str) -> None:
    member = await ada.enrols("Ada", ADAS, shown="name")
    await ada.taps(ADAS, 1)
    await ada.ask("change-member", member=member, shown=shown)
    await ada.ask("name-players", names=["", "Bo"])
    stranger = ada.page.words("en", in_public=True)
    told, _ = ada.page.greet(ClientState(resend_texts=True), stranger)
    parts = json.loads(told)["parts"]
    assert parts["names"] == [called, "Bo"]
    assert parts["people"]["seats"][0]["name"] == called
    assert ("Ada" in told) == (called == "Ada")
    # who looks at the table's own page meanwhile is told the name
    assert ada.parts["names"] == ["Ada", "Bo"]


async def test_who_types_a_guests_name_at_a_members_seat_lets_the_guest_sit_there(at: GameNight, ada: Host) -> None:
    await ada.enrols("Ada", ADAS)
    await ada.taps(ADAS, 1)
    await ada.ask("name-players", names=["", "Bo"])
    assert ada.parts["names"] == ["Ada", "Bo"]
    await ada.ask("name-players", names=["Zoë", "Bo"])
    assert ada.parts["names"] == ["Zoë", "Bo"]
    assert at.session.members == ("", "")


async def test_names_that_are_shown_can_be_sent_back_and_no_member_gets_up(at: GameNight, ada: Host) -> None:
    member = await ada.enrols("Ada", ADAS)
    await ada.taps(ADAS, 1)
    await ada.ask("name-players", names=["Ada", "Bo"])
    assert at.session.members == (member, "")
    assert ada.parts["names"] == ["Ada", "Bo"]
    assert "Ada" not in json.dumps([entry.line for entry in at.entries()])


@pytest.fixture
async def at_four(tmp_path: Path) -> AsyncIterator[tuple[GameNight, Host]]:
    """A table of four: Ada, a member, at seat 3, and guests at 2 and 4."""
    async with running_table(a_table(tmp_path, 4)) as at:
        await asyncio.sleep(1.0)
        host = Host(at)
        await host.enrols("Ada", ADAS)
        await host.taps(ADAS, 3)
        await host.ask("name-players", names=["", "Bo", "", "Dot"])
        yield at, host


def written(at: GameNight) -> str:
    """All notes in the journal."""
    return json.dumps([entry.line for entry in at.entries()])


@pytest.mark.parametrize(
    ("seat", "who", "names", "seats"),
    [
        pytest.param(2, {"like": 4}, ["", "Dot", "Ada", "Dot"], ["", "", "Ada", ""], id="a guest beside"),
        pytest.param(1, {"like": 3}, ["Ada", "Bo", "Ada", "Dot"], ["Ada", "", "Ada", ""], id="a member beside"),
        pytest.param(3, {"like": 1}, ["", "Bo", "", "Dot"], ["", "", "", ""], id="nobody known"),
        pytest.param(2, {"name": " Cy  Z. "}, ["", "Cy Z.", "Ada", "Dot"], ["", "", "Ada", ""], id="a new guest"),
        pytest.param(3, {"name": "Cy"}, ["", "Bo", "Cy", "Dot"], ["", "", "", ""], id="a guest for a member"),
        pytest.param(2, {"member": "Bea"}, ["", "Bea", "Ada", "Dot"], ["", "Bea", "Ada", ""], id="a member"),
    ],
)
async def test_somebody_plays_on_at_a_seat_and_nobody_else_is_touched(
    at_four: tuple[GameNight, Host], seat: int, who: dict[str, Any], names: list[str], seats: list[str]
) -> None:
    at, host = at_four
    bea = await host.enrols("Bea", BOS)
    if "member" in who:
        who = {"member": bea}
    await host.ask("play-on", seat=seat, **who)
    assert (host.parts["names"], host.seats) == (names, seats)
    assert not any(name in written(at) for name in ("Ada", "Bea"))
    await host.ask("new-game")
    assert (host.parts["names"], host.seats) == (names, seats)
    # a player who left doesn't come back by the name that was typed in for them
    await host.ask("seat-member", member="", seat=seat)
    assert host.parts["names"][seat - 1] == ("" if seats[seat - 1] else names[seat - 1])


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"seat": 2}, "name"),
        ({"seat": 2, "like": 2}, "like"),
        ({"seat": 2, "like": 1, "name": "Cy"}, "name"),
        ({"seat": 5, "name": "Cy"}, "seats 1 to 4"),
        ({"seat": 2, "like": 6}, "seats 1 to 4"),
        ({"seat": 2, "member": "0123456789abcdef"}, "Nobody is known by that"),
        ({"seat": 2, "name": " "}, "1 to 24 visible characters"),
    ],
)
async def test_the_successor_is_named_in_exactly_one_possible_way(
    at_four: tuple[GameNight, Host], fields: dict[str, Any], why: str
) -> None:
    _, host = at_four
    assert why in await host.is_refused("play-on", **fields)


async def test_who_plays_two_seats_is_stored_with_both(at_four: tuple[GameNight, Host]) -> None:
    _, host = at_four
    await host.ask("play-on", seat=1, like=3)
    (ada, *_) = await host.members()
    stored = await host.ask("export-member", member=ada["id"])
    assert [game["seats"] for game in stored["games"]] == [[3, 1]]


async def test_who_is_deleted_gets_up_and_is_nobody_in_what_was_played(at: GameNight, ada: Host) -> None:
    await ada.ask("name-players", names=["Zoë", ""])
    member = await ada.enrols("Ada", ADAS)
    await ada.taps(ADAS, 1)
    await ada.ask("new-game")
    first = (await ada.ask("games"))["games"][-1]
    assert first["names"] == ["Ada", ""]
    await ada.ask("delete-member", member=member)
    assert ada.seats == ["", ""]
    assert at.all_told(MembersSeated)[-1].members == ("", "")
    assert (await ada.ask("games"))["games"][-1]["names"] == ["", ""]
    assert await ada.members() == []
    assert ADAS not in members_file_of(at.config.table.journal).read_text()
    assert await ada.is_refused("delete-member", member=member) == (
        "Nobody is known by that any more: look at the list again."
    )


async def test_all_that_is_stored_of_a_person_can_be_had(ada: Host) -> None:
    member = await ada.enrols("Ada", ADAS)
    await ada.taps(ADAS, 1)
    await ada.taps(ADAS, 2)
    await ada.ask("new-game")
    await ada.ask("seat-member", member=member)
    await ada.ask("new-game")
    stored = await ada.ask("export-member", member=member)
    assert stored["member"]["tags"] == [ADAS]
    assert [(game["game"], game["seats"]) for game in stored["games"]] == [(2, [2]), (1, [1, 2])]
    assert stored["before"] is None


async def test_a_table_that_comes_back_has_the_same_people(at: GameNight, ada: Host) -> None:
    member = await ada.enrols("Ada", ADAS)
    await ada.taps(ADAS, 2)
    await at.restart()
    again = Host(at)
    assert again.seats == ["", "Ada"]
    assert at.session.members == ("", member)


async def test_whoever_was_deleted_while_no_table_ran_has_got_up(at: GameNight, ada: Host) -> None:
    await ada.enrols("Ada", ADAS)
    await ada.taps(ADAS, 2)
    await at.stop()
    members_file_of(at.config.table.journal).write_text('{"members": []}')
    await at.start()
    assert at.session.members == ("", "")


async def test_a_failed_write_is_reported_and_nobody_is_half_a_member(at: GameNight, ada: Host) -> None:
    with no_file_larger_than(0), pytest.raises(RequestError, match="can’t be written down"):
        await ada.ask("enrol-member", name="Ada")
    assert await ada.members() == []
    await ada.ask("enrol-member", name="Ada")
    table = at.table
    with no_file_larger_than(0):
        table.put(ADAS, DISCARD_PAD)
        await asyncio.sleep(ON_PAD_S)
        table.lift(ADAS, DISCARD_PAD)
        await asyncio.sleep(GONE_S)
    assert ada.said.startswith("It can’t be written down")
    assert (await ada.members())[0]["tags"] == 0


async def test_names_that_were_typed_in_are_blotted_and_those_of_today_go_too(at: GameNight, ada: Host) -> None:
    await ada.ask("name-players", names=["Zoë", "Guest"])
    await ada.ask("new-game")
    await ada.ask("blot-names", names=["Zoë"])
    assert ada.parts["names"] == ["", "Guest"]
    assert at.all_told(PlayersNamed)[-1].names == ("", "Guest")
    assert [game["names"] for game in (await ada.ask("games"))["games"]] == [["", "Guest"], ["", "Guest"]]
    await ada.ask("blot-names")
    assert "Guest" not in json.dumps([entry.line for entry in at.entries()])


async def test_who_asked_for_an_enrolment_is_redacted_where_it_is_on(tmp_path: Path) -> None:
    async with running_table(a_table_with_a_page(tmp_path)) as at:
        await asyncio.sleep(1.0)
        ada = Host(at)
        await ada.ask("save-preset", name="Sunday", players=2, names=["Zoë", "Guest"])
        at.daemon.enrolment.begin("family", "", "enrol", "Yorick")
        assert "Yorick" in told_of(at)
        await ada.ask("blot-names", names=["Yorick", "Zoë"])
        assert not any(name in told_of(at) for name in ("Yorick", "Zoë"))
        assert at.daemon.enrolment.active is not None
        await at.restart()
        assert not any(name in told_of(at) for name in ("Yorick", "Zoë"))
        assert "Guest" in told_of(at)


def told_of(at: GameNight) -> str:
    """All that the topics tell, and all notes in the journal."""
    topics = {topic: read() for topic, read in at.daemon.api.topics.items()}
    return msgspec.json.encode(topics).decode() + written(at)


async def test_names_arent_blotted_while_a_tap_would_have_to_wait_for_it(at: GameNight, ada: Host) -> None:
    await ada.ask("name-players", names=["Zoë", ""])
    await at.tap("online#1", 1)
    assert await ada.is_refused("blot-names") == "A game is being played, which would wait for this: pause it first."
    await ada.ask("pause")
    await ada.ask("blot-names")
    assert ada.parts["names"] == ["", ""]


async def test_only_who_is_paired_sees_the_list(ada: Host) -> None:
    await ada.enrols("Ada", ADAS)
    assert "Ada" not in json.dumps(ada.parts["people"]["seats"])
    stranger = replace(ada.requester, paired=False)
    with pytest.raises(RequestError) as refused:
        await ada.page.ask("members", {}, stranger)
    assert refused.value.key == "not-paired"
