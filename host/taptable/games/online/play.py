"""The moves of ONLINE: from a state and an observation to the next state, or to a rejection. The order of the checks
decides which refusal is given if several fit: the first (R11). `test_precedence` shows that order. Only after the last
check the state is changed. `patrol` handles the window of a hacker. `arranging` handles corrections, reshuffles, lost
cards and vacated seats. A docstring names the rules by their numbers: see *rule number* in the glossary."""

from __future__ import annotations

from taptable.core import windows
from taptable.core.arbiter import Press
from taptable.core.drafts import draft
from taptable.core.game import Transition
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
    ignore,
    landing_objection,
    play_facts,
    refuse,
    taking_objection,
)
from taptable.games.online.state import Search, State, Turn
from taptable.games.online.turns import (
    Announcements,
    begin_play,
    end_game,
    has_won,
    outcome_by_quotas,
    outcome_by_score,
    start,
    stop,
)


def play(state: State, observation: Observation) -> Transition[State] | Rejection:
    """Return the state after this observation with the announcements, or a rejection."""
    state, announcements = draft(state), Announcements()
    if state.turn is not None:
        state.turn = draft(state.turn)
    rejection = _play(state, observation, announcements)
    if rejection is not None:
        return rejection
    turn = state.turn
    if turn is not None and turn.repaired != turn.attacked:
        # a team may not react out of turn once the attacked row is up or open again (R6.2)
        turn.repaired |= {(team, row) for team, row in turn.attacked if state.teams[team].is_row_open(row)}
    return state, announcements


def _play(state: State, observation: Observation, announcements: Announcements) -> Rejection | None:
    match observation:
        case CardTapped():
            return _tap(state, observation, announcements)
        case CardHeld():
            return _hold(state, observation, announcements)
        case ButtonPressed():
            return _press(state, observation, announcements)
        case TimePassed(at_us):
            return _pass_deadline(state, at_us, announcements)
        case CardLost():
            return lose(state, observation.card, announcements)
        case CardRecovered():
            return recover(state, observation.card, announcements)
        case _:
            turn = state.turn
            if turn is None or state.outcome is not None:
                return _not_running(state, {})
            return _arrange(state, turn, observation, announcements)


def _arrange(state: State, turn: Turn, observation: Observation, announcements: Announcements) -> Rejection | None:
    """Apply a change to the whole table of a running game (R9.1, R10.5, R3.6, R2.5)."""
    match observation:
        case ControlUsed(_, "reshuffle"):
            return reshuffle(state, turn, announcements)
        case ControlUsed(_, "end-game"):
            return end_game(state, outcome_by_score(state, "agreement"), announcements)
        case TableCorrected():
            return correct(state, observation, announcements)
        case SeatVacated(at_us, seat):
            return vacate(state, turn, seat, at_us, announcements)
        case _:
            raise AssertionError(observation)


def _not_running(state: State, facts: Facts) -> Refused:
    """Return the refusal while no game runs: it is over, or hasn't begun (R10.1, R2.3)."""
    return refuse("waiting-for-youngest" if state.outcome is None else "game-over", facts)


def _tap(state: State, tap: CardTapped, announcements: Announcements) -> Rejection | None:
    """Handle a tap: of a card that lies open, a shown Cyber Patrol, a reaction to an attack, a searched card or a card
    from the hand of the player on turn, in this order (R11)."""
    card, pad, turn = tap.card, tap.pad, state.turn
    facts: Facts = {"card": card, "pad": pad}
    kind = KIND_OF.get(card)
    if kind is None:
        return fault("unknown-card", facts)
    if turn is None or state.outcome is not None:
        return _not_running(state, facts)
    if card in state.lost:
        return refuse("card-lost", facts)
    place = state.locate(card, kind)
    if place is not None:
        return _tap_open_card(state, turn, tap, kind, place, announcements)
    if isinstance(pad, int):
        team, player = state.options.team_of(pad), state.player_at(pad)
        if player is None:
            return refuse("nobody-plays-there", {**facts, "seats": state.options.teams[team]})
        if kind is CYBER_PATROL and state.window is not None:
            return patrol.show_patrol(state, turn, state.window, tap, player, announcements)
        if kind.group is Group.ACCESS and state.may_react(team, kind.row):
            return _react(state, turn, tap, player, announcements)
    if state.window is not None:
        return refuse("window-open", facts)
    if isinstance(state.pending, Search):
        return _tap_searched(state, turn, tap, kind, announcements)
    if state.pending is not None:
        return refuse("hack-pending", facts)
    return _tap_hand_card(state, turn, tap, kind, announcements)


def _react(state: State, turn: Turn, tap: CardTapped, player: int, announcements: Announcements) -> Rejection | None:
    """Lay an access card out of turn on the rows of an attacked team, from the hand of `player` (R6.2, R2.5)."""
    card, pad, kind = tap.card, tap.pad, KIND_OF[tap.card]
    assert isinstance(pad, int)
    team = state.options.team_of(pad)
    if state.free_hand(player) == 0:
        # a card that is left can only be the Cyber Patrol that the player has shown and not yet played
        shown_only = "patrol" if state.hands[player - 1] else ()
        return refuse("hand-used-up", {"card": card, "pad": pad, "left": shown_only})
    objection = access_objection(kind, state.teams[team])
    if objection:
        return refuse(objection, play_facts(state, turn, card, pad, team))
    state.draft_team(team).put(kind.row, card)
    state.change_hand(player, -1)
    announcements.append(CardLaid(player, card, pad))
    return None


def _tap_searched(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, announcements: Announcements
) -> Rejection | None:
    """Play or discard the card that a search took from the draw pile (R8.1)."""
    facts: Facts = {"card": tap.card, "pad": tap.pad}
    edition = state.options.edition
    if tap.pad == DISCARD_PAD and not edition.searched_discard:
        return refuse("searched-not-discarded", facts)
    if tap.pad != DISCARD_PAD and kind.group is Group.POWER and not edition.searched_power:
        return refuse("searched-onto-row", facts)
    if state.draw_pile == 0:
        return refuse("draw-pile-used-up", facts)
    if tap.pad != DISCARD_PAD:
        return _play_card(state, turn, tap, kind, announcements, searched=True)
    _take_searched(state)
    state.discard = (*state.discard, tap.card)
    announcements.append(CardDiscarded(turn.seat, tap.card))
    _announce_disturbed(state, announcements)
    return None


def _tap_hand_card(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, announcements: Announcements
) -> Rejection | None:
    """Play or discard a card from the hand of the player on turn (R3)."""
    facts: Facts = {"card": tap.card, "pad": tap.pad}
    hand = state.hands[turn.seat - 1]
    if tap.pad != DISCARD_PAD:
        if turn.mode == "exchange":
            return refuse("exchange-begun", facts)
        if hand == 0 and (turn.played or state.draw_pile == 0):
            return refuse("hand-used-up", facts)
        return _play_card(state, turn, tap, kind, announcements, searched=False)
    if turn.played and turn.discards:
        return refuse("one-discard-only", facts)
    if hand == 0:
        return refuse("hand-used-up", facts)
    state.discard = (*state.discard, tap.card)
    state.change_hand(turn.seat, -1)
    turn.discards += 1
    announcements.append(CardDiscarded(turn.seat, tap.card))
    return None


def _play_card(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, announcements: Announcements, *, searched: bool
) -> Rejection | None:
    """Play a card of the player on turn on a seat's pad. First check whether the card may go onto that pad, then
    whether the row may get it."""
    card, pad = tap.card, tap.pad
    assert isinstance(pad, int)
    target = state.options.team_of(pad)
    own = target == state.options.team_of(turn.seat)
    if kind is CYBER_PATROL:
        return refuse("patrol-without-hacker", {"card": card, "pad": pad})
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
        return refuse(code, play_facts(state, turn, card, pad, target))
    if searched:
        _take_searched(state)
    else:
        begin_play(state, turn, announcements)
        state.change_hand(turn.seat, -1)
    _put(state, turn, tap, kind, announcements, searched=searched)
    return None


def _put(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, announcements: Announcements, *, searched: bool = False
) -> None:
    """Lay a card that has left its hand, pile or row, with its effect: a hacker opens its window, a search begins, a
    download counts and may win by quotas, an attack allows a reaction."""
    card, pad, seat = tap.card, tap.pad, turn.seat
    assert isinstance(pad, int)
    if kind.group is Group.POWER:
        state.discard = (*state.discard, card)
        if kind is HACKER:
            announcements.append(HackerShown(seat, card))
            patrol.open_window(state, seat, tap.at_us, announcements)
        else:
            announcements.append(SearchShown(seat, card))
            state.pending = Search(tap.at_us)
        if searched:
            _announce_disturbed(state, announcements)
        return
    index = state.options.team_of(pad)
    team = state.draft_team(index)
    team.put(kind.row, card)
    if kind.group is Group.CATEGORY:
        own = index == state.options.team_of(seat)
        receiver = seat if own else state.player_at(pad)
        assert receiver is not None  # nothing is laid where nobody plays (R2.5)
        team.last_downloader = receiver
        if own:
            turn.downloads += 1
        announcements.append(CardDownloaded(receiver, card, pad, team.mb))
    elif kind.group is Group.ATTACK:
        row = {(index, kind.row)}
        turn.attacked, turn.repaired = turn.attacked | row, turn.repaired - row
        announcements.append(AttackLaid(seat, card, pad))
    else:
        announcements.append(CardLaid(seat, card, pad))
    if searched:
        _announce_disturbed(state, announcements)
    if kind.group is Group.CATEGORY and has_won(state, team):
        end_game(state, outcome_by_quotas(state, index), announcements)


def _take_searched(state: State) -> None:
    state.draw_pile -= 1
    state.pending = None


def _announce_disturbed(state: State, announcements: Announcements) -> None:
    """Announce that a draw pile that was looked through must be shuffled, or that its last card was taken (R8.2,
    R9.2)."""
    announcements.append(DrawPileDisturbed() if state.draw_pile else DrawPileUsedUp())


def _tap_open_card(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, place: int | str, announcements: Announcements
) -> Rejection | None:
    """Handle a tap of a card that lies open. `place` is the index of the team that has it in a row, or `discard`. The
    pad of a seat stands for that seat's team (R11, R7.7)."""
    facts: Facts = {"card": tap.card, "pad": tap.pad}
    target = state.options.team_of(tap.pad) if isinstance(tap.pad, int) else tap.pad
    if target == place:
        return ignore("already-there", facts)
    if state.pending is None or isinstance(state.pending, Search):
        if isinstance(place, str):
            return refuse("belongs-on-discard-pile", facts)
        return refuse("belongs-in-row", {**facts, "seats": state.options.teams[place]})
    return _hack(state, turn, tap, kind, place, announcements)


def _hack(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, place: int | str, announcements: Announcements
) -> Rejection | None:
    """Execute a hack: the tapped card goes from `place`, the index of a team or `discard`, to the tapped pad (R7.7)."""
    card, pad = tap.card, tap.pad
    facts: Facts = {"card": card, "pad": pad}
    hacking_team = state.options.team_of(turn.seat)
    code = taking_objection(state, card, kind, place, hacking_team)
    if code is not None:
        return refuse(code, facts)
    if isinstance(pad, int):
        target = state.options.team_of(pad)
        if not state.has_players(target):
            return refuse("nobody-plays-there", {**facts, "seats": state.options.teams[target]})
        if kind is HACKER or kind is SEARCH:
            code = None if target == hacking_team else elsewhere_objection(state, kind, target)
        else:
            code = landing_objection(state, turn, kind, target, hacking_team)
        if code is not None:
            return refuse(code, play_facts(state, turn, card, pad, target))
    state.pending = None
    if isinstance(place, int):
        state.draft_team(place).take(kind.row, card)
    else:
        state.discard = tuple(other for other in state.discard if other != card)
    if kind.group is not Group.POWER:
        seats = state.options.teams[place] if isinstance(place, int) else ()
        announcements.append(CardHacked(turn.seat, card, seats, pad))
    if isinstance(pad, int):
        _put(state, turn, tap, kind, announcements)
    else:
        state.discard = (*state.discard, card)
    return None


def _hold(state: State, hold: CardHeld, announcements: Announcements) -> Rejection | None:
    """Back up a row by a held card, if that is possible (R5.5)."""
    card, pad, turn = hold.card, hold.pad, state.turn
    facts: Facts = {"card": card, "pad": pad}
    kind = KIND_OF.get(card)
    if kind is None:
        return fault("unknown-card", facts)
    if turn is None or state.outcome is not None or not isinstance(pad, int) or kind.row not in CATEGORY_ROWS:
        return ignore("nothing-to-back-up", facts)
    index = state.options.team_of(turn.seat)
    lies_there = state.options.team_of(pad) == index and card in state.teams[index].rows[kind.row]
    if not lies_there or not state.may_back_up(index, kind.row):
        return ignore("nothing-to-back-up", facts)
    state.draft_team(index).backed_up |= {kind.row}
    announcements.append(RowBackedUp(turn.seat, ROWS[kind.row]))
    return None


def _press(state: State, press: ButtonPressed, announcements: Announcements) -> Rejection | None:
    """Handle a press of a seat's button. It begins the game, buzzes, waives a hack or a search, or stops the turn
    (R2.3, R7.2, R7.10, R8.2, R3.4); otherwise it is ignored (R3.7)."""
    facts: Facts = {"pad": press.seat}
    turn, window, pending = state.turn, state.window, state.pending
    if state.outcome is not None:
        return ignore("game-is-over", facts)
    if turn is None:
        start(state, press.seat, press.at_us, announcements)
        return None
    if press.seat in state.vacated:
        return ignore("seat-left", facts)
    if window is not None:
        code = windows.press_objection(window, press.seat, press.pressed_at_us, press.at_us)
        if code is None and not state.may_patrol(window.owner, press.seat):
            code = "may-not-patrol"
        if code is not None:
            return ignore(code, facts)
        buzz = Press(press.seat, press.pressed_at_us, press.uncertainty_us)
        patrol.add_press(state, window, buzz, press.at_us, announcements)
        return None
    if press.seat != turn.seat:
        return ignore("not-on-turn", facts)
    if press.pressed_at_us < (pending.began_at_us if pending else turn.began_at_us):
        return ignore("pressed-too-early", facts)
    state.pending = None
    if pending is None:
        stop(state, turn, press.at_us, announcements)
    elif isinstance(pending, Search):
        announcements.append(SearchWaived(turn.seat))
        _announce_disturbed(state, announcements)
    else:
        announcements.append(HackWaived(turn.seat))
    return None


def _pass_deadline(state: State, at_us: int, announcements: Announcements) -> None:
    """Pass the deadline at `at_us`: the end of the agreed time (R10.3), or the window's next deadline."""
    turn = state.turn
    assert turn is not None
    if not state.time_up and state.ends_at_us == at_us:
        state.time_up = True  # the current turn is finished first (R10.3)
        announcements.append(TimeIsUp(turn.seat))
        return
    assert state.window is not None
    patrol.handle_window_event(state, turn, *windows.pass_deadline(state.window), at_us, announcements)
