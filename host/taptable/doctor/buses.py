"""The settings in the Pi's config.txt, as the Pi's firmware reads them at its start, and the advice for a bus that
isn't there. Drivers use it; it must not know which parts a table has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from taptable.doctor.computer import Computer

BOOT_CONFIG_FILE = "/boot/firmware/config.txt"
_OLD_FILE = "/boot/config.txt"
"""The place of config.txt, now and before bookworm."""

_MODELS: Mapping[str, tuple[str, ...]] = {
    "pi0": ("Pi Zero",),
    "pi0w": ("Pi Zero W", "Pi Zero 2 W"),
    "pi02": ("Pi Zero 2 W",),
    "pi3": ("Pi 3", "Compute Module 3"),
    "pi3+": ("Pi 3 Model A Plus", "Pi 3 Model B Plus"),
    "pi4": ("Pi 4", "Compute Module 4"),
    "pi5": ("Pi 5", "Compute Module 5"),
    "pi400": ("Pi 400",),
    "pi500": ("Pi 500",),
    "cm4": ("Compute Module 4",),
    "cm5": ("Compute Module 5",),
}
"""The sections of config.txt that hold for some models only, with the parts of these models' names."""

_ALIASES = {"i2c": "i2c_arm", "i2c_baudrate": "i2c_arm_baudrate"}
"""The full names of dtparams that have a short one."""


@dataclass(frozen=True, slots=True)
class BootConfig:
    """The settings in config.txt. `params` are the dtparams by name, with ``on`` for a bare one; `overlays` are the
    names of the dtoverlays."""

    params: Mapping[str, str]
    overlays: frozenset[str]

    def is_on(self, param: str) -> bool:
        """Return whether this is switched on."""
        return self.params.get(param, "off") in ("on", "true", "yes", "1", "y")


def read_boot(computer: Computer) -> BootConfig:
    """Return the settings in config.txt, none if there is no such file. Sections with other conditions than the model
    are left out."""
    params: dict[str, str] = {}
    overlays: set[str] = set()
    for key, value in _boot_settings(computer):
        if key == "dtoverlay":
            overlays.add(value.partition(",")[0])
        elif key == "dtparam":
            for setting in value.split(","):
                name, _, state = setting.partition("=")
                params[_ALIASES.get(name, name)] = state or "on"
    return BootConfig(params, frozenset(overlays))


def _boot_settings(computer: Computer) -> Iterator[tuple[str, str]]:
    text = computer.text(BOOT_CONFIG_FILE) or computer.text(_OLD_FILE) or ""
    holds = True
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if line.startswith("["):
            holds = _section_applies(line.strip("[]").lower(), computer.model or "")
        elif holds and "=" in line:
            key, _, value = line.partition("=")
            yield key.strip(), value.strip()


def _section_applies(section: str, model: str) -> bool:
    return section == "all" or any(name in model for name in _MODELS.get(section, ()))


REBOOT_ADVICE = "It is switched on in config.txt, so it is there after a restart: `sudo reboot`."
"""The advice for a bus that is configured and isn't there yet."""


def boot_line_advice(line: str) -> str:
    """Return the advice for a line that is missing in config.txt."""
    return f"Add the line {line} to {BOOT_CONFIG_FILE}, then `sudo reboot`."
