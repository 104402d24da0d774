"""What the doctor says of a table that lets phones in, and of one that speaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from taptable.doctor.computer import Ran
from taptable.doctor.finding import Finding
from taptable.memory.pairings import pairings_of

from doctor.breaking import AUDIO, both, change, own, page_unit, remove
from doctor.rig import Bench, Spoil, findings, in_order


def open_to_phones(text: str) -> str:
    return re.sub(r"^\[page\]$", "[page]\nnetwork = true", text, flags=re.MULTILINE)


def with_a_voice(text: str) -> str:
    return f'{text}\n[speech]\ndevice = "plughw:CARD=Headphones"\n'


def looked_at(
    folder: Path, group: str, rewritten: Callable[[str], str], spoil: Spoil = in_order
) -> Mapping[str, Finding]:
    return {finding.name: finding for finding in findings(folder, spoil, groups=[group], rewritten=rewritten)}


def set_to(**facts: object) -> Spoil:
    def spoil(bench: Bench) -> None:
        for name, value in facts.items():
            setattr(bench, name, value)

    return spoil


def test_a_page_for_phones_is_told_by_its_address_and_its_name(tmp_path: Path) -> None:
    found = looked_at(tmp_path, "page", open_to_phones)
    assert {finding.state for finding in found.values()} == {"ok"}
    assert re.search(r"http://192\.168\.178\.20:\d+/", found["network"].found)
    assert re.search(r"http://living-room\.local:\d+/", found["name"].found)
    assert found["pairings"].found == "no device is paired yet"


def test_a_page_behind_a_proxy_is_told_by_the_proxy_s_name(tmp_path: Path) -> None:
    proxied = 'network = true\nproxy = "127.0.0.1"\nhttps = "taptable.local"'
    found = looked_at(tmp_path, "page", lambda text: open_to_phones(text).replace("network = true", proxied, 1))
    assert {finding.state for finding in found.values()} == {"ok"}
    assert list(found) == ["page", "network", "pairings"]
    assert "https://taptable.local/, by a proxy at 127.0.0.1" in found["network"].found


def test_a_page_for_this_computer_only_says_how_to_open_it(tmp_path: Path) -> None:
    found = looked_at(tmp_path, "page", str)
    assert list(found) == ["page", "network"]
    assert found["network"].state == "ok"
    assert "network = true below [page]" in found["network"].found


def damage_pairings(bench: Bench) -> None:
    pairings_of(bench.config.table.journal).write_text("{", encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "name", "state", "says", "todo"),
    [
        (change(addresses=lambda: ()), "network", "warning", "this computer is in none", "docs/installing.md"),
        (
            page_unit(IPAddressAllow="127.0.0.0/8 ::1/128"),
            *("network", "fault", "lets nobody in from there", "Run scripts/install again"),
        ),
        (remove("/run/avahi-daemon/socket"), "name", "warning", "answers to living-room.local", "avahi-daemon"),
        (damage_pairings, "pairings", "fault", "is damaged", "Pair anew"),
    ],
    ids=["no network", "an older unit", "no name", "damaged pairings"],
)
def test_what_keeps_phones_out_is_said_with_what_to_do(
    tmp_path: Path, spoil: Spoil, name: str, state: str, says: str, todo: str
) -> None:
    found = looked_at(tmp_path, "page", open_to_phones, spoil)
    assert {finding.name for finding in found.values() if finding.state != "ok"} == {name}
    assert found[name].state == state
    assert says in found[name].found
    assert todo in found[name].todo


def test_damaged_pairings_are_left_to_the_table(tmp_path: Path) -> None:
    benches: list[Bench] = []
    looked_at(tmp_path, "page", open_to_phones, both(damage_pairings, benches.append))
    assert pairings_of(benches[0].config.table.journal).read_text(encoding="utf-8") == "{"


def test_a_voice_and_its_loudspeaker_are_tried_without_a_sound(tmp_path: Path) -> None:
    benches: list[Bench] = []
    found = looked_at(tmp_path, "speech", with_a_voice, benches.append)
    assert [(finding.name, finding.state) for finding in found.values()] == [("voice", "ok"), ("loudspeaker", "ok")]
    ((*command,),) = benches[0].spoken
    assert command[:3] == ["espeak-ng", "-v", "de"]
    assert command[-1] == ""
    assert "plughw:CARD=Headphones" in command


@pytest.mark.parametrize(
    ("spoil", "name", "says", "todo"),
    [
        (set_to(voices=None), "voice", "there is no espeak-ng", "Run scripts/install again"),
        (set_to(voices="Pty Language\n"), "voice", "no voice for de", "espeak-ng-data"),
        (remove("/dev/snd/pcmC0D0p"), "loudspeaker", "no sound output", "Plug a loudspeaker in"),
        (own("pcmC0D0p", AUDIO), "loudspeaker", "is closed to pi", "`sudo usermod -aG"),
        (
            set_to(spoke=Ran(0, "ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM x\nerror: No such file\n")),
            *("loudspeaker", "plughw:CARD=Headphones can't be had: Unknown PCM x", "`aplay -L`"),
        ),
        (set_to(spoke=None), "loudspeaker", "it doesn't come to an end", "`aplay -L`"),
    ],
    ids=["no program", "no voice", "no output", "closed", "another device", "a program that hangs"],
)
def test_what_keeps_a_table_silent_is_said_with_what_to_do(
    tmp_path: Path, spoil: Spoil, name: str, says: str, todo: str
) -> None:
    found = looked_at(tmp_path, "speech", with_a_voice, spoil)
    assert {finding.name for finding in found.values() if finding.state != "ok"} == {name}
    assert found[name].state == "fault"
    assert says in found[name].found
    assert todo in found[name].todo
