"""JSON-RPC 2.0, one message in each line: encodes and decodes lines. Must not know the methods."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from taptable.core.errors import TaptableError

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
"""The codes of the standard: no JSON; no request; a method that doesn't exist or isn't this role's; parameters that
aren't the method's; a bug of the table."""

LONGEST_LINE = 1_048_576
"""Maximum bytes of a line, its end included. A peer that sends more is disconnected."""

Id: TypeAlias = int | str | None
T = TypeVar("T")


class RpcError(TaptableError):
    """An error that the other side receives instead of a result."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class RpcCall(Struct, frozen=True):
    """A request; without an `id` a notification, which gets no response."""

    method: str
    jsonrpc: str = "2.0"
    params: Raw = Raw(b"{}")
    id: Id | UnsetType = UNSET


class Trouble(Struct, frozen=True, omit_defaults=True):
    """The error in a response."""

    code: int
    message: str
    data: Any = None


class RpcMessage(Struct, frozen=True):
    """Any message to a client: the response to the request with this `id`, or a notification."""

    jsonrpc: str = "2.0"
    id: Id = None
    method: str = ""
    params: Raw = Raw(b"{}")
    result: Raw = Raw(b"null")
    error: Trouble | UnsetType = UNSET


_call_decoder = msgspec.json.Decoder(RpcCall)
_message_decoder = msgspec.json.Decoder(RpcMessage)
_encoder = msgspec.json.Encoder()


def decode_call(line: bytes) -> RpcCall:
    """Decode a request. Raises `RpcError` if the line contains none."""
    try:
        call = _call_decoder.decode(line)
    except msgspec.ValidationError as error:
        raise RpcError(INVALID_REQUEST, f"this is no request: {error}") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RpcError(PARSE_ERROR, f"this is no JSON: {error}") from error
    if call.jsonrpc != "2.0":
        raise RpcError(INVALID_REQUEST, f"this is JSON-RPC 2.0, not {call.jsonrpc[:20]!r}")
    return call


def decode_params(method: str, params: bytes, kind: type[T]) -> T:
    """Decode the parameters of a method. Raises `RpcError` if they aren't the method's."""
    try:
        return msgspec.json.decode(params, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RpcError(INVALID_PARAMS, f"{method}: {error}") from error


def decode_message(line: bytes) -> RpcMessage:
    """Decode a message from a server. Raises `RpcError` for anything else."""
    try:
        return _message_decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RpcError(PARSE_ERROR, f"this is nothing that a table says: {error}") from error


def encode_call(number: int, method: str, params: Struct) -> bytes:
    """Encode a request as a line."""
    return encode_line({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def encode_result(number: Id, result: Any) -> bytes:
    """Encode a response with a result as a line."""
    return encode_line({"jsonrpc": "2.0", "id": number, "result": result})


def encode_error(number: Id, error: RpcError) -> bytes:
    """Encode a response with an error as a line."""
    return encode_line({"jsonrpc": "2.0", "id": number, "error": Trouble(error.code, str(error), error.data)})


def encode_notification(method: str, params: Any) -> bytes:
    """Encode a notification as a line."""
    return encode_line({"jsonrpc": "2.0", "method": method, "params": params})


def encode_line(value: Any) -> bytes:
    """Encode a value as a line."""
    return _encoder.encode(value) + b"\n"
