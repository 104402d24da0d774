"""Generated files: which of them are out of date, and putting them where they belong. What two machines don't make
alike to the last bit, such as a picture, says what it was made from, and is compared by that."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

_MADE_FROM = "Made from"


def stale(files: Mapping[str, bytes], existing: Iterable[Path], root: Path) -> list[str]:
    """The paths whose files differ from the generated ones, and those of `existing` that are generated no more."""
    found = [path for path, content in files.items() if not _has_content(root / path, content)]
    return found + [path for path in (each.relative_to(root).as_posix() for each in existing) if path not in files]


def update_files(files: Mapping[str, bytes], old: Iterable[str], root: Path, script: str, *, check: bool) -> int:
    """Write or take away what is old, and say how much; or, to check, say what it is. 1 if that is anything."""
    old = list(old)
    if check:
        print("".join(f"{path} is out of date: run {script}\n" for path in old), end="")
        return 1 if old else 0
    for path in old:
        if path in files:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(files[path])
        else:
            (root / path).unlink()
    print(f"{len(files)} files, {len(old)} of them new or changed")
    return 0


def _has_content(path: Path, content: bytes) -> bool:
    return path.exists() and path.read_bytes() == content


def png(image: Image.Image, source: str, colours: int) -> bytes:
    """A picture in `colours` colours that contains its source."""
    said, kept = PngInfo(), io.BytesIO()
    said.add_text(_MADE_FROM, source)
    reduced = image.convert("P", palette=Image.Palette.ADAPTIVE, colors=colours)
    reduced.save(kept, "PNG", pnginfo=said, optimize=True)
    return kept.getvalue()


def is_from(path: Path, source: str) -> bool:
    """Whether a picture is there, and was made from that."""
    if not path.exists():
        return False
    with Image.open(path) as image:
        return image.info.get(_MADE_FROM) == source
