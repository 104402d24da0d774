"""Turns of Cyber Siege: their beginning, their draws, the effects of attacks, and the end of the game (S3, S5 to S7).
`play` calls it once a move is accepted. All functions change a draft and append to `announcements`. Must not refuse
anything."""

from __future__ import annotations

from typing import TypeAlias

from taptable.core import windows
from taptable.core.announcements import Announcement
from taptable.core.drafts import draft
from taptable.core.scoreboard import rank_scores
from taptable.core.windows import Window
from taptable.games.cyber_siege.announcements import (
    CardDrawn,
    Defended,
    EffectText,
    GameOver,
    Hit,
    ReshuffleDue,
    SetTakenBack,
    Spared,
    TurnStarted,
    WindowOpened,
)
from taptable.games.cyber_siege.cards import Effect
from taptable.games.cyber_siege.state import Attack, Draw, Launch, State, Turn

Announcements: TypeAlias = list[Announcement]


def begin_turn(
    state: State,
    seat: int,
    at_us: int,
    announcements: Announcements,
    *,
    draw: Draw | None = None,
    used: tuple[str, ...] = (),
    owed_discards: int = 0,
) -> None:
    """Begin this seat's turn, with the consequences of an attack or a defence (S3.1, S6.3, S6.6)."""
    state.turn, state.owed_discards = Turn(seat, at_us, draw, used), owed_discards
    announcements.append(TurnStarted(seat))


def end_turn(state: State, turn: Turn, at_us: int, announcements: Announcements) -> None:
    """Begin the turn of the next seat clockwise."""
    begin_turn(state, state.options.next_seat(turn.seat), at_us, announcements)


def infer_draw(state: State, turn: Turn, announcements: Announcements) -> None:
    """Count a due draw that nobody has shown as one from the red pile (S3.3)."""
    if turn.draw is None:
        turn.draw = "red"
        draw_red(state, turn.seat, 1, announcements)


def draw_red(state: State, seat: int, count: int, announcements: Announcements) -> None:
    """Draw red cards for a seat; cards that the pile lacks are owed until the reshuffle (S3.4)."""
    drawn = min(count, state.red_pile)
    state.gain(seat, red=drawn)
    state.red_pile -= drawn
    state.owed_draws = count - drawn
    if drawn:
        announcements.append(CardDrawn(seat, "red", drawn))
    if count and state.red_pile == 0:
        announcements.append(ReshuffleDue())


def break_off(state: State, turn: Turn, announcements: Announcements) -> None:
    """Return all cards of a set that is being laid to the hand (S4.4)."""
    laying = state.laying
    if laying is not None:
        state.gain(turn.seat, red=len(laying.red), purple=1)
        announcements.append(SetTakenBack(turn.seat, state.laying_cards))
        state.laying = None


# ---- attacks


def launch(state: State, turn: Turn, offered: Launch, at_us: int, announcements: Announcements) -> None:
    """Launch the attack at the next player clockwise, who may answer until the window closes (S6.1)."""
    defender = state.options.next_seat(turn.seat)
    closes_at_us = at_us + state.options.defence_us
    window = Window(owner=turn.seat, opened_at_us=at_us, closes_at_us=closes_at_us, settle_us=0)
    state.launch, state.attack = None, Attack(offered.card, defender, window)
    announcements.append(WindowOpened(turn.seat, closes_at_us, defender, offered.card))


def spare(state: State, turn: Turn, offered: Launch, at_us: int, announcements: Announcements) -> None:
    """Spare the next player and end the turn (S5.2)."""
    state.launch = None
    announcements.append(Spared(turn.seat, offered.card))
    end_turn(state, turn, at_us, announcements)


def pass_deadline(state: State, at_us: int, announcements: Announcements) -> None:
    """Apply a window's deadline: first, later presses are too late; then the launch is spared, or the attack hits
    (S5.3, S6.4)."""
    turn, offered, attack = state.turn, state.launch, state.attack
    assert turn is not None
    open_now = offered or attack
    assert open_now is not None
    window = windows.pass_time(open_now.window)
    if window is not None:
        waiting = draft(open_now)
        waiting.window = window
        if isinstance(waiting, Launch):
            state.launch = waiting
        else:
            state.attack = waiting
    elif offered is not None:
        spare(state, turn, offered, at_us, announcements)
    elif attack is not None:
        hit(state, turn, attack, at_us, announcements)


def defend(state: State, attack: Attack, card: str, at_us: int, announcements: Announcements) -> None:
    """Stop the attack: the defender gets a point and a new card, and is on turn (S6.3)."""
    seat = attack.defender
    state.gain(seat, red=-1, one_points=1)
    state.attack = None
    state.discard = (*state.discard, card)
    announcements.append(Defended(seat, attack.window.owner, card))
    if not check_end(state, announcements):
        draw_red(state, seat, 1, announcements)
        begin_turn(state, seat, at_us, announcements, used=(card,))


def hit(state: State, turn: Turn, attack: Attack, at_us: int, announcements: Announcements) -> None:
    """Let the attack succeed: a point for the attacker, then its effect on the defender, and the next turn (S6.4,
    S6.6)."""
    icon, seat = state.kind(attack.card).icon, attack.defender
    assert icon is not None  # every attack has one (S1.3)
    announcements.append(Hit(seat, turn.seat, attack.card, icon.effect.value, icon.n))
    state.gain(turn.seat, one_points=1)
    state.attack = None
    if check_end(state, announcements):
        return
    match icon.effect:
        case Effect.SKIP:
            begin_turn(state, state.options.next_seat(seat), at_us, announcements)
        case Effect.DRAW_FEWER:
            begin_turn(state, seat, at_us, announcements, draw="none")  # a turn has one draw, and n is 1 or more
        case Effect.DISCARD:
            begin_turn(state, seat, at_us, announcements, owed_discards=min(icon.n, state.player(seat).red))
        case Effect.LOSE_POINTS | Effect.TEXT | Effect.NONE:
            if icon.effect is Effect.LOSE_POINTS:
                state.gain(seat, one_points=-icon.n)
            if icon.say is not None:
                announcements.append(EffectText(seat, icon.say))
            begin_turn(state, seat, at_us, announcements)


# ---- the end


def check_end(state: State, announcements: Announcements) -> bool:
    """End the game if somebody has the points or the purple pile is empty, after counts have changed; return whether it
    is over (S7.1, S7.2, S8.3)."""
    if any(state.points(seat) >= state.options.target_points for seat in range(1, state.options.players + 1)):
        end_game(state, "points", announcements)
    elif state.purple_pile == 0:
        end_game(state, "purple", announcements)
    return state.outcome is not None


def end_game(state: State, by: str, announcements: Announcements) -> None:
    """End the game, ranked by points in every case; nothing is open any more (S7.1, S7.3)."""
    state.outcome = rank_scores({seat: state.points(seat) for seat in range(1, state.options.players + 1)}, by)
    state.laying = state.launch = state.attack = None
    state.owed_draws = state.owed_discards = 0
    announcements.append(GameOver(state.outcome.winners, by))
