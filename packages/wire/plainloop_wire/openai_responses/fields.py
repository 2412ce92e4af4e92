"""The fields of a Responses request and of its input items, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..api import load_api
from ..strict import Shape

_API: Final = load_api("openai_responses")

REQUEST: Final = _API.shapes["request"]
OBJECTS: Final = _API.objects
ITEMS: Final = ("message", "function_call", "function_call_output", "reasoning", "item_reference")
ROLES: Final = ("assistant", "system", "developer", "user")
PHASES: Final = ("commentary", "final_answer")
# What a role may say, in a message whose content is a list.
CONTENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "assistant": ("output_text", "refusal"),
    "system": ("input_text",),
    "developer": ("input_text",),
    "user": ("input_text", "input_image", "input_file"),
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
