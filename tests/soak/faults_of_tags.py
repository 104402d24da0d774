"""Faults of tags and of their readers: unheard, doubled, foreign, cloned, two at once."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from random import Random
from typing import TYPE_CHECKING

from table.truth import LOOKS_S, stays
from taptable.core.notices import CardTwice, CardUnreadable
from taptable.core.observations import CardsTogether, Pad
from taptable.core.player import Tap
from taptable.referee.session import Decision
from taptable.sim.cards import ntag213, shift_uid
from taptable.sim.field import CrossTalk

from soak.kinds import SOON_S, any_number, any_of, kind, lasting

if TYPE_CHECKING:
    from soak.night import Night

LOOKED_S = 0.5
UNREADABLE_S = 8.0
"""Seconds within which a card that can't be read is reported: a second or two of looks, and a board's answer at every
other look."""
UNSURE_S = 1.5
CLONE_TOLD_S = 5.5
"""Seconds within which a second tag with the number of another is reported."""
CLEAR_S = 2.0
"""A card that still lies on its pad after this many seconds with a clone on another pad wasn't carried there."""
CARRIED_S = 0.1
"""A hand is from one pad to the next within this."""


@kind(pad=any_number, for_s=lasting(0.1, 2.5))
async def lost_tag(night: Night, pad: int, for_s: float) -> bool:
    """A reader hears no card for a while."""
    at, table = night.any_pad(pad), night.table
    if night.troubles.is_excluded(at, "unheard"):
        return False
    before, lay = table.puts[at], bool(table.tags_on(at))
    with night.troubles.blind(at), night.troubles.twice(at), night.troubles.exclusive(at, "unheard"):
        table.unheard(at, True)
        for _ in range(round(SOON_S / for_s)):
            await asyncio.sleep(for_s)
            if lay or table.puts[at] > before:
                break
        table.unheard(at, False)
    return lay or table.puts[at] > before


@kind(pad=any_number, gap_s=lasting(0.02, 0.9), for_s=lasting(0.05, 0.4))
async def doubled_tag(night: Night, pad: int, gap_s: float, for_s: float) -> bool:
    """A card comes to a pad again as soon as it was lifted."""
    at = night.any_pad(pad)
    uid = await night.table.next_lifted(at, SOON_S)
    if uid is None:
        return False
    # beside a card that can't be read another is gone after a second
    await asyncio.sleep(gap_s + (UNSURE_S if night.troubles.is_excluded(at, "unreadable") else 0.0))
    if night.checking:
        return False
    await lies(night, uid, at, for_s)
    return True


@kind(pad=any_number, tag=any_number, looks=any_of(1, 1, 1, 2))
async def shifted_tag(night: Night, pad: int, tag: int, looks: int) -> bool:
    """A reader takes its neighbour's card for another one, bits shifted and check bytes right."""
    at = night.any_pad(pad)
    longest = [uid for uid in night.uids if len(uid) == 14]
    ghost = shift_uid(bytes.fromhex(longest[tag % len(longest)]))
    if night.troubles.is_excluded(at) or night.table.is_deaf(at) or night.table.kind_of(at) == "pcsc":
        return False
    for _ in range(looks):
        if at in night.table.stand_in("board").boards:
            if night.table.stand_in("board").boards[at]._conversation is None:
                return False
            night.table.stand_in("board").boards[at].hear_ghost(ghost.hex())
        else:
            night.table.fields[at].disturbances.append(CrossTalk(ntag213(ghost)))
        await asyncio.sleep(0.1)
    return True


@kind(pad=any_number, tag=any_number, random=any_of(False, True), for_s=lasting(0.2, 3.0))
async def foreign_tag(night: Night, pad: int, tag: int, random: bool, for_s: float) -> bool:
    """A tag that is in no deck, or a phone."""
    at = night.any_pad(pad)
    number = Random(tag).randbytes(6).hex()
    await lies(night, f"08{number[:6]}" if random else f"04{number}", at, for_s)
    return not night.troubles.is_excluded(at)


@kind()
async def two_cards(night: Night) -> bool:
    """A card that is about to be played slips onto the pad together with another."""
    wish = night.about_to_tap
    other = None if wish is None else night.people._players.another_card(night.people.truth, wish.seat, wish.card)
    if wish is None or other is None:
        return False
    await night.people._tap_two(wish.card, other, wish.pad)
    return not night.troubles.is_excluded(wish.pad)


@kind(for_s=lasting(2.0, 40.0))
async def left_lying(night: Night, for_s: float) -> bool:
    """A card that is played is left lying on the pad, and then tapped on another one on the way, every other time."""
    wish = night.about_to_tap
    if wish is None:
        return False
    with night.people.put(wish.card, wish.pad):
        await asyncio.sleep(for_s)
    table = night.room.session.table
    others = [pad for pad in (*night.table.stand_in("board").boards, *night.table.fields) if pad != wish.pad]
    others = [pad for pad in others if pad in table.game.pads(table.state) and not night.troubles.is_excluded(pad)]
    if others and round(for_s * 1000) % 2 and not night.checking:
        (uid,) = (uid for uid, card in night.people.card_by_uid.items() if card == wish.card)
        await asyncio.sleep(CARRIED_S)
        if not is_out_of_turn(night, wish.card):
            await lies(night, uid, others[round(for_s * 1000) // 2 % len(others)], LOOKED_S)
    return not night.troubles.is_excluded(wish.pad)


def is_out_of_turn(night: Night, card: str) -> bool:
    """Return whether a card is in a hand whose player isn't on turn. The table, which knows no hands, would take it for
    one of the player on turn, and people don't do that."""
    holder = next((seat for seat, hand in enumerate(night.people.truth.hands, 1) if card in hand), None)
    return holder not in (None, night.room.session.table.scoreboard.seat)


@kind(pad=any_number, after_s=lasting(0.6, 3.0), for_s=lasting(0.2, 6.0))
async def cloned_tag(night: Night, pad: int, after_s: float, for_s: float) -> bool:
    """While a card that is played still lies on its pad, a tag with the same number comes to another."""
    at = night.any_pad(pad)
    wish = await next_tap(night, but=at)
    table = night.room.session.table
    if wish is None or night.troubles.is_excluded(at) or at not in table.game.pads(table.state):
        return False
    (uid,) = (uid for uid, card in night.people.card_by_uid.items() if card == wish.card)
    began = len(night.events)
    with night.people.put(wish.card, wish.pad):
        await asyncio.sleep(after_s)
        if night.dead or uid not in night.table.tags_on(wish.pad) or uid in night.table.tags_on(at):
            return False
        since_s = night.loop.time()
        night.loop.call_later(for_s, night.table.lay_clone(uid, at))
        await asyncio.sleep(CLEAR_S)
        is_clear = uid in night.table.tags_on(wish.pad)  # or else its player, who was about to lift it, has
        await asyncio.sleep(max(CLONE_TOLD_S, for_s) - CLEAR_S)
        told = wish.pad in (event.also_at for event in cards_twice(night, began, at))
        told = told or any(wish.card in each.cards and each.pad == at for each in together(night, began))
    disturbed = night.dead or night.troubles.any_since(since_s, "cloned-tag", CLONE_TOLD_S)
    if is_clear and not (told or disturbed) and was_surely_read(night, wish.card, at, since_s):
        night.wrong.append(f"two tags of {wish.card} lay at {wish.pad} and {at}, and nobody was told")
    return True


def was_surely_read(night: Night, card: str, pad: Pad, came_s: float) -> bool:
    """Return whether the reader of a pad has certainly seen a card that came at this time."""
    there, kind = list(stays(night.table, night.people.card_by_uid)), night.table.kind_of(pad)
    of_card = [stay for stay in there if (stay.card, stay.pad) == (card, pad)]
    return any(stay.overlaps([(came_s, came_s + LOOKS_S)]) and stay.is_surely_read(kind, there) for stay in of_card)


async def next_tap(night: Night, but: Pad) -> Tap | None:
    """The tap that somebody is about to make soon on another pad than this one."""
    ends_s = night.loop.time() + SOON_S
    while (wish := night.about_to_tap) is None or wish.pad == but:
        if night.loop.time() > ends_s:
            return None
        await asyncio.sleep(LOOKED_S)
    return wish


def cards_twice(night: Night, since: int, pad: Pad) -> list[CardTwice]:
    """The second tags that were refused at a pad, of the events from this one on."""
    return [event for _, event in night.events[since:] if isinstance(event, CardTwice) and event.pad == pad]


def together(night: Night, since: int) -> list[CardsTogether]:
    """The cards that came together, of the events from this one on."""
    judged = [event.observation for _, event in night.events[since:] if isinstance(event, Decision)]
    return [observation for observation in judged if isinstance(observation, CardsTogether)]


@kind(pad=any_number, fault=any_of("bcc", "crc", "nonsense"), for_s=lasting(4.0, 30.0))
async def unselectable_card(night: Night, pad: int, fault: str, for_s: float) -> bool:
    """A card lies on a pad, beside those that are played there, that answers and can't be selected."""
    at = night.any_pad(pad)
    if any(night.troubles.is_excluded(at, why) for why in ("out", "unheard", "deaf", "unreadable")) or night.dead:
        return False
    began, is_boxed = len(night.events), night.table.kind_of(at) == "pcsc"
    with night.troubles.exclusive(at, "unreadable"), night.troubles.twice(at), ExitStack() as stack:
        if is_boxed:  # it sees this card and no other, or another and not this one
            stack.enter_context(night.troubles.blind(at))
        take_away = night.table.lay_unselectable(at, fault)
        await asyncio.sleep(for_s)
        take_away()
        await asyncio.sleep(UNSURE_S)
    since_s = night.loop.time() - for_s - UNSURE_S
    told = any(isinstance(event, CardUnreadable) and event.pad == at for _, event in night.events[began:])
    # one that came right after a start, or while something else failed, may have gone again before it was told
    if (
        for_s > UNREADABLE_S
        and not (told or is_boxed)
        and not night.troubles.any_since(since_s - UNREADABLE_S, but="unselectable-card")
    ):
        night.wrong.append(f"a card that can't be read lay at {at} for {for_s} s, and nobody was told")
    if fault == "nonsense":
        night.troubles.blinded[at].append((since_s, night.loop.time()))  # it garbles what another card answers
    return True


async def lies(night: Night, uid: str, at: Pad, for_s: float) -> None:
    """A tag lies on a pad for a while."""
    night.table.put(uid, at)
    await asyncio.sleep(for_s)
    night.table.lift(uid, at)
