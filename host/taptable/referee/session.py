"""The session of an evening: takes one device event at a time through filters, gestures and the referee's step, in the
order in which a tap travels, and returns the table events. Pure: it takes a whole session and returns a new one. If an
event couldn't be written to the journal, the daemon keeps the old session, and nothing has happened. Must not know a
device, a file or a clock: `now_us` is an argument."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import TypeAlias

from taptable.core.announcements import GameEnded
from taptable.core.controls import Fields
from taptable.core.device_events import (
    ButtonEdge,
    Clock,
    DeviceEvent,
    PartFailed,
    PartReturned,
    TagCame,
    TagUnreadable,
    TagWent,
)
from taptable.core.errors import RefereeError
from taptable.core.notices import CardLying, CardUnreadable, CorrectionAsked, Notice, PlayersNamed, SeatUnused
from taptable.core.observations import (
    DISCARD_PAD,
    Arrangement,
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardsTogether,
    CardTapped,
    ControlUsed,
    GameSetUp,
    Observation,
    Pad,
    SeatVacated,
    TableCorrected,
    TimePassed,
)
from taptable.core.part_notices import PartBack, PartLost
from taptable.core.tag_notices import DiscardPadTaken, EnrolmentBegan, EnrolmentEnded, MembersSeated
from taptable.core.verdicts import Accepted, Verdict
from taptable.referee import buttons, gestures, taps
from taptable.referee.buttons import ButtonState
from taptable.referee.gestures import PendingPrompts
from taptable.referee.seating import guest_names, seat_member
from taptable.referee.step import Table, next_deadline, starts_new_game, step
from taptable.referee.taps import CardFound, ControlTapped, MemberCame, Taps


@dataclass(frozen=True, slots=True)
class Decision:
    """An observation, the referee's verdict on it, and the table after it."""

    observation: Observation
    verdict: Verdict
    table: Table

    @property
    def is_meaningless_hold(self) -> bool:
        """Whether it is the hold of a card that was only left lying: its tap has had a verdict, and its hold has no
        meaning."""
        return isinstance(self.observation, CardHeld) and not isinstance(self.verdict, Accepted)

    @property
    def ends_the_game(self) -> bool:
        """Whether it ended the game."""
        return any(isinstance(announcement, GameEnded) for announcement in self.verdict.announcements)


TableEvent: TypeAlias = Decision | Notice


@dataclass(frozen=True)
class Session:
    """Everything the table remembers during an evening. All that was due has been handled up to `at_us`, which never
    falls. `names` are the players' by their seats, "" for none, and `members` the ids of those that are known. While
    the discard pad reads cards for a deck, `enrolment` names that deck, and nothing else is done."""

    table: Table
    taps: Taps
    buttons: tuple[ButtonState, ...]
    prompts: PendingPrompts
    at_us: int
    names: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    enrolment: EnrolmentBegan | None = None

    @cached_property
    def due_us(self) -> int | None:
        """When the session next acts by itself, in table time; None if nothing is due."""
        due = (
            next_deadline(self.table),
            taps.deadline(self.taps),
            *(buttons.deadline(button) for button in self.buttons if button.down),
            gestures.deadline(self.prompts, self.table),
        )
        return min((each for each in due if each is not None), default=None)


def open_session(
    table: Table,
    seats: int,
    remind_us: int,
    now_us: int,
    names: tuple[str, ...] = (),
    members: tuple[str, ...] = (),
) -> Session:
    """Begin a session at `now_us` with empty pads and every button up, at a table with this number of `seats`. The game
    is played at the first of them. `names` and `members` are those of the players, seat 1 first."""
    prompts = PendingPrompts(remind_us, quiet_since_us=now_us, time_warned_until_us=now_us)
    # the first action of a button is no change of action
    actions = zip_longest(range(1, seats + 1), gestures.button_actions(prompts, table))
    button_states = tuple(ButtonState(seat, now_us, action=action) for seat, action in actions)
    return Session(table, Taps(), button_states, prompts, now_us, names, members)


def handle_device_event(session: Session, device_event: DeviceEvent, now_us: int) -> tuple[Session, list[TableEvent]]:
    """Return the session after a device event that arrives at `now_us`, and the table events that follow."""
    if isinstance(device_event, ButtonEdge) and device_event.clock is Clock.TABLE:
        # the time at which the press was settled, although it arrives late where the daemon was delayed: deadlines from
        # then on come after it
        now_us = min(now_us, device_event.at_us + device_event.settle_us)
    session, events = pass_time(session, now_us)
    now_us = session.at_us
    match device_event:
        case TagCame(_, pad) if not session.table.uses(pad):
            more: list[TableEvent] = [SeatUnused(now_us, pad)]
        case TagCame(_, pad) if session.enrolment is not None:
            more = [] if device_event.already_present else [DiscardPadTaken(now_us, pad)]
        case TagCame():
            filtered, outcomes = taps.handle_tag_came(session.taps, device_event, now_us)
            session, more = _take_taps(replace(session, taps=filtered), outcomes)
        case TagWent():
            filtered, outcomes = taps.handle_tag_went(session.taps, device_event, now_us)
            session, more = _take_taps(replace(session, taps=filtered), outcomes)
        case TagUnreadable(_, pad):
            more = [CardUnreadable(now_us, pad)]
        case ButtonEdge(pad=int(seat)):
            button, outcomes = buttons.handle_edge(session.buttons[seat - 1], device_event, now_us)
            session, more = _take_presses(_with_button(session, seat - 1, button), outcomes)
        case ButtonEdge(_, pad, pressed):
            more = [SeatUnused(now_us, pad)] if pressed else []
        case PartFailed(_, part, reason):
            filtered, outcomes = taps.mark_part_failed(session.taps, part, now_us)
            session, more = _take_taps(replace(session, taps=filtered), outcomes)
            more = [PartLost(now_us, part, reason), *more]
        case PartReturned(_, part):
            session, more = replace(session, taps=taps.mark_part_returned(session.taps, part)), [PartBack(now_us, part)]
    return _end_step(session, [*events, *more])


def request_control(
    session: Session, name: str, pad: Pad, now_us: int, by: str = "", fields: Fields = ()
) -> tuple[Session, list[TableEvent]]:
    """Return the session after a control that was requested elsewhere than by a card, on a page for example. A
    take-back is requested from the seat of `pad`; the discard pad stands for no seat."""
    session, events = pass_time(session, now_us)
    now_us = session.at_us
    if session.enrolment is not None:
        return session, [*events, DiscardPadTaken(now_us, pad)]
    session, more = _take_taps(session, [ControlTapped(now_us, name, pad, by, fields)])
    return _end_step(session, [*events, *more])


def apply_arrangement(
    session: Session, make_arrangement: Callable[[int], Arrangement], now_us: int, by: str = ""
) -> tuple[Session, list[TableEvent]]:
    """Return the session after an arrangement, built for the current time; it ends a check under way. Raises
    RefereeError for a game of more players than the table has seats."""
    session, events = pass_time(session, now_us)
    now_us = session.at_us
    if session.enrolment is not None:
        return session, [*events, DiscardPadTaken(now_us, DISCARD_PAD)]
    arrangement = make_arrangement(now_us)
    if isinstance(arrangement, GameSetUp) and arrangement.game_options.players > len(session.buttons):
        raise RefereeError(
            f"A game of {arrangement.game_options.players} was set up at a table of {len(session.buttons)} seats."
        )
    prompts, broken_off = gestures.break_off(session.prompts, now_us)
    request = CorrectionAsked(now_us, _correction_name(arrangement), None, by)
    session, more = _carry_out(replace(session, prompts=prompts), [request, *broken_off, arrangement])
    return _end_step(session, [*events, *more])


def confirm_rows(session: Session, seat: int, now_us: int) -> tuple[Session, list[TableEvent]]:
    """Return the session after a seat has confirmed its team's rows elsewhere than at its button."""
    session, events = pass_time(session, now_us)
    now_us = session.at_us
    prompts, outcomes = gestures.confirm_rows(session.prompts, session.table, seat, now_us)
    session, more = _carry_out(replace(session, prompts=prompts), outcomes)
    return _end_step(session, [*events, *more])


def report_hand_count(session: Session, seat: int, count: int, now_us: int) -> tuple[Session, list[TableEvent]]:
    """Return the session after a seat has given the count of its hand elsewhere than at its button."""
    session, events = pass_time(session, now_us)
    now_us = session.at_us
    prompts, outcomes = gestures.report_hand_count(session.prompts, session.table, seat, count, now_us)
    session, more = _carry_out(replace(session, prompts=prompts), outcomes)
    return _end_step(session, [*events, *more])


def apply_control(session: Session, name: str, now_us: int) -> tuple[Session, list[TableEvent]]:
    """Return the session after a control that needs nobody's consent."""
    session, events = pass_time(session, now_us)
    now_us = session.at_us
    session, more = _judge(session, ControlUsed(now_us, name))
    return _end_step(session, [*events, *more])


def record_notice(session: Session, notice: Notice) -> tuple[Session, list[TableEvent]]:
    """Return the session after a notice, which concerns the table and no game."""
    session, events = pass_time(session, notice.at_us)
    # a late notice gets the current time: the journal's times never fall
    notice = replace(notice, at_us=session.at_us)
    if isinstance(notice, PlayersNamed):
        session = replace(session, names=notice.names)
    if isinstance(notice, MembersSeated):
        session = replace(session, members=notice.members)
    if isinstance(notice, EnrolmentBegan | EnrolmentEnded):
        session = replace(session, enrolment=notice if isinstance(notice, EnrolmentBegan) else None)
    return _end_step(session, [*events, notice])


def pass_time(session: Session, now_us: int) -> tuple[Session, list[TableEvent]]:
    """Return the session at `now_us` after everything that was due until then, in its order. If an edge that overtook
    waiting events has taken the session beyond `now_us` already, the rest happens at the session's `at_us`."""
    events: list[TableEvent] = []
    while (due_us := session.due_us) is not None and due_us <= now_us:
        # a late deadline takes effect at the current time
        at_us = max(due_us, session.at_us)
        session, more = _end_step(*_pass_one(replace(session, at_us=at_us), due_us, at_us, max(now_us, at_us)))
        events += more
    return replace(session, at_us=max(now_us, session.at_us)), events


def end_session(session: Session, now_us: int) -> tuple[Session, list[TableEvent]]:
    """Return the session at `now_us`, after which no events follow: a tap still in doubt counts."""
    session, events = pass_time(session, now_us)
    filtered, outcomes = taps.resolve_doubts(session.taps, session.at_us)
    session, more = _take_taps(replace(session, taps=filtered), outcomes)
    return _end_step(session, [*events, *more])


def _pass_one(session: Session, due_us: int, at_us: int, now_us: int) -> tuple[Session, list[TableEvent]]:
    """Handle one source of those due at `due_us`; only one at a time, since each may change what is due next."""
    if taps.deadline(session.taps) == due_us:
        filtered, outcomes = taps.pass_time(session.taps, at_us, now_us)
        return _take_taps(replace(session, taps=filtered), outcomes)
    for index, button in enumerate(session.buttons):
        if buttons.deadline(button) == due_us:
            changed, outcomes = buttons.pass_time(button, at_us)
            return _take_presses(_with_button(session, index, changed), outcomes)
    if gestures.deadline(session.prompts, session.table) == due_us:
        prompts, outcomes = gestures.pass_time(session.prompts, session.table, at_us)
        return _carry_out(replace(session, prompts=prompts), outcomes)
    return _judge(session, TimePassed(at_us))


def _take_taps(session: Session, outcomes: list[taps.TapOutcome]) -> tuple[Session, list[TableEvent]]:
    events: list[TableEvent] = []
    for outcome in outcomes:
        match outcome:
            case ControlTapped():
                prompts, done = gestures.use_control(session.prompts, session.table, outcome)
                session, more = _carry_out(replace(session, prompts=prompts), done)
                events += more
            case CardFound(at_us, card, pad):
                if not session.table.has_card_at(card, pad):
                    events.append(CardLying(at_us, card, pad))
            case MemberCame():
                members, notices = seat_member(session.table, session.members, outcome)
                session = replace(session, members=members)
                events += notices
            case CardTapped() if session.prompts.checking is not None:
                prompts, done = gestures.tap(session.prompts, session.table, outcome)
                session, more = _carry_out(replace(session, prompts=prompts), done)
                events += more
            case CardHeld() if session.prompts.checking is not None:
                pass  # a card that lies there during a check was tapped already
            case CardsTogether(at_us, cards, pad) if session.prompts.checking is not None:
                # a check plays no cards: the last one is one more of those that lie there
                session, more = _take_taps(session, [CardTapped(at_us, cards[-1], pad)])
                events += more
            case CardTapped() | CardHeld() | CardsTogether():
                session, more = _judge(session, outcome)
                events += more
            case _:
                events.append(outcome)
    return session, events


def _take_presses(session: Session, outcomes: list[buttons.ButtonOutcome]) -> tuple[Session, list[TableEvent]]:
    events: list[TableEvent] = []
    for outcome in outcomes:
        if not isinstance(outcome, ButtonPressed):
            events.append(outcome)
        elif outcome.seat > session.table.game_options.players:
            events.append(SeatUnused(outcome.at_us, outcome.seat))
        elif session.enrolment is not None:
            events.append(DiscardPadTaken(outcome.at_us, outcome.seat))
        else:
            prompts, gesture_outcomes = gestures.press(session.prompts, session.table, outcome)
            session, more = _carry_out(replace(session, prompts=prompts), gesture_outcomes)
            events += more
    return session, events


def _carry_out(session: Session, outcomes: list[gestures.GestureOutcome]) -> tuple[Session, list[TableEvent]]:
    events: list[TableEvent] = []
    for outcome in outcomes:
        if isinstance(outcome, Notice):
            events.append(outcome)
        else:
            session, more = _judge(session, outcome)
            events += more
    return session, events


def _judge(session: Session, observation: Observation) -> tuple[Session, list[TableEvent]]:
    table, verdict = step(session.table, observation)
    if starts_new_game(observation, verdict) and session.table.paused_at_us is not None:
        # the paused game resumes first: nobody has paused the one that begins
        session, resumed = _judge(session, ControlUsed(observation.at_us, "resume"))
        session, started = _judge(session, observation)
        return session, [*resumed, *started]
    prompts, notices = gestures.apply_verdict(session.prompts, session.table, table, observation, verdict)
    session = replace(session, table=table, prompts=prompts)
    if starts_new_game(observation, verdict):
        session, more = _start_new_game(session, observation.at_us)
        notices = [*notices, *more]
    return session, [Decision(observation, verdict, table), *notices]


def _start_new_game(session: Session, at_us: int) -> tuple[Session, list[Notice]]:
    """Return the session in which the next game has begun. Pads of unused seats are forgotten. Names of guests and
    members are reported again, so that the new game's record has them."""
    played = session.table.game.pads(session.table.state)
    played_taps = replace(session.taps, pads={pad: tags for pad, tags in session.taps.pads.items() if pad in played})
    players = session.table.game_options.players
    members = session.members[:players]
    names = guest_names(session.names[:players], members)
    notices: list[Notice] = [PlayersNamed(at_us, names)] if any(names) else []
    if any(members):
        notices.append(MembersSeated(at_us, members))
    return replace(session, taps=played_taps, names=names, members=members), notices


def _end_step(session: Session, events: list[TableEvent]) -> tuple[Session, list[TableEvent]]:
    """Give each button its action by the table after a step: none at an unused seat, and none while the discard pad
    reads cards for a deck."""
    actions = () if session.enrolment is not None else gestures.button_actions(session.prompts, session.table)
    each = (*actions, *(None,) * (len(session.buttons) - len(actions)))
    if each == tuple(button.action for button in session.buttons):
        return session, events
    changed = (
        buttons.set_action(button, action, session.at_us) for button, action in zip(session.buttons, each, strict=True)
    )
    return replace(session, buttons=tuple(changed)), events


def _correction_name(arrangement: Arrangement) -> str:
    """Return the arrangement's name in the journal."""
    match arrangement:
        case GameSetUp():
            return "set-up"
        case SeatVacated():
            return "vacate"
        case CardLost():
            return "lost"
        case CardRecovered():
            return "recovered"
        case TableCorrected():
            return "check"


def _with_button(session: Session, index: int, button: ButtonState) -> Session:
    return replace(session, buttons=(*session.buttons[:index], button, *session.buttons[index + 1 :]))
