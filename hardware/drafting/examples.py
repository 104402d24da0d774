"""The examples of ``table.toml``: the templates in ``hardware/examples`` with the places of the description filled
in."""

from __future__ import annotations

import re

from drafting.builds import Build
from drafting.circuit import Role
from drafting.parts import DescriptionError

_NAME = re.compile(r"@(\w+)@")


def example(build: Build, template: str) -> str:
    """A template with each `@NAME@` replaced by the place of the pin of that name: a `gpio:` or an `spi:` place. Raises
    DescriptionError for an unknown name."""
    places = {role.name: _place(role) for role in build.circuit(build.seats[-1]).roles}

    def fill_in(found: re.Match[str]) -> str:
        if found[1] not in places:
            raise DescriptionError(f"hardware/examples/{build.key}.toml: no pin is named {found[1]}.")
        return places[found[1]]

    return _NAME.sub(fill_in, template)


def _place(role: Role) -> str:
    """The place in the form of the table's configuration."""
    if found := re.fullmatch(r"SPI(\d) CE(\d)", role.needs):
        return f"spi:{found[1]}.{found[2]}"
    return f"gpio:{role.at.pin.removeprefix('GPIO')}"
