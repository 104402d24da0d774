"""The vectors of the wire, passed by the codec in the VM as by the host."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from firmware.needs_vm import vm_program
from firmware.vm.process import FIRMWARE

VECTORS = Path(__file__).parents[1] / "wire" / "vectors.jsonl"


@pytest.fixture(scope="module")
def results() -> list[Any]:
    script = Path(__file__).with_name("vectors_in_vm.py")
    done = subprocess.run(
        [vm_program(), script, FIRMWARE / "lib", VECTORS], capture_output=True, text=True, check=True, timeout=60
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def vectors() -> list[dict[str, Any]]:
    return [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]


def test_the_codec_in_the_vm_reads_every_vector_whole_and_byte_by_byte(results: list[Any]) -> None:
    assert len(results) == len(vectors()) > 20
    for vector, (reads, _, _) in zip(vectors(), results, strict=True):
        messages = [[row["verb"], row["number"], row["fields"]] for row in vector["messages"]]
        assert reads == [[messages, [vector["damaged"], vector["skipped"]]]] * 2, vector["rule"]


def test_the_codec_in_the_vm_tells_why_a_line_is_damaged(results: list[Any]) -> None:
    damaged = [(vector, result[1]) for vector, result in zip(vectors(), results, strict=True) if "reason" in vector]
    assert damaged
    for vector, reason in damaged:
        assert reason == vector["reason"], vector["said"]


def test_the_codec_in_the_vm_spells_every_message_as_the_vectors_do(results: list[Any]) -> None:
    for vector, (_, _, spelt) in zip(vectors(), results, strict=True):
        for sentence in spelt:
            assert sentence.strip() in vector["said"]
