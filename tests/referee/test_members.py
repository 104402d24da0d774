"""A member's card, tapped before a game begins: who sits where, as the session sees it."""

from __future__ import annotations

from dataclasses import replace

from taptable.core import notices, tag_notices
from taptable.core.device_events import MEMBER_PREFIX, TagCame
from taptable.core.game_options import GameOptions
from taptable.core.observations import DISCARD_PAD, CardLost, GameSetUp
from taptable.referee import session as sessions
from taptable.referee.session import Decision, TableEvent

from referee.session_rig import SessionRig

ADA, BO, CY = (f"{number:016x}" for number in (0xADA, 0xB0, 0xC1))


class AtATable(SessionRig):
    """Members come to it, each with a card."""

    def taps(self, member: str, pad: int | str) -> list[TableEvent]:
        """Tap a member's card and return the events."""
        before = len(self.events)
        self.handle_device_event(TagCame(self.now_us, pad, member)).wait(1)
        return self.events[before:]

    def handle_device_event(self, device_event: object) -> AtATable:
        assert isinstance(device_event, TagCame)
        cards = {member: MEMBER_PREFIX + member for member in (ADA, BO, CY)}
        uid = device_event.uid
        known = replace(device_event, identity=cards.get(uid, uid if "#" in uid else None))
        self.session, events = sessions.handle_device_event(self.session, known, self.now_us)
        self.events += events
        return self


def hows(events: list[TableEvent]) -> list[str]:
    return [event.how for event in events if isinstance(event, tag_notices.MemberSeen)]


def seated_by(events: list[TableEvent]) -> list[tuple[str, ...]]:
    return [event.members for event in events if isinstance(event, tag_notices.MembersSeated)]


def test_whoever_taps_a_card_sits_there_and_once_more_changes_nothing():
    table = AtATable()
    events = table.taps(ADA, 2)
    assert hows(events) == ["sits"]
    assert seated_by(events) == [("", ADA, "", "")]
    again = table.taps(ADA, 2)
    assert hows(again) == ["sits"]
    assert seated_by(again) == []
    assert table.session.members == ("", ADA, "", "")


def test_a_tap_at_another_seat_moves_a_person_so_nobody_sits_twice():
    table = AtATable()
    table.taps(ADA, 2)
    assert seated_by(table.taps(ADA, 4)) == [("", "", "", ADA)]


def test_two_change_seats_by_a_tap_each_and_the_one_who_is_pushed_out_gets_up():
    table = AtATable()
    table.taps(ADA, 1)
    table.taps(BO, 2)
    assert seated_by(table.taps(ADA, 2)) == [("", ADA, "", "")]
    assert seated_by(table.taps(BO, 1)) == [(BO, ADA, "", "")]
    assert seated_by(table.taps(CY, 1)) == [(CY, ADA, "", "")]


def test_in_the_middle_one_gets_up_and_a_member_without_a_seat_learns_how_to():
    table = AtATable()
    table.taps(ADA, 3)
    events = table.taps(ADA, DISCARD_PAD)
    assert (hows(events), seated_by(events)) == (["gets-up"], [("", "", "", "")])
    events = table.taps(ADA, DISCARD_PAD)
    assert (hows(events), seated_by(events)) == (["seat"], [])


def test_at_a_seat_that_nobody_plays_at_nobody_sits():
    table = AtATable()
    assert table.taps(ADA, 5) == [notices.SeatUnused(0, 5)]
    assert not any(table.session.members)


def test_once_the_game_has_begun_a_tap_is_only_reported_and_the_game_is_as_it_was():
    table = AtATable()
    table.taps(ADA, 1)
    table.taps("online#1", 1)
    before = table.session.table
    for pad in (2, DISCARD_PAD):
        events = table.taps(BO, pad)
        assert (hows(events), seated_by(events)) == (["begun"], [])
    assert table.session.table.state is before.state
    assert table.session.members == (ADA, "", "", "")


def test_a_take_back_of_the_first_move_lets_people_sit_again():
    table = AtATable()
    table.taps("online#1", 1)
    table.session, _ = sessions.apply_control(table.session, "take-back", table.now_us)
    assert hows(table.taps(ADA, 1)) == ["sits"]


def test_a_card_that_is_lost_makes_no_beginning_of_what_has_begun():
    table = AtATable()
    table.taps("online#1", 1)
    table.tell(lambda at_us: CardLost(at_us, "virus#1"))
    assert table.session.table.undo_entry is None
    assert hows(table.taps(ADA, 1)) == ["begun"]


def test_a_refused_first_tap_is_no_move_and_a_pause_hinders_nobody():
    table = AtATable()
    refused = table.taps("email#1", 1)
    assert isinstance(refused[0], Decision)
    table.ask("pause")
    assert hows(table.taps(ADA, 1)) == ["sits"]


def test_the_card_is_never_a_card_of_the_game_alone_or_with_another():
    table = AtATable()
    table.handle_device_event(TagCame(0, 1, ADA))
    table.handle_device_event(TagCame(1000, 1, "online#1"))
    assert [type(event) for event in table.events] == [tag_notices.MemberSeen, tag_notices.MembersSeated, Decision]
    assert not any("member" in lying.card for lying in table.session.taps.tags_on(1))


def test_a_card_that_lies_there_when_the_table_begins_to_look_is_no_tap():
    table = AtATable()
    table.handle_device_event(TagCame(0, 1, ADA, already_present=True))
    assert table.events == []


def test_the_next_game_has_the_same_people_and_says_so():
    table = AtATable()
    table.taps(ADA, 2)
    table.ask("new-game")
    assert table.events[-1] == tag_notices.MembersSeated(table.now_us, ("", ADA, "", ""))


def test_where_fewer_play_members_without_a_seat_get_up():
    table = AtATable()
    table.taps(ADA, 1)
    table.taps(BO, 4)
    table.session, events = sessions.apply_arrangement(
        table.session,
        lambda at_us: GameSetUp(at_us, "online", GameOptions(2, "de", {}, 1), keep_next_starter=False),
        table.now_us,
        "Anna",
    )
    assert seated_by(events) == [(ADA, "")]
    assert table.session.members == (ADA, "")


def test_while_the_discard_pad_reads_a_deck_nobody_sits_down():
    table = AtATable()
    began = tag_notices.EnrolmentBegan(0, "family", tag_notices.EnrolmentMode.ENROL, "", (), "Anna")
    table.session, _ = sessions.record_notice(table.session, began)
    assert table.taps(ADA, 1) == [tag_notices.DiscardPadTaken(0, 1)]
