"""The cost of a league's ingest when one table with a valid key sends nothing but the most expensive messages, measured
in a process of its own: python -m league.hostile_load DATABASE TABLE KEY. It prints ``here`` once the first are in,
continues until its standard input is closed, and then prints how long the longest call took and how much memory it had
at most."""

from __future__ import annotations

import json
import resource
import select
import sys
import time
from dataclasses import replace
from itertools import product

from league.simulated_games import Journal, simulate_game
from sqlalchemy import select as select_rows
from taptable.games.xnet.cards import SAMPLE_TOPICS
from taptable.league.database import open_database, write_transaction
from taptable.league.ingest import Holder, Ingest, MqttMessage
from taptable.league.leases import shard_of
from taptable.league.schema import leases
from taptable.league.worker import now_ms, tune_garbage_collector
from taptable.memory.records import GameHeader
from taptable.uplink.messages import Topics, encode_signed

COPIES = 9
AT_ONCE = 16
ROUNDS = 20


def header_of(name: str) -> GameHeader:
    numbers = {str(number): COPIES for number in range(1, 10)}
    manifest = json.dumps({"game": "xnet", "name": name, "topics": dict.fromkeys(SAMPLE_TOPICS, numbers)})
    return replace(simulate_game(1, "xnet").header, manifest=manifest)


def expensive_messages(table: str, key: bytes, rounds: int = ROUNDS) -> list[MqttMessage]:
    """The beginnings of journals, whose games have large manifests and hardly an entry, and the records that follow."""
    topic = Topics(table).entries
    journals = [Journal(f"{number:032x}") for number in range(AT_ONCE)]
    found: list[MqttMessage] = []
    for round_, journal in product(range(rounds), journals):
        after = journal.last
        for game, each in product(range(40), range(5)):
            journal.begin(header_of(f"{round_} {game} {each}"))
            if each == 4:
                journal.add(simulate_game(1, "xnet").entries[0])
        found.append(MqttMessage(topic, encode_signed(journal.batch(after), topic, key)))
    return found


def main() -> None:
    """Send until nobody listens any more."""
    database, table, key = sys.argv[1:]
    tune_garbage_collector()
    engine = open_database(database)
    with write_transaction(engine) as connection:
        fences = {row.shard: row.fence for row in connection.execute(select_rows(leases))}
        owner = connection.execute(select_rows(leases.c.owner)).scalars().first()
    ingest, holder = Ingest(engine, 12, now_ms), Holder(str(owner), {shard_of(table): fences[shard_of(table)]})
    messages, longest_s, rounds = expensive_messages(table, bytes.fromhex(key)), 0.0, 0
    before_mb = memory_mb()
    waiting: list[MqttMessage] = []
    while not select.select([sys.stdin], [], [], 0)[0] and messages:
        if not waiting:
            waiting, messages = messages[:AT_ONCE], messages[AT_ONCE:]
        began_s = time.monotonic()
        waiting = ingest.process(waiting, holder).deferred
        longest_s = max(longest_s, time.monotonic() - began_s)
        rounds += 1
        if rounds == 1:
            print("here", flush=True)
    found = {"rounds": rounds, "longest_s": longest_s, "before_mb": before_mb, "memory_mb": memory_mb()}
    print(json.dumps(found), flush=True)


def memory_mb() -> float:
    """The most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
