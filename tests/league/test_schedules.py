"""Whatever order messages come in, how often, to which of two workers, and whichever of them was ousted or began anew:
every entry is there once, and standings are those that the journals themselves give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from league.played import Journal, Played, played, seated
from league.sending import Clock, League, Sender, hold_all, stored
from sqlalchemy import Engine, event, select
from taptable.league.counting import count_up
from taptable.league.database import migrate, open_database, reading
from taptable.league.ingest import DatabaseAway, Holder, Ingest, Message
from taptable.league.leases import Ousted
from taptable.league.queries import standings
from taptable.league.recomputing import recompute
from taptable.league.schema import seasons
from taptable.uplink.messages import VERSION, Confirmed, MemberSaid, Position, read

TABLES = 2
GAME = "cyber-siege"
"""The one of the shortest games."""
GAMES = ((1, None), (2, 9), (3, None))
"""Of each table: seeds, and how many entries are played."""

_numbers = count(1)


class Cut(psycopg.OperationalError):
    """The database's connection was cut before a commit."""


@dataclass
class Bridge:
    """A table's bridge: what it believes, and all that it has sent, which a broker may deliver again at any time."""

    sender: Sender
    position: Position
    branch: int = 0
    asked: bool = False
    sent: list[Message] = field(default_factory=list[Message])
    backup: Journal | None = None

    @property
    def journal(self) -> Journal:
        return self.sender.journal

    def says(self, most: int) -> Message:
        """What follows on what it believes, or the question where the league is."""
        if not self.journal.has(self.position):
            # at first by the end alone, as who has only forgotten
            message = self.sender.message(self.journal.where(whole=self.asked), self.sender.topics.where)
            self.asked = True
        else:
            message = self.sender.message(self.journal.batch(self.position.number, most, self.branch))
            self.asked = False
        self.sent.append(message)
        return message

    def hears(self, message: Message) -> None:
        """A confirmation came."""
        key = bytes.fromhex(self.sender.table.key)
        confirmed = read(message.payload, self.sender.topics.confirmed, key, Confirmed)
        self.position, self.branch = confirmed.position, confirmed.branch


@dataclass
class Evening:
    """Some tables and two workers, of which one may have been ousted without knowing."""

    engine: Engine
    club: str
    bridges: list[Bridge]
    workers: list[tuple[Ingest, Holder]]
    clock: Clock = field(default_factory=Clock)

    @property
    def done(self) -> bool:
        return all(bridge.position == bridge.journal.position(bridge.journal.last) for bridge in self.bridges)

    def deliver(self, worker: int, *messages: Message) -> None:
        ingest, holder = self.workers[worker % len(self.workers)]
        try:
            answers = ingest.take(messages, holder).answers
        except (Ousted, DatabaseAway):
            return
        for answer in answers:
            for bridge in self.bridges:
                if answer.topic == bridge.sender.topics.confirmed:
                    bridge.hears(answer)


Act = Callable[[Evening], None]


def _send(table: int, most: int, worker: int) -> Act:
    return lambda evening: evening.deliver(worker, evening.bridges[table].says(most))


def _send_together(most: int, worker: int) -> Act:
    return lambda evening: evening.deliver(worker, *(bridge.says(most) for bridge in evening.bridges))


def _again(table: int, which: int, worker: int) -> Act:
    def act(evening: Evening) -> None:
        sent = evening.bridges[table].sent
        if sent:
            evening.deliver(worker, sent[which % len(sent)])

    return act


def _reversed(table: int, worker: int) -> Act:
    """The last three that were sent come again in another order, those of all in one transaction."""
    return lambda evening: evening.deliver(worker, *reversed(evening.bridges[table].sent[-3:]))


def _steal(worker: int) -> Act:
    """The leases have run out, and this one takes them; the other doesn't know."""

    def act(evening: Evening) -> None:
        ingest, _ = evening.workers[worker]
        evening.workers[worker] = (ingest, hold_all(evening.engine, f"{evening.club}-{worker}"))

    return act


def _restart(worker: int) -> Act:
    """A worker begins anew, with nothing in mind."""

    def act(evening: Evening) -> None:
        _, holder = evening.workers[worker]
        evening.workers[worker] = (Ingest(evening.engine, 12, evening.clock, lambda: 0.0), holder)

    return act


def _cut(table: int, worker: int) -> Act:
    """The connection is lost before the commit."""

    def act(evening: Evening) -> None:
        def cut(_: object) -> None:
            raise Cut

        event.listen(evening.engine, "commit", cut)
        try:
            evening.deliver(worker, evening.bridges[table].says(20))
        finally:
            event.remove(evening.engine, "commit", cut)

    return act


def _forget(table: int) -> Act:
    """A bridge has lost what was confirmed, and a broker too."""

    def act(evening: Evening) -> None:
        bridge = evening.bridges[table]
        bridge.position, bridge.branch = Position(bridge.journal.identity, 0, "unknown"), 0

    return act


def _keep(table: int) -> Act:
    """A backup is made of a table."""

    def act(evening: Evening) -> None:
        bridge = evening.bridges[table]
        bridge.backup = shortened(bridge.journal, bridge.position.number)

    return act


def _restore(table: int) -> Act:
    """It is played back, and the table goes on with another game."""

    def act(evening: Evening) -> None:
        bridge = evening.bridges[table]
        if bridge.backup is not None:
            bridge.sender.journal, bridge.backup = bridge.backup, None
            play(bridge.journal, played(7, GAME, 2), evening.club)

    return act


def shortened(journal: Journal, last: int) -> Journal:
    """A journal as it was after an entry."""
    last = min(last, journal.last)
    kept = [text for text in journal.texts if text[0] <= last]
    games = journal.games[: sum(text.startswith('["game"') for _, text in kept)]
    return Journal(journal.identity, kept, journal.digests[: last + 1], games, journal.digests[last])


table, worker = st.integers(0, TABLES - 1), st.integers(0, 1)
acts = st.one_of(
    st.builds(_send, table, st.sampled_from([1, 7, 60]), worker),
    st.builds(_send, table, st.sampled_from([1, 7, 60]), worker),
    st.builds(_send_together, st.sampled_from([5, 200]), worker),
    st.builds(_again, table, st.integers(0, 20), worker),
    st.builds(_reversed, table, worker),
    st.builds(_steal, worker),
    st.builds(_restart, worker),
    st.builds(_cut, table, worker),
    st.builds(_forget, table),
    st.builds(_keep, table),
    st.builds(_restore, table),
)


def members_of(club: str) -> tuple[str, ...]:
    return tuple(f"{club}{seat}".rjust(16, "0") for seat in range(2))


def play(journal: Journal, game: Played, club: str, entries: int | None = None) -> None:
    journal.begin(game.header)
    journal.add(seated(*members_of(club)), *game.entries[:entries])


def an_evening(engine: Engine, club: str) -> Evening:
    league = League(engine)
    bridges: list[Bridge] = []
    for number in range(TABLES):
        sender = league.table(f"{club}-{number}", club)
        sender.journal.identity = f"{number:032}"
        for seed, entries in GAMES[number:]:
            play(sender.journal, played(seed, GAME, 2), club, entries)
        bridges.append(Bridge(sender, sender.journal.position(0)))
    for member in members_of(club):
        said = MemberSaid(VERSION, member, "Somebody", "", "name")
        league.take(bridges[0].sender.message(said, bridges[0].sender.topics.members))
    evening = Evening(engine, club, bridges, [(league.ingest, league.holder)] * 2)
    _steal(0)(evening)
    return evening


def finish(evening: Evening) -> None:
    """All that is left comes, to one worker, which nobody ousts."""
    _steal(1)(evening)
    rounds = 0
    while not evening.done:
        rounds += 1
        assert rounds < 20
        evening.deliver(1, *(bridge.says(200) for bridge in evening.bridges))


def table_of_season(engine: Engine, club: str) -> list[tuple[int, int, int, int, int, int]]:
    with reading(engine) as connection:
        season = connection.execute(select(seasons.c.id).where(seasons.c.name == "2027")).scalar_one()
        lines = standings(connection, season, GAME, club)
    members = members_of(club)
    return [
        (line.place, members.index(line.member.id), line.games, line.won, line.points, line.score) for line in lines
    ]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Engine]:
    """Another league's database, to compare with."""

    def make() -> Engine:
        engine = open_database(f"sqlite:///{tmp_path_factory.mktemp('fresh')}/league.sqlite")
        migrate(engine)
        return engine

    return make


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(schedule=st.lists(acts, max_size=25))
def test_every_entry_once(engine: Engine, fresh: Callable[[], Engine], schedule: list[Act]) -> None:
    evening = an_evening(engine, f"{next(_numbers):x}")
    journals: list[list[Journal]] = [[bridge.journal] for bridge in evening.bridges]
    for act in schedule:
        act(evening)
        for had, bridge in zip(journals, evening.bridges, strict=True):
            if bridge.journal is not had[-1]:
                had.append(bridge.journal)
    finish(evening)
    for bridge, had in zip(evening.bridges, journals, strict=True):
        with reading(engine) as connection:
            branches = stored(connection, bridge.sender.table.id)
        everything = {text for journal in had for _, text in journal.texts}
        assert {text for texts in branches.values() for text in texts} <= everything
        last = branches[bridge.journal.identity, max(branch for _, branch in branches)]
        assert last == [text for _, text in bridge.journal.texts][len(bridge.journal.texts) - len(last) :]
    count_up(engine, GAME)
    if all(len(had) == 1 for had in journals):
        assert table_of_season(engine, evening.club) == from_the_journals(fresh(), evening)
    with reading(engine) as connection:
        assert recompute(connection).differences == []


def from_the_journals(engine: Engine, evening: Evening) -> list[tuple[int, int, int, int, int, int]]:
    """The standings of a league that gets nothing but the journals, each at once."""
    other = an_evening(engine, evening.club)
    finish(other)
    count_up(engine, GAME)
    return table_of_season(engine, evening.club)
