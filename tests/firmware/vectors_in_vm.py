"""Reads the wire's vectors in the VM with the codec of the flash, whole and byte by byte, and prints each result as a
line of JSON. Runs in the VM: `micropython vectors_in_vm.py LIB VECTORS`."""

import json
import sys

sys.path.insert(0, sys.argv[1])

from tapshared.lines import Lines
from tapshared.sentences import Damage, decode, encode


def read(speaker, said, size):
    lines = Lines(speaker)
    found = []
    for begin in range(0, len(said), size):
        found += lines.feed(said[begin : begin + size])
    return found, [lines.damaged, lines.skipped]


def latin(text):
    return bytes([ord(character) for character in text])


with open(sys.argv[2]) as vectors:  # noqa: PTH123 - there is no pathlib in the VM
    for vector in map(json.loads, vectors):
        said = latin(vector["said"])
        results = []
        for size in (len(said), 1):
            messages, counts = read(vector["speaker"], said, size)
            results.append([[[m.verb, m.number, m.fields] for m in messages], counts])
        damage = decode(said.rstrip(b"\n"))
        spelt = [encode(m).decode() for m in messages if len(m.fields) != 1 or "protocol" not in m.fields]
        print(json.dumps([results, damage.reason if isinstance(damage, Damage) else None, spelt]))
