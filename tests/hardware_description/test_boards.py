"""The printed boards as they are made without KiCad: places, tracks, printing, bodies, and the sentences about
mistakes. KiCad's own checks, and the comparison with its netlists, are in scripts/boards."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from itertools import combinations, permutations
from math import hypot
from typing import Any

import pytest
from drafting.boards import Board, pads_on, read_boards, sort_key
from drafting.builds import read_description
from drafting.footprints import Box, Rectangle
from drafting.kicad.lettering import lettering, marking
from drafting.kicad.making import differences, library, main, make_layout, project
from drafting.kicad.routing import CLEARANCE_MM, EDGE_MM, GROUND, VIA_MM, Track, Via, route
from drafting.kicad.schematic import schematic
from drafting.kicad.step import step
from drafting.kicad.text import Quoted, node, to_text
from drafting.kicad.tools import strip_dates, without_bodies
from drafting.making import ROOT
from drafting.parts import DescriptionError, read_toml

HARDWARE = ROOT / "hardware"
Point = tuple[float, float]


@pytest.fixture(scope="module")
def boards() -> dict[str, Board]:
    return {board.key: board for board in read_boards(read_description(HARDWARE), HARDWARE)}


@pytest.fixture(scope="module")
def seat_board(boards: dict[str, Board]) -> Board:
    return boards["seat_board"]


@pytest.fixture(scope="module")
def routed(seat_board: Board) -> tuple[list[Track], list[Via]]:
    return route(seat_board)


# places


def broken(change: Callable[[dict[str, Any]], object], monkeypatch: pytest.MonkeyPatch) -> list[Board]:
    """The boards after a change to what boards.toml says."""
    data = deepcopy(read_toml(HARDWARE / "boards.toml"))
    change(data)
    monkeypatch.setattr("drafting.boards.read_toml", lambda _path: data)
    return read_boards(read_description(HARDWARE), HARDWARE)


def test_a_part_without_a_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DescriptionError, match=r"^boards.toml: series \(Resistor 330 Ω, 1 %\) has no place\.$"):
        broken(lambda data: data["seat_board"]["place"].pop("series"), monkeypatch)


def test_a_place_of_no_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DescriptionError, match=r"^boards.toml: there is no part horn on that board\.$"):
        broken(lambda data: data["seat_board"]["place"].update(horn=[1, 1, 0]), monkeypatch)


def test_no_part_lies_on_another(boards: dict[str, Board]) -> None:
    for board in boards.values():
        for one, other in combinations(board.parts, 2):
            areas = one.area(one.footprint.courtyard), other.area(other.footprint.courtyard)
            assert not overlap(*areas), f"{one.name} and {other.name}"


def overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_a_part_is_turned_counterclockwise(seat_board: Board) -> None:
    socket = next(part for part in seat_board.parts if part.name == "button_socket")
    assert socket.turn == 180
    (first, *_, last) = (area for _, area in pads_on(socket))
    assert first[0] > last[0]
    turned = replace(socket, turn=90)
    assert turned.point(0, 6.25) == (socket.x + 6.25, socket.y)


def test_copper_and_screws_keep_away_from_the_antenna(seat_board: Board, routed: tuple[list[Track], list[Via]]) -> None:
    reader = next(part for part in seat_board.parts if part.name == "reader")
    header_from_end = max(read_toml(HARDWARE / "mechanics.toml")["reader_board"]["header_from_end"])
    antenna = reader.area((-20, 20 - header_from_end, 20, 60 - header_from_end))
    assert antenna[3] <= 0 - 7
    tracks, vias = routed
    nearest = min(
        [min(track.start[1], track.end[1]) - track.width / 2 for track in tracks]
        + [via.at[1] - VIA_MM / 2 for via in vias]
        + [area[1] for part in seat_board.parts for _, area in pads_on(part)]
    )
    assert nearest - antenna[3] >= 10
    assert seat_board.holes == ()


# tracks: looked at by plain geometry, which knows nothing of the router's grid


def copper(board: Board, tracks: list[Track], vias: list[Via]) -> list[tuple[str | None, int, Point, Point, float]]:
    """Net, layer, from, to, half width of all copper; a pad is a rectangle's two edges' middle line."""
    found: list[tuple[str | None, int, Point, Point, float]] = [
        (track.net, track.layer, track.start, track.end, track.width / 2) for track in tracks
    ]
    found += [(via.net, layer, via.at, via.at, VIA_MM / 2) for via in vias for layer in (0, 1)]
    for part in board.parts:
        for pad, (left, low, right, top) in pads_on(part):
            net = board.net_of(part.reference, pad.number)
            half = min(right - left, top - low) / 2
            middle_line = (left + half, low + half), (right - half, top - half)
            found += [(net, layer, *middle_line, half) for layer in ((0, 1) if pad.drill else (0,))]
    return found


def distance(a: Point, b: Point, c: Point, d: Point) -> float:
    """Between two straight pieces."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    def to(p: Point, q: Point, r: Point) -> float:
        length = (r[0] - q[0]) ** 2 + (r[1] - q[1]) ** 2
        share = 0.0 if not length else ((p[0] - q[0]) * (r[0] - q[0]) + (p[1] - q[1]) * (r[1] - q[1])) / length
        share = min(1.0, max(0.0, share))
        return hypot(p[0] - q[0] - share * (r[0] - q[0]), p[1] - q[1] - share * (r[1] - q[1]))

    if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
        return 0.0
    return min(to(a, c, d), to(b, c, d), to(c, a, b), to(d, a, b))


def too_near(board: Board, tracks: list[Track], vias: list[Via]) -> list[tuple[str | None, str | None]]:
    pieces = copper(board, tracks, vias)
    found: list[tuple[str | None, str | None]] = []
    for one, other in combinations(pieces, 2):
        if one[1] == other[1] and (one[0] != other[0] or one[0] is None):
            if one[0] is None and other[0] is None:
                continue  # two pads that lead nowhere
            room = distance(one[2], one[3], other[2], other[3]) - one[4] - other[4]
            if room < CLEARANCE_MM - 0.001:
                found.append((one[0], other[0]))
    return found


def test_tracks_of_two_nets_are_never_nearer_than_a_board_house_can_make(
    seat_board: Board, routed: tuple[list[Track], list[Via]]
) -> None:
    tracks, vias = routed
    assert too_near(seat_board, tracks, vias) == []
    moved = [replace(track, net="BASE") if track.net == "5V" else track for track in tracks]
    assert too_near(seat_board, moved, vias)


def test_no_track_comes_near_an_edge(seat_board: Board, routed: tuple[list[Track], list[Via]]) -> None:
    width, height = seat_board.size
    for track in routed[0]:
        for x, y in (track.start, track.end):
            room = track.width / 2 + EDGE_MM
            assert room <= x <= width - room
            assert room <= y <= height - room
            for left, low, right, top in seat_board.notches:
                outside = hypot(max(left - x, 0, x - right), max(low - y, 0, y - top))
                assert outside >= room - 0.001


def test_tracks_join_all_pads_of_a_net(seat_board: Board, routed: tuple[list[Track], list[Via]]) -> None:
    for net, ends in seat_board.nets.items():
        if net != GROUND:
            assert islands(seat_board, net, *routed) == 1, f"{net} of {len(ends)} pads"
    tracks, vias = routed
    assert islands(seat_board, "BASE", [track for track in tracks if track.net != "BASE"], vias) == 2


def islands(board: Board, net: str, tracks: list[Track], vias: list[Via]) -> int:
    """How many groups of pads a net's tracks leave, each with what is joined to it."""
    points: list[set[tuple[int, float, float]]] = [
        {(track.layer, *track.start), (track.layer, *track.end)} for track in tracks if track.net == net
    ]
    points += [{(0, *via.at), (1, *via.at)} for via in vias if via.net == net]
    ends = set().union(*points) if points else set[tuple[int, float, float]]()
    for part in board.parts:
        for pad, (left, low, right, top) in pads_on(part):
            if board.net_of(part.reference, pad.number) == net:
                layers = (0, 1) if pad.drill else (0,)
                own = {end for end in ends if end[0] in layers and left <= end[1] <= right and low <= end[2] <= top}
                points.append(own | {(0, left, low)})
    # a track may end in the middle of another
    for track in tracks:
        if track.net == net:
            on_it = {
                end
                for end in ends
                if end[0] == track.layer and distance(track.start, track.end, end[1:], end[1:]) < 0.05
            }
            points.append(on_it)
    groups: list[set[tuple[int, float, float]]] = []
    for each in points:
        meeting = [group for group in groups if group & each]
        groups = [group for group in groups if not group & each] + [each.union(*meeting)]
    return len(groups)


@pytest.mark.long
def test_the_same_board_gives_the_same_tracks(seat_board: Board, routed: tuple[list[Track], list[Via]]) -> None:
    assert route(seat_board) == routed


def with_nets(board: Board, *nets: str) -> Board:
    """The board, with only these nets and ground to be routed."""
    return replace(board, nets={net: ends for net, ends in board.nets.items() if net in (GROUND, *nets)})


def test_a_pad_that_is_walled_in_is_reported(seat_board: Board) -> None:
    part = next(part for part in seat_board.parts if part.name == "test_button")
    left, low, right, top = part.area(part.footprint.courtyard)
    wall = ((left - 2, low - 2, right + 2, low - 1), (left - 2, top + 1, right + 2, top + 2))
    wall += ((left - 2, low - 2, left - 1, top + 2), (right + 1, low - 2, right + 2, top + 2))
    with pytest.raises(DescriptionError, match=r"^taptable seat board: there is no way for BUTTON at all\.$"):
        route(replace(with_nets(seat_board, "BUTTON"), notches=(*seat_board.notches, *wall)))


# printing


def test_words_cover_neither_pads_nor_one_another(boards: dict[str, Board]) -> None:
    for board in boards.values():
        words = [text for text in lettering(board) if not text.back]
        for one, other in combinations(words, 2):
            assert not overlap(one.area, other.area), (one.words, other.words)
        for text in words:
            for part in board.parts:
                assert not any(overlap(text.area, area) for _, area in pads_on(part)), text.words


def test_every_part_and_every_pin_of_a_socket_is_named(seat_board: Board) -> None:
    words = Counter(text.words for text in lettering(seat_board))
    for part in seat_board.parts:
        if part.footprint.prefix != "TP":
            assert words[part.reference] == 1
    assert words["GND"] >= 2
    assert {"NO", "COM", "LED+", "LED-", "SDA", "3.3V", "DI", "5V"} <= words.keys()


def test_a_word_that_has_no_room_is_reported(seat_board: Board) -> None:
    full = replace(seat_board, texts=(*seat_board.texts, (27.5, 32.5, 60.0, "-")))
    with pytest.raises(DescriptionError, match=r"^taptable seat board: no room for the word \S+ beside \w+\.$"):
        lettering(full)


def test_resistors_that_look_alike_side_by_side_have_their_values_beside_them(boards: dict[str, Board]) -> None:
    found: set[tuple[str, str]] = set()
    for board in boards.values():
        words = lettering(board)
        for one, other in permutations([part for part in board.parts if marking(part)], 2):
            apart = hypot(one.x - other.x, one.y - other.y)
            if apart < 8 and marking(one) != marking(other):
                values = [text for text in words if text.words == marking(one)]
                nearest = min(hypot(text.x - one.x, text.y - one.y) for text in values)
                assert nearest < 4.5, one.name
                found.add((marking(one), marking(other)))
    assert {("2k2", "330"), ("330", "2k2"), ("1k", "47")} <= found


def test_each_board_names_its_revision_and_its_month(boards: dict[str, Board]) -> None:
    for board in boards.values():
        said = f"revision {board.revision}, {board.date}"
        assert [text.back for text in lettering(board) if text.words == said] == [True]
        drawn = (HARDWARE / board.folder / f"{board.folder}.kicad_pcb").read_text(encoding="utf-8")
        assert f'(rev "{board.revision}")' in drawn
        assert f'(date "{board.date}")' in drawn


# what a machine that places parts wants


def test_three_fiducials_not_in_line_lie_in_the_open(boards: dict[str, Board], routed: Any) -> None:
    for board in boards.values():
        a, b, c = board.fiducials
        assert abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) > 400
        for x, y in board.fiducials:
            around = (x - 1.0, y - 1.0, x + 1.0, y + 1.0)
            assert not any(overlap(around, part.area(part.footprint.courtyard)) for part in board.parts), (x, y)
            assert not any(overlap(around, text.area) for text in lettering(board) if not text.back)
            assert 1.0 <= x <= board.size[0] - 1.0
            assert 1.0 <= y <= board.size[1] - 1.0
    for x, y in boards["seat_board"].fiducials:
        for track in routed[0]:
            if not track.layer:
                assert distance(track.start, track.end, (x, y), (x, y)) - track.width / 2 >= 1.0
        assert all(hypot(via.at[0] - x, via.at[1] - y) - VIA_MM / 2 >= 1.0 for via in routed[1])


def test_a_stencil_leaves_the_pads_of_a_pico_free(boards: dict[str, Board]) -> None:
    files = library(list(boards.values()))
    folder = "hardware/library/taptable.pretty"
    assert "F.Paste" not in files[f"{folder}/Pico.kicad_mod"]
    assert "F.Paste" in files[f"{folder}/R_1206.kicad_mod"]
    laid = (HARDWARE / "seat-board" / "seat-board.kicad_pcb").read_text(encoding="utf-8")
    pico = next(each for each in laid.split("\t(footprint ") if each.startswith('"taptable:Pico"'))
    assert "F.Paste" not in pico
    assert "F.Mask" in pico


def test_no_copper_lies_below_the_debug_pads_of_a_pico(
    seat_board: Board, routed: tuple[list[Track], list[Via]]
) -> None:
    pico = next(part for part in seat_board.parts if part.name == "pico")
    # Pico data sheet, mechanical specification: three pads 2.54 apart at the edge that is opposite the USB socket
    for x in (-2.54, 0.0, 2.54):
        pad = pico.point(x, 23.9)
        for track in routed[0]:
            if not track.layer:
                assert distance(track.start, track.end, pad, pad) - track.width / 2 > 0.8
        assert all(hypot(via.at[0] - pad[0], via.at[1] - pad[1]) - VIA_MM / 2 > 0.8 for via in routed[1])


# nets


def test_nets_that_differ_are_reported_with_their_pads(seat_board: Board) -> None:
    nets = {name: frozenset(ends) for name, ends in seat_board.nets.items()}
    assert list(differences(seat_board, nets, nets)) == []
    cut = nets | {"BASE": frozenset({("R4", "2")})}
    joined = nets | {"5V": nets["5V"] | {("U1", "1")}}
    assert list(differences(seat_board, cut, joined)) == [
        "taptable seat board: net BASE of the schematic lacks Q1.1.",
        "taptable seat board: net 5V of the layout has, against the description, U1.1.",
    ]


def test_each_pad_is_in_one_net_or_leads_nowhere(boards: dict[str, Board]) -> None:
    for board in boards.values():
        joined = [end for ends in board.nets.values() for end in ends]
        assert len(joined) == len(set(joined))
        assert not board.loose & set(joined)
        pads = {(part.reference, pad.number) for part in board.parts for pad in part.footprint.pads}
        assert pads == board.loose | set(joined)


# files


def test_library_and_schematics_are_those_that_lie_there(boards: dict[str, Board]) -> None:
    for path, text in library(list(boards.values())).items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, path
    for board in boards.values():
        kept = HARDWARE / board.folder / f"{board.folder}.kicad_sch"
        assert kept.read_text(encoding="utf-8") == schematic(board)


def test_a_maker_of_boards_gets_every_part(seat_board: Board) -> None:
    parts = project(seat_board)["hardware/seat-board/parts.csv"]
    assert '"R1,R3",Resistor 330 Ω,R_1206,"1206, 1 %",2\n' in parts
    assert "TP1" not in parts
    assert sorted(["R10", "R2"], key=sort_key) == ["R2", "R10"]


def listed(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader((HARDWARE / path).read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize(
    ("folder", "build", "references"),
    [
        ("seat-board", "assembly", "C1-4 D1-4 F1 Q1 R1-4 U3"),
        ("centre-board", "assembly-full", "C1-3 D1-2 R1-6 U1"),
        ("centre-board", "assembly-compact", "C1-7 D1-10 F1 R1-23 U1-2"),
    ],
)
def test_a_board_house_gets_what_it_places_in_each_build(folder: str, build: str, references: str) -> None:
    wanted: set[str] = set()
    for name in references.split():
        first, _, last = name[1:].partition("-")
        wanted |= {f"{name[0]}{number}" for number in range(int(first), int(last or first) + 1)}
    parts = listed(f"{folder}/{build}/parts.csv")
    assert {each for row in parts for each in row["Designator"].split(",")} == wanted
    assert all(row["Manufacturer Part Number"] for row in parts), parts
    numbers = [row["Manufacturer Part Number"] for row in parts]
    assert len(set(numbers)) == len(numbers)
    # as KiCad exports them from the layout
    places = {row["Ref"]: row for row in listed(f"{folder}/positions.csv")}
    positions = listed(f"{folder}/{build}/positions.csv")
    assert {row["Designator"] for row in positions} == wanted
    for row in positions:
        place = places[row["Designator"]]
        assert float(row["Mid X"].removesuffix("mm")) == pytest.approx(float(place["PosX"]), abs=0.001)
        assert float(row["Mid Y"].removesuffix("mm")) == pytest.approx(float(place["PosY"]), abs=0.001)
        assert float(row["Rotation"]) % 360 == pytest.approx(float(place["Rot"]) % 360)
        assert (row["Layer"], place["Side"]) == ("Top", "top")


def test_words_with_quotes_stay_words() -> None:
    assert to_text(node("descr", Quoted('5 V, "both ways" \\'))) == '(descr "5 V, \\"both ways\\" \\\\")'


def test_a_body_is_closed() -> None:
    text = step("box", [Box((-1, -2, 1, 2), 0, 3, "#102030"), Box((0, 0, 1, 1), 3, 4, "#ffffff")])
    uses = Counter(re.findall(r"ORIENTED_EDGE\('',\*,\*,(#\d+),(\.[TF]\.)\)", text))
    edges = {edge for edge, _ in uses}
    assert len(edges) == 24
    # each edge once in each direction
    assert all(uses[edge, sense] == 1 for edge in edges for sense in (".T.", ".F."))
    numbers = re.findall(r"^#(\d+)=", text, re.MULTILINE)
    assert numbers == [str(n + 1) for n in range(len(numbers))]


def test_a_layout_stays_as_it_lies_there_until_it_is_made_from_something_else(seat_board: Board) -> None:
    there = HARDWARE / "seat-board" / "seat-board.kicad_pcb"
    assert make_layout(seat_board, there) == (there.read_bytes(), False)
    content, unfilled = make_layout(replace(with_nets(seat_board, "BASE"), title="Another board"), there)
    assert unfilled
    assert b"Another board" in content


def test_what_kicad_makes_is_freed_of_dates() -> None:
    said = "%TF.CreationDate,2026-11-25T10:00:00+00:00*%\nG04 Created by KiCad (PCBNEW 9.0.2) date 2026*\nD10*\n"
    assert strip_dates(said) == "D10*\n"


@pytest.mark.parametrize("folder", ["seat-board", "centre-board"])
def test_a_board_is_shown_without_its_bodies_and_with_all_its_words(folder: str) -> None:
    whole = (HARDWARE / folder / f"{folder}.kicad_pcb").read_text(encoding="utf-8")
    bare = without_bodies(whole)
    assert whole.count('(model "') > bare.count('(model "') == 0
    assert bare.count("(") == bare.count(")")
    for word in ("(gr_text ", "(fp_text ", "(property ", "(pad ", "(zone"):
        assert bare.count(word) == whole.count(word)


def test_without_kicad_it_says_so(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for path in HARDWARE.glob("*.toml"):
        (tmp_path / "hardware").mkdir(exist_ok=True)
        (tmp_path / "hardware" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "setup-kicad").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    (tmp_path / "scripts" / "setup-kicad").chmod(0o755)
    assert main(["--check"], tmp_path) == 1
    assert capsys.readouterr().err == "There is no KiCad to look at the boards with.\n"
