"""The digital self-test of the MFRC522 (data sheet 16.1.1): the writes after a soft reset, and the 64 bytes that a
healthy chip then has in its FIFO, by its version. Copies of the chip that work well may give other bytes."""

from tapshared import rc522

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from tapshared.rc522_talk import ChipBus

_POLL_US = 1000  # the data sheet doesn't say how long it takes
_MAX_POLLS = 20
BUFFER = bytes(25)  # the contents of the chip's buffer: into the FIFO, before WRITES
WRITES = (
    (rc522.COMMAND_REG, rc522.MEM),
    (rc522.AUTO_TEST_REG, 0x09),
    (rc522.FIFO_DATA_REG, 0x00),
    (rc522.COMMAND_REG, rc522.CALC_CRC),
)

EXPECTED = {
    0x91: (
        b"\x00\xc6\x37\xd5\x32\xb7\x57\x5c\xc2\xd8\x7c\x4d\xd9\x70\xc7\x73"
        b"\x10\xe6\xd2\xaa\x5e\xa1\x3e\x5a\x14\xaf\x30\x61\xc9\x70\xdb\x2e"
        b"\x64\x22\x72\xb5\xbd\x65\xf4\xec\x22\xbc\xd3\x72\x35\xcd\xaa\x41"
        b"\x1f\xa7\xf3\x53\x14\xde\x7e\x02\xd9\x0f\xb5\x5e\x25\x1d\x29\x79"
    ),
    0x92: (
        b"\x00\xeb\x66\xba\x57\xbf\x23\x95\xd0\xe3\x0d\x3d\x27\x89\x5c\xde"
        b"\x9d\x3b\xa7\x00\x21\x5b\x89\x82\x51\x3a\xeb\x02\x0c\xa5\x00\x49"
        b"\x7c\x84\x4d\xb3\xcc\xd2\x1b\x81\x5d\x48\x76\xd5\x71\x61\x21\xa9"
        b"\x86\x96\x83\x38\xcf\x9d\x5b\x6d\xdc\x15\xba\x3e\x7d\x95\x3b\x2f"
    ),
}


def run(bus: "ChipBus") -> "Generator[int, None, bytes]":
    """Run the chip's self-test. Returns the bytes in its FIFO; the chip needs a reset afterwards."""
    bus.write_fifo(BUFFER)
    bus.write([rc522.write_transfer(register, value) for register, value in WRITES])
    level = 0
    for _ in range(_MAX_POLLS):
        level = bus.read(rc522.FIFO_LEVEL_REG)
        if level >= rc522.FIFO_BYTES:
            break
        yield _POLL_US
    return bus.read_fifo(min(level, rc522.FIFO_BYTES))
