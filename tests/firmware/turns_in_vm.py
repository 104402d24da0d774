"""In the place of the firmware's main program: the board and its port, whose parts take as long as they should on a
Pico, by the counts of its code and what was measured on an emulated one; with an empty pad and then with a card on it.
Tells the turns and looks, the longest turn, and how long pings took that came at any time. Runs in the VM, in given
time."""

import json

from seatboard import memory
from seatboard.board import Board
from seatboard.port import Port
from tapshared.ticks import ticks_diff

from firmware.vm.inside.modules import time
from firmware.vm.inside.world import this

UID = "04a2b3c4d5e680"
SPAN_US = 40_000_000
PING_EVERY_US = 23_017
PING = b"#1 ping*"

with open("costs.json") as file:  # noqa: PTH123 - the VM has no other
    COSTS = json.load(file)  # in µs
turn = {"longest_us": 0, "collections": 0, "weighed": 0}


class Memory:
    """In the place of `gc`, as slow as on a Pico."""

    def collect(self):
        turn["collections"] += 1
        this.spend(COSTS["collect"])

    def mem_free(self):
        turn["weighed"] += 1
        this.spend(COSTS["mem_free"])
        return 170_000


def slow(act, cost_us):
    """The same function, which takes `cost_us`."""

    def acts(now):
        this.spend(cost_us)
        return act(now)

    return acts


def run(board, port, span_us):
    """Run the board; return the turns, and how long each ping took to be answered."""
    began, turns, took = time.ticks_us(), 0, []
    next_us, came_us, has_heard = PING_EVERY_US, None, False
    turn["longest_us"] = 0
    while ticks_diff(time.ticks_us(), began) < span_us:
        turn_began = time.ticks_us()
        answers = has_heard and came_us is not None
        this.spend(COSTS["turn"] + (COSTS["ping"] if has_heard else 0))
        rest_us = board.step(has_heard)
        if answers:
            took.append(ticks_diff(turn_began, came_us) + COSTS["ping"])
            came_us = None
        turns += 1
        turn["longest_us"] = max(turn["longest_us"], ticks_diff(time.ticks_us(), turn_began))
        wait_us = ticks_diff(began + next_us, time.ticks_us())
        has_heard = port.wait(min(rest_us, max(0, wait_us)))
        if came_us is None and ticks_diff(time.ticks_us(), began) >= next_us:
            came_us = began + next_us
            next_us += PING_EVERY_US
            this.heard.extend(LINE)
            has_heard = rest_us >= 1000 or port.wait(0)
    took.sort()
    return turns, took


def line():
    from tapshared.sentences import Message, encode

    return encode(Message("ping", {}, 1))


LINE = line()
memory.gc = Memory()
port = Port()
board = Board(port)
board._conversation._is_connected = True
names = ("press", "read", "hunt", "say", "send", "lamp", "ring")
board._turns._actions = [slow(act, COSTS[names[place]]) for place, act in enumerate(board._turns._actions)]
run(board, port, 1_000_000)
for case in ("empty", "card"):
    if case == "card":
        this.do(["put", UID])
        run(board, port, 500_000)
    turn["collections"] = turn["weighed"] = 0
    looks, answered = board._reader.looks, board._reader.reads
    turns, took = run(board, port, SPAN_US)
    looks = board._reader.looks - looks
    p99 = took[len(took) * 99 // 100]
    p50 = took[len(took) // 2]
    this.tell("turns", case, turns, looks, turn["longest_us"], p50, p99, turn["collections"], turn["weighed"])
