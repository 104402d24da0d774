"""Which pin of the Pico leads where, by GPIO number, and what hangs on it. Made by scripts/hardware from
hardware/seat_board.toml: change it there."""

SPI_ID = 0
SPI_SCK = 18
SPI_MOSI = 19
SPI_MISO = 16
READER_CS = 17
READER_RST = 20
RING = 22
BUTTON = 14
LAMP = 12

SPI_HZ = 4_000_000
PIXELS = 12
QUIET_SUPPLY = 23
