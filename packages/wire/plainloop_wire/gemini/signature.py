"""Thought signatures: opaque to the client, bound to model and call, checked when they return."""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Any, Final

import orjson

from ..api import WireError, load_api

_API: Final = load_api("gemini")

# Google's documented dummies for histories that another model wrote.
_SKIPS: Final = (b"skip_thought_signature_validator", b"context_engineering_is_the_way_to_go")


def is_third_generation(model: str) -> bool:
    """Return whether a model is Gemini 3 or later.

    Clients must then send back signatures.
    """
    generation = model.removeprefix("gemini-")[:1]
    return model.startswith("gemini-") and generation.isdigit() and int(generation) >= 3


def sign(model: str, account: str, name: str, arguments: Any) -> str:
    """Sign a tool call, so that its signature is valid only for this call.

    It is bound to the model, the account, the tool's name and the arguments.

    Source of the account: badrisnarayanan/antigravity-claude-proxy #18 and decolua/9router #4136,
    where a signature of another account or model is refused as corrupted.
    """
    content = orjson.dumps([model, account, name, arguments], option=orjson.OPT_SORT_KEYS)
    return base64.b64encode(b"\x12" + hashlib.sha512(content).digest()).decode()


def check_signature(signature: str, model: str, account: str, name: str, arguments: Any) -> None:
    """Check that a call's signature fits the call, model and account.

    Raises: WireError.
    """
    try:
        # The SDK writes bytes in the URL-safe alphabet, the API in the plain one.
        plain = signature.replace("-", "+").replace("_", "/")
        value = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error as e:
        raise _API.refuse("signature_no_base64") from e
    if value not in _SKIPS and value != base64.b64decode(sign(model, account, name, arguments)):
        raise WireError(400, "Corrupted thought signature.")
