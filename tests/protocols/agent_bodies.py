"""Bodies as coding agents and newer programs send them in November 2026, after their sources, their
documentation and public reports. The other files have older programs.
"""

from __future__ import annotations

from typing import Any, Final

from tests.protocols.more_bodies import FLAT_TOOL, ITEMS, OWN, SYSTEM
from tests.protocols.program_bodies import BE, FLAT, FORMAT, HI, PARTS, TOOLS, USAGE

LARK: Final[Any] = {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"}
PATCH: Final[Any] = {"type": "custom", "name": "apply_patch", "description": "x", "format": LARK}
PATCHED: Final[Any] = [
    {"type": "custom_tool_call", "call_id": "c1", "name": "apply_patch", "input": "*** Begin"},
    {"type": "custom_tool_call_output", "call_id": "c1", "output": "patched a.txt"},
]
# A mixed list, whatever serves it: https://github.com/CommandCodeAI/command-code/issues/885
MIXED: Final[Any] = [
    FLAT_TOOL,
    PATCH,
    {"type": "web_search", "external_web_access": False},
    {"type": "namespace", "name": "mcp__notes", "tools": [FLAT_TOOL]},
    {"type": "image_generation", "output_format": "png"},
]
ELSEWHERE: Final[Any] = [
    {"type": "reasoning", "summary": [], "encrypted_content": "x"},
    *PATCHED,
    {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "x"}},
    {"type": "local_shell_call", "call_id": "c2", "status": "completed", "action": {}},
    {"type": "local_shell_call_output", "id": "c2", "output": "a.txt"},
    {"role": "assistant", "content": [{"type": "output_text", "text": "Done."}]},
]
CODEX: Final[Any] = {
    "instructions": "You are a coding agent.",
    "tool_choice": "auto",
    "parallel_tool_calls": True,
    "reasoning": {"effort": "medium", "summary": "auto"},
    "store": False,
    "stream": True,
    "include": ["reasoning.encrypted_content"],
    "prompt_cache_key": "0198",
    "service_tier": "priority",
    "text": {"verbosity": "low"},
}
CHAT: Final[dict[str, dict[str, Any]]] = {
    "a tool of the vendor's beside one's own": {
        "tools": [*TOOLS, {"type": "web_search_preview"}, {"type": "custom", "custom": {}}],
        "tool_choice": "auto",
    },
    "Cursor, tools without a type": {
        "tools": [{"name": "look", "description": "x", "input_schema": {"type": "object"}}],
        "tool_choice": {"type": "auto"},
        "stream": True,
    },
    "a prompt alone": {"messages": [BE], **FLAT, "stream": True, "stream_options": USAGE},
    "a client of Mistral's that wants a call": {"tools": TOOLS, "tool_choice": "any"},
    # @ai-sdk/openai-compatible passes on what its program's options say.
    "OpenCode": {
        "messages": [BE, PARTS],
        "max_tokens": 32000,
        "tools": TOOLS,
        "tool_choice": "auto",
        "stream": True,
        "stream_options": USAGE,
        "promptCacheKey": "k",
        "reasoningSummary": "auto",
    },
    "llama.cpp's page": {
        "messages": [BE, HI],
        "stream": True,
        "reasoning_format": "auto",
        "dynatemp_range": 0,
        "dynatemp_exponent": 1,
        "xtc_probability": 0,
        "typ_p": 1,
        "dry_penalty_last_n": -1,
        "samplers": ["top_k", "temperature"],
        "max_tokens": -1,
        "timings_per_token": True,
    },
    "SillyTavern, an answer goes on": {
        "messages": [BE, HI, {"role": "assistant", "content": "Once"}, BE],
        "stop": [],
        "n": 1,
        "reasoning_effort": "min",
        "verbosity": "auto",
    },
    "SillyTavern, sample talks": {
        "messages": [BE, {**BE, "name": "example_user"}, {**BE, "name": "example_assistant"}, HI]
    },
    "Zed": {
        "messages": [BE, PARTS],
        "stream": True,
        "stream_options": USAGE,
        "tools": TOOLS,
        "parallel_tool_calls": True,
        "reasoning_effort": "xhigh",
        "prompt_cache_key": "k",
    },
    "Roo Code": {
        "messages": [BE, PARTS],
        "temperature": 0,
        "tools": TOOLS,
        "parallel_tool_calls": True,
        "metadata": {"mode": "code", "taskId": "t"},
        "max_completion_tokens": 4096,
        "verbosity": "low",
    },
    "Continue": {
        "messages": [BE, HI],
        "stream": True,
        "tools": TOOLS,
        "prediction": {"type": "content", "content": "x"},
        "reasoning": {"max_tokens": 2048},
    },
    "Postman's sample": {
        "messages": [{**BE, "role": "developer"}, HI],
        "logit_bias": {},
        "logprobs": False,
        "tools": [],
        "tool_choice": "none",
        "response_format": {"type": "text"},
        "user": "user-1234",
    },
    "Perplexica": {"messages": [BE, HI], "temperature": 0, "response_format": FORMAT},
    "Langflow": {"temperature": 0.1, "seed": 1, "max_retries": 5, "model_kwargs": {}},
    "Msty Studio": {**FLAT, "think": False, "keep_alive": -1, "num_ctx": 4096, "extra_params": {}},
    "BoltAI": {**FLAT, "user": "BoltAI", "max_completion_tokens": 4096, "store": False},
    "TypingMind": {**FLAT, "reasoning_effort": "", "plugins": [], "tools": TOOLS},
}
CURSOR: Final[dict[str, Any]] = {
    "user": "google-oauth2|1",
    "input": ITEMS,
    "tools": [FLAT_TOOL, {**PATCH, "name": "ApplyPatch"}],
    "tool_choice": "auto",
    "stream": True,
    "stream_options": USAGE,
    "store": False,
    "reasoning": {"effort": "medium", "summary": "auto"},
    "include": ["reasoning.encrypted_content"],
    "text": {"verbosity": "low"},
    "metadata": {"cursorConversationId": "c"},
    "truncation": "disabled",
}
RESPONSES: Final[dict[str, dict[str, Any]]] = {
    "Codex": {**CODEX, "input": ITEMS, "tools": MIXED},
    "Codex, with another's history": {**CODEX, "input": [*ITEMS, *ELSEWHERE, HI], "tools": MIXED},
    "Codex, after a patch": {**CODEX, "input": [*ITEMS, *PATCHED], "tools": MIXED},
    "Home Assistant": {
        "input": ITEMS,
        "instructions": "Be.",
        "tools": [FLAT_TOOL, {"type": "web_search", "search_context_size": "medium"}],
        "include": ["code_interpreter_call.outputs"],
        "text": {"verbosity": "medium"},
        "store": False,
        "stream": True,
    },
    "openai-agents": {
        "input": ITEMS,
        "tools": [FLAT_TOOL, {"type": "web_search", "filters": None, "user_location": None}],
        "store": True,
    },
}
MESSAGES: Final[dict[str, dict[str, Any]]] = {
    "Claude Code": {
        "system": SYSTEM,
        "tools": [
            {**OWN, "defer_loading": True},
            {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"},
        ],
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "high"},
        "context_management": {"edits": []},
        "metadata": {"user_id": "u"},
        "stream": True,
    },
    "Zed": {"system": [], "tools": [{**OWN, "cache_control": None}], "speed": None, "stream": True},
    "an empty answer": {"messages": [HI, {"role": "assistant", "content": []}, HI]},
    "a tool that gave nothing": {
        "messages": [
            HI,
            {"role": "assistant", "content": [{**OWN, "type": "tool_use", "id": "t", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t"}]},
        ],
        "tools": [OWN],
    },
}
