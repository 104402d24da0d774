"""Playing ONLINE: from an observation and the state to the next one, or to why nothing comes of it.

The order of the questions is the order in which refusals take precedence (R11, *Which refusal, if several fit*), and
where the last is answered the effect follows. `arranging` has what people tell the table, `patrol` the window."""

from __future__ import annotations

from taptable.core import windows
from taptable.core.arbiter import Press
from taptable.core.drafts import draft
from taptable.core.game import Move
from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardHeld,
    CardLost,
    CardRecovered,
    CardTapped,
    ControlUsed,
    Observation,
    SeatVacated,
    TableCorrected,
    TimePassed,
)
from taptable.core.verdicts import Facts, Refused, Rejection
from taptable.games.online import patrol
from taptable.games.online.announcements import (
    AttackLaid,
    CardDiscarded,
    CardDownloaded,
    CardHacked,
    CardLaid,
    DrawPileDisturbed,
    DrawPileUsedUp,
    HackerShown,
    HackWaived,
    RowBackedUp,
    SearchShown,
    SearchWaived,
    TimeIsUp,
)
from taptable.games.online.arranging import correct, lose, recover, reshuffle, vacate
from taptable.games.online.cards import CATEGORY_ROWS, CYBER_PATROL, HACKER, KIND_OF, ROWS, SEARCH, Group, Kind
from taptable.games.online.rules import (
    access_objection,
    attack_objection,
    download_objection,
    elsewhere_objection,
    fault,
    ignored,
    landing_objection,
    play_facts,
    refused,
    taking_objection,
)
from taptable.games.online.state import Search, State, Turn
from taptable.games.online.turns import (
    Said,
    end_game,
    has_won,
    show_play,
    start,
    stop,
    won_as_it_stands,
    won_by_quotas,
)


def play(state: State, observation: Observation) -> Move[State] | Rejection:
    """The state after this observation and what is announced, or why nothing comes of it."""
    state, said = draft(state), Said()
    if state.turn is not None:
        state.turn = draft(state.turn)
    rejection = _play(state, observation, said)
    if rejection is not None:
        return rejection
    turn = state.turn
    if turn is not None and turn.repaired != turn.attacked:
        # rows that are up or open again can no longer be reacted on (R6.2)
        turn.repaired |= {(team, row) for team, row in turn.attacked if state.teams[team].works(row)}
    return state, said


def _play(state: State, observation: Observation, said: Said) -> Rejection | None:
    match observation:
        case CardTapped():
            return _tap(state, observation, said)
        case CardHeld():
            return _hold(state, observation, said)
        case ButtonPressed():
            return _press(state, observation, said)
        case TimePassed(at_us):
            return _pass_deadline(state, at_us, said)
        case CardLost():
            return lose(state, observation.card, said)
        case CardRecovered():
            return recover(state, observation.card, said)
        case _:
            turn = state.turn
            if turn is None or state.outcome is not None:
                return _not_running(state, {})
            return _arrange(state, turn, observation, said)


def _arrange(state: State, turn: Turn, observation: Observation, said: Said) -> Rejection | None:
    """What is done to the table as a whole while a game runs (R9.1, R10.5, R3.8, R2.5)."""
    match observation:
        case ControlUsed(_, "reshuffle"):
            return reshuffle(state, turn, said)
        case ControlUsed(_, "end-game"):
            return end_game(state, won_as_it_stands(state, "agreement"), said)
        case TableCorrected():
            return correct(state, observation, said)
        case SeatVacated(at_us, seat):
            return vacate(state, turn, seat, at_us, said)
        case _:
            raise AssertionError(observation)


def _not_running(state: State, facts: Facts) -> Refused:
    """There is no game any more, or none yet (R10.1, R2.3)."""
    return refused("waiting-for-youngest" if state.outcome is None else "game-over", facts)


def _tap(state: State, tap: CardTapped, said: Said) -> Rejection | None:
    card, pad, turn = tap.card, tap.pad, state.turn
    facts: Facts = {"card": card, "pad": pad}
    kind = KIND_OF.get(card)
    if kind is None:
        return fault("unknown-card", facts)
    if turn is None or state.outcome is not None:
        return _not_running(state, facts)
    if card in state.lost:
        return refused("card-lost", facts)
    place = state.locate(card, kind)
    if place is not None:
        return _tap_open_card(state, turn, tap, kind, place, said)
    if isinstance(pad, int):
        team, player = state.options.team_of(pad), state.player_at(pad)
        if player is None:
            return refused("nobody-plays-there", {**facts, "seats": state.options.teams[team]})
        if kind is CYBER_PATROL and state.window is not None:
            return patrol.show(state, turn, state.window, tap.at_us, card, player, said)
        if kind.group is Group.ACCESS and state.may_react(team, kind.row):
            return _react(state, turn, tap, player, said)
    if state.window is not None:
        return refused("window-open", facts)
    if isinstance(state.pending, Search):
        return _tap_searched(state, turn, tap, kind, said)
    if state.pending is not None:
        return refused("hack-pending", facts)
    return _tap_hand_card(state, turn, tap, kind, said)


def _react(state: State, turn: Turn, tap: CardTapped, player: int, said: Said) -> Rejection | None:
    """An attacked team lays an access card out of turn, from the hand of `player` (R6.2, R2.5)."""
    card, pad, kind = tap.card, tap.pad, KIND_OF[tap.card]
    assert isinstance(pad, int)
    team = state.options.team_of(pad)
    if state.free_hand(player) == 0:
        left = "patrol" if state.hands[player - 1] else ()
        return refused("hand-used-up", {"card": card, "pad": pad, "left": left})
    objection = access_objection(kind, state.teams[team])
    if objection:
        return refused(objection, play_facts(state, turn, card, pad, team))
    state.own_team(team).put(kind.row, card)
    state.hold(player, -1)
    said.append(CardLaid(player, card, pad))
    return None


def _tap_searched(state: State, turn: Turn, tap: CardTapped, kind: Kind, said: Said) -> Rejection | None:
    """The card taken from the draw pile by a search (R8.1)."""
    facts: Facts = {"card": tap.card, "pad": tap.pad}
    edition = state.options.edition
    if tap.pad == DISCARD_PAD and not edition.searched_discard:
        return refused("searched-not-discarded", facts)
    if tap.pad != DISCARD_PAD and kind.group is Group.POWER and not edition.searched_power:
        return refused("searched-onto-row", facts)
    if state.draw_pile == 0:
        return refused("draw-pile-used-up", facts)
    if tap.pad != DISCARD_PAD:
        return _play_card(state, turn, tap, kind, said, searched=True)
    _take_searched(state)
    state.discard = (*state.discard, tap.card)
    said.append(CardDiscarded(turn.seat, tap.card))
    _disturb(state, said)
    return None


def _tap_hand_card(state: State, turn: Turn, tap: CardTapped, kind: Kind, said: Said) -> Rejection | None:
    """A card from the hand of the player on turn (R3)."""
    facts: Facts = {"card": tap.card, "pad": tap.pad}
    hand = state.hands[turn.seat - 1]
    if tap.pad != DISCARD_PAD:
        if turn.mode == "exchange":
            return refused("exchange-begun", facts)
        if hand == 0 and (turn.played or state.draw_pile == 0):
            return refused("hand-used-up", facts)
        return _play_card(state, turn, tap, kind, said, searched=False)
    if turn.played and turn.discards:
        return refused("one-discard-only", facts)
    if hand == 0:
        return refused("hand-used-up", facts)
    state.discard = (*state.discard, tap.card)
    state.hold(turn.seat, -1)
    turn.discards += 1
    said.append(CardDiscarded(turn.seat, tap.card))
    return None


def _play_card(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, said: Said, *, searched: bool
) -> Rejection | None:
    """A card played on a seat's pad by the player on turn: first the right pad, then the row it goes onto."""
    card, pad = tap.card, tap.pad
    assert isinstance(pad, int)
    target = state.options.team_of(pad)
    own = target == state.options.team_of(turn.seat)
    if kind is CYBER_PATROL:
        return refused("patrol-without-hacker", {"card": card, "pad": pad})
    if kind.group is Group.ATTACK:
        code = "attack-on-own-team" if own else attack_objection(kind, state.teams[target])
    elif not own:
        code = elsewhere_objection(state, kind, target)
    elif kind.group is Group.POWER:
        code = None
    elif kind.group is Group.ACCESS:
        code = access_objection(kind, state.teams[target])
    else:
        code = download_objection(kind, state.teams[target], turn.downloads)
    if code is not None:
        return refused(code, play_facts(state, turn, card, pad, target))
    if searched:
        _take_searched(state)
    else:
        show_play(state, turn, said)
        state.hold(turn.seat, -1)
    _put(state, turn, tap, kind, said, searched=searched)
    return None


def _put(state: State, turn: Turn, tap: CardTapped, kind: Kind, said: Said, *, searched: bool = False) -> None:
    """A card that left hand, pile or row comes to lie: a hacker opens its window, a download counts, an attack allows a
    reaction, a quota may win."""
    card, pad, seat = tap.card, tap.pad, turn.seat
    assert isinstance(pad, int)
    if kind.group is Group.POWER:
        state.discard = (*state.discard, card)
        if kind is HACKER:
            said.append(HackerShown(seat, card))
            patrol.open_window(state, seat, tap.at_us, said)
        else:
            said.append(SearchShown(seat, card))
            state.pending = Search(tap.at_us)
        if searched:
            _disturb(state, said)
        return
    index = state.options.team_of(pad)
    team = state.own_team(index)
    team.put(kind.row, card)
    if kind.group is Group.CATEGORY:
        own = index == state.options.team_of(seat)
        receiver = seat if own else state.player_at(pad)
        assert receiver is not None  # nothing is laid where nobody plays (R2.5)
        team.last_downloader = receiver
        turn.downloads += own
        said.append(CardDownloaded(receiver, card, pad, team.mb))
    elif kind.group is Group.ATTACK:
        row = {(index, kind.row)}
        turn.attacked, turn.repaired = turn.attacked | row, turn.repaired - row
        said.append(AttackLaid(seat, card, pad))
    else:
        said.append(CardLaid(seat, card, pad))
    if searched:
        _disturb(state, said)
    if kind.group is Group.CATEGORY and has_won(state, team):
        end_game(state, won_by_quotas(state, index), said)


def _take_searched(state: State) -> None:
    state.draw_pile -= 1
    state.pending = None


def _disturb(state: State, said: Said) -> None:
    """A draw pile that was looked through is to be shuffled, unless its last card was taken (R8.2, R9.2)."""
    said.append(DrawPileDisturbed() if state.draw_pile else DrawPileUsedUp())


def _tap_open_card(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, place: int | str, said: Said
) -> Rejection | None:
    """A card that lies in a row of team `place`, or on the discard pile (R11, R7.7)."""
    facts: Facts = {"card": tap.card, "pad": tap.pad}
    here = state.options.team_of(tap.pad) if isinstance(tap.pad, int) else tap.pad
    if here == place:
        return ignored("already-there", facts)
    if state.pending is None or isinstance(state.pending, Search):
        if isinstance(place, str):
            return refused("belongs-on-discard-pile", facts)
        return refused("belongs-in-row", {**facts, "seats": state.options.teams[place]})
    return _hack(state, turn, tap, kind, place, said)


def _hack(state: State, turn: Turn, tap: CardTapped, kind: Kind, place: int | str, said: Said) -> Rejection | None:
    """The hack meant by tapping a card of team `place`, or of the discard pile, on another pad (R7.7)."""
    card, pad = tap.card, tap.pad
    facts: Facts = {"card": card, "pad": pad}
    hacker = state.options.team_of(turn.seat)
    code = taking_objection(state, card, kind, place, hacker)
    if code is not None:
        return refused(code, facts)
    if isinstance(pad, int):
        target = state.options.team_of(pad)
        if not state.is_played(target):
            return refused("nobody-plays-there", {**facts, "seats": state.options.teams[target]})
        if kind is HACKER or kind is SEARCH:
            code = None if target == hacker else elsewhere_objection(state, kind, target)
        else:
            code = landing_objection(state, turn, kind, target, hacker)
        if code is not None:
            return refused(code, play_facts(state, turn, card, pad, target))
    state.pending = None
    if isinstance(place, int):
        state.own_team(place).take(kind.row, card)
    else:
        state.discard = tuple(other for other in state.discard if other != card)
    if kind.group is not Group.POWER:
        seats = state.options.teams[place] if isinstance(place, int) else ()
        said.append(CardHacked(turn.seat, card, seats, pad))
    if isinstance(pad, int):
        _put(state, turn, tap, kind, said)
    else:
        state.discard = (*state.discard, card)
    return None


def _hold(state: State, held: CardHeld, said: Said) -> Rejection | None:
    """A card held for 1.5 s: a backup, or nothing (R5.5)."""
    card, pad, turn = held.card, held.pad, state.turn
    facts: Facts = {"card": card, "pad": pad}
    kind = KIND_OF.get(card)
    if kind is None:
        return fault("unknown-card", facts)
    if turn is None or state.outcome is not None or not isinstance(pad, int) or kind.row not in CATEGORY_ROWS:
        return ignored("nothing-to-back-up", facts)
    index = state.options.team_of(turn.seat)
    lies_there = state.options.team_of(pad) == index and card in state.teams[index].rows[kind.row]
    if not lies_there or not state.may_back_up(index, kind.row):
        return ignored("nothing-to-back-up", facts)
    state.own_team(index).backed_up |= {kind.row}
    said.append(RowBackedUp(turn.seat, ROWS[kind.row]))
    return None


def _press(state: State, press: ButtonPressed, said: Said) -> Rejection | None:
    """A seat's button: the youngest, a buzz, a waiver or *Stop* (R2.3, R7.2, R7.10, R8.2, R3.4), or nothing (R3.7)."""
    facts: Facts = {"pad": press.seat}
    turn, window, pending = state.turn, state.window, state.pending
    if state.outcome is not None:
        return ignored("game-is-over", facts)
    if turn is None:
        start(state, press.seat, press.at_us, said)
        return None
    if press.seat in state.vacated:
        return ignored("seat-left", facts)
    if window is not None:
        code = windows.objection(window, press.seat, press.pressed_at_us, press.at_us)
        if code is None and not state.may_patrol(window.owner, press.seat):
            code = "may-not-patrol"
        if code is not None:
            return ignored(code, facts)
        heard = Press(press.seat, press.pressed_at_us, press.uncertainty_us)
        patrol.hear(state, window, heard, press.at_us, said)
        return None
    if press.seat != turn.seat:
        return ignored("not-on-turn", facts)
    if press.pressed_at_us < (pending.began_at_us if pending else turn.began_at_us):
        return ignored("pressed-too-early", facts)
    state.pending = None
    if pending is None:
        stop(state, turn, press.at_us, said)
    elif isinstance(pending, Search):
        said.append(SearchWaived(turn.seat))
        _disturb(state, said)
    else:
        said.append(HackWaived(turn.seat))
    return None


def _pass_deadline(state: State, at_us: int, said: Said) -> None:
    turn = state.turn
    assert turn is not None
    if not state.time_up and state.ends_at_us == at_us:
        state.time_up = True  # the current turn is finished first (R10.3)
        said.append(TimeIsUp(turn.seat))
        return
    assert state.window is not None
    patrol.go_on(state, turn, *windows.pass_deadline(state.window), at_us, said)
