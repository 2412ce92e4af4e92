"""The fields of a generateContent request, as tables.

The API reads protobuf JSON, so each name may come as camelCase or as snake_case.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

from plainloop.agent.base.text.foreign_json import as_object

from ..api import load_api
from ..strict import Path, Shape, check_shape

_API: Final = load_api("gemini")

KNOWN_MODEL: Final = re.compile(r"gemini-|gemma-|learnlm-")
TOOL_NAME: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")

REQUEST: Final = _API.shapes["request"]
GENERATION: Final = _API.shapes["generation"]
CONTENT: Final[Shape] = {"role": "string", "parts": "array"}
PART: Final = _API.shapes["part"]
DATA: Final = _API.lists["data"]
CALL: Final[Shape] = {"id": "string", "name": "string", "args": "object"}
RESPONSE: Final = _API.shapes["response"]
TOOL: Final = _API.shapes["tool"]
DECLARATION: Final = _API.shapes["declaration"]
# `parameters` and `responseSchema` take this subset of OpenAPI, not JSON Schema.
SCHEMA: Final = _API.shapes["schema"]


def read_fields(value: Any, path: Path, shape: Shape, required: Shape | None = None) -> Any:
    """Check the fields of an object and return it, with keys in camelCase.

    Fields that are null are left out. Raises: ShapeError.
    """
    named = value
    if isinstance(value, dict):
        named = {to_camel(key): item for key, item in as_object(cast(Any, value)).items()}
    checked = check_shape(named, path, required or {}, shape)
    return {key: item for key, item in checked.items() if item is not None}


def to_camel(name: str) -> str:
    """Convert a snake_case name to camelCase.

    camelCase stays as it is.

    >>> to_camel("parameters_json_schema"), to_camel("functionCall")
    ('parametersJsonSchema', 'functionCall')
    """
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)
