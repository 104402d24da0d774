"""The moves of Cyber Siege: from a state and an observation to the next state, or to a rejection. The order of the
checks decides which refusal is given if several fit: the first. Only after the last check the state is changed. `turns`
has what happens between two taps: draws, attacks and the end. A docstring names the rules by their numbers: see *rule
number* in the glossary."""

from __future__ import annotations

from taptable.core import windows
from taptable.core.drafts import draft
from taptable.core.game import Transition
from taptable.core.observations import (
    DISCARD_PAD,
    ButtonPressed,
    CardHeld,
    CardTapped,
    ControlUsed,
    Observation,
    Pad,
    TableCorrected,
    TimePassed,
)
from taptable.core.verdicts import Facts, Refused, Rejection
from taptable.core.windows import Window
from taptable.games.cyber_siege.announcements import (
    CardDiscarded,
    CardDrawn,
    CardLaid,
    Corrected,
    LaunchOffered,
    Reshuffled,
    ReshuffleDue,
    SetLaid,
    TablePutRight,
)
from taptable.games.cyber_siege.cards import Group, Kind, fits_attack
from taptable.games.cyber_siege.rules import fault, ignore, refuse
from taptable.games.cyber_siege.state import Attack, Launch, Laying, State, Turn
from taptable.games.cyber_siege.turns import (
    Announcements,
    begin_turn,
    break_off,
    check_end,
    defend,
    draw_red,
    end_game,
    end_turn,
    hit,
    infer_draw,
    launch,
    pass_deadline,
    spare,
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
    if turn is not None and turn.draw is None and not state.red_pile and not state.discard and state.outcome is None:
        turn.draw = "none"  # with both piles empty this turn has no draw (S3.3)
    return state, announcements


def _play(state: State, observation: Observation, announcements: Announcements) -> Rejection | None:
    match observation:
        case CardTapped():
            return _tap(state, observation, announcements)
        case CardHeld(_, card, pad):
            facts: Facts = {"card": card, "pad": pad}
            known = card in state.options.cards.kind_of
            return ignore("nothing-to-hold", facts) if known else fault("unknown-card", facts)
        case ButtonPressed():
            return _press(state, observation, announcements)
        case TimePassed(at_us):
            return pass_deadline(state, at_us, announcements)
        case ControlUsed() | TableCorrected():
            turn = state.turn
            if turn is None or state.outcome is not None:
                return _not_running(state, {})
            if isinstance(observation, TableCorrected):
                return _correct_table(state, turn, observation, announcements)
            return _use_control(state, turn, observation, announcements)
        case _:
            raise AssertionError(observation)


def _not_running(state: State, facts: Facts) -> Refused:
    """Return the refusal while no game runs: it is over, or hasn't begun (S7.4, S2.2)."""
    return refuse("no-starter" if state.outcome is None else "game-over", facts)


def _tap(state: State, tap: CardTapped, announcements: Announcements) -> Rejection | None:
    card, pad, turn = tap.card, tap.pad, state.turn
    facts: Facts = {"card": card, "pad": pad}
    kind = state.options.cards.kind_of.get(card)
    if kind is None:
        return fault("unknown-card", facts)
    if turn is None or state.outcome is not None:
        return _not_running(state, facts)
    place = state.locate(card)
    if pad == place or (pad == turn.seat and card in turn.used):
        return ignore("already-there", facts)
    if state.owed_draws:
        return refuse("reshuffle-due", facts)
    if state.launch is not None:
        return refuse("launch-open", facts)
    if state.attack is not None:
        return _tap_defence(state, state.attack, tap, kind, announcements, hidden=place is None)
    if state.owed_discards:
        if place is not None or not kind.is_red or pad != DISCARD_PAD:
            return refuse("discard-owed", {**facts, "owed": state.owed_discards})
        state.owed_discards -= 1  # none of them can be launched (S6.6)
        _discard(state, turn, card, announcements)
        return None
    if place == DISCARD_PAD and pad == turn.seat:
        if turn.draw is not None:
            return refuse("already-drawn", {**facts, "draw": turn.draw})
        if card != state.discard[-1]:
            return refuse("not-on-top", facts)
        state.gain(turn.seat, red=1)
        state.discard = state.discard[:-1]
        turn.draw = "discard"
        announcements.append(CardDrawn(turn.seat, "discard", 1))
        return None
    if place is not None:
        return refuse("lies-elsewhere", {**facts, "onto": place})
    return _tap_hidden(state, turn, tap, kind, announcements)


def _tap_defence(
    state: State, attack: Attack, tap: CardTapped, kind: Kind, announcements: Announcements, *, hidden: bool
) -> Rejection | None:
    """Handle a tap while a defence is awaited (S6.1, S6.2)."""
    facts: Facts = {"card": tap.card, "pad": tap.pad, "seat": attack.defender, "top": attack.card}
    if not hidden or tap.pad != attack.defender:
        return refuse("defence-awaited", facts)
    if not fits_attack(state.kind(attack.card), kind):
        return refuse("no-defence", facts)
    if state.player(attack.defender).red == 0:
        return refuse("hand-used-up", facts)
    defend(state, attack, tap.card, tap.at_us, announcements)
    return None


def _tap_hidden(
    state: State, turn: Turn, tap: CardTapped, kind: Kind, announcements: Announcements
) -> Rejection | None:
    """Handle a hidden card in the course of a turn: a set, or the discard that ends it (S4, S5)."""
    card, pad, laying = tap.card, tap.pad, state.laying
    facts: Facts = {"card": card, "pad": pad}
    if isinstance(pad, int) and pad != turn.seat:
        return refuse("not-on-turn", {**facts, "seat": turn.seat})
    draws = turn.draw is None
    if draws and state.red_pile == 0:
        return refuse("reshuffle-due", facts)
    code = _objection(state, kind, pad)
    if code is not None:
        return refuse(code, facts if laying is None else {**facts, "top": laying.card})
    player = state.player(turn.seat)
    if (player.red + draws if kind.is_red else player.purple) == 0:
        return refuse("hand-used-up", facts)
    infer_draw(state, turn, announcements)
    if pad == DISCARD_PAD:
        _discard(state, turn, card, announcements)
        if kind.group is Group.ATTACK:
            _offer_launch(state, turn, tap, announcements)
        else:
            end_turn(state, turn, tap.at_us, announcements)
    elif laying is None:
        state.gain(turn.seat, purple=-1)
        state.laying = laying = Laying(card, tap.at_us)
        announcements.append(CardLaid(turn.seat, card, *state.completion(laying)))
    else:
        state.gain(turn.seat, red=-1)
        state.laying = laying = Laying(laying.card, laying.began_at_us, (*laying.red, card))
        announcements.append(CardLaid(turn.seat, card, *state.completion(laying)))
        if len(laying.red) == len(state.kind(laying.card).needs):
            _fill(state, turn, laying, announcements)
    return None


def _objection(state: State, kind: Kind, pad: Pad) -> str | None:
    """Return why a card of this kind can't go there now, as a code (S4.4, S5.1, S4.1, S4.2); None if it can."""
    laying = state.laying
    if laying is not None and (pad == DISCARD_PAD or not kind.is_red):
        return "set-open"
    if pad == DISCARD_PAD:
        return None if kind.is_red else "not-a-red-card"
    if not kind.is_red:
        return None
    if laying is None:
        return "set-card-first"
    fits = kind.group is Group.ADMIN or kind.id in state.missing(laying)
    return None if fits else "not-in-set"


def _discard(state: State, turn: Turn, card: str, announcements: Announcements) -> None:
    """Move a red card from the hand to the discard pile."""
    state.gain(turn.seat, red=-1)
    state.discard = (*state.discard, card)
    announcements.append(CardDiscarded(turn.seat, card))


def _offer_launch(state: State, turn: Turn, tap: CardTapped, announcements: Announcements) -> None:
    """Open the window in which an attack that was discarded may be launched (S5.2)."""
    closes_at_us = tap.at_us + state.options.launch_us
    settle_us = state.options.settle_us
    window = Window(owner=turn.seat, opened_at_us=tap.at_us, closes_at_us=closes_at_us, settle_us=settle_us)
    state.launch = Launch(tap.card, window)
    announcements.append(LaunchOffered(turn.seat, tap.card, closes_at_us))


def _fill(state: State, turn: Turn, laying: Laying, announcements: Announcements) -> None:
    """Complete a set: it counts, the seat draws as many red cards, and a set card if that was its last one (S4.5)."""
    seat, size = turn.seat, len(laying.red)
    player = state.draft_player(seat)
    player.sets = (*player.sets, laying.card)
    state.laying = None
    state.discard = (*state.discard, *laying.red)
    turn.used = (*turn.used, *laying.red)
    announcements.append(SetLaid(seat, laying.card, size))
    if check_end(state, announcements):
        return
    draw_red(state, seat, size, announcements)
    if state.player(seat).purple == 0:
        state.gain(seat, purple=1)
        state.purple_pile -= 1
        announcements.append(CardDrawn(seat, "purple", 1))
        check_end(state, announcements)


def _press(state: State, press: ButtonPressed, announcements: Announcements) -> Rejection | None:
    """Handle a seat's button: the youngest, a launch, a hit taken, a set broken off, the end of a turn (S2.2, S5.2,
    S6.4, S4.4, S5.4), or nothing."""
    facts: Facts = {"pad": press.seat}
    seat, at_us = press.seat, press.at_us
    turn, attack, offered, laying = state.turn, state.attack, state.launch, state.laying
    if state.outcome is not None:
        return ignore("game-is-over", facts)
    if turn is None:
        begin_turn(state, seat, at_us, announcements)
        return None
    awaited = turn.seat if attack is None else attack.defender
    if seat != awaited or not (attack or offered or laying or state.may_end_turn(turn)):
        return ignore("no-press-awaited", facts)
    window = attack.window if attack else offered.window if offered else None
    if window is not None:
        code = windows.timing_objection(window, press.pressed_at_us, at_us)
    else:
        began_at_us = laying.began_at_us if laying else turn.began_at_us
        code = "pressed-too-early" if press.pressed_at_us < began_at_us else None
    if code is not None:
        return ignore(code, facts)
    if attack is not None:
        hit(state, turn, attack, at_us, announcements)
    elif offered is not None:
        launch(state, turn, offered, at_us, announcements)
    elif laying is not None:
        break_off(state, turn, announcements)
    else:
        end_turn(state, turn, at_us, announcements)
    return None


def _use_control(state: State, turn: Turn, used: ControlUsed, announcements: Announcements) -> Rejection | None:
    """Handle the game's own controls, and the shared ones with an effect of their own here (S3.4, S5.2, S8.3)."""
    match used.control:
        case "reshuffle":
            free = state.attack is None and state.pending in (None, "reshuffle")
            due = state.red_pile == 0 and bool(state.discard)
            if not free or not due:
                return refuse("no-reshuffle-due", {"due": due})
            state.red_pile, state.discard, turn.used = len(state.discard), (), ()
            announcements.append(Reshuffled(state.red_pile))
            draw_red(state, turn.seat, state.owed_draws, announcements)
        case "spare":
            if state.launch is None:
                return refuse("nothing-to-spare")
            spare(state, turn, state.launch, used.at_us, announcements)
        case "correct":
            return _correct(state, used, announcements)
        case "end-game":
            break_off(state, turn, announcements)
            end_game(state, "agreement", announcements)
        case _:
            raise AssertionError(used)
    return None


# ---- corrections of counts and cards


def _correct(state: State, used: ControlUsed, announcements: Announcements) -> Rejection | None:
    """Set new counts for a seat; the piles change the other way (S8.3). Return a rejection if something is open or a
    pile would have to be below 0."""
    if state.attack is not None or state.pending is not None:
        return refuse("no-correction", {"open": True})
    counts = {name: value for name, value in used.fields if isinstance(value, int)}
    seat, red_before = counts["seat"], state.red_pile
    player = state.draft_player(seat)
    red, purple = counts.get("red", player.red), counts.get("purple", player.purple)
    state.red_pile += player.red - red
    state.purple_pile += player.purple - purple
    player.red, player.purple = red, purple
    player.one_points = counts.get("one_points", player.one_points)
    if state.red_pile < 0 or state.purple_pile < 0:
        return refuse("no-correction")
    announcements.append(Corrected(seat, red, purple, player.one_points))
    _settle_counts(state, red_before, announcements)
    return None


def _correct_table(
    state: State, turn: Turn, correction: TableCorrected, announcements: Announcements
) -> Rejection | None:
    """Set cards and counts as a check has found them; the piles have the rest (S8.4). Return a rejection if a card is
    unknown or can't lie there, if something is open, or if there would be more cards than the manifest has."""
    cards = state.options.cards
    for card in (*correction.gone, *(card for card, _ in correction.laid)):
        if card not in cards.kind_of:
            return fault("unknown-card", {"card": card})
    for card, pad in correction.laid:
        if cards.kind_of[card].is_red != (pad == DISCARD_PAD):
            return refuse("lies-in-no-row", {"card": card, "pad": pad})
    if state.attack is not None or state.pending is not None:
        return refuse("no-correction", {"open": True})
    moved = {*correction.gone, *(card for card, _ in correction.laid)}
    players = [state.draft_player(seat) for seat in range(1, state.options.players + 1)]
    for player in players:
        player.sets = tuple(card for card in player.sets if card not in moved)
    state.discard = tuple(card for card in state.discard if card not in moved)
    for card, pad in dict(correction.laid).items():  # a card found twice was moved meanwhile: its last place counts
        if isinstance(pad, int):
            players[pad - 1].sets = (*players[pad - 1].sets, card)
        else:
            state.discard = (*state.discard, card)
    for seat, name, count in correction.counts:
        if name == "red":
            players[seat - 1].red = count
        else:
            players[seat - 1].purple = count
    turn.used = tuple(card for card in turn.used if card in state.discard)
    red_before = state.red_pile
    state.red_pile = cards.red - len(state.discard) - sum(each.red for each in players)
    state.purple_pile = cards.purple - sum(each.purple + len(each.sets) for each in players)
    if state.red_pile < 0 or state.purple_pile < 0:
        return refuse("no-correction")
    cards = tuple(card for card, _ in correction.laid)
    announcements.append(TablePutRight(cards, correction.gone, state.red_pile, state.purple_pile))
    _settle_counts(state, red_before, announcements)
    return None


def _settle_counts(state: State, red_before: int, announcements: Announcements) -> None:
    """Announce the consequence of new counts: the end, or an empty red pile (S7, S3.4)."""
    if not check_end(state, announcements) and red_before > 0 == state.red_pile:
        announcements.append(ReshuffleDue())
