"""The fields of a generateContent request, as tables.

The API reads protobuf JSON, so each name may come as camelCase or as snake_case.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

from ..strict import Path, Shape, as_object, check_shape

KNOWN_MODEL: Final = re.compile(r"gemini-|gemma-|learnlm-")
TOOL_NAME: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")

REQUEST: Final[Shape] = {
    "cachedContent": "string",
    "generationConfig": "object",
    "labels": "object",
    "model": "string",
    "safetySettings": "array",
    "serviceTier": "string",
    "store": "boolean",
    "systemInstruction": "object",
    "toolConfig": "object",
    "tools": "array",
}
GENERATION: Final[Shape] = {
    "audioTimestamp": "boolean",
    "candidateCount": "integer",
    "enableEnhancedCivicAnswers": "boolean",
    "frequencyPenalty": "number",
    "imageConfig": "object",
    "logprobs": "integer",
    "maxOutputTokens": "integer",
    "mediaResolution": "string",
    "presencePenalty": "number",
    "responseJsonSchema": "any",
    "responseLogprobs": "boolean",
    "responseMimeType": "string",
    "responseModalities": "array",
    "responseSchema": "object",
    "seed": "integer",
    "speechConfig": "object",
    "stopSequences": "array",
    "temperature": "number",
    "thinkingConfig": "object",
    "topK": "number",
    "topP": "number",
}
CONTENT: Final[Shape] = {"role": "string", "parts": "array"}
PART: Final[Shape] = {
    "codeExecutionResult": "object",
    "executableCode": "object",
    "fileData": "object",
    "functionCall": "object",
    "functionResponse": "object",
    "inlineData": "object",
    "mediaResolution": "any",
    "partMetadata": "object",
    "text": "string",
    "thought": "boolean",
    "thoughtSignature": "string",
    "videoMetadata": "object",
}
DATA: Final = (
    "codeExecutionResult",
    "executableCode",
    "fileData",
    "functionCall",
    "functionResponse",
    "inlineData",
    "text",
)
CALL: Final[Shape] = {"id": "string", "name": "string", "args": "object"}
RESPONSE: Final[Shape] = {
    "id": "string",
    "name": "string",
    "response": "object",
    "parts": "array",
    "scheduling": "string",
    "willContinue": "boolean",
}
TOOL: Final[Shape] = {
    "codeExecution": "object",
    "computerUse": "object",
    "functionDeclarations": "array",
    "googleMaps": "object",
    "googleSearch": "object",
    "googleSearchRetrieval": "object",
    "urlContext": "object",
}
DECLARATION: Final[Shape] = {
    "behavior": "string",
    "description": "string",
    "name": "string",
    "parameters": "object",
    "parametersJsonSchema": "any",
    "response": "object",
    "responseJsonSchema": "any",
}
# `parameters` and `responseSchema` take this subset of OpenAPI, not JSON Schema.
SCHEMA: Final[Shape] = {
    "additionalProperties": "any",
    "anyOf": "array",
    "default": "any",
    "description": "string",
    "enum": "array",
    "example": "any",
    "format": "string",
    "items": "object",
    "maxItems": "any",
    "maxLength": "any",
    "maxProperties": "any",
    "maximum": "number",
    "minItems": "any",
    "minLength": "any",
    "minProperties": "any",
    "minimum": "number",
    "nullable": "boolean",
    "pattern": "string",
    "properties": "object",
    "propertyOrdering": "array",
    "required": "array",
    "title": "string",
    "type": "string",
}


def read_fields(value: Any, path: Path, shape: Shape, required: Shape | None = None) -> Any:
    """The object with camelCase keys and without nulls. Raises: ShapeError."""
    named = value
    if isinstance(value, dict):
        named = {to_camel(key): item for key, item in as_object(cast(Any, value)).items()}
    checked = check_shape(named, path, required or {}, shape)
    return {key: item for key, item in checked.items() if item is not None}


def to_camel(name: str) -> str:
    """
    >>> to_camel("parameters_json_schema"), to_camel("functionCall")
    ('parametersJsonSchema', 'functionCall')
    """
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)
