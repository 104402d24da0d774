"""The events made of a contact's edges: first edge, look, lock and release, as in *Clocks and the window*."""

from __future__ import annotations

import pytest
from tapshared.contact import Contact
from tapshared.ticks import PERIOD, ticks_add, ticks_diff

# When the contact closes (`\`) and opens (`/`), in µs, and what is told of it: `+` a press, `-` a release, each with
# its stamp and the time of telling.
PRESSES = {
    "a press is stamped by its first edge and told at the look": (r"\100 /200000", "+100@3100 -200000@203000"),
    "a press that bounces is stamped by its first edge": (
        r"\100 /150 \400 /420 \1900 /200000",
        "+100@3100 -200000@203000",
    ),
    "a first edge that is over before it was looked at is the first": (r"/100 \400 /90000", "+100@3100 -90000@93000"),
    "a press that bounces for longer than until the look is one": (
        r"\0 /2000 \2500 /3500 \5900 /7000 \9000 /90000",
        "+0@3000 -90000@93000",
    ),
    "a brush is no press": (r"\100 /900", ""),
    "static is no press": (r"/100 /5000 /9000", ""),
    "a contact that chatters at the look is looked at again": (r"\0 /2900 \3500 /90000", "+0@3900 -90000@93000"),
    "one that is open a millisecond at the look was brushed": (r"\0 /2000 \3500 /90000", "+3500@6500 -90000@93000"),
    "a button that is held and opens for a moment wasn't released": (
        r"\0 /50000 \52000 /90000",
        "+0@3000 -90000@93000",
    ),
    "a release bounces and is told once, by its last edge": (r"\0 /90000 \90300 /91000", "+0@3000 -91000@93000"),
    "a release that opens just before the look is looked at again": (
        r"\0 /90000 \90300 /92500",
        "+0@3000 -92500@93500",
    ),
    "two presses that nobody looked at meanwhile are two": (
        r"\0 /80000 \160000 /240000",
        "+0@3000 -80000@83000 +160000@163000 -240000@243000",
    ),
}
BEGAN = [0, PERIOD - 1500]


def told(contact: Contact, edges: str, began: int, *, looks: bool) -> str:
    """Play edges and return the events. Without `looks` only the edges themselves make time pass, and the end."""
    said: list[str] = []

    def collect(now_us: int | None) -> None:
        for verb, stamp in contact.events:
            mark = "+" if verb == "press" else "-"
            when = "" if now_us is None else f"@{now_us}"
            said.append(f"{mark}{ticks_diff(stamp, began)}{when}")
        contact.events.clear()

    now_us = 0
    for at_us, closed in [(int(edge[1:]), edge[0] == "\\") for edge in edges.split()] + [(1_000_000, None)]:
        while looks:
            wait_us = contact.wait_us(ticks_add(began, now_us))
            if wait_us is None or now_us + wait_us > at_us:
                break
            now_us += wait_us
            contact.advance(ticks_add(began, now_us))
            collect(now_us)
        now_us = at_us
        if closed is None:
            contact.advance(ticks_add(began, now_us))
        else:
            contact.add_edge(closed, ticks_add(began, now_us))
        collect(now_us if looks else None)
    return " ".join(said)


@pytest.mark.parametrize("began", BEGAN)
@pytest.mark.parametrize("rule", PRESSES)
def test_of_a_contact(rule: str, began: int) -> None:
    edges, expected = PRESSES[rule]
    assert told(Contact(False), edges, began, looks=True) == expected


@pytest.mark.parametrize("rule", PRESSES)
def test_it_doesnt_matter_when_the_loop_comes_round(rule: str) -> None:
    edges, expected = PRESSES[rule]
    stamps = " ".join(word.split("@")[0] for word in expected.split())
    assert told(Contact(False), edges, 0, looks=False) == stamps


def test_a_contact_that_is_closed_from_the_beginning_has_not_been_pressed() -> None:
    edges = r"/500000 \700000 /800000"
    assert told(Contact(True), edges, 0, looks=True) == "+700000@703000 -800000@803000"
