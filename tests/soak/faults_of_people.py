"""Actions of people beside the game: they take back, check, argue, get up, leave, lose cards, and send requests from
the page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from soak.kinds import any_number, any_of, kind, lasting

if TYPE_CHECKING:
    from soak.night import Night

TRIES, AGAIN_S = 3, 5.0

# --- people ---------------------------------------------------------------------------------------------------------


@kind(seat=any_number, control=any_of("take-back", "take-back", "check", "pause", "reshuffle"))
async def control_card(night: Night, seat: int, control: str) -> bool:
    """Somebody takes back, checks the table, or lets it wait."""
    if not night.people.has_card(control):
        return False
    at = night.any_seat(seat)
    return await night.people.use_control(at, control) is not None


@kind(seat=any_number, other=any_number, first=any_of("take-back", "check", "pause"), gap_s=lasting(0.0, 0.6))
async def argument(night: Night, seat: int, other: int, first: str, gap_s: float) -> bool:
    """Two want different things at the same time."""
    one, two = night.any_seat(seat), night.any_seat(other)
    second = {"take-back": "pause", "check": "take-back", "pause": "check"}[first]
    if not (night.people.has_card(first) and night.people.has_card(second)) or one == two:
        return False
    doing = asyncio.ensure_future(night.people.use_control(one, first))
    await asyncio.sleep(gap_s)
    heard = [await night.people.use_control(two, second), await doing]
    return any(each is not None for each in heard)


@kind(seat=any_number, for_s=lasting(5.0, 60.0))
async def player_away(night: Night, seat: int, for_s: float) -> bool:
    """A player gets up, and comes back."""
    at = night.any_seat(seat)
    if night.troubles.is_excluded(at, "away") or at not in night.people._seats:
        return False
    with night.troubles.exclusive(at, "away"):
        await night.people.leave(at)
        await asyncio.sleep(for_s)
        night.people.take_over(at)
    return True


@kind(seat=any_number)
async def player_leaves(night: Night, seat: int) -> bool:
    """A player leaves for good, and somebody reports that at the page."""
    if night.players < 3:
        return False
    await night.people.wait_for_verdicts()
    return await night.ask("vacate", seat=night.any_seat(seat))


@kind(card=any_number, lying=any_of(False, True), for_s=lasting(5.0, 60.0))
async def lost_card(night: Night, card: int, lying: bool, for_s: float) -> bool:
    """A card is lost, which somebody reports at the page, and is found later."""
    cards = [each for zone in night.people.layout() for each in zone.cards] if lying else night.people.truth.pile
    if not cards:
        return False
    await night.people.wait_for_verdicts()
    lost = cards[card % len(cards)]
    if not await night.ask("lost", card=lost):
        return False
    await asyncio.sleep(for_s)
    await night.ask("recovered", card=lost)
    return True


@kind(what=any_of("pause", "check", "take-back"), for_s=lasting(1.0, 15.0))
async def asked_at_the_page(night: Night, what: str, for_s: float) -> bool:
    """Somebody requests at the page what a control card can do."""
    done = await night.ask(what)
    await asyncio.sleep(for_s)
    for _ in range(TRIES if what == "pause" else 0):
        await night.wait_for_daemon()
        if not await night.ask("resume"):
            # who paused can't reach the page any more: those at the table go on
            night.people._keep_paused = False
            night.people.notify()
        await asyncio.sleep(AGAIN_S)  # pause or resume may wait to be written down, or have been lost
        if not (night.dead or night.people.paused):
            break
    return done
