"""HTTP responses and request bodies that all servers of the project share (the page's, the demo's, the league's): files
of a folder, values with an ETag, and JSON bodies. It must not know what they contain."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from taptable.core.json_text import NotJson, parse_json

MAX_DISCARDED_BYTES = 4_194_304
"""Bytes of an oversized body that are read before it is refused: a client that is still sending doesn't read the
response."""

TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
}
"""The content type for each suffix of a file; files with other suffixes are not served."""

_SAFE_PATH = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*")
"""A path without an empty or hidden part, and so without ``..``."""


def file_response(folder: Path, path: str, request: Request) -> Response:
    """Return a file in or below a folder; 404 for a path that leads outside it, by dots or a link."""
    if not _SAFE_PATH.fullmatch(path):
        return not_found()
    try:
        file = (folder / path).resolve()
        if file.suffix not in TYPES or not file.is_relative_to(folder.resolve()) or not file.is_file():
            return not_found()
        return etag_response(file.read_bytes(), file.suffix, request)
    except OSError:  # a name too long, or no permission to read
        return not_found()


def etag_response(data: bytes, suffix: str, request: Request) -> Response:
    """Return data with the type of a suffix; 304 if the browser has the same already."""
    tag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    return Response(data, headers={"ETag": tag, "Content-Type": TYPES[suffix]})


def json_bytes(value: Any) -> bytes:
    """Return a value as JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def not_found() -> Response:
    """Return the response for what doesn't exist."""
    return PlainTextResponse("There is nothing here.\n", 404)


async def read_json_body(request: Request, max_bytes: int) -> bytes | Response:
    """Return a body of at most `max_bytes` that is declared as JSON, which no form of another site can do; else the
    refusal."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return PlainTextResponse("This takes JSON.\n", 415, {"Connection": "close"})
    body = bytearray()
    length = 0
    try:
        async for piece in request.stream():
            length += len(piece)
            if length <= max_bytes:
                body += piece
            elif length > MAX_DISCARDED_BYTES:
                break
    except ClientDisconnect:
        return PlainTextResponse("", 400)  # nobody reads it
    if length > max_bytes:
        return PlainTextResponse(f"This takes {max_bytes} bytes at most.\n", 413, {"Connection": "close"})
    return bytes(body)


def parse_json_object(body: bytes) -> dict[str, Any] | None:
    """Return the JSON object in a body; None if there is none."""
    try:
        message: Any = parse_json(body)
    except NotJson:
        return None
    return cast("dict[str, Any]", message) if isinstance(message, dict) else None
