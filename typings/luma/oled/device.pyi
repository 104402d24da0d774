"""What taptable uses of luma.oled.device 3.16."""

from luma.core.device import device

class ssd1306(device):
    _colstart: int

class ssd1309(ssd1306): ...

class sh1106(device):
    _page_address_offset: int

class sh1107(device): ...
class ch1115(device): ...
