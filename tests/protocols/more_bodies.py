"""More bodies as programs send them where their users have set nothing: written after their sources
and public reports of 2026. Those of `program_bodies.py` are of other programs, or of older ones.
"""

from __future__ import annotations

from typing import Any, Final

from tests.protocols.program_bodies import BE, FLAT, FORMAT, HI, LOOP, PARTS, TOOLS, USAGE

# Without `type`, as some programs make it of a tool without arguments. Kimi refuses it so:
# https://github.com/leookun/cursor-byok/issues/362
BARE: Final[Any] = [
    {"type": "function", "function": {"name": "look", "parameters": {"properties": {}}}},
    {"type": "function", "function": {"name": "wait", "description": "", "parameters": {}}},
]
FLAT_TOOL: Final[Any] = {
    "type": "function",
    "name": "shell",
    "description": "Runs it.",
    "strict": False,
    "parameters": {"type": "object", "properties": {"command": {"type": "string"}}},
}
ITEMS: Final[Any] = [
    {"role": "system", "content": "You are a coding assistant."},
    {"role": "user", "content": [{"type": "input_text", "text": "please do it"}]},
]
NULLS: Final[Any] = dict.fromkeys(
    ("stop", "tools", "tool_choice", "functions", "function_call", "response_format", "seed"), None
)
# After lm-eval 0.4.13: `LocalChatCompletion` in lm_eval/models/openai_completions.py.
GREEDY: Final[Any] = {"max_tokens": 256, "temperature": 0, "seed": 1234}
CHAT: Final[dict[str, dict[str, Any]]] = {
    "lm-eval, no stop sequence": {**GREEDY, "stop": []},
    "lm-eval, the tokenizer's end": {**GREEDY, "messages": [BE, HI], "stop": ["\n\n", "</s>"]},
    "lm-eval, messages with a type": {
        **GREEDY,
        "messages": [{**HI, "type": "text"}],
        "stop": ["Q:"],
    },
    "Cursor, the check of a key": {"messages": [BE, HI], "max_tokens": 10, "n": 1, "top_p": 1},
    "Cursor, chat": {"messages": [BE, PARTS], "user": "google-oauth2|1", "stream": True},
    "Cursor, bare tools": {"tools": BARE, "tool_choice": "auto", "stream": True},
    "VS Code, a key of one's own": {
        "messages": [{**BE, "copilot_cache_control": {"type": "ephemeral"}}, PARTS],
        "temperature": 0.1,
        "top_p": 1,
        "n": 1,
        "max_tokens": 16384,
        "stream": True,
        "stream_options": USAGE,
        "tools": TOOLS,
        "intent": False,
        "thinking_budget": 4000,
    },
    "Xcode": {"messages": [BE, PARTS], "stream": True, "stream_options": USAGE, "tools": TOOLS},
    "JetBrains": {"messages": [BE, HI], "stream": True, "store": False, "tools": TOOLS, "n": 1},
    "Goose": {"messages": [BE, *LOOP], "tools": TOOLS, "stream": True, "stream_options": USAGE},
    "OpenHands": {
        "messages": [
            {
                "role": "system",
                "content": [
                    {"type": "text", "text": "Be.", "cache_control": {"type": "ephemeral"}}
                ],
            },
            PARTS,
        ],
        "tools": TOOLS,
        "temperature": 0.0,
        "top_p": 1.0,
        "max_completion_tokens": 4096,
        "extra_body": {"metadata": {"trace_version": "1.7", "tags": ["app"], "session_id": "s"}},
    },
    "Cherry Studio, after an empty answer": {
        "messages": [HI, {"role": "assistant", "content": ""}, HI],
        "temperature": 0.05,
        "top_p": 0.08,
        "stream": True,
        "stream_options": USAGE,
    },
    "FastGPT": {
        "chatId": "c1",
        "responseChatItemId": "i1",
        "detail": False,
        "variables": {"uid": "u", "name": "A"},
        "stream": False,
    },
    "a client of Zhipu's": {
        "thinking": {"type": "disabled"},
        "do_sample": True,
        "tool_stream": True,
    },
    "a client of Mistral's": {
        "safe_prompt": False,
        "random_seed": 1,
        "prompt_mode": None,
        "parallel_tool_calls": True,
        "tools": TOOLS,
    },
    "a client of Groq's": {"reasoning_format": "hidden", "disable_tool_validation": False, "n": 1},
    "a client of Perplexity's": {
        "return_images": False,
        "return_related_questions": False,
        "search_domain_filter": [],
        "search_recency_filter": None,
    },
    "a client of xAI's": {"search_parameters": {"mode": "off"}, "deferred": False},
    "a client of Together's": {"repetition_penalty": 1, "safety_model": None, "min_p": 0},
    "Bubble": {**NULLS, "stream": None, "n": None, "user": None, "logit_bias": None},
    "Power Automate": {**FLAT, "max_completion_tokens": 800, "stop": None, "stream": False},
    "Botpress": {
        **FLAT,
        "n": 1,
        "user": "bp",
        "logit_bias": {},
        "response_format": {"type": "text"},
    },
    "AutoGen": {"messages": [{**HI, "name": "user"}], "tools": [], "stream": False},
    "Agent Framework": {
        "messages": [BE, {**PARTS, "name": "user"}],
        "tools": TOOLS,
        "tool_choice": "auto",
        "parallel_tool_calls": None,
        "store": None,
        "modalities": ["text"],
    },
    "LangChain4j, all of its fields": {
        **NULLS,
        "store": False,
        "metadata": {},
        "service_tier": "auto",
        "reasoning_effort": "low",
        "parallel_tool_calls": None,
    },
    "Spring AI, a shape": {"response_format": FORMAT, "extra_body": {}, "stream_options": None},
    "Vercel's gateway": {"providerOptions": {"gateway": {"order": ["a"]}}, "stream": True},
    "LobeChat, thinking": {**FLAT, "stream": True, "thinking": {"type": "enabled"}, "user": "u"},
}
RESPONSES: Final[dict[str, dict[str, Any]]] = {
    "Codex": {
        "instructions": "You are a coding agent.",
        "input": [
            {
                "type": "message",
                "role": "developer",
                "content": [{"type": "input_text", "text": "Ask first."}],
            },
            {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "please do it"}],
            },
        ],
        "tools": [FLAT_TOOL],
        "tool_choice": "auto",
        "parallel_tool_calls": False,
        "reasoning": {"effort": "medium", "summary": "auto"},
        "store": False,
        "stream": True,
        "include": ["reasoning.encrypted_content"],
        "prompt_cache_key": "0198",
        "text": {"verbosity": "medium"},
        "client_metadata": {"x-codex-installation-id": "i"},
    },
    "VS Code, a key of one's own": {
        "input": ITEMS,
        "stream": True,
        "store": False,
        "top_p": 1,
        "max_output_tokens": 16384,
        "truncation": "disabled",
        "reasoning": {"effort": "medium", "summary": "detailed"},
        "include": ["reasoning.encrypted_content"],
        "tools": [FLAT_TOOL],
    },
    "LobeChat": {
        "input": [{"role": "user", "content": "please do it"}],
        "store": False,
        "stream": True,
        "stream_options": {"include_obfuscation": False},
    },
    "Agent Framework": {"input": ITEMS, "metadata": {}, "parallel_tool_calls": True, "user": "u"},
}
SYSTEM: Final[Any] = [
    {"type": "text", "text": "Be.", "cache_control": {"type": "ephemeral", "ttl": "1h"}}
]
OWN: Final[Any] = {"name": "look", "description": "x", "input_schema": {"type": "object"}}
MESSAGES: Final[dict[str, dict[str, Any]]] = {
    "Claude Code": {
        "system": SYSTEM,
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "<system-reminder>x</system-reminder>"},
                    {"type": "text", "text": "do it", "cache_control": {"type": "ephemeral"}},
                ],
            }
        ],
        "tools": [{**OWN, "eager_input_streaming": True}],
        "metadata": {"user_id": "user_1_account__session_2"},
        "max_tokens": 32000,
        "thinking": {"type": "enabled", "budget_tokens": 31999},
        "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
        "output_config": {"effort": "medium"},
        "stream": True,
    },
    "Crush": {
        "system": SYSTEM,
        "tools": [{**OWN, "cache_control": {"type": "ephemeral"}}],
        "thinking": {"type": "disabled"},
        "stream": True,
    },
    "aichat": {"system": "Be brief.", "temperature": 0.5, "max_tokens": 4096, "stream": True},
    "LangChain4j": {
        "system": [{"type": "text", "text": "Be brief."}],
        "stop_sequences": [],
        "top_k": 40,
        "tools": [OWN],
        "tool_choice": {"type": "auto"},
        "stream": False,
    },
    "Spring AI": {"system": "Be.", "stop_sequences": [], "top_k": 10, "tools": [], "metadata": {}},
}
