# What taptable uses of mfrc522 0.0.7, which brings no types of its own.

from typing import Any

from spidev import SpiDev

class MFRC522:
    MI_OK: int
    MI_ERR: int
    PICC_REQIDL: int
    spi: SpiDev
    def __init__(
        self,
        bus: int = ...,
        device: int = ...,
        spd: int = ...,
        pin_mode: int = ...,
        pin_rst: int = ...,
        debugLevel: str = ...,
    ) -> None: ...
    def Write_MFRC522(self, addr: int, val: int) -> None: ...
    def Read_MFRC522(self, addr: int) -> int: ...
    def Close_MFRC522(self) -> None: ...
    def MFRC522_Request(self, reqMode: int) -> tuple[int, Any]: ...
    def MFRC522_Anticoll(self) -> tuple[int, list[int]]: ...
    def MFRC522_SelectTag(self, serNum: list[int]) -> int: ...
