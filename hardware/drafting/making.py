"""Everything that is made from the description, and whether what lies there is what would be made now."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from drafting.builds import Description, read_description
from drafting.firmware_pins import firmware_pins

ROOT = Path(__file__).resolve().parents[2]


def made(description: Description) -> Mapping[str, str]:
    """The text of every generated file, by its path from the root."""
    return {"firmware/seatboard/pins.py": firmware_pins(description.seat_board)}


def main() -> int:
    """Make or check everything."""
    parser = argparse.ArgumentParser(prog="scripts/hardware", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, say what is out of date")
    arguments = parser.parse_args()
    wanted = made(read_description(ROOT / "hardware"))
    stale = [path for path, text in wanted.items() if not _is(ROOT / path, text)]
    if arguments.check:
        print("".join(f"{path} is out of date: run scripts/hardware\n" for path in stale), end="")
        return 1 if stale else 0
    for path in stale:
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(wanted[path], encoding="utf-8")
    print(f"{len(wanted)} files, {len(stale)} of them new or changed")
    return 0


def _is(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
