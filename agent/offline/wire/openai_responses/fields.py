"""The fields of a Responses request and of its input items, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..api import load_api
from ..strict import Shape

_SHAPES: Final = load_api("openai_responses").shapes

REQUEST: Final = _SHAPES["request"]
_STATUS: Final[Shape] = {"status": "string"}
# Item type: (required fields, optional ones).
ITEMS: Final[Mapping[str, tuple[Shape, Shape]]] = {
    "message": (
        {"role": "string", "content": "string_or_array"},
        {"type": "string", "id": "string", "phase": "string", **_STATUS},
    ),
    "function_call": (
        {"type": "string", "call_id": "string", "name": "string", "arguments": "string"},
        {"id": "string", **_STATUS},
    ),
    "function_call_output": (
        {"type": "string", "call_id": "string", "output": "string_or_array"},
        {"id": "string", **_STATUS},
    ),
    "reasoning": (
        {"type": "string", "id": "string", "summary": "array"},
        {"content": "array", "encrypted_content": "string", **_STATUS},
    ),
    "item_reference": ({"type": "string", "id": "string"}, {}),
}
ROLES: Final = ("assistant", "system", "developer", "user")
PHASES: Final = ("commentary", "final_answer")
# What a role may say, in a message whose content is a list.
CONTENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "assistant": ("output_text", "refusal"),
    "system": ("input_text",),
    "developer": ("input_text",),
    "user": ("input_text", "input_image", "input_file"),
}
# The same for what is no text.
FILES: Final[Mapping[str, tuple[Shape, Shape]]] = {
    "input_image": ({"type": "string", "image_url": "string"}, {"detail": "string"}),
    "input_file": ({"type": "string", "file_data": "string", "filename": "string"}, {}),
}
TEXT_EXTRAS: Final[Shape] = {
    "annotations": "array",
    "logprobs": "array",
    "prompt_cache_breakpoint": "object",
}
INCLUDABLE: Final = (
    "file_search_call.results",
    "web_search_call.results",
    "web_search_call.action.sources",
    "message.input_image.image_url",
    "computer_call_output.output.image_url",
    "code_interpreter_call.outputs",
    "reasoning.encrypted_content",
    "message.output_text.logprobs",
)
ENCRYPTED: Final = "reasoning.encrypted_content"
