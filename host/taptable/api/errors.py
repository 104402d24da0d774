"""The errors by which the table refuses a client's request: the context, key and facts of a sentence in the catalogues,
so that each client shows it in its own language. On the wire it is the ``data`` of a JSON-RPC error. Must not know the
requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from taptable.api.rpc import RpcError, RpcMessage, Trouble
from taptable.core.errors import TaptableError
from taptable.core.sentences import Sentences
from taptable.memory.deck import DeckFault, DeckFaults
from taptable.words import Words

REQUEST_REFUSED = 1
"""The JSON-RPC code of every `RequestError`; all other codes are those of the standard."""


class RequestError(TaptableError):
    """A request that the table refuses. A fact may itself be a `RequestError`, or `DeckFaults`."""

    def __init__(self, context: str, key: str, /, **facts: object) -> None:
        self.context = context
        self.key = key
        self.facts: Mapping[str, object] = facts
        super().__init__(self.text(Words("en")))

    def text(self, words: Words) -> str:
        """Return the sentence in a language, with a capital letter."""
        sentence = words.text(
            self.context, self.key, {name: _fact_in_words(fact, words) for name, fact in self.facts.items()}
        )
        return sentence[:1].upper() + sentence[1:]


def error_data(error: RequestError) -> dict[str, Any]:
    """Return the error as a JSON value; `error_from_data` is the inverse."""
    facts = {name: _encode_fact(fact) for name, fact in error.facts.items()}
    return {"context": error.context, "key": error.key, "facts": facts}


def error_from_data(data: Any) -> RequestError:
    """Return the error in a JSON value; any value of another form becomes the general error ``failed``."""
    match data:
        case {"context": str(context), "key": str(key), "facts": facts}:
            return RequestError(context, key, **{name: _decode_fact(value) for name, value in facts.items()})
        case _:
            return RequestError("live", "failed")


def result_or_raise(message: RpcMessage) -> dict[str, Any]:
    """Return the result in a response. Raises `RequestError` or `RpcError` if it contains an error."""
    error = message.error
    if isinstance(error, Trouble):
        raise (
            error_from_data(error.data)
            if error.code == REQUEST_REFUSED
            else RpcError(error.code, error.message, error.data)
        )
    return msgspec.json.decode(message.result)


def _fact_in_words(fact: object, words: Words) -> object:
    match fact:
        case RequestError() | DeckFaults():
            return fact.text(words)
        case _:
            return fact


def _encode_fact(fact: object) -> Any:
    match fact:
        case RequestError():
            return error_data(fact)
        case DeckFaults():
            faults = [[each.code, dict(each.facts), each.line, each.key] for each in fact.faults]
            return {"faults": faults, "count": fact.count}
        case Sentences():
            return {"by_language": [list(pair) for pair in fact.by_language]}
        case tuple():
            return [_encode_fact(each) for each in cast("tuple[object, ...]", fact)]
        case _:
            return fact


def _decode_fact(value: Any) -> object:
    match value:
        case {"context": _, "key": _, "facts": _}:
            return error_from_data(value)
        case {"faults": faults, "count": int(count)}:
            return DeckFaults("", [DeckFault(*each) for each in faults], count)
        case {"by_language": pairs}:
            return Sentences(tuple((language, sentence) for language, sentence in pairs))
        case list():
            return tuple(_decode_fact(each) for each in cast("list[Any]", value))
        case _:
            return value
