"""Texts to vectors without a model: the same words give near vectors, on three wires."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import replace
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.types import ChatRequest

from . import gemini, ollama, openai_chat
from .api import WireError
from .call import WireCall, WireRequest, make_segment
from .ollama.decode import find_model
from .strict import Shape, check_shape

DEFAULT_SIZE: Final = 256
_WORD: Final = re.compile(r"\w+")
_STEM_CHARS: Final = 5  # "developer" and "developing" are near
_OPENAI: Final[Shape] = {"encoding_format": "string", "dimensions": "integer", "user": "string"}


def embed_text(text: str, size: int = DEFAULT_SIZE) -> list[float]:
    """Compute the unit vector of a text without a model.

    It is made from the first letters of the text's words.

    >>> sum(x * x for x in embed_text("a web developer"))  # doctest: +ELLIPSIS
    1.0...
    """
    vector = [0.0] * size
    for word in _WORD.findall(text.casefold()) or [""]:
        digest = hashlib.blake2b(word[:_STEM_CHARS].encode(), digest_size=8).digest()
        vector[int.from_bytes(digest, "big") % size] += 1.0
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector]


def _read_openai(body: dict[str, Any], wire: WireRequest) -> WireCall:
    check_shape(body, (), {"model": "string", "input": "string_or_array"}, _OPENAI)
    texts = _read_texts(body["input"])
    if not texts or not all(texts):
        raise WireError(400, "'$.input' is invalid.", param=None)
    if body.get("encoding_format") == "base64":
        raise WireError(
            400,
            "this test server does not send base64 embeddings: leave encoding_format out",
            param="encoding_format",
        )
    return _to_call(body["model"], texts, body.get("dimensions") or DEFAULT_SIZE)


def _read_gemini(body: dict[str, Any], wire: WireRequest) -> WireCall:
    asked = as_list(body.get("requests")) if wire.action == "batchEmbedContents" else [body]
    contents = [as_object(as_object(each).get("content")) for each in asked]
    texts = [
        "".join(as_object(part).get("text") or "" for part in as_list(content.get("parts")))
        for content in contents
    ]
    if not texts or not all(texts):
        raise WireError(400, "content contains an empty Part.")
    size = as_object(asked[0]).get("outputDimensionality") or DEFAULT_SIZE
    return _to_call(wire.path_model, texts, size, is_batch=wire.action == "batchEmbedContents")


def _read_ollama(body: dict[str, Any], wire: WireRequest) -> WireCall:
    find_model(body.get("model") or "", wire.rules)
    texts = _read_texts(body.get("input") or [])
    return _to_call(body["model"], texts, body.get("dimensions") or DEFAULT_SIZE)


def _read_texts(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else [str(text) for text in as_list(given)]


def _to_call(model: str, texts: list[str], size: int, *, is_batch: bool = True) -> WireCall:
    return WireCall(
        request=ChatRequest(system="", messages=[]),
        model=model,
        segments=tuple(make_segment(text) for text in texts),
        options={"texts": texts, "size": size, "is_batch": is_batch},
    )


def _embed(call: WireCall) -> list[list[float]]:
    return [embed_text(text, call.options["size"]) for text in call.options["texts"]]


def _to_openai(call: WireCall) -> dict[str, Any]:
    items = [
        {"object": "embedding", "index": index, "embedding": vector}
        for index, vector in enumerate(_embed(call))
    ]
    usage = {"prompt_tokens": call.tokens, "total_tokens": call.tokens}
    return {"object": "list", "data": items, "model": call.model, "usage": usage}


def _to_gemini(call: WireCall) -> dict[str, Any]:
    values = [{"values": vector} for vector in _embed(call)]
    return {"embeddings": values} if call.options["is_batch"] else {"embedding": values[0]}


def _to_ollama(call: WireCall) -> dict[str, Any]:
    return {"model": call.model, "embeddings": _embed(call), "prompt_eval_count": call.tokens}


OPENAI: Final = replace(openai_chat.DIALECT, read_call=_read_openai, to_embeddings=_to_openai)
GEMINI: Final = replace(gemini.DIALECT, read_call=_read_gemini, to_embeddings=_to_gemini)
OLLAMA: Final = replace(ollama.DIALECT, read_call=_read_ollama, to_embeddings=_to_ollama)
