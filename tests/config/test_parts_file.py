"""``parts.toml``: which file wins, sentences with its name and lines, writing it whole, and parts that moved."""

from __future__ import annotations

from pathlib import Path

import pytest
from taptable.config import Config, InvalidConfig, InvalidParts, load_config
from taptable.config.parts_file import (
    AssignedParts,
    AssignedSeat,
    KnownDevice,
    known_devices,
    previous_of,
    relocate,
    text_of,
    twin_devices,
    write_parts,
)
from taptable.core.errors import ConfigError
from taptable.daemon.game_options import check_game
from taptable.drivers.interface import Address, FoundPart, PartRole

HEAD = '[table]\ndeck = "family"\n'
SEATS = "".join(f'[[seats]]\npad = "board:{name}"\nbutton = "board:{name}"\n' for name in "ab")
DISCARD = '[discard]\npad = "spi:0.0"\n'


def load(folder: Path, table: str, parts: str | None = None) -> Config:
    """The configuration in these two files."""
    (folder / "table.toml").write_text(table)
    if parts is not None:
        (folder / "parts.toml").write_text(parts)
    return load_config(folder / "table.toml", check_game)


def test_a_table_without_both_has_no_seats_yet(tmp_path: Path) -> None:
    config = load(tmp_path, HEAD)
    assert (config.seats, list(config.parts), config.assigned) == ((), [], None)
    assert config.parts_file == tmp_path / "parts.toml"


@pytest.mark.parametrize("game", ["online", "cyber-siege", "xnet"])
def test_every_game_can_be_configured_without_seats(tmp_path: Path, game: str) -> None:
    assert load(tmp_path, f'{HEAD}[game]\nname = "{game}"\n').seats == ()


def test_parts_come_from_the_state_folder(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "parts.toml").write_text(SEATS + DISCARD)
    config = load(tmp_path, f'{HEAD}journal = "state/journal.sqlite"\n')
    assert [str(seat.pad) for seat in config.seats] == ["board:a", "board:b"]
    assert str(config.discard.pad) == "spi:0.0"
    assert config.assigned is not None
    assert config.assigned.addresses == ("board:a", "board:b", "spi:0.0")


def test_each_section_of_table_toml_wins(tmp_path: Path) -> None:
    others = SEATS.replace("board:", "board:other-")
    assert str(load(tmp_path, HEAD + SEATS + DISCARD, "no TOML").seats[0].pad) == "board:a"
    config = load(tmp_path, HEAD + DISCARD, others + '[discard]\npad = "board:c"\n')
    assert (str(config.seats[0].pad), str(config.discard.pad)) == ("board:other-a", "spi:0.0")
    assert load(tmp_path, HEAD + SEATS, others + DISCARD).assigned is not None


def test_seats_need_a_discard_pad(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfig, match=r"table\.toml: \[discard\] is missing: write"):
        load(tmp_path, HEAD + SEATS)
    with pytest.raises(InvalidParts, match=r"parts\.toml: \[discard\] is missing"):
        load(tmp_path, HEAD, SEATS)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ("[[seats]\n", r"parts\.toml:1: column 8: this is no TOML"),
        ("", r"parts\.toml: .*"),
        (SEATS + DISCARD.replace("spi:0.0", "spi:7.0"), r'parts\.toml:8: \[discard\] pad can\'t be "spi:7\.0"'),
        (SEATS.replace('"board:b"', '"board:a"') + DISCARD, r'parts\.toml:5: seat 2, pad can\'t be "board:a"'),
        (f"{SEATS}{DISCARD}[game]\n", r"parts\.toml:9: \[game\] is no section"),
        (
            f'{SEATS}{DISCARD}[found."board:a"]\nnumber = "x"\n',
            r'parts\.toml:10: \[found\."board:a"\] number can\'t be',
        ),
    ],
)
def test_a_wrong_file_is_named_with_its_line(tmp_path: Path, parts: str, sentence: str) -> None:
    if not parts:  # an empty file names no parts
        assert load(tmp_path, HEAD, parts).seats == ()
        return
    with pytest.raises(InvalidParts, match=f"(?s){sentence}.*taptable seats"):
        load(tmp_path, HEAD, parts)
    assert load_config(tmp_path / "table.toml", check_game, with_parts=False).seats == ()


def test_both_files_are_wrong(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfig) as wrong:
        load(tmp_path, f"{HEAD}[page]\nport = 1\n", SEATS + DISCARD.replace("spi:0.0", "spi:7.0"))
    assert [sentence.partition(":")[0].rpartition("/")[2] for sentence in wrong.value.sentences] == [
        "table.toml",
        "parts.toml",
    ]
    assert not isinstance(wrong.value, InvalidParts)


def test_an_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "parts.toml").mkdir()
    with pytest.raises(InvalidParts, match=r"(?s)parts\.toml can't be read: Is a directory\..*Assign the parts"):
        load(tmp_path, HEAD)


# --- writing ---

BUZZ = [
    FoundPart(
        Address("board", f"{port}-{number}"),
        frozenset({PartRole.BUTTON}),
        f"Buzz! controller, button {number}",
        f"usb:{port}",
        number,
        "054c:0002",
    )
    for port in ("p1", "p2", "p3")
    for number in (1, 2)
]


def boards(*names: str, serial: bool = True) -> list[FoundPart]:
    """Boards that are plugged in: ``a@1`` is board a in socket 1, whose address is the board's."""
    found: list[FoundPart] = []
    for name in names:
        number, _, socket = name.partition("@")
        address = Address("board", number if serial else f"at-{socket}")
        roles = frozenset({PartRole.PAD, PartRole.BUTTON, PartRole.LAMP})
        found.append(FoundPart(address, roles, "", f"usb:{socket}", 1, "pico", number if serial else ""))
    return found


def assigned(found: list[FoundPart]) -> AssignedParts:
    """All of these, a seat each, the last one the discard pad."""
    addresses = [str(part.address) for part in found]
    seats = tuple(AssignedSeat(each, each, each) for each in addresses[:-1])
    return AssignedParts(seats, addresses[-1], known_devices(addresses, found))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    parts = assigned(boards("a@1", "b@2", "c@3"))
    write_parts(tmp_path / "parts.toml", text_of(parts))
    config = load(tmp_path, HEAD)
    assert config.assigned is not None
    assert config.assigned == parts
    assert text_of(config.assigned) == (tmp_path / "parts.toml").read_text()
    assert config.assigned.known["board:a"] == KnownDevice("usb:1", 1, "pico", "a", ("button", "lamp", "pad"))


def test_the_file_before_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "parts.toml"
    for text in ("first = 1\n", "second = 2\n", "second = 2\n"):
        write_parts(file, text)
    assert (file.read_text(), previous_of(file).read_text()) == ("second = 2\n", "first = 1\n")


@pytest.mark.parametrize("blocked", [".parts.toml.new", ".parts.toml.previous.new"])
def test_a_file_that_cant_be_written_changes_nothing(tmp_path: Path, blocked: str) -> None:
    file = tmp_path / "parts.toml"
    for text in ("earliest = 0\n", "first = 1\n"):
        write_parts(file, text)
    (tmp_path / blocked).mkdir()
    with pytest.raises(
        ConfigError, match=r"parts\.toml can't be written: .*\. The table keeps the parts that it had\."
    ):
        write_parts(file, "second = 2\n")
    assert (file.read_text(), previous_of(file).read_text()) == ("first = 1\n", "earliest = 0\n")


# --- parts that moved ---


def test_a_part_with_a_serial_number_is_found_in_any_socket() -> None:
    before = boards("a@1", "b@2", "c@3", serial=True)
    moved = [
        FoundPart(Address("board", f"new-{each.address.name}"), *_rest(each, f"usb:9{each.device}")) for each in before
    ]
    found = relocate(assigned(before), moved)
    assert found.moved == (("board:a", "board:new-a"), ("board:b", "board:new-b"), ("board:c", "board:new-c"))
    assert [seat.pad for seat in found.parts.seats] == ["board:new-a", "board:new-b"]
    assert (found.parts.discard, found.missing) == ("board:new-c", ())
    assert found.parts.known["board:new-a"].device == "usb:9usb:1"


def _rest(part: FoundPart, device: str) -> tuple[frozenset[PartRole], str, str, int, str, str]:
    return part.roles, part.label, device, part.number, part.product, part.serial


def test_the_only_one_that_is_missing_is_the_only_one_that_came() -> None:
    before = boards("a@1", "b@2", "c@3", serial=False)
    found = relocate(assigned(before), boards("a@1", "b@2", "c@7", serial=False))
    assert found.moved == (("board:at-3", "board:at-7"),)
    assert found.parts.discard == "board:at-7"


def test_two_that_are_missing_are_not_guessed() -> None:
    before = boards("a@1", "b@2", "c@3", serial=False)
    found = relocate(assigned(before), boards("a@1", "b@8", "c@7", serial=False))
    assert (found.moved, found.missing) == ((), ("board:at-2", "board:at-3"))
    one_missing_two_came = relocate(assigned(before), boards("a@1", "b@2", "c@7", "d@8", serial=False))
    assert (one_missing_two_came.moved, one_missing_two_came.missing) == ((), ("board:at-3",))


def test_another_serial_number_is_another_part() -> None:
    found = relocate(assigned(boards("a@1", "b@2", "c@3")), boards("a@1", "b@2", "d@3"))
    assert (found.moved, found.missing) == ((), ("board:c",))


def test_a_controller_moves_with_all_of_its_buttons() -> None:
    first, second, third = BUZZ[:2], BUZZ[2:4], BUZZ[4:]
    addresses = [str(part.address) for part in first + second]
    seats = tuple(AssignedSeat(f"board:pad-{each}", each) for each in addresses)
    parts = AssignedParts(seats, "", known_devices(addresses, BUZZ))
    found = relocate(parts, second + third)
    assert found.moved == (("board:p1-1", "board:p3-1"), ("board:p1-2", "board:p3-2"))
    assert [seat.button for seat in found.parts.seats] == ["board:p3-1", "board:p3-2", "board:p2-1", "board:p2-2"]
    assert relocate(parts, BUZZ).moved == ()


def test_a_reader_that_moved_on_its_bus_is_the_only_one_that_came() -> None:
    def readers(*channels: int) -> list[FoundPart]:
        roles = frozenset({PartRole.PAD})
        return [
            FoundPart(Address("board", f"ch{channel}"), roles, "", "i2c:1", number, "MFRC522")
            for number, channel in enumerate(channels, 1)
        ]

    before = assigned(readers(0, 1, 2))
    assert relocate(before, readers(0, 2, 5)).moved == (("board:ch1", "board:ch5"),)
    assert relocate(before, readers(2, 5, 6)).missing == ("board:ch0", "board:ch1")
    assert relocate(before, readers(0, 2, 5, 6)).missing == ("board:ch1",)
    assert relocate(before, readers(0, 2)).missing == ("board:ch1",)


def test_devices_that_only_their_sockets_distinguish_are_listed_by_make() -> None:
    def button(port: str, product: str, serial: str = "", number: int = 1) -> FoundPart:
        address = Address("input", f"{port}/BTN_{number}")
        return FoundPart(address, frozenset({PartRole.BUTTON}), "button", port, number, product, serial)

    found = [
        *(button(port, "054c:0002", number=number) for port in ("1-1.10", "1-1.2") for number in (1, 2)),
        *(button(port, "0079:0006", serial) for port, serial in (("1-2", "1"), ("1-3", "2"))),
        *(button(port, "1234:0001", "0000") for port in ("2-1", "2-2")),  # the maker gave all of them one number
        *(button(bus, "MFRC522") for bus in ("i2c:1", "i2c:3")),  # these are no plugs
        button("1-4", "0079:0007"),
    ]
    assert twin_devices(found) == (("1-1.2", "1-1.10"), ("2-1", "2-2"))
    assert twin_devices(map(KnownDevice.of, found)) == twin_devices(found)


def test_two_devices_with_serial_numbers_that_changed_places() -> None:
    def encoders(first: str, second: str) -> list[FoundPart]:
        roles = frozenset({PartRole.BUTTON})
        return [
            FoundPart(Address("board", f"{port}-1"), roles, "", port, 1, "encoder", serial)
            for port, serial in (("p1", first), ("p2", second))
        ]

    addresses = ["board:p1-1", "board:p2-1"]
    seats = tuple(AssignedSeat(f"board:pad-{each}", each) for each in addresses)
    parts = AssignedParts(seats, "", known_devices(addresses, encoders("s1", "s2")))
    found = relocate(parts, encoders("s2", "s1"))
    assert [seat.button for seat in found.parts.seats] == ["board:p2-1", "board:p1-1"]
    assert relocate(found.parts, encoders("s2", "s1")).moved == ()


def test_parts_that_no_driver_finds_are_left_alone() -> None:
    parts = AssignedParts((AssignedSeat("spi:0.0", "gpio:4"), AssignedSeat("spi:0.1", "gpio:5")), "spi:1.0", {})
    assert relocate(parts, boards("a@1")).parts == parts
