"""Compares what the table believes, wrote down, shows and publishes with the true places of the cards, with what really
happened at pads and buttons, and with the answers of another referee. Each difference is a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Raw
from oracle.compare import compare
from oracle.online import Oracle
from table.truth import Press, pad_mismatches, presses
from taptable import __version__
from taptable.core.player import Zone
from taptable.cues.cueing import BOARD_LAMPS, lamps, ring_of_other_pad, rings
from taptable.cues.scene import Scene, render
from taptable.daemon.daemon import screen_style_of
from taptable.games.online.cards import CATEGORIES, KIND_OF
from taptable.history.playback import verify
from taptable.league.batches import GameBeginning, Numbered, read_batch
from taptable.league.verification import PROVED, Replay
from taptable.memory.digest import EMPTY_DIGEST
from taptable.memory.game_export import Transcript
from taptable.memory.journal_reader import JournalReader, transcript_of
from taptable.memory.stream import digest_chain, identity_of, records_after
from taptable.referee.replaying import ReplayMismatch
from taptable.referee.step import Table
from taptable.uplink.messages import VERSION, Batch, Position

from soak.account import KEPT_S
from soak.night import Night

OF_BOTH = {"tap", "hold", "press", "control"}
"""The kinds of observations that the other referee knows too."""
TIMES = {"at", "pressed_at", "opened_at", "closes_at", "until", "launch_until"}
MOVES = {"tap", "hold", "press"}
MAX_BYTES = 1 << 30
CALM_S = 2.0
"""A press may be missing only if something was wrong within this time before or after it."""
STALLED_S = 10.0
"""Longest delay until a press on a pin has an effect, while the host stalls again and again."""
MOMENT_S = 1.0
ABOUT_BUTTONS = ("press-unheard", "consent-given", "seat-unused")
CHECKING, CHECKED = ("check-team", "check-hand", "check-count"), ("check-done", "check-broken-off")
PASSING = ("reading", "accepted", "refused", "holding")
LATE_S = 2.0
"""Longest delay until a reader of the Pi's own reports a card, on a slow disk."""


def differences(night: Night) -> Iterator[str]:
    """Everything that differs now, at a table that has come to rest."""
    table = night.room.session.table
    yield from (f"cards: {each}" for each in night.people.disagreements)
    lying = table.game.layout(table.state) if night.mistaken else night.people.layout()
    if not night.mistaken:
        yield from _cards(night, table)
    with JournalReader.open(night.config.table.journal) as journal:
        games = [transcript_of(journal, game.id) for game in journal.games()]
        yield from _replayed(games, table)
        yield from _chained(journal)
        yield from _in_the_league(journal, table, night.seated)
    yield from at_the_seats(night, passing=())
    yield from _on_the_page(night, table, lying)
    yield from _at_the_broker(night, table)
    yield from (f"it still says: {key}" for key in night.alerts)


def differences_of_evening(night: Night) -> Iterator[str]:
    """The differences in everything that happened at the pads and buttons."""
    tags = {what: uid for uid, what in night.people.card_by_uid.items()}
    yield from pad_mismatches(
        night.table,
        tags,
        night.entries(),
        late_s=lambda pad: KEPT_S if pad in night.table.stand_in("board").boards else LATE_S,
        blind=night.troubles.blinded,
        twice=night.troubles.read_twice,
        unwritten=[*night.troubles.struck["full-disk"], *night.troubles.struck["failing-writes"]],
        loop_s=night.loop_s,
        began_at_s=night.began_at_s,
        lost=night.lost,
    )
    yield from _buttons(night)
    yield from (f"the display was sent what it can't take: {each}" for each in night.table.display.illegal)


def _buttons(night: Night) -> Iterator[str]:
    """Each press in the journal was made; of two in a moment the first is first, unless they are within their bounds;
    and each that was made while nothing was wrong led to something, if only to *unheard*."""
    made = presses(night.table)
    spoilt = [each for each in made if not each.is_clear]
    on_boards = [seat for seat, parts in enumerate(night.config.seats, 1) if parts.button.kind == "board"]
    heard_s: list[tuple[int | None, float]] = []
    checked_s: list[float] = []
    checks: list[tuple[float, float]] = []
    before: tuple[Press, float, float] | None = None
    for entry in night.entries():
        line = entry.line or {}
        if checked_s and (broken_off_s := night.restarted_s(checked_s[0], night.loop_s(entry.at_us))):
            checks.append((checked_s[0], broken_off_s))
            checked_s.clear()
        if "press" not in line:
            if line.get("type") in CHECKING:
                # hands are counted by presses
                checked_s.append(night.loop_s(entry.at_us))
            elif line.get("type") in CHECKED and checked_s:
                checks.append((checked_s[0], night.loop_s(entry.at_us)))
                checked_s.clear()
            elif line.get("type") in ABOUT_BUTTONS or line.get("control") in ("resume", "take-back"):
                heard_s.append((line.get("seat"), night.loop_s(entry.at_us)))
            continue
        # one that a board kept may be from before this daemon, whose clock says when
        ago_s, bound_s = line["at"] - line.get("pressed_at", line["at"]), line.get("uncertainty_s", 0.0)
        stamp_s = night.loop_s(entry.at_us) - ago_s
        near = [each for each in made if each.seat == line["press"] and each.allows(stamp_s, True, bound_s)]
        press = min(near, key=lambda each: abs(each.at_s - stamp_s), default=None)
        if press is None:
            yield f"presses: nobody pressed {line}"
            continue
        made.remove(press)
        if before is not None and press.is_clear and abs(before[0].at_s - press.at_s) < MOMENT_S:
            sooner_s, truly_s = stamp_s - before[1], press.at_s - before[0].at_s
            if abs(sooner_s) > bound_s + before[2] and (sooner_s > 0) != (truly_s > 0):
                yield f"presses: {line} came {sooner_s:+.6f} s after the one before, truly {truly_s:+.6f} s"
        before = (press, stamp_s, bound_s)

    def needs_no_answer(press: Press) -> bool:
        """Return whether its button couldn't be heard then, it may count as a bounce, or hands were counted."""
        unheard = [*night.troubles.blinded["button", press.seat], *checks]
        return not press.is_sure or any(
            began_s - CALM_S < press.at_s < ended_s + CALM_S for began_s, ended_s in unheard
        )

    # whose press it was is known of some; a table that comes to several at once tells of the earlier ones, too
    for seat, told_s in sorted(heard_s, key=lambda each: each[0] is None):
        near = [
            press
            for press in reversed(made)
            if seat in (press.seat, None)
            and press.at_s - press.off_s <= told_s <= press.told_s + (KEPT_S if press.seat in on_boards else STALLED_S)
        ]
        if near:
            made.remove(min(near, key=needs_no_answer))
    for press in made:
        if any(each.seat == press.seat and 0 < press.at_s - each.at_s < MOMENT_S for each in spoilt):
            continue  # the release before may still have bounced
        if not needs_no_answer(press):
            yield f"presses: that of seat {press.seat} at {press.at_s:.3f} s led to nothing"


def _cards(night: Night, table: Table) -> Iterator[str]:
    """Check that each card lies where the table believes, and counts as it should."""
    believed = [(zone.place, zone.seats, zone.cards) for zone in table.game.layout(table.state)]
    true = [(zone.place, zone.seats, zone.cards) for zone in night.people.layout()]
    if believed != true:
        yield f"lying: believed {believed}, true {true}"
    if table.game.name == "online":
        scores = [team.score for team in table.scoreboard.teams]
        megabytes = [
            sum(KIND_OF[card].mb for row in rows for card in row if KIND_OF[card] in CATEGORIES)
            for rows in night.people.truth.rows
        ]
        if scores != megabytes:
            yield f"megabytes: believed {scores}, true {megabytes}"


def _replayed(games: Sequence[Transcript], table: Table) -> Iterator[str]:
    """The journal, played again, comes to the same."""
    for transcript in games:
        try:
            proof = verify(transcript)
        except ReplayMismatch as departure:
            yield f"replay of game {transcript.game.id}: {departure}"
        else:
            if transcript is games[-1] and proof.table.state != table.state:
                yield f"replay of game {transcript.game.id}: another state"
            yield from _by_another_referee(transcript, proof.table)


def _chained(journal: JournalReader) -> Iterator[str]:
    """Each record has the digest that it should have."""
    for link in digest_chain(journal, identity_of(journal).salt):
        if link.digest != link.stored:
            yield f"digest of {link.table} {link.id}"


def _in_the_league(journal: JournalReader, table: Table, seated: Sequence[str]) -> Iterator[str]:
    """Check that the bridge's entries, ingested as by a league, give the same results for those who sat there."""
    identity = identity_of(journal)
    texts = records_after(journal, identity.salt, 0, 1 << 30, MAX_BYTES)
    replay, number, digest = None, 0, EMPTY_DIGEST
    while texts:
        part = texts[:200]
        while len(part) < len(texts) and part[-1].startswith('["game"'):
            part.append(texts[len(part)])
        texts = texts[len(part) :]
        position = Position(identity.journal, number, digest)
        batch = Batch(VERSION, position, 0, tuple(Raw(text.encode()) for text in part))
        for record in read_batch(batch, replay is not None):
            match record:
                case GameBeginning():
                    replay = Replay.begin(record.header)
                case Numbered(number, entry, digest=digest) if replay is not None:
                    replay.play(entry)
                case Numbered():
                    yield "the league has an entry of no game"
    if replay is None or replay.proof != PROVED:
        yield f"the league doesn't prove it: {replay and replay.why}"
        return
    if table.scoreboard.over:
        results = [(each.seat, each.member, each.score, each.place) for each in replay.results() or ()]
        shown = sorted(
            (seat, member_at(seated, seat), team.score, team.place or len(table.scoreboard.teams))
            for team in table.scoreboard.teams
            for seat in team.seats
        )
        if results != shown:
            yield f"the league's figures: {results}, at the table {shown}"


def member_at(seated: Sequence[str], seat: int) -> str:
    return seated[seat - 1] if seat <= len(seated) else ""


def _by_another_referee(transcript: Transcript, table: Table) -> Iterator[str]:
    """ONLINE's oracle answers each line as the table did, and comes to the same state; up to a line that it doesn't
    know."""
    header = transcript.game.header
    if header.game != "online":
        return
    starter = header.next_starter if header.next_starter is not None else header.starter
    oracle = Oracle(header.edition, header.players, dict(header.settings), starter)
    moved: Mapping[str, Any] = {}
    named: list[int] = []
    for entry in transcript.entries:
        if entry.kind != "observation":
            continue
        line, answer = shifted(entry.line or {}, -header.at_us), entry.answer
        if line.get("control") == "new-game":
            break
        if "together" in line and answer is not None:
            # the oracle knows no such thing, but what it comes to
            if any(said["type"] == "cards-parted" for said in answer["announcements"]):
                if moved.get("tap") not in line["together"] or moved.get("pad") != line["pad"]:
                    return
                oracle.answer(json.dumps({"at": line["at"], "control": "take-back"}))
            continue
        if answer is None or not (line.keys() & OF_BOTH or line.keys() == {"at"}):
            return
        answered = oracle.answer(json.dumps(line))
        if "error" in answered and "control" in line:
            return
        if difference := compare({**answer, "at": answered["at"]}, answered):
            yield f"another referee, {line} of game {transcript.game.id}: {difference}"
            return
        named += [said["seat"] for said in answer["announcements"] if said["type"] == "claim-given"]
        if named != oracle.named:
            yield f"another referee, {line} of game {transcript.game.id}: {named} were first, not {oracle.named}"
            return
        if answer["verdict"] == "accepted" and line.keys() & MOVES:
            moved = line
    ours = shifted(json.loads(json.dumps(table.game.public_state(table.state))), -header.at_us)
    state = {key: value for key, value in oracle.answer('{"show": "state"}').items() if key in ours}
    if difference := compare(ours, state):
        yield f"another referee, game {transcript.game.id}: {difference}"


def shifted(told: Any, by_us: int) -> Any:
    """The announcements, with times that count from the game's beginning."""
    match told:
        case dict():
            return {
                key: round(value + by_us / 1_000_000, 6)
                if key in TIMES and value is not None
                else shifted(value, by_us)
                for key, value in told.items()
            }
        case list():
            return [shifted(each, by_us) for each in told]
        case _:
            return told


def at_the_seats(night: Night, *, passing: Sequence[str] = PASSING) -> Iterator[str]:
    """Check what people see: display, rings and lamps. A ring may show what is `passing`."""
    yield from _on_the_glass(night)
    yield from _lights(night, passing)


def _lights(night: Night, passing: Sequence[str]) -> Iterator[str]:
    """Check that each ring shows what it should, and each lamp that doesn't blink."""
    session, now_us, table = night.room.session, night.room.daemon.clock.now_us(), night.table
    on_seats = [ring.pattern for ring in rings(session, now_us)]
    for pad, board in table.stand_in("board").boards.items():
        wanted = ring_of_other_pad(session, pad, now_us).pattern if isinstance(pad, str) else on_seats[pad - 1]
        if board.ring.pattern != wanted and not {board.ring.pattern, wanted} & set(passing):
            yield f"lights: the ring of pad {pad} shows {board.ring.pattern}, and it is {wanted}"
    for seat, lamp in enumerate(lamps(session), 1):
        wanted = BOARD_LAMPS.get(lamp)
        if wanted is not None and table.is_lamp_lit(seat) != (wanted == "on"):
            yield f"lights: the lamp of seat {seat} should be {wanted}"


def _on_the_glass(night: Night) -> Iterator[str]:
    """Check that the image on the display, made of the bytes that were sent, is the one of the present state."""
    if night.loop.time() < night.upset_until_s:
        return
    table = night.room.session.table
    now_us = night.room.daemon.clock.now_us()
    scene = Scene(__version__, table.scoreboard, paused=table.paused_at_us is not None)
    wanted = render(scene, now_us, night.table.display.size, screen_style_of(night.config))
    if night.table.picture().tobytes() != wanted.tobytes():
        yield "another picture on the glass"


def _on_the_page(night: Night, table: Table, lying: Sequence[Zone]) -> Iterator[str]:
    """Check that a page that has been there all the time shows the same as a new one, and that both are true."""
    live = night.clients.parts()
    night.clients.kill_page()
    night.clients.begin_page()
    parts = night.clients.parts()
    if "people" not in live or "people" not in parts:
        yield "the page shows nothing"
        return
    seats = [seat["id"] if seat else "" for seat in parts["people"]["seats"]]
    if seats != [member_at(night.seated, seat) for seat in range(1, len(seats) + 1)]:
        yield f"the page shows {seats} at the seats, and there are {night.seated}"
    for each in (live, parts):
        del each["people"]["told"]  # how often the page was told of members
    yield from (f"the page's {name} is stale" for name in parts if live.get(name) != parts[name])
    zones = {(zone.place, zone.seats, zone.cards) for zone in lying}
    shown = {
        (zone["place"], tuple(team["seats"]), tuple(zone["cards"])) for team in parts["teams"] for zone in team["rows"]
    } | {(zone["place"], (), tuple(zone["cards"])) for zone in parts["piles"]["zones"]}
    if zones != shown:
        yield f"the page shows {shown}, and true is {zones}"
    if [team["score"] for team in parts["teams"]] != [team.score for team in table.scoreboard.teams]:
        yield "the page shows other scores"


def _at_the_broker(night: Night, table: Table) -> Iterator[str]:
    """Check that what the bridge published is the present state."""
    state = night.clients.bridged()
    if state is None:
        return
    board = table.scoreboard
    told = state["turn"], [team["score"] for team in state["teams"]], state["paused"], state["faults"]
    stands = board.seat, [team.score for team in board.teams], table.paused_at_us is not None, []
    if told != stands:
        yield f"the bridge says {told}, and it stands {stands}"
