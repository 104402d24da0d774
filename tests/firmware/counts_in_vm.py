"""Runs the firmware's operations one after the other, many times each, between two calls of `localtime`: by these a
counter of the VM's instructions finds the operations apart. Prints the names of the operations, and how often each ran.
Runs in the VM: `micropython counts_in_vm.py FIRMWARE RECORDS`, where RECORDS is a file with the bytes that the reader's
bus read in looks."""

import gc
import io
import json
import select
import sys

import utime

sys.path[:0] = [sys.argv[1], sys.argv[1] + "/lib", sys.argv[0].rsplit("/", 1)[0]]

import light  # noqa: E402 - the path is set

light.take_their_places()

from seatboard.board import Board  # noqa: E402
from seatboard.port import Port  # noqa: E402
from seatboard.spi import SpiBus  # noqa: E402
from tapshared.pad import LOOK_EVERY_US  # noqa: E402
from tapshared.rc522_chip import Chip  # noqa: E402
from tapshared.ring_frames import RingFrames  # noqa: E402
from tapshared.sentences import Message, encode  # noqa: E402

TIMES = 4  # few, since what is allocated makes the next allocation longer, and a board collects each second
PIXELS = 12
FAR_US = 400_000_000


def nothing():
    """The loop's own cost: a call that does nothing."""


def count(what, act, not_ours=nothing):
    """Do it again and again between two calls of `localtime`, and then what is `not_ours` of it."""
    act()
    print(json.dumps([what, TIMES]))
    for done in (act, not_ours):
        gc.collect()
        utime.localtime()
        for _ in range(TIMES):
            done()
        utime.localtime()


def polls(count, event):
    """Replace a poll by one that finds `event` `count` times, without the system call that only the VM makes."""
    return (count * [((None, event),)] + [()]).pop


def count_looks(records):
    """Looks at a pad, over what was recorded of them."""
    chip = Chip(SpiBus())
    for _ in chip.start():
        pass
    for case, [known, *reads] in records.items():
        uids = [bytes.fromhex(uid) for uid in known.split()]
        played = [bytes.fromhex(read) for read in reversed(reads)]

        left = []

        def look(uids=uids, played=played):
            light.Spi.played.extend(played)
            for _ in chip.look(uids):
                pass

        def until_heard(uids=uids, played=played, left=left):
            light.Spi.played.extend(played)
            heard = []
            for _ in chip.look(uids, heard.append):
                if heard:
                    break
            left[:] = light.Spi.played
            del light.Spi.played[:]

        transfers = [(bytes(len(read)), bytearray(len(read))) for read in reversed(played)]

        def transfer(played=played, transfers=transfers):
            light.Spi.played.extend(played)
            for sent, into in transfers:
                chip._bus._spi.write_readinto(sent, into)

        count(case, look, transfer)
        if case == "first read":
            until_heard()
            del transfers[len(transfers) - len(left) :], played[: len(left)]
            count("first read, until it is heard", until_heard, transfer)


def count_board():
    """A board and its loop: looks at an empty pad, turns without anything to do, the talk with the Pi."""
    port = Port()
    port._readable, port._writable = polls(0, 0), {0: ((None, select.POLLOUT),)}.get
    heard, said = io.BytesIO(), io.BytesIO()
    port._write, port._readinto = heard.write, said.readinto
    board = Board(port)
    board._memory.tidy = lambda _now: None  # it is counted by itself
    talk = board._conversation

    def look():
        rest_us = 0
        while rest_us < LOOK_EVERY_US // 3:
            light.clock.go(rest_us)
            rest_us = board.step(False)
        light.clock.go(rest_us)

    talk.receive(encode(Message("ack", {"boot": talk._hello_fields["boot"], "upto": 0})), light.clock.now)
    for _ in range(8):
        look()
    talk.due = talk._status_due = board._button.due = board._ring.due = light.clock.now + FAR_US
    sent, into = light.SENT_AND_SILENT, bytearray(len(light.SENT_AND_SILENT))
    count("empty look, all its turns", look, lambda: board._reader.chip._bus._spi.write_readinto(sent, into))
    board._reader.due = talk.due
    now = light.clock.now
    count("turn", board_turn(board))
    ping = encode(Message("ping", {}, 8))

    def comes(line):
        light.clock.go(0)
        said.seek(0)
        said.write(line)
        said.seek(0)
        heard.seek(0)
        port._readable = polls(len(line) - 1, select.POLLIN)

    def answer():
        comes(ping)
        board.step(True)
        if not heard.tell() or port.due is not None:
            raise AssertionError("no pong")

    def answer_at_once():
        comes(ping)
        board._receive(now)
        if not heard.tell():
            raise AssertionError("the pong waits for the rest of the turn")

    count("ping read, pong written", answer, lambda: comes(ping))
    count("ping read, pong out", answer_at_once, lambda: comes(ping))
    light_said = encode(Message("light", {"pattern": "accepted", "left_ms": 0, "whole_ms": 0, "lamp": "on"}, 7))

    def tell_tag():
        talk.queue_event("tag", ("04a2b3c4d5e680", 10_482_113, ""), now)
        talk.take_outgoing(now)
        talk.outbox.acknowledge((1 << 30) - 1)

    line = b"." * 40

    def send():
        heard.seek(0)
        light.clock.go(0)
        port.send(line, light.clock.now)
        if port.due is not None:
            raise AssertionError("not sent")

    def read():
        comes(line)
        port.read()

    def hello():
        talk._is_connected = False
        talk._status_due = light.clock.now
        talk.take_outgoing(light.clock.now)
        talk._is_connected = True

    count("tag told", tell_tag)
    count("light heard", lambda: talk.receive(light_said, now))
    count("hello said", hello)
    count("40 bytes sent", send)
    count("40 bytes read", read, lambda: comes(line))
    count("memory collected", gc.collect)


def board_turn(board):
    """A turn in which nothing is due."""

    def turn():
        light.clock.go(0)
        board.step(False)

    return turn


def count_ring():
    """A frame drawn."""
    frames = RingFrames(PIXELS)
    pixels = bytearray(3 * PIXELS)

    def draw():
        frames.show("accepted", 0, 0, 0)
        for pixel in range(PIXELS):
            frames.draw_pixel(pixel, pixels)

    count("frame drawn", draw)


with open(sys.argv[2]) as file:  # noqa: PTH123 - the VM has no other
    records = json.load(file)
count_ring()
count_looks(records)
count_board()
