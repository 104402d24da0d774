"""The examples of ``table.toml``: the templates in ``hardware/examples`` with the places of the description filled
in."""

from __future__ import annotations

import re

from drafting.builds import Build
from drafting.circuit import Role
from drafting.parts import DescriptionError

_NAME = re.compile(r"@(\w+)@")


def example(build: Build, template: str) -> str:
    """A template with `@NAME@` replaced by where the pin of that name is: a `gpio:` or an `spi:` place.
    DescriptionError for a name that there is not."""
    places = {role.name: _place(role) for role in build.circuit(build.seats[-1]).roles}

    def fill_in(found: re.Match[str]) -> str:
        if found[1] not in places:
            raise DescriptionError(f"hardware/examples/{build.key}.toml: no pin is named {found[1]}.")
        return places[found[1]]

    return _NAME.sub(fill_in, template)


def _place(role: Role) -> str:
    """Where the table's configuration finds it."""
    if found := re.fullmatch(r"SPI(\d) CE(\d)", role.needs):
        return f"spi:{found[1]}.{found[2]}"
    return f"gpio:{role.at.pin.removeprefix('GPIO')}"
